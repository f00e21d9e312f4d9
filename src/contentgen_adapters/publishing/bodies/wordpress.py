"""A post's text as WordPress's blocks: HTML between comments that name the block, with the classes that themes style.

The forms are those that the blocks' own `save` functions write, so that the editor takes them for sound. What degrades:
lists whose items hold more than text and lists, and whatever else is no block of WordPress's own, is a block of HTML;
text that is written from right to left stands in an element of such a block.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any, Final

import msgspec
from attrs import frozen

from contentgen_adapters.publishing.bodies.html import html
from contentgen_adapters.shared.document.from_html import nesting
from contentgen_core.model.publishing_target import Post

_SHORTCODE: Final = re.compile(r"\[(?![\d\s\]])")
_LANGUAGE: Final = re.compile(r"language-[\w+#.-]{1,40}")
_HEADINGS: Final = ("h1", "h2", "h3", "h4", "h5", "h6")
_DEEPEST: Final = 60  # elements within each other; blocks within blocks are read by calls within calls
_LONGEST_NUMBER: Final = 9
_SIMPLE: Final = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "p", "pre", "table", "blockquote", "hr", "div", "dl"})
"""Elements that an item of a list may not hold."""


@frozen
class Uploaded:
    """A picture in WordPress's own library."""

    id: int
    url: str


def wordpress_html(post: Post, pictures: Mapping[str, Uploaded] | None = None) -> str:
    """Return the text as blocks. `[` is written as an entity wherever WordPress could take it for a shortcode, in code
    and attributes too: it would be executed, and its text lost. `[1]` cannot be taken for one. Text whose elements
    are nested too deep is one block of HTML.

    `pictures`: those of the text that were uploaded, by their address in it.
    """
    from lxml.html import fragments_fromstring  # type: ignore[import-untyped]

    body = html(post)
    if nesting(body) > _DEEPEST:
        content = html_block(body)
    else:
        made = _Blocks(pictures or {})
        content = "".join(part for each in fragments_fromstring(body) for part in made.of(each))
    return _SHORTCODE.sub("&#091;", content)


def html_block(content: str) -> str:
    return _block("html", {}, content)


@frozen
class _Blocks:
    pictures: Mapping[str, Uploaded]

    def of(self, element: Any) -> Iterator[str]:
        """Return the blocks of an lxml element, or of a text between elements."""
        if isinstance(element, str):
            if element.strip():
                yield _block("paragraph", {}, f"<p>{escape(element.strip(), quote=False)}</p>")
            return
        tag = element.tag
        if tag == "section" or (tag == "div" and element.get("dir") != "rtl"):
            yield from self._convert_all(element)
        elif tag == "div":
            yield html_block('<div dir="rtl">')
            yield from self._convert_all(element)
            yield html_block("</div>")
        elif tag in _HEADINGS:
            level = int(tag[1])
            attributes = {} if level == 2 else {"level": level}
            yield _block("heading", attributes, f'<{tag} class="wp-block-heading">{self._inner(element)}</{tag}>')
        else:
            yield self._other(element)
        if element.tail and element.tail.strip():
            yield from self.of(element.tail)

    def _convert_all(self, element: Any) -> Iterator[str]:
        if element.text:
            yield from self.of(element.text)
        for child in element:
            yield from self.of(child)

    def _other(self, element: Any) -> str:
        match element.tag:
            case "p" if (picture := _only_picture(element)) is not None:
                return self._image(*picture)
            case "p":
                return _block("paragraph", {}, f"<p>{self._inner(element)}</p>")
            case "ul" | "ol" if _is_plain(element):
                return self._list(element)
            case "blockquote":
                inner = "".join(self._convert_all(element))
                return _block("quote", {}, f'<blockquote class="wp-block-quote">{inner.strip()}</blockquote>')
            case "pre":
                return self._code(element)
            case "table":
                return self._table(element)
            case "hr":
                rule = '<hr class="wp-block-separator has-alpha-channel-opacity" />'
                return _block("separator", {}, rule)
            case "img":
                return self._image(element, None)
            case _:
                return html_block(self._write(element))

    def _image(self, image: Any, link: Any) -> str:
        uploaded = self.pictures.get(image.get("src"))
        self._own(image)
        attributes: dict[str, Any] = {}
        classes = "wp-block-image"
        if uploaded is not None:
            attributes = {
                "id": uploaded.id,
                "sizeSlug": "full",
                "linkDestination": "custom" if link is not None else "none",
            }
            classes += " size-full"
        elif link is not None:
            attributes = {"linkDestination": "custom"}
        known = f' class="wp-image-{uploaded.id}"' if uploaded is not None else ""
        shown = f'<img src="{escape(image.get("src"))}" alt="{escape(image.get("alt") or "")}"{known} />'
        if link is not None:
            shown = f'<a href="{escape(link.get("href"))}">{shown}</a>'
        return _block("image", attributes, f'<figure class="{classes}">{shown}</figure>')

    def _list(self, element: Any) -> str:
        attributes: dict[str, Any] = {"ordered": True} if element.tag == "ol" else {}
        first = element.get("start") or (element[0].get("value") if len(element) else None)
        start = ""
        if element.tag == "ol" and first not in (None, "1"):
            attributes["start"] = int(first)
            start = f' start="{int(first)}"'
        items = "".join(_block("list-item", {}, f"<li>{self._item(item)}</li>") for item in element)
        return _block(
            "list", attributes, f'<{element.tag}{start} class="wp-block-list">{items.strip()}</{element.tag}>'
        )

    def _item(self, item: Any) -> str:
        """Return a list item. Its paragraphs become lines of one text; the target of citations is an element
        around it.
        """
        parts = [escape((item.text or "").strip("\n"), quote=False)]
        for child in item:
            if child.tag == "p":
                parts += ["<br><br>" if "".join(parts).strip() else "", self._inner(child)]
            elif child.tag in ("ul", "ol"):
                parts.append(self._list(child))
            else:
                parts.append(self._write(child))
            parts.append(escape((child.tail or "").strip("\n"), quote=False))
        text = "".join(parts)
        anchor = item.get("id")
        return f'<span id="{escape(anchor)}">{text}</span>' if anchor else text

    def _code(self, element: Any) -> str:
        code = element.find("code")
        inner = self._inner(element if code is None else code).removesuffix("\n")
        found = _LANGUAGE.search(code.get("class") or "") if code is not None else None
        language = f" {found[0]}" if found else ""
        attributes = {"className": found[0]} if found else {}
        return _block("code", attributes, f'<pre class="wp-block-code{language}"><code>{inner}</code></pre>')

    def _table(self, element: Any) -> str:
        parts = []
        for name, rows in (("thead", element.findall("thead/tr")), ("tbody", _body_rows(element))):
            if rows:
                cells = ("".join(self._cell(cell) for cell in row) for row in rows)
                parts.append(f"<{name}>{''.join(f'<tr>{row}</tr>' for row in cells)}</{name}>")
        table = f'<figure class="wp-block-table"><table>{"".join(parts)}</table></figure>'
        return _block("table", {"hasFixedLayout": False}, table)

    def _cell(self, cell: Any) -> str:
        side = cell.get("align")
        aligned = f' class="has-text-align-{side}" data-align="{side}"' if side in ("left", "center", "right") else ""
        return f"<{cell.tag}{aligned}>{self._inner(cell)}</{cell.tag}>"

    def _inner(self, element: Any) -> str:
        parts = [escape(element.text or "", quote=False)]
        for child in element:
            parts += [self._write(child), escape(child.tail or "", quote=False)]
        return "".join(parts)

    def _write(self, element: Any) -> str:
        from lxml.html import tostring

        for image in element.iter("img"):
            self._own(image)
        return str(tostring(element, encoding="unicode", with_tail=False))

    def _own(self, image: Any) -> None:
        uploaded = self.pictures.get(image.get("src"))
        if uploaded is not None:
            image.set("src", uploaded.url)
            image.set("class", f"wp-image-{uploaded.id}")


def _block(name: str, attributes: Mapping[str, Any], content: str) -> str:
    given = f" {_comment(attributes)}" if attributes else ""
    return f"<!-- wp:{name}{given} -->\n{content}\n<!-- /wp:{name} -->\n\n"


def _comment(attributes: Mapping[str, Any]) -> str:
    """Return JSON that may stand in an HTML comment."""
    text = msgspec.json.encode(attributes).decode()
    for sign, written in (("--", "\\u002d\\u002d"), ("<", "\\u003c"), (">", "\\u003e"), ("&", "\\u0026")):
        text = text.replace(sign, written)
    return text


def _only_picture(paragraph: Any) -> tuple[Any, Any] | None:
    """The picture of a paragraph that holds nothing else, and the link around it."""
    if len(paragraph) != 1 or (paragraph.text or "").strip() or (paragraph[0].tail or "").strip():
        return None
    child = paragraph[0]
    if child.tag == "img":
        return child, None
    if child.tag == "a" and len(child) == 1 and child[0].tag == "img" and not (child.text or child[0].tail):
        return child[0], child
    return None


def _is_plain(element: Any) -> bool:
    """Whether the items hold only text and lists, and their numbers are those that a list assigns by default."""
    first = element.get("start") or (element[0].get("value") if len(element) else None) or "1"
    if not first.isdecimal() or len(first) > _LONGEST_NUMBER:
        return False
    for number, item in enumerate(element, int(first)):
        if item.tag != "li" or item.get("value") not in (None, str(number)):
            return False
        for child in item:
            if child.tag in ("ul", "ol"):
                if not _is_plain(child):
                    return False
            elif child.tag in _SIMPLE - {"p"}:
                return False
    return True


def _body_rows(table: Any) -> list[Any]:
    return [*table.findall("tbody/tr"), *table.findall("tr")]

"""Markdown of HTML by markdownify, whose HTML is read by Beautiful Soup."""

from __future__ import annotations

import re
from typing import Any, Final

from markdownify import ATX, MarkdownConverter

from contentgen_adapters.shared.document.escaping import address, escape_line

_LANGUAGE: Final = re.compile(r"\blang(?:uage)?-([\w+#.-]{1,40})")
_Library: Any = MarkdownConverter  # its types do not tell all that it has


def convert(html: str) -> str:
    """Convert cleaned HTML to Markdown."""
    converter = _Converter(heading_style=ATX, bullets="-", autolinks=False, sup_symbol="<sup>", sub_symbol="<sub>")
    return str(converter.convert(f"<div>{html}</div>"))


class _Converter(_Library):  # type: ignore[misc]
    """markdownify with complete escaping, tables that lose no cell, fences longer than those within, and without its
    quadratic numbering of lists."""

    def convert_soup(self, soup: Any) -> str:
        self._numbers: dict[int, int] = {}
        for table in soup.find_all("table"):
            rows = [row.find_all(["td", "th"]) for row in table.find_all("tr")]
            if rows and rows[0]:
                for _ in range(max(map(len, rows)) - len(rows[0])):
                    rows[0][-1].parent.append(soup.new_tag(rows[0][-1].name))
        return str(super().convert_soup(soup))

    def escape(self, text: str | None, parent_tags: set[str]) -> str:
        shown = escape_line(text or "")
        return shown.replace("|", "\\|") if {"td", "th"} & parent_tags else shown

    def convert_a(self, el: Any, text: str, parent_tags: set[str]) -> str:
        href = address(el.get("href"))
        return f"{_edge(text, 0)}[{text.strip()}]({href}){_edge(text, -1)}" if href and text.strip() else text

    def convert_img(self, el: Any, text: str, parent_tags: set[str]) -> str:
        alt, src = escape_line(el.get("alt") or ""), address(el.get("src"))
        return f"![{alt}]({src})" if src else alt

    def convert_iframe(self, el: Any, text: str, parent_tags: set[str]) -> str:
        src = address(el.get("src"))
        return f"\n\n[{escape_line(src)}]({src})\n\n{text}" if src else text

    convert_video = convert_audio = convert_iframe

    def convert_li(self, el: Any, text: str, parent_tags: set[str]) -> str:
        parent = el.parent
        marker = "- "
        if parent is not None and parent.name == "ol":
            start = str(parent.get("start") or "1")
            first = int(start) if re.fullmatch(r"[0-9]{1,8}", start) else 1
            number = self._numbers[id(parent)] = self._numbers.get(id(parent), first - 1) + 1
            marker = f"{number}. "
        lines = text.strip().split("\n")
        indent = " " * len(marker)
        return marker + "\n".join([lines[0], *(f"{indent}{line}" if line else "" for line in lines[1:])]) + "\n"

    def convert_pre(self, el: Any, text: str, parent_tags: set[str]) -> str:
        code = text.strip("\r\n")
        inner = el.find("code")
        classes = " ".join((*el.get("class", ()), *(inner.get("class", ()) if inner else ())))
        language = _LANGUAGE.search(classes)
        if {"td", "th"} & parent_tags:
            return self.convert_code(el, " ".join(code.split()), set()) if code.strip() else ""
        fence = "`" * max(3, *(len(run) + 1 for run in re.findall("`+", code)), 3)
        return f"\n\n{fence}{language[1] if language else ''}\n{code}\n{fence}\n\n"

    def convert_code(self, el: Any, text: str, parent_tags: set[str]) -> str:
        span = str(super().convert_code(el, text, parent_tags - {"td", "th"}))
        within_cell = el.find_parent(["td", "th"]) is not None
        return span.replace("|", "\\|") if within_cell else span

    convert_kbd = convert_samp = convert_code

    def convert_dd(self, el: Any, text: str, parent_tags: set[str]) -> str:
        return str(self.convert_div(el, text, parent_tags))


for _name in ("header", "footer", "aside", "nav", "main", "address", "details", "summary", "figure", "center",
              "fieldset", "legend"):  # fmt: skip
    setattr(_Converter, f"convert_{_name}", _Library.convert_div)


def _edge(text: str, at: int) -> str:
    return " " if text[at : at + 1 or None].isspace() else ""

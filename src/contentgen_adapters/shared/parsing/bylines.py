"""Read a page's authors from its markup, not from its text, which names commenters as well."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import msgspec

from contentgen_adapters.shared.parsing.format import stated_names
from contentgen_core.policies.text.authors import author_of

_META: Final = (
    frozenset({"citation_author", "citation_authors"}),
    frozenset({"author", "authors"}),
    frozenset({"article:author", "og:article:author"}),
    frozenset({"dc.creator", "dcterms.creator", "parsely-author", "sailthru.author"}),
)
_JSON_LD: Final = "application/ld+json"
_MAX_SCRIPTS: Final = 20
_MAX_SCRIPT: Final = 200_000  # characters
_MAX_THINGS: Final = 500
_NO_PAGES: Final = frozenset({"Comment", "Review", "Answer", "Question", "ImageObject", "VideoObject", "Product"})
"""Types of what stands on a page and has an author of its own."""


def stated_authors(tree: Any) -> tuple[str, ...]:
    """Return the authors that a page, a tree of lxml.html, states. The first of these places that names one counts: the
    elements that scholarly indexes read, JSON-LD, meta elements. Empty if none does.
    """
    stated: dict[str, list[str]] = {}
    for meta in tree.iter("meta"):
        name = (meta.get("name") or meta.get("property") or "").strip().lower()
        stated.setdefault(name, []).append(meta.get("content") or "")
    scholarly, *others = (tuple(each for name in sorted(names) for each in stated.get(name, ())) for names in _META)
    places = (scholarly, tuple(_authors_in_json(tree)), *others)
    return next((place for place in places if author_of(*place)), ())


def _authors_in_json(tree: Any) -> Iterator[str]:
    """Yield the authors of the first item of JSON-LD that has one."""
    things = list(_things(tree))
    by_id = {thing["@id"]: thing for thing in things if isinstance(thing.get("@id"), str) and "name" in thing}
    for thing in things:
        types = thing.get("@type")
        if not _NO_PAGES.isdisjoint(each for each in (types if isinstance(types, list) else [types]) if _is_text(each)):
            continue
        stated = thing.get("author")
        people = stated if isinstance(stated, list) else [stated]
        named = [by_id.get(p.get("@id"), p) if isinstance(p, dict) and _is_text(p.get("@id")) else p for p in people]
        if author_of(*stated_names(named)):
            yield from stated_names(named)
            return


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _things(tree: Any) -> Iterator[dict[str, Any]]:
    scripts = [script for script in tree.iter("script") if (script.get("type") or "").strip().lower() == _JSON_LD]
    left = _MAX_THINGS
    for script in scripts[:_MAX_SCRIPTS]:
        text = script.text or ""
        if len(text) > _MAX_SCRIPT:
            continue
        try:
            found = msgspec.json.decode(text.strip())
        except (msgspec.MsgspecError, RecursionError, UnicodeEncodeError):
            continue
        waiting = [found]
        while waiting and left:
            left -= 1
            thing = waiting.pop(0)
            if isinstance(thing, list):
                waiting[:0] = thing[:_MAX_THINGS]
            elif isinstance(thing, dict):
                yield thing
                waiting[:0] = [thing[key] for key in ("mainEntity", "@graph") if key in thing]

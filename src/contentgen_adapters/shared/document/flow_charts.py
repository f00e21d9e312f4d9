"""Flow charts in Mermaid as lists, for readers to whom nobody draws them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from contentgen_core.policies.text.markdown import escape

MOST_RELATIONS: Final = 400
"""Of a flow chart that is shown as a list."""
_DEEPEST: Final = 8
_HEAD: Final = re.compile(r"(?:flowchart|graph)(?:[ \t]+(?:TD|TB|BT|LR|RL))?[ \t]*;?")
_NODE: Final = r'([A-Za-z0-9_]{1,100})(?:\[(?:"([^"]{0,1000})"|([^"\[\]]{0,1000}))\])?'
_ARROW: Final = r'-->(?:[ \t]*\|(?:"([^"|]{0,1000})"|([^"|]{0,1000}))\|)?'
_LINE: Final = re.compile(rf"{_NODE}(?:[ \t]*{_ARROW}[ \t]*{_NODE})?[ \t]*;?")
_CODE: Final = re.compile(r"#(\d{1,6});")


def relations(source: str) -> str | None:
    """Return a flow chart of boxes and arrows as a Markdown list. It is nested if no arrow has a label and each box but
    the first has one arrow to it; else it lists the arrows. None for other diagrams.
    """
    found = _read(source)
    if found is None:
        return None
    names, labelled = found
    if any(label for _, label, _ in labelled):
        stated = (" ".join((names[one], label or "→", names[other])) for one, label, other in labelled)
        return "\n".join(f"- {escape(line)}" for line in stated)
    arrows = [(one, other) for one, _, other in labelled]
    targets = [target for _, target in arrows]
    roots = [name for name in names if name not in targets]
    if arrows and roots and len(set(targets)) == len(targets):
        lines = [line for root in roots for line in _below(root, names, arrows, 0)]
        if len(lines) == len(names):
            return "\n".join(lines)
    if not arrows:
        return "\n".join(f"- {escape(label)}" for label in names.values())
    return "\n".join(f"- {escape(names[one])} → {escape(names[other])}" for one, other in arrows)


def _read(source: str) -> tuple[dict[str, str], list[tuple[str, str, str]]] | None:
    """Return the boxes' labels by name, and the arrows: (from, to, label), with names of boxes."""
    head, *rest = [line.strip() for line in source.split("\n") if line.strip()] or [""]
    if not rest or len(rest) > MOST_RELATIONS or _HEAD.fullmatch(head) is None:
        return None
    names: dict[str, str] = {}
    arrows = []
    for line in rest:
        found = _LINE.fullmatch(line)
        if found is None:
            return None
        ends = [(found[at], found[at + 1] or found[at + 2]) for at in (1, 6) if found[at]]
        for name, label in ends:
            if label or name not in names:
                names[name] = _decode(label or name)
        if len(ends) == 2:
            arrows.append((ends[0][0], _decode(found[4] or found[5] or "").strip(), ends[1][0]))
    return names, arrows


def _decode(label: str) -> str:
    return _CODE.sub(lambda m: chr(min(int(m[1]), 0x10FFFF)), label)


def _below(name: str, names: Mapping[str, str], arrows: Sequence[tuple[str, str]], depth: int) -> Iterator[str]:
    yield f"{'  ' * min(depth, _DEEPEST)}- {escape(names[name])}"
    if depth < MOST_RELATIONS:
        for one, other in arrows:
            if one == name:
                yield from _below(other, names, arrows, depth + 1)

"""The reference page of states: the model's transition tables, and diagrams of the three most visible ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final
from xml.sax.saxutils import escape

from attrs import frozen

from contentgen_core.model import article, document, enrichment, execution, publication, topic_coverage, translation

Transitions = Mapping[Any, frozenset[Any]]
Point = tuple[float, float]

_CELL: Final = (172, 78)
_BOX: Final = (124, 34)
_MARGIN: Final = 24
_STYLE: Final = (
    "text{font:13px sans-serif;fill:#1c2733;text-anchor:middle}"
    "rect.state{fill:#eef3fa;stroke:#3b5b85;stroke-width:1.5}"
    "rect.final{stroke-width:3.5}"
    "rect.any{fill:#fff7e6;stroke:#a06a00;stroke-dasharray:5 3}"
    "line{stroke:#3b5b85;stroke-width:1.5}line.any{stroke:#a06a00;stroke-dasharray:5 3}"
)


@frozen
class Machine:
    """A state machine of the model.

    `name`: of files. `subject`, `description`: heading and text. `places`: column and row of each state in the diagram;
    None for no diagram. `anywhere`: place of the box, labelled `any_label`, that stands for all states that can be
    left; transitions common to all of them start there.
    """

    name: str
    subject: str
    description: str
    transitions: Transitions
    places: Mapping[str, Point] | None = None
    anywhere: Point | None = None
    any_label: str = ""

    @property
    def shared(self) -> frozenset[str]:
        """The targets that all states with transitions have in common, themselves aside."""
        if self.anywhere is None:
            return frozenset()
        left = [(here, after) for here, after in self.transitions.items() if after]
        return frozenset(
            str(one) for one in self.transitions if all(one in after or one == here for here, after in left)
        )


MACHINES: Final = (
    Machine(
        "articles", "Articles",
        "What becomes of an article. A person may set any article to draft, scheduled or published, which stops a "
        "generation; only a generation makes it generated or failed.", article.TRANSITIONS,
        {"draft": (0, 1), "generating": (1, 0), "generated": (2, 0), "failed": (2, 1), "scheduled": (0, 2),
         "published": (2, 2)},
        (1, 2), "any, by a person",
    ),
    Machine(
        "enrichments", "Enrichments",
        "The way from a topic to new knowledge. At `ready` there is enough to write from.",
        enrichment.TRANSITIONS,
        {"pending": (0, 0), "queued": (1, 0), "searching": (2, 0), "fetching": (3, 0), "processing": (3, 1),
         "indexing": (2, 1), "enriching": (1, 1), "ready": (0, 1), "completed": (0, 2), "failed": (3, 2)},
        (2, 2), "any before the end",
    ),
    Machine(
        "publications", "Publications",
        "What is known of one post at one target. Back to pending by publishing again; from published to failed "
        "when the post was removed there; from failed or unknown to published, and from unknown to failed, by a look; "
        "to removed by deleting the post from here, and from there to published when it is back.",
        publication.TRANSITIONS,
        {"pending": (0, 1), "published": (2, 0), "unknown": (1, 1), "failed": (2, 2),
         "removed": (3, 1)},
    ),
    Machine("documents", "Private documents", "From the upload on.", document.TRANSITIONS),
    Machine("executions", "Executions", "Runs of an agent.", execution.TRANSITIONS),
    Machine("translations", "Translations", "Of an article, a text or a document.", translation.TRANSITIONS),
    Machine("topic-coverages", "Topic coverage", "The computation for a niche.", topic_coverage.TRANSITIONS),
)  # fmt: skip


def states(page: Callable[..., str], table: Callable[[Sequence[str], Iterable[Sequence[str]]], str]) -> str:
    parts = []
    for machine in MACHINES:
        parts += [f"## {machine.subject}", machine.description]
        if machine.places is not None:
            parts.append(f"![States of {machine.subject.lower()}, as in the table below](states-{machine.name}.svg)")
        rows = (
            (
                f"`{here}`",
                ", ".join(f"`{one}`" for one in machine.transitions if one in after) or "nothing: it ends here",
            )
            for here, after in machine.transitions.items()
        )
        parts.append(table(("state", "may become"), rows))
    intro = (
        "The tables that the code itself asks (`TRANSITIONS` in `src/contentgen_core/model/`): a step that is not in "
        "them is refused. States with a thick border are final."
    )
    return page("States", intro, *parts)


def pictures() -> dict[str, str]:
    """The diagrams by file name."""
    return {f"states-{machine.name}.svg": picture(machine) for machine in MACHINES if machine.places is not None}


def picture(machine: Machine) -> str:
    """The SVG of a state machine. Arrows have the attributes `data-from` (`*` for any state) and `data-to`."""
    assert machine.places is not None
    places = {name: _center(place) for name, place in machine.places.items()}
    if machine.anywhere is not None:
        places["*"] = _center(machine.anywhere)
    width = max(x for x, _ in places.values()) + _BOX[0] / 2 + _MARGIN
    height = max(y for _, y in places.values()) + _BOX[1] / 2 + _MARGIN
    return "\n".join((
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'width="{width:g}" height="{height:g}">',
        f"<title>States of {machine.subject.lower()}</title>",
        f"<style>{_STYLE}</style>",
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
        '<path d="M0 0 8 4 0 8z" fill="#3b5b85"/></marker></defs>',
        f'<rect width="{width:g}" height="{height:g}" fill="#fff"/>',
        *_arrows(machine, places),
        *_boxes(machine, places),
        "</svg>",
    )) + "\n"  # fmt: skip


def _center(place: Point) -> Point:
    return (
        _MARGIN + _BOX[0] / 2 + place[0] * _CELL[0],
        _MARGIN + _BOX[1] / 2 + place[1] * _CELL[1],
    )


def _boxes(machine: Machine, places: Mapping[str, Point]) -> Iterator[str]:
    for state, after in machine.transitions.items():
        yield _box(places[state], "state" if after else "state final", state, f' data-state="{state}"')
    if machine.anywhere is not None:
        yield _box(places["*"], "any", machine.any_label, "")


def _box(center: Point, kind: str, text: str, data: str) -> str:
    (x, y), (width, height) = center, _BOX
    return (
        f'<rect class="{kind}"{data} x="{x - width / 2:g}" y="{y - height / 2:g}" '
        f'width="{width}" height="{height}" rx="8"/>'
        f'<text x="{x:g}" y="{y + 4.5:g}">{escape(text)}</text>'
    )


def _arrows(machine: Machine, places: Mapping[str, Point]) -> Iterator[str]:
    for one in sorted(machine.shared):
        yield _arrow("*", one, places)
    for here, after in machine.transitions.items():
        for one in machine.transitions:  # in a fixed order, unlike that of a set
            if one in after and one not in machine.shared:
                yield _arrow(here, one, places)


def _arrow(here: str, after: str, places: Mapping[str, Point]) -> str:
    """An arrow between two states, shifted to the left of its direction so that opposite arrows do not overlap."""
    (x1, y1), (x2, y2) = places[here], places[after]
    length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5
    aside = 0 if here == "*" else 6
    dx, dy = aside * (y2 - y1) / length, -aside * (x2 - x1) / length
    begin, end = (x1 + dx, y1 + dy), (x2 + dx, y2 + dy)
    (ax, ay), (bx, by) = _edge((x1, y1), begin, end), _edge((x2, y2), end, begin)
    kind = ' class="any"' if here == "*" else ""
    return (
        f'<line{kind} data-from="{here}" data-to="{after}" x1="{ax:.1f}" y1="{ay:.1f}" x2="{bx:.1f}" y2="{by:.1f}" '
        'marker-end="url(#tip)"/>'
    )


def _edge(center: Point, begin: Point, end: Point) -> Point:
    """The point where the line from `begin`, in the box around `center`, to `end` crosses the box's border."""
    shares = [1.0]
    for axis in (0, 1):
        way = end[axis] - begin[axis]
        if way:
            side = center[axis] + (_BOX[axis] / 2 if way > 0 else -_BOX[axis] / 2)
            shares.append((side - begin[axis]) / way)
    share = min(share for share in shares if share >= 0)
    return begin[0] + share * (end[0] - begin[0]), begin[1] + share * (end[1] - begin[1])

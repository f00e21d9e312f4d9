"""The trend radar as a self-contained SVG without scripts."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, radians, sin
from textwrap import wrap
from typing import Final

from contentgen_core.model.trend import TrendCategory
from contentgen_core.policies.text.truncation import truncate
from contentgen_http.public.xml import xml_text
from contentgen_http.wire.radar_layout import RadarPoint, Sector

POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'"

COLOURS: Final = {  # of equal lightness, distinguishable with any colour vision (Okabe and Ito 2008, darkened)
    TrendCategory.NEWS: "#0072b2",
    TrendCategory.RESEARCH: "#009e73",
    TrendCategory.REGULATION: "#d55e00",
    TrendCategory.INDUSTRY: "#b07aa1",
    TrendCategory.COMMUNITY: "#a17c00",
    TrendCategory.KNOWLEDGE: "#5a5a5a",
}
_RADIUS: Final = 300.0
_INNER: Final = 26.0  # no trend is nearer to the centre, so that they do not overlap
_CENTRE: Final = (510.0, 400.0)
_LIST_AT: Final = 1030.0
_LINE: Final = 22.0
_WIDTH: Final = 1460.0
_LABEL: Final = 22  # characters of a line beside the radar
_TITLE: Final = 42  # and of one in the list
_MOST_LINES: Final = 3
_STYLE: Final = """
svg{font:14px system-ui,'Noto Sans',sans-serif;background:#fff}
text{fill:#1c2024}.ring{fill:none;stroke:#d5d8dd}.edge{stroke:#d5d8dd}.niche{font-weight:600}.small{font-size:12px}
.dot text{fill:#fff;font-size:11px;font-weight:700;text-anchor:middle}.faint{fill:#60646c}
@media (prefers-color-scheme:dark){svg{background:#17191c}text{fill:#e8eaed}.ring,.edge{stroke:#3a3f45}
.faint{fill:#a0a4ab}}
"""


def picture(places: Sequence[RadarPoint], sectors: Sequence[Sector]) -> str:
    """The SVG of a radar. Deterministic. For the parameters see `radar_layout.radar_points`."""
    titles = [_lines(f"(sample) {p.trend.title}" if p.trend.sample else p.trend.title, _TITLE) for p in places]
    rows = sum(map(len, titles)) + len(COLOURS) + 3
    height = max(800.0, 60 + rows * _LINE)
    details = f"{len(places)} trends in {len(sectors)} niches. The nearer to the centre, the higher the score."
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH:g} {height:g}" role="img"'
        f' aria-labelledby="radar-title radar-description">\n'
        f'<title id="radar-title">Trend radar</title>\n<desc id="radar-description">{details}</desc>\n'
        f"<style>{_STYLE}</style>\n"
        f"{_rings()}{''.join(_sector(sector, len(sectors)) for sector in sectors)}"
        f"{''.join(_dot(place) for place in reversed(places))}{_list(places, titles)}</svg>\n"
    )


def _rings() -> str:
    x, y = _CENTRE
    rings = ""
    for score in (75, 50, 25, 0):
        radius = _radius_at(1 - score / 100)
        rings += f'<circle class="ring" cx="{x:g}" cy="{y:g}" r="{radius:.1f}"/>\n'
        if score:
            rings += f'<text class="small faint" x="{x + 3:g}" y="{y - radius - 3:.1f}">{score}</text>\n'
    return rings


def _sector(sector: Sector, sectors: int) -> str:
    _, name, begin, end = sector
    edge = ""
    if sectors > 1:
        (x1, y1), (x2, y2) = _point(begin, _INNER), _point(begin, _RADIUS)
        edge = f'<line class="edge" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>\n'
    middle = (begin + end) / 2 if sectors > 1 else 0.0
    x, y = _point(middle, _RADIUS + 18)
    side = sin(radians(middle))
    anchor = "middle" if abs(side) < 0.3 else "start" if side > 0 else "end"
    lines = _lines(name, _LABEL)
    label = _spans(lines, x)
    top = y + 5 - (len(lines) - 1) * _LINE / 2
    return f'{edge}<text class="niche" x="{x:.1f}" y="{top:.1f}" text-anchor="{anchor}">{label}</text>\n'


def _dot(place: RadarPoint) -> str:
    x, y = _point(place.angle, _radius_at(place.distance))
    title = f"{place.number}. {place.trend.title} ({place.niche_name}, {place.trend.category}, {place.trend.score:.0f})"
    return (
        f'<g class="dot"><title>{xml_text(title)}</title>'
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="11" fill="{COLOURS[place.trend.category]}"/>'
        f'<text x="{x:.1f}" y="{y + 4:.1f}">{place.number}</text></g>\n'
    )


def _list(places: Sequence[RadarPoint], titles: Sequence[Sequence[str]]) -> str:
    lines, y = [], 50.0
    for category, colour in COLOURS.items():
        lines.append(
            f'<circle cx="{_LIST_AT + 6:g}" cy="{y - 5:g}" r="6" fill="{colour}"/>'
            f'<text x="{_LIST_AT + 20:g}" y="{y:g}">{category.value}</text>\n'
        )
        y += _LINE
    y += _LINE
    for place, title in zip(places, titles, strict=True):
        lines.append(  # separate elements: a right-to-left title would reverse the line
            f'<text class="faint" x="{_LIST_AT + 26:g}" y="{y:g}" text-anchor="end">{place.number}.</text>'
            f'<text class="faint" x="{_LIST_AT + 62:g}" y="{y:g}" text-anchor="end">{place.trend.score:.0f}</text>'
            f'<text x="{_LIST_AT + 74:g}" y="{y:g}">{_spans(title, _LIST_AT + 74)}</text>\n'
        )
        y += len(title) * _LINE
    if not places:
        lines.append(f'<text x="{_LIST_AT:g}" y="{y:g}">There are no trends yet.</text>\n')
    return "".join(lines)


def _radius_at(distance: float) -> float:
    return _INNER + distance * (_RADIUS - _INNER)


def _point(angle: float, radius: float) -> tuple[float, float]:
    """The point at an angle (degrees clockwise from the top) and a radius."""
    x, y = _CENTRE
    return x + radius * sin(radians(angle)), y - radius * cos(radians(angle))


def _lines(text: str, width: int) -> list[str]:
    """Split a text into lines of at most `width` characters; lines beyond _MOST_LINES are dropped."""
    whole = truncate(" ".join(text.split()), width * _MOST_LINES, dangling=None)
    lines = wrap(whole, width) or [""]
    return [*lines[: _MOST_LINES - 1], truncate(" ".join(lines[_MOST_LINES - 1 :]), width, dangling=None)][: len(lines)]


def _spans(lines: Sequence[str], x: float) -> str:
    """Lines under each other from `x` on."""
    first, *others = map(xml_text, lines)
    return first + "".join(f'<tspan x="{x:.1f}" dy="{_LINE:g}">{line}</tspan>' for line in others)

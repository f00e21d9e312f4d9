"""Figures with their intervals, now and before, as SVG."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from xml.sax.saxutils import escape

from contentgen_core.model.evaluation import FIGURES, Evaluation, Figure
from contentgen_core.policies.evaluation.comparison import Compared
from contentgen_core.policies.text.printable import printable
from contentgen_core.policies.text.truncation import truncate

LEFT: Final = 280
SIDE: Final = 440
RIGHT: Final = 200
ROW: Final = 30
TOP: Final = 86
BOTTOM: Final = 40
LONGEST_TITLE: Final = 80
_WIDTH: Final = LEFT + SIDE + RIGHT
_STYLE: Final = (
    "svg{background:#fff}text{font-family:system-ui,sans-serif;font-size:13px;fill:#1a1a1a;unicode-bidi:plaintext}"
    ".small{font-size:11px;fill:#595959}.grid{stroke:#ddd}.now{stroke:#0b5cad;fill:#0b5cad}"
    ".before{stroke:#767676;fill:#fff}.fell{stroke:#b3261e;fill:#b3261e}text.fell{stroke:none}"
    "@media(prefers-color-scheme:dark){svg{background:#16181c}text{fill:#ececec}.small{fill:#b0b0b0}.grid{stroke:#333}"
    ".now{stroke:#6cb6ff;fill:#6cb6ff}.before{stroke:#9a9a9a;fill:#16181c}.fell{stroke:#ff8a80;fill:#ff8a80}}"
)


def picture(run: Evaluation, compared: Sequence[Compared]) -> str:
    """A row a figure: a dot at its value, a line over its interval, hollow and grey for the earlier run. What is above
    1 stands at the edge; the numbers are beside it. In light and dark, with a text for who cannot see it."""
    height = TOP + ROW * len(compared) + BOTTOM
    setup = run.setup
    looked_at = f"{setup.passages:,} passages of {setup.documents:,} documents"
    about = f"{looked_at}, seed {setup.cases.seed}, {run.measured_at:%Y-%m-%d %H:%M}"
    title = truncate(printable(f"Evaluation of {setup.cases.subject}"), LONGEST_TITLE)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" height="{height}"'
        ' role="img" aria-labelledby="title desc">',
        f'<title id="title">{escape(title)}</title><desc id="desc">{escape(_description(compared))}</desc>',
        f"<style>{_STYLE}</style>",
        f'<text x="16" y="28" style="font-size:17px">{escape(title)}</text>',
        f'<text x="16" y="48" class="small">{escape(about)}</text>',
        *_axis(height),
    ]
    for number, each in enumerate(compared):
        parts += _row(each, TOP + ROW * number + ROW // 2)
    parts += _legend(height - 12, any(each.before for each in compared))
    return "\n".join([*parts, "</svg>", ""])


def _axis(height: int) -> list[str]:
    found = []
    for tenths in range(0, 11, 2):
        x = _x(tenths / 10)
        found.append(f'<line class="grid" x1="{x}" y1="{TOP - 6}" x2="{x}" y2="{height - BOTTOM}"/>')
        found.append(f'<text class="small" x="{x}" y="{TOP - 12}" text-anchor="middle">{tenths / 10:.1f}</text>')
    return found


def _row(each: Compared, y: int) -> list[str]:
    kind = "fell" if each.fell else "now"
    shown = each.now or each.before
    less = " (less is better)" if shown is not None and not shown.rises else ""
    parts = [f"<g><title>{escape(f'{FIGURES[each.name]}. {printable(each.why)}')}</title>"]
    parts.append(f'<text x="{LEFT - 14}" y="{y + 4}" text-anchor="end">{each.name}{less}</text>')
    if each.before is not None:
        parts += _mark(each.before, "before", y + 5)
    if each.now is not None:
        parts += _mark(each.now, kind, y - 3)
    was = f"{each.before.value:.3f} → " if each.before is not None else ""
    told = f"{was}{each.now.value:.3f}" if each.now is not None else f"{was}not measured"
    mark = "  fell" if each.fell else ""
    style = ' class="fell"' if each.fell else ""
    parts.append(f'<text x="{LEFT + SIDE + 16}" y="{y + 4}"{style}>{told}{mark}</text></g>')
    return parts


def _mark(figure: Figure, kind: str, y: int) -> list[str]:
    low, high, at = (_x(value) for value in (figure.interval.low, figure.interval.high, figure.value))
    return [
        f'<line class="{kind}" x1="{low}" y1="{y}" x2="{high}" y2="{y}" stroke-width="2"/>',
        f'<circle class="{kind}" cx="{at}" cy="{y}" r="4" stroke-width="1.5"/>',
    ]


def _legend(y: int, with_before: bool) -> list[str]:
    found = [
        f'<circle class="now" cx="{LEFT + 6}" cy="{y - 4}" r="4"/>',
        f'<text class="small" x="{LEFT + 16}" y="{y}">now, with its 95 % interval</text>',
    ]
    if with_before:
        found += [
            f'<circle class="before" cx="{LEFT + 196}" cy="{y - 4}" r="4" stroke-width="1.5"/>',
            f'<text class="small" x="{LEFT + 206}" y="{y}">before</text>',
        ]
    return found


def _description(compared: Sequence[Compared]) -> str:
    told = [
        f"{each.name} {each.now.value:.3f}"
        + (f", before {each.before.value:.3f}" if each.before else "")
        + (", fell" if each.fell else "")
        for each in compared
        if each.now is not None
    ]
    return "; ".join(told) or "Nothing was measured."


def _x(value: float) -> float:
    return round(LEFT + SIDE * min(1.0, max(0.0, value)), 1)

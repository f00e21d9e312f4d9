"""An evaluation on the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import typer

from contentgen_core.model.evaluation import FIGURES, Evaluation, Figure
from contentgen_core.policies.evaluation.comparison import Compared, other_conditions
from contentgen_core.policies.text.plurals import pluralize
from contentgen_core.policies.text.printable import printable
from contentgen_core.policies.text.truncation import truncate
from contentgen_http.commands.console import print_table, warn

CASES_SHOWN: Final = 5
LONGEST_CASE: Final = 400
HEADINGS: Final = ("figure", "before", "now", "95 %", "cases", "")
COLUMNS: Final = {"figure": {"no_wrap": True, "min_width": max(map(len, FIGURES))}}


def show(run: Evaluation, before: Evaluation | None, compared: Sequence[Compared]) -> None:
    """A table, what fell with some of the cases that went wrong, and what to know about them. The table goes to
    standard output, the rest to standard error."""
    setup = run.setup
    print_table(HEADINGS, [_row(each) for each in compared], COLUMNS)
    looked_at = f"{pluralize(setup.passages, 'passage')} of {pluralize(setup.documents, 'document')}"
    typer.echo(
        f"{printable(setup.cases.subject)}: {looked_at}"
        + (f" (of {setup.of:,})" if setup.of > setup.documents else "")
        + f", seed {setup.cases.seed}, {run.seconds:.0f} s, embedder {setup.embedder}"
        + (f", writer {setup.writer}" if setup.writer else ""),
        err=True,
    )
    for note in run.notes:
        warn("note:", note)
    if before is not None:
        for condition in other_conditions(setup, before.setup):
            warn("not the same:", printable(condition))
    for each in compared:
        if each.fell:
            _show_fallen(each)


def _row(each: Compared) -> tuple[str, ...]:
    now = each.now
    if now is None:
        return each.name, _value(each.before), "", "", "", "fell"
    bounds = f"{now.interval.low:.2f}–{now.interval.high:.2f}"
    verdict = "fell" if each.fell else _verdict(each)
    return each.name, _value(each.before), _value(now), bounds, str(len(now.outcomes)), verdict


def _verdict(each: Compared) -> str:
    if each.before is None:
        return ""
    if each.worse < 0:
        return "better"
    return "worse" if each.worse > 0 else "same"


def _value(figure: Figure | None) -> str:
    return "" if figure is None else f"{figure.value:.3f}"


def _show_fallen(each: Compared) -> None:
    warn(f"fell: {each.name}:", f"{each.why}. It is: {FIGURES[each.name]}.", typer.colors.RED)
    for outcome in each.failed[:CASES_SHOWN]:
        typer.echo(f"  - {truncate(printable(outcome.failed), LONGEST_CASE)}", err=True)
    if len(each.failed) > CASES_SHOWN:
        typer.echo(f"  and {len(each.failed) - CASES_SHOWN} more, which --json lists", err=True)

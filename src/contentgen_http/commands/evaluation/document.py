"""An evaluation as a JSON document: what a pipeline keeps, and what a later run is compared with."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Annotated, Final, Literal

import msgspec
from attrs import asdict
from msgspec import Meta, Struct

from contentgen_core.errors import InvalidInput
from contentgen_core.model.evaluation import DIGITS, FIGURES, Cases, Evaluation, Figure, Interval, Outcome, Part, Setup
from contentgen_core.policies.evaluation.comparison import Compared

FORMAT: Final = 1
MAX_BYTES: Final = 32 * 1024 * 1024
MAX_OUTCOMES: Final = 20_000

Text = Annotated[str, Meta(max_length=4_000)]
Value = Annotated[float, Meta(ge=0, le=1_000_000)]
Count = Annotated[int, Meta(ge=0, le=10**12)]


class OutcomeDocument(Struct, rename="camel", omit_defaults=True):
    key: Text
    value: Value
    failed: Text = ""


class FigureDocument(Struct, rename="camel"):
    """`measures`: the figure in words; `value`, `low`, `high`: what `outcomes` say."""

    name: Literal[tuple(FIGURES)]  # type: ignore[valid-type]
    measures: Text
    value: Value
    low: Value
    high: Value
    rises: bool
    outcomes: Annotated[list[OutcomeDocument], Meta(min_length=1, max_length=MAX_OUTCOMES)]


class ComparedDocument(Struct, rename="camel"):
    """A figure that was compared. `why`: it fell; empty: it did not."""

    name: Text
    before: Value | None
    now: Value | None
    worse: float
    beyond_chance: bool
    same_cases: Count
    why: Text


class SetupDocument(Struct, rename="camel"):
    subject: Text
    parts: Annotated[list[Part], Meta(min_length=1, max_length=len(Part))]
    seed: int
    size: Count
    articles: Count
    version: Text
    embedder: Text
    writer: Text
    entailment: Text
    reranker: Text
    knowledge: Text
    documents: Count
    passages: Count
    of: Count


class EvaluationDocument(Struct, rename="camel"):
    format: Literal[1]
    setup: SetupDocument
    measured_at: datetime
    seconds: Value
    figures: Annotated[list[FigureDocument], Meta(max_length=len(FIGURES))]
    notes: Annotated[list[Text], Meta(max_length=100)] = []
    compared: Annotated[list[ComparedDocument], Meta(max_length=len(FIGURES))] = []


def encoded(run: Evaluation, compared: Sequence[Compared] = ()) -> bytes:
    """Indented, to be read and to be kept in a repository."""
    found = EvaluationDocument(
        FORMAT,
        _setup(run.setup),
        run.measured_at,
        run.seconds,
        [_figure(figure) for figure in run.figures],
        list(run.notes),
        [
            ComparedDocument(
                each.name,
                None if each.before is None else round(each.before.value, DIGITS),
                None if each.now is None else round(each.now.value, DIGITS),
                round(each.worse, DIGITS),
                each.beyond_chance,
                each.same,
                each.why,
            )
            for each in compared
            if each.before is not None or each.fell
        ],
    )
    return msgspec.json.format(msgspec.json.encode(found), indent=1) + b"\n"


def load(path: Path) -> Evaluation:
    """An earlier run. Raises InvalidInput for what cannot be read or is none."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise InvalidInput.of("baseline", f"{path} is larger than {MAX_BYTES // 1024**2} MiB: it is no evaluation")
        return decoded(path.read_bytes())
    except OSError as error:
        raise InvalidInput.of("baseline", f"{path} cannot be read: {error.strerror}") from error
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise InvalidInput.of("baseline", f"{path} is no evaluation of this program: {error}") from error


def decoded(document: bytes) -> Evaluation:
    """Raises msgspec.MsgspecError, UnicodeDecodeError."""
    found = msgspec.json.decode(document, type=EvaluationDocument)
    names = [figure.name for figure in found.figures]
    if len(set(names)) < len(names):
        raise msgspec.ValidationError("a figure stands there twice")
    values = msgspec.structs.asdict(found.setup)
    cases = Cases(*(values.pop(name) for name in ("subject", "seed", "size", "articles")))
    setup = Setup(cases, frozenset(values.pop("parts")), **values)
    figures = tuple(
        Figure(
            each.name,
            tuple(Outcome(one.key, one.value, one.failed) for one in each.outcomes),
            Interval(each.low, each.high),
            each.rises,
        )
        for each in found.figures
    )
    return Evaluation(setup, found.measured_at, found.seconds, figures, tuple(found.notes))


def _setup(setup: Setup) -> SetupDocument:
    values = asdict(setup, recurse=False)
    cases, parts = asdict(values.pop("cases")), sorted(values.pop("parts"), key=list(Part).index)
    return SetupDocument(**cases, parts=parts, **values)


def _figure(figure: Figure) -> FigureDocument:
    return FigureDocument(
        figure.name,
        FIGURES[figure.name],
        round(figure.value, DIGITS),
        round(figure.interval.low, DIGITS),
        round(figure.interval.high, DIGITS),
        figure.rises,
        [OutcomeDocument(one.key[:4_000], one.value, one.failed[:4_000]) for one in figure.outcomes],
    )

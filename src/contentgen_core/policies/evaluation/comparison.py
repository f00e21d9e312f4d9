"""Whether a figure is worse than in an earlier run, by more than its cases vary by chance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import hypot
from typing import Final

from attrs import field, frozen

from contentgen_core.model.evaluation import FIGURES, Cases, Evaluation, Figure, Outcome, Setup
from contentgen_core.policies.evaluation.intervals import interval_of_difference

TOLERANCE: Final = 0.02
"""Up to which a figure may worsen."""
SAME_SHARE: Final = 0.5
"""From this share of the cases on, the same ones are compared with each other; else the intervals of both runs."""


@frozen
class Limits:
    """Allowed changes by the names of figures. `tolerances`: how far a figure may worsen, `tolerance` for all others;
    `least`, `most`: bounds of a figure whatever it was before."""

    tolerance: float = TOLERANCE
    tolerances: Mapping[str, float] = field(factory=dict)
    least: Mapping[str, float] = field(factory=dict)
    most: Mapping[str, float] = field(factory=dict)

    def of(self, name: str) -> float:
        return self.tolerances.get(name, self.tolerance)


@frozen
class Compared:
    """A figure beside that of an earlier run; `now` and `before` are None where it was not measured. `worse`: by how
    much, negative where it is better; `beyond_chance`: whether that is more than such cases vary by chance; `same`: how
    many cases both runs have; `why`: in words why it fell, "" where it did not. `failed`: the cases that went wrong,
    those first that did not before."""

    name: str
    now: Figure | None
    before: Figure | None
    why: str = ""
    worse: float = 0.0
    beyond_chance: bool = False
    same: int = 0
    failed: tuple[Outcome, ...] = ()

    @property
    def fell(self) -> bool:
        """Whether it is worse than is allowed."""
        return bool(self.why)


def compare(now: Evaluation, before: Evaluation | None, limits: Limits) -> tuple[Compared, ...]:
    """Every figure that this run has or should have beside the one of the same name, in the order of FIGURES."""
    measured = {figure.name: figure for figure in now.figures}
    earlier = {figure.name: figure for figure in before.figures} if before else {}
    asked = [name for name in FIGURES if name.partition(".")[0] in now.setup.parts]
    found = (_compare(name, measured.get(name), earlier.get(name), limits) for name in asked)
    return tuple(each for each in found if each is not None)


def other_cases(now: Cases, before: Cases) -> tuple[str, ...]:
    """Return why two runs cannot be compared: their cases differ. Empty where they are the same. A knowledge base may
    have another name and be the same."""
    return _differences(now, before, ("seed", "size", "articles"))


def other_conditions(now: Setup, before: Setup) -> tuple[str, ...]:
    """Return the differences in set-up between two runs of the same cases, which may explain differing figures."""
    named = _differences(now.cases, before.cases, ("subject",))
    models = ("version", "embedder", "writer", "entailment", "reranker", "knowledge")
    return named + _differences(now, before, models)


def _differences(now: object, before: object, fields: Sequence[str]) -> tuple[str, ...]:
    pairs = [(name, getattr(before, name), getattr(now, name)) for name in fields]
    return tuple(
        f"{name} was {was if was != '' else 'none'} and is {is_now if is_now != '' else 'none'}"
        for name, was, is_now in pairs
        if was != is_now
    )


def _compare(name: str, now: Figure | None, before: Figure | None, limits: Limits) -> Compared | None:
    if now is None:
        demanded = before is not None or name in limits.least or name in limits.most
        return Compared(name, None, before, "not measured in this run") if demanded else None
    faults = _out_of_bounds(now, limits)
    if before is None:
        return Compared(name, now, None, "; ".join(faults), failed=_failed_outcomes(now, None))
    worse, beyond, same = _change(now, before)
    tolerance = limits.of(name)
    if worse > tolerance and beyond:
        faults.append(f"{before.value:.3f} before: worse by {worse:.3f}, where {tolerance:g} is allowed")
    return Compared(name, now, before, "; ".join(faults), worse, beyond, same, _failed_outcomes(now, before))


def _change(now: Figure, before: Figure) -> tuple[float, bool, int]:
    """Return by how much the figure is worse, whether beyond chance, and the number of common cases."""
    sign = 1 if now.rises else -1
    earlier = {outcome.key: outcome.value for outcome in before.outcomes}
    same = [(earlier[o.key], o.value) for o in now.outcomes if o.key in earlier]
    if len(same) < SAME_SHARE * max(len(now.outcomes), len(before.outcomes)):
        worse = sign * (before.value - now.value)
        return worse, worse > hypot(_half(now), _half(before)), len(same)
    change = interval_of_difference([was for was, _ in same], [is_now for _, is_now in same])
    worse = sign * sum(was - is_now for was, is_now in same) / len(same)
    return worse, change.high < 0 if now.rises else change.low > 0, len(same)


def _half(figure: Figure) -> float:
    return (figure.interval.high - figure.interval.low) / 2


def _out_of_bounds(now: Figure, limits: Limits) -> list[str]:
    least, most = limits.least.get(now.name), limits.most.get(now.name)
    found = []
    if least is not None and now.value < least:
        found.append(f"{now.value:.3f} is below {least:g}")
    if most is not None and now.value > most:
        found.append(f"{now.value:.3f} is above {most:g}")
    return found


def _failed_outcomes(now: Figure, before: Figure | None) -> tuple[Outcome, ...]:
    """Return the failed outcomes: those that did not fail before come first, then the worst."""
    failed_before = {o.key for o in before.outcomes if o.failed} if before else set[str]()
    sign = 1 if now.rises else -1
    failed = [o for o in now.outcomes if o.failed]
    return tuple(sorted(failed, key=lambda o: (o.key in failed_before, sign * o.value, o.key)))

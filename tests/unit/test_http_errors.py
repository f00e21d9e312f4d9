"""The one table of statuses, and how problems are rendered from it."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from datetime import timedelta

import msgspec
import pytest

import contentgen_adapters
import contentgen_core
import contentgen_grounded
import contentgen_http
from contentgen_core import errors as core
from contentgen_core.model.coverage import Coverage, CoverageEvidence, CoverageLevel, CoverageTooLow
from contentgen_core.testing.runtime import MOMENT
from contentgen_http.server.errors import STATUS, headers_of, problem, rendering

PACKAGES = (contentgen_core, contentgen_adapters, contentgen_grounded, contentgen_http)
# Of the command line, and of programs that cannot start: an operator reads them, no request meets them.
ENDS_A_PROGRAM = {
    "BadSetting",
    "CannotServe",
    "CannotWork",
    "EmbeddedPostgresError",
    "MigrationError",
    "MissingExtra",
    "NotCovered",
    "ProcessFailed",
    "SecretsLeftBehind",
    "WritingFailed",
}


def subclasses(kind: type[core.ContentgenError]) -> Iterator[type[core.ContentgenError]]:
    yield kind
    for sub in kind.__subclasses__():
        yield from subclasses(sub)


def every_error() -> set[type[core.ContentgenError]]:
    """Those of every module of the product, the test kit apart."""
    for package in PACKAGES:
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if module.name.rsplit(".", 1)[-1] not in ("__main__", "testing") and ".testing." not in module.name:
                importlib.import_module(module.name)
    names = tuple(f"{package.__name__}." for package in PACKAGES)
    return {kind for kind in subclasses(core.ContentgenError) if kind.__module__.startswith(names)}


def test_every_error_of_the_core_has_a_status_of_its_own() -> None:
    assert {kind for kind in every_error() if kind.__module__.startswith("contentgen_core.")} == set(STATUS)


def test_only_what_ends_a_program_is_an_error_that_no_caller_sees() -> None:
    unexpected = {kind.__name__ for kind in every_error() - set(STATUS) if rendering(kind).status == 500}
    assert unexpected == ENDS_A_PROGRAM


def test_only_low_coverage_is_a_422() -> None:
    assert [kind for kind, shown in STATUS.items() if shown.status == 422] == [CoverageTooLow]


def test_codes_are_told_apart_within_a_status() -> None:
    codes = [kind.code for kind in STATUS if "code" in vars(kind)]
    assert len(codes) == len(set(codes))


def test_an_adapters_own_error_is_shown_as_the_nearest_it_derives_from() -> None:
    class PoolExhausted(core.Unavailable):
        code = "pool_exhausted"

    class Odd(core.ContentgenError):
        code = "odd"

    assert rendering(PoolExhausted).status == 503
    assert rendering(Odd).status == 500


def test_what_is_unexpected_gives_nothing_away() -> None:
    assert "secret" not in problem(core.ContentgenError("the secret is 42"), "id").detail


def test_a_limit_tells_its_figures() -> None:
    error = core.QuotaExceeded("No more.", limit=3, used=3, resets_at=MOMENT)
    shown = msgspec.to_builtins(problem(error, "id"))
    assert (shown["limit"], shown["used"], shown["resetsAt"]) == (3, 3, "2026-03-10T12:00:00Z")
    standing = msgspec.to_builtins(problem(core.QuotaExceeded("No.", limit=1, used=1, resets_at=None), "id"))
    assert "resetsAt" not in standing


def test_low_coverage_tells_the_coverage() -> None:
    coverage = Coverage(CoverageLevel.LOW, 12.5, CoverageEvidence())
    shown = msgspec.to_builtins(problem(CoverageTooLow("Too low.", coverage), "id"))
    assert shown["coverage"] == {
        "level": "low", "score": 12.5, "sourcesFound": 0, "topSources": [], "rerankedResults": [],
        "provisional": False,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("error", "headers"),
    [
        (core.Unauthenticated(), {"WWW-Authenticate": "Bearer"}),
        (core.RateLimited(limit=1, retry_after=0.01, resets_at=MOMENT), {"Retry-After": "1"}),
        (core.RateLimited(limit=1, retry_after=1.2, resets_at=MOMENT), {"Retry-After": "2"}),
        (
            core.DailyQuotaExceeded("No.", limit=1, used=1, resets_at=MOMENT + timedelta(hours=1)),
            {"Retry-After": "3600"},
        ),
        (core.QuotaExceeded("No.", limit=1, used=1, resets_at=MOMENT), {}),
        (core.Unavailable("Away.", 3), {"Retry-After": "3"}),
        (core.ProviderFailed("openai", "busy", retryable=True, retry_after=20), {"Retry-After": "20"}),
        (core.ProviderFailed("openai", "broken", retryable=False), {"Retry-After": "10"}),
        (core.NotConfigured("No model.", "CONTENTGEN_OPENAI_API_KEY"), {}),
        (core.StaleIndex("Rebuild it."), {"Retry-After": "10"}),
        (core.NotFound("article", "x"), {}),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else "",
)
def test_headers_follow_from_the_error(error: core.ContentgenError, headers: dict[str, str]) -> None:
    assert headers_of(error, MOMENT) == headers

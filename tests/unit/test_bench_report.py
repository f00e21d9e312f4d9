"""Tables of benchmarks: each says what it was measured with, and has the default settings beside hashed vectors."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks import __main__ as program
from benchmarks import configuration, report
from benchmarks.configuration import DEFAULT, HASHED
from benchmarks.processes import environment
from benchmarks.report import Figure, Outcome, at_most, write

from contentgen_grounded.settings import Settings

HASHED_FIGURE = at_most("CPU of an article", 114.0, 60.0, " ms", product="114 ms (service 88)", reference="7 ms")
DEFAULT_FIGURE = at_most("CPU of an article", 953.0, 60.0, " ms", product="0.95 s (service 0.93)", reference="7 ms")


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    made = tmp_path / "benchmarks.md"
    made.write_text("Above.\n<!-- measured: begin -->\nold\n<!-- measured: end -->\nBelow.\n")
    monkeypatch.setattr(report, "PAGE", made)
    return made


def test_the_default_of_the_benchmarks_is_that_of_the_settings() -> None:
    assert Settings().embeddings == DEFAULT


def test_a_table_names_its_configuration_and_has_the_default_beside(page: Path) -> None:
    write([Outcome("generation", [HASHED_FIGURE], HASHED, [DEFAULT_FIGURE])], "make bench")
    table = page.read_text()
    assert "with `CONTENTGEN_EMBEDDINGS=hashed`; the last column: with the default settings" in table
    [row] = [line for line in table.splitlines() if line.startswith("| generation")]
    assert row.split(" | ")[2] == "114 ms (service 88)"
    assert row.endswith("| missed | 0.95 s (service 0.93); 953 ms; missed |")
    assert table.startswith("Above.")
    assert table.endswith("Below.\n")


def test_a_table_of_the_default_alone_says_so(page: Path) -> None:
    write([Outcome("generation", [DEFAULT_FIGURE], DEFAULT)], "python -m benchmarks generation")
    assert "with the default settings (`CONTENTGEN_EMBEDDINGS=auto`" in page.read_text()
    assert "hashed`" not in page.read_text().split("generation |")[0].split("auto`")[0]


def test_rows_that_do_not_match_are_refused() -> None:
    with pytest.raises(ValueError, match="zip"):
        Outcome("generation", [HASHED_FIGURE], HASHED, [DEFAULT_FIGURE, DEFAULT_FIGURE]).rows()


@pytest.mark.parametrize("name", [*program.NAMES, *program.ON_REQUEST])
def test_each_benchmark_is_run_with_what_it_can_be_run_with(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[str] = []

    def run(name: str, embeddings: str) -> list[Figure]:
        ran.append(embeddings)
        return [Figure("what", "1 ms")]

    monkeypatch.setattr(program, "run_alone", run)
    outcome = program.measured(name, program.BOTH)
    assert outcome.embeddings == ran[0]
    expected = {HASHED, DEFAULT}
    expected = {HASHED} if name in configuration.HASHED_ALONE else expected
    assert set(ran) == ({DEFAULT} if name in configuration.BY_MEANING else expected)
    assert bool(outcome.by_default) == (len(ran) == 2)


def test_what_a_benchmark_starts_has_the_embedder_of_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONTENTGEN_EMBEDDINGS", "openai")
    monkeypatch.delenv(configuration.VARIABLE, raising=False)
    assert environment()["CONTENTGEN_EMBEDDINGS"] == HASHED
    monkeypatch.setenv(configuration.VARIABLE, DEFAULT)
    assert environment()["CONTENTGEN_EMBEDDINGS"] == DEFAULT


def test_the_names_of_configurations_are_those_of_benchmarks() -> None:
    known = {*program.NAMES, *program.ON_REQUEST}
    assert known >= configuration.WITH_BOTH | configuration.HASHED_ALONE | configuration.BY_MEANING
    assert not configuration.WITH_BOTH & configuration.HASHED_ALONE

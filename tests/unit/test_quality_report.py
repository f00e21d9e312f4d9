"""The measures that the figures in docs/quality.md rest on, and how they come onto the page."""

from math import log2
from pathlib import Path

import pytest
from benchmarks.quality.report import Table, at_least, at_most, write

from contentgen_core.policies.evaluation.metrics import mean_ndcg, ndcg, recall


def test_ndcg_is_one_in_the_best_order_and_falls_with_the_place() -> None:
    assert ndcg(["a", "b", "c"], {"a": 2, "b": 1}) == 1.0
    assert ndcg(["x", "a"], {"a": 1}) == pytest.approx(1 / log2(3))
    assert ndcg(["b", "a"], {"a": 2, "b": 1}) == pytest.approx((1 + 2 / log2(3)) / (2 + 1 / log2(3)))
    assert ndcg([f"x{i}" for i in range(10)] + ["a"], {"a": 1}) == 0.0


def test_a_document_named_twice_counts_once_and_an_unanswered_query_counts_nothing() -> None:
    assert ndcg(["a", "a"], {"a": 1}) == 1.0
    assert mean_ndcg({"q": ["a"]}, {"q": {"a": 1}, "other": {"b": 1}}) == 0.5
    assert recall({"q": ["a", "x"]}, {"q": {"a": 1, "b": 1, "x": 0}}, 10) == 0.5


def test_a_figure_that_only_rounds_to_its_target_is_missed() -> None:
    assert at_least(0.6996, 0.70) == ("0.700", "≥ 0.700", "missed")
    assert at_most(0.3, 0.3) == ("0.300", "≤ 0.300", "met")


def test_tables_replace_what_stands_between_the_markers_of_their_part_alone(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("A\n<!-- measured x: begin -->\nold\n<!-- measured x: end -->\nB\n")
    write("x", [Table("Title", ["One", "Two"], [["1", "2"]], "A note.")], page)
    text = page.read_text()
    assert text.startswith("A\n")
    assert text.endswith("\nB\n")
    assert "old" not in text
    assert "| 1 | 2 |" in text
    with pytest.raises(ValueError, match="no markers for y"):
        write("y", [], page)

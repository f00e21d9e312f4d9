import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.text.facts import FigureCounts, figures, fold_name, names

ANALYSIS = IcuTextAnalysis()


@pytest.mark.parametrize(
    ("text", "language", "values", "unit"),
    [
        ("1 234,50 €", Language.FR, {"1234.5"}, "€"),
        ("12\u202f500 euros", Language.FR, {"12500"}, "€"),
        ("1.234.567,8", Language.DE, {"1234567.8"}, ""),
        ("1,234,567.8", Language.EN, {"1234567.8"}, ""),
        ("1'000", Language.DE, {"1000"}, ""),
        ("1.500", Language.ES, {"1.5", "1500"}, ""),
        ("3,50", Language.FR, {"3.5"}, ""),
        ("$5 million", Language.EN, {"5000000"}, "$"),
        ("2 billion", Language.EN, {"2000000000"}, ""),
        ("2 Milliarden Euro", Language.DE, {"2000000000"}, "€"),
        ("12 per cent", Language.EN, {"12"}, "%"),
        ("12 pour cent", Language.FR, {"12"}, "%"),
        ("12 Prozent", Language.DE, {"12"}, "%"),
        ("−5 °C", Language.EN, {"-5"}, "°C"),
        ("5kWh", Language.EN, {"5"}, "kWh"),
        ("5 mW", Language.EN, {"5"}, ""),
        ("3万元", Language.ZH, {"30000"}, "CNY"),
        ("費用は2億円です", Language.JA, {"200000000"}, "¥"),
        ("٣٫٥", Language.AR, {"3.5"}, ""),
    ],
)
def test_a_figure_is_read_in_any_locale(text: str, language: Language, values: set[str], unit: str) -> None:
    [figure] = figures(text, language)
    assert (figure.values, figure.unit) == (frozenset(values), unit)


def test_dates_ranges_and_codes_are_no_single_figures() -> None:
    assert [sorted(f.values) for f in figures("12/03/2024 and 2020-2025, 3–4", Language.EN)] == [
        ["12"],
        ["3"],
        ["2024"],
        ["2020"],
        ["2025"],
        ["3"],
        ["4"],
    ]
    assert figures("R290 and H2O", Language.EN) == ()


def test_units_must_agree_where_both_are_written() -> None:
    [hours], [days], [bare] = (figures(t, Language.EN) for t in ("3 hours", "3 days", "3"))
    assert FigureCounts([bare]).has(hours)
    assert FigureCounts([hours]).has(bare)
    assert FigureCounts([days, hours]).has(hours)
    assert not FigureCounts([days]).has(hours)
    assert not FigureCounts([days, bare]).has(hours)
    assert not FigureCounts().has(hours)


@given(st.lists(st.sampled_from(["1.500", "1500", "1.5", "1,500 kg", "1.5 kg", "1500 m", "7", "-7"]), max_size=12))
def test_counted_figures_are_those_that_a_look_at_each_finds(written: list[str]) -> None:
    some = [figure for text in written for figure in figures(text, Language.EN)]
    counts = FigureCounts(some)
    for text in ("1.500", "1500", "1.5 kg", "7 m", "-7", "9"):
        (figure,) = figures(text, Language.EN)
        alike = [other for other in some if figure.values & other.values]
        units = {other.unit for other in alike}
        assert counts.times(figure) == len(alike)
        assert counts.has(figure) == (bool(alike) and (not figure.unit or figure.unit in units or units == {""}))


@given(st.integers(0, 10**12), st.sampled_from([",", ".", " ", "\u00a0", "\u202f", "'"]))
def test_grouping_does_not_change_a_number(value: int, separator: str) -> None:
    grouped = f"{value:,}".replace(",", separator)
    [figure] = figures(f"about {grouped} in all", Language.EN)
    assert str(value) in figure.values


@given(st.text(max_size=60), st.sampled_from(Language))
def test_any_text_has_readable_figures(text: str, language: Language) -> None:
    assert all(figure.values for figure in figures(text, language))


def test_names_are_capitals_within_a_sentence_and_codes_anywhere() -> None:
    def found(text: str, language: Language) -> list[str]:
        return [t.text for t in names(text, ANALYSIS.tokens(text, language), language)]

    assert found("The Daikin unit uses R290 and meets EN standards. Heat moves.", Language.EN) == [
        "Daikin",
        "R290",
        "EN",
    ]
    assert found("Die Wärmepumpe heizt das Haus mit COP 3.", Language.DE) == ["COP"]
    assert fold_name("Zürich’s") == "zurich"

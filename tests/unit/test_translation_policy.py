"""What a translation may change of a text, and what it may not."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.articles.translation import (
    TARGET_LANGUAGES,
    credits_for,
    difference,
    fault,
    plain_segment,
    restore,
    split,
)

EN, FR, ZH, AR = Language.EN, Language.FR, Language.ZH, Language.AR

ARTICLE = """\
# Heat pumps in *older* houses

A heat pump moves **1,500 kWh** of heat [1], says [the guide](https://kb.example.org/guide "Guide (2024)"). It costs
less than gas in a mild winter [2][3].

> Insulation comes first \\[sic\\],
> the heat pump second.

- Night tariffs make it cheaper: `tariff --night`
  and quieter [4].
1. ![A pump](https://img.example.org/a_b.png) stands outside.
   - [ ] Ask <https://help.example.org> or me@example.org

| Model | Power |
|:------|------:|
| R290 unit | 3.5 kW [5] |
| with \\| pipe | 12 kW |

```python
print("Heat pump [9]")  # 42
```

    indented = "code"

<div class="note">

Note &amp; <b>advice</b>.

</div>

***

First line  
second line\\
third line.

Title below
===========

[ref]: https://example.org "Reference"
"""  # noqa: W291 - a hard break is two spaces


def shouted(text: str) -> str:
    """A translation into capitals, which leaves places, figures and codes alone."""
    return text.upper()


def test_an_article_is_cut_into_its_texts() -> None:
    shown = [segment.shown for segment in split(ARTICLE).segments]
    assert shown[0] == "Heat pumps in ⟦1⟧older⟦2⟧ houses"
    assert shown[1] == (
        "A heat pump moves ⟦1⟧1,500 kWh⟦2⟧ of heat ⟦3⟧, says ⟦4⟧the guide⟦5⟧. It costs less than gas in a mild "
        "winter ⟦6⟧⟦7⟧."
    )
    assert shown[2] == "Insulation comes first ⟦1⟧sic⟦2⟧, the heat pump second."
    assert shown[3] == "Night tariffs make it cheaper: ⟦1⟧ and quieter ⟦2⟧."
    assert not any("print" in text or "indented" in text or "http" in text or "div" in text for text in shown)


def test_what_comes_back_unchanged_is_the_original() -> None:
    cut = split(ARTICLE)
    assert cut.joined([segment.shown for segment in cut.segments]) == ARTICLE


def test_a_translation_changes_the_words_and_nothing_else() -> None:
    cut = split(ARTICLE)
    translated = [shouted(segment.shown) for segment in cut.segments]
    assert [fault(s, t, EN, FR) for s, t in zip(cut.segments, translated, strict=True)] == [None] * len(cut.segments)
    joined = cut.joined(translated)
    assert difference(ARTICLE, joined, EN, FR) is None
    for kept in (
        '](https://kb.example.org/guide "Guide (2024)")', 'print("Heat pump [9]")  # 42', '    indented = "code"',
        "|:------|------:|", "`tariff --night`", "![A PUMP](https://img.example.org/a_b.png)", "\\| PIPE",
        "me@example.org",
        "[ref]: https://example.org", "<b>ADVICE</b>", "   - [ ] ASK <https://help.example.org>",
        "FIRST LINE  \nSECOND",
    ):  # fmt: skip
        assert kept in joined


BLOCKS = st.sampled_from(
    [
        "Plain words here [1].", "# A heading", "## Another one ##", "- item\n- item two", "> quoted\n> words",
        "```\ncode here\n```", "    code", "| a | b |\n|---|---|\n| c | d |", "---", "Text\n---", "1. one\n2. two",
        "<b>bold</b> text", "[link](https://x.example/a)", "![alt](b.png)", "`code` and **strong** words",
        "a\\*b \\[c\\]", "<!-- note -->", "one  \ntwo", "$$x^2$$ is math", "word ⟦1⟧ word", "~~~\nopen fence",
        "- [x] done\n\n  more of it", "mail me@example.org", "&amp; more", "a _b_ c", "[r]: https://x.example",
    ]
)  # fmt: skip
MARKDOWN = st.one_of(
    st.lists(BLOCKS, max_size=8).map("\n\n".join),
    st.lists(BLOCKS, max_size=6).map("\n".join),
    st.text(alphabet="ab1 \n\t#*_`[]()!<>|-+.>\\:~&;⟦⟧\r", max_size=80),
    st.text(max_size=80),
)


@given(MARKDOWN)
def test_any_text_is_whole_again_when_it_is_put_back(markdown: str) -> None:
    cut = split(markdown)
    assert cut.joined([segment.shown for segment in cut.segments]) == markdown
    assert [fault(segment, segment.shown, EN, FR) for segment in cut.segments] == [None] * len(cut.segments)
    assert difference(markdown, markdown, EN, FR) is None


@given(st.lists(BLOCKS, min_size=1, max_size=8).map("\n\n".join))
def test_any_article_of_known_blocks_survives_a_translation(markdown: str) -> None:
    cut = split(markdown)
    joined = cut.joined([shouted(segment.shown) for segment in cut.segments])
    assert difference(markdown, joined, EN, FR) is None


SENTENCE = (
    "A pump [1] of 3.5 kW, [see](https://x.example), runs `run` in **2024** [2], by *far* <b>the</b> ![a](b.png) best."
)


@given(st.data())
def test_whatever_protected_part_or_number_is_lost_or_doubled_is_noticed(data: st.DataObject) -> None:
    [segment] = split(SENTENCE).segments
    lost = data.draw(st.sampled_from([f"⟦{n}⟧" for n in range(1, len(segment.protected) + 1)] + ["3.5", "2024"]))
    replacement = data.draw(st.sampled_from(["", lost + lost if "⟦" in lost else "17", "⟦99⟧"]))
    assert fault(segment, segment.shown.replace(lost, replacement, 1), EN, FR)


@pytest.mark.parametrize(
    "lost",
    ["[1]", "[2]", "https://x.example", "`run`", "b.png", "3.5", "2024", "<b>", "**"],
)
def test_the_whole_is_read_once_more(lost: str) -> None:
    before = f"# Title\n\n{SENTENCE}\n"
    assert difference(before, before.replace(lost, "", 1), EN, FR)


@pytest.mark.parametrize(
    "after",
    ["# Title\n", "## Title\n\nText.\n", "# Title\n\nText.\n\nMore.\n", "# Title\n\n- Text.\n", "Title\n\nText.\n"],
)
def test_other_blocks_are_noticed(after: str) -> None:
    assert difference("# Title\n\nText.\n", after, EN, FR)


@pytest.mark.parametrize(
    "added",
    [
        "See https://evil.example/now.", "[click](https://evil.example)", "<script>x</script>", "<b>x</b>", "`rm -rf`",
        "![x](y)", "[7]", "www.evil.example", "**now**", "me@evil.example", "[evil]", "⟦1⟧", "&lt;b", "[", "1789 times",
    ],
)  # fmt: skip
def test_a_model_adds_nothing_of_its_own(added: str) -> None:
    [segment] = split("A heat pump is quiet.").segments
    assert fault(segment, f"Une pompe est silencieuse. {added}", EN, FR)
    assert fault(segment, "Une pompe est silencieuse.", EN, FR) is None


def test_a_cell_stays_one_cell() -> None:
    cut = split("| a | b |\n|---|---|\n| one | two |")
    assert fault(cut.segments[2], "un | deux", EN, FR)


@pytest.mark.parametrize("text", ["# x 1990", "- x 1990", "> x 1990", "1990. gadā", "+ x 1990", "= an 1990"])
def test_a_translation_makes_no_other_block_of_its_paragraph(text: str) -> None:
    original = "The year 1990 saw it begin.\n"
    cut = split(original)
    assert fault(cut.segments[0], text, EN, FR) is None
    assert difference(original, cut.joined([text]), EN, FR) is None
    assert "\\" in cut.joined([text])


def test_citations_keep_their_order_and_links_their_ends() -> None:
    [segment] = split("A [1]. B [2], [c](u) and [d](v).").segments
    assert segment.shown == "A ⟦1⟧. B ⟦2⟧, ⟦3⟧c⟦4⟧ and ⟦5⟧d⟦6⟧."
    assert fault(segment, "B ⟦2⟧. A ⟦1⟧, ⟦3⟧c⟦4⟧ et ⟦5⟧d⟦6⟧.", EN, FR)
    assert fault(segment, "A ⟦1⟧. B ⟦2⟧, ⟦4⟧c⟦3⟧ et ⟦5⟧d⟦6⟧.", EN, FR)
    assert fault(segment, "A ⟦1⟧. B ⟦2⟧, ⟦3⟧c⟦5⟧ et ⟦4⟧d⟦6⟧.", EN, FR)
    assert fault(segment, "A ⟦1⟧. B ⟦2⟧, ⟦5⟧d⟦6⟧ et ⟦3⟧c⟦4⟧.", EN, FR) is None


@pytest.mark.parametrize(
    ("original", "translation", "source", "target"),
    [
        ("It costs 1,500.50 euros.", "Cela coûte 1 500,50 euros.", EN, FR),
        ("It costs 1,500 euros.", "Es kostet 1.500 Euro.", EN, Language.DE),
        ("3.5 kW at 20%", "٣٫٥ كيلوواط عند ٢٠٪", EN, AR),
        ("About 1.5 million homes", "约150万户", EN, ZH),
        ("About 1.5 million homes", "Environ 1,5 million de foyers", EN, FR),
        ("On 5 March 2026", "2026年3月5日", EN, ZH),
        ("2026年3月5日", "On 5 March 2026", ZH, EN),
        ("In the 19th century", "Au XIXe siècle", EN, FR),
        ("Two pumps", "2 台のポンプ", EN, Language.JA),
        ("The R290 unit of 12 kW", "R290ユニット（12 kW）", EN, Language.JA),
        ("From 3–5 °C", "De 3 à 5 °C", EN, FR),
    ],
)
def test_numbers_are_those_of_the_original_as_each_language_writes_them(
    original: str, translation: str, source: Language, target: Language
) -> None:
    [segment] = split(original).segments
    assert fault(segment, translation, source, target) is None


@pytest.mark.parametrize(
    ("original", "translation"),
    [
        ("It costs 1,500 euros.", "Cela coûte 15 000 euros."),
        ("It needs 3.5 kW.", "Il faut 35 kW."),
        ("It costs 20 euros.", "Cela coûte vingt euros."),
        ("It is old.", "Elle a 85 ans."),
        ("The R290 unit", "L'appareil R32"),
        ("From 20 to 20 °C", "De 20 °C"),
    ],
)
def test_a_changed_number_is_noticed(original: str, translation: str) -> None:
    [segment] = split(original).segments
    assert fault(segment, translation, EN, FR)


def test_a_title_is_plain_text() -> None:
    title = plain_segment("C# *and* [F#]\nin 2024")
    assert title.shown == "C# *and* [F#] in 2024"
    assert fault(title, "C# *et* [F#] en 2024", EN, FR) is None
    assert restore(title, "C# *et* [F#] en 2024") == "C# *et* [F#] en 2024"
    assert fault(title, "Lisez https://evil.example en 2024", EN, FR)
    assert fault(title, "<b>C#</b> en 2024", EN, FR)
    assert fault(title, "", EN, FR)


def test_right_to_left_and_east_asian_texts_go_both_ways() -> None:
    for text in ("المضخة الحرارية تنقل الحرارة [1].", "热泵在冬天很安静[1]。", "ヒートポンプは静かです[1]。"):
        [segment] = split(f"- {text}").segments
        assert segment.protected[0].text == "[1]"
        translated = segment.shown.replace(segment.shown[:4], "Word ")
        assert fault(segment, translated, None, EN) is None
        assert split(f"- {text}").joined([translated]).startswith("- Word ")


@pytest.mark.parametrize(
    ("words", "credits"),
    [(0, 1), (1, 1), (500, 1), (501, 2), (1_000, 2), (1_001, 3), (7_000, 14), (7_001, 15), (7_500, 15), (90_000, 15)],
)
def test_a_credit_is_500_words_begun_and_15_at_most(words: int, credits: int) -> None:
    assert credits_for(words) == credits


def test_there_are_thirteen_languages_to_translate_into() -> None:
    assert [str(language) for language in TARGET_LANGUAGES] == [
        "en", "fr", "es", "de", "it", "pt", "nl", "pl", "ru", "ar", "zh", "ja", "ko",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "text", ["[" * 60_000, "`" * 60_000, "# " + " " * 60_000 + "x", "<!--" * 15_000, "a" * 60_000, ">" * 60_000,
             "*a _b " * 10_000, "[a](b" * 12_000, "  \n" * 20_000, "|" * 60_000, "热" * 60_000]
)  # fmt: skip
def test_no_text_takes_long_to_cut(text: str) -> None:
    begun = time.process_time()
    assert "".join(p if isinstance(p, str) else split(text).segments[p].raw for p in split(text).parts[:3])
    assert split(text).joined([segment.shown for segment in split(text).segments]) == text
    assert time.process_time() - begun < 20

import re

from hypothesis import example, given
from hypothesis import strategies as st

from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.text.verbatim import Letters, Wording, copied_share, find_verbatim
from contentgen_core.testing.builders import passage

ANALYSIS = IcuTextAnalysis()
BETWEEN = "[\\s“”„«»「」『』\"'‘’‚]+"
DASH = "[-‐‑–—]"
LETTERS = "abé_1.?-–“”'\u202f \n中"


def by_pattern(text: str, source: str) -> tuple[int, int] | None:
    """What the rule says as one regular expression."""
    words = re.split(BETWEEN, text)
    words = re.split(BETWEEN, re.sub(rf"^{BETWEEN}|{BETWEEN}$", "", " ".join(words)).rstrip(".!?…。！？"))
    words = [word for word in words if word]
    loosened = (DASH.join(map(re.escape, re.split(DASH, word))) for word in words)
    match = re.search(rf"(?<!\w){BETWEEN.join(loosened)}(?!\w)", source) if words else None
    return match.span() if match else None


@given(st.text(alphabet=LETTERS, max_size=6), st.text(alphabet=LETTERS, max_size=30))
@example("b - a", "ab - a, b–a, «b» — a")
@example("a a", "a aa a  a")
def test_a_text_is_found_where_a_pattern_of_its_words_finds_it(text: str, source: str) -> None:
    found = find_verbatim(text, source)
    assert (found and (found.start, found.end)) == by_pattern(text, source)


@given(st.text(alphabet=LETTERS, max_size=30), st.data())
def test_a_stretch_of_whole_words_is_found_in_its_text(source: str, data: st.DataObject) -> None:
    words = [match.span() for match in re.finditer(r"\w+", source)]
    if not words:
        assert Wording.of(source).find("a") is None
        return
    first = data.draw(st.integers(0, len(words) - 1))
    last = data.draw(st.integers(first, len(words) - 1))
    stretch = source[words[first][0] : words[last][1]]
    found = Wording.of(source).find(stretch)
    assert found is not None
    assert found.start <= words[first][0]
    assert re.sub(f"{BETWEEN}|{DASH}", "-", found.of(source)) == re.sub(f"{BETWEEN}|{DASH}", "-", stretch)


@given(
    st.lists(st.text(alphabet="ab ", max_size=20), max_size=3),
    st.lists(st.text(alphabet="ab ", max_size=20), max_size=3),
    st.integers(1, 4),
)
def test_the_share_copied_is_that_of_runs_which_a_passage_has(ours: list[str], theirs: list[str], length: int) -> None:
    def runs(text: str) -> list[str]:
        words = text.split()
        return [" ".join(words[i : i + length]) for i in range(len(words) - length + 1)]

    known = {run for text in theirs for run in runs(text)}
    made = [run for text in ours for run in runs(text)]
    passages = [passage(text=text or "-") for text in theirs]
    share = copied_share(ours, passages, Letters(ANALYSIS, Language.EN), length)
    assert share == (sum(run in known for run in made) / len(made) if made else 0.0)

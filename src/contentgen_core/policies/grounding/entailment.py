"""Use an entailment model in the grounding check: which sentences the rules leave open, what to ask the model about
them, and how its answers change their receipts. Pure; a use case calls the model. Rules decide alone on figures, dates,
names and quotations that the passages lack, and on what stands in a passage word for word. Every other sentence with a
citation is open."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Final

from attrs import evolve, frozen

from contentgen_core.model.drafting import DraftSentence
from contentgen_core.model.entailment import MAX_HYPOTHESIS, MAX_PREMISE, Judgement, Pair
from contentgen_core.model.grounding import LEXICAL, SentenceReceipt, Support, Verdict
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.grounding.evidence import Window
from contentgen_core.policies.grounding.verifier import Receipts, Verifier

# A sentence follows from a probability of entailment of this much.
ENTAILED_FROM: Final = 0.5
# The near premise has this many sentences on either side of the window that the rules found.
AROUND: Final = 2
# So many pairs a question at most: the near premise and the wide one.
PREMISES: Final = 2
# So many of a sentence's passages are shown: with more, too little of each would fit.
MAX_PASSAGES: Final = 8
# The title and heading before each passage, which say what "it" is, at most.
MAX_HEAD: Final = 160


@frozen
class Question:
    """An open sentence: its receipt by rules, the span that supports it, and the pairs for the model. `pairs`: the
    sentence against the windows that the rules found with some sentences around them (models judge these best), and
    against as much of the passages as fits, where the surroundings matter. One pair where both are the same."""

    sentence: DraftSentence
    receipt: SentenceReceipt
    support: Support
    pairs: tuple[Pair, ...]


def open_questions(verifier: Verifier, receipts: Receipts, language: Language) -> list[Question]:
    """Return a question for each sentence that rules leave open and no model has judged yet, in order. `verifier`: the
    one that made the receipts. `receipts`: the receipts so far."""
    asked = (_question(verifier, sentence, found, language) for sentence, found in receipts.items())
    return [question for question in asked if question is not None]


def decide_each(
    questions: Sequence[Question], judgements: Sequence[Judgement], model: str
) -> dict[DraftSentence, SentenceReceipt]:
    """Return the receipts of the questions' sentences. Raises ValueError when there are more or fewer judgements than
    pairs. `judgements`: one for each pair of the questions, in order. `model`: the name of the model that made them."""
    if len(judgements) != sum(len(question.pairs) for question in questions):
        raise ValueError(f"{len(judgements)} judgements do not answer {len(questions)} questions")
    answers = iter(judgements)
    return {q.sentence: decide(q, list(islice(answers, len(q.pairs))), model) for q in questions}


def decide(question: Question, judgements: Sequence[Judgement], model: str) -> SentenceReceipt:
    """Return the receipt that the judgements on the question's pairs give. The sentence is supported when the best
    premise entails it, none contradicts it as much or more, and no fact is missing. The score is then the probability
    of entailment, at least ENTAILED_FROM; otherwise at most that. The number of citations needed is that of the rules,
    one at least."""
    entailment = max(judgement.entailment for judgement in judgements)
    contradiction = max(judgement.contradiction for judgement in judgements)
    found = question.receipt
    holds = entailment >= ENTAILED_FROM and contradiction < entailment and not found.missing_facts
    score = entailment if holds else min(entailment, 1.0 - contradiction, ENTAILED_FROM)
    return evolve(
        found,
        verdict=Verdict.SUPPORTED if holds else Verdict.UNSUPPORTED,
        support=evolve(question.support, score=round(score, 4)),
        citations_needed=max(1, found.citations_needed) if holds else 0,
        verifier=model,
    )


def _question(
    verifier: Verifier, sentence: DraftSentence, found: SentenceReceipt, language: Language
) -> Question | None:
    if found.verifier != LEXICAL or found.missing_facts or len(sentence.text) > MAX_HYPOTHESIS:
        return None
    windows = verifier.open_windows(sentence, language)
    if not windows:
        return None
    support = found.support or _support(windows[0])
    shown = sorted(windows, key=lambda window: window.source.passage.ref != support.source)[:MAX_PASSAGES]
    premises = dict.fromkeys((_premise(shown, AROUND), _premise(shown, None)))
    return Question(sentence, found, support, tuple(Pair(premise, sentence.text) for premise in premises))


def _support(window: Window) -> Support:
    passage = window.source.passage
    return Support(passage.ref, passage.content_hash, window.start, window.end, 0.0)


def _premise(windows: Sequence[Window], around: int | None) -> str:
    """Return the text of the passages around these windows; each gets the same number of characters."""
    room = MAX_PREMISE // len(windows) - 2
    return "\n\n".join(_excerpt(window, around, room) for window in windows)


def _excerpt(window: Window, around: int | None, room: int) -> str:
    """The window under its title and heading, with at most `around` more sentences on either side (None: with all that
    fit) in `room` characters. What comes after the window is tried first."""
    passage = window.source.passage
    named = dict.fromkeys(part for part in (passage.document.title.strip(), passage.heading.strip()) if part)
    head = " › ".join(named)[: min(MAX_HEAD, room // 2)]
    spans = [sentence.span for sentence in window.source.sentences]
    first, last = (spans.index(window.sentences[i].span) for i in (0, -1))
    left = room - len(head) - 1
    for _ in range(len(spans) if around is None else around):
        if last + 1 < len(spans) and spans[last + 1].end - spans[first].start <= left:
            last += 1
        if first > 0 and spans[last].end - spans[first - 1].start <= left:
            first -= 1
    text = passage.text[spans[first].start : spans[last].end][:left]
    return f"{head}\n{text}" if head else text

"""Whether what an article says is still what its sources say."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from enum import StrEnum

from attrs import evolve, field, frozen

from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.ids import ArticleId, ConflictId


class SentenceState(StrEnum):
    """The state of a sentence after its source changed. reworded: the source's text changed and still supports the
    sentence; changed: it changed and no longer supports it; gone: the document no longer has such a text, or does not
    exist; contradicted: the source still supports it, but the other side of a conflict is stronger."""

    REWORDED = "reworded"
    CHANGED = "changed"
    GONE = "gone"
    CONTRADICTED = "contradicted"


class FreshnessLevel(StrEnum):
    """stale: at least one sentence is changed, gone or contradicted; reworded: at least one rests on other words, and
    all hold; unknown: the article has no receipt."""

    FRESH = "fresh"
    REWORDED = "reworded"
    STALE = "stale"
    UNKNOWN = "unknown"


class Proposer(StrEnum):
    """The author of a proposed sentence. rules: the words that changed in the source, changed in the sentence; model:
    the writer."""

    RULES = "rules"
    MODEL = "model"


@frozen
class Contradiction:
    """The conflict in which a sentence rests on the weaker side. `decided`: whether a person decided so, or only the
    dates and the number of independent documents say so. `title`, `url`, `published`: of the document that says
    otherwise."""

    conflict_id: ConflictId
    decided: bool
    title: str
    url: str | None = None
    published: date | None = None


@frozen
class StaleSentence:
    """A sentence whose source reads otherwise now, or is contradicted. `position`: in the receipt, from 0. `number`: of
    its source in the article's list. `was`, `now`: the words that it rested on ("": so long ago that nobody knows them
    any more), and those that stand there now (None: nothing of it); of a contradicted one those of both sides.
    `source`: the passage that has `now`. `changed_at`: when the source changed, or the conflict was found or decided,
    where that is known. `proposal`: what to write instead, "" to leave the sentence out; None where a person has to
    decide. `proposed_by`: who made it. `contradiction`: of a contradicted one."""

    position: int
    text: str
    state: SentenceState
    number: int
    was: str
    now: str | None = None
    source: SourceRef | None = None
    changed_at: datetime | None = None
    proposal: str | None = None
    proposed_by: Proposer = Proposer.RULES
    contradiction: Contradiction | None = None

    @property
    def undecided(self) -> bool:
        """Whether a person has to decide a conflict first, so that nothing changes the sentence automatically."""
        return self.contradiction is not None and not self.contradiction.decided


@frozen
class DatedSentence:
    """A sentence that refers to the time of writing, and so becomes outdated without a change of sources. `words`: the
    words of time (`this year`)."""

    position: int
    text: str
    words: str


@frozen
class Freshness:
    """The comparison of an article with its sources as they are now. `sentences`: how many the receipt has. `stale`:
    those whose sources read otherwise, in the order of the text; `dated`: those that age by themselves."""

    article_id: ArticleId
    checked_at: datetime
    sentences: int
    stale: tuple[StaleSentence, ...] = ()
    dated: tuple[DatedSentence, ...] = ()
    has_receipt: bool = True
    level: FreshnessLevel = field(init=False)

    @level.default
    def _level(self) -> FreshnessLevel:
        states = {sentence.state for sentence in self.stale}
        if not self.has_receipt:
            return FreshnessLevel.UNKNOWN
        if states - {SentenceState.REWORDED}:
            return FreshnessLevel.STALE
        return FreshnessLevel.REWORDED if states else FreshnessLevel.FRESH


def same_changes(some: Sequence[StaleSentence], others: Sequence[StaleSentence]) -> bool:
    """Whether the same sentences read otherwise in the same way, whatever is proposed for them."""
    return [_unproposed(change) for change in some] == [_unproposed(change) for change in others]


def _unproposed(change: StaleSentence) -> StaleSentence:
    return evolve(change, proposal=None, proposed_by=Proposer.RULES)

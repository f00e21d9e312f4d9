"""Updates of articles whose sources changed, and the policies by which they are looked for."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Final

from attrs import frozen

from contentgen_core.model.article import ArticleSource, Usage
from contentgen_core.model.freshness import Proposer, StaleSentence
from contentgen_core.model.ids import (
    ArticleId,
    ArticleUpdateId,
    JobId,
    NicheId,
    PublicationId,
    RefreshPolicyId,
    TenantId,
    UserId,
)
from contentgen_core.model.vocabulary import Language

MAX_REFRESH_HOURS: Final = 720
MOST_LEFT_OUT: Final = 0.25
"""The share of an article's sentences that no update leaves out without a person."""


class UpdateState(StrEnum):
    """The state of an update. translating: the proposal for a translation is being translated; proposed: waits for a
    person; applied: the article has the new text; rejected: a person declined it; outdated: the article or its sources
    changed again before the decision; skipped: a translation could not follow its original."""

    TRANSLATING = "translating"
    PROPOSED = "proposed"
    APPLIED = "applied"
    REJECTED = "rejected"
    OUTDATED = "outdated"
    SKIPPED = "skipped"


OPEN: Final = frozenset({UpdateState.TRANSLATING, UpdateState.PROPOSED})
"""What is not decided yet."""


@frozen
class OriginalSentence:
    """A sentence of an original that a patch changed. `position`: among all its sentences, from 0, before that;
    `text`, `new`: as it was and as it is ("": left out), without citations; `source`: what it cites now; `verbatim`,
    `quotation`: see `Patch`; `summarised`: it stood in the excerpt or the meta description, too."""

    position: int
    text: str
    new: str
    source: ArticleSource | None = None
    verbatim: bool = False
    quotation: bool = False
    summarised: bool = False


@frozen
class FollowedOriginal:
    """The change of an original that a translation follows. `article_id`, `language`: of the original; `target`: the
    language of the translation; `outline`: of the text that it was made from; `update_id`: of the original's update, if
    one was accepted. `applies`: whether the translation changes without another decision; `publish`: whether its posts
    follow then; `decided_by`: who accepted the original's change, None for a policy."""

    article_id: ArticleId
    language: Language
    target: Language
    outline: tuple[int, ...]
    sentences: tuple[OriginalSentence, ...]
    update_id: ArticleUpdateId | None = None
    applies: bool = False
    publish: bool = False
    decided_by: UserId | None = None

    def followed_by(self, change: StaleSentence) -> OriginalSentence | None:
        """The sentence that this change of the translation follows."""
        return next((s for s in self.sentences if (s.text, s.new) == (change.was, change.now or "")), None)


@frozen
class ArticleUpdate:
    """A proposed update of an article whose sources changed. `sentences`: how many the article had; `changes`: those
    whose sources changed, each with its proposal; `applied`: positions of those that were changed; `updating`: posts
    that got the new text; `decided_by`: the person who decided; `usage`: what the writer consumed for its proposals;
    None: it was not asked. `original`: of a translation that follows it, whose changes have its former and new
    sentences as `was` and `now`; `reason`: why it is skipped, or what a person has to check; `job_id`: of its
    translation."""

    id: ArticleUpdateId
    tenant_id: TenantId
    article_id: ArticleId
    niche_key: str
    title: str
    sentences: int
    changes: tuple[StaleSentence, ...]
    created_at: datetime
    state: UpdateState = UpdateState.PROPOSED
    applied: tuple[int, ...] = ()
    updating: tuple[PublicationId, ...] = ()
    decided_by: UserId | None = None
    decided_at: datetime | None = None
    usage: Usage | None = None
    original: FollowedOriginal | None = None
    reason: str | None = None
    job_id: JobId | None = None
    revision: int = 1

    @property
    def automatic(self) -> bool:
        """Whether a policy decided it."""
        return self.state is UpdateState.APPLIED and self.decided_by is None

    @property
    def proposed(self) -> tuple[StaleSentence, ...]:
        """The changes that can be applied without new words by a person."""
        return tuple(change for change in self.changes if change.proposal is not None)

    @property
    def checked(self) -> tuple[StaleSentence, ...]:
        """The changes that code alone verified: all proposed ones except sentences that a model would leave out, and
        those that an undecided conflict contradicts."""
        certain = (change for change in self.proposed if not change.undecided)
        return tuple(change for change in certain if change.proposal or change.proposed_by is Proposer.RULES)

    @property
    def leaves_out_little(self) -> bool:
        """Whether the checked changes leave out at most the share MOST_LEFT_OUT of the sentences."""
        left_out = sum(change.proposal == "" for change in self.checked)
        return left_out <= MOST_LEFT_OUT * self.sentences


class RefreshMode(StrEnum):
    """The mode of a refresh policy. review: updates are proposed, and a person decides; auto: verified changes are
    applied."""

    REVIEW = "review"
    AUTO = "auto"


@frozen
class RefreshReport:
    """The result of checking a niche's articles. `examined`: articles that cite a changed source; `proposed`: updates
    that wait for a person; `applied`: updates that the policy applied; `failed`: articles that could not be compared or
    changed. `error`: why it ended early."""

    started_at: datetime
    finished_at: datetime
    examined: int = 0
    proposed: int = 0
    applied: int = 0
    failed: int = 0
    error: str | None = None


@frozen
class RefreshProgress:
    """The progress of checking a niche's articles, for the attempt after an interruption. `before`: the article that
    was checked last; the counts: see RefreshReport."""

    started_at: datetime
    before: ArticleId | None = None
    examined: int = 0
    proposed: int = 0
    applied: int = 0
    failed: int = 0


@frozen
class RefreshPolicy:
    """The policy by which the articles of a niche follow their sources. `publish`: whether published posts follow
    automatic updates. `next_at`: when the articles are checked next; `job_id`: of the check under way; `progress`: of
    that check."""

    id: RefreshPolicyId
    tenant_id: TenantId
    niche_id: NicheId
    niche_key: str
    created_at: datetime
    updated_at: datetime
    next_at: datetime
    mode: RefreshMode = RefreshMode.REVIEW
    publish: bool = False
    every_hours: int = 24
    job_id: JobId | None = None
    last: RefreshReport | None = None
    progress: RefreshProgress | None = None
    revision: int = 1

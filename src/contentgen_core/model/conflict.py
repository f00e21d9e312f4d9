"""Sentences of a knowledge base that contradict each other, and what a person decided of them."""

from __future__ import annotations

from datetime import date, datetime
from enum import StrEnum
from typing import Final

from attrs import evolve, frozen

from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.ids import ConflictId, ConflictSearchId, DocumentId, JobId, NicheId, TenantId, UserId
from contentgen_core.model.knowledge import Origin
from contentgen_core.model.text import Span

MAX_WITNESSES: Final = 50
"""Documents that are kept as saying the same as a side; more say nothing more."""


class ConflictKind(StrEnum):
    """The kind of difference: a figure with its unit, a date, a name, a negation, or a direction."""

    FIGURE = "figure"
    DATE = "date"
    NAME = "name"
    NEGATION = "negation"
    CONTRARY = "contrary"


class ConflictState(StrEnum):
    """open: waits for a person; decided: a person has decided; outdated: one of the sentences is no longer there."""

    OPEN = "open"
    DECIDED = "decided"
    OUTDATED = "outdated"


class SideName(StrEnum):
    """The two sides of a conflict."""

    ONE = "one"
    OTHER = "other"


class Decision(StrEnum):
    """prefer: one side is used, the other no longer; both: both hold, each where it applies; dismiss: it is no
    conflict."""

    PREFER = "prefer"
    BOTH = "both"
    DISMISS = "dismiss"


@frozen
class Witness:
    """A document that states the same as a side. `site`: the host of its address, or the document itself;
    `content_hash`: of the passage that states it. Documents of one site or one content are one witness."""

    document_id: DocumentId
    site: str
    content_hash: str


@frozen
class Side:
    """A sentence of a conflict. `span`: in its passage; `value`: what differs, in the sentence, empty where only the
    other has a word. `title` to `origin`: of its document. `site`, `content_hash`: as of a witness. `witnesses`:
    other documents that were found to say the same; those that a model made are none."""

    source: SourceRef
    span: Span
    sentence: str
    value: Span
    title: str
    url: str | None
    published: date | None
    known_at: datetime
    origin: Origin
    site: str
    content_hash: str
    witnesses: tuple[Witness, ...] = ()

    @property
    def independent(self) -> int:
        """The number of independent documents that state this, its own among them unless a model made it."""
        sites: set[str] = set()
        contents: set[str] = set()
        own = () if self.origin is Origin.AI else (self,)
        for said in (*own, *self.witnesses):
            if said.site not in sites and said.content_hash not in contents:
                sites.add(said.site)
                contents.add(said.content_hash)
        return len(sites)

    @property
    def dated(self) -> date:
        """The date of the statement: its document's date, else when that was added, fetched or last changed."""
        return self.published or self.known_at.date()

    @property
    def said_by(self) -> frozenset[str]:
        """The documents that say this, its own among them."""
        return frozenset({self.source.document_id, *(witness.document_id for witness in self.witnesses)})

    def seen_by(self, witness: Witness) -> Side:
        """Return the side with one more witness, up to MAX_WITNESSES."""
        known = {it.document_id for it in self.witnesses} | {self.source.document_id}
        if witness.document_id in known or len(self.witnesses) >= MAX_WITNESSES:
            return self
        return evolve(self, witnesses=(*self.witnesses, witness))


@frozen
class Conflict:
    """Two sentences of different documents that cannot both be true. `key`: the same for the same two sentences,
    however often they are found. `preferred`: with the decision to prefer one. `reweighed_at`: when what came to the
    knowledge base or left it last made another side the stronger one."""

    id: ConflictId
    tenant_id: TenantId
    search_id: ConflictSearchId
    niche_key: str
    key: str
    kind: ConflictKind
    one: Side
    other: Side
    found_at: datetime
    state: ConflictState = ConflictState.OPEN
    decision: Decision | None = None
    preferred: SideName | None = None
    decided_by: UserId | None = None
    decided_at: datetime | None = None
    outdated_at: datetime | None = None
    reweighed_at: datetime | None = None
    revision: int = 1

    @property
    def newer(self) -> SideName | None:
        """The side that was said later; None where both are of one day."""
        return _larger_side(self.one.dated.toordinal(), self.other.dated.toordinal())

    @property
    def more_independent(self) -> SideName | None:
        """The side that more independent documents say; None where as many say the other."""
        return _larger_side(self.one.independent, self.other.independent)

    @property
    def losing(self) -> Side | None:
        """The side that is no longer used, where a person preferred the other."""
        if self.state is not ConflictState.DECIDED or self.preferred is None:
            return None
        return self.other if self.preferred is SideName.ONE else self.one

    @property
    def weaker(self) -> Side | None:
        """The losing side; while the conflict is open the one that is not the stronger."""
        stronger = self.stronger_name
        return None if stronger is None else self.other if stronger is SideName.ONE else self.one

    @property
    def stronger(self) -> Side | None:
        stronger = self.stronger_name
        return None if stronger is None else self.one if stronger is SideName.ONE else self.other

    @property
    def stronger_name(self) -> SideName | None:
        """The side that a person preferred; while the conflict is open the newer one, and of two of one day the more
        independent one. None where neither is: what nobody but a model says casts no doubt on what others say."""
        if self.state is ConflictState.DECIDED:
            return self.preferred
        name = (self.newer or self.more_independent) if self.state is ConflictState.OPEN else None
        if name is None:
            return None
        stronger, weaker = (self.one, self.other) if name is SideName.ONE else (self.other, self.one)
        return None if stronger.independent == 0 < weaker.independent else name

    @property
    def weaker_since(self) -> datetime:
        """When it was found, decided or weighed again, whichever was last."""
        return max(at for at in (self.found_at, self.decided_at, self.reweighed_at) if at is not None)


def _larger_side(one: int, other: int) -> SideName | None:
    if one == other:
        return None
    return SideName.ONE if one > other else SideName.OTHER


@frozen
class ConflictReport:
    """The result of a search for conflicts. `documents`, `passages`: new or changed ones; `compared`: pairs of
    passages; `found`: new conflicts; `outdated`: those that ended; `waiting`: passages without a vector yet, which a
    later search compares. `error`: why it ended early."""

    started_at: datetime
    finished_at: datetime | None = None
    documents: int = 0
    passages: int = 0
    compared: int = 0
    found: int = 0
    outdated: int = 0
    waiting: int = 0
    error: str | None = None


@frozen
class ConflictSearch:
    """The search for conflicts in what a tenant sees of a niche. `job_id`: of the one under way; `last`: what it has
    done so far, or the last one did."""

    id: ConflictSearchId
    tenant_id: TenantId
    niche_id: NicheId
    niche_key: str
    created_at: datetime
    job_id: JobId | None = None
    last: ConflictReport | None = None
    revision: int = 1


@frozen
class ExaminedDocument:
    """A document as a search last saw it. `fingerprint`: of its title and text, "" while passages of it wait;
    `passages`: the fingerprints of those that were compared, by their chunk index."""

    search_id: ConflictSearchId
    document_id: DocumentId
    fingerprint: str
    passages: dict[int, str]

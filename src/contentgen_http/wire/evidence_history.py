"""What happened to an article, in its evidence file: versions, publications, and what former files said."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from contentgen_core.model.article_version import VersionCause
from contentgen_core.model.ids import UserId
from contentgen_core.model.publication import Finding, PostStatus, PublicationStatus
from contentgen_core.model.web_address import web_address_or_none
from contentgen_core.use_cases.articles import evidence as gathered
from contentgen_http.wire.base import Answer, optional, utc

Hash = Annotated[str, Meta(description="SHA-256 in hexadecimal digits.", pattern="^[0-9a-f]{64}$")]


class EvidencePerson(Answer, kw_only=True):
    """Who did it."""

    id: Annotated[str, Meta(description="Id of the user.")]
    name: Annotated[str | UnsetType, Meta(description="Absent for one who has left.")] = UNSET


class EvidencePublication(Answer, kw_only=True):
    """A post at a target, as it was last read back there."""

    provider: Annotated[str, Meta(description="The kind of target.")]
    integration: Annotated[str | UnsetType, Meta(description="Its name; absent once it is disconnected.")] = UNSET
    status: Annotated[PublicationStatus, Meta(description="What became of it.")]
    post_status: Annotated[PostStatus | UnsetType, Meta(description="The state of the post that was read back.")] = (
        UNSET
    )
    url: Annotated[str | UnsetType, Meta(description="Where people read it.")] = UNSET
    published_at: Annotated[datetime | UnsetType, Meta(description="When it was first public there (UTC).")] = UNSET
    checked_at: Annotated[datetime | UnsetType, Meta(description="When it was last read back (UTC).")] = UNSET
    finding: Annotated[
        Finding | UnsetType, Meta(description="Whether it was then as we had left it, or what had happened to it.")
    ] = UNSET
    post_hash: Annotated[str | UnsetType, Meta(description="Hash of what was sent.")] = UNSET
    fingerprint: Annotated[str | UnsetType, Meta(description="Hash of what the target gave back after that.")] = UNSET

    @classmethod
    def of(cls, evidence: gathered.ArticleEvidence) -> list[EvidencePublication]:
        return [
            cls.copy_from(
                one,
                integration=evidence.integrations.get(one.integration_id),
                url=web_address_or_none(one.url),
                post_hash=one.content_hash,
            )
            for one in evidence.publications
        ]


class EvidenceCorrection(Answer, kw_only=True):
    """What a file in a former form said of the same article, and this one does not."""

    by: Annotated[EvidencePerson, Meta(description="Whom it named.")]
    at: Annotated[datetime, Meta(description="When, last (UTC).")]
    sentences: Annotated[int, Meta(description="Of the present text, those that it named as reviewed by this person.")]
    reason: Annotated[str, Meta(description="Why this file does not say so.")] = (
        "Until then an approval of the article was noted as a review of each of its sentences. Nothing tells whether "
        "this person reviewed these, so that it is not claimed."
    )

    @classmethod
    def of(cls, evidence: gathered.ArticleEvidence) -> list[EvidenceCorrection]:
        return [
            cls.copy_from(o, by=EvidencePerson(id=o.by, name=optional(evidence.people.get(o.by))))
            for o in evidence.withdrawn
        ]


class EvidenceVersion(Answer, kw_only=True):
    """A version of the text."""

    number: Annotated[int, Meta(description="From 1, in their order.")]
    at: Annotated[datetime, Meta(description="When the text became this (UTC).")]
    cause: Annotated[VersionCause, Meta(description="What made it.")]
    by: Annotated[EvidencePerson | UnsetType, Meta(description="Who made it; absent when nobody did.")] = UNSET
    text_hash: Annotated[Hash, Meta(description="As text.textHash.")]
    approved_by: Annotated[EvidencePerson | UnsetType, Meta(description="Who approved it last.")] = UNSET
    approved_at: Annotated[datetime | UnsetType, Meta(description="When (UTC).")] = UNSET
    published_at: Annotated[datetime | UnsetType, Meta(description="When it first went out (UTC).")] = UNSET

    @classmethod
    def of(cls, evidence: gathered.ArticleEvidence) -> list[EvidenceVersion]:
        return [
            cls.copy_from(
                version, by=person_of(evidence, version.by), approved_by=person_of(evidence, version.approved_by)
            )
            for version in evidence.versions
        ]


def person_of(evidence: gathered.ArticleEvidence, user_id: UserId | None) -> EvidencePerson | UnsetType:
    """Return the person with the name that the team has; absent for nobody."""
    if not user_id:
        return UNSET
    return EvidencePerson(id=user_id, name=optional(evidence.people.get(user_id)))


def moment_of(at: datetime | None) -> datetime | UnsetType:
    """Return the moment in UTC; absent for None."""
    return UNSET if at is None else utc(at)

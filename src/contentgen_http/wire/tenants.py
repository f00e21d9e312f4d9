"""The tenant, its quotas and its keys on the wire."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from contentgen_core.model import tenant as model
from contentgen_core.model.ids import UserId
from contentgen_core.model.tenant import PlanName, Quota
from contentgen_core.policies.text.names import MAX_NAME
from contentgen_core.use_cases.keys.manage_keys import NewKey
from contentgen_core.use_cases.tenants.queries import QuotaState
from contentgen_core.use_cases.tenants.settings import TenantChanges
from contentgen_http.wire.base import NOT_BLANK, Answer, AnswerOf, Body, Id, Moment, kept, utc, utc_input


class Tenant(AnswerOf[model.Tenant], kw_only=True):
    """Your account."""

    id: Annotated[str, Meta(description="Opaque identifier.")]
    name: Annotated[str, Meta(description="Its name.", examples=["Demo"])]
    plan: Annotated[PlanName, Meta(description="Its plan.")]
    created_at: Annotated[datetime, Meta(description="When it was created (UTC).")]
    time_zone: Annotated[
        str | UnsetType,
        Meta(description="Time zone of article schedules that name none (IANA).", examples=["Europe/Paris"]),
    ] = UNSET


class TenantPatch(Body, kw_only=True):
    """What to change; what is absent stays."""

    name: Annotated[
        Annotated[str, Meta(min_length=1, max_length=MAX_NAME, pattern=NOT_BLANK)] | UnsetType,
        Meta(description="Its name.", examples=["Acme"]),
    ] = UNSET
    time_zone: Annotated[
        Annotated[str, Meta(min_length=1, max_length=100)] | UnsetType | None,
        Meta(
            description="Time zone (IANA) that article schedules get which are enabled without one; null clears it.",
            examples=["Europe/Paris"],
        ),
    ] = UNSET

    def to_changes(self) -> TenantChanges:
        return TenantChanges(kept(self.name), kept(self.time_zone))


class QuotaUse(AnswerOf[QuotaState], kw_only=True):
    """One allowance of your plan."""

    limit: Annotated[int | UnsetType, Meta(description="How much the plan includes; absent when unlimited.")] = UNSET
    used: Annotated[int, Meta(description="How much is used.")]
    resets_at: Annotated[datetime | UnsetType, Meta(description="When it starts anew (UTC), where it does.")] = UNSET


class Quotas(Answer, kw_only=True):
    """Every allowance of your plan with its use."""

    plan: Annotated[PlanName, Meta(description="Your plan.")]
    articles: Annotated[QuotaUse, Meta(description="Articles a month.")]
    agents: Annotated[QuotaUse, Meta(description="Agents of your own.")]
    coverage_checks: Annotated[QuotaUse, Meta(description="Coverage checks a day.")]
    enrichments: Annotated[QuotaUse, Meta(description="Enrichments a day.")]
    translation_credits: Annotated[QuotaUse, Meta(description="Translation credits a month.")]
    documents: Annotated[QuotaUse, Meta(description="Private documents.")]
    integrations: Annotated[QuotaUse, Meta(description="Integrations.")]
    team_members: Annotated[QuotaUse, Meta(description="People in the team, with those who are invited.")]

    @classmethod
    def of(cls, plan: PlanName, states: dict[Quota, QuotaState]) -> Quotas:
        use = {quota: QuotaUse.of(state) for quota, state in states.items()}
        return cls(
            plan=plan,
            articles=use[Quota.ARTICLES],
            agents=use[Quota.AGENTS],
            coverage_checks=use[Quota.COVERAGE_CHECKS],
            enrichments=use[Quota.ENRICHMENTS],
            translation_credits=use[Quota.TRANSLATION_CREDITS],
            documents=use[Quota.DOCUMENTS],
            integrations=use[Quota.INTEGRATIONS],
            team_members=use[Quota.TEAM_MEMBERS],
        )


class NewApiKey(Body, kw_only=True):
    """The key to make."""

    name: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=MAX_NAME,
            pattern=NOT_BLANK,
            description="What it is for.",
            examples=["Staging"],
        ),
    ]
    expires_at: Annotated[
        Moment | UnsetType, Meta(description="When it stops working, with a time zone; never when absent.")
    ] = UNSET

    user_id: Annotated[Id | UnsetType, Meta(description="Whose it will be; yours when absent.")] = UNSET

    def owner(self) -> UserId | None:
        return None if self.user_id is UNSET else UserId(self.user_id)

    def expiry(self) -> datetime | None:
        """Raises InvalidInput."""
        return None if self.expires_at is UNSET else utc_input("expiresAt", self.expires_at)


class CreatedApiKey(AnswerOf[NewKey], kw_only=True):
    """The only time the key itself is shown."""

    id: Annotated[str, Meta(description="Its identifier, for revoking it.")]
    name: Annotated[str, Meta(description="What it is for.")]
    key: Annotated[str, Meta(description="The key. It is not kept and cannot be shown again.")]
    expires_at: Annotated[datetime | UnsetType, Meta(description="When it stops working (UTC).")] = UNSET

    @classmethod
    def of(cls, new: NewKey) -> CreatedApiKey:
        return cls.copy_from(new.key, key=new.secret)


class ApiKey(AnswerOf[model.ApiKey], kw_only=True):
    """A key as it is kept."""

    id: Annotated[str, Meta(description="Its identifier.")]
    user_id: Annotated[str, Meta(description="Whose it is.")]
    name: Annotated[str, Meta(description="What it is for.")]
    hint: Annotated[str, Meta(description="The key's last four characters.", examples=["x7Qa"])]
    created_at: Annotated[datetime, Meta(description="When it was made (UTC).")]
    expires_at: Annotated[datetime | UnsetType, Meta(description="When it stops working (UTC).")] = UNSET
    revoked_at: Annotated[datetime | UnsetType, Meta(description="When it was revoked (UTC).")] = UNSET
    last_used_at: Annotated[datetime | UnsetType, Meta(description="When it was last used (UTC).")] = UNSET


class ApiKeyList(AnswerOf[list[model.ApiKey]], kw_only=True):
    """The account's keys."""

    keys: Annotated[list[ApiKey], Meta(description="The keys, newest first.")]
    total: Annotated[int, Meta(description="How many.")]

    @classmethod
    def of(cls, keys: list[model.ApiKey]) -> ApiKeyList:
        return cls(keys=[ApiKey.of(key) for key in keys], total=len(keys))


def _moment(moment: datetime | None) -> datetime | UnsetType:
    return UNSET if moment is None else utc(moment)

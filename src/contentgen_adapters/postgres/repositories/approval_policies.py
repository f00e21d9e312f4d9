"""Who may approve the articles of niches, and where that is demanded."""

# ruff: noqa: S608 - the SQL is put together from this module's own constants; values are always parameters

from __future__ import annotations

from contentgen_adapters.postgres.errors import findable
from contentgen_adapters.postgres.records import RECORD, Records
from contentgen_adapters.postgres.repository import repository
from contentgen_adapters.postgres.session import Session, require
from contentgen_core.model.approval import ApprovalPolicy
from contentgen_core.model.ids import ApprovalPolicyId, TenantId
from contentgen_core.ports.repositories.approval_policies import ApprovalPolicies


@repository(ApprovalPolicies)
class PostgresApprovalPolicies:
    def __init__(self, session: Session) -> None:
        self._session = session
        self._records = Records(session, "approval_policies", ApprovalPolicy, "approval policy")

    async def add(self, policy: ApprovalPolicy) -> None:
        columns = {"niche_id": policy.niche_id, "niche_key": policy.niche_key, "required": policy.rules.required}
        await self._records.add(policy, columns)

    async def of_niche(self, tenant_id: TenantId, niche_key: str) -> ApprovalPolicy | None:
        rows = await self._session.read(
            f"SELECT {RECORD} FROM approval_policies WHERE tenant_id = %s AND niche_key = %s",
            (findable(tenant_id), findable(niche_key)),
        )
        return next((self._records.read(row) for row in rows), None)

    async def save(self, policy: ApprovalPolicy) -> ApprovalPolicy:
        return await self._records.save(policy, {"required": policy.rules.required})

    async def delete(self, tenant_id: TenantId, policy_id: ApprovalPolicyId) -> None:
        deleted = await self._session.change(
            "DELETE FROM approval_policies WHERE id = %s AND tenant_id = %s",
            (findable(policy_id), findable(tenant_id)),
        )
        require(deleted, "approval policy", policy_id)

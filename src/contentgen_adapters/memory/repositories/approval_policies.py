"""Who may approve the articles of niches, and where that is demanded."""

from __future__ import annotations

from contentgen_adapters.memory.records import Records, existing
from contentgen_adapters.memory.repository import repository
from contentgen_adapters.memory.session import Session
from contentgen_core.errors import AlreadyExists
from contentgen_core.model.approval import ApprovalPolicy
from contentgen_core.model.ids import ApprovalPolicyId, TenantId
from contentgen_core.ports.repositories.approval_policies import ApprovalPolicies


@repository(ApprovalPolicies)
class MemoryApprovalPolicies:
    def __init__(self, session: Session) -> None:
        self._session = session
        self._records = Records(session, session.approval_policies, "approval policy")

    async def add(self, policy: ApprovalPolicy) -> None:
        await self._session.writing()
        existing(self._session.tenants, policy.tenant_id, "tenant")
        existing(self._session.niches, policy.niche_id, "niche")
        if await self.of_niche(policy.tenant_id, policy.niche_key) is not None:
            raise AlreadyExists("This niche has an approval policy already.")
        self._session.approval_policies.put(policy.id, policy)

    async def of_niche(self, tenant_id: TenantId, niche_key: str) -> ApprovalPolicy | None:
        return next((policy for policy in self._records.of(tenant_id) if policy.niche_key == niche_key), None)

    async def save(self, policy: ApprovalPolicy) -> ApprovalPolicy:
        return await self._records.save(policy)

    async def delete(self, tenant_id: TenantId, policy_id: ApprovalPolicyId) -> None:
        await self._session.writing()
        self._session.approval_policies.drop((await self._records.get(tenant_id, policy_id)).id)

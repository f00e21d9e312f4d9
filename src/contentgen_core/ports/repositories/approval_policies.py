"""Who may approve the articles of niches, and where that is demanded."""

from __future__ import annotations

from typing import Protocol

from contentgen_core.model.approval import ApprovalPolicy
from contentgen_core.model.ids import ApprovalPolicyId, TenantId


class ApprovalPolicies(Protocol):
    """One a niche of a tenant; it goes with the niche."""

    async def add(self, policy: ApprovalPolicy) -> None:
        """Raises AlreadyExists; NotFound for an unknown tenant or niche."""
        ...

    async def of_niche(self, tenant_id: TenantId, niche_key: str) -> ApprovalPolicy | None: ...

    async def save(self, policy: ApprovalPolicy) -> ApprovalPolicy:
        """Store a changed policy that was read at `policy.revision`; returns it with the next revision. Raises
        ConcurrentChange, NotFound."""
        ...

    async def delete(self, tenant_id: TenantId, policy_id: ApprovalPolicyId) -> None:
        """Raises NotFound."""
        ...

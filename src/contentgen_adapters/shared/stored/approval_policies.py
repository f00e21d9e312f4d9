"""Who has to approve the articles of a niche."""

from __future__ import annotations

from typing import Final

from contentgen_adapters.shared.aggregates import Aggregate, StoredWhole, Unique, stored, taken
from contentgen_core.model.approval import ApprovalPolicy
from contentgen_core.model.ids import ApprovalPolicyId, TenantId
from contentgen_core.ports.repositories.approval_policies import ApprovalPolicies

APPROVAL_POLICIES: Final = Aggregate(
    ApprovalPolicy,
    table="approval_policies",
    resource="approval policy",
    columns=lambda policy: {
        "niche_id": policy.niche_id,
        "niche_key": policy.niche_key,
        "required": policy.rules.required,
    },
    unique=(Unique("approval_policies_of_niche", ("niche_key",), taken("This niche has an approval policy already.")),),
    part_of={"niche_id": "niches"},
)


@stored(ApprovalPolicies, APPROVAL_POLICIES)
class StoredApprovalPolicies(StoredWhole[ApprovalPolicy, ApprovalPolicyId]):
    async def of_niche(self, tenant_id: TenantId, niche_key: str) -> ApprovalPolicy | None:
        return await self.records.find(tenant_id, niche_key=niche_key)

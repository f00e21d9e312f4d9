"""PATCH /niches/{id}/approval: who may approve the articles of a niche, and whether that is demanded."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attrs import evolve

from contentgen_core.concurrency import retry_overtaken
from contentgen_core.errors import FieldError, InvalidInput
from contentgen_core.model.approval import MAX_APPROVERS, ApprovalPolicy, ApprovalRules
from contentgen_core.model.article import Article
from contentgen_core.model.ids import ApprovalPolicyId, ArticleId, TenantId, UserId
from contentgen_core.model.niche import Niche
from contentgen_core.model.tenant import Caller, Role
from contentgen_core.policies.tenancy.access import require_role
from contentgen_core.ports.repositories.approval_policies import ApprovalPolicies
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.repositories.niches import Niches
from contentgen_core.ports.repositories.tenants import Users
from contentgen_core.ports.runtime import Clock, Ids
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork
from contentgen_core.use_cases.use_case import use_case


@use_case
class ManageApproval:
    unit_of_work: UnitOfWork
    clock: Clock
    ids: Ids

    async def get(self, caller: Caller, niche: str) -> ApprovalRules:
        """`niche`: its key or id. Raises NotFound."""
        async with self.unit_of_work() as tx:
            found = await tx[Niches].get(caller.tenant_id, niche)
            return await rules_of(tx, caller.tenant_id, found.niche_key)

    async def article_and_rules(self, caller: Caller, article_id: ArticleId) -> tuple[Article, ApprovalRules]:
        """An article without its plan, its sources and what was found of its sentences, which take most of the
        reading; with the rules of its niche. Raises NotFound."""
        async with self.unit_of_work() as tx:
            article = await tx[Articles].listed(caller.tenant_id, article_id)
            return article, await rules_of(tx, article.tenant_id, article.niche_key)

    async def of_article(self, article: Article) -> ApprovalRules:
        """Return the rules of the article's niche."""
        async with self.unit_of_work() as tx:
            return await rules_of(tx, article.tenant_id, article.niche_key)

    async def set(
        self,
        caller: Caller,
        niche: str,
        *,
        required: bool | None = None,
        roles: Sequence[Role] | None = None,
        user_ids: Sequence[UserId] | None = None,
    ) -> ApprovalRules:
        """The niche's rules from now on; what is None stays as it is. Raises InvalidInput for rules by which nobody
        could approve, NotPermitted, NotFound (also for a user), ConcurrentChange."""
        require_role(caller, Role.ADMIN)
        if user_ids is not None and len(user_ids) > MAX_APPROVERS:
            raise InvalidInput(FieldError("userIds", f"at most {MAX_APPROVERS}"))

        def changed(rules: ApprovalRules) -> ApprovalRules:
            rules = evolve(
                rules,
                required=rules.required if required is None else required,
                roles=rules.roles if roles is None else tuple(dict.fromkeys(roles)),
                user_ids=rules.user_ids if user_ids is None else tuple(dict.fromkeys(user_ids)),
            )
            if not rules.roles and not rules.user_ids:
                raise InvalidInput(FieldError("roles", "name a role or a user: somebody has to approve"))
            return rules

        async def transaction() -> ApprovalRules:
            async with self.unit_of_work() as tx:
                for user_id in user_ids or ():
                    await tx[Users].get(caller.tenant_id, user_id)
                return await self._set(tx, caller, await tx[Niches].get(caller.tenant_id, niche), changed)

        return await retry_overtaken(transaction)

    async def _set(
        self, tx: Transaction, caller: Caller, niche: Niche, changed: Callable[[ApprovalRules], ApprovalRules]
    ) -> ApprovalRules:
        now = self.clock.now()
        policy = await tx[ApprovalPolicies].of_niche(caller.tenant_id, niche.niche_key)
        if policy is not None:
            policy = evolve(policy, rules=changed(policy.rules), updated_at=now)
            return (await tx[ApprovalPolicies].save(policy)).rules
        id, rules = ApprovalPolicyId(self.ids.new()), changed(ApprovalRules())
        policy = ApprovalPolicy(id, caller.tenant_id, niche.id, niche.niche_key, now, now, rules)
        await tx[ApprovalPolicies].add(policy)
        return rules

    async def delete(self, caller: Caller, niche: str) -> None:
        """Delete a niche's policy; decisions on articles stay. Does nothing for a niche without a policy. Raises
        NotPermitted, NotFound."""
        require_role(caller, Role.ADMIN)
        async with self.unit_of_work() as tx:
            found = await tx[Niches].get(caller.tenant_id, niche)
            policy = await tx[ApprovalPolicies].of_niche(caller.tenant_id, found.niche_key)
            if policy is not None:
                await tx[ApprovalPolicies].delete(caller.tenant_id, policy.id)


async def rules_of(tx: Transaction, tenant_id: TenantId, niche_key: str) -> ApprovalRules:
    """Return the rules of a niche."""
    policy = await tx[ApprovalPolicies].of_niche(tenant_id, niche_key)
    return ApprovalRules() if policy is None else policy.rules


async def require_editor_or_approver(tx: Transaction, caller: Caller, niche_key: str) -> None:
    """Require an editor, or a member who may approve in the niche. Raises NotPermitted."""
    if not (await rules_of(tx, caller.tenant_id, niche_key)).may_approve(caller):
        require_role(caller, Role.EDITOR)

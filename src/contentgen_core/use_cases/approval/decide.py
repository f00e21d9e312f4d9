"""POST /articles/{id}/submit, /approve and /send-back: what people say of an article's text."""

from __future__ import annotations

from attrs import evolve

from contentgen_core.errors import ConcurrentChange, Conflict, FieldError, InvalidInput, NotPermitted
from contentgen_core.model.approval import MAX_REASON, Approval, ApprovalRules, ApprovalState
from contentgen_core.model.article import Article, ArticleStatus
from contentgen_core.model.ids import ArticleId
from contentgen_core.model.tenant import Caller, Role
from contentgen_core.policies.tenancy.access import require_role
from contentgen_core.policies.text.storable import NUL, NUL_FAULT
from contentgen_core.ports.runtime import Clock
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork
from contentgen_core.use_cases.approval.policies import rules_of
from contentgen_core.use_cases.approval.reviewed import mark_reviewed
from contentgen_core.use_cases.article_sentences import ArticleSentences
from contentgen_core.use_cases.use_case import use_case
from contentgen_core.use_cases.versions.keep import note_approval
from contentgen_core.use_cases.webhooks.events import record_approval_event


class NothingToApprove(Conflict):
    """The article has no text that could be approved, or another one than the approver has seen."""

    code = "nothing_to_approve"


@use_case
class DecideApproval:
    unit_of_work: UnitOfWork
    sentences: ArticleSentences
    clock: Clock

    async def submit(self, caller: Caller, article_id: ArticleId) -> Article:
        """Ask the approvers. A text that is approved stays so. Raises NotPermitted, NotFound, NothingToApprove,
        ConcurrentChange."""
        require_role(caller, Role.EDITOR)
        async with self.unit_of_work() as tx:
            article = await _written(tx, caller, article_id)
            if article.approval_state is ApprovalState.APPROVED:
                return article
            return await self._said(tx, caller, article, ApprovalState.IN_REVIEW)

    async def approve(self, caller: Caller, article_id: ArticleId, text_hash: str | None = None) -> Article:
        """Approve the present text: the approver has reviewed all of its sentences. `text_hash`: of the text that the
        approver has seen. Raises NotPermitted, NotFound, NothingToApprove where the text is another one,
        ConcurrentChange."""
        async with self.unit_of_work() as tx:
            seen = await self._by_an_approver(tx, caller, article_id)
        sentences = await self.sentences(seen)
        async with self.unit_of_work() as tx:
            article = await self._by_an_approver(tx, caller, article_id)
            if article.content != seen.content:
                raise ConcurrentChange.of("article")
            if text_hash not in (None, article.text_hash):
                raise NothingToApprove("The text was changed since you read it. Read it again, then approve it.")
            await mark_reviewed(tx, caller, article_id, sentences, sentences, self.clock.now())
            await note_approval(tx, article, caller.user_id, self.clock.now())
            return await self._said(tx, caller, article, ApprovalState.APPROVED, article.text_hash)

    async def send_back(self, caller: Caller, article_id: ArticleId, reason: str) -> Article:
        """Ask for changes; an approval is taken back. Raises InvalidInput, NotPermitted, NotFound, NothingToApprove,
        ConcurrentChange."""
        fault = _fault_of(reason)
        if fault is not None:
            raise InvalidInput(FieldError("reason", fault))
        async with self.unit_of_work() as tx:
            article = await self._by_an_approver(tx, caller, article_id)
            return await self._said(tx, caller, article, ApprovalState.CHANGES_REQUESTED, reason=reason.strip())

    async def _by_an_approver(self, tx: Transaction, caller: Caller, article_id: ArticleId) -> Article:
        article = await tx.articles.get(caller.tenant_id, article_id)
        rules = await rules_of(tx, caller.tenant_id, article.niche_key)
        if not rules.may_approve(caller):
            raise NotPermitted(
                f"In this niche, approving is for {_approvers(rules)}; your key's user is {caller.role}."
            )
        _check_written(article)
        return article

    async def _said(
        self,
        tx: Transaction,
        caller: Caller,
        article: Article,
        state: ApprovalState,
        text_hash: str | None = None,
        reason: str | None = None,
    ) -> Article:
        said = Approval(state, self.clock.now(), caller.user_id, text_hash, reason)
        saved = await tx.articles.save(evolve(article, approval=said))
        await record_approval_event(tx, saved, said.at)
        return saved


async def _written(tx: Transaction, caller: Caller, article_id: ArticleId) -> Article:
    article = await tx.articles.get(caller.tenant_id, article_id)
    _check_written(article)
    return article


def _check_written(article: Article) -> None:
    """Raises NothingToApprove."""
    if article.status is ArticleStatus.GENERATING or not article.content.strip():
        raise NothingToApprove("The article has no text yet that could be approved.")


def _approvers(rules: ApprovalRules) -> str:
    roles = [f"the role {role} or higher" for role in rules.roles]
    users = [f"{len(rules.user_ids)} users by name"] if rules.user_ids else []
    return " and ".join([*roles, *users])


def _fault_of(reason: str) -> str | None:
    if not reason.strip() or len(reason) > MAX_REASON:
        return f"1 to {MAX_REASON} characters"
    return NUL_FAULT if NUL in reason else None

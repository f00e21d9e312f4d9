"""POST /articles/{id}/submit, /approve and /send-back: what people say of an article's text."""

from __future__ import annotations

from attrs import evolve

from contentgen_core.errors import Conflict, FieldError, InvalidInput, NotFound, NotPermitted
from contentgen_core.model.approval import MAX_REASON, Approval, ApprovalRules, ApprovalState, PostDetails
from contentgen_core.model.article import Article, ArticleStatus
from contentgen_core.model.ids import ArticleId
from contentgen_core.model.publishing_target import ProviderInfo
from contentgen_core.model.tenant import Caller, Role
from contentgen_core.policies.articles.own_words import has_words
from contentgen_core.policies.articles.publishing import check_details
from contentgen_core.policies.tenancy.access import require_role
from contentgen_core.policies.text.storable import NUL, NUL_FAULT
from contentgen_core.ports.publishing import PublishingTargets
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.runtime import Clock
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork
from contentgen_core.use_cases.ai_marks import mark_of
from contentgen_core.use_cases.approval.policies import rules_of
from contentgen_core.use_cases.knowledge.source_titles import with_present_titles
from contentgen_core.use_cases.use_case import use_case
from contentgen_core.use_cases.versions.keep_versions import note_approval
from contentgen_core.use_cases.webhooks.events import record_approval_event


class NothingToApprove(Conflict):
    """The article has no text that could be approved, or is not as the approver has seen it."""

    code = "nothing_to_approve"


@use_case
class DecideApproval:
    unit_of_work: UnitOfWork
    targets: PublishingTargets
    clock: Clock

    async def submit(self, caller: Caller, article_id: ArticleId, details: PostDetails | None = None) -> Article:
        """Ask the approvers. What is approved stays so, unless other details are asked for. `details`: what is to go
        out with the text; None: as before. Raises InvalidInput, NotPermitted, NotFound, NothingToApprove,
        ConcurrentChange."""
        self._check_details(details)
        require_role(caller, Role.EDITOR)
        async with self.unit_of_work() as tx:
            article = await _written_article(tx, caller, article_id)
            if article.approval_state is ApprovalState.APPROVED and details in (None, article.details):
                return article
            asked = Approval(ApprovalState.IN_REVIEW, self.clock.now(), caller.user_id)
            return await _store(tx, article, asked, details)

    async def approve(
        self,
        caller: Caller,
        article_id: ArticleId,
        seen: str | None = None,
        details: PostDetails | None = None,
    ) -> Article:
        """Approve all that readers get of the article as it is now: from here on the titles of its sources, its mark
        and its slug stay as they are. No sentence counts as reviewed by it. `seen`: the hash of what the approver read,
        the article's `reader_hash`, or `text_hash` for its words alone; None: whatever it is now. `details`: as in
        `submit`.

        Raises InvalidInput, NotPermitted, NotFound, NothingToApprove where it is not as the approver has seen it,
        ConcurrentChange."""
        self._check_details(details)
        now = self.clock.now()
        async with self.unit_of_work() as tx:
            article = await self._by_an_approver(tx, caller, article_id)
            titled = await with_present_titles(tx, article)
            if seen not in (None, article.text_hash, titled.reader_hash):
                raise NothingToApprove("The article was changed since you read it. Read it again, then approve it.")
            chosen = article.details if details is None else details
            fixed = evolve(chosen, slug=chosen.slug or article.slug)
            approval = Approval(
                ApprovalState.APPROVED,
                now,
                caller.user_id,
                article.text_hash,
                details=fixed,
                reader_hash=evolve(titled, approval=Approval(ApprovalState.APPROVED, now, details=fixed)).reader_hash,
                source_titles={source.parent_id: source.title for source in titled.sources},
                ai_mark=await mark_of(tx, article),
            )
            await note_approval(tx, article, caller.user_id, now)
            return await _store(tx, article, approval, fixed)

    async def send_back(self, caller: Caller, article_id: ArticleId, reason: str) -> Article:
        """Ask for changes; an approval is taken back. Raises InvalidInput, NotPermitted, NotFound, NothingToApprove,
        ConcurrentChange."""
        fault = _fault_of(reason)
        if fault is not None:
            raise InvalidInput(FieldError("reason", fault))
        async with self.unit_of_work() as tx:
            article = await self._by_an_approver(tx, caller, article_id)
            now = self.clock.now()
            said = Approval(ApprovalState.CHANGES_REQUESTED, now, caller.user_id, reason=reason.strip())
            return await _store(tx, article, said)

    async def _by_an_approver(self, tx: Transaction, caller: Caller, article_id: ArticleId) -> Article:
        article = await tx[Articles].get(caller.tenant_id, article_id)
        rules = await rules_of(tx, caller.tenant_id, article.niche_key)
        if not rules.may_approve(caller):
            raise NotPermitted(
                f"In this niche, approving is for {_approvers(rules)}; your key's user is {caller.role}."
            )
        _check_written(article)
        return article

    def _check_details(self, details: PostDetails | None) -> None:
        """Raises InvalidInput."""

        def info_of(provider: str) -> ProviderInfo:
            try:
                return self.targets.get(provider)
            except NotFound as error:
                raise InvalidInput.of("details.options", f"there is no kind of target {provider!r}") from error

        if details is not None:
            check_details(details, info_of)


async def _store(tx: Transaction, article: Article, said: Approval, details: PostDetails | None = None) -> Article:
    """`details`: None for those that the article has."""
    kept = article.approval.details if details is None and article.approval is not None else details
    saved = await tx[Articles].save(evolve(article, approval=evolve(said, details=kept)))
    await record_approval_event(tx, saved, said.at)
    return await with_present_titles(tx, saved)


async def _written_article(tx: Transaction, caller: Caller, article_id: ArticleId) -> Article:
    article = await tx[Articles].get(caller.tenant_id, article_id)
    _check_written(article)
    return article


def _check_written(article: Article) -> None:
    """Raises NothingToApprove."""
    if article.status is ArticleStatus.GENERATING or not has_words(article):
        raise NothingToApprove("The article has no text yet that could be approved.")


def _approvers(rules: ApprovalRules) -> str:
    roles = [f"the role {role} or higher" for role in rules.roles]
    users = [f"{len(rules.user_ids)} users by name"] if rules.user_ids else []
    return " and ".join([*roles, *users])


def _fault_of(reason: str) -> str | None:
    if not reason.strip() or len(reason) > MAX_REASON:
        return f"1 to {MAX_REASON} characters"
    return NUL_FAULT if NUL in reason else None

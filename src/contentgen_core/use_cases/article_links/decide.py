"""The links of an article: reading, accepting and rejecting them."""

from __future__ import annotations

import asyncio
from typing import Final

from attrs import evolve, frozen

from contentgen_core.errors import NotPermitted
from contentgen_core.model.approval import ApprovalState
from contentgen_core.model.article_link import ArticleLink, LinkState, LinkTarget, TargetedLink
from contentgen_core.model.ids import ArticleId, ArticleLinkId
from contentgen_core.model.tenant import Caller, Role
from contentgen_core.policies.articles.internal_links import place_of
from contentgen_core.policies.tenancy.access import require_role
from contentgen_core.ports.repositories.article_links import ArticleLinks
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.repositories.publications import Publications
from contentgen_core.ports.runtime import Clock
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork
from contentgen_core.use_cases.approval.policies import rules_of
from contentgen_core.use_cases.link_addresses import address_of_post, public_page
from contentgen_core.use_cases.use_case import use_case

NOT_YOURS: Final = "This article is approved as it is: its links are changed by those who may approve it."


@frozen
class ShownLink:
    """A link as it is now. `dormant`: whether its words do not stand in the text where they could carry it. `url`:
    where its target is read; None as long as nobody can."""

    link: ArticleLink
    target: LinkTarget
    dormant: bool
    url: str | None


@use_case
class DecideLinks:
    """`public_url`: the public address of the service, "" for none."""

    unit_of_work: UnitOfWork
    clock: Clock
    public_url: str

    async def of_article(self, caller: Caller, article_id: ArticleId) -> list[ShownLink]:
        """Raises NotFound."""
        async with self.unit_of_work() as tx:
            links = await tx[ArticleLinks].of_article(caller.tenant_id, article_id)
        return await self.shown(caller, article_id, links)

    async def shown(self, caller: Caller, article_id: ArticleId, links: list[TargetedLink]) -> list[ShownLink]:
        """Return these links of an article as they are now. Raises NotFound."""
        async with self.unit_of_work() as tx:
            article = await tx[Articles].get(caller.tenant_id, article_id)
            posts = await tx[Publications].of_articles(caller.tenant_id, [each.target.id for each in links])
        anchors = [each.link.anchor for each in links]
        places = await asyncio.to_thread(lambda: [place_of(article.content, anchor) for anchor in anchors])
        return [
            ShownLink(
                each.link,
                each.target,
                place is None,
                public_page(each.target, self.public_url) or address_of_post(posts.get(each.target.id, ())),
            )
            for each, place in zip(links, places, strict=True)
        ]

    async def accept(self, caller: Caller, link_id: ArticleLinkId) -> ShownLink:
        """Accept a link; it is set from the next time that the article is shown, exported or published. In a niche that
        demands approval, only approvers may change the links of an approved article. Raises NotPermitted, NotFound,
        ConcurrentChange."""
        return await self._decide(caller, link_id, LinkState.ACCEPTED)

    async def reject(self, caller: Caller, link_id: ArticleLinkId) -> ShownLink:
        """Reject a link, which is not proposed again. Raises NotPermitted, NotFound, ConcurrentChange."""
        return await self._decide(caller, link_id, LinkState.REJECTED)

    async def _decide(self, caller: Caller, link_id: ArticleLinkId, state: LinkState) -> ShownLink:
        require_role(caller, Role.EDITOR)
        async with self.unit_of_work() as tx:
            link = await tx[ArticleLinks].get(caller.tenant_id, link_id)
            if link.state is not state:
                if LinkState.ACCEPTED in (link.state, state):
                    await _check_may_change(tx, caller, link.article_id)
                await tx[ArticleLinks].save(
                    evolve(link, state=state, decided_at=self.clock.now(), decided_by=caller.user_id)
                )
            links = await _one(tx, link)
        [shown] = await self.shown(caller, link.article_id, links)
        return shown


async def _check_may_change(tx: Transaction, caller: Caller, article_id: ArticleId) -> None:
    """Raises NotPermitted where the article was approved, its niche demands that, and the caller may not approve."""
    article = await tx[Articles].get(caller.tenant_id, article_id)
    if article.approval_state is not ApprovalState.APPROVED:
        return
    rules = await rules_of(tx, caller.tenant_id, article.niche_key)
    if rules.required and not rules.may_approve(caller):
        raise NotPermitted(NOT_YOURS)


async def _one(tx: Transaction, link: ArticleLink) -> list[TargetedLink]:
    of_article = await tx[ArticleLinks].of_article(link.tenant_id, link.article_id)
    return [each for each in of_article if each.link.id == link.id]

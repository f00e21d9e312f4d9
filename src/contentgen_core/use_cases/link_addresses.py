"""Addresses of an article's links."""

from __future__ import annotations

from collections.abc import Sequence

from contentgen_core.model.article import Article
from contentgen_core.model.article_link import LinkState, LinkTarget
from contentgen_core.model.ids import IntegrationId
from contentgen_core.model.publication import Publication
from contentgen_core.policies.articles.public_address import address_of
from contentgen_core.ports.repositories.article_links import ArticleLinks
from contentgen_core.ports.repositories.publications import Publications
from contentgen_core.ports.unit_of_work import Transaction
from contentgen_core.use_cases.approval.policies import rules_of


async def public_addresses(tx: Transaction, article: Article, base: str) -> dict[str, str]:
    """The public pages that the accepted links lead to, by the words of the links. `base`: the public address of the
    service; "" for none, where nothing leads anywhere."""
    links = await tx[ArticleLinks].of_article(article.tenant_id, article.id, LinkState.ACCEPTED)
    found = {each.link.anchor: public_page(each.target, base) for each in links}
    return {anchor: address for anchor, address in found.items() if address is not None}


async def post_addresses(tx: Transaction, article: Article, integration_id: IntegrationId) -> dict[str, str]:
    """The posts at an integration that they lead to. Where the article's niche demands approval, none whose address a
    person entered: nobody has approved that."""
    links = await tx[ArticleLinks].of_article(article.tenant_id, article.id, LinkState.ACCEPTED)
    targets = [each.target.id for each in links]
    posts = await tx[Publications].of_articles(article.tenant_id, targets) if targets else {}
    approved = (await rules_of(tx, article.tenant_id, article.niche_key)).required if posts else False
    at_place = {
        id: address_of_post(
            [p for p in publications if p.integration_id == integration_id and not (approved and p.is_entered_by_hand)]
        )
        for id, publications in posts.items()
    }
    found = {each.link.anchor: at_place.get(each.target.id) for each in links}
    return {anchor: address for anchor, address in found.items() if address is not None}


async def any_addresses(tx: Transaction, article: Article, base: str) -> dict[str, str]:
    """The public pages that they lead to; where a target has none, its first post that people can read."""
    links = await tx[ArticleLinks].of_article(article.tenant_id, article.id, LinkState.ACCEPTED)
    targets = [each.target.id for each in links]
    posts = await tx[Publications].of_articles(article.tenant_id, targets) if targets else {}
    found = {
        each.link.anchor: public_page(each.target, base) or address_of_post(posts.get(each.target.id, ()))
        for each in links
    }
    return {anchor: address for anchor, address in found.items() if address is not None}


def public_page(target: LinkTarget, base: str) -> str | None:
    """The target's public page; None where it has none."""
    if not base or not target.is_public or target.slug is None:
        return None
    return address_of(base, target.slug, target.public_category)


def address_of_post(posts: Sequence[Publication]) -> str | None:
    """Return the address of the first post that people can read."""
    return next((post.url for post in posts if post.is_public and post.url is not None), None)

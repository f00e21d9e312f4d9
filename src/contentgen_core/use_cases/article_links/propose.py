"""POST /articles/{id}/links/propose: words of an article that may lead to other articles, for a person to decide."""

from __future__ import annotations

import asyncio
from typing import Final

from attrs import evolve

from contentgen_core.model.article import Article
from contentgen_core.model.article_link import MAX_LINKS, ArticleLink, LinkState, TargetedLink
from contentgen_core.model.entity import EntityMention
from contentgen_core.model.ids import ArticleId, ArticleLinkId, DocumentId
from contentgen_core.model.knowledge import KbDocument, KbScope, Origin, Passage
from contentgen_core.model.similar_article import AskedTopic, NearArticle
from contentgen_core.model.tenant import Caller, Role
from contentgen_core.model.text import TextAnalysis, TextBlock
from contentgen_core.policies.articles.link_proposals import LinkSource, Proposal, propose_links
from contentgen_core.policies.tenancy.access import require_role
from contentgen_core.policies.topics.similar_articles import sections_of
from contentgen_core.ports.entities import EntityExtractor
from contentgen_core.ports.repositories.article_links import ArticleLinks
from contentgen_core.ports.repositories.article_topics import ArticleTopics
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.runtime import Clock, Ids
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork
from contentgen_core.use_cases.articles.similar import ReadTopics
from contentgen_core.use_cases.use_case import use_case

MOST_TERMS: Final = 500
"""Words of the text that other articles' topics are sought by, the first ones."""
MOST_NAMES: Final = 40
"""Names and phrases that are compared by meaning: 4 ms for each."""


@use_case
class ProposeLinks:
    unit_of_work: UnitOfWork
    read: ReadTopics
    entities: EntityExtractor
    analysis: TextAnalysis
    clock: Clock
    ids: Ids

    async def __call__(self, caller: Caller, article_id: ArticleId) -> list[TargetedLink]:
        """Replace what was proposed before and is not decided; all links of the article. At most MAX_LINKS are proposed
        or accepted, one a target; a target that a person decided on is not proposed again. Raises NotPermitted,
        NotFound, AlreadyExists (another request was faster)."""
        require_role(caller, Role.EDITOR)
        await self.read.read_newest(caller.tenant_id)
        async with self.unit_of_work() as tx:
            article = await tx[Articles].get(caller.tenant_id, article_id)
        blocks, asked, mentions = await asyncio.to_thread(self._read_article, article)
        names = [mention.name for mention in mentions][:MOST_NAMES]
        vectors = await self.read.meaning.vectors_of([article.brief.topic, *names])
        vector = vectors.get(article.brief.topic)
        asked = evolve(asked, vector=None if vector is None else tuple(vector))
        async with self.unit_of_work() as tx:
            near = await tx[ArticleTopics].near(caller.tenant_id, self.read.space, asked)
            former = await tx[ArticleLinks].of_article(caller.tenant_id, article_id)
        source = LinkSource(article, blocks, mentions, {name: vectors[name] for name in names if name in vectors})
        proposals = await asyncio.to_thread(self._proposals, source, near, former)
        async with self.unit_of_work() as tx:
            return await self._store(tx, article, proposals)

    def _read_article(self, article: Article) -> tuple[tuple[TextBlock, ...], AskedTopic, list[EntityMention]]:
        """Return the content of the article: its blocks, the topic to find other articles by, and names and phrases."""
        language, blocks = article.brief.language, self.read.renderer.text_blocks(article.content)
        texts = [block.text for block in blocks if not block.level]
        terms = dict.fromkeys(term for text in texts for term in self.analysis.terms(text, language))
        cited = [ref for section in sections_of(article, blocks) for ref in section.cited]
        document = KbDocument(
            id=DocumentId(article.id),
            scope=KbScope(article.niche_key, article.tenant_id),
            source_key=article.id,
            title=article.title,
            language=language,
            origin=Origin.AI,
            content_hash="",
            created_at=article.created_at,
        )
        passages = [Passage(document, place, text, "") for place, text in enumerate(texts)]
        mentions = {mention.key: mention for found in self.entities(passages) for mention in found}
        words = {language: frozenset(list(terms)[:MOST_TERMS])}
        asked = AskedTopic(article.brief.topic, words, None, tuple(dict.fromkeys(cited)))
        return blocks, asked, list(mentions.values())

    def _proposals(
        self, source: LinkSource, near: list[NearArticle], former: list[TargetedLink]
    ) -> tuple[Proposal, ...]:
        decided = {each.link.target_id for each in former if each.link.state is not LinkState.PROPOSED}
        accepted = sum(each.link.state is LinkState.ACCEPTED for each in former)
        candidates = [article for article in near if article.id not in decided]
        return propose_links(source, candidates, max(0, MAX_LINKS - accepted), self.analysis)

    async def _store(self, tx: Transaction, article: Article, proposals: tuple[Proposal, ...]) -> list[TargetedLink]:
        """Store the proposals; one that is proposed again keeps its id."""
        former = await tx[ArticleLinks].of_article(article.tenant_id, article.id)
        wanted = {(proposal.target.id, proposal.anchor) for proposal in proposals}
        kept = {e.link.target_id for e in former if _is_kept(e.link, wanted)}
        await tx[ArticleLinks].drop(article.tenant_id, [e.link.id for e in former if e.link.target_id not in kept])
        now = self.clock.now()
        for proposal in proposals:
            if proposal.target.id not in kept:
                link = ArticleLink(
                    id=ArticleLinkId(self.ids.new()),
                    tenant_id=article.tenant_id,
                    article_id=article.id,
                    target_id=proposal.target.id,
                    anchor=proposal.anchor,
                    sentence=proposal.sentence,
                    linked_by=proposal.linked_by,
                    score=proposal.score,
                    created_at=now,
                )
                await tx[ArticleLinks].add(link)
        return await tx[ArticleLinks].of_article(article.tenant_id, article.id)


def _is_kept(link: ArticleLink, wanted: set[tuple[ArticleId, str]]) -> bool:
    return link.state is not LinkState.PROPOSED or (link.target_id, link.anchor) in wanted

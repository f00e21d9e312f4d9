"""Propose links from the words of an article to other articles."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from attrs import frozen

from contentgen_core.model.article import Article, ArticleStatus
from contentgen_core.model.article_link import MAX_ANCHOR, LinkedBy
from contentgen_core.model.entity import EntityMention, EntityType
from contentgen_core.model.similar_article import NearArticle
from contentgen_core.model.text import Span, TextAnalysis, TextBlock, Token
from contentgen_core.policies.articles.internal_links import place_of
from contentgen_core.policies.text.markdown import CITATION
from contentgen_core.policies.text.nearness import cosine
from contentgen_core.policies.topics.picking import are_near_duplicates
from contentgen_core.policies.topics.similar_articles import PART_COSINE, UNRELATED_COSINE
from contentgen_core.policies.topics.similarity import significant_words

LEAST_SHARE: Final = 0.5
"""Of the significant words of a topic, that an anchor has to say."""
MOST_TOKENS: Final = 8
"""Of an anchor."""
TRIED: Final = 5
"""Anchors for one target, of which the first that may carry a link is taken."""
_APART: Final = re.compile(r"[\[\](){}“”„«»「」\"*_`|.!?;:。！？،؟]")


@frozen
class Proposal:
    """A proposed link. `anchor`: the words of the article that would lead to the target; `sentence`: the sentence they
    stand in."""

    target: NearArticle
    anchor: str
    sentence: str
    linked_by: LinkedBy
    score: float


@frozen
class LinkSource:
    """The article that links are proposed for. `blocks`: of its text; `mentions`: the names and phrases in it;
    `vectors`: of these names, as far as there are any."""

    article: Article
    blocks: Sequence[TextBlock]
    mentions: Sequence[EntityMention]
    vectors: Mapping[str, Sequence[float]]

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts outside headings."""
        return tuple(block.text for block in self.blocks if not block.level)


@frozen
class _Anchor:
    text: str
    linked_by: LinkedBy
    score: float


def propose_links(
    source: LinkSource, candidates: Iterable[NearArticle], limit: int, analysis: TextAnalysis
) -> tuple[Proposal, ...]:
    """Return at most `limit` links, the best first: one a target, at places that do not overlap. None leads to the
    article itself, to a translation of it, to an article on the same topic or in another language, or to one that
    nobody can read yet. Takes some milliseconds for each hundred candidates."""
    article = source.article
    named = {m.name.casefold() for m in source.mentions if m.type is not EntityType.CONCEPT}
    own = significant_words(article.brief.topic, article.brief.language, analysis)
    tokens = [(text, analysis.tokens(text, article.brief.language)) for text in source.texts]
    found: list[tuple[_Anchor, NearArticle]] = []
    for target in candidates:
        words = significant_words(target.topic, target.language, analysis)
        if _may_be_target(article, target) and not are_near_duplicates(own, words):
            title = significant_words(target.title, target.language, analysis)
            anchors = [*_by_words(tokens, words, title, named), *_by_meaning(source, target)]
            best = sorted(anchors, key=lambda a: (a.linked_by is LinkedBy.MEANING, -a.score))[:TRIED]
            found += [(anchor, target) for anchor in best]
    found.sort(key=lambda each: (each[0].linked_by is LinkedBy.MEANING, -each[0].score, each[1].id))
    return tuple(_place_proposals(source, found, limit, analysis))


def _may_be_target(article: Article, target: NearArticle) -> bool:
    related = {article.id, article.translation_of} - {None}
    return (
        target.id not in related
        and (target.translation_of is None or target.translation_of not in related)
        and target.language is article.brief.language
        and (target.is_public or target.status in (ArticleStatus.PUBLISHED, ArticleStatus.SCHEDULED))
    )


def _by_words(
    texts: Sequence[tuple[str, Sequence[Token]]], words: frozenset[str], title: frozenset[str], named: set[str]
) -> Iterator[_Anchor]:
    """Runs of words that say at least half of the topic and nothing else."""
    seen: set[str] = set()
    for text, tokens in texts:
        for begin, first in enumerate(tokens):
            if first.stop or first.term not in words:
                continue
            said: set[str] = set()
            for token in tokens[begin : begin + MOST_TOKENS]:
                run = text[first.start : token.end]
                if _APART.search(run) or (not token.stop and token.term not in words | title):
                    break
                said |= {token.term} & words
                share = len(said) / len(words)
                is_name = run.casefold() in named
                enough = share >= LEAST_SHARE and (len(said) > 1 or is_name or len(words) == 1)
                if not token.stop and token.term in words and enough and len(run) <= MAX_ANCHOR and run not in seen:
                    seen.add(run)
                    yield _Anchor(run, LinkedBy.ENTITY if is_name else LinkedBy.WORDS, share)


def _by_meaning(source: LinkSource, target: NearArticle) -> Iterator[_Anchor]:
    if target.vector is None:
        return
    for name, vector in source.vectors.items():
        near = cosine(vector, target.vector)
        if near >= PART_COSINE and len(name) <= MAX_ANCHOR:
            yield _Anchor(name, LinkedBy.MEANING, min(1.0, (near - UNRELATED_COSINE) / (1 - UNRELATED_COSINE)))


def _place_proposals(
    source: LinkSource, found: Sequence[tuple[_Anchor, NearArticle]], limit: int, analysis: TextAnalysis
) -> Iterator[Proposal]:
    taken: list[Span] = []
    targets: set[str] = set()
    for anchor, target in found:
        if len(targets) == limit:
            return
        place = None if target.id in targets else place_of(source.article.content, anchor.text, taken)
        if place is not None:
            taken.append(place)
            targets.add(target.id)
            sentence = _sentence(source, anchor.text, analysis)
            yield Proposal(target, anchor.text, sentence, anchor.linked_by, anchor.score)


def _sentence(source: LinkSource, anchor: str, analysis: TextAnalysis) -> str:
    """The first one that has these words, without its citations."""
    for text in source.texts:
        for span in analysis.sentences(text, source.article.brief.language):
            if anchor in span.of(text):
                return " ".join(CITATION.sub("", span.of(text)).split()).replace(" .", ".")
    return anchor

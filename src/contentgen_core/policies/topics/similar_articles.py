"""Find the articles that already answer a topic, and recommend what to do about them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from attrs import evolve, frozen

from contentgen_core.model.article import WRITTEN, Article, ArticleStatus
from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.knowledge import Passage
from contentgen_core.model.similar_article import (
    AskedTopic,
    Likeness,
    NearArticle,
    SimilarArticle,
    SourcedSection,
    Suggestion,
)
from contentgen_core.model.text import TextAnalysis, TextBlock
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.text.markdown import CITATION
from contentgen_core.policies.text.nearness import cosine
from contentgen_core.policies.topics.meaning import SAME_TOPIC_COSINE, may_be_same
from contentgen_core.policies.topics.picking import NEAR_DUPLICATE_WORDS, are_near_duplicates
from contentgen_core.policies.topics.similarity import significant_words

PART_COSINE: Final = 0.88
"""Topics this near overlap. Fitted to multilingual-e5-small (docs/decisions/0071-similar-articles.md)."""
UNRELATED_COSINE: Final = 0.8
"""Of topics that have nothing in common, by the same model: 0 on the scale of `Likeness.meaning`, whose 1 is a
cosine of 1."""
PART_WORDS: Final = 0.5
PART_PASSAGES: Final = 1 / 3
FEWEST_PASSAGES: Final = 3
"""Passages on the topic that an article cites for more than by chance."""
MOST_PASSAGES: Final = 20
"""Of those on the topic that are compared."""
MOST_ARTICLES: Final = 10
MOST_SECTIONS: Final = 5
MOST_ADDED: Final = 3


@frozen
class Asked:
    """A topic with its passages as they are. `language`: that the new article is to have; None: that of each article
    that is found."""

    topic: AskedTopic
    passages: Mapping[SourceRef, Passage]
    language: Language | None = None


def sections_of(article: Article, blocks: Iterable[TextBlock]) -> tuple[SourcedSection, ...]:
    """The sections of an article and what they cite; those of its plan as long as it has no text. `blocks`: of its
    text."""
    if not article.content:
        planned = article.plan.sections if article.plan else ()
        return tuple(SourcedSection(section.heading, tuple(dict.fromkeys(section.source_ids))) for section in planned)
    refs = {source.number: SourceRef(source.parent_id, source.chunk_index) for source in article.sources}
    sections: list[SourcedSection] = []
    for block in blocks:
        if block.level or not sections:
            sections.append(SourcedSection(block.text if block.level else ""))
        if not block.level:
            cited = [refs[int(n)] for n in CITATION.findall(block.text) if int(n) in refs]
            sections[-1] = evolve(sections[-1], cited=tuple(dict.fromkeys([*sections[-1].cited, *cited])))
    return tuple(sections)


def similar_articles(asked: Asked, found: Iterable[NearArticle], analysis: TextAnalysis) -> tuple[SimilarArticle, ...]:
    """Return the articles that answer the topic, in the language asked first, then those that answer it in part; the
    most alike first, at most MOST_ARTICLES. A translation is left out where its original is among them, unless it is in
    the language asked. Takes a millisecond for each twenty."""
    compared = [
        _to_similar(asked, article, *judged)
        for article in found
        if (judged := _likeness(asked.topic, article, analysis)) is not None
    ]

    def order(similar: SimilarArticle) -> tuple[object, ...]:
        article, likeness = similar.article, similar.likeness
        foreign = asked.language not in (None, article.language)
        return not likeness.same, likeness.same and foreign, -likeness.score, article.created_at, article.id

    compared.sort(key=order)
    listed = {similar.article.id for similar in compared}
    first = [s for s in compared if s.article.translation_of not in listed or s.article.language is asked.language]
    return tuple(_with_advice(asked, similar, first) for similar in first[:MOST_ARTICLES])


def add_stale_reason(similar: SimilarArticle) -> SimilarArticle:
    """Return the article with "its sources changed" as another reason, where it is to be updated."""
    reason = similar.reason
    if similar.suggestion is Suggestion.UPDATE:
        reason = f"{reason} Sources of it changed since it was written."
    return evolve(similar, sources_changed=True, reason=reason)


def _likeness(
    asked: AskedTopic, article: NearArticle, analysis: TextAnalysis
) -> tuple[Likeness, tuple[str, ...]] | None:
    """Return how alike they are, and which headings have the topic's words; None where they are not alike."""
    near = cosine(asked.vector, article.vector) if asked.vector and article.vector else None
    shared = sum(ref in article.cited for ref in asked.passages)
    words = asked.words.get(article.language, frozenset())
    if _is_another(asked, article, words, near, shared, analysis):
        return None
    own = [significant_words(text, article.language, analysis) for text in (article.topic, article.title)]
    share = max((len(words & each) / len(words | each) for each in own if words | each), default=0.0)
    likeness = Likeness(
        same=any(are_near_duplicates(words, each) for each in own) or _same_in_other_words(asked, article, near),
        words=share,
        meaning=None if near is None else min(1.0, max(0.0, (near - UNRELATED_COSINE) / (1 - UNRELATED_COSINE))),
        passages=shared / len(asked.passages) if asked.passages else 0.0,
    )
    headings = tuple(_headings_with(words, own[1], article, analysis))
    in_part = (
        share >= PART_WORDS
        or (near is not None and near >= PART_COSINE)
        or (shared >= FEWEST_PASSAGES and likeness.passages >= PART_PASSAGES)
        or bool(headings)
    )
    return (likeness, headings) if likeness.same or in_part else None


def _is_another(
    asked: AskedTopic,
    article: NearArticle,
    words: frozenset[str],
    near: float | None,
    shared: int,
    analysis: TextAnalysis,
) -> bool:
    """Whether an article cannot be alike, by what is known without reading its title and headings one by one: most of
    those that are found."""
    said = len(words & article.words)
    return (
        (near is None or near < min(PART_COSINE, SAME_TOPIC_COSINE))
        and (shared < FEWEST_PASSAGES or shared < PART_PASSAGES * len(asked.passages))
        and said < min(PART_WORDS * len(words), NEAR_DUPLICATE_WORDS)
        and not words - article.words <= _terms_of_headings(article, analysis)
    )


def _terms_of_headings(article: NearArticle, analysis: TextAnalysis) -> set[str]:
    return set(analysis.terms("\n".join(section.heading for section in article.sections), article.language))


def _same_in_other_words(asked: AskedTopic, article: NearArticle, near: float | None) -> bool:
    return near is not None and near >= SAME_TOPIC_COSINE and may_be_same(asked.topic, article.topic)


def _headings_with(
    words: frozenset[str], title: frozenset[str], article: NearArticle, analysis: TextAnalysis
) -> Iterator[str]:
    """The headings that, below the title, say all of the topic's words, and one that the title does not."""
    if len(words) < 2 or not words - title or not words - title <= _terms_of_headings(article, analysis):
        return
    for section in article.sections:
        own = significant_words(section.heading, article.language, analysis) if section.heading else frozenset()
        if words <= own | title and section.heading != article.title:
            yield section.heading


def _to_similar(asked: Asked, article: NearArticle, likeness: Likeness, headings: Sequence[str]) -> SimilarArticle:
    shared = tuple(ref for ref in asked.topic.passages if ref in article.cited)
    new = tuple(ref for ref in asked.topic.passages if ref not in article.cited)
    headed = [s for s in article.sections if s.heading and s.heading != article.title]
    citing = [section.heading for section in headed if set(shared) & set(section.cited)]
    documents = {ref.document_id for ref in article.cited}
    passages = [asked.passages[ref] for ref in new if ref in asked.passages]
    titles = (p.document.title for p in passages if p.document.id not in documents)
    later = [p for p in passages if (p.document.revised_at or p.document.created_at) > article.created_at]
    return SimilarArticle(
        article,
        likeness,
        Suggestion.DIFFERENTIATE,
        "",
        shared=shared,
        new=new,
        since=len(later),
        sections=tuple(dict.fromkeys([*headings, *citing]))[:MOST_SECTIONS],
        adds=tuple(dict.fromkeys(titles))[:MOST_ADDED],
    )


def _with_advice(asked: Asked, similar: SimilarArticle, others: Sequence[SimilarArticle]) -> SimilarArticle:
    if not similar.likeness.same:
        return evolve(similar, reason=_differs(similar))
    own = similar.article
    if asked.language not in (None, own.language):
        reason = f"It answers the same in another language ({own.language})"
        there = any(s.likeness.same and s.article.language is asked.language for s in others)
        if there:
            return evolve(similar, suggestion=Suggestion.UPDATE, reason=f"{reason}; one in {asked.language} is there.")
        return evolve(similar, suggestion=Suggestion.TRANSLATE, reason=f"{reason}: translate it.")
    twin = next((s.article for s in others if _are_twins(s, similar)), None)
    if twin is not None:
        reason = f"It and “{twin.title}” are both published on this: make one article of the two."
        return evolve(similar, suggestion=Suggestion.MERGE, reason=reason, merge_with=twin.id)
    return evolve(similar, suggestion=Suggestion.UPDATE, reason=_answers(similar))


def _are_twins(one: SimilarArticle, other: SimilarArticle) -> bool:
    """Whether both are published on the topic, in one language."""
    return (
        one.article.id != other.article.id
        and one.likeness.same
        and other.likeness.same
        and one.article.language is other.article.language
        and one.article.status is other.article.status is ArticleStatus.PUBLISHED
    )


def _answers(similar: SimilarArticle) -> str:
    status = similar.article.status
    if status not in WRITTEN:
        return f"It is on the same topic and not written yet ({status})."
    if not similar.shared and not similar.new:
        return "It is on the same topic."
    if not similar.new:
        return "It is on the same topic and cites every passage on it."
    since = f", {similar.since} of them newer than it" if similar.since else ""
    of = len(similar.shared) + len(similar.new)
    return f"It is on the same topic; {len(similar.new)} of {of} passages on it are not in it{since}."


def _differs(similar: SimilarArticle) -> str:
    parts = []
    if similar.sections:
        parts.append("it has " + " and ".join(f"“{heading}”" for heading in similar.sections[:2]))
    if similar.shared:
        of = len(similar.shared) + len(similar.new)
        parts.append(f"it cites {len(similar.shared)} of {of} passages on the topic")
    if not parts:
        parts.append("its topic is near this one")
    text = f"It answers this in part: {' and '.join(parts)}."
    if similar.adds:
        text += f" New would be what {' and '.join(f'“{title}”' for title in similar.adds)} say."
    return text

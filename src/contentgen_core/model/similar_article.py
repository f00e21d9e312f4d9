"""Articles that already answer what another one would."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum

from attrs import field, frozen

from contentgen_core.model.article import ArticleStatus
from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.ids import ArticleId
from contentgen_core.model.vocabulary import Language


@frozen
class SourcedSection:
    """A section of an article and the passages that it cites, each once. `heading`: "" before the first one."""

    heading: str
    cited: tuple[SourceRef, ...] = ()


@frozen
class ReadTopic:
    """The data by which an article is found. `revision`: of the article that was read. `words`: the significant words
    of topic and title, in the article's language. `vector`: of the topic, None where none could be made."""

    article_id: ArticleId
    revision: int
    language: Language
    words: frozenset[str]
    vector: tuple[float, ...] | None = None
    sections: tuple[SourcedSection, ...] = ()

    @property
    def cited(self) -> frozenset[SourceRef]:
        return frozenset(ref for section in self.sections for ref in section.cited)


@frozen
class AskedTopic:
    """A topic that articles are sought for. `words`: its significant words in each language. `passages`: those on it,
    best first."""

    topic: str
    words: Mapping[Language, frozenset[str]] = field(factory=dict)
    vector: tuple[float, ...] | None = None
    passages: tuple[SourceRef, ...] = ()


@frozen
class NearArticle:
    """An article that may answer a topic. `vector`: of its own topic, None where there is none. `words`: the
    significant ones of its topic and its title together."""

    id: ArticleId
    title: str
    slug: str | None
    status: ArticleStatus
    topic: str
    language: Language
    niche_key: str
    created_at: datetime
    published_at: datetime | None
    is_public: bool
    translation_of: ArticleId | None
    vector: tuple[float, ...] | None
    sections: tuple[SourcedSection, ...]
    words: frozenset[str]
    cited: frozenset[SourceRef] = field(init=False)

    @cited.default
    def _cited(self) -> frozenset[SourceRef]:
        return frozenset(ref for section in self.sections for ref in section.cited)


class Suggestion(StrEnum):
    """The recommended action for an existing article: `update` and `merge` (with another that answers the same) where
    it answers the topic, `translate` where it does so in another language, `differentiate` where it does in part."""

    UPDATE = "update"
    MERGE = "merge"
    TRANSLATE = "translate"
    DIFFERENTIATE = "differentiate"


@frozen
class Likeness:
    """The similarity of an article and a topic, each in 0..1. `words`: the Jaccard coefficient of the significant
    words, of the article's topic or its title; `meaning`: how near the topics are; None where that is not known;
    `passages`: the share of the passages on the topic that the article cites. `same`: whether the topics are taken for
    one."""

    same: bool
    words: float
    meaning: float | None
    passages: float

    @property
    def score(self) -> float:
        """The highest of them."""
        return max(self.words, self.meaning or 0.0, self.passages)


@frozen
class SimilarArticle:
    """An article that answers a topic, or a part of it. `shared`, `new`: the passages on the topic that it cites, and
    those that it does not. `since`: of the new ones, those of documents that came after the article. `sections`: its
    headings that are about the topic, or cite passages on it. `adds`: titles of documents that it does not cite.
    `merge_with`: the article to merge it with. `urls`: where its posts are read. `sources_changed`: whether a document
    that it cites was revised or removed since, or is contradicted by a stronger one."""

    article: NearArticle
    likeness: Likeness
    suggestion: Suggestion
    reason: str
    shared: tuple[SourceRef, ...] = ()
    new: tuple[SourceRef, ...] = ()
    since: int = 0
    sections: tuple[str, ...] = ()
    adds: tuple[str, ...] = ()
    merge_with: ArticleId | None = None
    urls: tuple[str, ...] = ()
    sources_changed: bool = False

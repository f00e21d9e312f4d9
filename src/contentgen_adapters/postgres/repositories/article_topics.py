"""What articles are about. No query reads more than an index leads it to."""

# ruff: noqa: S608 - the SQL is put together from this module's own constants; values are always parameters

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from contentgen_adapters.postgres.converter import dumps, loads
from contentgen_adapters.postgres.errors import findable
from contentgen_adapters.postgres.repositories.article_rows import WHOLE_COLUMNS, whole_article
from contentgen_adapters.postgres.repositories.embeddings import decoded, encoded
from contentgen_adapters.postgres.repository import repository
from contentgen_adapters.postgres.session import Row, Session
from contentgen_core.model.article import Article, ArticleStatus
from contentgen_core.model.ids import TenantId
from contentgen_core.model.knowledge import VectorSpace
from contentgen_core.model.similar_article import AskedTopic, NearArticle, ReadTopic, SourcedSection
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.knowledge_base import Vector
from contentgen_core.ports.repositories.article_topics import NEAREST, ArticleTopics

SKETCH_BITS: Final = 1_024
"""Each tells on which side of a plane through the origin a vector lies; vectors that are near differ in few."""
_SEED: Final = 1  # the planes are the same for ever: sketches are kept
_WORDS_ALONE: Final = "words"

_SECTIONS: Final = tuple[SourcedSection, ...]
_WHOLE: Final = f"SELECT {WHOLE_COLUMNS} FROM articles WHERE id IN"
_UNREAD_OF_TENANT: Final = (
    "(SELECT id FROM articles WHERE topic_space IS NULL AND tenant_id = %(tenant)s ORDER BY id DESC LIMIT %(limit)s)"
)
# The index finds what differs from a value in two parts only.
_UNREAD: Final = (
    "((SELECT id FROM articles WHERE topic_space IS NULL LIMIT %(limit)s)"
    " UNION ALL (SELECT id FROM articles WHERE topic_space < %(space)s LIMIT %(limit)s)"
    " UNION ALL (SELECT id FROM articles WHERE topic_space > %(space)s LIMIT %(limit)s) LIMIT %(limit)s)"
)
_SAVE: Final = (
    "WITH same AS (UPDATE articles SET topic_space = %(space)s WHERE id = %(id)s AND revision = %(revision)s"
    " RETURNING id, tenant_id)"
    " INSERT INTO article_topics (article_id, tenant_id, space, words, cited, sections, sketch, vector)"
    " SELECT id, tenant_id, %(space)s, ARRAY(SELECT tenant_id || ':' || word FROM unnest(%(words)s::text[]) AS word),"
    " %(cited)s::text[], %(sections)s::jsonb, %(sketch)s::bit varying, %(vector)s FROM same"
    " ON CONFLICT (article_id) DO UPDATE SET space = excluded.space, words = excluded.words, cited = excluded.cited,"
    " sections = excluded.sections, sketch = excluded.sketch, vector = excluded.vector"
)
# One word or passage after the other (OFFSET 0: each by the index): to meet an article a few times costs less than to
# take apart all that it has.
_BY_WORDS: Final = (
    "SELECT article_id FROM unnest(%(words)s::text[]) AS word CROSS JOIN LATERAL"
    " (SELECT article_id FROM article_topics WHERE words @> ARRAY[word] OFFSET 0) AS met"
    " GROUP BY article_id ORDER BY count(*) DESC, article_id DESC LIMIT %(limit)s"
)
_BY_SKETCH: Final = (
    "SELECT article_id FROM article_topics WHERE tenant_id = %(tenant)s AND space = %(space)s AND sketch IS NOT NULL"
    " ORDER BY bit_count(sketch # %(sketch)s::bit varying) LIMIT %(limit)s"
)
_BY_PASSAGES: Final = (
    "SELECT article_id FROM unnest(%(cited)s::text[]) AS passage CROSS JOIN LATERAL"
    " (SELECT article_id FROM article_topics WHERE cited @> ARRAY[passage] AND tenant_id = %(tenant)s OFFSET 0) AS met"
    " GROUP BY article_id ORDER BY count(*) DESC, article_id DESC LIMIT %(limit)s"
)
_NEAR: Final = (
    "SELECT a.id, a.title, a.slug, a.status, a.topic, a.language, a.niche_key, a.created_at, a.published_at,"
    " a.is_public, a.translation_of, CASE WHEN t.space = %(space)s THEN t.vector END, t.sections::text, t.words"
    " FROM article_topics t JOIN articles a ON a.id = t.article_id"
    " WHERE t.article_id IN ({found}) AND a.status <> 'failed' ORDER BY a.id"
)


@repository(ArticleTopics)
class PostgresArticleTopics:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def unread(self, space: VectorSpace | None, limit: int, tenant_id: TenantId | None = None) -> list[Article]:
        parameters = {"space": _name(space), "tenant": tenant_id and findable(tenant_id), "limit": limit}
        ids = _UNREAD if tenant_id is None else _UNREAD_OF_TENANT
        rows = await self._session.read(f"{_WHOLE} {ids} ORDER BY id DESC", parameters)
        return [whole_article(row) for row in rows]

    async def save(self, space: VectorSpace | None, topics: Sequence[ReadTopic]) -> None:
        # One after the other in the order of ids: two that save the same never wait for each other crosswise.
        for topic in sorted(topics, key=lambda topic: topic.article_id):
            parameters = {
                "space": _name(space),
                "id": findable(topic.article_id),
                "revision": topic.revision,
                "words": _marked(topic.language, topic.words),
                "cited": sorted(map(str, topic.cited)),
                "sections": dumps(topic.sections, _SECTIONS),
                "sketch": topic.vector and _sketch(topic.vector),
                "vector": topic.vector and encoded(topic.vector),
            }
            await self._session.change(_SAVE, parameters)

    async def near(self, tenant_id: TenantId, space: VectorSpace | None, asked: AskedTopic) -> list[NearArticle]:
        tenant = findable(tenant_id)
        words = [f"{tenant}:{word}" for language, own in asked.words.items() for word in _marked(language, own)]
        parameters: dict[str, Any] = {
            "tenant": tenant,
            "space": _name(space),
            "limit": NEAREST,
            "words": words,
            "cited": list(dict.fromkeys(map(str, asked.passages))),
            "sketch": asked.vector and _sketch(asked.vector),
        }
        found = [
            f"({query})"
            for query, given in ((_BY_WORDS, words), (_BY_SKETCH, asked.vector), (_BY_PASSAGES, asked.passages))
            if given
        ]
        if not found:
            return []
        rows = await self._session.read(_NEAR.format(found=" UNION ".join(found)), parameters, plan_anew=True)
        return [_near(row) for row in rows]


def _name(space: VectorSpace | None) -> str:
    return _WORDS_ALONE if space is None else f"{space.dimension} {space.model}"


def _marked(language: Language, words: frozenset[str]) -> list[str]:
    return [f"{language.value}:{word}" for word in sorted(words)]


def _sketch(vector: Vector) -> str:
    sides = np.asarray(vector, dtype=np.float64) @ _planes(len(vector)) > 0
    return "".join(np.where(sides, "1", "0"))


@cache
def _planes(dimension: int) -> npt.NDArray[np.float64]:
    # This generator alone is promised to give the same numbers with every release.
    return np.random.RandomState(_SEED).standard_normal((dimension, SKETCH_BITS))


def _near(row: Row) -> NearArticle:
    id, title, slug, status, topic, language, niche_key, created_at, published_at, public, original, *read = row
    vector, parts, words = read
    return NearArticle(
        id,
        title,
        slug,
        ArticleStatus(status),
        topic,
        Language(language),
        niche_key,
        created_at,
        published_at,
        public,
        original,
        None if vector is None else tuple(decoded(vector)),
        loads(parts, _SECTIONS),
        frozenset(word.split(":", 2)[2] for word in words),  # behind tenant and language
    )

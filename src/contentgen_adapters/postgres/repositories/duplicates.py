"""Articles that say already what another one would. No query reads more than an index leads it to."""

# ruff: noqa: S608 - the SQL is put together from this module's own constants; values are always parameters

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Final

from contentgen_adapters.postgres.digests import digest
from contentgen_adapters.postgres.errors import findable
from contentgen_adapters.postgres.repository import repository
from contentgen_adapters.postgres.session import Row, Session
from contentgen_core.model.article import ArticleStatus
from contentgen_core.model.ids import ArticleId, TenantId
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.topics.picking import NEAR_DUPLICATE_WORDS
from contentgen_core.policies.topics.similarity import SAME_TOPIC_JACCARD
from contentgen_core.ports.repositories.duplicates import Duplicates, KnownArticle

_COLUMNS: Final = "a.id, a.tenant_id, a.title, a.slug, a.status, a.topic, a.language"
_SHOWN: Final = "(a.is_public OR a.is_free_generation)"
_BY_TREND: Final = (
    f'SELECT {_COLUMNS} FROM articles a WHERE a.trend_slug IS NOT NULL AND a.trend_slug COLLATE "C" = %(slug)s'
    f" AND (a.tenant_id = %(tenant_id)s OR {_SHOWN}) AND a.status <> 'failed' ORDER BY a.created_at, a.id LIMIT 1"
)
# The rule of `are_near_duplicates`, over what the index finds by the words in `probe`.
_NEAR: Final = (
    f"SELECT {_COLUMNS} FROM articles a"
    " JOIN unnest(%(languages)s::text[], %(sizes)s::int[]) AS asked (language, size) ON asked.language = a.language"
    " CROSS JOIN LATERAL (SELECT count(*)::int AS shared FROM unnest(a.topic_terms) AS own"
    " WHERE own = ANY(%(words)s::text[])) AS met"
    f" WHERE a.topic_terms && %(probe)s::text[] AND {_SHOWN} AND a.status <> 'failed' AND (met.shared >= %(enough)s"
    " OR met.shared >= %(same)s::float8 * (cardinality(a.topic_terms) + asked.size - met.shared))"
    " ORDER BY met.shared DESC, cardinality(a.topic_terms), a.created_at, a.id LIMIT 1"
)


@repository(Duplicates)
class PostgresDuplicates:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def by_free_topic(self, free_topic: str) -> KnownArticle | None:
        rows = await self._session.read(
            f"SELECT {_COLUMNS} FROM articles a WHERE a.free_topic_digest = %s", (digest(free_topic),)
        )
        return _known(rows[0]) if rows else None

    async def by_trend(self, tenant_id: TenantId, trend_slug: str) -> KnownArticle | None:
        parameters = {"slug": findable(trend_slug), "tenant_id": findable(tenant_id)}
        rows = await self._session.read(_BY_TREND, parameters)
        return _known(rows[0]) if rows else None

    async def without_words(self, limit: int) -> list[KnownArticle]:
        rows = await self._session.read(
            f"SELECT {_COLUMNS} FROM articles a WHERE a.topic_terms IS NULL AND {_SHOWN} ORDER BY a.id LIMIT %s",
            (limit,),
        )
        return [_known(row) for row in rows]

    async def save_words(self, words: Mapping[ArticleId, frozenset[str]]) -> None:
        # One after the other in the order of ids: two that save the same never wait for each other crosswise.
        for article_id in sorted(words):
            await self._session.change(
                "UPDATE articles SET topic_terms = ARRAY(SELECT language || ':' || word"
                " FROM unnest(%s::text[]) AS word) WHERE id = %s",
                (sorted(words[article_id]), findable(article_id)),
            )

    async def nearest(self, words: Mapping[Language, frozenset[str]]) -> KnownArticle | None:
        asked = {language: own for language, own in words.items() if own}
        rows = await self._session.read(
            _NEAR,
            {
                "languages": [language.value for language in asked],
                "sizes": [len(own) for own in asked.values()],
                "words": [_marked(language, word) for language, own in asked.items() for word in own],
                "probe": [_marked(language, word) for language, own in asked.items() for word in _probe(own)],
                "enough": NEAR_DUPLICATE_WORDS,
                "same": SAME_TOPIC_JACCARD,
            },
            plan_anew=True,
        )
        return _known(rows[0]) if rows else None

    async def recent(self, tenant_id: TenantId, limit: int) -> list[KnownArticle]:
        rows = await self._session.read(
            f"SELECT {_COLUMNS} FROM articles a WHERE a.tenant_id = %s AND a.status <> 'failed'"
            " ORDER BY a.created_at DESC, a.id DESC LIMIT %s",
            (findable(tenant_id), limit),
        )
        return [_known(row) for row in rows]


def _marked(language: Language, word: str) -> str:
    return f"{language.value}:{word}"


def _probe(words: frozenset[str]) -> Iterator[str]:
    """Words of which every near-duplicate has one. It shares at least so many words; leaving out one fewer leaves one
    of those, whichever they are. The shortest are left out: long words are rarer."""
    least = min(NEAR_DUPLICATE_WORDS, math.ceil(SAME_TOPIC_JACCARD * len(words)))
    yield from sorted(words, key=lambda word: (-len(word), word))[: len(words) - least + 1]


def _known(row: Row) -> KnownArticle:
    id, tenant_id, title, slug, status, topic, language = row
    return KnownArticle(id, tenant_id, title, slug, ArticleStatus(status), topic, Language(language))

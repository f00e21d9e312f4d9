"""Niches and how each tenant activated them."""

# ruff: noqa: S608 - the SQL is put together from this module's own constants; values are always parameters

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from contentgen_adapters.postgres.errors import findable
from contentgen_adapters.postgres.repository import repository
from contentgen_adapters.postgres.session import Row, Session, require
from contentgen_core.errors import AlreadyExists, NotFound
from contentgen_core.model.ids import TenantId
from contentgen_core.model.niche import Activation, Niche, NicheInUse, NichePreferences, NicheUses
from contentgen_core.model.vocabulary import Language, Tone
from contentgen_core.ports.repositories.niches import Niches

MAX_NICHES_LISTED: Final = 1_000

_NICHE: Final = "n.id, n.niche_key, n.name, n.created_at, n.tenant_id, n.description, n.icon, n.keywords"
_VISIBLE: Final = (
    f"SELECT {_NICHE}, coalesce(p.websearch_premium, true), a.tones, a.languages, a.countries, a.target_audience"
    " FROM niches n LEFT JOIN niche_activations a ON a.niche_key = n.niche_key AND a.tenant_id = %(tenant_id)s"
    " LEFT JOIN niche_preferences p ON p.niche_key = n.niche_key AND p.tenant_id = %(tenant_id)s"
    " WHERE (n.tenant_id IS NULL OR n.tenant_id = %(tenant_id)s)"
)

_USES: Final = (
    "SELECT (SELECT count(*) FROM agents WHERE tenant_id = %(tenant_id)s AND niche_key = %(niche_key)s),"
    " (SELECT coalesce(sum(articles), 0)::bigint FROM article_counts"
    " WHERE tenant_id = %(tenant_id)s AND niche_key = %(niche_key)s),"
    " coalesce(sum(c.documents), 0)::bigint, coalesce(sum(c.passages), 0)::bigint,"
    " (SELECT count(*) FROM article_schedules WHERE tenant_id = %(tenant_id)s AND niche_id = %(id)s"
    " AND next_fire_at IS NOT NULL)"
    " FROM kb_scopes s JOIN kb_document_counts c ON c.scope_id = s.id"
    " WHERE s.tenant_id = %(tenant_id)s AND s.niche_key = %(niche_key)s"
)
# What was computed of a niche is named by its key, or by that of an agent of it.
_OF_NICHE: Final = "tenant_id = %(tenant_id)s AND {named} ~ ('^' || %(niche_key)s || '(-[A-Z]{{2}})?$')"
_DELETE: Final = (
    "DELETE FROM niche_activations WHERE tenant_id = %(tenant_id)s AND niche_key = %(niche_key)s",
    "DELETE FROM niche_preferences WHERE tenant_id = %(tenant_id)s AND niche_key = %(niche_key)s",
    f"DELETE FROM topic_coverages WHERE {_OF_NICHE.format(named='area')}",
    f"DELETE FROM kb_curations WHERE {_OF_NICHE.format(named='subject')}",
    "DELETE FROM niches WHERE id = %(id)s",
)


def _niche(row: Row) -> Niche:
    id, niche_key, name, created_at, tenant_id, description, icon, keywords, *own = row
    premium, *activation = own or (True,)
    return Niche(
        id, niche_key, name, created_at, tenant_id, description, icon, tuple(keywords), _activation(activation), premium
    )


def _activation(row: list[Any]) -> Activation | None:
    if not row or row[0] is None:
        return None
    tones, languages, countries, target_audience = row
    return Activation(
        tones=tuple(Tone(tone) for tone in tones),
        languages=tuple(Language(language) for language in languages),
        countries=tuple(countries),
        target_audience=target_audience,
    )


@repository(Niches)
class PostgresNiches:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def add(self, niche: Niche) -> None:
        # One at a time for each key: the unique constraint knows of two equal keys of one tenant, or of the platform,
        # but not of a tenant's that is the platform's.
        await self._session.write(
            "SELECT pg_advisory_xact_lock(hashtextextended('niche ' || %s, 0))", (niche.niche_key,)
        )
        added = await self._session.change(
            "INSERT INTO niches (id, tenant_id, niche_key, name, description, icon, keywords, created_at)"
            " SELECT %(id)s, %(tenant_id)s, %(niche_key)s, %(name)s, %(description)s, %(icon)s, %(keywords)s::text[],"
            " %(created_at)s"
            " WHERE NOT EXISTS (SELECT FROM niches WHERE niche_key = %(niche_key)s AND tenant_id IS NULL)"
            " ON CONFLICT ON CONSTRAINT niches_key_unique DO NOTHING",
            {
                "id": niche.id,
                "tenant_id": niche.tenant_id,
                "niche_key": niche.niche_key,
                "name": niche.name,
                "description": niche.description,
                "icon": niche.icon,
                "keywords": list(niche.keywords),
                "created_at": niche.created_at,
            },
        )
        if not added:
            raise AlreadyExists(f"There is a niche with the key {niche.niche_key!r} already.")

    async def get(self, tenant_id: TenantId, id_or_key: str) -> Niche:
        # An id goes before a key, and a tenant's own niche before the platform's of the same key.
        rows = await self._session.read(
            f"{_VISIBLE} AND (n.id = %(id_or_key)s OR n.niche_key = %(id_or_key)s)"
            " ORDER BY n.id = %(id_or_key)s DESC, n.tenant_id IS NULL LIMIT 1",
            {"tenant_id": findable(tenant_id), "id_or_key": findable(id_or_key)},
        )
        [row] = require(rows, "niche", id_or_key)
        return _niche(row)

    async def find_preconfigured(self, niche_key: str) -> Niche | None:
        rows = await self._session.read(
            f"SELECT {_NICHE} FROM niches n WHERE niche_key = %s AND tenant_id IS NULL", (findable(niche_key),)
        )
        return _niche(rows[0]) if rows else None

    async def _by_name(self, tenant_id: TenantId, query: str) -> list[Niche]:
        rows = await self._session.read(
            f"{query} ORDER BY n.name, n.id LIMIT {MAX_NICHES_LISTED}", {"tenant_id": findable(tenant_id)}
        )
        return [_niche(row) for row in rows]

    async def list(self, tenant_id: TenantId) -> list[Niche]:
        return await self._by_name(tenant_id, _VISIBLE)

    async def activated(self, tenant_id: TenantId) -> Sequence[Niche]:
        return await self._by_name(tenant_id, f"{_VISIBLE} AND a.tones IS NOT NULL")

    async def count_custom(self, tenant_id: TenantId) -> int:
        rows = await self._session.read("SELECT count(*) FROM niches WHERE tenant_id = %s", (findable(tenant_id),))
        return int(rows[0][0])

    async def save(self, niche: Niche) -> None:
        changed = await self._session.change(
            "UPDATE niches SET name = %s, description = %s, icon = %s WHERE id = %s AND tenant_id = %s",
            (niche.name, niche.description, niche.icon, niche.id, niche.tenant_id),
        )
        require(changed, "niche", niche.id)

    async def lock(self, tenant_id: TenantId, niche_key: str) -> None:
        # Only a tenant's own can be deleted. Of the others no row is locked: every tenant would write to it.
        own = "SELECT 1 FROM niches WHERE tenant_id = %s AND niche_key = %s FOR KEY SHARE"
        if await self._session.write(own, (findable(tenant_id), findable(niche_key))):
            return
        if await self.find_preconfigured(niche_key) is None:
            raise NotFound("niche", niche_key)

    async def delete(self, niche: Niche) -> None:
        named = {"id": niche.id, "tenant_id": niche.tenant_id, "niche_key": niche.niche_key}
        # Waits for whoever holds it: what they stored is there for the next statement to count.
        own = "SELECT 1 FROM niches WHERE id = %(id)s AND tenant_id = %(tenant_id)s FOR UPDATE"
        require(await self._session.write(own, named), "niche", niche.id)
        uses = NicheUses(*(await self._session.read(_USES, named))[0])
        if uses:
            raise NicheInUse(niche.niche_key, uses)
        for statement in _DELETE:
            await self._session.change(statement, named)

    async def preferences(self, tenant_id: TenantId, niche_key: str) -> NichePreferences:
        rows = await self._session.read(
            "SELECT websearch_premium, settings::text, ai_mark FROM niche_preferences"
            " WHERE tenant_id = %s AND niche_key = %s",
            (findable(tenant_id), findable(niche_key)),
        )
        return NichePreferences(rows[0][0], msgspec.json.decode(rows[0][1]), rows[0][2]) if rows else NichePreferences()

    async def set_preferences(self, tenant_id: TenantId, niche_key: str, preferences: NichePreferences) -> None:
        await self._session.change(
            "INSERT INTO niche_preferences (tenant_id, niche_key, websearch_premium, settings, ai_mark)"
            " VALUES (%s, %s, %s, %s, %s) ON CONFLICT (tenant_id, niche_key) DO UPDATE SET"
            " websearch_premium = excluded.websearch_premium, settings = excluded.settings, ai_mark = excluded.ai_mark",
            (
                tenant_id,
                niche_key,
                preferences.websearch_premium,
                msgspec.json.encode(preferences.settings).decode(),
                preferences.ai_mark,
            ),
        )

    async def set_activation(self, tenant_id: TenantId, niche: Niche, activation: Activation | None) -> None:
        if activation is None:
            await self._session.change(
                "DELETE FROM niche_activations WHERE tenant_id = %s AND niche_key = %s", (tenant_id, niche.niche_key)
            )
            return
        await self._session.change(
            "INSERT INTO niche_activations (tenant_id, niche_key, tones, languages, countries, target_audience)"
            " VALUES (%s, %s, %s, %s, %s, %s) ON CONFLICT (tenant_id, niche_key) DO UPDATE SET tones = excluded.tones,"
            " languages = excluded.languages, countries = excluded.countries,"
            " target_audience = excluded.target_audience",
            (
                tenant_id,
                niche.niche_key,
                [tone.value for tone in activation.tones],
                [language.value for language in activation.languages],
                list(activation.countries),
                activation.target_audience,
            ),
        )

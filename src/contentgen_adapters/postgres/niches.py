"""Niches and how each tenant activated them."""

# ruff: noqa: S608 - the SQL is put together from this module's own constants; values are always parameters

from __future__ import annotations

from typing import Any, Final

from contentgen_adapters.postgres.errors import findable
from contentgen_adapters.postgres.session import Row, Session
from contentgen_core.errors import AlreadyExists, NotFound
from contentgen_core.model.ids import TenantId
from contentgen_core.model.niche import Activation, Niche
from contentgen_core.model.vocabulary import Language, Tone

MAX_NICHES_LISTED: Final = 1_000

_NICHE: Final = "n.id, n.niche_key, n.name, n.created_at, n.tenant_id, n.description, n.icon, n.keywords"
_VISIBLE: Final = (
    f"SELECT {_NICHE}, a.tones, a.languages, a.countries, a.target_audience FROM niches n"
    " LEFT JOIN niche_activations a ON a.niche_key = n.niche_key AND a.tenant_id = %(tenant_id)s"
    " WHERE (n.tenant_id IS NULL OR n.tenant_id = %(tenant_id)s)"
)


def _niche(row: Row) -> Niche:
    id, niche_key, name, created_at, tenant_id, description, icon, keywords, *activation = row
    return Niche(
        id, niche_key, name, created_at, tenant_id, description, icon, tuple(keywords), _activation(activation)
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
        if not rows:
            raise NotFound("niche", id_or_key)
        return _niche(rows[0])

    async def find_preconfigured(self, niche_key: str) -> Niche | None:
        rows = await self._session.read(
            f"SELECT {_NICHE} FROM niches n WHERE niche_key = %s AND tenant_id IS NULL", (findable(niche_key),)
        )
        return _niche(rows[0]) if rows else None

    async def list(self, tenant_id: TenantId) -> list[Niche]:
        rows = await self._session.read(
            f"{_VISIBLE} ORDER BY n.name, n.id LIMIT {MAX_NICHES_LISTED}", {"tenant_id": findable(tenant_id)}
        )
        return [_niche(row) for row in rows]

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

"""What another tenant owns does not exist: asked of every operation of the interface description that takes an id.

The operations and the places of their ids come from the description, so a new one cannot escape."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Any

import httpx
import pytest

from contentgen_adapters.memory.common_tables import TENANTS
from contentgen_adapters.memory.repositories.articles import MemoryArticles
from contentgen_adapters.memory.repositories.documents import MemoryDocuments
from contentgen_adapters.memory.repositories.enrichments import MemoryEnrichments
from contentgen_adapters.memory.unit_of_work import MemoryUnitOfWork
from contentgen_core.errors import NotFound
from contentgen_core.model.ids import TenantId
from contentgen_core.model.tenant import PlanName
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_http.routes import understanding
from tests.contract.isolation import (
    ALONG,
    BY_PLATFORM_ADMINS,
    DROPPED,
    FILTER,
    FOR_PLATFORM_ADMINS,
    FORMS,
    INSTEAD,
    KINDS,
    MAY_BE_ABSENT,
    NO_REFERENCES,
    OTHERWISE,
    PLAIN,
    RECIPES,
    REFUSED,
    SHOWN,
    Tenancy,
    kind_of,
    tenancy,
)
from tests.contract.rows import Rows, Snapshot, rows_in_memory
from tests.support.http import Api, open_api, problem_of
from tests.support.references import Described, Reference, placed, tenant_operations

NOBODYS = "01957fd5-0f80-7000-8000-00000000dead"
PLACEHOLDER = re.compile(r"\{(\w+)\}")


async def described(api: Api) -> list[Described]:
    return list(tenant_operations((await api.call("GET", "/openapi.json", key=None)).json()))


async def test_every_id_of_every_operation_is_known_to_this_test() -> None:
    async with open_api() as api:
        operations = await described(api)
    references = {
        str(reference): (operation, reference) for operation in operations for reference in operation.references
    }
    unknown = [
        f"{name}: say in tests/contract/isolation.py what it names (a line in KINDS, and in RECIPES how one is made), "
        "or in NO_REFERENCES why it names nothing of a tenant"
        for name, (operation, reference) in references.items()
        if name not in NO_REFERENCES and kind_of(operation, reference) is None
    ]
    assert not unknown, "\n".join(unknown)
    assert set(KINDS.values()) <= set(RECIPES)
    for listed in (NO_REFERENCES, OTHERWISE, ALONG, INSTEAD):
        assert set(listed) <= set(references), "an entry whose operation is gone"
    assert len(references) > 30


@pytest.mark.parametrize("platform_admin", [False, True], ids=["a_tenant", "a_platform_admin"])
async def test_another_tenants_id_is_not_found_and_changes_nothing(
    stored: tuple[UnitOfWork, Snapshot], platform_admin: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(understanding, "STREAM_SECONDS", 0.5)  # else the one stream that opens is waited for
    await _check(*stored, platform_admin)


@pytest.mark.parametrize(
    ("repository", "method"), [(MemoryArticles, "get"), (MemoryDocuments, "get"), (MemoryEnrichments, "get")]
)
async def test_a_way_in_would_be_found(monkeypatch: pytest.MonkeyPatch, repository: type, method: str) -> None:
    memory = MemoryUnitOfWork()
    closed = getattr(repository, method)

    async def open_to_all(self: Any, tenant_id: TenantId, id: str, *more: Any) -> Any:
        for tenant in self._session[TENANTS].rows():
            with suppress(NotFound):
                return await closed(self, tenant.id, id, *more)
        raise NotFound("anything", id)

    monkeypatch.setattr(repository, method, open_to_all)
    with pytest.raises(AssertionError, match=r"(GET|PATCH) /"):
        await _check(memory, lambda: rows_in_memory(memory), False)


async def _check(data: UnitOfWork, snapshot: Snapshot, platform_admin: bool) -> None:
    async with open_api(PlanName.BUSINESS, data=data) as api:
        house = api.house
        made = await house.services.people.tenants.create("Curious", PlanName.BUSINESS, platform_admin=platform_admin)
        await house.activate(made.caller)
        owner = await tenancy(api, house.caller, "Quicksilver")
        curious = await tenancy(api, made.caller, "Curiosities")
        asked = [
            (operation, reference)
            for operation in await described(api)
            for reference in operation.references
            if str(reference) not in NO_REFERENCES
        ]
        for operation, reference in asked:  # everything is there before anybody looks
            for tenant in (owner, curious):
                await _filled(tenant, operation, reference)
        before = await snapshot()
        for operation, reference in sorted(asked, key=lambda each: str(each[1]) in BY_PLATFORM_ADMINS):
            before = await _intrude(operation, reference, owner, curious, snapshot, before)
        for operation in await described(api):
            if operation.method == "GET" and not operation.references and "application/json" in operation.media:
                answer = await api.call("GET", operation.path, key=curious.key)
                assert not _told(answer, owner), operation.name
        for operation, reference in sorted(asked, key=lambda each: _is_last(each[0])):
            await _control(operation, reference, curious)


async def _intrude(
    operation: Described, reference: Reference, owner: Tenancy, curious: Tenancy, snapshot: Snapshot, before: Rows
) -> Rows:
    kind = kind_of(operation, reference)
    assert kind is not None, f"{reference}: see the test above"
    theirs = await owner.id_of(kind)
    answer = await _ask(operation, reference, theirs, curious)
    after = await snapshot()
    otherwise = OTHERWISE.get(str(reference))
    if str(reference) in BY_PLATFORM_ADMINS and curious.caller.platform_admin:
        otherwise = SHOWN
    match otherwise:
        case None if str(reference) in FOR_PLATFORM_ADMINS and answer.status_code == 403:
            assert problem_of(answer)["code"] == "not_permitted", reference
        case None:
            assert answer.status_code == 404, f"{reference}: {answer.status_code} {answer.text}"
            assert problem_of(answer)["code"] == "not_found", reference
        case _ if otherwise == FILTER:
            assert answer.status_code == 200, f"{reference}: {answer.text}"
        case _ if otherwise == SHOWN:
            assert answer.status_code == 200, f"{reference}: {answer.text}"
            assert not _told(answer, owner, but=theirs), reference
            return after
        case _ if otherwise == REFUSED:
            assert answer.status_code == 400, f"{reference}: {answer.status_code} {answer.text}"
            assert reference.name in problem_of(answer)["errors"][0]["field"], f"{reference}: {answer.text}"
        case _:
            assert otherwise == DROPPED
            assert answer.status_code < 500, f"{reference}: {answer.text}"
            assert "quicksilver thermometers" not in answer.text, reference
            changed = [row for row in before - after if curious.caller.tenant_id not in row[1]]
            assert not changed, f"{reference} changed {changed}"
            return after
    nobodys = {"niche key": "nobodys", "agent key": "nobodys-GB", "source": f"{NOBODYS}#0"}.get(kind, NOBODYS)
    unknown = await _ask(operation, reference, nobodys, curious)
    assert _likeness(answer, theirs) == _likeness(unknown, nobodys), f"{reference}: it looks different from nobody's"
    assert not _told(answer, owner, but=theirs), reference
    assert before == after, f"{reference} changed {(before - after) + (after - before)}"
    return after


async def _control(operation: Described, reference: Reference, curious: Tenancy) -> None:
    """The same request with an id of one's own gets further: what was refused was the id."""
    if str(reference) in OTHERWISE:
        return
    kind = kind_of(operation, reference)
    assert kind is not None
    answer = await _ask(operation, reference, await curious.id_of(kind), curious)
    wrong = {400, 401, 405, 415, 500, 503} | (set() if operation.name in MAY_BE_ABSENT else {404})
    assert answer.status_code not in wrong, f"{reference}: {answer.status_code} {answer.text}"


async def _ask(operation: Described, reference: Reference, value: str, curious: Tenancy) -> httpx.Response:
    """The description's own example, with this value in that place and the caller's own things in all others."""
    path, body = await _filled(curious, operation, reference)
    where, _, name = reference.place.partition(".")
    more: dict[str, Any] = {}
    if where == "path":
        path = path.replace(f"{{{name}}}", value)
    elif operation.name in FORMS:
        more["files"] = {**FORMS[operation.name], name: (None, value)}
    elif where == "query":
        more["params"] = {**operation.required, name: value}
    else:
        body = placed(body or {}, name, value, many=reference.name.endswith("Ids"))
    return await curious.api.call(operation.method, path, body, key=curious.key, **more)


async def _filled(tenant: Tenancy, operation: Described, reference: Reference) -> tuple[str, dict[str, Any] | None]:
    """Path and body with the tenant's own ids everywhere but in one place of the path. Makes what it names."""
    kind = kind_of(operation, reference)
    assert kind is not None, f"{reference}: see the test above"
    await tenant.id_of(kind)
    path, body = operation.path, operation.example
    for name, value in PLAIN.items():
        path = path.replace(f"{{{name}}}", value)
    if body is not None:
        body = body | dict(ALONG.get(str(reference), {}))
        body = {name: value for name, value in body.items() if name != INSTEAD.get(str(reference))}
    for other in operation.references:
        where, _, name = other.place.partition(".")
        other_kind = kind_of(operation, other)
        if other == reference or other_kind is None:
            continue
        if where == "path":
            path = path.replace(f"{{{name}}}", await tenant.id_of(other_kind))
        elif body is not None and name in body:
            body = body | {name: await tenant.id_of(other_kind)}
    if body is not None and ".plan." in reference.place:
        article = await tenant.call("GET", f"/writer/{await tenant.id_of('article')}")
        body = body | {"plan": article["plan"] | {"faq": [{"question": "Why?", "sourceIds": []}]}}
    return path, body


def _is_last(operation: Described) -> int:
    """What takes away what others need comes at the end."""
    if operation.name == "DELETE /writer/{id}":  # with its comments
        return 3
    return 2 if operation.method == "DELETE" else 1 if operation.path.endswith("/deactivate") else 0


def _told(answer: httpx.Response, owner: Tenancy, but: str = "") -> set[str]:
    """Ids of the owner's that an answer shows, besides the one that it was asked for."""
    return {id for id in owner.ids | {owner.caller.tenant_id} if id != but and id not in but and id in answer.text}


def _likeness(answer: httpx.Response, id: str) -> tuple[int, str]:
    text = re.sub(r'"requestId":"[^"]*"', "", answer.text)
    return answer.status_code, text.replace(id, "…")

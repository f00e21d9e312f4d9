"""How the test of isolation makes what an id can name, and which answers other than 404 are right.

A new operation whose ids are named like those of the others needs nothing here. Another kind of thing needs one line in
KINDS and a recipe; an operation that rightly answers something else needs one line in OTHERWISE."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from itertools import count
from typing import Any, Final

from attrs import define, field

from contentgen_adapters.memory.publishing import TOKEN
from contentgen_core.model.article_comment import ArticleComment
from contentgen_core.model.article_update import ArticleUpdate
from contentgen_core.model.execution import ExecutionStatus
from contentgen_core.model.freshness import SentenceState, StaleSentence
from contentgen_core.model.ids import AgentId, ArticleCommentId, ArticleId, ArticleLinkId, ArticleUpdateId, ExecutionId
from contentgen_core.model.tenant import Caller
from contentgen_core.model.webhook import WebhookEvent, WebhookEventType, WebhookMessage
from contentgen_core.ports.repositories.article_comments import ArticleComments
from contentgen_core.ports.repositories.article_links import ArticleLinks
from contentgen_core.ports.repositories.article_updates import ArticleUpdates
from contentgen_core.ports.repositories.executions import Executions
from contentgen_core.ports.repositories.webhooks import WebhookMessages
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from tests.support.article_links import article_link
from tests.support.conflicts import given_conflict
from tests.support.http import Api
from tests.support.references import Described, Reference

TOPIC: Final = "Noise limits for a heat pump in terraced houses"
_numbers = count()


@define
class Tenancy:
    """A tenant with a niche of its own, and what was made for it so far."""

    api: Api
    caller: Caller
    key: str
    niche_key: str = ""
    _made: dict[str, str] = field(factory=dict)

    async def call(self, method: str, path: str, body: object = None, **more: Any) -> Any:
        answer = await self.api.call(method, path, body, key=self.key, **more)
        assert answer.status_code == 200, f"{method} {path}: {answer.text}"
        return answer.json()

    async def id_of(self, kind: str) -> str:
        """Of the one thing of this kind; it is made when it is first asked for."""
        if kind not in self._made:
            self._made[kind] = await RECIPES[kind](self)
        return self._made[kind]

    @property
    def ids(self) -> set[str]:
        """Those that nobody else may be told."""
        return {id for kind, id in self._made.items() if kind not in SHARED}


async def tenancy(api: Api, caller: Caller, niche: str) -> Tenancy:
    made = Tenancy(api, caller, await api.key_of(caller))
    created = await made.call("POST", "/niches", {"name": niche})
    made.niche_key = created["nicheKey"]
    activation = {"tones": ["casual"], "languages": ["en"], "countries": ["GB"]}
    await made.call("POST", f"/niches/{created['id']}/activate", activation)
    return made


async def _article(of: Tenancy) -> str:
    return await _planned(of)


async def _planned(of: Tenancy) -> str:
    plan = {"agentKey": f"{of.niche_key}-GB", "topic": f"{TOPIC}, part {next(_numbers)}", "allowLowCoverage": True}
    id: str = (await of.call("POST", "/writer/generate-plan", plan))["articleId"]
    return id


async def _niche(of: Tenancy) -> str:
    id: str = (await of.call("GET", f"/niches/{of.niche_key}"))["id"]
    return id


async def _niche_key(of: Tenancy) -> str:
    return of.niche_key


async def _agent(of: Tenancy) -> str:
    agents = (await of.call("GET", f"/agents?nicheKey={of.niche_key}"))["agents"]
    id: str = next(agent["id"] for agent in agents if not agent["system"])
    return id


async def _agent_key(of: Tenancy) -> str:
    return f"{of.niche_key}-GB"


async def _document(of: Tenancy) -> str:
    content = f"# Notes\n\nHeat pumps and {next(_numbers)} quicksilver thermometers.".encode()
    id: str = (await of.call("POST", "/documents/upload", files={"file": ("notes.md", content)}))["id"]
    await of.api.house.work()
    return id


async def _task(of: Tenancy) -> str:
    topic = {"agentKey": f"{of.niche_key}-GB", "topic": TOPIC, "nicheLabel": "Heat pump"}
    id: str = (await of.call("POST", "/writer/enrich-kb-topic", topic))["taskId"]
    return id


async def _execution(of: Tenancy) -> str:
    id = ExecutionId(of.api.house.services.ports.ids.new())
    run = builders.execution(
        id=id,
        tenant_id=of.caller.tenant_id,
        agent_id=AgentId(await of.id_of("agent")),
        created_by=of.caller.user_id,
        job_id=None,
        status=ExecutionStatus.COMPLETED,
    )
    async with of.api.house.services.ports.unit_of_work() as tx:
        await tx[Executions].add(run)
    return run.id


async def _api_key(of: Tenancy) -> str:
    id: str = (await of.call("POST", "/account/keys", {"name": "Spare"}))["id"]
    return id


async def _member(of: Tenancy) -> str:
    return of.caller.user_id


async def _integration(of: Tenancy) -> str:
    memory = {"provider": "memory", "name": "Blog", "credentials": {"token": TOKEN, "blog": "heat"}}
    id: str = (await of.call("POST", "/integrations", memory))["integration"]["id"]
    return id


async def _publication(of: Tenancy) -> str:
    post = {"title": "Heat", "content": "Heat moves."}
    path = f"/integrations/{await of.id_of('integration')}/publish"
    id: str = (await of.call("POST", path, post))["publication"]["id"]
    return id


async def _translation(of: Tenancy) -> str:
    text = {"text": "A heat pump moves heat.", "targetLanguage": "fr"}
    id: str = (await of.call("POST", "/translate", text))["translationId"]
    return id


async def _source(of: Tenancy) -> str:
    return f"{await of.id_of('document')}#0"


async def _voice(of: Tenancy) -> str:
    voice = {"name": "House style", "language": "en", "guide": "Plain words."}
    id: str = (await of.call("POST", "/voices", voice))["id"]
    return id


async def _synced_source(of: Tenancy) -> str:
    niche = await of.id_of("niche key")
    source = {"kind": "pages", "name": "Rules", "place": "https://web.example.org/noise", "nicheKey": niche}
    id: str = (await of.call("POST", "/sources", source))["id"]
    return id


async def _update(of: Tenancy) -> str:
    changes = (StaleSentence(0, "It pays 4.", SentenceState.GONE, 1, "It pays 4.", proposal=""),)
    article = ArticleId(await of.id_of("article"))
    id = ArticleUpdateId(of.api.house.services.ports.ids.new())
    update = ArticleUpdate(id, of.caller.tenant_id, article, of.niche_key, "Heat", 9, changes, MOMENT)
    async with of.api.house.services.ports.unit_of_work() as tx:
        await tx[ArticleUpdates].add(update)
    return id


async def _conflict(of: Tenancy) -> str:
    await of.call("POST", f"/kb/{of.niche_key}/conflicts/run")
    return await given_conflict(of.api.house, of.caller.tenant_id, of.niche_key)


async def _link(of: Tenancy) -> str:
    id, article = ArticleLinkId(of.api.house.services.ports.ids.new()), ArticleId(await of.id_of("article"))
    async with of.api.house.services.ports.unit_of_work() as tx:
        await tx[ArticleLinks].add(article_link(id, of.caller.tenant_id, article))
    return id


async def _webhook(of: Tenancy) -> str:
    webhook = {"name": "Our receiver", "url": "https://hooks.example.org/contentgen"}
    id: str = (await of.call("POST", "/webhooks", webhook))["id"]
    return id


async def _webhook_message(of: Tenancy) -> str:
    await of.id_of("webhook")
    event = WebhookEvent(of.caller.tenant_id, WebhookEventType.ARTICLE_GENERATED, MOMENT, {"of": of.niche_key})
    async with of.api.house.services.ports.unit_of_work() as tx:
        await tx[WebhookMessages].record(event)
    return WebhookMessage.of(event).id


async def _index_now_site(of: Tenancy) -> str:
    id: str = (await of.call("POST", "/index-now", {"site": "https://heat.example.org"}))["id"]
    return id


async def _search_entry(of: Tenancy) -> str:
    head = "Query,Clicks,Impressions,Position\n"
    form = {
        "file": ("Queries.csv", f"{head}vintage tractor gearbox,0,900,12\n".encode()),
        "nicheKey": (None, of.niche_key),
    }
    await of.call("POST", "/search-queries/import", files=form | FORMS["POST /search-queries/import"] | form)
    await of.api.house.work()
    id: str = (await of.call("GET", f"/search-queries/queues?nicheKey={of.niche_key}"))["entries"][0]["id"]
    return id


async def _comment(of: Tenancy) -> str:
    article = ArticleId(await of.id_of("article"))
    id = ArticleCommentId(of.api.house.services.ports.ids.new())
    comment = ArticleComment(id, of.caller.tenant_id, article, "It moves.", "Who says?", of.caller.user_id, MOMENT)
    async with of.api.house.services.ports.unit_of_work() as tx:
        await tx[ArticleComments].add(comment)
    return id


async def _review(of: Tenancy) -> str:
    review = {"rating": 5, "title": "Sound", "comment": "It cites its sources."}
    id: str = (await of.call("POST", "/reviews", review))["id"]
    return id


RECIPES: Final[Mapping[str, Callable[[Tenancy], Awaitable[str]]]] = {
    "article": _article,
    "niche": _niche,
    "niche key": _niche_key,
    "agent": _agent,
    "agent key": _agent_key,
    "document": _document,
    "enrichment": _task,
    "execution": _execution,
    "API key": _api_key,
    "member": _member,
    "integration": _integration,
    "publication": _publication,
    "source": _source,
    "translation": _translation,
    "review": _review,
    "voice": _voice,
    "synced source": _synced_source,
    "update": _update,
    "conflict": _conflict,
    "search entry": _search_entry,
    "link": _link,
    "IndexNow site": _index_now_site,
    "comment": _comment,
    "webhook": _webhook,
    "webhook message": _webhook_message,
}

# What an id names, by its place: `/first/segments/{id}` for a path's own, else the name of the parameter or field.
KINDS: Final = {
    "/writer/{id}": "article",
    "/articles/{id}": "article",
    "/niches/{id}": "niche",
    "/agents/{id}": "agent",
    "/documents/{id}": "document",
    "/account/keys/{id}": "API key",
    "/team/{id}": "member",
    "/integrations/{id}": "integration",
    "/publications/{id}": "publication",
    "/translate/{id}": "translation",
    "/reviews/{id}": "review",
    "/voices/{id}": "voice",
    "/sources/{id}": "synced source",
    "/article-updates/{id}": "update",
    "/search-queries/queues/{id}": "search entry",
    "/kb/{nicheKey}/conflicts/{id}": "conflict",
    "/kb/documents/{id}": "document",
    "/article-links/{id}": "link",
    "/index-now/{id}": "IndexNow site",
    "/article-comments/{id}": "comment",
    "/webhooks/{id}": "webhook",
    "messageId": "webhook message",
    "executionId": "execution",
    "voiceId": "voice",
    "integrationId": "integration",
    "articleId": "article",
    "taskId": "enrichment",
    "nicheId": "niche",
    "nicheKey": "niche key",
    "agentKey": "agent key",
    "documentId": "document",
    "documentIds": "document",
    "userId": "member",
    "userIds": "member",
    "parentId": "document",
    "sourceIds": "source",
    "publicationIds": "publication",
}

# Named like ids, but nothing that belongs to anybody.
NO_REFERENCES: Final = {
    "GET /agents/events query.lastEventId": "a position in the stream of whoever asks",
    "GET /articles/{id}/versions/{number} path.number": "a number among the versions of the article, from 1",
    "GET /articles/{id}/versions/{number}/diff path.number": "a number among the versions of the article, from 1",
    "POST /articles/{id}/versions/{number}/restore path.number": "a number among the versions of the article, from 1",
    "GET /integrations/providers/{provider}/options path.provider": "a kind of target, which is everybody's",
}
PLAIN: Final = {"provider": "memory", "number": "1"}
"""Values of those among them that an address needs."""

FILTER: Final = "a filter that finds nothing"
DROPPED: Final = "left out, and the request is done without it"
SHOWN: Final = "something that all users of the platform see: found, and nothing of its tenant is told"
REFUSED: Final = "refused as invalid, whoever it belongs to"
OTHERWISE: Final = {
    "GET /articles query.nicheKey": FILTER,
    "GET /agents query.nicheKey": FILTER,
    "POST /writer/generate body.agentKey": REFUSED,
    "POST /writer/generate-plan body.coverageSources[].parentId": DROPPED,
    "POST /writer/forecast-plan body.plan.sections[].sourceIds": REFUSED,
    "POST /writer/forecast-plan body.plan.faq[].sourceIds": REFUSED,
    "POST /writer/generate-from-plan body.plan.sections[].sourceIds": REFUSED,
    "POST /writer/generate-from-plan body.plan.faq[].sourceIds": REFUSED,
    "POST /reviews/{id}/helpful path.id": SHOWN,
}

# What belongs to the platform: its ids are no secret, and platform administrators take it away, whoever made it.
SHARED: Final = {"review"}
BY_PLATFORM_ADMINS: Final = {"DELETE /reviews/{id} path.id"}

# Whoever is no platform administrator is told so before anybody looks for the thing.
FOR_PLATFORM_ADMINS: Final = {"POST /writer/{id}/auto-image path.id"}

# What may be absent of a thing that is there: an article that nobody has written yet has no receipt, no evidence,
# and no version; a niche for which nobody has chosen one no refresh policy.
MAY_BE_ABSENT: Final = {
    "GET /writer/{id}/grounding",
    "GET /articles/{id}/evidence",
    "GET /articles/{id}/versions/{number}",
    "GET /articles/{id}/versions/{number}/diff",
    "POST /articles/{id}/versions/{number}/restore",
    "GET /niches/{id}/refresh",
    "DELETE /agents/{id}/budget",
    "DELETE /niches/{id}/refresh",
    "POST /niches/{id}/refresh/run",
    "POST /niches/{id}/search-demand/look",
    "DELETE /niches/{id}/search-console",
}

# What must be said along with a field for it to count, beside the example of the description.
ALONG: Final[Mapping[str, Mapping[str, Any]]] = {
    "POST /writer/generate-plan body.documentIds": {"privateDocsMode": "manual"},
    "POST /writer/generate-plan body.coverageSources[].parentId": {
        "coverageSources": [{"parentId": "", "chunkIndex": 0}],
        "allowLowCoverage": True,
    },
}

# What the example of the description says that a field takes the place of.
INSTEAD: Final = {
    "POST /translate body.documentId": "text",
    "POST /grounding/verify body.documentIds": "sources",
    "POST /grounding/verify body.nicheKey": "sources",
}

# The other parts of forms: a file, and fields that it needs.
FORMS: Final[Mapping[str, Mapping[str, Any]]] = {
    "POST /search-queries/import": {
        "file": ("Queries.csv", b"Query,Clicks\nheat pump noise,4\n"),
        "start": (None, "2025-10-01"),
        "end": (None, "2025-10-28"),
    },
}


def kind_of(operation: Described, reference: Reference) -> str | None:
    """None when nobody has said what it names."""
    if reference.place == "path.id":
        return KINDS.get(operation.path[: operation.path.index("{id}") + len("{id}")])
    return KINDS.get(reference.name)

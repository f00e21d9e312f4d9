"""The whole product over memory, with a tenant, a filled niche, and a clock and a model that the test holds."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta

import httpx
from attrs import define, evolve

from contentgen_adapters.documents.uploads import ThreadUploadReader
from contentgen_adapters.embeddings.hashed import HashedEmbedder
from contentgen_adapters.images.catalog import SETTINGS as IMAGES
from contentgen_adapters.memory.images import MemoryImages
from contentgen_adapters.memory.publishing import MemoryTarget, MemoryTargets
from contentgen_adapters.memory.webhook_sender import MemoryWebhookSender
from contentgen_adapters.shared.outgoing.guard import AddressGuard
from contentgen_adapters.shared.processes.pool import ProcessPool
from contentgen_adapters.sources.catalog import source_readers
from contentgen_adapters.sources.provider import Surroundings
from contentgen_adapters.web_search.catalog import SETTINGS
from contentgen_core.model.article import Article, ArticleStatus
from contentgen_core.model.budget import WritingCosts
from contentgen_core.model.ids import ArticleId
from contentgen_core.model.job import Job, JobKind
from contentgen_core.model.knowledge import KbScope
from contentgen_core.model.tenant import Caller, PlanName
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.batched_model import BatchedModel
from contentgen_core.ports.documents import SourceText
from contentgen_core.ports.images import ConfiguredImageSearch, Picture
from contentgen_core.ports.knowledge_base import Embedder
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.ports.web_search import ConfiguredWebSearches
from contentgen_core.services import CoreServices, Options
from contentgen_core.testing.runtime import ManualClock, SequentialIds
from contentgen_core.use_cases.niches.manage_niches import ActivateNicheCommand
from contentgen_grounded.bootstrap.memory import memory_ports
from contentgen_http.services import Services
from contentgen_http.telemetry.telemetry import Telemetry
from tests.support.apart import Apart
from tests.support.scripted_model import ScriptedModel
from tests.support.scripted_web import ScriptedWeb

NICHE = "home-energy"
AGENT = "home-energy-GB"
COVERED = "Heat pump efficiency in winter"
ALL_JOBS = frozenset(JobKind)
SECRET = b"a secret of the tests, 32 bytes."
OPTIONS = Options(publish_wait=0.0)

SOURCES = tuple(
    SourceText(f"https://kb.example.org/{n}", title, text, f"https://kb.example.org/{n}", Language.EN)
    for n, (title, text) in enumerate(
        (
            ("Heat pump efficiency", "A heat pump moves heat from outside air into a house. Its efficiency in winter "
             "depends on the outdoor temperature. A well sized heat pump keeps an efficiency of 3 in a mild winter."),
            ("Heat pumps in winter", "In winter a heat pump defrosts its outdoor unit from time to time. Defrosting "
             "costs some efficiency. Low flow temperatures raise the efficiency of every heat pump in winter."),
            ("Sizing heat pumps", "The size of a heat pump follows the heat loss of the house. An oversized heat pump "
             "cycles, which lowers its efficiency. Insulation comes first, the heat pump for winter second."),
            ("Winter heating costs", "Heating costs in winter fall when the efficiency of the heat pump rises. Night "
             "tariffs make a heat pump cheaper to run in winter."),
            ("Solar panels", "Solar panels turn daylight into electricity. A south roof yields most over a year."),
        )
    )
)  # fmt: skip


PICTURES = tuple(
    Picture(
        address=f"https://pictures.example.org/{n}.jpg",
        provider="memory",
        provider_name="Sample Pictures",
        provider_url="https://pictures.example.org/?utm_source=contentgen",
        photographer=photographer,
        photographer_url=f"https://pictures.example.org/people/{n}",
        page_url=f"https://pictures.example.org/photos/{n}",
        alt=alt,
        tracking=f"https://pictures.example.org/photos/{n}/download",
    )
    for n, (photographer, alt) in enumerate(
        (("Ada Ohm", "Heat pump efficiency in the winter snow"), ("Bo Volt", "A heat pump efficiency label, winter"))
    )
)


@define
class House:
    services: Services
    model: ScriptedModel
    web: ScriptedWeb
    clock: ManualClock
    caller: Caller
    target: MemoryTarget
    images: MemoryImages
    webhooks: MemoryWebhookSender

    async def other_tenant(self, plan: PlanName = PlanName.PRO) -> Caller:
        made = await self.services.people.tenants.create("Another", plan)
        await self.activate(made.caller)
        return made.caller

    async def activate(self, caller: Caller) -> None:
        await self.services.agents.niches.activate(
            ActivateNicheCommand(caller, NICHE, ("professional",), ("en",), ("GB",))
        )

    def on_plan(self, plan: PlanName) -> Caller:
        """The caller as it would be on another plan."""
        return evolve(self.caller, plan=plan)

    async def claim(self, worker: str = "w1", lease_seconds: float = 30) -> list[Job]:
        now = self.clock.now()
        async with self.services.ports.unit_of_work() as tx:
            return await tx[Jobs].claim(worker, ALL_JOBS, now, now + timedelta(seconds=lease_seconds), 100)

    async def work(self, worker: str = "w1") -> int:
        """Run what is due once, one job after the other."""
        jobs = await self.claim(worker)
        for job in jobs:
            await self.services.handlers[job.kind](job)
        return len(jobs)

    async def article(self, article_id: ArticleId) -> Article:
        return await self.services.writing.articles.one(self.caller, article_id)

    async def status(self, article_id: ArticleId) -> ArticleStatus:
        return (await self.article(article_id)).status

    async def articles_used(self) -> int:
        from contentgen_core.model.tenant import Quota

        return (await self.services.people.tenant.quotas(self.caller))[Quota.ARTICLES].used


@asynccontextmanager
async def open_house(
    plan: PlanName = PlanName.PRO,
    model: ScriptedModel | None = None,
    data: UnitOfWork | None = None,
    telemetry: Telemetry | None = None,
    target: MemoryTarget | None = None,
    embedder: Embedder | None = None,
    public_url: str | None = None,
    batched: BatchedModel | None = None,
    costs: WritingCosts = OPTIONS.writing_costs,
) -> AsyncIterator[House]:
    """Open the services. `data`: an empty database; else one in memory. `batched`: the model, asked in batches;
    `costs`: of it. In every test slow work inside a transaction fails.
    """
    model, clock, target = model or ScriptedModel(), ManualClock(), target or MemoryTarget()
    web, images, webhooks = ScriptedWeb(clock), MemoryImages(PICTURES), MemoryWebhookSender()
    apart = Apart()
    ports = evolve(
        memory_ports(SECRET),
        embedder=embedder or HashedEmbedder(),
        model=model,
        batched_planner=batched,
        batched_model=batched,
        pages=web,
        sources=source_readers((), ThreadUploadReader(), web, None, nowhere(clock)),
        searches=ConfiguredWebSearches(apart.slow("search", web), None, SETTINGS),
        images=ConfiguredImageSearch(apart.slow("image", images), IMAGES),
        targets=MemoryTargets(apart.slow("target", target)),
        webhook_sender=webhooks,
        clock=clock,
        ids=SequentialIds(),
    )
    if data is not None:
        ports = evolve(ports, unit_of_work=data, agent_event_wake_ups=None)
    services = Services.observed(
        apart.ports(ports), telemetry or Telemetry(), evolve(OPTIONS, public_url=public_url, writing_costs=costs)
    )
    await services.upkeep.catalogue()
    made = await services.people.tenants.create("House", plan)
    house = House(services, model, web, clock, made.caller, target, images, webhooks)
    await house.activate(made.caller)
    await services.knowledge.import_sources(KbScope(NICHE, made.tenant.id), SOURCES)
    await findable(services)
    yield house
    apart.check()


def nowhere(clock: ManualClock) -> Surroundings:
    """Return a web search and reader that find nothing."""
    client = httpx.AsyncClient(transport=httpx.MockTransport(lambda _: httpx.Response(404)))
    return Surroundings(client, AddressGuard(), ProcessPool(), ThreadUploadReader(), clock.now)


async def findable(services: CoreServices) -> None:
    """Bring the search index up to date: words, then vectors."""
    await services.knowledge.apply_index_changes.drain("test")
    await services.knowledge.embed_passages.drain("test")

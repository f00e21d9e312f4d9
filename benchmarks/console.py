"""Measure what the console's pages cost the server beside the operations of the API that show the same, and beside
themselves in a tenant with few articles.
"""

from __future__ import annotations

import asyncio
import gzip
import http.client
import json
import re
import time
import urllib.parse
from statistics import median
from typing import Final

from attrs import frozen

from benchmarks.configuration import embeddings
from benchmarks.corpus import Corpus
from benchmarks.first_page import FEW, MANY, copy_articles
from benchmarks.listing import add_articles
from benchmarks.load import generate, request
from benchmarks.processes import Program, data_directory, service
from benchmarks.report import Figure, at_most
from contentgen_core.model.knowledge import KbScope
from contentgen_core.model.tenant import PlanName
from contentgen_core.use_cases.niches.manage_niches import ActivateNicheCommand
from contentgen_grounded.bootstrap.database import database
from contentgen_grounded.settings import Settings
from contentgen_http.demo.tenant import samples
from contentgen_http.services.open_services import open_services

DESCRIPTION: Final = (
    "pages of the console: beside the API, with 100,000 articles beside 100, and the bytes of the first"
)

NICHE: Final = "home-energy"
AGENT: Final = f"{NICHE}-GB"
TOPIC: Final = "Choosing a heat pump for an older house"
REQUESTS: Final = 20  # of one page in a round; a session has 600 a minute
ROUNDS: Final = 4
API_TARGET: Final = 3.0
GROWTH_TARGET: Final = 1.5
BYTES_TARGET: Final = 100.0  # KB
_ASSET: Final = re.compile(r'(?:href|src)="(/console/assets/[^"]+)"')


@frozen
class Reader:
    """A tenant whose pages are requested. `article_id`: of an article that was written from its sources."""

    tenant_id: str
    key: str
    article_id: str = ""


@frozen
class Page:
    """A page, and the operations that show the same, whose times are added."""

    path: str
    operations: tuple[str, ...]


PAGES: Final = (
    Page("/console", ("/articles?status=draft", "/articles?approval=inReview", "/article-updates", "/tenant/quotas")),
    Page("/console/knowledge", ("/documents", f"/kb/{NICHE}/stats")),
    Page("/console/knowledge/sources", ("/sources", "/niches/activated")),
    Page("/console/knowledge/conflicts", (f"/kb/{NICHE}/conflicts", "/niches/activated")),
    Page("/console/knowledge/entities", (f"/kb/{NICHE}/graph?limit=40", "/niches/activated")),
    Page("/console/knowledge/topics", (f"/seo/topic-coverage?nicheKey={NICHE}", "/niches/activated")),
    Page("/console/coverage", ("/agents",)),
    Page("/console/articles", ("/articles", "/niches/activated")),
    Page(
        "/console/articles/{article}",
        (
            "/writer/{article}",
            "/writer/{article}/grounding",
            "/articles/{article}/comments",
            "/articles/{article}/reviewed",
        ),
    ),
    Page("/console/articles/{article}/versions", ("/articles/{article}/versions",)),
    Page("/console/calendar", ("/calendar", "/niches/activated", "/integrations")),
    Page("/console/publishing", ("/integrations", "/integrations/providers")),
    Page("/console/settings/team", ("/team",)),
    Page("/console/settings/webhooks", ("/webhooks",)),
)


def run() -> list[Figure]:
    with data_directory() as folder:
        settings = Settings(embeddings=embeddings(), data_dir=folder)
        with database(settings) as db:
            db.migrate()
            readers = asyncio.run(_filled(settings, db.conninfo))
            with service(folder) as product:
                many, few = (_with_article(product, reader) for reader in readers)
                copy_articles(db.conninfo, {many.tenant_id: MANY, few.tenant_id: FEW})
                return [
                    *(figure for page in PAGES for figure in _measured(product, page, many, few)),
                    *(_first(product, few, path) for path in ("/console", "/console/articles/{article}")),
                ]


def _measured(product: Program, page: Page, many: Reader, few: Reader) -> list[Figure]:
    kinds = {
        "page": _asked(page.path, few, _session(product, few)),
        "many": _asked(page.path, many, _session(product, many)),
    }
    rounds = []
    for number in range(ROUNDS + 1):
        order = list(kinds) if number % 2 else list(reversed(kinds))
        taken = {name: _seconds(product, kinds[name]) for name in order}
        taken["api"] = sum(_seconds(product, _asked(path, few)) for path in page.operations)
        rounds.append(taken)
    rounds = rounds[1:]  # the first one warms up
    middle = {name: f"{1e3 * median(taken[name] for taken in rounds):.1f} ms" for name in ("page", "many", "api")}
    return [
        at_most(
            f"{page.path}: against the operations that show the same, {FEW} articles",
            median(taken["page"] / taken["api"] for taken in rounds),
            API_TARGET,
            " ×",
            product=middle["page"],
            reference=f"{middle['api']} ({', '.join(page.operations)})",
        ),
        at_most(
            f"{page.path}: {MANY:,} articles in the tenant against {FEW}",
            median(taken["many"] / taken["page"] for taken in rounds),
            GROWTH_TARGET,
            " ×",
            product=middle["many"],
            reference=middle["page"],
        ),
    ]


def _asked(path: str, reader: Reader, session: str = "") -> str:
    browser = {"cookie": f"contentgen_session={session}", "accept_encoding": "gzip"}
    sent = browser if session else {"x_api_key": reader.key}
    return request(path.replace("{article}", reader.article_id), **sent)


def _seconds(product: Program, asked: str) -> float:
    """Measure the seconds of one answer, with one request under way a connection."""
    load = generate(product.port, [asked], REQUESTS)
    return load.seconds / load.answers


def _first(product: Program, reader: Reader, path: str) -> Figure:
    """Return all that a browser with an empty cache loads for a page, as it is sent."""
    headers = {"cookie": f"contentgen_session={_session(product, reader)}", "accept-encoding": "gzip"}
    page = product.get(path.replace("{article}", reader.article_id), **headers)
    text = gzip.decompress(page)
    files = [product.get(address, **headers) for address in dict.fromkeys(_ASSET.findall(text.decode()))]
    total = sum(map(len, (page, *files))) / 1000
    return at_most(
        f"{path}: bytes of the page with its style, scripts and icon, when it is the first one",
        total,
        BYTES_TARGET,
        " KB",
        product=f"{total:.0f} KB in {len(files) + 1} answers, of which the page {len(page) / 1000:.0f} KB "
        f"({len(text) / 1000:.0f} KB unpacked)",
        reference="",
    )


def _session(product: Program, reader: Reader) -> str:
    """A new session: each has a limit of its own."""
    connection = http.client.HTTPConnection("127.0.0.1", product.port)
    form = {"content-type": "application/x-www-form-urlencoded"}
    connection.request("POST", "/console/sign-in/key", urllib.parse.urlencode({"key": reader.key}), form)
    found = re.search(r"contentgen_session=([^;]+)", connection.getresponse().getheader("set-cookie", ""))
    connection.close()
    assert found is not None
    return found.group(1)


def _with_article(product: Program, reader: Reader) -> Reader:
    def call(method: str, path: str, **body: str) -> dict[str, object]:
        connection = http.client.HTTPConnection("127.0.0.1", product.port, timeout=60)
        headers = {"x-api-key": reader.key, "content-type": "application/json"}
        connection.request(method, path, json.dumps(body) if body else None, headers)
        answer: dict[str, object] = json.loads(connection.getresponse().read())
        connection.close()
        return answer

    article_id = str(call("POST", "/writer/generate-plan", agentKey=AGENT, topic=TOPIC)["articleId"])
    call("POST", "/writer/generate-from-plan", articleId=article_id)
    while call("GET", f"/writer/generation-status/{article_id}")["progress"] != 100:
        time.sleep(0.1)
    return Reader(reader.tenant_id, reader.key, article_id)


async def _filled(settings: Settings, conninfo: str) -> list[Reader]:
    """Two tenants with a niche, its sources and twenty articles."""
    corpus, readers = Corpus(seed=1), []
    async with open_services(settings, conninfo) as services:
        await services.upkeep.catalogue()
        for name in ("many", "few"):
            made = await services.people.tenants.create(name, PlanName.BUSINESS)
            await services.agents.niches.activate(
                ActivateNicheCommand(made.caller, NICHE, ("professional",), ("en",), ("GB",))
            )
            await services.knowledge.import_sources(KbScope(NICHE, made.caller.tenant_id), samples(NICHE))
            await add_articles(services, made.caller, corpus)
            readers.append(Reader(made.tenant.id, made.key.secret))
        await services.knowledge.apply_index_changes.drain("bench")
    return readers

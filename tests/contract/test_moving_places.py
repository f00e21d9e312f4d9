"""A site, a folder and a repository whose pages move, change and go away, over the real readers, and an article that
rests on them: no true sentence is called gone."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing, asynccontextmanager
from pathlib import Path

import pytest
from attrs import define, field

from contentgen_adapters.documents.uploads import ThreadUploadReader
from contentgen_adapters.pages.reader import FetchPolicy, HttpPageReader
from contentgen_adapters.shared.guarded_client import guarded_client
from contentgen_adapters.shared.outgoing.guard import AddressGuard, parse_hosts
from contentgen_adapters.sources.catalog import open_site_reader, source_readers
from contentgen_adapters.sources.provider import Surroundings
from contentgen_core.model.article import Article
from contentgen_core.model.synced_source import SourceKind, SyncedSource, SyncOutcome, SyncReport
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.use_cases.articles.plan import PlanArticleCommand
from contentgen_core.use_cases.synced_sources.manage_sources import ChangedSource, NewSource
from tests.contract.test_page_reader import InPlace
from tests.support.changing_sources import compared
from tests.support.followed_place import again, with_reader
from tests.support.git_server import GitServer, git_server
from tests.support.house import AGENT, COVERED, NICHE, House, findable, open_house
from tests.support.web_server import Page, WebServer, Write, answer

SUBJECTS = (
    "An air source heat pump of class A keeps an efficiency of 3.4 in winter where the flow temperature stays low.",
    "In winter 2024 the grant pays 4,000 pounds for each efficient heat pump in a house that was built before 1990.",
    "The size of a heat pump follows the heat loss of the house in winter, and its efficiency falls if it is large.",
    "Defrosting takes 5 percent of the efficiency of a heat pump in a wet winter, and half of that in a dry one.",
    "A buffer tank of 200 litres lets a heat pump run longer in winter, which raises its efficiency by a tenth.",
    "Radiators of twice the size lower the flow temperature of a heat pump in winter to 45 degrees for efficiency.",
    "The efficiency of a ground source heat pump stays at 4.2 all winter, since the ground stays at ten degrees.",
    "Glycol in the circuit of a heat pump costs 3 percent of its efficiency in winter, and saves it from freezing.",
    "A night tariff makes each hour of a heat pump 8 pence cheaper in winter, whatever its efficiency is.",
    "Snow on the unit halves the efficiency of a heat pump in winter until it is brushed off by hand.",
    "An inverter keeps the efficiency of a heat pump at half load in winter above 4.0 where it is set up well.",
    "Old windows cost a heat pump a fifth of its efficiency in winter, as the flow has to be hotter by 8 degrees.",
    "The meter of a heat pump shows an efficiency of 3.1 over the winter in 60 houses that the county measured.",
    "A heat pump for hot water alone has an efficiency of 2.8 in winter where its tank stands in a cool cellar.",
    "The filter of a heat pump is cleaned twice each winter, since dust costs 6 percent of its efficiency.",
)
_PAGE = (
    '<!doctype html><html lang="en"><head><title>{title}</title></head><body><nav><a href="/">Home</a></nav><main>'
    "<article><h1>{title}</h1>{paragraphs}</article></main></body></html>"
)
MORE = (
    "Story {n} was told by an engineer of the county to the paper of town {m}, who wrote it down on a day of rain.",
    "Readers of town {m} asked for more of story {n}, and got a second page about it in the week that followed.",
)


def story(n: int, note: str = "") -> list[str]:
    """The paragraphs of a page: its subject, and what no other page says."""
    own = [more.format(n="abcdefghijklmnop"[n] * 3, m="qrstuvwxyzabcdefgh"[n] * 4) for more in MORE]
    return [f"{SUBJECTS[n]} {own[0]}", f"{own[1]}{note}"]


@define
class Place:
    """Somewhere that has stories under names, and what of it is followed. `names`: by the number of a story."""

    kind: SourceKind
    server: WebServer
    folder: Path
    repository: GitServer
    names: dict[int, str] = field(factory=dict)
    texts: dict[int, list[str]] = field(factory=dict)

    @property
    def is_web(self) -> bool:
        return self.kind in (SourceKind.PAGES, SourceKind.SITEMAP)

    @property
    def address(self) -> str:
        match self.kind:
            case SourceKind.FOLDER:
                return str(self.folder)
            case SourceKind.GIT:
                return self.repository.address
            case SourceKind.PAGES:
                return "\n".join(self.server.url(name) for name in self.names.values())
            case _:
                return self.server.url("/")

    def put(self, n: int, name: str, text: list[str]) -> None:
        """Give a story this name and text. What was at another name leads there, if it is a page."""
        former = self.names.get(n)
        self.names[n], self.texts[n] = name, text
        if self.is_web:
            paragraphs = "".join(f"<p>{one}</p>" for one in text)
            self.server.put(name, _PAGE.format(title=f"Story {n}", paragraphs=paragraphs), etag=f'"{hash(str(text))}"')
            if former is not None and former != name:
                self.server.redirect(former, name, is_moved=True)
        elif self.kind is SourceKind.FOLDER:
            if former is not None:
                (self.folder / former.lstrip("/")).unlink()
            path = self.folder / name.lstrip("/")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(self._markdown(n), "utf-8")

    def publish(self) -> None:
        if self.kind is SourceKind.SITEMAP:
            rows = "".join(f"<url><loc>{self.server.url(name)}</loc></url>" for name in self.names.values())
            self.server.put("/sitemap.xml", f"<urlset>{rows}</urlset>", "application/xml")
        elif self.kind is SourceKind.GIT:
            self.repository.commit(
                {f"{name.lstrip('/')}": self._markdown(n).encode() for n, name in self.names.items()}
            )

    def _markdown(self, n: int) -> str:
        return f"# Story {n}\n\n" + "\n\n".join(self.texts[n]) + "\n"


@define
class Followed:
    house: House
    place: Place
    source: SyncedSource

    async def sync(self) -> SyncReport:
        self.house.clock.advance(days=1)
        await self.house.services.knowledge.sources.sync(self.house.caller, self.source.id)
        await self.house.work()
        found = (await again(self.house, self.source)).last
        assert found is not None
        return found

    async def documents(self) -> dict[int, str | None]:
        """By the number of a story the id of its document."""
        manage = self.house.services.knowledge.sources
        items = await manage.items(self.house.caller, self.source.id, None, None, 100)
        names = {
            (self.place.server.url(name) if self.place.is_web else name.lstrip("/")): n
            for n, name in self.place.names.items()
        }
        return {names[item.key]: item.document_id for item in items if item.key in names}

    async def addresses(self) -> set[str | None]:
        """Of the documents."""
        async with self.house.services.ports.unit_of_work() as tx:
            found = [id for id in (await self.documents()).values() if id is not None]
            return {passage.document.url for passage in await tx[Knowledge].passages_of(found)}


@pytest.fixture
def servers(tmp_path: Path) -> Iterator[tuple[WebServer, GitServer, Path]]:
    with WebServer() as web, git_server(tmp_path / "handbook.git") as repository:
        folder = tmp_path / "handbook"
        folder.mkdir()
        yield web, repository, folder


@asynccontextmanager
async def following(
    servers: tuple[WebServer, GitServer, Path], kind: SourceKind, grace_days: int
) -> AsyncIterator[Followed]:
    web, repository, folder = servers
    place = Place(kind, web, folder, repository)
    for n in range(len(SUBJECTS)):
        place.put(n, f"/stories/{n}.md", story(n))
    place.publish()
    guard = AddressGuard(parse_hosts(f"{web.host},{repository.host}"))
    async with open_house() as house, aclosing(InPlace()) as pool, guarded_client(guard) as client:
        pages = HttpPageReader(client, guard, pool, house.clock, FetchPolicy(pause=0))
        uploads = ThreadUploadReader()
        around = Surroundings(client, guard, pool, uploads, house.clock.now)
        async with open_site_reader(guard, pool, pages, "contentgen") as site:
            with_reader(house, source_readers([folder], uploads, pages, site, around))  # type: ignore[arg-type]
            command = NewSource(house.caller, NICHE, kind, "Stories", place.address, grace_days=grace_days)
            source = await house.services.knowledge.sources.create(command)
            await house.work()
            followed = Followed(house, place, source)
            assert len(await followed.documents()) == len(SUBJECTS), await again(house, source)
            yield followed


async def written(house: House) -> Article:
    """An article that rests on the stories alone."""
    async with house.services.ports.unit_of_work() as tx:
        every = await tx[Knowledge].all_documents(None, 1_000)
        passages = await tx[Knowledge].passages_of(every)
        await tx[Knowledge].remove([p.document.id for p in passages if not p.document.source_key.startswith("source:")])
    await findable(house.services)
    planned = await house.services.writing.plan(
        PlanArticleCommand(house.caller, AGENT, COVERED, language=Language.EN, auto_validate=True)
    )
    await house.work()
    article = await house.article(planned.article.id)
    assert article.grounding is not None
    assert sum(s.text in SUBJECTS for s in article.grounding.sentences) >= 3, [
        s.text for s in article.grounding.sentences
    ]
    return article


KINDS = (SourceKind.PAGES, SourceKind.SITEMAP, SourceKind.FOLDER, SourceKind.GIT)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("grace_days", [0, 7])
@pytest.mark.parametrize("with_edit", [False, True])
async def test_of_fifteen_pages_that_move_none_makes_a_proposal(
    servers: tuple[WebServer, GitServer, Path], kind: SourceKind, grace_days: int, with_edit: bool
) -> None:
    async with following(servers, kind, grace_days) as followed:
        house, place = followed.house, followed.place
        article, before = await written(house), await followed.documents()
        for n in range(len(SUBJECTS)):
            place.put(n, f"/tales/{n + 100}.md", story(n, " It was printed again in May." if with_edit else ""))
        place.publish()
        if kind is SourceKind.PAGES:
            change = ChangedSource(house.caller, followed.source.id, place=place.address)
            await house.services.knowledge.sources.change(change)
        report = await followed.sync()
        moved = len(SUBJECTS)
        assert (report.outcome, report.added, report.missing, report.removed) == (SyncOutcome.DONE, 0, 0, 0)
        assert (report.changed, report.unchanged) == ((moved, 0) if with_edit else (0, moved))
        assert await followed.documents() == before
        assert (await compared(house, article)).stale == ()
        assert await house.services.writing.propose_update(house.caller, article.id) is None
        if place.is_web:
            addresses = {place.server.url(name) for name in place.names.values()}
            assert await followed.addresses() == addresses, "what is found and cited is the new address"


def unavailable(write: Write, server: WebServer) -> None:
    """A server in trouble: status 200, and a page with the number of the request, the time and the address."""
    n = len(server.visits)
    time = f"2026-11-28T{n % 24:02}:{n % 60:02}:00Z"
    note = (
        "<p>Something went wrong on our side. Our engineers were told and are looking into it. Please try again in"
        " some minutes. If it goes on, call the desk and name the request.</p>"
        f"<p>Request {n:08x}-{n * 7919:x} at {time} for {server.visits[-1].path}</p>"
    )
    write(answer(_PAGE.format(title="Error", paragraphs=note).encode(), content_type="text/html"))


def maintenance(write: Write, server: WebServer) -> None:
    """A constant page in another language."""
    note = (
        "<p>Wartungsarbeiten. Unsere Seiten sind zurzeit nicht erreichbar, wir arbeiten daran und sind bald zurück.</p>"
        "<p>Bitte versuchen Sie es in einigen Stunden noch einmal, oder rufen Sie uns an.</p>"
    )
    write(answer(_PAGE.format(title="Wartung", paragraphs=note).encode(), content_type="text/html"))


def to_login(write: Write, server: WebServer) -> None:
    write(answer(b"", 302, location=f"/login?next={server.visits[-1].path}"))


def login(write: Write, server: WebServer) -> None:
    note = "<p>Sign in to read on. Enter your address and your password, or ask for a new password by mail.</p>"
    write(answer(_PAGE.format(title="Sign in", paragraphs=note).encode(), content_type="text/html"))


@pytest.mark.parametrize("grace_days", [0, 1])
@pytest.mark.parametrize("share", [1, 2], ids=["all", "half"])
@pytest.mark.parametrize("page", [unavailable, maintenance, to_login])
async def test_a_server_in_trouble_touches_no_document_and_no_article(
    servers: tuple[WebServer, GitServer, Path], grace_days: int, share: int, page: Page
) -> None:
    async with following(servers, SourceKind.SITEMAP, grace_days) as followed:
        house, place, server = followed.house, followed.place, followed.place.server
        article, before = await written(house), await followed.documents()
        for number, name in place.names.items():
            if number % share == 0:
                for n in range(20):  # whatever is asked for besides
                    server.serve(f"/login?next=/stories/{n}.md", login)
                server.status(name, 500)  # and no ETag any more
                server.serve(name, page)
        for _ in range(3):
            report = await followed.sync()
            assert (report.outcome, report.changed, report.missing) == (SyncOutcome.DOUBTFUL, 0, 0), report
            assert await followed.documents() == before
            assert (await compared(house, article)).stale == ()
            assert await house.services.writing.propose_update(house.caller, article.id) is None
        for n, name in place.names.items():
            place.put(n, name, story(n))
        report = await followed.sync()
        assert (report.outcome, report.unchanged) == (SyncOutcome.DONE, len(SUBJECTS))
        assert await followed.documents() == before


async def test_half_of_a_site_migrates_and_the_other_half_is_redesigned(
    servers: tuple[WebServer, GitServer, Path],
) -> None:
    async with following(servers, SourceKind.SITEMAP, 0) as followed:
        article, before = await written(followed.house), await followed.documents()
        for n in range(len(SUBJECTS)):
            footer = " Heat Pumps of the County, 12 Mill Lane, open on weekdays. Imprint and terms."
            followed.place.put(n, f"/tales/{n}.md" if n % 2 else f"/stories/{n}.md", story(n, footer))
        followed.place.publish()
        report = await followed.sync()
        assert (report.outcome, report.changed, report.removed) == (SyncOutcome.DONE, len(SUBJECTS), 0)
        assert await followed.documents() == before
        assert (await compared(followed.house, article)).stale == ()

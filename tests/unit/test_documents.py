"""Private documents: what may come in, what becomes of it, and who may use it."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from attrs import evolve

from contentgen_core.errors import (
    AlreadyExists,
    InvalidInput,
    NotFound,
    NotPermitted,
    QuotaExceeded,
    Unavailable,
    UnreadableFile,
)
from contentgen_core.model.document import MAX_BYTES, DocumentStatus, PrivateDocument
from contentgen_core.model.ids import DocumentId
from contentgen_core.model.knowledge import PRIVATE, KbView, Origin
from contentgen_core.model.tenant import PlanName, Quota, Role
from contentgen_core.page_errors import PageFault, PageUnreadable
from contentgen_core.ports.repositories.documents import Documents
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.ports.repositories.niches import Niches
from contentgen_core.use_cases.documents.edit import DocumentChanges
from tests.support.house import House, open_house

MANUAL = (
    b"# Zirkon boiler\n\nThe Zirkon boiler is serviced every spring by a certified engineer.\n\n"
    b"## Flow temperature\n\nSet the flow temperature of the Zirkon boiler to 48 degrees on mild days."
)
URL = "https://web.example.org/noise"


async def uploaded(house: House, content: bytes = MANUAL, name: str = "manual.md", **more: Any) -> PrivateDocument:
    return await house.services.knowledge.add_document.upload(more.pop("caller", house.caller), name, content, **more)


async def one(house: House, document: PrivateDocument) -> PrivateDocument:
    return await house.services.knowledge.documents.one(house.caller, document.id)


async def ready(house: House, *content: bytes) -> list[PrivateDocument]:
    added = [await uploaded(house, text) for text in content or (MANUAL,)]
    await house.work()
    return [await one(house, document) for document in added]


async def titles_found(house: House, query: str, caller: Any = None) -> list[str]:
    found = await house.services.knowledge.search(caller or house.caller, query, 10)
    return [f.ranked.passage.document.title for f in found]


async def test_an_uploaded_file_becomes_searchable_passages() -> None:
    async with open_house() as house:
        document = await uploaded(house, title="Boiler manual")
        assert (document.status, document.media_type, document.size) == (
            DocumentStatus.PROCESSING, "text/markdown", len(MANUAL),
        )  # fmt: skip
        assert "Boiler manual" not in await titles_found(house, "Zirkon boiler flow temperature")
        await house.work()
        document = await one(house, document)
        assert (document.status, document.language, document.error) == (DocumentStatus.READY, "en", None)
        assert document.passages >= 1
        assert document.words > 15
        assert (await titles_found(house, "Zirkon boiler flow temperature"))[0] == "Boiler manual"


@pytest.mark.parametrize(
    ("content", "given", "title"),
    [
        (b"Just text of a boiler.", None, "Heating manual"),
        (b"# The boiler\n\nIt heats.", None, "The boiler"),
        (b"---\ntitle: Boilers today\n---\n# The boiler\n\nIt heats.", None, "Boilers today"),
        (b"# The boiler\n\nIt heats.", "Heating manual", "Heating manual"),
    ],
)
async def test_a_title_is_the_one_given_else_that_of_the_file(content: bytes, given: str | None, title: str) -> None:
    async with open_house() as house:
        added = house.services.knowledge.add_document.upload
        document = await added(house.caller, "C:\\docs\\heating_manual.md", content, given)
        assert document.title == (given or "heating_manual.md")
        await house.work()
        async with house.services.ports.unit_of_work() as tx:
            ready = await tx[Documents].get(house.caller.tenant_id, document.id)
            [passage, *_] = await tx[Knowledge].passages_of([document.id])
        assert (ready.title, passage.document.title) == (title, title)


async def test_who_wrote_a_document_and_when_stays_with_it() -> None:
    async with open_house() as house:
        file = await uploaded(house, b"---\nauthor: Bob Volt\ndate: 2025-03-05\n---\nThe boiler heats.")
        page = await house.services.knowledge.add_document.from_url(house.caller, URL)
        await house.work()
        for added, author, published in ((file, "Bob Volt", date(2025, 3, 5)), (page, "Ada Ohm", date(2026, 1, 2))):
            document = await one(house, added)
            assert (document.author, document.published) == (author, published)
            async with house.services.ports.unit_of_work() as tx:
                [passage, *_] = await tx[Knowledge].passages_of([document.id])
            assert (passage.document.author, passage.document.published) == (author, published)


async def test_where_the_words_stand_is_shown() -> None:
    async with open_house() as house:
        await ready(house)
        best = (await house.services.knowledge.search(house.caller, "flow temperatures", 5))[0]
        text = best.ranked.passage.text
        assert [text[a:b].casefold() for a, b in best.highlights][:2] == ["flow", "temperature"]
        assert best.ranked.passage.document.origin is Origin.DOCUMENT


async def test_a_page_is_read_kept_and_found() -> None:
    async with open_house() as house:
        document = await house.services.knowledge.add_document.from_url(house.caller, URL)
        await house.work()
        document = await one(house, document)
        assert (document.status, document.title, document.url) == (DocumentStatus.READY, "Noise of heat pumps", URL)
        assert house.web.pages[URL][1].encode() == await house.services.knowledge.add_document.objects.get(
            document.object_key
        )
        assert "Noise of heat pumps" in await titles_found(house, "noise limits in terraced houses")


@pytest.mark.parametrize(("name", "content", "error"), [
    ("empty.md", b"", InvalidInput), ("large.txt", bytes(MAX_BYTES + 1), InvalidInput), ("", b"text", InvalidInput),
    ("x" * 256, b"text", InvalidInput), ("picture.png", b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", UnreadableFile),
    ("archive.docx", b"PK\x03\x04" + bytes(50), None), ("fake.pdf", b"\x00\x01\x02\x03", UnreadableFile),
])  # fmt: skip
async def test_what_can_never_be_read_is_refused_and_nothing_is_kept(
    name: str, content: bytes, error: type[Exception] | None
) -> None:
    async with open_house() as house:
        if error is None:  # only taking it apart tells
            document = await uploaded(house, content, name)
            await house.work()
            assert (await one(house, document)).status is DocumentStatus.FAILED
            return
        with pytest.raises(error):
            await uploaded(house, content, name)
        assert (await house.services.knowledge.documents.page(house.caller)).total == 0


async def test_what_a_file_is_its_bytes_say() -> None:
    async with open_house() as house:
        page = await uploaded(house, b"<!doctype html><title>A page</title><p>Some words of a page.</p>", "notes.txt")
        table = await uploaded(house, b"Name,Power\nZirkon,9 kW\nQuarz,12 kW\n", "boilers.csv")
        assert (page.media_type, table.media_type) == ("text/html", "text/csv")
        await house.work()
        [found] = await house.services.knowledge.search(house.caller, "Quarz power", 1)
        assert "Name: Quarz; Power: 12 kW." in found.ranked.passage.text


async def test_the_same_file_twice_is_told() -> None:
    async with open_house() as house:
        await uploaded(house)
        with pytest.raises(AlreadyExists):
            await uploaded(house, name="copy.md")
        await house.services.knowledge.add_document.from_url(house.caller, URL)
        with pytest.raises(AlreadyExists):
            await house.services.knowledge.add_document.from_url(house.caller, URL)
        assert (await house.services.knowledge.documents.page(house.caller)).total == 2


async def test_the_plan_bounds_how_many_there_are_and_a_deleted_one_makes_room() -> None:
    async with open_house(PlanName.FREE) as house:
        documents = [await uploaded(house, MANUAL + bytes([65 + n])) for n in range(3)]
        with pytest.raises(QuotaExceeded):
            await uploaded(house)
        with pytest.raises(QuotaExceeded):
            await house.services.knowledge.add_document.from_url(house.caller, URL)
        quotas = await house.services.people.tenant.quotas(house.caller)
        assert (quotas[Quota.DOCUMENTS].used, quotas[Quota.DOCUMENTS].limit) == (3, 3)
        await house.services.knowledge.documents.delete(house.caller, documents[0].id)
        await uploaded(house)


async def test_a_viewer_reads_and_changes_nothing() -> None:
    async with open_house() as house:
        [document] = await ready(house)
        viewer = evolve(house.caller, role=Role.VIEWER)
        assert await house.services.knowledge.documents.one(viewer, document.id) == document
        for refused in (
            uploaded(house, b"another", caller=viewer),
            house.services.knowledge.add_document.from_url(viewer, URL),
            house.services.knowledge.documents.edit(viewer, document.id, DocumentChanges(title="Mine")),
            house.services.knowledge.documents.delete(viewer, document.id),
        ):
            with pytest.raises(NotPermitted):
                await refused


@pytest.mark.parametrize("url", ["ftp://example.org/", "nonsense", "https://" + "x" * 2_000])
async def test_an_address_that_can_never_be_read_is_refused(url: str) -> None:
    async with open_house() as house:
        with pytest.raises(InvalidInput):
            await house.services.knowledge.add_document.from_url(house.caller, url)


async def test_a_page_that_cannot_be_read_says_why_and_may_be_tried_again() -> None:
    async with open_house() as house:
        house.web.pages[URL] = ("Consent", "")
        document = await house.services.knowledge.add_document.from_url(house.caller, URL)
        await house.work()
        document = await one(house, document)
        assert document.status is DocumentStatus.FAILED
        assert "no text" in (document.error or "")
        await house.services.knowledge.add_document.from_url(house.caller, URL)


async def test_a_page_that_is_away_for_a_moment_is_read_later() -> None:
    async with open_house() as house:
        answers = iter([PageUnreadable(URL, PageFault.TOO_SLOW, "no answer in time", retryable=True)])

        def away(_: str) -> None:
            for error in answers:
                raise error

        house.web.before = away
        document = await house.services.knowledge.add_document.from_url(house.caller, URL)
        await house.work()
        assert (await one(house, document)).status is DocumentStatus.PROCESSING
        house.clock.advance(seconds=20)
        await house.work()
        assert (await one(house, document)).status is DocumentStatus.READY


async def test_a_deleted_document_is_found_no_more_and_its_original_is_gone() -> None:
    async with open_house() as house:
        [document] = await ready(house)
        await house.services.knowledge.documents.delete(house.caller, document.id)
        assert document.title not in await titles_found(house, "Zirkon boiler flow temperature")
        with pytest.raises(NotFound):
            await one(house, document)
        with pytest.raises(NotFound):
            await house.services.knowledge.add_document.objects.get(document.object_key)


async def test_a_document_deleted_while_it_is_processed_leaves_nothing_behind() -> None:
    async with open_house() as house:
        document = await uploaded(house)
        [job] = await house.claim()
        await house.services.knowledge.documents.delete(house.caller, document.id)
        await house.services.jobs.process_document(job)
        async with house.services.ports.unit_of_work() as tx:
            assert await tx[Knowledge].passages_of([document.id]) == []


async def test_a_document_deleted_while_its_page_is_read_leaves_no_original() -> None:
    async with open_house() as house:
        document = await house.services.knowledge.add_document.from_url(house.caller, URL)
        [job] = await house.claim()
        objects = house.services.jobs.process_document.objects

        class Late:
            """The deletion arrives between the reading of the page and its storing."""

            def __getattr__(self, name: str) -> Any:
                return getattr(objects, name)

            async def put(self, key: str, content: bytes) -> None:
                await house.services.knowledge.documents.delete(house.caller, document.id)
                await objects.put(key, content)

        await evolve(house.services.jobs.process_document, objects=Late())(job)
        with pytest.raises(NotFound):
            await objects.get(document.object_key)


async def test_a_deletion_succeeds_while_the_index_is_away() -> None:
    async with open_house() as house:
        [document] = await ready(house)

        class Away:
            async def bring_up_to_date(self, documents: list[DocumentId]) -> None:
                raise Unavailable("The search index cannot be read.")

        await evolve(house.services.knowledge.documents, apply_changes=Away()).delete(house.caller, document.id)
        assert document.title not in await titles_found(house, "Zirkon boiler flow temperature")
        with pytest.raises(NotFound):
            await house.services.knowledge.add_document.objects.get(document.object_key)


async def test_another_tenants_documents_are_not_there() -> None:
    async with open_house() as house:
        [document] = await ready(house)
        other = await house.other_tenant()
        assert "manual" not in await titles_found(house, "Zirkon boiler flow temperature", other)
        assert (await house.services.knowledge.documents.page(other)).total == 0
        for refused in (
            house.services.knowledge.documents.one(other, document.id),
            house.services.knowledge.documents.delete(other, document.id),
            house.services.knowledge.documents.edit(other, document.id, DocumentChanges(title="Mine")),
        ):
            with pytest.raises(NotFound):
                await refused


async def test_search_also_finds_the_knowledge_base_of_activated_niches() -> None:
    async with open_house() as house:
        await ready(house)
        assert "Sizing heat pumps" in await titles_found(house, "an oversized heat pump cycles")


async def test_private_documents_are_no_niche_that_anybody_can_name() -> None:
    async with open_house() as house:
        await ready(house)
        found = await house.services.jobs.generate_article.retrieve(KbView(PRIVATE), "Zirkon boiler", 10)
        assert found.ranked == ()
        with pytest.raises(NotFound):
            async with house.services.ports.unit_of_work() as tx:
                await tx[Niches].get(house.caller.tenant_id, PRIVATE)


async def test_processing_goes_on_after_a_worker_died_between_its_steps() -> None:
    async with open_house() as house:
        document = await uploaded(house)
        [job] = await house.claim("w1")
        broken = evolve(house.services.jobs.process_document, apply_changes=None)
        with pytest.raises(AttributeError):
            await broken(job)
        async with house.services.ports.unit_of_work() as tx:
            assert await tx[Knowledge].passages_of([DocumentId(document.id)])
        house.clock.advance(seconds=60)
        await house.work("w2")
        assert (await one(house, document)).status is DocumentStatus.READY

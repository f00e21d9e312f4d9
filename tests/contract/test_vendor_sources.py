"""Notion, Confluence and Google Drive as sources, over stand-ins that behave as their vendors say."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import aclosing
from datetime import UTC, datetime
from typing import ClassVar

import httpx
import pytest
from attrs import evolve

from contentgen_adapters.documents.uploads import ThreadUploadReader
from contentgen_adapters.shared.http import RetryPolicy
from contentgen_adapters.shared.outgoing.guard import AddressGuard
from contentgen_adapters.shared.processes.pool import ProcessPool
from contentgen_adapters.sources import service
from contentgen_adapters.sources.catalog import SourceReaders, source_readers
from contentgen_adapters.sources.provider import Surroundings
from contentgen_adapters.sources.providers import confluence, google_drive, notion
from contentgen_core.errors import ProviderFailed
from contentgen_core.model.document import MAX_BYTES
from contentgen_core.model.ids import SyncedSourceId, TenantId
from contentgen_core.model.synced_source import SkipReason, SourceKind, SyncedSource
from contentgen_core.ports.source_reading import ItemGone, ItemSkipped, SourceUnavailable
from contentgen_core.testing.runtime import MOMENT
from tests.contract.test_source_readers import Pages, keys
from tests.support.vendors import ConfluenceStandIn, DriveStandIn, NotionStandIn, Vendor, service_account

NOW = datetime(2026, 3, 1, tzinfo=UTC)
FAN = "The fan of the heat pump makes most of the noise, and rubber feet lower the vibration to less than half of it."
ACCOUNT = service_account()


async def no_wait(seconds: float) -> None:
    """What a retry waits in a test."""


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    for provider in (notion, confluence, google_drive):
        monkeypatch.setattr(provider, "PAUSE", 0.0)
    monkeypatch.setattr(service.Service.__init__, "__defaults__", _impatient(service.Service.__init__.__defaults__))


def _impatient(defaults: tuple[object, ...] | None) -> tuple[object, ...]:
    quick = RetryPolicy(total=10.0, attempts=3, first_wait=0.0, sleep=no_wait)
    return tuple(quick if isinstance(each, RetryPolicy) else each for each in defaults or ())


class SourceProviderContract:
    """`kind`, `place`, `settings`, `secrets`: of a source that the stand-in has."""

    kind: ClassVar[SourceKind]
    place: ClassVar[str]
    settings: ClassVar[Mapping[str, str]] = {}
    secrets: ClassVar[Mapping[str, str]]
    bad_places: ClassVar[tuple[str, ...]]

    @pytest.fixture
    async def reader(self, vendor: Vendor) -> AsyncIterator[SourceReaders]:
        async with (
            aclosing(ProcessPool()) as pool,
            httpx.AsyncClient(transport=httpx.MockTransport(vendor)) as client,
        ):
            around = Surroundings(client, AddressGuard(), pool, ThreadUploadReader(), lambda: NOW)
            yield source_readers([], ThreadUploadReader(), Pages(), None, around)

    def source(self, place: str | None = None) -> SyncedSource:
        id, tenant = SyncedSourceId("s"), TenantId("t")
        made = SyncedSource(id, tenant, "heat", self.kind, "S", place or self.place, MOMENT, MOMENT)
        return evolve(made, settings=dict(self.settings))

    async def listed(self, reader: SourceReaders) -> dict[str, str | None]:
        return await keys(reader, self.source(), self.secrets)

    async def test_all_parts_of_a_listing_are_followed_and_documents_read(
        self, reader: SourceReaders, vendor: Vendor
    ) -> None:
        ids = [vendor.put(number, f"Fans {number}", FAN) for number in range(5)]
        async with reader.open(self.source(), self.secrets) as opened:
            items = [item async for some in opened.items() for item in some]
            assert [item.key for item in items] == ids
            assert all(item.fingerprint for item in items)
            assert all("Fans" in (item.title or "") for item in items)
            found = await opened.read(ids[3])
        assert (found.text.source_key, found.text.title) == (ids[3], "Fans 3")
        assert FAN in found.text.text
        assert found.size >= len(FAN)

    async def test_what_changed_and_nothing_else_has_another_fingerprint(
        self, reader: SourceReaders, vendor: Vendor
    ) -> None:
        ids = [vendor.put(number, f"Fans {number}", FAN) for number in range(3)]
        before = await self.listed(reader)
        assert await self.listed(reader) == before
        vendor.put(1, "Fans 1", FAN + " It is so.")
        after = await self.listed(reader)
        assert [id for id in ids if before[id] != after[id]] == [ids[1]]

    async def test_what_is_gone_is_not_listed_and_not_read(self, reader: SourceReaders, vendor: Vendor) -> None:
        ids = [vendor.put(number, f"Fans {number}", FAN) for number in range(3)]
        async with reader.open(self.source(), self.secrets) as opened:
            _ = [item async for some in opened.items() for item in some]
            del vendor.docs[ids[1]]
            with pytest.raises(ItemGone):
                await opened.read(ids[1])
        assert list(await self.listed(reader)) == [ids[0], ids[2]]

    async def test_revoked_credentials_are_no_empty_source_and_say_what_to_do(
        self, reader: SourceReaders, vendor: Vendor
    ) -> None:
        id = vendor.put(1, "Fans", FAN)
        async with reader.open(self.source(), self.secrets) as opened:
            _ = [item async for some in opened.items() for item in some]
            vendor.revoked = True
            with pytest.raises(SourceUnavailable) as revoked:
                await opened.read(id)
        with pytest.raises(SourceUnavailable) as refused:
            await self.listed(reader)
        for error in (revoked.value, refused.value):
            assert "refuses" in str(error)
            assert "see that" in str(error) or "share" in str(error)
            assert vendor.secret not in str(error)

    async def test_whoever_asks_too_often_waits_and_then_comes_back_later(
        self, reader: SourceReaders, vendor: Vendor
    ) -> None:
        vendor.put(1, "Fans", FAN)
        vendor.busy = 50
        with pytest.raises(ProviderFailed) as busy:
            await self.listed(reader)
        assert busy.value.retryable
        assert vendor.secret not in str(busy.value)
        vendor.busy = 0
        assert len(await self.listed(reader)) == 1

    async def test_a_listing_that_never_ends_is_none(self, reader: SourceReaders, vendor: Vendor) -> None:
        vendor.put(1, "Fans", FAN)
        vendor.endless = True
        with pytest.raises(SourceUnavailable, match="over and over"):
            await self.listed(reader)
        assert len(vendor.requests) < 10

    async def test_a_page_in_the_place_of_an_answer_is_no_listing(self, reader: SourceReaders, vendor: Vendor) -> None:
        vendor.answers_html = True
        with pytest.raises(SourceUnavailable, match="cannot be read"):
            await self.listed(reader)

    async def test_places_that_can_never_be_read_are_told(self, reader: SourceReaders) -> None:
        assert reader.fault_of(self.source()) is None
        for place in self.bad_places:
            assert reader.fault_of(self.source(place)) is not None, place


class TestNotion(SourceProviderContract):
    kind = SourceKind.NOTION
    place = "workspace"
    secrets: ClassVar[Mapping[str, str]] = {"token": NotionStandIn.secret}
    bad_places = ("everything", "https://www.notion.so/Heat", "workspace 2")

    @pytest.fixture
    def vendor(self) -> NotionStandIn:
        return NotionStandIn()

    async def test_what_only_notion_reads_is_left_out_of_a_text(
        self, reader: SourceReaders, vendor: NotionStandIn
    ) -> None:
        text = (
            f'<callout icon="💡" color="gray_bg">\n\t{FAN}\n</callout>\n<empty-block/>\n## Feet {{color="red"}}\n1 < 2.'
        )
        id = vendor.put(1, "Fans", text)
        async with reader.open(self.source(), self.secrets) as opened:
            found = (await opened.read(id)).text.text
        assert FAN in found
        assert "1 < 2." in found.replace("\\", "")
        assert not any(mark in found for mark in ("callout", "empty-block", "color"))

    async def test_the_parts_of_a_long_page_are_read_each_once(
        self, reader: SourceReaders, vendor: NotionStandIn
    ) -> None:
        long, part = vendor.put(1, "Fans", FAN), vendor.put(2, "Part", "The rest of the page is here.")
        hidden = vendor.id_of(9)
        vendor.long = {long: [part, hidden, "../../users"], part: [part, long]}
        async with reader.open(self.source(), self.secrets) as opened:
            found = (await opened.read(long)).text.text
        assert found.count("The rest of the page") == 1
        assert not any("users" in str(request.url) for request in vendor.requests)

    async def test_pages_in_the_trash_are_not_listed_and_recent_ones_are_read_each_time(
        self, reader: SourceReaders, vendor: NotionStandIn
    ) -> None:
        first, second = (vendor.put(number, "Fans", FAN) for number in (1, 2))
        vendor.trashed.add(first)
        assert await self.listed(reader) == {second: "2026-02-01T10:01:00.000Z"}
        assert reader.around is not None
        recent = evolve(reader.around, now=lambda: datetime(2026, 2, 1, 10, 2, tzinfo=UTC))
        assert await self.listed(evolve(reader, around=recent)) == {second: None}

    async def test_the_pages_of_a_database_are_those_of_its_data_sources(
        self, reader: SourceReaders, vendor: NotionStandIn
    ) -> None:
        id = vendor.put(1, "Fans", FAN)
        place = f"https://www.notion.so/ada/Heat-{vendor.database.replace('-', '')}?v=0123456789abcdef0123456789abcdef"
        assert list(await keys(reader, self.source(place), self.secrets)) == [id]
        with pytest.raises(SourceUnavailable, match="no such place"):
            await keys(reader, self.source(vendor.id_of(7)), self.secrets)


class TestConfluence(SourceProviderContract):
    kind = SourceKind.CONFLUENCE
    place = "https://county.atlassian.net/wiki/spaces/HEAT/overview"
    settings: ClassVar[Mapping[str, str]] = {"email": "ada@a.example"}
    secrets: ClassVar[Mapping[str, str]] = {"apiToken": ConfluenceStandIn.secret}
    bad_places = (
        "https://county.atlassian.net/wiki",
        "http://county.atlassian.net/wiki/spaces/HEAT",
        "https://10.0.0.1/wiki/spaces/HEAT",
        "https://a:b@county.atlassian.net/wiki/spaces/HEAT",
    )

    @pytest.fixture
    def vendor(self) -> ConfluenceStandIn:
        return ConfluenceStandIn()

    async def test_the_token_goes_to_the_site_alone_and_pages_have_their_address(
        self, reader: SourceReaders, vendor: ConfluenceStandIn
    ) -> None:
        ids = [vendor.put(number, "Fans & feet", FAN) for number in range(3)]
        async with reader.open(self.source(), self.secrets) as opened:
            _ = [item async for some in opened.items() for item in some]
            found = (await opened.read(ids[0])).text
        assert (found.url, found.title) == (
            f"https://county.atlassian.net/wiki/spaces/HEAT/pages/{ids[0]}/A+page",
            "Fans & feet",
        )
        assert {request.url.host for request in vendor.requests} == {"county.atlassian.net"}

    async def test_a_space_that_is_not_there_is_no_empty_one(
        self, reader: SourceReaders, vendor: ConfluenceStandIn
    ) -> None:
        vendor.space = "OTHER"
        with pytest.raises(SourceUnavailable, match="no space HEAT"):
            await self.listed(reader)


class TestGoogleDrive(SourceProviderContract):
    kind = SourceKind.GOOGLE_DRIVE
    place = "https://drive.google.com/drive/folders/root-folder-1?usp=sharing"
    secrets: ClassVar[Mapping[str, str]] = {"serviceAccount": ACCOUNT}
    bad_places = (
        "https://drive.google.com/drive/my-drive",
        "short",
        "https://evil.example/drive/folders/root-folder-1",
    )

    @pytest.fixture
    def vendor(self) -> DriveStandIn:
        return DriveStandIn()

    async def test_only_google_gets_the_key_and_a_token_serves_for_the_sync(
        self, reader: SourceReaders, vendor: DriveStandIn
    ) -> None:
        for number in range(4):
            vendor.put(number, "Fans", FAN)
        await self.listed(reader)
        assert vendor.tokens == 1
        assert {request.url.host for request in vendor.requests} == {"oauth2.googleapis.com", "www.googleapis.com"}

    async def test_files_of_no_use_are_told(self, reader: SourceReaders, vendor: DriveStandIn) -> None:
        google = "application/vnd.google-apps"
        vendor.more = {
            "form-id-0001": {"mimeType": f"{google}.form", "modifiedTime": "2026-01-01"},
            "large-id-001": {"mimeType": "application/pdf", "size": str(MAX_BYTES + 1), "modifiedTime": "2026-01-01"},
            "export-id-01": {"mimeType": f"{google}.document", "modifiedTime": "2026-01-01", "too large": True},
        }
        reasons = (SkipReason.UNSUPPORTED, SkipReason.TOO_LARGE, SkipReason.TOO_LARGE)
        async with reader.open(self.source(), self.secrets) as opened:
            listed = [item.key async for some in opened.items() for item in some]
            assert listed == list(vendor.more)
            for id, reason in zip(vendor.more, reasons, strict=True):
                with pytest.raises(ItemSkipped) as skipped:
                    await opened.read(id)
                assert skipped.value.reason is reason

    async def test_a_part_of_a_listing_is_none(self, reader: SourceReaders, vendor: DriveStandIn) -> None:
        vendor.incomplete = True
        with pytest.raises(SourceUnavailable, match="did not list all"):
            await self.listed(reader)

    @pytest.mark.parametrize("account", ["", "{}", "[]", "not JSON", '{"client_email": "a", "private_key": "b"}'])
    async def test_what_is_no_key_is_told(self, reader: SourceReaders, account: str) -> None:
        with pytest.raises(SourceUnavailable, match="no key of a service account"):
            await keys(reader, self.source(), {"serviceAccount": account})

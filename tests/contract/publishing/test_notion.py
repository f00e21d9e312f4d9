"""A workspace of Notion: its pages, what it refuses, and how it says so (version 2026-03-11)."""

from __future__ import annotations

import pytest

from contentgen_adapters.publishing.providers.notion import PROVIDER, id_in
from contentgen_adapters.publishing.testing import ProviderContract, Vendor, Wire, a_post, connect
from contentgen_adapters.shared.http import make_client
from contentgen_core.errors import InvalidInput
from contentgen_core.model.publication import PostStatus
from contentgen_core.ports.publishing import LookupUnsupported, PublishFailed, Refusal
from contentgen_core.testing.runtime import MOMENT
from tests.contract.publishing.notion_support import DATABASE, PAGE, SOURCE, TOKEN, Workspace, _plain, error

LONG = "\n\n".join(f"Paragraph {number} of a long text [1]." for number in range(250))


class TestNotion(ProviderContract):
    @pytest.fixture
    def vendor(self) -> Vendor:
        return Workspace()

    async def test_what_the_database_has_properties_for_is_kept_there(self) -> None:
        notion = Workspace()
        post = a_post(tags=("Heat, pumps", "Winter"), categories=("Homes",), canonical_url="https://example.com/heat")
        made = await connect(notion, Wire(notion)).create(post)
        held = notion.pages[made.id]["properties"]
        assert _plain(held["External ID"]["rich_text"]) == post.external_key
        assert [option["name"] for option in held["Tags"]["multi_select"]] == ["Heat pumps", "Winter"]
        assert held["Categories"]["select"] == {"name": "Homes"}
        assert held["Canonical URL"]["url"] == "https://example.com/heat"
        assert _plain(held["Excerpt"]["rich_text"]) == post.excerpt
        assert held["Status"]["status"] == {"name": "Published"}
        assert notion.pages[made.id]["cover"] == {"type": "external", "external": {"url": post.featured_image}}

    async def test_a_database_without_other_properties_takes_title_and_text(self) -> None:
        notion = Workspace()
        notion.schema = {"Name": {"id": "title", "type": "title", "title": {}}, "Tags": {"type": "number"}}
        publisher = connect(notion, Wire(notion))
        await publisher.create(a_post())
        assert notion.posts()[0].title == a_post().title
        assert 'text property "External ID"' in await publisher.test()
        with pytest.raises(LookupUnsupported):
            await publisher.find(a_post())

    async def test_properties_may_be_named_otherwise(self) -> None:
        notion = Workspace()
        notion.schema["Schlagworte"] = notion.schema.pop("Tags")
        wire = Wire(notion)
        publisher = PROVIDER.connect(
            notion.credentials, {"properties": {"tags": "Schlagworte"}}, make_client(transport=wire), lambda: MOMENT
        )
        made = await publisher.create(a_post(tags=("Heat",)))
        assert notion.pages[made.id]["properties"]["Schlagworte"]["multi_select"] == [{"name": "Heat"}]
        del notion.schema["Schlagworte"]
        with pytest.raises(PublishFailed, match="Schlagworte") as failure:
            await publisher.create(a_post())
        assert failure.value.refusal is Refusal.INVALID

    async def test_a_long_text_takes_several_requests(self) -> None:
        notion = Workspace()
        wire = Wire(notion)
        made = await connect(notion, wire).create(a_post(markdown=LONG))
        assert sum(request.url.path.endswith("/children") for request in wire.requests) >= 2
        assert len(notion.blocks[made.id]) > 250
        assert "Paragraph 249" in notion.posts()[0].body

    @pytest.mark.parametrize(("status", "code"), [(429, "rate_limited"), (400, "validation_error"), (500, "internal")])
    async def test_a_page_with_half_of_its_text_goes_to_the_trash(self, status: int, code: str) -> None:
        notion = Workspace()
        answer = notion.answer
        notion.answer = lambda request: (  # type: ignore[method-assign]
            error(status, code, "not now") if request.url.path.endswith("/children") else answer(request)
        )
        publisher = connect(notion, Wire(notion))
        with pytest.raises(PublishFailed, match="not now") as failure:
            await publisher.create(a_post(markdown=LONG))
        assert not failure.value.outcome_unknown
        assert failure.value.retryable == (status != 400)
        assert notion.posts() == []
        assert await publisher.find(a_post(markdown=LONG)) is None

    async def test_a_page_that_cannot_be_taken_back_is_perhaps_there(self) -> None:
        notion = Workspace()
        answer = notion.answer
        notion.answer = lambda request: (  # type: ignore[method-assign]
            notion.busy() if request.method == "PATCH" else answer(request)
        )
        publisher = connect(notion, Wire(notion))
        with pytest.raises(PublishFailed) as failure:
            await publisher.create(a_post(markdown=LONG))
        assert failure.value.outcome_unknown
        notion.answer = answer  # type: ignore[method-assign]
        found = await publisher.find(a_post())
        assert found is not None
        await publisher.update(found.id, a_post(markdown=LONG))
        assert [post.body.count("Paragraph 249") for post in notion.posts()] == [1]

    async def test_an_update_replaces_the_text(self) -> None:
        notion = Workspace()
        publisher = connect(notion, Wire(notion))
        made = await publisher.create(a_post(markdown=LONG))
        await publisher.update(made.id, a_post(markdown="Short.", sources=(), tags=()))
        assert [block["type"] for block in notion.blocks[made.id]] == ["paragraph"]
        assert notion.posts()[0].tags == ()

    async def test_a_database_or_a_page_may_be_the_parent(self) -> None:
        notion = Workspace()
        publisher = connect(notion, Wire(notion))
        made = await publisher.create(a_post(options={"parent": DATABASE}))
        assert notion.pages[made.id]["parent"]["data_source_id"] == SOURCE
        below = await publisher.create(a_post(options={"parent": PAGE}))
        assert notion.pages[below.id]["parent"] == {"type": "page_id", "page_id": PAGE}
        assert (await publisher.update(below.id, a_post(title="Another"))).id == below.id
        assert [post.title for post in notion.posts()] == [a_post().title, "Another"]
        with pytest.raises(LookupUnsupported):
            await publisher.find(a_post(options={"parent": PAGE}))

    async def test_a_database_of_several_sources_has_to_be_told_apart(self) -> None:
        notion = Workspace()
        notion.sources_of_the_database.append({"id": PAGE, "name": "Other"})
        with pytest.raises(PublishFailed, match="several data sources"):
            await connect(notion, Wire(notion)).create(a_post(options={"parent": DATABASE}))
        assert notion.posts() == []

    async def test_what_the_connection_may_not_see_is_said_with_the_way_out(self) -> None:
        notion = Workspace()
        with pytest.raises(PublishFailed, match="Connections") as failure:
            await connect(notion, Wire(notion)).create(a_post(options={"parent": DATABASE[:-1] + "9"}))
        assert failure.value.refusal is Refusal.PERMISSION

    async def test_a_draft_needs_a_status_for_it(self) -> None:
        notion = Workspace()
        del notion.schema["Status"]
        draft = a_post(status=PostStatus.DRAFT)
        publisher = connect(notion, Wire(notion))
        for post in (draft, a_post(status=PostStatus.DRAFT, options={"parent": PAGE})):
            with pytest.raises(PublishFailed) as failure:
                await publisher.create(post)
            assert failure.value.refusal is Refusal.INVALID
        assert notion.posts() == []

    async def test_a_status_without_our_value_is_left_to_people(self) -> None:
        notion = Workspace()
        notion.schema["Status"]["status"]["options"] = [{"name": "Done"}]
        made = await connect(notion, Wire(notion)).create(a_post())
        assert "Status" not in notion.pages[made.id]["properties"]

    @pytest.mark.parametrize("field", ["canonical_url", "featured_image"])
    async def test_too_long_an_address_is_refused_before_any_call_that_changes_something(self, field: str) -> None:
        notion = Workspace()
        wire = Wire(notion)
        with pytest.raises(PublishFailed, match="2000") as failure:
            await connect(notion, wire).create(a_post(**{field: "https://example.com/" + "x" * 2000}))
        assert failure.value.refusal is Refusal.INVALID
        assert {request.method for request in wire.requests} == {"GET"}

    async def test_databases_and_pages_can_be_chosen(self) -> None:
        notion = Workspace()
        [field] = await connect(notion, Wire(notion)).options()
        assert [(choice.value, choice.label) for choice in field.choices] == [
            (SOURCE, "Blog (database)"),
            (PAGE, "Notes (page)"),
        ]

    @pytest.mark.parametrize(
        ("status", "code", "refusal"),
        [(409, "conflict_error", Refusal.TRANSIENT), (503, "service_unavailable", Refusal.LIMITED),
         (529, "service_overload", Refusal.LIMITED), (403, "restricted_resource", Refusal.PERMISSION)],
    )  # fmt: skip
    async def test_what_did_nothing_is_known_to_have_done_nothing(
        self, status: int, code: str, refusal: Refusal
    ) -> None:
        notion = Workspace()
        wire = Wire(notion)
        wire.fault = lambda answer, request: error(status, code, "Sorry.")
        with pytest.raises(PublishFailed) as failure:
            await connect(notion, wire).create(a_post())
        assert failure.value.refusal is refusal
        assert not failure.value.outcome_unknown

    @pytest.mark.parametrize("parent", ["Blog", "https://www.notion.so/acme", "1234"])
    def test_a_parent_of_another_form_is_refused(self, parent: str) -> None:
        notion = Workspace()
        with pytest.raises(InvalidInput):
            connect(notion, Wire(notion), {"token": TOKEN, "parent": parent})

    def test_ids_are_read_from_addresses(self) -> None:
        plain = SOURCE.replace("-", "")
        for text in (SOURCE, plain, f"https://notion.so/Cafe-{plain}", f"https://notion.so/a/{plain.upper()}/?v=1#x"):
            assert id_in(text) == SOURCE

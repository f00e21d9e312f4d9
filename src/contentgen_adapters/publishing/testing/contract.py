"""The tests that every publishing provider has to pass."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from datetime import timedelta
from typing import Any, ClassVar, cast
from xml.etree import ElementTree

import httpx
import pytest
from attrs import evolve

from contentgen_adapters.publishing.testing.vendor import (
    Fault,
    Vendor,
    Wire,
    a_post,
    broken_after,
    broken_before,
    connect,
    held_up,
    refused_connection,
    silent_after,
    silent_before,
)
from contentgen_core.errors import InvalidInput
from contentgen_core.model.publication import PostStatus
from contentgen_core.model.publishing_target import Feature, Post, RemotePost
from contentgen_core.policies.articles.publishing import check_fields
from contentgen_core.ports.publishing import (
    Deletes,
    FindsTwins,
    LookupUnsupported,
    Publisher,
    PublishFailed,
    Refusal,
    Unpublishes,
)
from contentgen_core.testing.runtime import MOMENT


class PostContract:
    """Tests for providers without network calls; all others inherit `ProviderContract`.

    A stand-in may have the attribute `public_articles`, which becomes that of the `Connection`.
    """

    @pytest.fixture
    def wire(self, vendor: Vendor) -> Wire:
        return Wire(vendor)

    @pytest.fixture
    def publisher(self, vendor: Vendor, wire: Wire) -> Publisher:
        return connect(vendor, wire)

    @pytest.fixture
    def post(self, vendor: Vendor) -> Post:
        return a_post(options=vendor.options)

    def test_the_declaration_is_complete(self, vendor: Vendor) -> None:
        info = vendor.provider.info
        assert re.fullmatch(r"[a-z0-9][a-z0-9-]{1,39}", info.id)
        icon = ElementTree.fromstring(info.icon)  # noqa: S314 - our own text
        assert icon.tag == "{http://www.w3.org/2000/svg}svg"
        assert "viewBox" in icon.attrib
        assert len(info.icon) < 2_000
        assert not re.search(r"<script|onload|href=|url\(", info.icon)
        assert Feature.PUBLISH in info.features
        names = [each.name for each in (*info.credential_fields, *info.setting_fields)]
        assert len(set(names)) == len(names)
        for asked in info.credential_fields:
            assert re.fullmatch(r"[a-z][A-Za-z0-9]*", asked.name)
            assert asked.label
            assert asked.help or not asked.required
        assert any(each.secret for each in info.credential_fields) or not info.credential_fields
        options = [option.name for option in info.option_fields]
        assert len(set(options)) == len(options)
        assert info.constraints.body_format
        check_fields("credentials", vendor.credentials, info.credential_fields)
        check_fields("settings", vendor.settings, info.setting_fields)

    async def test_credentials_that_work_are_told_from_those_that_do_not(self, vendor: Vendor, wire: Wire) -> None:
        assert await connect(vendor, wire).test()
        if not vendor.wrong_credentials:
            return
        with pytest.raises((PublishFailed, InvalidInput)) as refusal:
            await connect(vendor, wire, vendor.wrong_credentials).test()
        if isinstance(refusal.value, PublishFailed):
            assert refusal.value.refusal in (Refusal.CREDENTIALS, Refusal.PERMISSION)
        _assert_no_secret(vendor, vendor.wrong_credentials, str(refusal.value))

    async def test_nothing_is_published_by_a_test(self, vendor: Vendor, publisher: Publisher) -> None:
        await publisher.test()
        await publisher.options()
        assert vendor.posts() == []

    async def test_a_post_is_published_with_all_that_the_target_takes(
        self, vendor: Vendor, publisher: Publisher, post: Post
    ) -> None:
        made = await publisher.create(post)
        [held] = vendor.posts()
        assert (made.id, made.status) == (held.id, PostStatus.PUBLISHED)
        assert held.status is PostStatus.PUBLISHED
        limit = vendor.provider.info.constraints.title_max
        assert held.title == (post.title if limit is None else post.title[:limit])
        if Feature.TAGS in vendor.provider.info.features:
            assert held.tags

    async def test_the_text_survives_in_what_the_target_takes(
        self, vendor: Vendor, publisher: Publisher, post: Post
    ) -> None:
        """Text, numbers, links and numbered sources are preserved. A provider whose `constraints.cannot` excludes some
        of them overrides `survives`."""
        await publisher.create(post)
        [held] = vendor.posts()
        for part in self.survives:
            assert part in held.body

    survives: ClassVar[tuple[str, ...]] = (
        "Heat pumps move heat", "Sizes and prices", "120 m²", "9,000", "https://example.com/more", "„Wärme“ 🌡", "[1]",
        "https://example.com/1", "Heat pump efficiency",
    )  # fmt: skip

    async def test_a_post_is_read_back_as_it_stands(self, publisher: Publisher, post: Post) -> None:
        made = await publisher.create(post)
        try:
            seen = await publisher.read(made.id)
        except LookupUnsupported:
            return
        assert seen is not None
        assert (seen.id, seen.status) == (made.id, PostStatus.PUBLISHED)
        assert seen.url is None or seen.url.startswith("https://")

    async def test_what_a_person_changes_at_the_target_is_told_by_the_fingerprint(
        self, vendor: Vendor, publisher: Publisher, post: Post
    ) -> None:
        """A stand-in with a method `edit(id)`, which changes the text as a user of the service would, takes part."""
        edit = getattr(vendor, "edit", None)
        if edit is None:
            return
        made = await publisher.create(post)
        before, unchanged = await publisher.read(made.id), await publisher.read(made.id)
        assert before is not None
        assert before == unchanged
        assert before.fingerprint is not None
        edit(made.id)
        after = await publisher.read(made.id)
        assert after is not None
        assert after.fingerprint not in (None, before.fingerprint)

    async def test_what_is_gone_is_read_as_none_and_updated_as_gone(
        self, vendor: Vendor, publisher: Publisher, post: Post
    ) -> None:
        if Feature.FIND not in vendor.provider.info.features:
            return
        made = await publisher.create(post)
        vendor.remove(made.id)
        assert await publisher.read(made.id) is None
        if Feature.UPDATE in vendor.provider.info.features:
            with pytest.raises(PublishFailed) as failure:
                await publisher.update(made.id, post)
            assert failure.value.refusal is Refusal.GONE
            assert not failure.value.retryable
        assert vendor.posts() == []

    async def test_drafts_stay_drafts(self, vendor: Vendor, publisher: Publisher, post: Post) -> None:
        if Feature.DRAFT not in vendor.provider.info.features:
            return
        made = await publisher.create(evolve(post, status=PostStatus.DRAFT))
        assert made.status is PostStatus.DRAFT
        assert [held.status for held in vendor.posts()] == [PostStatus.DRAFT]
        if Feature.UPDATE in vendor.provider.info.features:
            assert (await publisher.update(made.id, post)).status is PostStatus.PUBLISHED
            assert [held.status for held in vendor.posts()] == [PostStatus.PUBLISHED]

    async def test_posts_for_later_are_scheduled(self, vendor: Vendor, publisher: Publisher, post: Post) -> None:
        if Feature.SCHEDULE not in vendor.provider.info.features:
            return
        later = evolve(post, status=PostStatus.SCHEDULED, scheduled_for=MOMENT + timedelta(days=2))
        assert (await publisher.create(later)).status is PostStatus.SCHEDULED
        assert [held.status for held in vendor.posts()] == [PostStatus.SCHEDULED]

    async def test_an_update_changes_the_post_and_makes_no_other(
        self, vendor: Vendor, publisher: Publisher, post: Post
    ) -> None:
        if Feature.UPDATE not in vendor.provider.info.features:
            return
        made = await publisher.create(post)
        changed = await publisher.update(made.id, evolve(post, title="A new title", markdown="New text [1]."))
        assert changed.id == made.id
        [held] = vendor.posts()
        assert "New text" in held.body
        assert held.title == "A new title"

    async def test_a_post_can_be_made_a_draft_again(self, vendor: Vendor, publisher: Publisher, post: Post) -> None:
        if Feature.UNPUBLISH not in vendor.provider.info.features:
            assert not hasattr(publisher, "unpublish")
            return
        made = await publisher.create(post)
        before = await publisher.read(made.id)
        await cast(Unpublishes, publisher).unpublish(made.id)
        seen = await publisher.read(made.id)
        assert before is not None
        assert seen is not None
        assert (seen.status, seen.fingerprint) == (PostStatus.DRAFT, before.fingerprint)
        assert [held.status for held in vendor.posts()] == [PostStatus.DRAFT]
        await cast(Unpublishes, publisher).unpublish(made.id)
        assert [held.status for held in vendor.posts()] == [PostStatus.DRAFT]

    async def test_a_post_can_be_deleted(self, vendor: Vendor, publisher: Publisher, post: Post) -> None:
        if Feature.DELETE not in vendor.provider.info.features:
            assert not hasattr(publisher, "delete")
            return
        made = await publisher.create(post)
        await cast(Deletes, publisher).delete(made.id)
        assert vendor.posts() == []
        if Feature.FIND in vendor.provider.info.features:
            assert await publisher.read(made.id) is None
        with suppress(PublishFailed):  # a second time it is gone, or deleted as well
            await cast(Deletes, publisher).delete(made.id)

    async def test_tags_that_were_asked_to_be_none_are_none(
        self, vendor: Vendor, publisher: Publisher, post: Post
    ) -> None:
        if not {Feature.TAGS, Feature.UPDATE} <= set(vendor.provider.info.features):
            return
        made = await publisher.create(post)
        await publisher.update(made.id, evolve(post, tags=(), categories=(), clears=("tags", "categories")))
        assert [held.tags for held in vendor.posts()] == [()]

    async def test_updating_twice_is_updating_once(self, vendor: Vendor, publisher: Publisher, post: Post) -> None:
        if Feature.UPDATE not in vendor.provider.info.features:
            return
        made = await publisher.create(post)
        await publisher.update(made.id, post)
        once = vendor.posts()
        await publisher.update(made.id, post)
        assert vendor.posts() == once

    async def test_a_post_is_found_by_what_we_call_it(self, vendor: Vendor, publisher: Publisher, post: Post) -> None:
        if Feature.FIND not in vendor.provider.info.features:
            with pytest.raises(LookupUnsupported):
                await publisher.find(post)
            return
        assert await publisher.find(post) is None
        made = await publisher.create(post)
        found = await publisher.find(post)
        assert found is not None
        assert found.id == made.id
        other = evolve(post, external_key="contentgen-other", slug="another-slug", canonical_url=None, title="Other")
        assert await publisher.find(other) is None


class ProviderContract(PostContract):
    """Tests for providers that call a service, failures of the network and the service included."""

    @pytest.mark.parametrize("fault", [silent_before, silent_after, broken_before, broken_after])
    async def test_a_lost_answer_is_told_as_perhaps_done_and_looking_tells_the_truth(
        self, vendor: Vendor, wire: Wire, publisher: Publisher, post: Post, fault: Fault
    ) -> None:
        wire.fault = fault
        with pytest.raises(PublishFailed) as failure:
            await publisher.create(post)
        assert failure.value.retryable
        assert failure.value.outcome_unknown
        assert wire.fault is None
        remote = await self._brought_to_an_end(vendor, publisher, post)
        if remote is not None:
            assert len(vendor.posts()) == 1

    async def _brought_to_an_end(self, vendor: Vendor, publisher: Publisher, post: Post) -> RemotePost | None:
        """Continues as the product does after a lost answer; None where a person has to decide."""
        if Feature.IDEMPOTENT in vendor.provider.info.features:
            return await publisher.create(post)
        try:
            found = await publisher.find(post)
        except LookupUnsupported:
            return None
        return found or await publisher.create(post)

    async def test_a_call_that_arrives_late_makes_a_second_post_that_is_told(
        self, vendor: Vendor, wire: Wire, publisher: Publisher, post: Post
    ) -> None:
        if Feature.TWINS not in vendor.provider.info.features:
            assert not hasattr(publisher, "copies")
            return
        held: list[httpx.Request] = []
        wire.fault = held_up(held)
        with pytest.raises(PublishFailed):
            await publisher.create(post)
        assert await publisher.find(post) is None
        made = await publisher.create(post)
        vendor.answer(held[0])
        try:
            copies = await cast(FindsTwins, publisher).copies(post)
        except LookupUnsupported:  # with these settings
            return
        assert {copy.id for copy in copies} == {kept.id for kept in vendor.posts()}
        assert len({copy.fingerprint for copy in copies}) == 1
        for copy in copies:
            if copy.id != made.id:
                await cast(Deletes, publisher).delete(copy.id)
        assert [kept.id for kept in vendor.posts()] == [made.id]

    async def test_a_connection_that_never_was_did_nothing(
        self, vendor: Vendor, wire: Wire, publisher: Publisher, post: Post
    ) -> None:
        wire.fault = refused_connection
        with pytest.raises(PublishFailed) as failure:
            await publisher.create(post)
        assert failure.value.retryable
        assert not failure.value.outcome_unknown
        assert vendor.posts() == []

    async def test_a_refused_post_says_why_and_is_not_repeated(
        self, vendor: Vendor, wire: Wire, publisher: Publisher, post: Post
    ) -> None:
        wire.fault = lambda answer, request: vendor.invalid()
        with pytest.raises(PublishFailed) as failure:
            await publisher.create(post)
        assert failure.value.refusal is Refusal.INVALID
        assert not failure.value.retryable
        assert not failure.value.outcome_unknown
        assert "too long" in str(failure.value)

    async def test_a_403_says_what_was_forbidden(
        self, vendor: Vendor, wire: Wire, publisher: Publisher, post: Post
    ) -> None:
        wire.fault = lambda answer, request: httpx.Response(403, request=request)
        with pytest.raises(PublishFailed) as failure:
            await publisher.create(post)
        assert "may not create or change" in str(failure.value)

    async def test_a_busy_target_is_to_be_asked_later(
        self, vendor: Vendor, wire: Wire, publisher: Publisher, post: Post
    ) -> None:
        wire.fault = lambda answer, request: vendor.busy()
        with pytest.raises(PublishFailed) as failure:
            await publisher.create(post)
        assert failure.value.refusal is Refusal.LIMITED
        assert failure.value.retryable
        assert not failure.value.outcome_unknown

    async def test_a_page_in_the_place_of_the_api_is_no_success(
        self, wire: Wire, publisher: Publisher, post: Post, vendor: Vendor
    ) -> None:
        """A login page or a parked domain may answer 200 as well."""
        if not self.reads_answers:
            return
        wire.fault = lambda answer, request: httpx.Response(200, text="<html>Welcome</html>")
        with pytest.raises(PublishFailed) as failure:
            await publisher.create(post)
        assert failure.value.refusal is Refusal.INVALID

    reads_answers: ClassVar[bool] = True
    """Whether the publisher reads the answer to a creation."""

    async def test_no_message_and_no_representation_holds_a_secret(
        self, vendor: Vendor, wire: Wire, publisher: Publisher, post: Post
    ) -> None:
        texts = [repr(publisher)]
        for response in (401, 403, 404, 409, 422, 500):
            echo = " ".join(str(value) for value in vendor.credentials.values())
            wire.fault = lambda answer, request, status=response, said=echo: httpx.Response(status, text=said)
            with pytest.raises(PublishFailed) as failure:
                await publisher.create(evolve(post, external_key=f"contentgen-{response}", slug=f"slug-{response}"))
            texts += [str(failure.value), repr(failure.value)]
        for text in texts:
            _assert_no_secret(vendor, vendor.credentials, text)

    async def test_a_redirect_is_never_followed(
        self, vendor: Vendor, wire: Wire, publisher: Publisher, post: Post
    ) -> None:
        wire.fault = lambda answer, request: httpx.Response(302, headers={"Location": "https://elsewhere.example/"})
        with pytest.raises(PublishFailed):
            await publisher.create(post)
        assert not any(request.url.host == "elsewhere.example" for request in wire.requests)


def _assert_no_secret(vendor: Vendor, credentials: Mapping[str, Any], text: str) -> None:
    for asked in vendor.provider.info.credential_fields:
        value = credentials.get(asked.name)
        if asked.secret and isinstance(value, str):
            assert value not in text

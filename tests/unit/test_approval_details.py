"""What goes out beside an article's text is approved with it: sources, tags, categories, addresses, marks."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve

from contentgen_core.errors import InvalidInput, NotFound, NotPermitted
from contentgen_core.model.approval import Approval, ApprovalRequired, ApprovalState, PostDetails
from contentgen_core.model.article import ImageCredit
from contentgen_core.model.ids import UserId
from contentgen_core.model.publication import PostRequest, PublicationStatus
from contentgen_core.model.tenant import Role
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.exporting import ExportFormat
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.testing import builders
from contentgen_core.use_cases.approval.decide import NothingToApprove
from contentgen_core.use_cases.niches.settings import SettingsChanges
from tests.support.approval import an_article, connected, demanded, editor, published, retitled, state, with_a_source
from tests.support.house import NICHE, open_house
from tests.support.team import joined


class TestBesideTheText:
    """What goes out beside the text is approved with it."""

    async def test_a_source_keeps_the_title_that_was_approved(self) -> None:
        async with open_house() as house:
            article, place = await with_a_source(house), await connected(house)
            await demanded(house)
            before = article.sources[0].title
            approved = await house.services.writing.approval.approve(house.caller, article.id)
            await retitled(house, article, "Buy it at https://evil.example/")
            assert await state(house, article.id) is ApprovalState.APPROVED
            ended = await published(house, article.id, PostRequest(), place)
            assert ended.status is PublicationStatus.PUBLISHED, ended.error
            [post] = house.target.posts.values()
            assert [source.title for source in post.sources] == [before]
            exported = await house.services.writing.export(house.caller, article.id, ExportFormat.MARKDOWN)
            assert b"evil" not in exported.content
            assert before in exported.content.decode()
            await house.services.writing.approval.send_back(house.caller, article.id, "The title of the source?")
            with pytest.raises(NothingToApprove):
                await house.services.writing.approval.approve(house.caller, article.id, approved.reader_hash)
            shown = await house.article(article.id)
            assert shown.sources[0].title == "Buy it at https://evil.example/"
            await house.services.writing.approval.approve(house.caller, article.id, shown.reader_hash)

    async def test_an_approver_who_read_another_title_approves_nothing(self) -> None:
        async with open_house() as house:
            article = await with_a_source(house)
            read = (await house.article(article.id)).reader_hash
            await retitled(house, article, "Buy it at https://evil.example/")
            with pytest.raises(NothingToApprove, match="changed since"):
                await house.services.writing.approval.approve(house.caller, article.id, read)

    @pytest.mark.parametrize(
        "changes",
        [
            {"sources": ()},
            {"image_credit": None},
            {"brief": builders.brief(keywords=("spam",))},
            {"brief": builders.brief(language=Language.FR)},
        ],
        ids=("sources", "credit", "keywords", "language"),
    )
    async def test_what_is_changed_behind_its_back_lets_the_approval_lapse(self, changes: dict[str, Any]) -> None:
        async with open_house() as house:
            article, place = await with_a_source(house), await connected(house)
            credit = ImageCredit("memory", "Pictures", "https://pictures.example.org/", "Ada Ohm")
            async with house.services.ports.unit_of_work() as tx:
                stored = await tx[Articles].get(house.caller.tenant_id, article.id)
                await tx[Articles].save(evolve(stored, image_credit=credit))
            await demanded(house)
            await house.services.writing.approval.approve(house.caller, article.id)
            async with house.services.ports.unit_of_work() as tx:
                stored = await tx[Articles].get(house.caller.tenant_id, article.id)
                await tx[Articles].save(evolve(stored, **changes))
            assert await state(house, article.id) is ApprovalState.IN_REVIEW
            with pytest.raises(ApprovalRequired):
                await published(house, article.id, PostRequest(), place)

    async def test_details_are_chosen_before_the_approval_and_go_out(self) -> None:
        async with open_house() as house:
            id, place = await an_article(house), await connected(house)
            await demanded(house)
            details = PostDetails(
                "sizing", ("heat",), ("News",), "https://example.org/sizing", {"memory": {"note": "For readers"}}
            )
            await house.services.writing.approval.submit(editor(house), id, details)
            await house.services.writing.approval.approve(house.caller, id, (await house.article(id)).reader_hash)
            same = PostRequest(tags=("heat",), canonical_url="https://example.org/sizing", slug="sizing")
            for request in (PostRequest(), same):
                assert (await published(house, id, request, place)).status is PublicationStatus.PUBLISHED
                [post] = house.target.posts.values()
                assert (post.slug, post.tags, post.categories) == ("sizing", ("heat",), ("News",))
                assert (post.canonical_url, post.options) == ("https://example.org/sizing", {"note": "For readers"})
            again = await house.services.writing.approval.submit(editor(house), id, details)
            assert again.approval_state is ApprovalState.APPROVED
            other = await house.services.writing.approval.submit(editor(house), id, PostDetails(tags=("spam",)))
            assert other.approval_state is ApprovalState.IN_REVIEW

    async def test_details_that_no_target_takes_are_refused(self) -> None:
        async with open_house() as house:
            id = await an_article(house)
            for details in (
                PostDetails(options={"nowhere": {}}),
                PostDetails(options={"memory": {"nothing": "x"}}),
                PostDetails(canonical_url="javascript:alert(1)"),
                PostDetails(tags=("x" * 101,)),
            ):
                with pytest.raises(InvalidInput):
                    await house.services.writing.approval.submit(house.caller, id, details)

    async def test_the_mark_is_the_one_that_was_approved(self) -> None:
        async with open_house() as house:
            place, id = await connected(house), (await with_a_source(house)).id
            await demanded(house)
            await house.services.writing.approval.approve(house.caller, id)
            await house.services.agents.niche_settings.change(house.caller, NICHE, SettingsChanges(ai_mark=True))
            await published(house, id, PostRequest(), place)
            [post] = house.target.posts.values()
            assert post.markdown == "Heat moves.[1]\n"
            with pytest.raises(ApprovalRequired, match="aiMark"):
                await published(house, id, PostRequest(ai_mark=True), place)

    async def test_an_approval_of_an_earlier_release_holds_for_what_it_named(self) -> None:
        async with open_house() as house:
            article, place = await with_a_source(house), await connected(house)
            await demanded(house)
            async with house.services.ports.unit_of_work() as tx:
                stored = await tx[Articles].get(house.caller.tenant_id, article.id)
                old = Approval(ApprovalState.APPROVED, house.clock.now(), UserId("ada"), stored.text_hash)
                await tx[Articles].save(evolve(stored, approval=old))
            await retitled(house, article, "Buy it at https://evil.example/")
            with pytest.raises(ApprovalRequired, match="categories"):
                await published(house, article.id, PostRequest(categories=("Spam",)), place)
            assert (await published(house, article.id, PostRequest(), place)).status is PublicationStatus.PUBLISHED
            [post] = house.target.posts.values()
            assert [source.title for source in post.sources] == [article.sources[0].title]

    async def test_what_somebody_approved_who_left_stays_approved_and_they_approve_no_more(self) -> None:
        async with open_house() as house:
            article, place = await with_a_source(house), await connected(house)
            _, approver = await joined(house, Role.ADMIN)
            await demanded(house)
            await house.services.writing.approval.approve(approver, article.id)
            await house.services.people.team.remove(house.caller, approver.user_id)
            assert (await published(house, article.id, PostRequest(), place)).status is PublicationStatus.PUBLISHED
            found = (await house.services.writing.evidence(house.caller, article.id)).article.present_approval
            assert found is not None
            assert found.by == approver.user_id
            await demanded(house, roles=(), user_ids=(house.caller.user_id,))
            with pytest.raises(NotPermitted):
                await house.services.writing.approval.approve(approver, article.id)

    async def test_an_approver_of_another_tenant_approves_nothing(self) -> None:
        async with open_house() as house:
            id = await an_article(house)
            with pytest.raises(NotFound):
                await house.services.writing.approval.approve(await house.other_tenant(), id)

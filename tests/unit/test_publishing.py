"""Publishing tells the truth: one post a target, whatever fails, and nothing claimed that was not seen."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta

import pytest
from attrs import evolve

from contentgen_adapters.memory.publishing import INFO, MemoryTarget
from contentgen_core.errors import Conflict, InvalidInput, NotFound
from contentgen_core.model.article import ArticleSource, ArticleStatus
from contentgen_core.model.ids import ArticleId, DocumentId
from contentgen_core.model.job import JobKind
from contentgen_core.model.publication import (
    MOST_STEPS,
    PostStatus,
    PublicationStatus,
    StepKind,
)
from contentgen_core.model.publishing_target import Feature
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.testing import builders
from contentgen_core.use_cases.articles.edit import EditArticleCommand
from contentgen_core.use_cases.publishing.start import NoIntegration, NothingToPublish
from tests.support.house import NICHE, House, open_house
from tests.support.publishing import (
    an_article,
    asked,
    connected,
    delivered,
    failing,
    invalid,
    no_answer,
    overloaded,
)


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with open_house() as opened:
        yield opened


class TestOnePost:
    async def test_an_article_is_published_and_read_back(self, house: House) -> None:
        integration, article_id = await connected(house), await an_article(house)
        publication = await delivered(house, await asked(house, integration, article_id))
        assert publication.status is PublicationStatus.PUBLISHED
        assert (publication.remote_id, publication.url) == ("1", "https://memory.example/1")
        assert publication.post_status is PostStatus.PUBLISHED
        assert house.target.calls == ["test", "create", "after create", "read"]
        assert house.target.posts["1"].external_key == publication.external_key
        assert await house.status(article_id) is ArticleStatus.PUBLISHED

    async def test_each_call_and_what_was_read_back_is_remembered_up_to_a_bound(self, house: House) -> None:
        integration, article_id = await connected(house), await an_article(house)
        house.target.before = failing("create", error=overloaded)
        publication = await delivered(house, await asked(house, integration, article_id))
        assert [(step.kind.value, step.detail) for step in publication.history] == [
            ("sent", "create"),
            ("put_off", "memory: HTTP 429"),
            ("sent", "create"),
            ("read_back", "published"),
        ]
        manage = house.services.publishing.publications
        for _ in range(MOST_STEPS):
            await manage.retry(house.caller, publication.id)
            publication = await delivered(house, publication)
        assert len(publication.history) == MOST_STEPS
        assert publication.history[-1].kind is StepKind.READ_BACK

    async def test_a_post_lists_each_document_once(self, house: House) -> None:
        article_id, integration = await an_article(house), await connected(house)
        one = ArticleSource(1, "The manual", DocumentId("a"), 0)
        async with house.services.ports.unit_of_work() as tx:
            stored = await tx[Articles].get(house.caller.tenant_id, article_id)
            sources = (one, evolve(one, number=2, chunk_index=1), evolve(one, number=3, parent_id=DocumentId("b")))
            await tx[Articles].save(evolve(stored, content="Heat moves.[1][2][3]\n", sources=sources))
        await delivered(house, await asked(house, integration, article_id))
        post = house.target.posts["1"]
        assert post.markdown == "Heat moves.[1][2]\n"
        assert [source.number for source in post.sources] == [1, 2]

    @pytest.mark.parametrize("url", ["javascript:alert(1)", "data:text/html,x", "//example.com", "https://"])
    async def test_what_a_target_names_that_is_no_web_address_is_never_stored(self, house: House, url: str) -> None:
        house.target.address = url
        integration, article_id = await connected(house), await an_article(house)
        publication = await delivered(house, await asked(house, integration, article_id))
        assert (publication.status, publication.url) == (PublicationStatus.PUBLISHED, None)

    @pytest.mark.parametrize("lost", [(), ("after create",)])
    async def test_an_answer_about_the_post_that_says_nothing_is_asked_for_again(
        self, house: House, lost: tuple[str, ...]
    ) -> None:
        integration, article_id = await connected(house), await an_article(house)
        created, nonsense = failing(*lost, error=no_answer), failing("read", "find", error=invalid, times=2)

        def before(name: str) -> None:
            created(name)
            nonsense(name)

        house.target.before = before
        publication = await delivered(house, await asked(house, integration, article_id))
        assert publication.status is PublicationStatus.PUBLISHED
        assert len(house.target.posts) == 1

    async def test_what_a_post_had_to_do_without_is_told_until_it_is_published_without_that(self, house: House) -> None:
        integration, article_id = await connected(house), await an_article(house)
        house.target.warnings = ("A picture of its text was not uploaded: no right to",)
        told = await delivered(house, await asked(house, integration, article_id))
        assert (told.status, told.warnings) == (PublicationStatus.PUBLISHED, house.target.warnings)
        house.target.warnings = ()
        again = await delivered(house, await asked(house, integration, article_id))
        assert again.warnings == ()

    async def test_publishing_again_updates_the_post(self, house: House) -> None:
        integration, article_id = await connected(house), await an_article(house)
        first = await delivered(house, await asked(house, integration, article_id))
        again = await delivered(house, await asked(house, integration, article_id, title="Another title"))
        assert again.id == first.id
        assert [post.title for post in house.target.posts.values()] == ["Another title"]

    async def test_a_draft_publishes_nothing(self, house: House) -> None:
        integration, article_id = await connected(house), await an_article(house)
        publication = await delivered(house, await asked(house, integration, article_id, status=PostStatus.DRAFT))
        assert publication.status is PublicationStatus.PUBLISHED
        assert (publication.post_status, publication.published_at) == (PostStatus.DRAFT, None)
        assert await house.status(article_id) is ArticleStatus.GENERATED

    async def test_content_that_is_no_article_is_published_too(self, house: House) -> None:
        integration = await connected(house)
        publication = await asked(house, integration, None, title="Heat", content="Heat *moves*.")
        assert (await delivered(house, publication)).status is PublicationStatus.PUBLISHED
        assert house.target.posts["1"].markdown == "Heat *moves*."

    async def test_a_post_for_later_waits_where_the_target_has_no_schedule(self) -> None:
        features = tuple(f for f in INFO.features if f is not Feature.SCHEDULE)
        async with open_house(target=MemoryTarget(evolve(INFO, features=features))) as house:
            integration, article_id = await connected(house), await an_article(house)
            at = house.clock.now() + timedelta(hours=1)
            wish = {"status": PostStatus.SCHEDULED, "scheduled_for": at}
            publication = await asked(house, integration, article_id, **wish)
            await house.work()
            assert house.target.posts == {}
            house.clock.advance(hours=1)
            assert (await delivered(house, publication)).post_status is PostStatus.PUBLISHED

    async def test_a_post_for_later_is_scheduled_at_a_target_that_can(self, house: House) -> None:
        integration, article_id = await connected(house), await an_article(house)
        at = house.clock.now() + timedelta(hours=1)
        wish = {"status": PostStatus.SCHEDULED, "scheduled_for": at}
        publication = await delivered(house, await asked(house, integration, article_id, **wish))
        assert publication.post_status is PostStatus.SCHEDULED
        assert house.target.posts["1"].scheduled_for == at
        assert await house.status(article_id) is ArticleStatus.GENERATED

    @pytest.mark.parametrize(
        ("seconds", "status"), [(50, PublicationStatus.PUBLISHED), (3_600, PublicationStatus.FAILED)]
    )
    async def test_a_target_may_publish_at_once_what_is_due_very_soon(
        self, house: House, seconds: int, status: PublicationStatus
    ) -> None:
        integration, article_id = await connected(house), await an_article(house)

        def at_once(name: str) -> None:
            if name == "read":
                house.target.posts["1"] = evolve(house.target.posts["1"], status=PostStatus.PUBLISHED)

        house.target.before = at_once
        wish = {"status": PostStatus.SCHEDULED, "scheduled_for": house.clock.now() + timedelta(seconds=seconds)}
        publication = await delivered(house, await asked(house, integration, article_id, **wish))
        assert publication.status is status
        assert (publication.post_status is PostStatus.PUBLISHED) is (status is PublicationStatus.PUBLISHED)


class TestAsking:
    async def test_there_must_be_somewhere_and_something_to_publish(self, house: House) -> None:
        article_id = await an_article(house)
        with pytest.raises(NoIntegration):
            await house.services.publishing.publish.article(house.caller, article_id, None)
        integration = await connected(house)
        with pytest.raises(InvalidInput):
            await asked(house, integration, None)
        with pytest.raises(NotFound):
            await asked(house, integration, ArticleId(builders.new_id()))
        empty = builders.article(tenant_id=house.caller.tenant_id, niche_key=NICHE)
        async with house.services.ports.unit_of_work() as tx:
            await tx[Articles].add(empty)
        with pytest.raises(Conflict):
            await asked(house, integration, empty.id)

    @pytest.mark.parametrize(
        ("field", "request_"),
        [
            ("title", {"title": "x" * 301}),
            ("tags", {"tags": ("x",) * 51}),
            ("tags[0]", {"tags": ("",)}),
            ("featuredImage", {"featured_image": "javascript:alert(1)"}),
            ("scheduledFor", {"status": PostStatus.SCHEDULED}),
            ("newsletter", {"options": {"newsletter": "weekly"}}),
            ("note", {"options": {"note": 7}}),
        ],
    )
    async def test_a_wish_that_cannot_be_fulfilled_is_refused_by_name(
        self, house: House, field: str, request_: dict[str, object]
    ) -> None:
        integration, article_id = await connected(house), await an_article(house)
        with pytest.raises(InvalidInput) as refusal:
            await asked(house, integration, article_id, **request_)
        assert [error.field for error in refusal.value.errors] == [field]

    async def test_an_article_without_a_text_is_not_scheduled_for_connected_targets(self, house: House) -> None:
        article = builders.article(tenant_id=house.caller.tenant_id, niche_key=NICHE, content=" \n")
        async with house.services.ports.unit_of_work() as tx:
            await tx[Articles].add(article)
        at = house.clock.now() + timedelta(hours=1)
        schedule = EditArticleCommand(house.caller, article.id, status=ArticleStatus.SCHEDULED, scheduled_for=at)
        assert (
            await house.services.writing.edit(schedule)
        ).status is ArticleStatus.SCHEDULED  # nobody is sent anything
        await house.services.writing.edit(EditArticleCommand(house.caller, article.id, status=ArticleStatus.DRAFT))
        await connected(house)
        with pytest.raises(NothingToPublish, match="no text"):
            await house.services.writing.edit(schedule)
        assert await house.status(article.id) is ArticleStatus.DRAFT
        edited = await house.services.writing.edit(evolve(schedule, content="Heat moves."))
        assert edited.status is ArticleStatus.SCHEDULED
        with pytest.raises(NothingToPublish):
            await house.services.writing.edit(EditArticleCommand(house.caller, article.id, content=""))

    async def test_at_its_time_an_article_without_a_text_is_kept_and_its_publication_says_why(
        self, house: House
    ) -> None:
        article = builders.article(tenant_id=house.caller.tenant_id, niche_key=NICHE, content="")
        async with house.services.ports.unit_of_work() as tx:
            await tx[Articles].add(article)
        at = house.clock.now() + timedelta(hours=1)
        await house.services.writing.edit(
            EditArticleCommand(house.caller, article.id, status=ArticleStatus.SCHEDULED, scheduled_for=at)
        )
        await connected(house)  # only now
        house.clock.advance(hours=1)
        for _ in range(2):
            await house.work()
        [publication] = await house.services.publishing.publications.of_article(house.caller, article.id)
        assert publication.status is PublicationStatus.FAILED
        assert "no text" in (publication.error or "")
        assert house.target.calls == ["test"]
        assert await house.status(article.id) is ArticleStatus.SCHEDULED
        edited = await house.services.writing.edit(EditArticleCommand(house.caller, article.id, content="Heat moves."))
        assert edited.status is ArticleStatus.SCHEDULED  # its time has passed; whoever mends it need not choose another
        await house.services.publishing.publications.retry(house.caller, publication.id)
        await house.work()
        assert [post.markdown for post in house.target.posts.values()] == ["Heat moves."]
        assert await house.status(article.id) is ArticleStatus.PUBLISHED

    async def test_content_that_is_sent_empty_is_refused(self, house: House) -> None:
        integration, article_id = await connected(house), await an_article(house)
        with pytest.raises(InvalidInput) as refusal:
            await asked(house, integration, article_id, content=" \n")
        assert [error.field for error in refusal.value.errors] == ["content"]

    async def test_a_scheduled_article_goes_to_the_connected_targets_when_its_time_has_come(self, house: House) -> None:
        await connected(house)
        article_id = await an_article(house)
        at = house.clock.now() + timedelta(hours=1)
        async with house.services.ports.unit_of_work() as tx:
            article = await tx[Articles].get(house.caller.tenant_id, article_id)
            article = evolve(article, status=ArticleStatus.SCHEDULED, scheduled_for=at)
            await tx[Articles].save(article)
            await tx[Jobs].enqueue(
                builders.job(
                    tenant_id=article.tenant_id, subject_id=article.id, kind=JobKind.PUBLISH_SCHEDULED, run_at=at
                )
            )
        house.clock.advance(hours=1)
        await house.work()
        assert await house.status(article_id) is ArticleStatus.SCHEDULED
        await house.work()
        assert await house.status(article_id) is ArticleStatus.PUBLISHED
        assert len(house.target.posts) == 1

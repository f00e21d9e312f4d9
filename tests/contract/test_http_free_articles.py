"""Free articles and the search for duplicates over HTTP; races over a real PostgreSQL."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from attrs import evolve

from contentgen_adapters.pages.memory import MemoryPage, MemoryPageReader
from contentgen_adapters.postgres.unit_of_work import PostgresUnitOfWork
from contentgen_core.errors import DailyQuotaExceeded, InvalidInput, NotConfigured
from contentgen_core.model.ids import ArticleId
from contentgen_core.model.job import JobKind
from contentgen_core.model.tenant import PlanName, Quota
from contentgen_core.page_errors import PageFault, PageUnreadable
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.repositories.free_articles import FreeArticles
from contentgen_core.ports.repositories.public_articles import PublicArticles
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import ManualClock
from contentgen_core.use_cases.articles.edit import EditArticleCommand
from contentgen_core.use_cases.free_articles.from_link import FreeAllowance, FreeArticle
from tests.support.free_pages import LINK, PAGE, pages
from tests.support.house import House, open_house
from tests.support.http import Api, Generous, faults_of, open_api, problem_of

PATH = "/public/generate-from-link"
CHECK = "/writer/check-trend-slug"


async def asked(api: Api, url: object = LINK, **more: Any) -> Any:
    return await api.call("POST", PATH, {"url": url}, key=None, **more)


async def admin_key(api: Api) -> str:
    return (await api.house.services.people.tenants.create("Platform", PlanName.PRO, platform_admin=True)).key.secret


class TestFromLink:
    async def test_a_visitor_asks_waits_and_reads(self) -> None:
        async with open_api() as api:
            api.house.web.pages.update(pages())
            begun = await asked(api)
            assert begun.status_code == 200, begun.text
            assert begun.json() == {
                "created": True,
                "article": {
                    "title": "Quiet Heat Pumps",
                    "freeTopic": "quiet heat pumps",
                    "slug": "quiet-heat-pumps",
                    "status": "generating",
                    "language": "en",
                    "progress": 0,
                },
            }
            await api.house.work()
            answer = (await asked(api)).json()
            article = answer["article"]
            assert (answer["created"], article["status"], article["freeTopic"]) == (
                False,
                "generated",
                "quiet heat pumps",
            )
            assert set(article) == {
                "title", "freeTopic", "slug", "status", "language", "content", "excerpt", "wordCount", "sources",
            }  # fmt: skip
            assert "[1]" in article["content"]
            assert {source["url"] for source in article["sources"]} == {LINK}
            assert {source["author"] for source in article["sources"]} == {"Ada Ohm"}

    async def test_the_answer_names_no_tenant_and_its_article_is_in_no_public_list(self) -> None:
        async with open_api() as api:
            api.house.web.pages.update(pages())
            await asked(api)
            await api.house.work()
            text = (await asked(api)).text
            async with api.house.services.ports.unit_of_work() as tx:
                article = await tx[FreeArticles].by_link(LINK)
                assert article is not None
                assert await tx[PublicArticles].count() == 0
                assert await tx[PublicArticles].find(article.slug or "") is None
            assert article.tenant_id not in text
            assert article.id not in text
            read = await api.call("GET", f"/writer/{article.id}")
            assert (read.status_code, problem_of(read)["code"]) == (404, "not_found")

    @pytest.mark.parametrize(
        ("url", "message"),
        [
            ("http://127.0.0.1/admin", "loopback"),
            ("http://169.254.169.254/latest/meta-data", "metadata"),
            ("http://[::1]:8000/", "loopback"),
            ("file:///etc/passwd", "http"),
            ("nonsense", "http"),
        ],
    )
    async def test_addresses_that_are_never_read_are_refused_by_name(self, url: str, message: str) -> None:
        async with open_api() as api:
            reader = MemoryPageReader({}, ManualClock())
            made = api.house.services.writing.generate_from_link
            guarded = evolve(made, read_page=evolve(made.read_page, reader=reader))
            with pytest.raises(InvalidInput, match=message) as refused:
                await guarded(url, "203.0.113.7")
            assert [fault.field for fault in refused.value.errors] == ["url"]

    async def test_a_page_that_leads_into_a_private_network_is_not_followed(self) -> None:
        async with open_api() as api:
            web = {"https://open.example.org/": MemoryPage(redirect="http://10.0.0.1/secret")}
            made = api.house.services.writing.generate_from_link
            read_page = evolve(made.read_page, reader=MemoryPageReader(web, ManualClock()))
            with pytest.raises(PageUnreadable, match="not public") as refused:
                await evolve(made, read_page=read_page)("https://open.example.org/", "203.0.113.7")
            assert refused.value.reason is PageFault.ADDRESS

    async def test_what_is_wrong_with_a_request_or_a_page_is_said(self) -> None:
        async with open_api() as api:
            api.house.web.pages[LINK] = ("Quiet Heat Pumps", "It hums.")
            assert faults_of(await asked(api, "ftp://a.example.org")) == {"url": "must be an http or https address"}
            assert "url" in faults_of(await asked(api, ""))
            assert "url" in faults_of(await asked(api, 7))
            assert "url" in faults_of(await asked(api, "https://a.example.org/" + "a" * 3_000))
            assert "more" in faults_of(await api.call("POST", PATH, {"url": LINK, "more": 1}, key=None))
            problem = problem_of(short := await asked(api))
            assert (short.status_code, problem["code"]) == (400, "page_unreadable")
            assert "too few to write from" in problem["detail"]

    async def test_a_used_up_day_is_told_with_the_time_it_ends(self) -> None:
        async with open_api() as api:
            for n in range(4):
                api.house.web.pages[f"https://many.example.org/{n}"] = (f"Quiet pumps, volume {n}", PAGE)
            for n in range(3):
                assert (await asked(api, f"https://many.example.org/{n}")).json()["created"]
            answer = await asked(api, "https://many.example.org/3")
            problem = problem_of(answer)
            assert (answer.status_code, problem["code"]) == (429, "daily_quota_exceeded")
            assert (problem["limit"], problem["used"]) == (3, 3)
            assert int(answer.headers["retry-after"]) > 0
            assert problem["resetsAt"].endswith("T00:00:00Z")

    async def test_an_address_has_so_many_requests_a_minute(self) -> None:
        async with open_api(limiter=Generous(0)) as api:
            answer = await asked(api)
            assert (answer.status_code, problem_of(answer)["code"]) == (429, "rate_limited")
            assert api.limiter.taken == ["generate-from-link:testclient"]

    async def test_a_service_without_free_articles_says_so(self) -> None:
        async with open_api() as api:
            made = evolve(api.house.services.writing.generate_from_link, allowance=FreeAllowance(0, 3))
            with pytest.raises(NotConfigured, match="switched off"):
                await made(LINK, "203.0.113.7")


class TestDuplicates:
    async def test_a_platform_admin_is_told_of_what_there_is(self) -> None:
        async with open_api() as api:
            api.house.web.pages.update(pages())
            await asked(api)
            key = await admin_key(api)
            exact = (await api.call("GET", f"{CHECK}?topic=quiet%20HEAT%20pumps", key=key)).json()
            assert exact["matchedBy"] == "freeTopic"
            assert set(exact["article"]) == {"id", "title", "slug", "status"}
            near = (await api.call("GET", f"{CHECK}?topic=The%20quiet%20heat%20pump&slug=heat", key=key)).json()
            assert (near["exists"], near["matchedBy"]) == (True, "nearDuplicate")
            assert near["article"] == exact["article"]
            none = await api.call("GET", f"{CHECK}?topic=Solar%20roofs", key=key)
            assert none.json() == {"exists": False}

    async def test_slug_or_topic_is_needed_before_anybody_asks_who_asks(self) -> None:
        async with open_api() as api:
            assert set(faults_of(await api.call("GET", CHECK))) == {"slug", "topic"}
            assert "topic" in faults_of(await api.call("GET", f"{CHECK}?topic={'a' * 501}"))
            refused = await api.call("GET", f"{CHECK}?topic=heat")
            assert (refused.status_code, problem_of(refused)["code"]) == (403, "not_permitted")
            assert (await api.call("GET", f"{CHECK}?topic=heat", key=None)).status_code == 401

    async def test_a_second_free_article_on_a_topic_is_a_conflict(self) -> None:
        async with open_api() as api:
            admin = await api.house.services.people.tenants.create("Platform", PlanName.PRO, platform_admin=True)
            await api.house.activate(admin.caller)
            key = admin.key.secret
            body = {"agentKey": "home-energy-GB", "topic": "Heat pump noise at night", "allowLowCoverage": True}
            ids = [(await api.call("POST", "/writer/generate-plan", body, key=key)).json()["articleId"] for _ in "ab"]
            first = await api.call("PATCH", f"/writer/{ids[0]}", {"isFreeGeneration": True}, key=key)
            assert (first.json()["isFreeGeneration"], first.json()["freeTopic"]) == (True, "heat pump noise at night")
            second = await api.call("PATCH", f"/writer/{ids[1]}", {"isFreeGeneration": True}, key=key)
            assert (second.status_code, problem_of(second)["code"]) == (409, "duplicate_free_article")
            public = await api.call("PATCH", f"/writer/{ids[1]}", {"isPublic": True}, key=key)
            assert (public.json()["isPublic"], public.json()["publicCategory"]) == (True, "other")


class TestOverPostgres:
    async def _house(self, data: UnitOfWork) -> House:
        async with open_house(data=data) as house:
            house.web.pages.update(pages())
            return house

    async def test_many_at_once_make_one_article_one_tenant_and_one_job(
        self, postgres_unit_of_work: PostgresUnitOfWork
    ) -> None:
        house = await self._house(postgres_unit_of_work)
        made = await asyncio.gather(
            *(house.services.writing.generate_from_link(LINK, f"198.51.100.{n}") for n in range(10))
        )
        assert sum(each.created for each in made) == 1
        assert len({each.article.id for each in made}) == 1
        jobs = [job for job in await house.claim() if job.kind is JobKind.GENERATE_ARTICLE]
        assert [job.subject_id for job in jobs] == [made[0].article.id]
        await house.services.handlers[jobs[0].kind](jobs[0])
        written = await house.services.writing.generate_from_link(LINK, "203.0.113.7")
        assert written.article.content
        assert (await house.services.people.tenant.quotas(house.caller))[Quota.ARTICLES].used == 0

    async def test_the_days_limits_hold_however_many_ask_at_once(
        self, postgres_unit_of_work: PostgresUnitOfWork
    ) -> None:
        house = await self._house(postgres_unit_of_work)
        made = evolve(house.services.writing.generate_from_link, allowance=FreeAllowance(4, 3))
        for n in range(12):
            house.web.pages[f"https://many.example.org/{n}"] = (f"Quiet pumps, volume {n}", PAGE)
        answers = await asyncio.gather(
            *(made(f"https://many.example.org/{n}", f"198.51.100.{n % 2}") for n in range(12)), return_exceptions=True
        )
        assert sum(isinstance(answer, FreeArticle) for answer in answers) == 4
        assert sum(isinstance(answer, DailyQuotaExceeded) for answer in answers) == 8

    async def test_a_visitor_and_an_admin_who_want_a_topic_at_once_share_it(
        self, postgres_unit_of_work: PostgresUnitOfWork
    ) -> None:
        house = await self._house(postgres_unit_of_work)
        admin = evolve(house.caller, platform_admin=True)
        for n in range(5):
            url = f"https://many.example.org/{n}"
            house.web.pages[url] = (f"Quiet pumps, volume {n}", PAGE)
            article_id = await _planned(house, f"Quiet pumps, volume {n}")
            edit = EditArticleCommand(admin, article_id, is_free_generation=True)
            found, edited = await asyncio.gather(
                house.services.writing.generate_from_link(url, f"198.51.100.{n}"),
                house.services.writing.edit(edit),
                return_exceptions=True,
            )
            assert isinstance(found, FreeArticle)
            assert found.created == isinstance(edited, Exception)
            assert found.open == found.created

    async def test_of_two_patches_at_once_one_is_a_conflict(self, postgres_unit_of_work: PostgresUnitOfWork) -> None:
        house = await self._house(postgres_unit_of_work)
        admin = evolve(house.caller, platform_admin=True)
        ids = [await _planned(house, "Quiet pumps") for _ in range(6)]
        answers = await asyncio.gather(
            *(house.services.writing.edit(EditArticleCommand(admin, id, is_free_generation=True)) for id in ids),
            return_exceptions=True,
        )
        refused = [answer for answer in answers if isinstance(answer, BaseException)]
        assert [getattr(error, "code", error) for error in refused] == ["duplicate_free_article"] * 5


async def _planned(house: House, topic: str) -> ArticleId:
    article = builders.article(
        tenant_id=house.caller.tenant_id, brief=builders.brief(topic=topic), topic_key=topic.casefold()
    )
    async with house.services.ports.unit_of_work() as tx:
        await tx[Articles].add(article)
    return article.id

"""POST /writer/similar-articles, and the same in the answers of the operations before it."""

from __future__ import annotations

from contentgen_adapters.memory.publishing import TOKEN
from tests.support.http import AGENT, COVERED, open_api, problem_of

MEMORY = {"provider": "memory", "name": "Our blog", "credentials": {"token": TOKEN, "blog": "heat"}}
ASKED = {"topic": "Efficiency of heat pumps in winter", "agentKey": AGENT}


async def test_an_article_that_answers_the_topic_is_named_with_what_to_do() -> None:
    async with open_api() as api:
        assert (await api.call("POST", "/writer/similar-articles", ASKED)).json() == {"articles": []}
        article = await api.written()
        answer = await api.call("POST", "/writer/similar-articles", ASKED)
        assert answer.status_code == 200, answer.text
        [found] = answer.json()["articles"]
        assert (found["id"], found["status"], found["same"]) == (article["id"], "generated", True)
        assert (found["suggestion"], found["urls"], "mergeWith" in found) == ("update", [], False)
        cited = {f"{source['parentId']}#{source['chunkIndex']}" for source in article["sources"]}
        assert set(found["sharedPassages"]) <= cited
        assert len(found["sharedPassages"]) > 0
        assert found["shares"]["words"] == found["likeness"] == 1
        planned = await api.planned()
        assert [each["id"] for each in planned["similarArticles"]] == [article["id"]]
        checked = await api.call("POST", "/writer/check-kb-coverage", {"agentKey": AGENT, "topic": COVERED})
        assert {each["id"] for each in checked.json()["similarArticles"]} == {article["id"], planned["articleId"]}


async def test_where_its_post_is_read_is_named() -> None:
    async with open_api() as api:
        article = await api.written()
        assert (await api.call("POST", "/integrations", MEMORY)).status_code == 200
        published = await api.call("POST", f"/writer/{article['id']}/publish")
        assert published.status_code == 200, published.text
        await api.house.work()
        [found] = (await api.call("POST", "/writer/similar-articles", ASKED)).json()["articles"]
        assert len(found["urls"]) == 1


async def test_all_faults_are_named_and_another_tenant_finds_nothing() -> None:
    async with open_api() as api:
        refused = await api.call(
            "POST", "/writer/similar-articles", {"topic": " ", "agentKey": "home", "language": "xx"}
        )
        assert {fault["field"] for fault in problem_of(refused)["errors"]} == {"topic", "agentKey", "language"}
        await api.written()
        other = await api.house.other_tenant()
        key = await api.key_of(other)
        assert (await api.call("POST", "/writer/similar-articles", ASKED, key=key)).json() == {"articles": []}

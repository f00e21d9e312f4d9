"""Which private documents an article is written from."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve

from contentgen_core.errors import InvalidInput, NotFound
from contentgen_core.model.article import ArticleStatus
from contentgen_core.model.document import PrivateDocument
from contentgen_core.model.ids import DocumentId
from contentgen_core.model.vocabulary import Language, PrivateDocsMode
from contentgen_core.use_cases.articles.plan import PlanArticleCommand, Planned
from tests.support.house import AGENT, COVERED, House, open_house

MODES = PrivateDocsMode
ON_TOPIC = (
    "# Our winter trial\n\nOur own trial of heat pump efficiency in winter ran for ninety days in Leeds. The heat pump "
    "of the trial kept an efficiency of 3.4 in winter, measured at the meter."
)
ALSO = (
    "# Our second trial\n\nThe second trial of heat pump efficiency in winter ran in York. Its heat pump had an "
    "efficiency of 2.9 in winter because of its high flow temperature."
)
ELSEWHERE = "# Canteen rules\n\nThe canteen opens at noon. Trays go back to the rack beside the door."


async def documents(house: House, *texts: str) -> list[PrivateDocument]:
    added = [
        await house.services.knowledge.add_document.upload(house.caller, f"d{n}.md", text.encode())
        for n, text in enumerate(texts)
    ]
    await house.work()
    return [await house.services.knowledge.documents.one(house.caller, document.id) for document in added]


async def planned(house: House, mode: PrivateDocsMode, *ids: DocumentId, **changes: Any) -> Planned:
    command = PlanArticleCommand(
        house.caller, AGENT, COVERED, language=Language.EN, private_docs_mode=mode, document_ids=ids
    )
    return await house.services.writing.plan(evolve(command, **changes))


def parents(plan: Planned) -> list[str]:
    return [source.passage.document.id for source in plan.sources]


async def test_disabled_never_touches_a_private_document() -> None:
    async with open_house() as house:
        mine = await documents(house, ON_TOPIC, ALSO)
        assert not {document.id for document in mine} & set(parents(await planned(house, MODES.DISABLED)))


async def test_manual_takes_the_named_documents_first_and_no_others() -> None:
    async with open_house() as house:
        first, second = await documents(house, ON_TOPIC, ALSO)
        found = parents(await planned(house, MODES.MANUAL, second.id))
        assert found[0] == second.id
        assert first.id not in found
        assert len(set(found)) > 1, "the knowledge base fills up"


async def test_auto_finds_the_relevant_documents_by_itself() -> None:
    async with open_house() as house:
        first, second, elsewhere = await documents(house, ON_TOPIC, ALSO, ELSEWHERE)
        found = parents(await planned(house, MODES.AUTO))
        assert {first.id, second.id} <= set(found)
        assert elsewhere.id not in found


async def test_an_article_is_written_from_them_and_cites_them() -> None:
    async with open_house() as house:
        [document] = await documents(house, ON_TOPIC)
        plan = await planned(house, MODES.MANUAL, document.id, auto_validate=True)
        await house.work()
        article = await house.article(plan.article.id)
        assert article.status is ArticleStatus.GENERATED
        assert document.id in {source.parent_id for source in article.sources}


async def test_auto_generation_retrieves_them_again_when_the_job_runs() -> None:
    async with open_house() as house:
        [document] = await documents(house, ON_TOPIC)
        plan = await planned(house, MODES.AUTO, auto_validate=True)
        async with house.services.ports.unit_of_work() as tx:
            sources = await tx.generations.sources(plan.article.id)
        assert sources is not None
        assert document.id in {source.ref.document_id for source in sources}


async def test_a_topic_that_only_private_documents_cover_can_be_planned() -> None:
    async with open_house() as house:
        text = (
            "# Zirkon {n}\n\nThe Zirkon boiler of series {n} burns wood pellets of size {n}. A Zirkon "
            "boiler series {n} is lit by hand, and its pellets are stored dry in a silo of {n} tonnes."
        )
        texts = [text.format(n=n) for n in range(2, 8)]
        mine = await documents(house, *texts)
        plan = await planned(house, MODES.AUTO, topic="Zirkon boiler pellets and how they are stored")
        assert set(parents(plan)) <= {document.id for document in mine}


async def test_another_tenants_or_an_unready_document_cannot_be_named() -> None:
    async with open_house() as house:
        [document] = await documents(house, ON_TOPIC)
        other = await house.other_tenant()
        with pytest.raises(NotFound):
            await planned(house, MODES.MANUAL, document.id, caller=other)
        with pytest.raises(NotFound):
            await planned(house, MODES.MANUAL, DocumentId("unknown"))
        unready = await house.services.knowledge.add_document.upload(house.caller, "new.md", b"# New\n\nNot read yet.")
        with pytest.raises(InvalidInput, match="not ready"):
            await planned(house, MODES.MANUAL, unready.id)


async def test_ids_go_with_manual_and_manual_needs_some() -> None:
    async with open_house() as house:
        [document] = await documents(house, ON_TOPIC)
        for mode, ids in ((MODES.AUTO, (document.id,)), (MODES.DISABLED, (document.id,)), (MODES.MANUAL, ())):
            with pytest.raises(InvalidInput, match="documentIds"):
                await planned(house, mode, *ids)

"""Which private documents an article is written from."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve

from contentgen_adapters.llm.extractive.writer import ExtractiveWriter
from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.errors import InvalidInput, NotFound
from contentgen_core.model.article import ArticleStatus
from contentgen_core.model.article_plan import PlanSection
from contentgen_core.model.document import PrivateDocument
from contentgen_core.model.ids import ArticleId, DocumentId
from contentgen_core.model.knowledge import KbScope
from contentgen_core.model.vocabulary import ArticleLength, Language, PrivateDocsMode
from contentgen_core.ports.documents import SourceText
from contentgen_core.ports.exporting import ExportFormat
from contentgen_core.ports.repositories.articles import Generations
from contentgen_core.use_cases.articles.languages import WritingLanguages
from contentgen_core.use_cases.articles.plan import PlanArticleCommand, Planned
from contentgen_core.use_cases.articles.private_docs import ChosenDocuments
from contentgen_core.use_cases.articles.start_from_plan import StartFromPlanCommand
from contentgen_core.use_cases.documents.edit import DocumentChanges
from contentgen_core.use_cases.idempotency import IdempotencyKey
from tests.support.house import AGENT, COVERED, NICHE, House, findable, open_house

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


async def test_a_renamed_document_is_listed_by_its_new_title() -> None:
    async with open_house() as house:
        [document] = await documents(house, ON_TOPIC)
        plan = await planned(house, MODES.MANUAL, document.id, auto_validate=True)
        await house.work()
        manage, id = house.services.knowledge.documents, plan.article.id
        await manage.edit(house.caller, document.id, DocumentChanges(title="The trial of Leeds"))
        assert await titles(house, id, document.id) == {"The trial of Leeds"}
        exported = await house.services.writing.export(house.caller, id, ExportFormat.MARKDOWN)
        assert "The trial of Leeds" in exported.content.decode()
        assert document.title not in exported.content.decode()
        await manage.delete(house.caller, document.id)
        assert await titles(house, id, document.id) == {document.title}


async def titles(house: House, article: ArticleId, document: DocumentId) -> set[str]:
    return {source.title for source in (await house.article(article)).sources if source.parent_id == document}


async def test_auto_generation_retrieves_them_again_when_the_job_runs() -> None:
    async with open_house() as house:
        [document] = await documents(house, ON_TOPIC)
        plan = await planned(house, MODES.AUTO, auto_validate=True)
        async with house.services.ports.unit_of_work() as tx:
            sources = await tx[Generations].sources(plan.article.id)
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


LONG_WINDED = (
    "# Notes\n\nHeat pump efficiency was 3.1 at our Hull site in the winter of 2023. Nothing else was measured there, "
    "and the house was empty."
)
FRENCH = (
    "# Essai\n\nNotre essai de heat pump efficiency in winter : en hiver, la pompe à chaleur de la maison de Lille a "
    "gardé un rendement de 3,1. Nous avons mesuré ce rendement au compteur pendant tout l'hiver."
)


@pytest.mark.parametrize("length", ArticleLength)
async def test_a_chosen_document_outranks_better_sources_and_is_cited(length: ArticleLength) -> None:
    async with open_house() as house:
        [weak] = await documents(house, LONG_WINDED)
        auto = await planned(house, MODES.AUTO, length=length)
        scores = {source.passage.document.id: source.combined_score for source in auto.sources}
        assert scores.get(weak.id, 0.0) < max(scores.values()), "by its score it would not come first"
        for model in (house.model, ExtractiveWriter(IcuTextAnalysis())):
            plan = evolve(house.services.writing.plan, model=model)
            command = PlanArticleCommand(
                house.caller,
                AGENT,
                COVERED,
                language=Language.EN,
                length=length,
                private_docs_mode=MODES.MANUAL,
                document_ids=(weak.id,),
            )
            made = await plan(command)
            assert parents(made)[0] == weak.id
            assert made.documents == ChosenDocuments((weak.id,), ())
            assert made.article.plan is not None
            assert weak.id in {ref.document_id for ref in made.article.plan.cited}


async def test_a_full_knowledge_base_leaves_a_chosen_document_its_place() -> None:
    """The writer without a model takes no more sources than the length requires, the most relevant first."""
    async with open_house() as house:
        rooms = ("attic", "cellar", "kitchen", "garage", "pantry", "studio", "nursery", "library", "lobby", "porch")
        texts = (
            "# Efficiency in winter\n\n" + " ".join(
                f"The heat pump efficiency in winter of the {room} was {n}.{k}, which the meter in the {room} counted."
                for k in range(2, 9)
            )
            for n, room in enumerate(rooms)
        )  # fmt: skip
        more = [
            SourceText(f"r{n}", f"Heat pump efficiency {n}", text, None, Language.EN) for n, text in enumerate(texts)
        ]
        await house.services.knowledge.import_sources(KbScope(NICHE, house.caller.tenant_id), more)
        await findable(house.services)
        [weak] = await documents(house, LONG_WINDED)
        plan = evolve(house.services.writing.plan, model=ExtractiveWriter(IcuTextAnalysis()))
        command = PlanArticleCommand(
            house.caller,
            AGENT,
            COVERED,
            language=Language.EN,
            length=ArticleLength.SHORT,
            private_docs_mode=MODES.MANUAL,
            document_ids=(weak.id,),
        )
        assert (await plan(command)).documents == ChosenDocuments((weak.id,), ())


async def test_no_chosen_document_crowds_out_another() -> None:
    def series(n: int, k: int) -> str:
        said = f"The meter of house {n * 7 + k} counted what the heat pump used on each winter day of that year. "
        return f"## Series {k}\n\nHeat pump efficiency in winter of series {k} of trial {n} was {k}.{n}. {said * 9}"

    async with open_house() as house:
        trials = ["\n\n".join((f"# Trial {n}", *(series(n, k) for k in range(2, 9)))) for n in (1, 2)]
        chosen = await documents(house, *trials, LONG_WINDED)
        made = await planned(house, MODES.MANUAL, *(each.id for each in chosen), length=ArticleLength.SHORT)
        assert len(set(parents(made)[:3])) == 3
        assert made.documents is not None
        assert set(made.documents.used) == {each.id for each in chosen}


async def test_the_answer_says_which_chosen_documents_are_not_used_and_why() -> None:
    async with open_house() as house:
        on_topic, elsewhere, french = await documents(house, ON_TOPIC, ELSEWHERE, FRENCH)
        assert french.language is Language.FR
        plan = evolve(house.services.writing.plan, languages=WritingLanguages(crosses=False))
        command = PlanArticleCommand(
            house.caller,
            AGENT,
            COVERED,
            language=Language.EN,
            private_docs_mode=MODES.MANUAL,
            document_ids=(elsewhere.id, on_topic.id, french.id),
            idempotency=IdempotencyKey("once", "same"),
        )
        made = await plan(command)
        assert made.documents is not None
        assert made.documents.used == (on_topic.id,)
        reasons = {each.document_id: each.reason for each in made.documents.unused}
        assert list(reasons) == [elsewhere.id, french.id]
        assert "it has nothing on the topic beyond" in reasons[elsewhere.id]
        assert "it is in fr and the article in en" in reasons[french.id]
        assert (await plan(command)).documents == made.documents, "a repeated request is answered alike"
        assert (await planned(house, MODES.AUTO)).documents is None


async def test_what_the_plan_leaves_out_is_told_as_well() -> None:
    async with open_house() as house:
        mine = await documents(house, ON_TOPIC, ALSO, LONG_WINDED, ON_TOPIC.replace("Leeds", "Hove and 14 towns"))
        made = await planned(house, MODES.MANUAL, *(each.id for each in mine))
        assert made.documents is not None
        assert made.article.plan is not None
        cited = {ref.document_id for ref in made.article.plan.cited}
        assert set(made.documents.used) == cited & {each.id for each in mine}
        unused = {each.document_id for each in made.documents.unused}
        assert unused == {each.id for each in mine} - cited
        assert unused, "the writer of this test plans three sections"
        started = await planned(house, MODES.MANUAL, mine[0].id, auto_validate=True)
        assert started.documents == ChosenDocuments((mine[0].id,), ())


async def test_each_document_that_is_not_ready_is_named() -> None:
    async with open_house() as house:
        add = house.services.knowledge.add_document.upload
        unready = [await add(house.caller, f"{n}.md", b"# New\n\nNot read yet." + b"!" * n) for n in range(2)]
        with pytest.raises(InvalidInput) as refused:
            await planned(house, MODES.MANUAL, *(each.id for each in unready))
        assert [fault.field for fault in refused.value.errors] == ["documentIds[0]", "documentIds[1]"]


async def test_what_is_added_to_a_plan_takes_chosen_documents_first() -> None:
    async with open_house() as house:
        [weak] = await documents(house, LONG_WINDED)
        made = await planned(house, MODES.MANUAL, weak.id)
        assert made.article.plan is not None
        edited = evolve(made.article.plan, sections=(*made.article.plan.sections, PlanSection(COVERED)))
        started = await house.services.writing.start_from_plan(
            StartFromPlanCommand(house.caller, made.article.id, edited)
        )
        assert started.article.plan is not None
        assert started.article.plan.sections[-1].source_ids[0].document_id == weak.id

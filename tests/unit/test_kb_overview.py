"""Statistics, entities and graph of a tenant's knowledge base, and the model that looks through the entities."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from attrs import evolve

from contentgen_adapters.memory.passage_index import MemoryIndex
from contentgen_core.errors import InvalidInput, NotFound, ProviderFailed, StaleIndex, Unavailable
from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.entity import EntityType, JoinedBy
from contentgen_core.model.knowledge import KbScope, Origin
from contentgen_core.model.tenant import PlanName
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.content_model import EntityJudgement
from contentgen_core.ports.documents import SourceText
from contentgen_core.ports.knowledge_base import Vector
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.use_cases.knowledge.overview import CURATE_EVERY
from tests.support.house import AGENT, NICHE, House, open_house

TEXT = (
    "Many ask Ofgem about SCOP. The rules of Ofgem and the SCOP matter in France.\n\n"
    "A label by Ofgem shows the SCOP in France."
)


async def add(house: House, key: str, text: str = TEXT, origin: Origin = Origin.WEB, **scope: str) -> None:
    source = SourceText(key, key.title(), text, None, Language.EN)
    await house.services.knowledge.import_sources(KbScope(NICHE, **scope), [source], origin)  # type: ignore[arg-type]


async def names(house: House, key: str = NICHE, limit: int = 200) -> dict[str, int]:
    found = await house.services.knowledge.overview.entities(house.caller, key, limit)
    return {entity.name: entity.mentions for entity in found.entities}


async def test_an_agent_key_narrows_to_its_country() -> None:
    async with open_house() as house:
        await add(house, "french", country="FR")
        await add(house, "british", country="GB")
        await add(house, "shared")
        overview = house.services.knowledge.overview
        before = (await overview.statistics(house.caller, NICHE)).figures.passages
        assert (await overview.statistics(house.caller, AGENT)).figures.passages == before == 5 + 2
        assert (await names(house, AGENT))["Ofgem"] == (await names(house))["Ofgem"] == 2 * 3


async def test_the_statistics_tell_where_passages_came_from() -> None:
    async with open_house() as house:
        await add(house, "page", origin=Origin.WEB)
        await add(house, "insight", "Ofgem says so.", origin=Origin.AI)
        found = await house.services.knowledge.overview.statistics(house.caller, NICHE)
        assert found.figures.by_origin == {"import": 5, "web": 1, "ai": 1}
        assert found.context.niche.niche_key == NICHE


async def test_another_tenants_documents_are_never_counted() -> None:
    async with open_house() as house:
        other = await house.other_tenant()
        await add(house, "theirs", tenant_id=other.tenant_id)
        assert "Ofgem" not in await names(house)
        before = await house.services.knowledge.overview.statistics(house.caller, NICHE)
        assert before.figures.by_origin == {"import": 5}
        theirs = await house.services.knowledge.overview.entities(other, NICHE, 10)
        assert {e.name for e in theirs.entities} >= {"Ofgem", "SCOP"}
        graph = (await house.services.knowledge.overview.graph(house.caller, NICHE, 100)).graph
        assert "Ofgem" not in {node.entity.name for node in graph.nodes}
        assert graph.passages == 5


@pytest.mark.parametrize("failure", [StaleIndex("another layout"), Unavailable("not there")])
async def test_a_graph_is_that_of_passages_where_their_vectors_cannot_be_read(failure: Exception) -> None:
    class FailingIndex(MemoryIndex):
        async def vectors(self, refs: Sequence[SourceRef]) -> dict[SourceRef, Vector]:
            raise failure

    async with open_house() as house:
        for n in range(3):
            await add(house, f"page {n}", f"{TEXT} Number {n}.")
        overview = house.services.knowledge.overview
        before = await overview.graph(house.caller, NICHE, 100)
        assert before.graph.edges
        assert await evolve(overview, index=FailingIndex()).graph(house.caller, NICHE, 100) == before
        assert await evolve(overview, index=MemoryIndex()).graph(house.caller, NICHE, 100) == before


async def test_a_graph_reads_all_vectors_at_once_and_joins_by_them() -> None:
    readings: list[int] = []

    class AlikeIndex(MemoryIndex):
        async def vectors(self, refs: Sequence[SourceRef]) -> dict[SourceRef, Vector]:
            readings.append(len(refs))
            house_refs = {ref for ref in refs if ref.document_id in mine}
            return {ref: [1.0, 0.0] if ref in house_refs else [0.0, 1.0] for ref in refs}

    async with open_house() as house:
        for n in range(4):
            await add(house, f"page {n}", f"Many ask Ofgem about it. Number {n}.")
            await add(house, f"other {n}", f"Many ask Enedis about it. Number {n}.")
            await add(house, f"third {n}", f"Many ask Vattenfall about it. Number {n}.")
        async with house.services.knowledge.overview.unit_of_work() as tx:
            every = await tx[Knowledge].passages_of(await tx[Knowledge].all_documents(None, 100))
        mine = {p.document.id for p in every if "Ofgem" in p.text or "Enedis" in p.text}
        overview = evolve(house.services.knowledge.overview, index=AlikeIndex())
        graph = (await overview.graph(house.caller, NICHE, 100)).graph
    assert len(readings) == 1
    names = [node.entity.name for node in graph.nodes]
    by_meaning = {(names[e.source], names[e.target]) for e in graph.edges if e.joined_by is JoinedBy.MEANING}
    assert {"Ofgem", "Enedis"} in [set(pair) for pair in by_meaning]
    assert not any("Vattenfall" in pair and {"Ofgem", "Enedis"} & set(pair) for pair in by_meaning)


@pytest.mark.parametrize("key", ["nothing", "nothing-GB", "home-energy-FR", "@private", "home-energy-gb", "x" * 5_000])
async def test_what_the_tenant_may_not_use_is_not_found(key: str) -> None:
    async with open_house() as house:
        for read in (house.services.knowledge.overview.entities, house.services.knowledge.overview.graph):
            with pytest.raises(NotFound):
                await read(house.caller, key, 5)
        with pytest.raises(NotFound):
            await house.services.knowledge.overview.statistics(house.caller, key)


async def test_a_niche_that_is_not_activated_is_not_found() -> None:
    async with open_house() as house:
        await add(house, "page")
        await house.services.agents.niches.deactivate(house.caller, NICHE)
        overview = house.services.knowledge.overview
        for read in (overview.entities, overview.graph, overview.picture):
            with pytest.raises(NotFound, match="activated niche"):
                await read(house.caller, NICHE, 5)
        with pytest.raises(NotFound, match="activated niche"):
            await overview.statistics(house.caller, NICHE)
        figures, _ = await overview.of_platform(NICHE, frozenset())
    assert figures.passages == 1


async def test_a_niche_is_also_named_by_its_id() -> None:
    async with open_house() as house:
        niche = await house.services.agents.niches.get(house.caller, NICHE)
        for key in (niche.id, NICHE):
            assert (await house.services.knowledge.overview.statistics(house.caller, key)).figures.passages == 5
            await house.services.knowledge.overview.entities(house.caller, key, 5)
        assert len(await house.claim()) == 1, "both are one subject"


@pytest.mark.parametrize("limit", [0, -1, 101, 1_000_000])
async def test_a_graph_has_bounds(limit: int) -> None:
    async with open_house() as house:
        with pytest.raises(InvalidInput):
            await house.services.knowledge.overview.graph(house.caller, NICHE, limit)


async def test_what_is_removed_names_nothing_any_more() -> None:
    async with open_house() as house:
        before = await names(house)
        await add(house, "page", tenant_id=house.caller.tenant_id)
        assert "Ofgem" in await names(house)
        async with house.services.ports.unit_of_work() as tx:
            known = await tx[Knowledge].known(KbScope(NICHE, house.caller.tenant_id), ["page"])
            await tx[Knowledge].remove([document.id for document in known.values()])
        assert await names(house) == before


async def test_entities_that_meet_are_linked() -> None:
    async with open_house() as house:
        for n in range(3):
            await add(house, f"page {n}", TEXT + f" It is page {n}.")
        graph = (await house.services.knowledge.overview.graph(house.caller, NICHE, 20)).graph
        name = [node.entity.name for node in graph.nodes]
        linked = {frozenset((name[e.source], name[e.target])): e.weight for e in graph.edges}
        assert linked[frozenset(("Ofgem", "SCOP"))] == 1.0
        community = {node.entity.name: node.community for node in graph.nodes}
        assert community["Ofgem"] == community["SCOP"] == community["France"]
        assert sum(c.size for c in graph.communities) == len(graph.nodes)


async def curated(house: House, *groups: tuple[tuple[str, ...], EntityType]) -> None:
    """Let the model judge: groups of names."""
    await house.services.knowledge.overview.entities(house.caller, NICHE, 10)
    shown = (await house.services.knowledge.overview.entities(house.caller, NICHE, 200)).entities
    index = {entity.name: n for n, entity in enumerate(shown)}
    house.model.judgements = tuple(EntityJudgement(tuple(index[n] for n in names), kind) for names, kind in groups)
    assert await house.work() == 1


async def test_a_model_merges_types_and_drops() -> None:
    async with open_house() as house:
        await add(house, "page")
        first = await house.services.knowledge.overview.entities(house.caller, NICHE, 10)
        assert not first.curated
        await curated(house, (("Ofgem", "SCOP"), EntityType.ORGANISATION))
        found = await house.services.knowledge.overview.entities(house.caller, NICHE, 10)
        assert found.curated
        (only,) = found.entities
        assert (only.name, only.aliases, only.type) == ("Ofgem", ("SCOP",), EntityType.ORGANISATION)
        assert (only.mentions, only.passages, only.documents) == (6, 1, 1)
        assert found.total == 1
        graph = (await house.services.knowledge.overview.graph(house.caller, NICHE, 10)).graph
        assert [node.entity for node in graph.nodes] == [only]
        snippets = {c.name: c.snippet for c in house.model.candidates}
        assert snippets["Ofgem"].startswith("Many ask Ofgem")


async def test_readers_ask_the_model_once_and_again_only_when_the_knowledge_base_has_changed() -> None:
    async with open_house() as house:
        await add(house, "page")
        for _ in range(3):
            await house.services.knowledge.overview.graph(house.caller, NICHE, 10)
        await curated(house, (("Ofgem",), EntityType.ORGANISATION))
        house.clock.advance(seconds=CURATE_EVERY.total_seconds() + 1)
        await names(house)
        assert await house.work() == 0  # nothing has changed
        await add(house, "another", "Much about Ofgem and DESNZ. So says DESNZ.")
        await names(house)
        assert await house.work() == 1
        assert house.model.calls["curate_entities"] == 2


async def test_what_came_after_a_curation_shows_beside_it() -> None:
    async with open_house() as house:
        await add(house, "page")
        await curated(house, (("Ofgem",), EntityType.ORGANISATION))
        await add(house, "another", "Much about Ofgem and DESNZ. So says DESNZ.")
        assert set(await names(house)) == {"Ofgem", "DESNZ"}


async def test_a_model_that_fails_leaves_what_rules_found() -> None:
    async with open_house() as house:
        await add(house, "page")

        def fails(method: str, _: int) -> None:
            raise ProviderFailed("scripted", "gone", retryable=False)

        house.model.before = fails
        await names(house)
        await house.work()
        assert "Ofgem" in await names(house)
        house.clock.advance(minutes=10)
        assert await house.work() == 0


async def test_a_niche_that_is_given_up_meanwhile_is_not_looked_through() -> None:
    async with open_house() as house:
        await add(house, "page")
        await names(house)
        await house.services.agents.niches.deactivate(house.caller, NICHE)
        assert await house.work() == 1
        assert house.model.calls["curate_entities"] == 0
        house.clock.advance(minutes=10)
        assert await house.claim() == [], "the job is done"


async def test_an_answer_that_keeps_nothing_changes_nothing() -> None:
    async with open_house() as house:
        await add(house, "page")
        await curated(house)
        found = await house.services.knowledge.overview.entities(house.caller, NICHE, 10)
        assert not found.curated
        assert found.entities


async def test_without_a_model_no_work_is_queued() -> None:
    async with open_house() as house:
        await add(house, "page")
        alone = evolve(house.services.knowledge.overview, curates=False)
        await alone.entities(house.caller, NICHE, 10)
        assert await house.claim() == []


async def test_every_plan_reads_the_overview() -> None:
    async with open_house(PlanName.FREE) as house:
        assert (await house.services.knowledge.overview.statistics(house.caller, NICHE)).figures.documents == 5

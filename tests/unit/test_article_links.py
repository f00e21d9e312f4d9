"""Links between articles: proposed from names and topics, decided by a person, and kept when addresses change."""

from __future__ import annotations

import re
from itertools import count
from typing import Any, Final

import pytest
from attrs import define, evolve
from hypothesis import example, given
from hypothesis import strategies as st

from contentgen_core.errors import NotFound, NotPermitted
from contentgen_core.model.article import Article, ArticleStatus
from contentgen_core.model.article_link import MAX_LINKS, LinkedBy, LinkState
from contentgen_core.model.ids import ArticleId, ArticleLinkId
from contentgen_core.model.site import Site
from contentgen_core.model.tenant import Role
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.articles.internal_links import add_links, place_of
from contentgen_core.policies.topics.validation import topic_key
from contentgen_core.ports.exporting import ExportFormat
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.testing import builders
from contentgen_core.use_cases.article_links.decide import ShownLink
from tests.support.house import House, open_house
from tests.support.subjects import Subjects

TEXT: Final = (
    "# Living with heat pump noise\n\nThe heat pump noise at night is low [1]. The boiler upgrade scheme pays for it"
    " [2].\n\nA survey by Ofgem says “heat pump grants are slow”. Heat pump grants help, see `heat pump grants`."
)
URL: Final = "https://example.org/a"
_numbers = count()


@define
class Desk:
    house: House

    async def article(self, topic: str, **changes: Any) -> Article:
        article = builders.article(
            id=ArticleId(f"article-{next(_numbers):03}"),  # none that the house may give as well
            tenant_id=self.house.caller.tenant_id,
            brief=builders.brief(topic=topic, language=changes.pop("language", Language.EN)),
            topic_key=topic_key(topic),
            title=changes.pop("title", f"{topic} today"),
            content=changes.pop("content", "Some text."),
            status=changes.pop("status", ArticleStatus.PUBLISHED),
            **changes,
        )
        async with self.house.services.ports.unit_of_work() as tx:
            await tx[Articles].add(article)
        return article

    async def proposed(self, article: Article) -> dict[str, ShownLink]:
        writing = self.house.services.writing
        found = await writing.propose_links(self.house.caller, article.id)
        shown = await writing.links.shown(self.house.caller, article.id, found)
        return {each.link.anchor: each for each in shown if each.link.state is LinkState.PROPOSED}

    async def accepted(self, article: Article, anchor: str) -> ShownLink:
        link = (await self.proposed(article))[anchor].link
        return await self.house.services.writing.links.accept(self.house.caller, link.id)

    async def exported(self, article: Article) -> str:
        export = await self.house.services.writing.export(self.house.caller, article.id, ExportFormat.MARKDOWN)
        return export.content.decode()

    async def save(self, article: Article, **changes: Any) -> Article:
        async with self.house.services.ports.unit_of_work() as tx:
            present = await tx[Articles].get(article.tenant_id, article.id)
            return await tx[Articles].save(evolve(present, **changes))


@pytest.fixture
async def desk() -> Any:
    async with open_house(public_url="https://c.example.org") as house:
        yield Desk(house)


async def test_words_that_say_the_topic_of_another_article_are_proposed(desk: Desk) -> None:
    article = await desk.article("Living quietly", content=TEXT)
    noise = await desk.article("Heat pump noise")
    scheme = await desk.article("The boiler upgrade scheme")
    await desk.article("Insurance for rented flats")
    found = await desk.proposed(article)
    assert {anchor: each.target.id for anchor, each in found.items()} == {
        "heat pump noise": noise.id,
        "boiler upgrade scheme": scheme.id,
    }
    assert found["boiler upgrade scheme"].link.sentence == "The boiler upgrade scheme pays for it."
    assert {each.link.linked_by for each in found.values()} <= {LinkedBy.WORDS, LinkedBy.ENTITY}
    assert not any(each.dormant for each in found.values())


async def test_a_name_alone_leads_to_the_article_on_it(desk: Desk) -> None:
    article = await desk.article("Living quietly", content=TEXT)
    ofgem = await desk.article("Ofgem")
    found = await desk.proposed(article)
    assert (found["Ofgem"].target.id, found["Ofgem"].link.score) == (ofgem.id, 1.0)


async def test_meaning_leads_to_an_article_in_other_words() -> None:
    embedder = Subjects({"grant": ("energy company obligation", "subsidies"), "other": ("other",)})
    async with open_house(embedder=embedder) as house:
        desk = Desk(house)
        content = "# One\n\nMuch is paid by the Energy Company Obligation, which ends."
        article = await desk.article("Living quietly", content=content)
        target = await desk.article("State subsidies")
        [link] = (await desk.proposed(article)).values()
        assert (link.target.id, link.link.linked_by) == (target.id, LinkedBy.MEANING)


async def test_nothing_leads_to_what_may_not_be_a_target(desk: Desk) -> None:
    article = await desk.article("Living quietly", content=TEXT)
    await desk.article("Heat pump noise", status=ArticleStatus.DRAFT)
    await desk.article("Heat pump noise", language=Language.FR)
    await desk.article("Heat pump noise", translation_of=article.id)
    await desk.article("Living quietly", content=TEXT)
    assert await desk.proposed(article) == {}
    await desk.article("Heat pump noise", status=ArticleStatus.SCHEDULED)
    assert list(await desk.proposed(article)) == ["heat pump noise"]


async def test_at_most_five_are_proposed_one_a_target(desk: Desk) -> None:
    topics = [f"{name} furnace repair" for name in ("Oak", "Pine", "Birch", "Maple", "Cedar", "Willow", "Elm")]
    content = "# Trees\n\n" + "\n\n".join(f"We know {topic.lower()} and {topic.lower()}." for topic in topics)
    article = await desk.article("Living quietly", content=content)
    for topic in topics:
        await desk.article(topic)
    found = await desk.proposed(article)
    assert len(found) == len({each.target.id for each in found.values()}) == MAX_LINKS
    again = await desk.proposed(article)
    assert {each.link.id for each in again.values()} == {each.link.id for each in found.values()}
    first = next(iter(found.values())).link
    await desk.house.services.writing.links.accept(desk.house.caller, first.id)
    assert len(await desk.proposed(article)) == MAX_LINKS - 1


async def test_an_accepted_link_is_kept_when_the_address_of_its_target_changes(desk: Desk) -> None:
    article = await desk.article("Living quietly", content=TEXT)
    noise = await desk.article("Heat pump noise", is_public=True, slug="noise")
    before = await desk.house.article(article.id)
    accepted = await desk.accepted(article, "heat pump noise")
    assert accepted.url == "https://c.example.org/public/kb-articles/noise"
    assert await desk.house.article(article.id) == before, "text, receipt and revision stay as they are"
    assert f"[heat pump noise]({accepted.url})" in await desk.exported(article)
    noise = await desk.save(noise, slug="quiet-pumps")
    assert "[heat pump noise](https://c.example.org/public/kb-articles/quiet-pumps)" in await desk.exported(article)
    await desk.save(noise, is_public=False)
    assert "](" not in await desk.exported(article)
    await desk.save(noise, is_public=True)
    await desk.save(article, is_public=True, slug="living")
    shown = await desk.house.services.public.read.article("living")
    page = await desk.house.services.public.read.article_html(shown, None, Site())
    assert 'href="https://c.example.org/public/kb-articles/quiet-pumps"' in page.body


async def test_deciding_is_idempotent_and_what_was_rejected_is_not_proposed_again(desk: Desk) -> None:
    article = await desk.article("Living quietly", content=TEXT)
    await desk.article("Heat pump noise", is_public=True, slug="noise")
    links = desk.house.services.writing.links
    accepted = await desk.accepted(article, "heat pump noise")
    assert await links.accept(desk.house.caller, accepted.link.id) == accepted
    rejected = await links.reject(desk.house.caller, accepted.link.id)
    assert await links.reject(desk.house.caller, accepted.link.id) == rejected
    assert await desk.proposed(article) == {}
    assert "](" not in await desk.exported(article)
    assert [each.link.state for each in await links.of_article(desk.house.caller, article.id)] == [LinkState.REJECTED]


async def test_a_link_whose_words_are_gone_is_dormant_and_not_lost(desk: Desk) -> None:
    article = await desk.article("Living quietly", content=TEXT)
    await desk.article("Heat pump noise", is_public=True, slug="noise")
    await desk.accepted(article, "heat pump noise")
    links = desk.house.services.writing.links
    await desk.save(article, content="# One\n\nNothing of it.")
    [dormant] = await links.of_article(desk.house.caller, article.id)
    assert (dormant.dormant, "](" in await desk.exported(article)) == (True, False)
    await desk.save(article, content=TEXT)
    [again] = await links.of_article(desk.house.caller, article.id)
    assert (again.dormant, "](" in await desk.exported(article)) == (False, True)


async def test_who_may_not_decide_and_what_does_not_exist(desk: Desk) -> None:
    article = await desk.article("Living quietly", content=TEXT)
    await desk.article("Heat pump noise")
    link = (await desk.proposed(article))["heat pump noise"].link
    writing, other = desk.house.services.writing, await desk.house.other_tenant()
    viewer = evolve(desk.house.caller, role=Role.VIEWER)
    for call in (
        writing.propose_links(viewer, article.id),
        writing.links.accept(viewer, link.id),
        writing.links.reject(viewer, link.id),
    ):
        with pytest.raises(NotPermitted):
            await call
    for call in (
        writing.propose_links(other, article.id),
        writing.links.of_article(other, article.id),
        writing.links.accept(other, link.id),
        writing.links.reject(desk.house.caller, ArticleLinkId("unknown")),
    ):
        with pytest.raises(NotFound):
            await call


@pytest.mark.parametrize(
    "content",
    [
        "# Heat pumps",
        "Heat pumps\n===",
        "Heat pumps\n---",
        "> Heat pumps",
        "| Heat pumps | 3 |",
        "    Heat pumps",
        "```\nHeat pumps\n```",
        "~~~ text\nHeat pumps\n\n~~~",
        "Use `Heat pumps` and ``a ` Heat pumps``.",
        "See [Heat pumps](https://example.org) and ![Heat pumps](a.png) and [Heat pumps][1].",
        'It says “Heat pumps are fine”, «Heat pumps», „Heat pumps“ and "Heat pumps".',
        '<a title="Heat pumps">',
        "See https://example.org/Heat pumps".replace(" pumps", "-pumps"),
        "Heat pumpsters, xHeat pumps",
        "[Heat pumps]: https://example.org",
        "",
    ],
)
def test_no_link_stands_where_it_may_not(content: str) -> None:
    assert place_of(content, "Heat pumps") is None
    assert add_links(content, {"Heat pumps": URL}) == content


@pytest.mark.parametrize(
    ("content", "anchor", "expected"),
    [
        ("Heat pumps help [1].", "Heat pumps", f"[Heat pumps]({URL}) help [1]."),
        ("- **Heat pumps** help.", "Heat pumps", f"- **[Heat pumps]({URL})** help."),
        ("# Heat pumps\n\nHeat\npumps help.", "Heat pumps", f"# Heat pumps\n\n[Heat\npumps]({URL}) help."),
        ("A `x` B, “q” heat pumps.", "heat pumps", f"A `x` B, “q” [heat pumps]({URL})."),
        (r"The \[AI\] act", "[AI] act", rf"The [\[AI\] act]({URL})"),
        ("ヒートポンプの騒音", "ヒートポンプ", f"[ヒートポンプ]({URL})の騒音"),
        ("Der Lärm von Wärmepumpen.", "Wärmepumpen", f"Der Lärm von [Wärmepumpen]({URL})."),
    ],
)
def test_a_link_stands_at_the_first_words_that_may_carry_it(content: str, anchor: str, expected: str) -> None:
    assert add_links(content, {anchor: URL}) == expected


def test_no_address_breaks_out_of_its_link_and_none_is_made_of_what_is_no_address() -> None:
    assert (
        add_links("Heat pumps.", {"Heat pumps": "https://e.org/a)(b<c>"})
        == "[Heat pumps](https://e.org/a%29%28b%3Cc%3E)."
    )
    for bad in ("javascript:alert(1)", "/path", "https://e.org/a b", ""):
        assert add_links("Heat pumps.", {"Heat pumps": bad}) == "Heat pumps."


_pieces = st.sampled_from(
    [
        *("heat pumps", "Heat pumps ", "grants", " [1]", "[", "](", ")", "!", "`", "``", "```\n", "“", "”", '"'),
        *("\n", "\n\n", "# ", "> ", "- ", "    ", "|", "*", "\\", "<", ">"),
    ]
)


@given(st.lists(_pieces, max_size=30).map("".join))
@example("“heat pumps” heat pumps [heat pumps](x) grants")
def test_the_text_without_its_links_is_the_text(content: str) -> None:
    with_links = add_links(content, {"heat pumps": URL, "grants": f"{URL}/b"})
    marks = re.compile(r"\[([^\[\]]*)\]\(https://example\.org/a(?:/b)?\)")
    assert marks.sub(r"\1", with_links) == content
    assert len(marks.findall(with_links)) <= 2

"""Plans edited by a person: check the passages they may cite, and those their article may be written from."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import evolve, frozen

from contentgen_core.errors import EditOvertaken, InvalidInput
from contentgen_core.model.article import Article
from contentgen_core.model.article_plan import ArticlePlan, SourceRef, validate_edited_plan
from contentgen_core.model.knowledge import KbView, Passage, RankedPassage
from contentgen_core.model.tenant import Caller
from contentgen_core.model.vocabulary import LENGTHS
from contentgen_core.ports.repositories.articles import Generations
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.ports.repositories.niches import Niches
from contentgen_core.ports.unit_of_work import Transaction
from contentgen_core.use_cases.articles.look_up_plan import LookedUpPlan
from contentgen_core.use_cases.articles.private_docs import private_views
from contentgen_core.use_cases.context import context_of_agent, context_of_niche
from contentgen_core.use_cases.use_case import use_case


@frozen
class SeenPlan:
    """The plan that somebody who changes it has read. `text_hash`: of that plan; `editor`: the page or program in which
    it is changed, by a name of its own ("" for none): what that has stored itself, it has read."""

    text_hash: str
    editor: str = ""

    def check(self, article: Article) -> None:
        """Raises EditOvertaken where somebody else has changed the article's plan since."""
        plan = article.plan
        if plan is None or plan.text_hash == self.text_hash or (self.editor and plan.edited_in == self.editor):
            return
        raise EditOvertaken("Somebody else changed the plan since you read it.")


@use_case
class EditedPlan:
    """`view`: of the article's niche. `passages`: those that the plan was made from, and others that it cites."""

    plan: ArticlePlan
    view: KbView
    passages: Mapping[SourceRef, Passage]

    @classmethod
    async def read(cls, tx: Transaction, caller: Caller, article: Article, plan: ArticlePlan) -> EditedPlan:
        """`plan`: of this article, as it was sent. `check` says whether it may be so."""
        views = await views_of(tx, caller, article)
        sources = await tx[Generations].sources(article.id) or ()
        passages = {source.ref: source.passage for source in sources}
        asked = tuple(plan.cited - passages.keys())
        for view in views if asked else ():
            passages |= await tx[Knowledge].passages(view, asked)
        return cls(plan, views[0], passages)

    def check(self, article: Article) -> None:
        """Raises InvalidInput with each fault of the plan."""
        validate_edited_plan(self.plan, self.passages.keys(), LENGTHS[article.brief.length].max_words)


async def views_of(tx: Transaction, caller: Caller, article: Article) -> tuple[KbView, ...]:
    """Return the views that the article may be written from: its niche first, then the private documents that it
    includes."""
    if article.agent_key is not None:
        context = await context_of_agent(tx, caller.tenant_id, article.agent_key)
    else:
        context = await context_of_niche(tx, caller.tenant_id, article.niche_key)
    brief = article.brief
    return (context.view, *private_views(caller.tenant_id, brief.private_docs_mode, brief.document_ids))


async def check_niche(tx: Transaction, caller: Caller, niche_id: str | None, article: Article) -> None:
    """Raises InvalidInput where a request names another niche than the article's, NotFound for an unknown one."""
    if niche_id is not None and (await tx[Niches].get(caller.tenant_id, niche_id)).niche_key != article.niche_key:
        raise InvalidInput.of("nicheId", "is not the niche of this article")


async def apply_edited_plan(
    tx: Transaction, caller: Caller, article: Article, looked_up: LookedUpPlan, seen: SeenPlan | None
) -> Article:
    """Return the article with an edited plan, which may cite the passages it was made from and any others in the
    tenant's views; the latter are added to the article's sources. `seen`: the plan that was edited; None: whatever it
    is now. Raises InvalidInput, EditOvertaken."""
    if seen is not None:
        seen.check(article)
    sources = await tx[Generations].sources(article.id) or ()
    known = {source.ref for source in sources}
    asked = tuple(looked_up.plan.cited - known)
    found: dict[SourceRef, Passage] = {}
    for view in await views_of(tx, caller, article) if asked else ():
        found |= await tx[Knowledge].passages(view, asked)
    plan = looked_up.citing(known | found.keys())
    validate_edited_plan(plan, known | found.keys(), LENGTHS[article.brief.length].max_words)
    if found:
        ranked = looked_up.found
        more = (
            evolve(ranked[ref], passage=found[ref]) if ref in ranked else RankedPassage(found[ref], 0.0, 0.0, 0.0)
            for ref in sorted(found, key=str)
        )
        await tx[Generations].save_sources(article.id, (*sources, *more))
    return evolve(article, plan=evolve(plan, edited_in=seen.editor if seen else ""), title=plan.title)

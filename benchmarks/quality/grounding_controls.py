"""Articles of the built-in writer from the demonstration's sources, and what is done to them to see whether the
grounding check notices: sources shuffled, numbers altered, sentences negated or invented."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from attrs import evolve, frozen

from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.model.article import Brief
from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.drafting import DraftSentence
from contentgen_core.model.grounding import Verdict
from contentgen_core.model.knowledge import KbView, Passage
from contentgen_core.model.vocabulary import LENGTHS, ArticleLength, Language
from contentgen_core.policies.articles.assembly import ComposedArticle, compose
from contentgen_core.policies.evaluation import alterations
from contentgen_core.policies.grounding.verifier import Verifier
from contentgen_core.ports.content_model import NicheBrief, PlanRequest
from contentgen_core.ports.repositories.tenants import Tenants
from contentgen_core.services import CoreServices
from contentgen_core.testing.builders import article as sample_article
from contentgen_core.use_cases.articles.section_requests import section_requests
from contentgen_core.use_cases.generation.support import supported_draft
from contentgen_core.use_cases.grounding.checking import check
from contentgen_core.use_cases.grounding.meaning import Meaning
from contentgen_grounded.bootstrap.memory import in_memory
from contentgen_http.demo.tenant import NICHES, ensure_demo

ANALYSIS: Final = IcuTextAnalysis()

TOPICS: Final = {
    "home-energy": (
        "Choosing a heat pump for an older house",
        "Insulating a loft step by step",
        "Home batteries and rooftop solar panels",
        "Ventilation with heat recovery",
        "Charging an electric vehicle at home",
    ),
    "cybersecurite-pme": (
        "Protéger une PME contre l'hameçonnage",
        "Sauvegarder les données d'une entreprise",
        "Déployer l'authentification multifacteur",
        "Réagir à un rançongiciel",
        "Sécuriser le télétravail et le wifi",
    ),
}
INVENTED: Final = {
    Language.EN: (
        "Most owners regret their purchase within the first two years.",
        "The government will ban every existing installation next spring.",
        "Independent laboratories have shown that the effect disappears after dark.",
        "A panel of doctors recommends the method for people with asthma.",
        "Neighbours usually share the bill and the maintenance contract.",
    ),
    Language.FR: (
        "La plupart des dirigeants regrettent leur achat au bout de deux ans.",
        "Le gouvernement interdira toute installation existante au printemps prochain.",
        "Des laboratoires indépendants ont montré que l'effet disparaît la nuit.",
        "Un comité de médecins recommande la méthode aux personnes asthmatiques.",
        "Les voisins partagent d'ordinaire la facture et le contrat d'entretien.",
    ),
}


@frozen
class Written:
    """One article of the built-in writer, with its sentences as drafted and what they could cite."""

    language: Language
    composed: ComposedArticle
    sentences: tuple[DraftSentence, ...]
    passages: dict[SourceRef, Passage]


async def written() -> list[Written]:
    """An article of every length that has one, on each topic, from the demonstration's sources."""
    found = []
    async with in_memory() as services:
        with tempfile.TemporaryDirectory() as folder:
            await ensure_demo(services, Path(folder))
        async with services.ports.unit_of_work() as tx:
            tenant = await tx[Tenants].find_by_name("Demo")
        assert tenant is not None
        for niche_key, (language, countries) in NICHES.items():
            view = KbView(niche_key, tenant.id, frozenset(countries))
            for i, topic in enumerate(TOPICS[niche_key]):
                length = (ArticleLength.STANDARD, ArticleLength.LONG)[i % 2]
                found.append(await _article(services, view, Brief(topic, Language(language), length=length)))
    return found


async def _article(services: CoreServices, view: KbView, brief: Brief) -> Written:
    write = services.jobs.generate_article
    sources = (await write.retrieve(view, brief.topic, LENGTHS[brief.length].passages)).ranked
    niche = NicheBrief(view.niche_key, "", "", ())
    plan = (await write.model.plan(PlanRequest(brief, niche, sources))).value
    passages = {source.ref: source.passage for source in sources}
    article = sample_article(brief=brief)
    requests = section_requests(article.brief, plan, passages)
    drafts = [(await supported_draft(write.model, request, ANALYSIS)).draft for request in requests]
    sections, faq = drafts[: len(plan.sections)], drafts[len(plan.sections) :]
    receipts = Verifier(passages, ANALYSIS).check_each((s for d in drafts for s in d.sentences), brief.language)
    composed = compose(plan, sections, faq[0] if faq else None, passages, brief, ANALYSIS, receipts)
    sentences = tuple(s for draft in drafts for s in draft.sentences if s.sources)
    return Written(brief.language, composed, sentences, passages)


def share_supported(
    articles: Sequence[Written], sentences: Sequence[DraftSentence], meaning: Meaning | None = None
) -> float:
    """The share of sentences that hold against the passages of these articles (all of one language).

    `meaning`: how near they are to what they cite; None: words alone."""
    passages = {ref: p for a in articles for ref, p in a.passages.items()}
    receipts = asyncio.run(check(sentences, Verifier(passages, ANALYSIS), articles[0].language, meaning=meaning))
    checked = [receipts[s.citing_only(passages)].verdict is Verdict.SUPPORTED for s in sentences]
    return sum(checked) / len(checked)


def clean(articles: Sequence[Written]) -> list[DraftSentence]:
    return [s for a in articles for s in a.sentences]


def shuffled(articles: Sequence[Written]) -> list[DraftSentence]:
    """Give each sentence a citation from the next article, to another document than its own."""
    found = []
    for article, other in zip(articles, (*articles[1:], articles[0]), strict=True):
        foreign = [s.sources for s in other.sentences]
        for i, sentence in enumerate(article.sentences):
            documents = {ref.document_id for ref in sentence.sources}
            refs = foreign[i % len(foreign)]
            if not documents & {ref.document_id for ref in refs}:
                found.append(evolve(sentence, sources=refs))
    return found


def altered(articles: Sequence[Written]) -> list[DraftSentence]:
    """Return each sentence as often as it has numbers, in digits or words, with a different one of them changed each
    time.
    """
    return [
        evolve(sentence, text=text)
        for article in articles
        for sentence in _plain([article])
        for text in alterations.numbers_altered(sentence.text, article.language)
    ]


def negated(articles: Sequence[Written]) -> list[DraftSentence]:
    """Negate each sentence that has a verb that can be negated."""
    return [
        evolve(sentence, text=text)
        for article in articles
        for sentence in _plain([article])
        if (text := alterations.negate(sentence.text, article.language)) is not None
    ]


def invented(articles: Sequence[Written]) -> list[DraftSentence]:
    """Make up sentences, each citing what some fifty sentences of the articles cite."""
    cited = [s.sources for s in clean(articles)]
    return [DraftSentence(text, refs) for text in INVENTED[articles[0].language] for refs in cited[:: len(cited) // 50]]


def _plain(articles: Sequence[Written]) -> list[DraftSentence]:
    return [evolve(s, quotation=False) for s in clean(articles)]

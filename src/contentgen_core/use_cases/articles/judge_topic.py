"""Whether a topic belongs to a niche: by its meaning where the embedder models it, else by words; a language model
judges for itself."""

from __future__ import annotations

import asyncio
from typing import Final

from attrs import evolve, field

from contentgen_core.errors import NotConfigured, ProviderFailed
from contentgen_core.model.vocabulary import ArticleLength, Language
from contentgen_core.policies.coverage.assessment import ENOUGH
from contentgen_core.policies.text.nearness import models_meaning
from contentgen_core.policies.topics.niche_fit import (
    Background,
    TopicFit,
    background_of,
    described_by,
    fit_of,
    judged_form,
    without_noise,
)
from contentgen_core.policies.topics.subjects import NAMED_IN, SUBJECTS
from contentgen_core.ports.content_model import ContentModel, NicheBrief, TopicJudgement
from contentgen_core.ports.knowledge_base import Vector
from contentgen_core.use_cases.context import WritingContext
from contentgen_core.use_cases.knowledge.retrieve import Retrieve
from contentgen_core.use_cases.knowledge.retrieved import Retrieved
from contentgen_core.use_cases.topic_meaning import TopicMeaning
from contentgen_core.use_cases.use_case import use_case

NEAREST: Final = 8
LEAST_DOCUMENTS: Final = 6
"""From as many near documents on the knowledge base tells what belongs to the niche: a first note is on one corner of
it."""


@use_case
class JudgeTopic:
    """The topic is embedded once, by the search for its nearest passages; the vectors of the niche stay in memory."""

    retrieve: Retrieve
    model: ContentModel
    meaning: TopicMeaning
    _backgrounds: dict[Language, Background] = field(factory=dict, init=False)

    async def __call__(self, context: WritingContext, niche: NicheBrief, topic: str) -> TopicJudgement:
        """`niche`: that of the context, as it is described to the model. What surrounds the topic's first and last
        letter changes nothing, nor do case and white space. Raises ProviderFailed."""
        nearest = await self.retrieve(context.view, judged_form(topic), NEAREST)
        language = context.default_language
        fit = await self._fit(niche, nearest, language)
        answer = await self.model.judge_topic(niche, without_noise(topic), nearest.ranked, language, fit)
        return answer.value

    async def _fit(self, niche: NicheBrief, nearest: Retrieved, language: Language) -> TopicFit | None:
        """Return the fit by meaning; None where the embedder fails, or does not model the language of the niche."""
        texts = described_by(niche.name, niche.description, niche.keywords)
        if nearest.vector is None or not await self._models(language):
            return None
        described, background = await self.meaning.vectors_of(texts), await self._background(language)
        if not described or background is None:
            return None
        sources = await self.sources(nearest)
        if sources:  # what a person names as the niche's counts as a passage does
            sources += tuple(described[keyword] for keyword in niche.keywords if keyword in described)
        fit = await asyncio.to_thread(fit_of, nearest.vector, described, background, sources)
        coverage = await asyncio.to_thread(nearest.coverage, ArticleLength.SHORT)
        if coverage.level not in ENOUGH:
            return fit
        return evolve(fit, probability=max(fit.probability, coverage.score / 100, fit.least), covered=True)

    async def sources(self, found: Retrieved) -> tuple[Vector, ...]:
        """Return the vectors of the passages that are nearest in meaning; none of fewer than LEAST_DOCUMENTS."""
        near = found.meaning.nearness if found.meaning else {}
        if len({ref.document_id for ref in near}) < LEAST_DOCUMENTS:
            return ()
        compared = [each for each in found.by_words() if each.ref in near]
        best = sorted(compared, key=lambda each: -near[each.ref])[:NEAREST]
        return tuple((await self.retrieve.vectors_of(best)).values())

    async def _background(self, language: Language) -> Background | None:
        """Return the subjects in English and this language, embedded the first time only; None where that fails."""
        key = language if language in NAMED_IN else Language.EN
        if key not in self._backgrounds:
            names = [subject.named_in(key) for subject in SUBJECTS]
            vectors = await self.meaning.vectors_of([name for each in names for name in each])
            if not vectors:
                return None
            subjects = [[vectors[name] for name in each] for each in names]
            general = [subject.general for subject in SUBJECTS]
            self._backgrounds[key] = await asyncio.to_thread(background_of, subjects, general)
        return self._backgrounds[key]

    async def _models(self, language: Language) -> bool:
        """And English, in which the subjects are that a topic is compared with."""
        if not self.meaning.known:
            return False
        try:
            weights = await self.retrieve.embedding_weight({language, Language.EN})
        except (ProviderFailed, NotConfigured):
            return False
        return all(models_meaning(weight) for weight in weights.values())

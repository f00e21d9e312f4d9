"""POST /writer/suggest-topic and /writer/validate-topic: topics to write on, and whether a topic belongs to the
niche."""

from __future__ import annotations

from contentgen_core.errors import Faults
from contentgen_core.model.agent import AgentKey
from contentgen_core.model.tenant import Caller
from contentgen_core.model.text import TextAnalysis
from contentgen_core.policies.topics.gaps import Heads, select_gaps
from contentgen_core.policies.topics.validation import check_topic, topic_key
from contentgen_core.ports.content_model import ContentModel, TopicJudgement, TopicSuggestion
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.articles.admission import RECENT_TOPICS, SUGGESTION_PASSAGES
from contentgen_core.use_cases.articles.judge_topic import JudgeTopic
from contentgen_core.use_cases.articles.topic_gaps import AllowedTopics, FindTopicGaps
from contentgen_core.use_cases.context import context_of_agent
from contentgen_core.use_cases.topic_meaning import TopicMeaning
from contentgen_core.use_cases.use_case import use_case
from contentgen_core.use_cases.voices.choose import chosen_voice

SUGGESTIONS = 5
SPARE = 3  # for those that repeat another in other words or may not be suggested


@use_case
class SuggestTopics:
    unit_of_work: UnitOfWork
    model: ContentModel
    meaning: TopicMeaning
    gaps: FindTopicGaps
    analysis: TextAnalysis

    async def __call__(self, caller: Caller, agent_key: str) -> tuple[TopicSuggestion, ...]:
        """Suggest topics that the knowledge base and the articles lack, the most urgent first; none when it is empty,
        or lacks nothing. Leaves out topics of a title, a heading, another suggestion or an article in other words, and
        those with a term that the voice of their language avoids. Raises InvalidInput, NotFound, ProviderFailed."""
        key = AgentKey.parse(agent_key)
        async with self.unit_of_work() as tx:
            context = await context_of_agent(tx, caller.tenant_id, key)
            passages = await tx[Knowledge].sample(context.view, SUGGESTION_PASSAGES)
            avoid = await tx[Articles].recent_topics(caller.tenant_id, key.niche_key, RECENT_TOPICS)
            voice = await chosen_voice(tx, caller.tenant_id, None, context.default_language)
        if not passages:
            return ()
        language = context.default_language
        allowed = AllowedTopics(self.analysis, language, voice.avoid if voice else ())
        found = await self.gaps(caller.tenant_id, context, passages, allowed)
        gaps = select_gaps(found.gaps, SUGGESTIONS + SPARE)
        gap_of = {topic_key(gap.topic): gap for gap in gaps}
        avoid = [topic for topic in avoid if topic_key(topic) not in gap_of]
        count = SUGGESTIONS + SPARE
        answer = await self.model.suggest_topics(context.niche_brief, passages, avoid, language, count, gaps)
        heads = Heads(self.analysis)
        heads.add(passages)
        fresh: list[TopicSuggestion] = []
        for suggestion in answer.value:
            if not allowed(suggestion.topic) or heads.name(suggestion.topic, language):
                continue
            if found.written.has_topic(suggestion.topic, language):
                continue
            if await self.meaning.same(suggestion.topic, [*(other.topic for other in fresh), *avoid]) is None:
                gap = gap_of.get(topic_key(suggestion.topic))
                fresh.append(await self.gaps.add_coverage(context, suggestion, gap))
            if len(fresh) == SUGGESTIONS:
                break
        return tuple(fresh)


@use_case
class ExampleTopics:
    unit_of_work: UnitOfWork
    analysis: TextAnalysis

    async def __call__(self, caller: Caller, agent_key: str, limit: int) -> tuple[str, ...]:
        """Titles of the newest documents that can be topics, to begin with. Consumes nothing. Raises InvalidInput,
        NotFound."""
        key = AgentKey.parse(agent_key)
        async with self.unit_of_work() as tx:
            context = await context_of_agent(tx, caller.tenant_id, key)
            passages = await tx[Knowledge].sample(context.view, SUGGESTION_PASSAGES)
        allowed = AllowedTopics(self.analysis, context.default_language, ())
        titles = dict.fromkeys(passage.document.title for passage in passages)
        return tuple(title for title in titles if allowed(title))[:limit]


@use_case
class ValidateTopic:
    unit_of_work: UnitOfWork
    judge: JudgeTopic

    async def __call__(self, caller: Caller, agent_key: str, topic: str) -> TopicJudgement:
        """Check whether a topic belongs to the niche. Raises InvalidInput, NotFound, ProviderFailed."""
        faults = Faults()
        key, topic = faults.checked(AgentKey.parse, agent_key), faults.checked(check_topic, topic)
        faults.require_none()
        async with self.unit_of_work() as tx:
            context = await context_of_agent(tx, caller.tenant_id, key)
        return await self.judge(context, context.niche_brief, topic)

"""POST /writer/suggest-topic and /writer/validate-topic: topics to write on, and whether a topic belongs to the
niche."""

from __future__ import annotations

from attrs import frozen

from contentgen_core.model.agent import AgentKey
from contentgen_core.model.tenant import Caller
from contentgen_core.policies.topics.validation import check_topic
from contentgen_core.ports.content_model import ContentModel, TopicJudgement, TopicSuggestion
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.articles.admission import RECENT_TOPICS, SUGGESTION_PASSAGES
from contentgen_core.use_cases.context import context_of_agent
from contentgen_core.use_cases.knowledge.retrieve import Retrieve
from contentgen_core.use_cases.topic_meaning import TopicMeaning

SUGGESTIONS = 5
SPARE = 3  # for those that repeat another in other words
NEAREST = 8


@frozen
class SuggestTopics:
    unit_of_work: UnitOfWork
    model: ContentModel
    meaning: TopicMeaning

    async def __call__(self, caller: Caller, agent_key: str) -> tuple[TopicSuggestion, ...]:
        """Topics that the knowledge base covers and no recent article has, best first; none when it is empty. None is
        another one, or that of an article, in other words.

        Raises InvalidInput, NotFound, ProviderFailed."""
        key = AgentKey.parse(agent_key)
        async with self.unit_of_work() as tx:
            context = await context_of_agent(tx, caller.tenant_id, key)
            passages = await tx.knowledge.sample(context.view, SUGGESTION_PASSAGES)
            avoid = await tx.articles.recent_topics(caller.tenant_id, key.niche_key, RECENT_TOPICS)
        if not passages:
            return ()
        count = SUGGESTIONS + SPARE if self.meaning.known else SUGGESTIONS
        answer = await self.model.suggest_topics(context.niche_brief, passages, avoid, context.default_language, count)
        fresh: list[TopicSuggestion] = []
        for suggestion in answer.value:
            if await self.meaning.same(suggestion.topic, [*(other.topic for other in fresh), *avoid]) is None:
                fresh.append(suggestion)
        return tuple(fresh[:SUGGESTIONS])


@frozen
class ValidateTopic:
    unit_of_work: UnitOfWork
    model: ContentModel
    retrieve: Retrieve

    async def __call__(self, caller: Caller, agent_key: str, topic: str) -> TopicJudgement:
        """Whether a topic belongs to the niche. Raises InvalidInput, NotFound, ProviderFailed."""
        key = AgentKey.parse(agent_key)
        topic = check_topic(topic)
        async with self.unit_of_work() as tx:
            context = await context_of_agent(tx, caller.tenant_id, key)
        nearest = await self.retrieve(context.view, topic, NEAREST)
        answer = await self.model.judge_topic(context.niche_brief, topic, nearest.ranked, context.default_language)
        return answer.value

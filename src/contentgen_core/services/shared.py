"""Use cases that several subjects share."""

from __future__ import annotations

from datetime import timedelta

from attrs import frozen

from contentgen_core.policies.text.nearness import models_meaning
from contentgen_core.ports.knowledge_base import space_of
from contentgen_core.ports.reranking import Reranker
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.services.ports import Options, Ports
from contentgen_core.services.queued_unit_of_work import QueuedUnitOfWork
from contentgen_core.use_cases.article_updates.apply_translation import ApplyTranslation
from contentgen_core.use_cases.article_updates.decide import DecideUpdate
from contentgen_core.use_cases.article_updates.propose import ProposeUpdate
from contentgen_core.use_cases.article_updates.revise_sentences import ReviseSentences
from contentgen_core.use_cases.articles.admission import Admission
from contentgen_core.use_cases.articles.check_text import CheckText
from contentgen_core.use_cases.articles.follow_original import FollowOriginal
from contentgen_core.use_cases.articles.freshness import CheckFreshness
from contentgen_core.use_cases.articles.judge_topic import JudgeTopic
from contentgen_core.use_cases.articles.patch import PatchArticle
from contentgen_core.use_cases.articles.similar import FindSimilar, ReadTopics
from contentgen_core.use_cases.budgets.keep_budgets import KeepBudgets
from contentgen_core.use_cases.grounding.meaning import Meaning
from contentgen_core.use_cases.integrations.connect import Connect
from contentgen_core.use_cases.jobs import AttemptRunner
from contentgen_core.use_cases.knowledge.chunk_document import ChunkDocument
from contentgen_core.use_cases.knowledge.embed_passages import EmbedPassages
from contentgen_core.use_cases.knowledge.embedding_weights import EmbeddingWeights
from contentgen_core.use_cases.knowledge.find_words import FindWords
from contentgen_core.use_cases.knowledge.import_sources import ImportSources
from contentgen_core.use_cases.knowledge.index_upkeep import ApplyIndexChanges
from contentgen_core.use_cases.knowledge.overview import ReadOverview
from contentgen_core.use_cases.knowledge.retitle_document import RetitleDocument
from contentgen_core.use_cases.knowledge.retrieve import Retrieve
from contentgen_core.use_cases.publishing.start import RequestPublication
from contentgen_core.use_cases.signing import SignDocuments
from contentgen_core.use_cases.synced_sources.secrets import SourceSecrets
from contentgen_core.use_cases.topic_meaning import TopicMeaning
from contentgen_core.use_cases.webhooks.secrets import WebhookSecrets


@frozen(kw_only=True)
class Shared:
    """Shared use cases. `background`: the unit of work of jobs and upkeep, with its own limit of transactions;
    `background_retrieve`, `background_apply` and `background_embed` use it, `retrieve`, `apply_index_changes` and
    `embed_passages` serve requests and commands.
    `many_searches`: for the background, without a reranker, for jobs that compare the coverage of many topics."""

    ports: Ports
    options: Options
    background: UnitOfWork
    retrieve: Retrieve
    background_retrieve: Retrieve
    many_searches: Retrieve
    apply_index_changes: ApplyIndexChanges
    background_apply: ApplyIndexChanges
    embed_passages: EmbedPassages
    background_embed: EmbedPassages
    embedding_weights: EmbeddingWeights
    chunk: ChunkDocument
    retitle_document: RetitleDocument
    admission: Admission
    budgets: KeepBudgets
    connect: Connect
    source_secrets: SourceSecrets
    request_publication: RequestPublication
    overview: ReadOverview
    meaning: Meaning
    topic_meaning: TopicMeaning
    judge_topic: JudgeTopic
    webhook_secrets: WebhookSecrets
    similar: FindSimilar
    sign: SignDocuments

    @classmethod
    def compose(cls, ports: Ports, options: Options) -> Shared:
        background = QueuedUnitOfWork(ports.unit_of_work, options.background_transactions)
        weights = EmbeddingWeights(ports.embedder)
        former_weights = [(before, EmbeddingWeights(before.embedder)) for before in ports.former_models]

        def retrieve(unit_of_work: UnitOfWork, reranker: Reranker | None) -> Retrieve:
            former = tuple(
                Retrieve(unit_of_work, before.index, before.embedder, ports.analysis, known, reranker)
                for before, known in former_weights
            )
            return Retrieve(unit_of_work, ports.index, ports.embedder, ports.analysis, weights, reranker, former)

        def apply(unit_of_work: UnitOfWork) -> ApplyIndexChanges:
            return ApplyIndexChanges(unit_of_work, ports.index, ports.clock)

        def embed(unit_of_work: UnitOfWork) -> EmbedPassages:
            return EmbedPassages(unit_of_work, ports.index, ports.embedder, ports.clock)

        budgets = KeepBudgets(options.writing_costs)
        serving, topic_meaning = retrieve(ports.unit_of_work, ports.reranker), TopicMeaning(ports.embedder)
        return cls(
            ports=ports,
            options=options,
            background=background,
            retrieve=serving,
            background_retrieve=retrieve(background, ports.reranker),
            many_searches=retrieve(background, None),
            apply_index_changes=apply(ports.unit_of_work),
            background_apply=apply(background),
            embed_passages=embed(ports.unit_of_work),
            background_embed=embed(background),
            embedding_weights=weights,
            chunk=ChunkDocument(ports.chunker, ports.analysis, ports.entities),
            retitle_document=RetitleDocument(ports.analysis),
            admission=Admission(ports.unit_of_work, ports.model, ports.clock, ports.ids, budgets),
            budgets=budgets,
            connect=Connect(ports.targets, ports.secret_box),
            source_secrets=SourceSecrets(ports.secret_box),
            request_publication=RequestPublication(ports.targets, ports.clock, ports.ids),
            overview=ReadOverview(
                ports.unit_of_work,
                ports.graph_tools,
                ports.clock,
                ports.ids,
                space_of(ports.embedder),
                curates=options.curates_entities,
                index=ports.index if models_meaning(ports.embedder.embedding_weight) else None,
            ),
            meaning=Meaning(ports.embedder, weights),
            topic_meaning=topic_meaning,
            judge_topic=JudgeTopic(serving, ports.model, topic_meaning),
            webhook_secrets=WebhookSecrets(ports.secret_box),
            sign=SignDocuments(ports.unit_of_work, ports.secret_box, ports.signer, ports.clock),
            similar=FindSimilar(
                ports.unit_of_work,
                serving,
                ReadTopics(ports.unit_of_work, ports.analysis, ports.renderer, topic_meaning),
                ports.analysis,
            ),
        )

    def runner(self, what: str, *, waits: bool = False) -> AttemptRunner:
        """The runner of a kind of job. `what`: the work as error messages name it (`The generation`). `waits`: whether
        such jobs wait for a provider that is away."""
        patience = self.options.provider_wait if waits else timedelta(0)
        return AttemptRunner(self.background, self.ports.clock, what, patience)

    def check_text(self, unit_of_work: UnitOfWork) -> CheckText:
        ports = self.ports
        return CheckText(unit_of_work, ports.analysis, ports.renderer, ports.entailment, self.meaning)

    def freshness(self, unit_of_work: UnitOfWork) -> CheckFreshness:
        ports = self.ports
        elsewhere = FindWords(unit_of_work, ports.index, ports.analysis)
        return CheckFreshness(unit_of_work, ports.analysis, ports.clock, elsewhere, ports.entailment, self.meaning)

    def patch(self, unit_of_work: UnitOfWork) -> PatchArticle:
        ports = self.ports
        return PatchArticle(
            unit_of_work,
            self.request_publication,
            FollowOriginal(ports.clock, ports.ids),
            self.freshness(unit_of_work),
            self.check_text(unit_of_work),
            ports.analysis,
            ports.renderer,
            ports.clock,
        )

    def propose_update(self, unit_of_work: UnitOfWork) -> ProposeUpdate:
        ports, freshness = self.ports, self.freshness(unit_of_work)
        revise = ReviseSentences(ports.model, freshness, ports.analysis)
        follow = FollowOriginal(ports.clock, ports.ids)
        return ProposeUpdate(unit_of_work, freshness, revise, follow, ports.clock, ports.ids)

    def decide_update(self, unit_of_work: UnitOfWork) -> DecideUpdate:
        patch, translation = self.patch(unit_of_work), self.apply_translation(unit_of_work)
        return DecideUpdate(unit_of_work, patch, translation, self.ports.clock)

    def apply_translation(self, unit_of_work: UnitOfWork) -> ApplyTranslation:
        ports = self.ports
        return ApplyTranslation(self.check_text(unit_of_work), ports.analysis, ports.renderer, ports.clock)

    def import_sources(self, unit_of_work: UnitOfWork) -> ImportSources:
        ports = self.ports
        return ImportSources(unit_of_work, self.chunk, ports.detector, ports.clock, ports.ids, ports.source_splitter)

"""Knowledge: filling a knowledge base, indexing it, and evaluating it."""

from __future__ import annotations

from attrs import frozen

from contentgen_core.services.shared import Shared
from contentgen_core.use_cases.conflicts.manage_conflicts import ManageConflicts
from contentgen_core.use_cases.documents.add import AddDocument
from contentgen_core.use_cases.documents.edit import ManageDocuments
from contentgen_core.use_cases.documents.nearest_sentences import NearestSentences
from contentgen_core.use_cases.documents.search import SearchKnowledge
from contentgen_core.use_cases.enrichment.start import ReadEnrichments, StartEnrichment
from contentgen_core.use_cases.governance.evaluate import EvaluateGovernance
from contentgen_core.use_cases.knowledge.browse_documents import BrowseDocuments
from contentgen_core.use_cases.knowledge.document_history import ReadHistory
from contentgen_core.use_cases.knowledge.embed_passages import EmbedPassages
from contentgen_core.use_cases.knowledge.import_sources import ImportSources
from contentgen_core.use_cases.knowledge.index_upkeep import ApplyIndexChanges, RebuildIndex
from contentgen_core.use_cases.knowledge.overview import ReadOverview
from contentgen_core.use_cases.search_queries.console import ConnectSearchConsole
from contentgen_core.use_cases.search_queries.import_export import ImportSearchQueries
from contentgen_core.use_cases.search_queries.manage_search_demand import ManageSearchDemand
from contentgen_core.use_cases.synced_sources.manage_sources import ManageSources
from contentgen_core.use_cases.topic_coverage.manage_topic_coverage import ManageTopicCoverage


@frozen(kw_only=True)
class Knowledge:
    """Use cases on the knowledge base."""

    import_sources: ImportSources
    add_document: AddDocument
    documents: ManageDocuments
    browse: BrowseDocuments
    sources: ManageSources
    conflicts: ManageConflicts
    import_search_queries: ImportSearchQueries
    search_demand: ManageSearchDemand
    history: ReadHistory
    search_console: ConnectSearchConsole
    search: SearchKnowledge
    enrich: StartEnrichment
    enrichments: ReadEnrichments
    overview: ReadOverview
    topic_coverages: ManageTopicCoverage
    evaluate_governance: EvaluateGovernance
    apply_index_changes: ApplyIndexChanges
    embed_passages: EmbedPassages
    rebuild_index: RebuildIndex

    @classmethod
    def compose(cls, shared: Shared) -> Knowledge:
        p, apply = shared.ports, shared.apply_index_changes
        demand = ManageSearchDemand(p.unit_of_work, p.clock, p.ids)
        return cls(
            import_sources=shared.import_sources(p.unit_of_work),
            add_document=AddDocument(p.unit_of_work, p.objects, p.uploads, p.pages, p.clock, p.ids),
            documents=ManageDocuments(p.unit_of_work, p.objects, apply, shared.retitle_document, p.clock),
            browse=BrowseDocuments(p.unit_of_work),
            sources=ManageSources(p.unit_of_work, p.sources, shared.source_secrets, apply, p.clock, p.ids),
            import_search_queries=ImportSearchQueries(p.unit_of_work, p.search_exports, demand, p.clock, p.ids),
            search_demand=demand,
            history=ReadHistory(p.unit_of_work),
            search_console=ConnectSearchConsole(p.unit_of_work, p.search_console, p.secret_box, demand, p.clock),
            conflicts=ManageConflicts(p.unit_of_work, p.clock, p.ids),
            search=SearchKnowledge(
                p.unit_of_work, shared.retrieve, NearestSentences(p.embedder, p.analysis), p.analysis
            ),
            enrich=StartEnrichment(p.unit_of_work, shared.judge_topic, p.searches, p.clock, p.ids),
            enrichments=ReadEnrichments(p.unit_of_work),
            overview=shared.overview,
            topic_coverages=ManageTopicCoverage(p.unit_of_work, p.clock, p.ids),
            evaluate_governance=EvaluateGovernance(p.unit_of_work, p.analysis, p.clock),
            apply_index_changes=apply,
            embed_passages=shared.embed_passages,
            rebuild_index=RebuildIndex(p.unit_of_work, p.index, apply),
        )

"""Writing: from a topic to an article, in a voice, and its editing, export and translation."""

from __future__ import annotations

from attrs import frozen

from contentgen_core.services.shared import Shared
from contentgen_core.use_cases.approval.decide import DecideApproval
from contentgen_core.use_cases.approval.policies import ManageApproval
from contentgen_core.use_cases.approval.reviewed import ReviewSentences
from contentgen_core.use_cases.article_links.decide import DecideLinks
from contentgen_core.use_cases.article_links.propose import ProposeLinks
from contentgen_core.use_cases.article_sentences import ArticleSentences
from contentgen_core.use_cases.article_updates.decide import DecideUpdate
from contentgen_core.use_cases.article_updates.policies import ManageRefresh
from contentgen_core.use_cases.article_updates.propose import ProposeUpdate
from contentgen_core.use_cases.articles.article_passages import ReadArticlePassages
from contentgen_core.use_cases.articles.auto_image import AutoImage
from contentgen_core.use_cases.articles.check_coverage import CheckCoverage
from contentgen_core.use_cases.articles.check_duplicates import CheckDuplicates
from contentgen_core.use_cases.articles.delete import DeleteArticle
from contentgen_core.use_cases.articles.edit import EditArticle
from contentgen_core.use_cases.articles.edit_plan import EditPlan
from contentgen_core.use_cases.articles.edit_sentence import EditSentence
from contentgen_core.use_cases.articles.evidence import GatherEvidence
from contentgen_core.use_cases.articles.export import ExportArticle
from contentgen_core.use_cases.articles.forecast import ForecastWords
from contentgen_core.use_cases.articles.forecast_plan import ForecastPlan
from contentgen_core.use_cases.articles.freshness import CheckFreshness
from contentgen_core.use_cases.articles.generate import GenerateArticle
from contentgen_core.use_cases.articles.grounding_receipt import GroundingReceipt
from contentgen_core.use_cases.articles.languages import WritingLanguages
from contentgen_core.use_cases.articles.list_freshness import ListFreshness
from contentgen_core.use_cases.articles.look_up_plan import LookUpPlan
from contentgen_core.use_cases.articles.patch import PatchArticle
from contentgen_core.use_cases.articles.plan import PlanArticle
from contentgen_core.use_cases.articles.queries import ReadArticles
from contentgen_core.use_cases.articles.read_text import ReadArticleText
from contentgen_core.use_cases.articles.restore_version import RestoreVersion
from contentgen_core.use_cases.articles.similar import FindSimilar
from contentgen_core.use_cases.articles.start_from_plan import StartFromPlan
from contentgen_core.use_cases.articles.topic_gaps import FindTopicGaps
from contentgen_core.use_cases.articles.topics import ExampleTopics, SuggestTopics, ValidateTopic
from contentgen_core.use_cases.articles.verify import VerifyArticle
from contentgen_core.use_cases.articles.verify_text import VerifyText
from contentgen_core.use_cases.articles.without_effect import IgnoredFields
from contentgen_core.use_cases.comments.manage_comments import ManageComments
from contentgen_core.use_cases.free_articles.from_link import GenerateFromLink
from contentgen_core.use_cases.free_articles.read_page import ReadPage
from contentgen_core.use_cases.insight.read_insights import ReadInsights
from contentgen_core.use_cases.knowledge.chunk_document import ChunkDocument
from contentgen_core.use_cases.signing import SignDocuments
from contentgen_core.use_cases.translation.compare import CompareTranslations
from contentgen_core.use_cases.translation.credits import ReadTranslations
from contentgen_core.use_cases.translation.start import StartTranslation
from contentgen_core.use_cases.versions.read_versions import ReadVersions
from contentgen_core.use_cases.voices.compare import CompareWithVoice
from contentgen_core.use_cases.voices.manage_voices import ManageVoices


@frozen(kw_only=True)
class Writing:
    """Use cases on articles and voices. `ignored_fields`: what the writer makes nothing of."""

    suggest_topics: SuggestTopics
    example_topics: ExampleTopics
    validate_topic: ValidateTopic
    check_coverage: CheckCoverage
    check_duplicates: CheckDuplicates
    similar: FindSimilar
    propose_links: ProposeLinks
    links: DecideLinks
    plan: PlanArticle
    generate: GenerateArticle
    forecast_plan: ForecastPlan
    edit_plan: EditPlan
    start_from_plan: StartFromPlan
    generate_from_link: GenerateFromLink
    articles: ReadArticles
    article_text: ReadArticleText
    passages: ReadArticlePassages
    grounding_receipt: GroundingReceipt
    verify: VerifyArticle
    verify_text: VerifyText
    freshness: CheckFreshness
    list_freshness: ListFreshness
    patch: PatchArticle
    propose_update: ProposeUpdate
    updates: DecideUpdate
    refresh: ManageRefresh
    approval_policies: ManageApproval
    approval: DecideApproval
    reviewed: ReviewSentences
    comments: ManageComments
    edit: EditArticle
    edit_sentence: EditSentence
    versions: ReadVersions
    restore_version: RestoreVersion
    delete: DeleteArticle
    auto_image: AutoImage
    export: ExportArticle
    evidence: GatherEvidence
    sign: SignDocuments
    translate: StartTranslation
    translations: ReadTranslations
    compare_translations: CompareTranslations
    voices: ManageVoices
    compare_with_voice: CompareWithVoice
    ignored_fields: IgnoredFields
    insights: ReadInsights

    @classmethod
    def compose(cls, shared: Shared) -> Writing:
        p, retrieve, admission = shared.ports, shared.retrieve, shared.admission
        read_page = ReadPage(p.pages, p.detector, shared.chunk, p.analysis, p.ids)
        allowance, base = shared.options.free_allowance, shared.options.public_url or ""
        forecast = ForecastWords(p.model, p.analysis, shared.options.forecasts_by_writing)
        check_text = shared.check_text(p.unit_of_work)
        receipt = GroundingReceipt(p.unit_of_work)
        freshness = shared.freshness(p.unit_of_work)
        edit = EditArticle(p.unit_of_work, p.analysis, p.renderer, check_text, p.clock, p.ids)
        sentences = ArticleSentences(p.renderer, p.analysis)
        versions = ReadVersions(p.unit_of_work, p.renderer, p.analysis)
        gaps = FindTopicGaps(p.unit_of_work, retrieve, p.analysis)
        languages = WritingLanguages(shared.options.crosses_languages)
        ignored = IgnoredFields(shared.options.ignored_fields)
        look_up = LookUpPlan(retrieve, languages, ignored)
        forecast_plan = ForecastPlan(p.unit_of_work, look_up, forecast)
        return cls(
            suggest_topics=SuggestTopics(p.unit_of_work, p.model, shared.topic_meaning, gaps, p.analysis),
            example_topics=ExampleTopics(p.unit_of_work, p.analysis),
            validate_topic=ValidateTopic(p.unit_of_work, shared.judge_topic),
            check_coverage=CheckCoverage(
                p.unit_of_work, retrieve, p.model, shared.topic_meaning, p.clock, forecast, shared.similar
            ),
            similar=shared.similar,
            propose_links=ProposeLinks(p.unit_of_work, shared.similar.read, p.entities, p.analysis, p.clock, p.ids),
            links=DecideLinks(p.unit_of_work, p.clock, base),
            check_duplicates=CheckDuplicates(p.unit_of_work, p.analysis, shared.topic_meaning),
            plan=_plan_article(shared, forecast, languages, ignored),
            generate=GenerateArticle(p.unit_of_work, retrieve, admission, p.clock, languages),
            forecast_plan=forecast_plan,
            edit_plan=EditPlan(p.unit_of_work, forecast_plan, p.clock),
            start_from_plan=StartFromPlan(p.unit_of_work, look_up, p.clock, p.ids, shared.budgets),
            generate_from_link=GenerateFromLink(
                p.unit_of_work, read_page, p.renderer, p.key_maker, p.clock, p.ids, p.strip_tracking, allowance
            ),
            articles=ReadArticles(p.unit_of_work),
            article_text=ReadArticleText(p.unit_of_work, p.renderer, p.analysis),
            passages=ReadArticlePassages(p.unit_of_work),
            grounding_receipt=receipt,
            verify_text=_verify_text(shared),
            verify=VerifyArticle(p.unit_of_work, check_text, receipt, p.clock),
            freshness=freshness,
            list_freshness=ListFreshness(p.unit_of_work, freshness),
            patch=shared.patch(p.unit_of_work),
            propose_update=shared.propose_update(p.unit_of_work),
            updates=shared.decide_update(p.unit_of_work),
            refresh=ManageRefresh(p.unit_of_work, p.clock, p.ids),
            approval_policies=ManageApproval(p.unit_of_work, p.clock, p.ids),
            approval=DecideApproval(p.unit_of_work, p.targets, p.clock),
            reviewed=ReviewSentences(p.unit_of_work, sentences, p.clock),
            comments=ManageComments(p.unit_of_work, sentences, p.clock, p.ids),
            edit=edit,
            edit_sentence=EditSentence(p.unit_of_work, sentences, edit),
            versions=versions,
            restore_version=RestoreVersion(versions, edit),
            delete=DeleteArticle(p.unit_of_work, p.clock),
            auto_image=AutoImage(p.unit_of_work, p.images, p.analysis, p.clock),
            export=ExportArticle(p.unit_of_work, p.renderer, p.exporter, base),
            evidence=GatherEvidence(p.unit_of_work, sentences, p.clock),
            sign=shared.sign,
            translate=StartTranslation(
                p.unit_of_work, p.objects, p.uploads, p.detector, p.model, p.analysis, p.renderer, p.clock, p.ids
            ),
            translations=ReadTranslations(p.unit_of_work, p.clock),
            compare_translations=CompareTranslations(p.unit_of_work, p.renderer, p.analysis),
            voices=ManageVoices(p.unit_of_work, p.analysis, p.detector, p.clock, p.ids),
            compare_with_voice=CompareWithVoice(p.unit_of_work, p.analysis),
            ignored_fields=ignored,
            insights=ReadInsights(p.unit_of_work, p.clock),
        )


def _plan_article(
    shared: Shared, forecast: ForecastWords, languages: WritingLanguages, ignored: IgnoredFields
) -> PlanArticle:
    p = shared.ports
    return PlanArticle(
        p.unit_of_work,
        shared.retrieve,
        p.model,
        shared.admission,
        p.clock,
        p.analysis,
        forecast,
        shared.similar,
        languages,
        ignored,
        shared.budgets,
        shared.meaning,
    )


def _verify_text(shared: Shared) -> VerifyText:
    p = shared.ports
    return VerifyText(
        p.unit_of_work,
        shared.retrieve,
        ChunkDocument(p.chunker, p.analysis),
        p.detector,
        p.analysis,
        p.renderer,
        p.clock,
        p.entailment,
        shared.meaning,
    )

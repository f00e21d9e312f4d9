"""The console's pages, which the application has below /console."""

from __future__ import annotations

from typing import Final

from litestar import Controller
from litestar.config.compression import CompressionConfig
from litestar.middleware import DefineMiddleware
from litestar.middleware.compression import CompressionMiddleware

from contentgen_http.console.errors import handlers
from contentgen_http.console.files import FileRoutes
from contentgen_http.console.page import Page
from contentgen_http.console.pages.agents.agents import AgentPages
from contentgen_http.console.pages.agents.demand import DemandPages
from contentgen_http.console.pages.agents.niche import NichePages
from contentgen_http.console.pages.articles.editing import EditingPages
from contentgen_http.console.pages.articles.publishing import PublishingPages
from contentgen_http.console.pages.articles.reading import ArticlePages
from contentgen_http.console.pages.articles.review import ReviewPages
from contentgen_http.console.pages.articles.sentences import SentencePages
from contentgen_http.console.pages.articles.translations import TranslationPages
from contentgen_http.console.pages.articles.updates import UpdatePages
from contentgen_http.console.pages.articles.versions import VersionPages
from contentgen_http.console.pages.calendar.routes import CalendarPage
from contentgen_http.console.pages.coverage.routes import CoveragePage
from contentgen_http.console.pages.home.routes import HomePage
from contentgen_http.console.pages.insight.routes import InsightPages
from contentgen_http.console.pages.knowledge.adding import AddingPages
from contentgen_http.console.pages.knowledge.conflicts import ConflictPages
from contentgen_http.console.pages.knowledge.documents import DocumentPages
from contentgen_http.console.pages.knowledge.enriching import EnrichPages
from contentgen_http.console.pages.knowledge.entities import EntityPages
from contentgen_http.console.pages.knowledge.passages import PassagePages
from contentgen_http.console.pages.knowledge.source_forms import SourceFormPages
from contentgen_http.console.pages.knowledge.sources import SourcePages
from contentgen_http.console.pages.knowledge.topics import TopicPages
from contentgen_http.console.pages.plan.routes import PlanPage
from contentgen_http.console.pages.publishing.index_now import IndexNowPages
from contentgen_http.console.pages.publishing.posts import PostPages
from contentgen_http.console.pages.publishing.routes import PublishingPage
from contentgen_http.console.pages.publishing.targets import TargetPages
from contentgen_http.console.pages.settings.budgets import BudgetPages
from contentgen_http.console.pages.settings.keys import KeyPages
from contentgen_http.console.pages.settings.plan import PlanLimitsPage
from contentgen_http.console.pages.settings.profile import ProfilePage
from contentgen_http.console.pages.settings.public import PublicModerationPages
from contentgen_http.console.pages.settings.reviews import ReviewModerationPages
from contentgen_http.console.pages.settings.team import TeamPage
from contentgen_http.console.pages.settings.tenants import TenantPages
from contentgen_http.console.pages.settings.voices import VoicePages
from contentgen_http.console.pages.settings.webhooks import WebhookPages
from contentgen_http.console.pages.sign_in.open_id import OpenIdPages
from contentgen_http.console.pages.sign_in.routes import SignedInPages, SignInPages
from contentgen_http.console.visit import MAX_FORM, gate, public_gate
from contentgen_http.server.client_addresses import ClientAddresses
from contentgen_http.server.concurrency_limit import RequestLimits
from contentgen_http.server.rate_limit import Limits
from contentgen_http.services import Services

PAGES: Final[tuple[type[Page], ...]] = (
    HomePage,
    DocumentPages,
    AddingPages,
    SourcePages,
    SourceFormPages,
    PassagePages,
    ConflictPages,
    EnrichPages,
    EntityPages,
    TopicPages,
    CoveragePage,
    PlanPage,
    ArticlePages,
    EditingPages,
    PublishingPages,
    ReviewPages,
    SentencePages,
    TranslationPages,
    UpdatePages,
    VersionPages,
    CalendarPage,
    PublishingPage,
    TargetPages,
    AgentPages,
    NichePages,
    InsightPages,
    DemandPages,
    ProfilePage,
    TeamPage,
    KeyPages,
    VoicePages,
    WebhookPages,
    PlanLimitsPage,
    BudgetPages,
    TenantPages,
    ReviewModerationPages,
    PublicModerationPages,
    PostPages,
    IndexNowPages,
    SignedInPages,
)
"""For members, in the order of the navigation."""
SIGN_INS_PER_MINUTE: Final = 60
PACKED: Final = CompressionConfig("gzip", minimum_size=1_000, gzip_compress_level=4)


def console(
    services: Services, limits: Limits, addresses: ClientAddresses, requests: RequestLimits
) -> list[type[Controller]]:
    """The pages over these services, below /console. Not as a router, which Litestar would copy with all that is in it
    when an application takes it up."""
    member = gate(services.people.web_sessions, limits, requests)
    visitor = public_gate(limits, addresses, SIGN_INS_PER_MINUTE)
    return [
        *(_over(page, services=services, limits=limits, guards=[member]) for page in PAGES),
        _over(SignInPages, services=services, limits=limits, guards=[visitor]),
        _over(OpenIdPages, services=services, guards=[visitor]),
        _over(FileRoutes),
    ]


def _over(routes: type[Controller], **parts: object) -> type[Controller]:
    of_all = {
        "path": "/console",
        "exception_handlers": handlers(),
        "request_max_body_size": MAX_FORM,
        "middleware": [DefineMiddleware(CompressionMiddleware, config=PACKED)],
    }
    return type(routes.__name__, (routes,), {**of_all, **parts})

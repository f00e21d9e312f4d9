"""Adapters that are the same in every composition: they need no service, no key and no setting."""

from __future__ import annotations

from secrets import token_bytes
from typing import TYPE_CHECKING

from slugify import slugify

from contentgen_adapters.documents.catalog import FileReader
from contentgen_adapters.embeddings.hashed import HashedEmbedder
from contentgen_adapters.entities.extractor import RuleExtractor
from contentgen_adapters.llm.extractive.writer import ExtractiveWriter
from contentgen_adapters.mail.log import LogMailer
from contentgen_adapters.mail.tokens import SignedAlertTokens, SignedSignInTokens, SignedTokens
from contentgen_adapters.memory.objects import MemoryObjects
from contentgen_adapters.memory.passage_index import MemoryIndex
from contentgen_adapters.memory.publishing import MemoryTargets
from contentgen_adapters.memory.rate_limiter import MemoryRateLimiter
from contentgen_adapters.memory.repositories.index_now import MemoryIndexNow
from contentgen_adapters.memory.search_console import MemorySearchConsole
from contentgen_adapters.memory.webhook_sender import MemoryWebhookSender
from contentgen_adapters.open_id.requests import SignedOpenIdRequests
from contentgen_adapters.rendering import MarkdownRenderer
from contentgen_adapters.runtime import HmacKeyMaker, IanaTimeZones, SystemClock, Uuid7Ids
from contentgen_adapters.shared.countries import country_codes
from contentgen_adapters.shared.text.tracking import strip_tracking
from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_adapters.text.chunking import MarkdownChunker
from contentgen_adapters.text.language import LangidDetector
from contentgen_core.ports.images import ConfiguredImageSearch
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.ports.web_search import ConfiguredWebSearches
from contentgen_core.services import Ports
from contentgen_grounded.bootstrap.deferred import deferred
from contentgen_grounded.extras import from_extra

if TYPE_CHECKING:
    from contentgen_core.ports.documents import UploadReader
    from contentgen_core.ports.entities import GraphTools
    from contentgen_core.ports.exporting import ArticleExporter
    from contentgen_core.ports.mail import Addresses
    from contentgen_core.ports.page_reader import PageReader
    from contentgen_core.ports.rendering import ArticleRenderer
    from contentgen_core.ports.runtime import Clock
    from contentgen_core.ports.sealing import SecretBox
    from contentgen_core.ports.search_exports import SearchExportReader
    from contentgen_core.ports.signing import DocumentSigner
    from contentgen_core.ports.source_reading import SourceReader

SALT_BYTES = 32


def local_ports(unit_of_work: UnitOfWork, secret: bytes) -> Ports:
    """Return ports that use nothing outside the process but the database: the writer copies sentences of the sources,
    the embeddings are hashed n-grams; index, objects and targets are in memory, mail is logged, there is no web.

    `secret`: at least 32 bytes, behind the digests of keys and the signatures of links.
    """
    analysis, renderer, clock = IcuTextAnalysis(), MarkdownRenderer(), SystemClock()
    uploads, pages = deferred(_uploads), deferred(lambda: _pages(clock))
    return Ports(
        unit_of_work=unit_of_work,
        index=MemoryIndex(),
        embedder=HashedEmbedder(),
        model=ExtractiveWriter(analysis),
        analysis=analysis,
        detector=LangidDetector(),
        chunker=MarkdownChunker(analysis),
        entities=RuleExtractor(analysis),
        graph_tools=deferred(_graph_tools),
        documents=FileReader(),
        uploads=uploads,
        objects=MemoryObjects(),
        pages=pages,
        sources=deferred(lambda: _sources(uploads, pages)),
        search_exports=deferred(_search_exports),
        search_console=MemorySearchConsole(),
        index_now=MemoryIndexNow(),
        searches=deferred(_searches),
        images=deferred(_images),
        renderer=renderer,
        exporter=deferred(lambda: _exporter(renderer)),
        targets=MemoryTargets(),
        webhook_sender=MemoryWebhookSender(),
        secret_box=deferred(lambda: _secret_box(secret)),
        signer=deferred(_signer),
        key_maker=HmacKeyMaker(secret),
        invitation_tokens=SignedTokens(secret),
        sign_in_tokens=SignedSignInTokens(secret),
        open_id_requests=SignedOpenIdRequests(secret),
        alert_tokens=SignedAlertTokens(secret),
        mailer=LogMailer(),
        addresses=deferred(_addresses),
        rate_limiter=MemoryRateLimiter(),
        clock=clock,
        ids=Uuid7Ids(),
        time_zones=IanaTimeZones(),
        countries=country_codes(),
        slug=slugify,
        strip_tracking=strip_tracking,
        new_salt=lambda: token_bytes(SALT_BYTES),
    )


def _uploads() -> UploadReader:
    from contentgen_adapters.documents.uploads import ThreadUploadReader

    return ThreadUploadReader()


def _pages(clock: Clock) -> PageReader:
    from contentgen_adapters.pages.memory import MemoryPageReader

    return MemoryPageReader({}, clock)


def _sources(uploads: UploadReader, pages: PageReader) -> SourceReader:
    with from_extra("database"):
        from contentgen_adapters.sources.catalog import source_readers

    return source_readers((), uploads, pages)


def _search_exports() -> SearchExportReader:
    from contentgen_adapters.search_exports.reading import ThreadSearchExports

    return ThreadSearchExports()


def _searches() -> ConfiguredWebSearches:
    from contentgen_adapters.web_search.catalog import SETTINGS

    return ConfiguredWebSearches(None, None, SETTINGS)


def _images() -> ConfiguredImageSearch:
    from contentgen_adapters.images.catalog import SETTINGS

    return ConfiguredImageSearch(None, SETTINGS)


def _exporter(renderer: ArticleRenderer) -> ArticleExporter:
    with from_extra("database"):
        from contentgen_adapters.exporting.exporter import FileExporter

    return FileExporter(renderer)


def _graph_tools() -> GraphTools:
    with from_extra("database"):
        import networkx  # type: ignore[import-untyped]  # noqa: F401

        from contentgen_adapters.entities.graphs import NetworkxTools

    return NetworkxTools()


def _addresses() -> Addresses:
    with from_extra("database"):
        import email_validator  # noqa: F401

        from contentgen_adapters.mail.addresses import ValidatedAddresses

    return ValidatedAddresses()


def _secret_box(secret: bytes) -> SecretBox:
    with from_extra("database"):
        from contentgen_adapters.sealing import FernetBox

    return FernetBox(lambda: [secret.hex()])


def _signer() -> DocumentSigner:
    with from_extra("database"):
        from contentgen_adapters.signing import Ed25519Signer

    return Ed25519Signer()

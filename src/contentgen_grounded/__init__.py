"""Grounded content generation for Python programs: articles from a knowledge base, every sentence with its source.

What `__all__` lists is what this package promises to programs that embed the core; `docs/howto/embed.md` shows its use.
A name is loaded when it is first used: `import contentgen_grounded` alone is quick, also for the command line."""

from __future__ import annotations

from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from contentgen_core.errors import ContentgenError, InvalidInput, NotConfigured, UnreadableFile
    from contentgen_core.model.article import Article
    from contentgen_core.model.coverage import CoverageTooLow
    from contentgen_core.model.vocabulary import ArticleLength, Language
    from contentgen_core.ports.content_model import ContentModel, TextModel
    from contentgen_core.ports.documents import SourceText
    from contentgen_core.services import CoreServices
    from contentgen_core.use_cases.articles.verify_text import VerifiedText
    from contentgen_core.use_cases.knowledge.import_sources import ImportReport
    from contentgen_grounded.bootstrap.memory import in_memory
    from contentgen_grounded.extras import MissingExtra
    from contentgen_grounded.opening import open_database
    from contentgen_grounded.settings import BadSetting, Settings
    from contentgen_grounded.settings import load as load_settings
    from contentgen_grounded.verification import verify, verify_text
    from contentgen_grounded.version import VERSION as __version__
    from contentgen_grounded.writing import WritingFailed, write, write_article

__all__ = [
    "Article",
    "ArticleLength",
    "BadSetting",
    "ContentModel",
    "ContentgenError",
    "CoreServices",
    "CoverageTooLow",
    "ImportReport",
    "InvalidInput",
    "Language",
    "MissingExtra",
    "NotConfigured",
    "Settings",
    "SourceText",
    "TextModel",
    "UnreadableFile",
    "VerifiedText",
    "WritingFailed",
    "__version__",
    "in_memory",
    "load_settings",
    "open_database",
    "verify",
    "verify_text",
    "write",
    "write_article",
]

_PLACES: Final = {
    "Article": "contentgen_core.model.article:Article",
    "ArticleLength": "contentgen_core.model.vocabulary:ArticleLength",
    "BadSetting": "contentgen_grounded.settings:BadSetting",
    "ContentModel": "contentgen_core.ports.content_model:ContentModel",
    "ContentgenError": "contentgen_core.errors:ContentgenError",
    "CoreServices": "contentgen_core.services:CoreServices",
    "CoverageTooLow": "contentgen_core.model.coverage:CoverageTooLow",
    "ImportReport": "contentgen_core.use_cases.knowledge.import_sources:ImportReport",
    "InvalidInput": "contentgen_core.errors:InvalidInput",
    "Language": "contentgen_core.model.vocabulary:Language",
    "MissingExtra": "contentgen_grounded.extras:MissingExtra",
    "NotConfigured": "contentgen_core.errors:NotConfigured",
    "Settings": "contentgen_grounded.settings:Settings",
    "SourceText": "contentgen_core.ports.documents:SourceText",
    "TextModel": "contentgen_core.ports.content_model:TextModel",
    "UnreadableFile": "contentgen_core.errors:UnreadableFile",
    "VerifiedText": "contentgen_core.use_cases.articles.verify_text:VerifiedText",
    "WritingFailed": "contentgen_grounded.writing:WritingFailed",
    "__version__": "contentgen_grounded.version:VERSION",
    "in_memory": "contentgen_grounded.bootstrap.memory:in_memory",
    "load_settings": "contentgen_grounded.settings:load",
    "open_database": "contentgen_grounded.opening:open_database",
    "verify": "contentgen_grounded.verification:verify",
    "verify_text": "contentgen_grounded.verification:verify_text",
    "write": "contentgen_grounded.writing:write",
    "write_article": "contentgen_grounded.writing:write_article",
}
"""Where the names above are at home, as `pkgutil.resolve_name` reads it."""


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = resolve_name(_PLACES[name])
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

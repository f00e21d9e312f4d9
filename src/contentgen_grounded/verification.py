"""Whether sources support a text: the check that articles go through, as a call."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.documents import SourceText
from contentgen_core.services import CoreServices
from contentgen_core.use_cases.articles.verify_text import GivenSource, VerifiedText, VerifyTextCommand
from contentgen_grounded.arguments import checked_settings, checked_sources, checked_text, member_of
from contentgen_grounded.bootstrap.memory import in_memory_to_write
from contentgen_grounded.settings import Settings


def verify(
    text: str,
    sources: Iterable[SourceText],
    *,
    settings: Settings | None = None,
    language: Language | str | None = None,
) -> VerifiedText:
    """Run `verify_text` in programs without asyncio. `settings`: as for `in_memory`."""
    settings = checked_settings(settings)

    async def run() -> VerifiedText:
        async with in_memory_to_write(settings) as services:
            return await verify_text(services, text, sources, language=language)

    return asyncio.run(run())


async def verify_text(
    services: CoreServices, text: str, sources: Iterable[SourceText], *, language: Language | str | None = None
) -> VerifiedText:
    """Check for each sentence of the text (Markdown or plain) whether one of these sources supports it. Nothing is
    stored.

    `services`: from `in_memory()` or `open_database()`; their knowledge base is not searched. `sources`: read lazily,
    in a thread. `language`: of the text; None: as detected.

    Raises InvalidInput for a text or sources that are empty or too long and for arguments that are not of these types,
    and whatever iterating `sources` raises.
    """
    text = checked_text("text", text)
    language = None if language is None else member_of(Language, "language", language)
    given = await asyncio.to_thread(
        lambda: tuple(GivenSource(s.text, s.title, s.url) for s in checked_sources(sources))
    )
    return await services.writing.verify_text(VerifyTextCommand(text, sources=given, language=language))

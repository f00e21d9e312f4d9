"""The command `contentgen write`: write one article, without an account."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from contentgen_core.errors import ContentgenError, InvalidInput
from contentgen_core.model.vocabulary import ArticleLength, Language
from contentgen_http.commands.console import (
    fail_clearly,
    import_counts,
    loading,
    progress_bar,
    readable_sources,
    settings_in_force,
    warn,
)

if TYPE_CHECKING:
    from contentgen_core.model.article import Usage
    from contentgen_core.model.coverage import Coverage


def write(
    topic: Annotated[str, typer.Argument(help="What the article is about.")],
    kb: Annotated[list[Path], typer.Option("--kb", help="File or folder of sources; may be given several times.")],
    language: Annotated[Language, typer.Option(help="Language of the article.")] = Language.EN,
    length: Annotated[ArticleLength, typer.Option(help="Its length.")] = ArticleLength.STANDARD,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="File to write; else standard output.")] = None,
    allow_low_coverage: Annotated[
        bool, typer.Option("--allow-low-coverage", help="Write even where the sources carry the topic badly.")
    ] = False,
) -> None:
    """Write one grounded article from a folder of sources. Needs no account, no server and no database."""
    fail_clearly(lambda: _write(topic, kb, language, length, output, allow_low_coverage))


def _write(
    topic: str, kb: list[Path], language: Language, length: ArticleLength, output: Path | None, allow_low: bool
) -> None:
    import asyncio

    with loading("cli"):
        from contentgen_core.policies.articles.for_readers import for_readers
        from contentgen_core.policies.articles.markdown_document import markdown_document
        from contentgen_core.policies.text.plurals import pluralize
        from contentgen_grounded import CoverageTooLow, write_article
        from contentgen_grounded.bootstrap.memory import in_memory_to_write
        from contentgen_http.telemetry.logs import configure_logging

    if output is not None and not output.resolve().parent.is_dir():
        raise InvalidInput.of("output", f"there is no folder {output.resolve().parent}")
    configure_logging("warning")  # standard output is the article's
    unread: list[str] = []

    async def run() -> None:
        async with in_memory_to_write(settings_in_force()) as services:
            with progress_bar() as progress:
                task = progress.add_task("reading sources", total=None)
                article = await write_article(
                    services,
                    topic,
                    readable_sources(services.ports.documents, kb, unread),
                    language=language,
                    length=length,
                    allow_low_coverage=allow_low,
                    on_import=lambda r: progress.update(task, description=import_counts(r)),
                    on_progress=lambda n: progress.update(task, description="writing", total=100, completed=n),
                )
            document = markdown_document(for_readers(article, services.ports.renderer.renumbered))
            if output is None:
                sys.stdout.write(document)
            else:
                await asyncio.to_thread(output.write_text, document, encoding="utf-8")
            totals = article.grounding.totals if article.grounding else None
            title = typer.style(article.title, bold=True)
            typer.echo(
                f"{title}: {article.word_count} words, {pluralize(len(article.sources), 'passage')} cited"
                + (f", {totals.citation_recall:.0%} of sentences supported" if totals else "")
                + consumed(article.usage)
                + (f"; written to {output}" if output else ""),
                err=True,
            )
            if article.coverage is not None and article.coverage.missing:
                warn("no source is on:", ", ".join(article.coverage.missing))

    try:
        asyncio.run(run())
    except CoverageTooLow as error:
        raise NotCovered(error.coverage) from error
    finally:
        for line in unread:
            warn("not read:", line)


def consumed(usage: Usage | None) -> str:
    """The tokens of a model and their cost, for the line on an article; "" without any."""
    if usage is None or not usage.input_tokens + usage.output_tokens:
        return ""
    kept = f" ({usage.cached_tokens} of them kept)" if usage.cached_tokens else ""
    tokens = f"; {usage.model} read {usage.input_tokens} tokens{kept} and wrote {usage.output_tokens}"
    return tokens if usage.cost is None else f"{tokens} ({usage.cost})"


class NotCovered(ContentgenError):
    """The sources do not cover the topic; the text says what is missing."""

    def __init__(self, coverage: Coverage) -> None:
        from contentgen_core.policies.coverage.of_article import missing_from

        unsourced = ", ".join(coverage.evidence.unsourced)
        missing = ", ".join(missing_from(coverage.evidence)[len(coverage.evidence.unsourced) :])
        super().__init__(
            f"The sources cover this topic too little (level {coverage.level}, score {coverage.score:.0f} of 100)."
            + (f" None of them is on: {unsourced}." if unsourced else "")
            + (f" Not found in them: {missing}." if missing else "")
            + " Add sources, choose another topic, or write all the same with --allow-low-coverage."
        )

"""Arguments and parts of answers that several tools have in common.

Tools have structs of their own beside those of the HTTP interface (`wire`), since agents read them: descriptions name
the tool to call next, texts are shortened to fit into one answer, and addresses that are too long and fields of no use
to an agent are left out. Computed values of an article, a trend or a coverage come from the core for both.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Annotated, Final

from msgspec import UNSET, Meta, UnsetType

from contentgen_core.model.article import ArticleSource
from contentgen_core.model.knowledge import KbDocument
from contentgen_http.mcp.bounds import address, shorten
from contentgen_http.wire.base import NOT_BLANK, Answer, Id, optional

TITLE: Final = 200
"""Characters of a title."""
MAX_QUERY: Final = 200
MAX_SLUG: Final = 200
MAX_OFFSET: Final = 10_000_000

Limit = Annotated[int, Meta(ge=1, le=100, description="How many at most. The more, the fewer details of each.")]
Query = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=MAX_QUERY,
        pattern=NOT_BLANK,
        description="A few keywords, not a sentence: each has to begin a word of what is found.",
        examples=["heat pump"],
    ),
]
ArticleIdField = Annotated[Id, Meta(description="The article's id, as my_articles or write_article answered it.")]
Slug = Annotated[str, Meta(min_length=1, max_length=MAX_SLUG)]
Offset = Annotated[int, Meta(ge=0, le=MAX_OFFSET, description="Where to read on: nextOffset of the answer before.")]

Shortened = Annotated[bool, Meta(description="Whether details were left out to limit the answer's size.")]
ContradictedBy = Annotated[str | UnsetType, Meta(description="Title of the source that contradicts it.")]
Undecided = Annotated[
    bool | UnsetType, Meta(description="Whether a person has not decided yet which of the two sources holds.")
]
Note = Annotated[str | UnsetType, Meta(description="What was left out, and how to get it.")]
TextLength = Annotated[int, Meta(description="Characters of the whole text.")]
TextGoesOn = Annotated[bool, Meta(description="Whether the text goes on.")]
NextOffset = Annotated[int | UnsetType, Meta(description="Where the rest begins; call again with it.")]


class DocumentLink(Answer, kw_only=True):
    """A document of the knowledge base."""

    title: Annotated[str, Meta(description="Its title.")]
    url: Annotated[str | UnsetType, Meta(description="Its address, where it has one.")] = UNSET

    @classmethod
    def to(cls, document: KbDocument) -> DocumentLink:
        return cls(title=shorten(document.title, TITLE), url=optional(address(document.url)))


class NumberedSource(Answer, kw_only=True):
    """A source that the article cites."""

    number: Annotated[int, Meta(description="The number that `[n]` in the content refers to.")]
    title: Annotated[str, Meta(description="Its title.")]
    url: Annotated[str | UnsetType, Meta(description="Its address, where it has one.")] = UNSET
    author: Annotated[str | UnsetType, Meta(description="Who wrote it, where it says so.")] = UNSET
    published: Annotated[date | UnsetType, Meta(description="The date that it states, if any.")] = UNSET


def number_sources(sources: Iterable[ArticleSource]) -> list[NumberedSource]:
    return [
        NumberedSource.copy_from(
            source,
            title=shorten(source.title, TITLE),
            url=address(source.url),
            author=source.author and shorten(source.author, TITLE),
        )
        for source in sources
    ]


def note_of(rest: int | None, missing: int) -> str | UnsetType:
    """The note of a shortened answer. `rest`: where the text continues, if it does. `missing`: sources left out."""
    notes = []
    if rest is not None:
        notes.append(f"The text goes on: call again with offset={rest}.")
    if missing > 0:
        notes.append(f"{missing} more sources are not listed here.")
    return " ".join(notes) or UNSET

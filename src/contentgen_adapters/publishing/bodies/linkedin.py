"""The text of a LinkedIn post above its article card, and the card.

A post announces the article; it does not contain it. What degrades: of the text only the excerpt, or its first
sentences, is shown; formatting, code, tables, pictures and citations are left out, and the sources stand in the article
that the card leads to. The card's picture has to be uploaded by the caller.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from attrs import frozen

from contentgen_adapters.publishing.bodies.lengths import units
from contentgen_adapters.publishing.bodies.texts import excerpt, hashtag, one_line, prose, shorten
from contentgen_adapters.shared.text.sentences import sentence_spans
from contentgen_core.model.publishing_target import Post
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.text.truncation import ELLIPSIS

LONGEST_COMMENTARY: Final = 3_000
LONGEST_TITLE: Final = 400
LONGEST_DESCRIPTION: Final = 4_086
_MOST_HASHTAGS: Final = 10
_READ: Final = 20_000  # characters of the text that are looked at
_RESERVED: Final = re.compile(r"[\\|{}@\[\]()<>#*_~]")


@frozen
class Card:
    """Plain text, not "little text". `title`: at most 400 characters, `description` 4,086 (both unverified)."""

    title: str
    description: str


def commentary(post: Post, limit: int = LONGEST_COMMENTARY) -> str:
    """Title, excerpt (or the text's first sentences) and hashtags as "little text", escaped; at most `limit` UTF-16
    units with all escapes, cut behind a sentence where one ends."""
    title = _fitting(one_line(post.title), limit)
    tags = _hashtags(post, limit - units(title) - 2)
    room = limit - units(title) - 2 - (units(tags) + 2 if tags else 0)
    text = _lead(post, room)
    return "\n\n".join(part for part in (title, text, tags) if part)


def card(post: Post) -> Card:
    description = post.meta_description or excerpt(post, LONGEST_DESCRIPTION)
    return Card(shorten(one_line(post.title), LONGEST_TITLE), shorten(one_line(description), LONGEST_DESCRIPTION))


def escape(text: str) -> str:
    """Escape as "little text": unescaped reserved characters can silently cut a post."""
    return _RESERVED.sub(r"\\\g<0>", text)


def _lead(post: Post, room: int) -> str:
    own = one_line(post.excerpt or "")
    paragraphs = iter((own,)) if own else prose(post)
    taken: list[str] = []
    left = room
    for paragraph in paragraphs:
        between = 2 if taken else 0
        whole = escape(paragraph)
        if units(whole) + between <= left:
            taken.append(whole)
            left -= units(whole) + between
            continue
        part = _sentences(paragraph[:_READ], left - between, post.language)
        if not part and not taken:
            part = _fitting(paragraph, left)
        taken += [part] if part else []
        break
    return "\n\n".join(taken)


def _sentences(paragraph: str, room: int, language: Language | None) -> str:
    """The paragraph up to the end of the last sentence that still fits."""
    text = ""
    for span in sentence_spans(paragraph, language or Language.EN):
        longer = escape(paragraph[: span.end])
        if units(longer) > room:
            break
        text = longer
    return text


def _fitting(text: str, room: int) -> str:
    """Cut at a word so that it fits with its escapes."""
    if units(escape(text)) <= room:
        return escape(text)
    limit = room
    while limit > 1:
        part = escape(shorten(text, limit))
        if units(part) <= room:
            return part
        limit -= max(1, units(part) - room)
    return ELLIPSIS if room >= 1 else ""


def _hashtags(post: Post, room: int) -> str:
    return " ".join(_while_they_fit(dict.fromkeys(filter(None, map(hashtag, post.tags))), room))


def _while_they_fit(tags: dict[str, None], room: int) -> Iterator[str]:
    left = room
    for tag in [*tags][:_MOST_HASHTAGS]:
        written = f"{{hashtag|\\#|{tag}}}"
        left -= units(written) + 1
        if left < 0:
            return
        yield written

"""Check the texts of reviews, and select the reviews to hold for moderation. The check is deterministic and works in
every language. It flags rather than refuses, since its findings may be harmless."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from itertools import groupby
from typing import Final

from attrs import frozen

from contentgen_core.errors import FieldError, InvalidInput
from contentgen_core.model.review import MAX_AUTHOR, MAX_COMMENT, MAX_TITLE, STARS, FlagReason
from contentgen_core.policies.text.suspicious import RULES
from contentgen_core.policies.topics.validation import is_forbidden, is_invisible, readings

MAX_SAME_CHARACTERS: Final = 9
"""In a row. Laughter is written long: 哈哈哈哈, 5555, ㅋㅋㅋㅋ, wwww."""
MAX_SAME_WORDS: Final = 5

# The rules are made for topics, which are short. Longer texts are checked in overlapping pieces, since some of the
# patterns take time that grows with the square of the length.
_PIECE: Final = 300
_OVERLAP: Final = 100

_URL: Final = "a URL"
_EMAIL: Final = re.compile(r"(?<![\w.+%\-])[\w.+%\-]{1,64}@(?:[\w\-]{1,63}\.){1,8}[^\W\d_]{2,24}")
# A bare domain. In a topic it may be the name of a company; in a review it is an advertisement.
_DOMAIN: Final = re.compile(
    r"(?<![\w.@\-])(?!(?:asp|vb|ado|ml)\.net\b)(?:[a-z0-9\-]{1,63}\.){1,8}"
    r"(?:com|net|org|info|biz|io|co|me|ru|cn|xyz|top|shop|store|online|site|club|link|click)(?![\w\-])",
    re.IGNORECASE,
)
_BLANK_LINES: Final = re.compile(r"\n{3,}")


@frozen
class ReviewTexts:
    """The texts of a review, checked, in NFC and without white space around."""

    title: str
    comment: str
    author: str | None = None


def check_review(rating: int, title: str, comment: str, author: str | None = None) -> ReviewTexts:
    """The texts of a review: title and author on one line each, the comment with its paragraphs. Raises InvalidInput
    naming each faulty field: a rating that is not 1 to 5; a text without a visible character, too long (in characters,
    after that), or with control characters."""
    faults: list[FieldError] = []
    if rating not in STARS:
        faults.append(FieldError("rating", f"from {STARS[0]} to {STARS[-1]}"))
    title = _check_text("title", " ".join(title.split()), title, MAX_TITLE, faults)
    comment = _check_text("comment", _paragraphs(comment), comment, MAX_COMMENT, faults)
    if author is not None:
        author = _check_text("author", " ".join(author.split()), author, MAX_AUTHOR, faults)
    if faults:
        raise InvalidInput(*faults)
    return ReviewTexts(title, comment, author)


def flags_of(texts: ReviewTexts) -> tuple[FlagReason, ...]:
    """The reasons for which a platform administrator should see the review before it is listed; none for an ordinary
    one."""
    found: set[FlagReason] = set()
    for text in (texts.title, texts.comment, texts.author or ""):
        if _repeats(text):
            found.add(FlagReason.REPETITION)
        for piece in _pieces(" ".join(text.split())):
            found.update(reason for form in readings(piece) for reason in _found_in(form))
    return tuple(reason for reason in FlagReason if reason in found)


def check_characters(text: str, field: str) -> None:
    """Check the characters of a text. Raises InvalidInput for `field`: control characters, or no visible one."""
    if any(is_forbidden(c) for c in text):
        raise InvalidInput.of(field, "must not contain control characters")
    if all(is_invisible(c) or c.isspace() for c in text):
        raise InvalidInput.of(field, "must not be empty")


def _check_text(field: str, folded: str, raw: str, max_length: int, faults: list[FieldError]) -> str:
    text = unicodedata.normalize("NFC", folded)
    try:
        check_characters(raw, field)
    except InvalidInput as error:
        faults += error.errors
        return text
    if len(text) > max_length:
        faults.append(FieldError(field, f"at most {max_length} characters"))
    return text


def _paragraphs(text: str) -> str:
    lines = (line.rstrip() for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"))
    return _BLANK_LINES.sub("\n\n", "\n".join(lines)).strip()


def _pieces(text: str) -> Iterator[str]:
    for start in range(0, max(1, len(text) - _OVERLAP), _PIECE - _OVERLAP):
        yield text[start : start + _PIECE]


def _found_in(form: str) -> Iterator[FlagReason]:
    for rule in RULES:
        if rule.matches(form):
            yield FlagReason.LINK if rule.what == _URL else FlagReason.SUSPICIOUS
    if _DOMAIN.search(_EMAIL.sub(" ", form)):
        yield FlagReason.LINK
    if _EMAIL.search(form):
        yield FlagReason.EMAIL


def _repeats(text: str) -> bool:
    plain = unicodedata.normalize("NFKC", text).casefold()
    visible = "".join(c for c in plain if not is_invisible(c))
    runs = (len(list(run)) for c, run in groupby(visible) if not c.isspace())
    words = (len(list(run)) for _, run in groupby(visible.split()))
    return max(runs, default=0) > MAX_SAME_CHARACTERS or max(words, default=0) > MAX_SAME_WORDS

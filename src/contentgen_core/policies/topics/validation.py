"""Validation of topics and keywords, and the key by which two topics are the same."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Final
from urllib.parse import unquote

from contentgen_core.errors import FieldError, InvalidInput
from contentgen_core.policies.text.suspicious import RULES

MAX_KEYWORDS: Final = 20
MAX_KEYWORD_LENGTH: Final = 100

_WHITE_CONTROLS: Final = frozenset("\t\n\r")
# Override characters make a reader see another text than the stored one.
_OVERRIDES: Final = frozenset("\u202d\u202e")
# Invisible letters and marks that are not format characters (category Cf).
_FILLERS: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0") | {chr(c) for c in range(0xFE00, 0xFE10)}
_QUOTES: Final = str.maketrans({**dict.fromkeys("‘’‚‛′`´", "'"), **dict.fromkeys("“”„‟″", '"')})
_SQL_COMMENT: Final = re.compile(r"/\*.*?\*/")


def check_topic(topic: str, *, min_length: int = 1, max_length: int = 500, field: str = "topic") -> str:
    """The topic in NFC, its white space trimmed and folded.

    `min_length`, `max_length`: in characters after that; invisible characters do not count for the minimum. Raises
    InvalidInput for `field`: out of bounds, control characters, no letter or digit, or suspicious input (URLs, script
    tags, JSON blocks, SQL injection, template literals), also behind look-alike or invisible characters."""
    text, fault = _normalise(topic, min_length, max_length)
    if fault is not None:
        raise InvalidInput.of(field, fault)
    return text


def check_keywords(keywords: Sequence[str], field: str = "keywords") -> tuple[str, ...]:
    """The keywords, at most 20 of at most 100 characters, each checked like a topic, without repetitions.

    Raises InvalidInput naming every faulty item (`keywords[3]`)."""
    if len(keywords) > MAX_KEYWORDS:
        raise InvalidInput.of(field, f"at most {MAX_KEYWORDS} keywords, not {len(keywords)}")
    kept: dict[str, str] = {}
    faults: list[FieldError] = []
    for i, keyword in enumerate(keywords):
        text, fault = _normalise(keyword, 1, MAX_KEYWORD_LENGTH)
        if fault is not None:
            faults.append(FieldError(f"{field}[{i}]", fault))
        else:
            kept.setdefault(topic_key(text), text)
    if faults:
        raise InvalidInput(*faults)
    return tuple(kept.values())


def topic_key(topic: str) -> str:
    """Equal for the same topic: Unicode NFC, case folding and white-space folding (product decisions, "Article")."""
    # Decomposing first, as Unicode defines a canonical caseless match (The Unicode Standard, definition D145).
    folded = unicodedata.normalize("NFD", unicodedata.normalize("NFD", topic).casefold())
    return " ".join(unicodedata.normalize("NFC", folded).split())


def _normalise(raw: str, min_length: int, max_length: int) -> tuple[str, str | None]:
    """Return the normalised text, and the fault found in it."""
    if len(raw) > max_length * 4 + 1_000:
        # Longer than any padding worth trimming: refused before spending work that grows with its length.
        return "", f"at most {max_length} characters"
    text = unicodedata.normalize("NFC", raw)
    if any(is_forbidden(c) for c in text):
        return "", "must not contain control characters"
    text = _trim(text)
    visible = sum(1 for c in text if not is_invisible(c))
    if visible == 0:
        return text, "must not be empty"
    if visible < min_length:
        return text, f"at least {min_length} characters"
    if len(text) > max_length:
        return text, f"at most {max_length} characters"
    if not any(c.isalnum() for c in text):
        return text, "must contain words"
    return text, _suspicion(text)


def is_forbidden(c: str) -> bool:
    """Control characters except white space, surrogates, and characters that override the direction of writing."""
    category = unicodedata.category(c)
    return category == "Cs" or (category == "Cc" and c not in _WHITE_CONTROLS) or c in _OVERRIDES


def is_invisible(c: str) -> bool:
    """Characters without a visible form, other than white space."""
    return unicodedata.category(c) == "Cf" or c in _FILLERS


def _trim(text: str) -> str:
    """Return the text with single spaces, and without white space or invisible words at either end."""
    words = text.split()
    while words and all(is_invisible(c) for c in words[0]):
        del words[0]
    while words and all(is_invisible(c) for c in words[-1]):
        del words[-1]
    return " ".join(words).strip("\u200b\u2060\ufeff")


def _suspicion(text: str) -> str | None:
    """Return the forbidden content of the text; None for an ordinary topic."""
    for form in readings(text):
        for rule in RULES:
            if rule.matches(form):
                return f"must not contain {rule.what}"
    return None


def readings(text: str) -> Iterator[str]:
    """The forms in which a browser, an SQL engine or a template would read the text."""
    plain = unicodedata.normalize("NFKC", "".join(c for c in text if not is_invisible(c))).translate(_QUOTES)
    yield plain
    decoded = html.unescape(unquote(plain))
    if decoded != plain:
        yield decoded
    if "/*" in plain:
        yield _SQL_COMMENT.sub(" ", plain)
        yield _SQL_COMMENT.sub("", plain)

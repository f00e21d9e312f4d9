"""Read a source's authors from its metadata: names only, not those of programs and accounts."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

MAX_AUTHOR: Final = 200
"""Characters of all names together."""
_MAX_NAME: Final = 100
_MAX_STATED: Final = 2_000  # characters of one statement that are looked at
_MAX_STATEMENTS: Final = 100
_AND_OTHERS: Final = " et al."
_JOINERS: Final = "\u200c\u200d"  # which Persian and Indic spelling needs

_TAG: Final = re.compile(r"<[^<>]{0,1000}>")
_LINK: Final = re.compile(r"\[([^\[\]]{0,200})\]\([^()]{0,1000}\)")
_E_MAIL: Final = re.compile(r"(?:mailto:)?[^\s@<>(),;]{1,100}@[^\s@<>(),;]{1,100}\.[^\s@<>(),;]{1,100}")
_EMPTY: Final = re.compile(r"\( *\)|\[ *\]")
_BYLINE: Final = re.compile(r"(?:(?:written|posted|published) )?by[: ] *", re.IGNORECASE)
_EDGES: Final = ' ,:|·•–—*"“”„«»_#'
_ADDRESS: Final = re.compile(
    r"://|^www\.|^@|^[^\s/.]+(?:\.[^\s/.]+)*\.[a-z]{2,}(?:/\S*)?$|^[^\s/]+\.[a-z]{2,}/", re.IGNORECASE
)
_ABBREVIATED: Final = re.compile(r"(?:\w{1,2}\.)+[^\W\d]+")
_INITIAL: Final = re.compile(r"[^\W\d_]\.")
_VERSION: Final = re.compile(r"\d\.\d|\bv\d")
_ACCOUNT: Final = re.compile(
    r"(?:(?:the |site|web|blog|wp|super|local|system)?[ _-]?(?:admin|administrat(?:or|eur|rice|ore|ör)|administrador)"
    r"|root|(?:super|default|windows|guest)?[ _-]?user(?: ?name)?|utilisateur|benutzer|usuario|usuário|utente"
    r"|unknown(?: author)?|unbekannt(?:er autor)?|inconnu|auteur inconnu|desconocido|sconosciuto|desconhecido"
    r"|anonym(?:ous|e|us)?|an[óo]nimo|anonimo|n/?a|none|null|nil|undefined|tbd|test(?:er)?|author(?: name)?|authors"
    r"|autore?|auteur|editor|owner|guest|default|system|webmaster|postmaster|no[ -]?reply|info|contact|your name|name"
    r"|pc|desktop|laptop|hp|dell|asus|acer|lenovo|et al\.?)[ _-]?\d*",
    re.IGNORECASE,
)
_SOFTWARE: Final = re.compile(
    r"(?:microsoft|ms)[ -](?:office|word|excel|power ?point|publisher|print)\b.*|microsoft corporation"
    r"|office user|wordpress.*|(?:pdf|lua|xe)?latex\b.*|(?:pdf|lua|xe|bib)tex\b.*|tex|.*\bhyperref\b.*|acrobat\b.*"
    r"|.*\bdistiller\b.*|adobe (?:acrobat|indesign|illustrator|photoshop|pdf|express).*|indesign\b.*"
    r"|wkhtmlto\w*.*|weasyprint.*|ghostscript.*|(?:gpl|afpl) ghostscript.*|(?:libre|open)office\b.*"
    r"|python-(?:docx|pptx)|docx4j|apache (?:poi|fop)\b.*|pandoc\b.*|(?:headless)?chrom(?:e|ium)|skia/.*"
    r"|quartz pdfcontext|itext\b.*|(?:dom|[a-z]{0,2})pdf|reportlab\b.*|pypdf.*|pscript.*|canva"
    r"|google (?:docs|slides)|drupal|joomla!?|typo3|wix(?:\.com)?|squarespace|shopify|mediawiki|jekyll|calibre"
    r"|scrivener|powerpoint|excel",
    re.IGNORECASE,
)


def author_of(*stated: str | None) -> str | None:
    """The names in what a source states of its authors, joined as in a bibliography; None where no name is among them.

    `stated`: each a name, or several with semicolons or commas between them. What is no name is left out: addresses,
    accounts (`admin`), software, e-mail addresses. At most 200 characters on one line, without markup and controls;
    names beyond them are `et al.`"""
    names: dict[str, str] = {}
    for text in stated[:_MAX_STATEMENTS]:
        for name in _names(text or ""):
            names.setdefault(name.casefold(), name)
    units = list(names.values())
    if len(units) == 1:
        units = units[0].split(", ")
    return _join_names(units) or None


def before_title(author: str | None) -> str:
    """An author as it stands before the title in a list of sources; empty without one."""
    return f"{author}{'' if author.endswith('.') else '.'} " if author else ""


def _join_names(units: list[str]) -> str:
    separator = "; " if any(", " in unit for unit in units) else ", "
    whole = separator.join(units)
    if len(whole) <= MAX_AUTHOR:
        return whole
    text = ""
    for unit in units:
        longer = f"{text}{separator}{unit}" if text else unit
        if len(longer) > MAX_AUTHOR - len(_AND_OTHERS):
            break
        text = longer
    return text.removesuffix(_AND_OTHERS) + _AND_OTHERS if text else ""


def _names(stated: str) -> Iterator[str]:
    """Yield the names between semicolons, each in its form for display: `Ohm, Ada` is one name."""
    text = _LINK.sub(r"\1", _TAG.sub(" ", _visible(stated[:_MAX_STATED])))
    for part in text.split(";"):
        pieces: dict[str, None] = {}
        for piece in part.split(","):
            if name := _name(piece, initial=bool(pieces)):
                pieces[name] = None
        if pieces:
            yield ", ".join(pieces)


def _visible(text: str) -> str:
    """Remove controls, marks of direction and halves of surrogate pairs."""
    spaced = (c if c in _JOINERS or unicodedata.category(c)[0] != "C" else " " if c in "\t\r\n" else "" for c in text)
    return "".join(spaced)


def _name(piece: str, *, initial: bool) -> str:
    """The name in a piece of text; "" where it is none. `initial`: whether it may be one letter with a full stop."""
    bare = " ".join(_EMPTY.sub(" ", _E_MAIL.sub(" ", piece)).split())
    while (trimmed := _strip_brackets(_without_byline(bare.strip(_EDGES)))) != bare:
        bare = trimmed
    return bare if _is_name(bare) or (initial and _INITIAL.fullmatch(bare)) else ""


def _without_byline(text: str) -> str:
    found = _BYLINE.match(text)
    return text[found.end() :] if found else text


def _strip_brackets(text: str) -> str:
    """Remove brackets around the whole text."""
    return text[1:-1].strip() if re.fullmatch(r"\([^()]*\)|\[[^\[\]]*\]|\{[^{}]*\}", text) else text


def _is_name(text: str) -> bool:
    if sum(map(str.isalpha, text)) < 2 or len(text.removesuffix(_AND_OTHERS)) > _MAX_NAME:
        return False
    if any(c in text for c in "<>\\`{}|=@") or sum(map(str.isdigit, text)) > sum(map(str.isalpha, text)):
        return False
    if _ADDRESS.search(text) and not _ABBREVIATED.fullmatch(text):
        return False
    return not (_VERSION.search(text) or _ACCOUNT.fullmatch(text) or _SOFTWARE.fullmatch(text))

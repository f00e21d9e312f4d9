"""The credit line of a picture: photographer and provider, with the links that providers require."""

from __future__ import annotations

import re
from typing import Final

from contentgen_core.model.article import Article, ImageCredit

_SPECIAL: Final = re.compile(r"([\\`*_\[\]<>#|!&~])")
_NOT_IN_A_LINK: Final = re.compile(r"[\s<>]")


def shown_credit(article: Article) -> ImageCredit | None:
    """The credit of the article's image; None without an image."""
    return article.image_credit if article.featured_image else None


def alternative_text(article: Article) -> str:
    """The alternative text of the featured image: the provider's description, else the title."""
    credit = shown_credit(article)
    return (credit.alt if credit else None) or article.title


def credit_markdown(credit: ImageCredit) -> str:
    """`Photo: [Ada Ohm](…) / [Unsplash](…)`, in italics, the same in every language."""
    photographer = _link(credit.photographer, credit.photographer_url)
    return f"*Photo: {photographer} / {_link(credit.provider_name, credit.provider_url)}*"


def _link(text: str, address: str | None) -> str:
    plain = _SPECIAL.sub(r"\\\1", " ".join(text.split()))
    return f"[{plain}](<{address}>)" if address and not _NOT_IN_A_LINK.search(address) else plain

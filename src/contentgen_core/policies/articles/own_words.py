"""Whether an article says anything."""

from __future__ import annotations

from typing import Final

from contentgen_core.model.article import Article
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.text import markdown
from contentgen_core.policies.text.typography import TYPOGRAPHY

NOTHING_LEFT: Final = (
    "Nothing is left of what the model wrote: the sources support none of its sentences. Add sources that say what the"
    " article is to say, or choose another topic or model."
)
"""Why the generation of an article failed of which no sentence was supported."""


def has_words(article: Article) -> bool:
    """Return whether the article has a text: see `says_anything`."""
    return says_anything(article.content, article.brief.language)


def says_anything(content: str, language: Language) -> bool:
    """Return whether a Markdown text has words besides headings and the notice of an article without sources."""
    notice = TYPOGRAPHY[language].notice
    ours = {notice, markdown.escape(notice)}
    lines = (line.strip() for line in content.splitlines())
    return any(
        not line.startswith("#") and line.strip("*_ ") not in ours and any(map(str.isalnum, line)) for line in lines
    )

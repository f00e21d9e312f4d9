"""An article with the fields of its parts beside its own: as lists show it, and as a table keeps it."""

from __future__ import annotations

from collections.abc import Mapping
from operator import attrgetter
from typing import Any, Final

from attrs import fields, frozen

from contentgen_core.model.agent import AgentKey
from contentgen_core.model.article import Article, Brief, Seo
from contentgen_core.model.coverage import ArticleCoverage


@frozen
class Part:
    """A part whose fields lie flat. `sign`: a flat field that is neither None nor False where there is this part;
    `prefix`: what the names begin with."""

    kind: type[Any]
    sign: str
    prefix: str = ""

    @property
    def names(self) -> dict[str, str]:
        """By flat name, the field's own."""
        return {f"{self.prefix}{field.name}": field.name for field in fields(self.kind)}


PARTS: Final[Mapping[str, Part]] = {
    "brief": Part(Brief, "topic"),
    "seo": Part(Seo, "has_seo"),
    "agent_key": Part(AgentKey, "agent_niche_key", "agent_"),
    "coverage": Part(ArticleCoverage, "coverage_level", "coverage_"),
}
"""The parts that lie flat, by field."""

OWN: Final = tuple(field.name for field in fields(Article) if field.name not in PARTS)
"""The fields of an article that are no parts."""

_OWN_OF: Final = attrgetter(*OWN)
_PARTS: Final = tuple((name, tuple(part.names), attrgetter(*part.names.values())) for name, part in PARTS.items())


def flat(article: Article) -> dict[str, Any]:
    """Return the fields of an article and of its parts by flat name; those of a part that it has not are None."""
    values: dict[str, Any] = dict(zip(OWN, _OWN_OF(article), strict=True))
    for name, names, fields_of in _PARTS:
        part = getattr(article, name)
        values |= dict.fromkeys(names) if part is None else zip(names, fields_of(part), strict=True)
    values["has_seo"] = article.seo is not None
    values["coverage_provisional"] = bool(values["coverage_provisional"])
    return values

"""The language that an article is written in: that of the request, else the agent's, else the knowledge base's. A
writer that cannot write across languages writes in those of its sources alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from contentgen_core.errors import InvalidInput
from contentgen_core.model.knowledge import KbView, RankedPassage
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.ports.unit_of_work import Transaction
from contentgen_core.use_cases.context import WritingContext
from contentgen_core.use_cases.use_case import use_case


@use_case
class WritingLanguages:
    """`crosses`: whether the content model writes in another language than its sources."""

    crosses: bool = True

    async def chosen(
        self, tx: Transaction, context: WritingContext, asked: Language | None, also: Sequence[KbView] = ()
    ) -> Language:
        """Return the language to write in. `asked`: of the request. Raises InvalidInput where the writer cannot write
        in it from the sources of these views."""
        views = (context.view, *also)
        known = frozenset[Language]().union(*[await tx[Knowledge].languages(view) for view in views])
        if asked is None:
            own = context.niche.activation.languages if context.niche.activation else ()
            possible = own if self.crosses else [language for language in own if language in known]
            asked = next(iter((*possible, *own)), None) or await _most_used(tx, views, known) or Language.FR
        if not self.crosses and known and asked not in known:
            raise _mismatch("knowledge base has its sources", known, asked)
        return asked

    def writes_from(self, source: Language, language: Language) -> bool:
        """Whether an article in `language` can be written from a source in `source`."""
        return self.crosses or source is language

    def usable(self, ranked: Sequence[RankedPassage], language: Language) -> tuple[RankedPassage, ...]:
        """The passages that an article in this language can be written from. Raises InvalidInput where all of them are
        in others."""
        if self.crosses:
            return tuple(ranked)
        own = tuple(each for each in ranked if self.writes_from(each.passage.document.language, language))
        if ranked and not own:
            raise _mismatch(
                "knowledge base has its sources on this topic",
                {each.passage.document.language for each in ranked},
                language,
            )
        return own


async def _most_used(tx: Transaction, views: Iterable[KbView], known: frozenset[Language]) -> Language | None:
    counts = dict.fromkeys(sorted(known), 0)
    for view in views:
        found = await tx[Knowledge].statistics(view, dict.fromkeys(known, ()))
        for language, statistics in found.items():
            counts[language] += statistics.passages
    return max(counts, key=lambda language: counts[language], default=None)


def _mismatch(has: str, known: Iterable[Language], asked: Language) -> InvalidInput:
    named = sorted(known)
    return InvalidInput.of(
        "language",
        f"the {has} in {', '.join(named)} and none in {asked}, and the built-in writer takes sentences as they are: "
        f"write in {named[0]}, add sources in {asked}, or set up a content model, which writes across languages",
    )

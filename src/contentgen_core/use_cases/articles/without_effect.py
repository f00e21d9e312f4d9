"""Find the inputs of a request that have no effect where no model writes."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from attrs import frozen

from contentgen_core.model.article_plan import ArticlePlan
from contentgen_core.model.vocabulary import Tone

USUAL_TONE: Final = Tone.PROFESSIONAL
"""That of a request that names none."""


@frozen
class WithoutEffect:
    """`fields`: those given that change nothing in the article. `reason`: for a person."""

    fields: tuple[str, ...]
    reason: str


@frozen
class IgnoredFields:
    """`fields`: what the writer makes nothing of, by the names in requests and plans; nothing for a model."""

    fields: Collection[str] = frozenset()

    def of_request(self, tone: Tone, keywords: Collection[str]) -> WithoutEffect | None:
        """Return the fields of a request for an article that have no effect; None if there are none."""
        return self._build(tone=tone is not USUAL_TONE, keywords=bool(keywords))

    def of_edit(self, edited: ArticlePlan, planned: ArticlePlan | None) -> WithoutEffect | None:
        """Return a reviewer's changes to a plan that have no effect; None if there are none."""
        before = planned or ArticlePlan("")
        return self._build(angle=edited.angle != before.angle, audience=edited.audience != before.audience)

    def _build(self, **given: bool) -> WithoutEffect | None:
        fields = tuple(name for name, is_given in given.items() if is_given and name in self.fields)
        if not fields:
            return None
        return WithoutEffect(
            fields,
            f"No content model is set up, and the built-in writer takes its sentences from the sources as they are: "
            f"{' and '.join(fields)} will change nothing in the article.",
        )

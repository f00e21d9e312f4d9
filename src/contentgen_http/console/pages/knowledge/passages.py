"""/console/knowledge/passages: a search by words and by meaning that says why it found what it found."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final

from attrs import frozen
from litestar import Response, get

from contentgen_core.errors import ContentgenError
from contentgen_core.model.vocabulary import Language
from contentgen_core.use_cases.documents.search import MAX_QUERY, MAX_RESULTS, Found
from contentgen_http.console.errors import sentence, status_of
from contentgen_http.console.pages.knowledge.shared import KnowledgePage
from contentgen_http.console.visit import Visit, texts_of

SHOWN: Final = 20


@frozen
class Part:
    """A part of a passage's text. `word`: whether it is a word of the question; `near`: whether it belongs to the
    sentence that is nearest to it."""

    text: str
    word: bool
    near: bool


class PassagePages(KnowledgePage):
    @get("/knowledge/passages", slow=True)
    async def passages(self, request: Visit) -> Response[str]:
        asked, caller = request.query_params, request.user.caller
        question, niche, language = asked.get("question", "")[:MAX_QUERY], asked.get("niche", ""), asked.get("in", "")
        niches = await self.niches(request)
        known = niche if niche in {each.niche_key for each in niches} else None
        found: Sequence[Found] = ()
        fault, status = "", 200
        if question.strip():
            try:
                most = MAX_RESULTS if language else SHOWN  # of which those in the language are shown
                found = await self.services.knowledge.search(caller, question, most, None, known)
            except ContentgenError as error:
                status, fault = status_of(error), sentence(error, texts_of(request))
        if language in set(Language):
            found = [one for one in found if one.ranked.passage.document.language.value == language]
        return self.show(
            request,
            "knowledge/passages.html",
            status=status,
            question=question,
            found=[(one, parts_of(one)) for one in found[:SHOWN]],
            fault=fault,
            chosen={"niche": niche, "in": language},
            niches=niches,
            names={each.niche_key: each.name for each in niches},
            texts_in=list(Language),
            most=MAX_QUERY,
        )


def parts_of(found: Found) -> list[Part]:
    """The text of what was found, cut where a word of the question or the nearest sentence begins or ends."""
    text, sentence = found.ranked.passage.text, found.sentence
    near = [] if sentence is None else [(sentence.start, sentence.end)]
    places = sorted({0, len(text), *(place for span in (*found.highlights, *near) for place in span)})
    return [
        Part(text[start:end], _within(start, found.highlights), _within(start, near))
        for start, end in pairwise(places)
        if text[start:end]
    ]


def _within(place: int, spans: Iterable[tuple[int, int]]) -> bool:
    return any(start <= place < end for start, end in spans)

"""POST /grounding/verify: a text that came from elsewhere is checked against sources that the caller names."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Final

from attrs import evolve, frozen

from contentgen_core.concurrency import run_concurrently
from contentgen_core.errors import FieldError, InvalidInput, NotConfigured
from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.document import MAX_TITLE
from contentgen_core.model.drafting import DraftSentence
from contentgen_core.model.grounding import Grounding, SentenceReceipt, Verdict
from contentgen_core.model.ids import DocumentId
from contentgen_core.model.knowledge import PRIVATE, KbDocument, KbScope, KbView, Origin, Passage
from contentgen_core.model.tenant import Caller
from contentgen_core.model.text import TextAnalysis
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.articles.candidate_passages import CandidatePassages
from contentgen_core.policies.articles.written_text import WrittenText, read_text
from contentgen_core.policies.grounding.context import Context
from contentgen_core.policies.grounding.verifier import Receipts, Verifier
from contentgen_core.policies.text.signs import SIGNS_FAULT, too_many_signs
from contentgen_core.policies.text.storable import is_storable
from contentgen_core.ports.documents import LanguageDetector
from contentgen_core.ports.entailment import EntailmentModel
from contentgen_core.ports.rendering import ArticleRenderer
from contentgen_core.ports.runtime import Clock
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.articles.private_docs import check_documents
from contentgen_core.use_cases.context import context_of_key
from contentgen_core.use_cases.grounding.checking import check
from contentgen_core.use_cases.grounding.meaning import Meaning
from contentgen_core.use_cases.knowledge.chunk_document import ChunkDocument, sha256
from contentgen_core.use_cases.knowledge.retrieve import Retrieve
from contentgen_core.use_cases.use_case import use_case

MAX_TEXT: Final = 50_000
MAX_SOURCES: Final = 50
MAX_SOURCE_CHARS: Final = 500_000
"""Of the texts of all sources together."""
MAX_SOURCE_URL: Final = 2_000
MAX_NAMED: Final = 50
MAX_PASSAGES: Final = 2_000
"""Passages that the sources of a request are cut into; a source of half a million characters has some 700."""
MAX_SEARCHES: Final = 40
"""Of a knowledge base, for one text: for each sentence of a short text, for several together of a long one."""
SEARCHES_AT_ONCE: Final = 4
FOUND_EACH: Final = 12
NEAREST: Final = 2
"""Passages found that a sentence is checked against whether or not they share its words."""
MAX_SENTENCES: Final = 400
"""Different sentences of a text that are checked; later ones count as unsupported."""
AT_ONCE: Final = 40
"""Sentences that are checked before others may use the thread."""
MAX_COMPARED: Final = 100
"""Passages that are not cited and tell what others are on."""
ONE_OF_THREE: Final = "send exactly one of sources, documentIds and nicheKey"


@frozen
class GivenSource:
    """A source that comes with the request: plain text or Markdown."""

    text: str
    title: str = ""
    url: str | None = None


@frozen
class VerifyTextCommand:
    """Exactly one of `sources`, `document_ids` (private documents) and `niche_key` (a niche, by key or id, or an agent)
    is there. `caller`: None where only sources are. `language`: of the text; None: as detected."""

    text: str
    caller: Caller | None = None
    sources: tuple[GivenSource, ...] | None = None
    document_ids: tuple[DocumentId, ...] | None = None
    niche_key: str | None = None
    language: Language | None = None


@frozen
class VerifiedText:
    """`cited`: the passages that support a sentence, by the number that the receipt cites them with."""

    language: Language
    grounding: Grounding
    cited: Mapping[int, Passage]


@frozen
class _Material:
    """The passages that may support a text. `near`: passages that a search found for a sentence, best first."""

    passages: Mapping[SourceRef, Passage]
    near: Mapping[str, tuple[SourceRef, ...]]


@use_case
class VerifyText:
    """`chunk`: without entities, which nobody reads here. `entailment`, `meaning`: as generation has them."""

    unit_of_work: UnitOfWork
    retrieve: Retrieve
    chunk: ChunkDocument
    detector: LanguageDetector
    analysis: TextAnalysis
    renderer: ArticleRenderer
    clock: Clock
    entailment: EntailmentModel | None = None
    meaning: Meaning | None = None

    async def __call__(self, command: VerifyTextCommand) -> VerifiedText:
        """Check a text. Stores nothing and uses no quota. Raises InvalidInput, NotFound for a document or niche that
        the caller does not have, StaleIndex, Unavailable."""
        _check(command)
        language = command.language
        if language is None:
            language = await asyncio.to_thread(self.detector.detect, command.text)
        written = await asyncio.to_thread(self._read, command.text, language)
        if command.sources is not None:
            passages = await asyncio.to_thread(self._passages_of_sources, command.sources)
            material = _Material({passage.ref: passage for passage in passages}, {})
        else:
            material = await self._search_material(await self._view(command), written)
        verified = await self._verify(written, language, material)
        if not verified.grounding.sentences:
            raise InvalidInput.of("text", "holds no sentence to check")
        return verified

    async def _verify(self, written: WrittenText, language: Language, material: _Material) -> VerifiedText:
        found = await self._best_receipts(written, language, material)
        text, numbers = written.citing(found)
        receipts = {
            sentence.draft: found.get(
                sentence.draft.text,
                SentenceReceipt(sentence.draft.text, (), Verdict.UNSUPPORTED),
            )
            for sentence in text.sentences
        }
        cited = {number: material.passages[ref] for number, ref in numbers.items()}
        near = islice(material.passages.values(), MAX_COMPARED)
        compared = {passage.ref: passage for passage in (*cited.values(), *near)}
        context = await asyncio.to_thread(Context.of, written.title, compared.values())
        judged = await asyncio.to_thread(text.within, context, receipts)
        passages = {passage.ref: passage for passage in cited.values()}
        grounding = await asyncio.to_thread(text.grounding, judged, passages, self.analysis, language)
        return VerifiedText(language, grounding, cited)

    def _read(self, content: str, language: Language) -> WrittenText:
        return read_text(self.renderer.text_blocks(content), {}, language, self.analysis)

    async def _best_receipts(
        self, written: WrittenText, language: Language, material: _Material
    ) -> dict[str, SentenceReceipt]:
        """Return for each sentence the receipt of the single passage that supports it best, of those that share its
        words and those that a search found. Rules check all; models are asked about the best by rules and the nearest
        found."""
        verifier = Verifier(material.passages, self.analysis)
        candidates = await asyncio.to_thread(CandidatePassages, list(material.passages.values()), self.analysis)
        texts = list(dict.fromkeys(sentence.draft.text for sentence in written.sentences))[:MAX_SENTENCES]
        best: dict[str, SentenceReceipt] = {}
        for start in range(0, len(texts), AT_ONCE):
            some = texts[start : start + AT_ONCE]
            drafts = await asyncio.to_thread(_drafts, some, candidates, material)
            every = [draft for each in drafts.values() for draft in each]
            by_rules = await asyncio.to_thread(verifier.check_each, every, language)
            asked = [draft for text, each in drafts.items() for draft in _to_ask(text, each, by_rules, material)]
            receipts = {**by_rules, **await self._check_drafts(asked, verifier, language, by_rules)}
            for text, each in drafts.items():
                if each:
                    best[text] = max((receipts[draft] for draft in each), key=_degree)
        return best

    async def _check_drafts(
        self, drafts: Sequence[DraftSentence], verifier: Verifier, language: Language, by_rules: Receipts
    ) -> Receipts:
        try:
            return await check(drafts, verifier, language, self.entailment, by_rules, self.meaning)
        except NotConfigured:
            return by_rules

    def _passages_of_sources(self, sources: Sequence[GivenSource]) -> list[Passage]:
        passages: list[Passage] = []
        for number, source in enumerate(sources, start=1):
            document = KbDocument(
                id=DocumentId(f"source-{number}"),
                scope=KbScope(PRIVATE, None),
                source_key=f"source-{number}",
                title=source.title.strip(),
                language=self.detector.detect(source.text),
                origin=Origin.DOCUMENT,
                content_hash=sha256(source.text),
                created_at=self.clock.now(),
                url=source.url,
            )
            passages += self.chunk(document, source.text)
            if len(passages) > MAX_PASSAGES:
                raise InvalidInput.of("sources", f"more than {MAX_PASSAGES:,} passages: shorten them")
        if not passages:
            raise InvalidInput.of("sources", "hold no text to check against")
        return passages

    async def _view(self, command: VerifyTextCommand) -> KbView:
        assert command.caller is not None
        tenant_id = command.caller.tenant_id
        async with self.unit_of_work() as tx:
            if command.niche_key is not None:
                return (await context_of_key(tx, tenant_id, command.niche_key)).view
            named = tuple(dict.fromkeys(command.document_ids or ()))
            await check_documents(tx, tenant_id, named)
            return KbView(PRIVATE, tenant_id, document_ids=frozenset(named))

    async def _search_material(self, view: KbView, written: WrittenText) -> _Material:
        """Search for the text's sentences; several at once where there are many."""
        sentences = list(dict.fromkeys(sentence.draft.text for sentence in written.sentences))
        size = -(-len(sentences) // MAX_SEARCHES)
        groups = [sentences[start : start + size] for start in range(0, len(sentences), size)] if sentences else []
        slots = asyncio.Semaphore(SEARCHES_AT_ONCE)
        # A cross-encoder would order what the check looks at anyway.
        retrieve = evolve(self.retrieve, reranker=None)

        async def search(group: Sequence[str]) -> list[Passage]:
            async with slots:
                found = await retrieve.to_show(
                    view, " ".join(group), FOUND_EACH * len(group) if size > 1 else FOUND_EACH
                )
                return [ranked.passage for ranked in found.ranked]

        passages: dict[SourceRef, Passage] = {}
        near: dict[str, tuple[SourceRef, ...]] = {}
        for group, found in zip(groups, await run_concurrently(search(group) for group in groups), strict=True):
            passages |= {passage.ref: passage for passage in found}
            near |= {sentence: tuple(passage.ref for passage in found[:NEAREST]) for sentence in group}
        return _Material(passages, near)


def _drafts(
    texts: Sequence[str], candidates: CandidatePassages, material: _Material
) -> dict[str, tuple[DraftSentence, ...]]:
    """Return each sentence once for every passage that may support it."""
    return {
        text: tuple(
            DraftSentence(text, (ref,)) for ref in dict.fromkeys((*candidates.of(text), *material.near.get(text, ())))
        )
        for text in texts
    }


def _to_ask(text: str, drafts: Sequence[DraftSentence], by_rules: Receipts, material: _Material) -> list[DraftSentence]:
    nearest = material.near.get(text, ())[:1]
    best = max(drafts, key=lambda draft: _degree(by_rules[draft]), default=None)
    return [draft for draft in drafts if draft is best or draft.sources == nearest]


def _degree(found: SentenceReceipt) -> tuple[bool, float]:
    return found.verdict is Verdict.SUPPORTED, found.support.score if found.support else 0.0


def _check(command: VerifyTextCommand) -> None:
    """Raises InvalidInput with every fault."""
    faults = _faults("text", command.text, MAX_TEXT)
    if not command.text.strip():
        faults.append(FieldError("text", "must not be empty"))
    if sum(given is not None for given in (command.sources, command.document_ids, command.niche_key)) != 1:
        faults.append(FieldError("sources", ONE_OF_THREE))
    if command.sources is not None:
        if not 1 <= len(command.sources) <= MAX_SOURCES:
            faults.append(FieldError("sources", f"1 to {MAX_SOURCES}"))
        if sum(len(source.text) for source in command.sources) > MAX_SOURCE_CHARS:
            faults.append(FieldError("sources", f"at most {MAX_SOURCE_CHARS:,} characters together"))
        for n, source in enumerate(command.sources[:MAX_SOURCES]):
            faults += _faults(f"sources[{n}].text", source.text, MAX_SOURCE_CHARS)
            faults += _faults(f"sources[{n}].title", source.title, MAX_TITLE)
            faults += _faults(f"sources[{n}].url", source.url or "", MAX_SOURCE_URL)
    if command.document_ids is not None and not 1 <= len(command.document_ids) <= MAX_NAMED:
        faults.append(FieldError("documentIds", f"1 to {MAX_NAMED}"))
    if faults:
        raise InvalidInput(*faults)


def _faults(field: str, text: str, most: int) -> list[FieldError]:
    if len(text) > most:
        return [FieldError(field, f"at most {most:,} characters")]
    if not is_storable(text):
        return [FieldError(field, "must hold whole characters and no NUL")]
    return [FieldError(field, SIGNS_FAULT)] if too_many_signs(text) else []

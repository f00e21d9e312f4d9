"""POST /articles/{id}/patch: sentences whose sources changed say what these say now; nothing else changes."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Final

from attrs import evolve, frozen

from contentgen_core.errors import Conflict, FieldError, InvalidInput
from contentgen_core.model.article import Article, ArticleSource, ArticleStatus, Seo
from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.article_update import ArticleUpdate, FollowedOriginal, OriginalSentence
from contentgen_core.model.article_version import VersionCause
from contentgen_core.model.freshness import Freshness, SentenceState, StaleSentence, same_changes
from contentgen_core.model.ids import ArticleId
from contentgen_core.model.knowledge import PRIVATE, Passage, RankedPassage
from contentgen_core.model.publication import Publication
from contentgen_core.model.tenant import Caller, Role
from contentgen_core.model.text import TextAnalysis
from contentgen_core.policies.articles.following import outline, position_of
from contentgen_core.policies.articles.patching import Patch, patched
from contentgen_core.policies.articles.shown_sentence import LONGEST_RUN
from contentgen_core.policies.articles.written_text import read_text
from contentgen_core.policies.tenancy.access import require_role
from contentgen_core.policies.text import markdown
from contentgen_core.policies.text.verbatim import find_verbatim
from contentgen_core.ports.rendering import ArticleRenderer
from contentgen_core.ports.repositories.articles import Articles, Generations
from contentgen_core.ports.runtime import Clock
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork
from contentgen_core.use_cases.articles.check_text import CheckText
from contentgen_core.use_cases.articles.follow_original import FollowOriginal
from contentgen_core.use_cases.articles.freshness import CheckFreshness, ComparedArticle
from contentgen_core.use_cases.publishing.start import RequestPublication
from contentgen_core.use_cases.use_case import use_case
from contentgen_core.use_cases.versions.keep_versions import keep_version
from contentgen_core.use_cases.webhooks.events import record_new_text

MAX_PATCHES: Final = 500
MAX_SENTENCE: Final = 2_000

Chosen = Sequence[tuple[StaleSentence, str]]
"""Sentences with what to write instead; "": nothing."""
Settle = Callable[[Transaction, Sequence[Publication]], Awaitable[None]]
"""Stores a decision; gets the posts that follow it."""


class NothingToPatch(Conflict):
    """The article is being written, or has no receipt that says what its sentences rest on."""

    code = "nothing_to_patch"


class ArticleChanged(Conflict):
    """The article or its sources are not as they were when its sentences were looked at."""

    code = "article_changed"


@frozen
class AcceptedPatch:
    """A sentence to change, by its position in the receipt. `text`: what to write; None: what was proposed."""

    position: int
    text: str | None = None


@frozen
class Decision:
    """The decision that a patch carries out. `update`: what the freshness is to show still, with what was proposed;
    `settle`: called in the transaction that stores the patch; `automatic`: a policy decided."""

    update: ArticleUpdate
    settle: Settle
    automatic: bool = False


@frozen
class PatchedArticle:
    """`left`: what is still stale; `updating`: the posts that get the new text, each read back by its job;
    `translations`: their updates, each translated by its job."""

    left: Freshness
    updating: tuple[Publication, ...] = ()
    translations: tuple[ArticleUpdate, ...] = ()


@use_case
class PatchArticle:
    unit_of_work: UnitOfWork
    request_publication: RequestPublication
    follow: FollowOriginal
    freshness: CheckFreshness
    check_text: CheckText
    analysis: TextAnalysis
    renderer: ArticleRenderer
    clock: Clock

    async def __call__(
        self,
        caller: Caller,
        article_id: ArticleId,
        accepted: Sequence[AcceptedPatch],
        *,
        publish: bool = False,
        decision: Decision | None = None,
    ) -> PatchedArticle:
        """Change these sentences, and check them alone against what the sources say now. `publish`: update the posts
        that are out, too; else they change when the article is published again. Its translations follow, each by an
        update of its own.

        Raises InvalidInput for a sentence that is not stale, or has no proposal and no text, or cannot be found in the
        text; NotPermitted, NotFound, NothingToPatch, ArticleChanged, ConcurrentChange, NotConfigured, ApprovalRequired
        with `publish`."""
        require_role(caller, Role.EDITOR)
        compared = await self.freshness.compare(caller, article_id)
        article = compared.article
        if article.status is ArticleStatus.GENERATING or article.grounding is None:
            raise NothingToPatch("The article has no text yet whose sentences could be changed one by one.")
        if decision is not None:
            compared = _as_expected(compared, decision.update.changes)
        chosen = chosen_sentences(compared.freshness.stale, accepted)
        sources = _sources(article, chosen, compared.passages)
        patches = self._patches(compared, chosen, sources)
        order = sorted(range(len(chosen)), key=lambda n: -chosen[n][0].position)
        content = await asyncio.to_thread(_content, article, patches, order)
        cited = {int(number) for number in markdown.CITATION.findall(content)}
        changed = evolve(
            patch_summary(article, chosen), content=content, sources=tuple(s for s in sources if s.number in cited)
        )
        copies = _copies(compared, chosen)
        positions = {stale.position for stale, _ in chosen}
        kept = tuple(s for n, s in enumerate(article.grounding.sentences) if n not in positions)
        former = evolve(article.grounding, sentences=kept)
        checked = await self.check_text(changed, content, former, {copy.ref: copy.passage for copy in copies})
        plain = await asyncio.to_thread(self.renderer.plain_text, content)
        changed = evolve(
            changed,
            grounding=checked.grounding,
            voice_deviations=checked.voice_deviations,
            word_count=len(self.analysis.tokens(plain, article.brief.language)),
            updated_at=self.clock.now(),
        )
        change = await asyncio.to_thread(self._change, article, patches, sources)
        change = _set_decision(change, caller, decision, publish=publish)
        async with self.unit_of_work() as tx:
            cause = VersionCause.PATCHED if decision is None else VersionCause.UPDATED
            await keep_version(tx, changed, cause, caller.user_id or None, former=article)
            changed = await tx[Articles].save(changed)
            await record_new_text(tx, article, changed, changed.updated_at)
            await tx[Generations].save_sources(article.id, copies)
            updating = await self.request_publication.update_posts(tx, changed) if publish else ()
            translations = await self.follow(tx, caller.tenant_id, change)
            if decision is not None:
                await decision.settle(tx, updating)
        left = await self.freshness(caller, article_id)
        if not left.stale:
            async with self.unit_of_work() as tx:
                await tx[Articles].mark_fresh(caller.tenant_id, article_id, left.checked_at)
        return PatchedArticle(left, updating, translations)

    def _patches(self, compared: ComparedArticle, chosen: Chosen, sources: Sequence[ArticleSource]) -> list[Patch]:
        """Return the patches in the order of `chosen`."""
        language, grounding = compared.article.brief.language, compared.article.grounding
        numbers = {SourceRef(s.parent_id, s.chunk_index): s.number for s in sources}
        said = [sentence.text for sentence in grounding.sentences] if grounding else []
        patches: list[Patch] = []
        for stale, text in chosen:
            passage = None if stale.source is None else compared.passages[stale.source]
            verbatim = passage is not None and bool(text) and find_verbatim(text, passage.text) is not None
            patch = Patch(
                stale.text,
                text,
                0 if stale.source is None else numbers.get(stale.source, 0),
                verbatim=verbatim,
                quotation=verbatim and len(self.analysis.tokens(text, language)) > LONGEST_RUN,
                occurrence=said[: stale.position].count(stale.text),
            )
            patches.append(patch)
        return patches

    def _change(self, article: Article, patches: Sequence[Patch], sources: Sequence[ArticleSource]) -> FollowedOriginal:
        """Return the change that translations have to follow."""
        language = article.brief.language
        text = read_text(self.renderer.text_blocks(article.content), {}, language, self.analysis)
        by_number = {source.number: source for source in sources}
        described = (article.excerpt or "", (article.seo.meta_description if article.seo else None) or "")
        sentences = [
            OriginalSentence(
                position=position,
                text=patch.text,
                new=patch.new,
                source=by_number.get(patch.number) if patch.new else None,
                verbatim=patch.verbatim,
                quotation=patch.quotation,
                summarised=any(find_verbatim(patch.text, one) for one in described),
            )
            for patch in patches
            if (position := position_of(patch.text, patch.occurrence, text)) is not None and patch.new != patch.text
        ]
        return FollowedOriginal(article.id, language, language, outline(text), tuple(sentences))


def _content(article: Article, patches: Sequence[Patch], order: Sequence[int]) -> str:
    """The text with these sentences changed. `order`: the last first, so that of a sentence that stands twice the first
    stays the first. Raises InvalidInput."""
    content = article.content
    faults: list[FieldError] = []
    for n in order:
        found = patched(content, patches[n], article.brief.language)
        if found is None:
            faults.append(FieldError(f"sentences[{n}]", "does not stand in the text as it was"))
        else:
            content = found
    if faults:
        raise InvalidInput(*faults)
    return content


def _set_decision(
    change: FollowedOriginal, caller: Caller, decision: Decision | None, *, publish: bool
) -> FollowedOriginal:
    automatic = decision is not None and decision.automatic
    return evolve(
        change,
        update_id=decision.update.id if decision else None,
        applies=publish or automatic,
        publish=publish,
        decided_by=None if automatic else caller.user_id,
    )


def _as_expected(compared: ComparedArticle, expected: Sequence[StaleSentence]) -> ComparedArticle:
    """Return the comparison with the proposals that the caller saw. Raises ArticleChanged."""
    if not same_changes(compared.freshness.stale, expected):
        raise ArticleChanged("The article or its sources changed since.")
    return evolve(compared, freshness=evolve(compared.freshness, stale=tuple(expected)))


def chosen_sentences(
    changes: Sequence[StaleSentence], accepted: Sequence[AcceptedPatch]
) -> list[tuple[StaleSentence, str]]:
    """Return the accepted sentences with their new texts. Raises InvalidInput."""
    stale = {sentence.position: sentence for sentence in changes}
    chosen: list[tuple[StaleSentence, str]] = []
    faults: list[FieldError] = []
    if not 1 <= len(accepted) <= MAX_PATCHES:
        faults.append(FieldError("sentences", f"1 to {MAX_PATCHES}"))
    if len({patch.position for patch in accepted}) < len(accepted):
        faults.append(FieldError("sentences", "each position once"))
    for n, patch in enumerate(accepted[:MAX_PATCHES]):
        sentence = stale.get(patch.position)
        text = patch.text if patch.text is not None else sentence.proposal if sentence else None
        if sentence is None:
            faults.append(FieldError(f"sentences[{n}].position", "this sentence's source says what it said"))
        elif text is None:
            faults.append(FieldError(f"sentences[{n}].text", "nothing is proposed for it: write what it is to say"))
        elif len(text) > MAX_SENTENCE:
            faults.append(FieldError(f"sentences[{n}].text", f"at most {MAX_SENTENCE} characters"))
        elif text.strip() and sentence.state is SentenceState.GONE:
            faults.append(FieldError(f"sentences[{n}].text", "no source says anything of it: it can only be left out"))
        else:
            chosen.append((sentence, text.strip()))
    if faults:
        raise InvalidInput(*faults)
    return chosen


def _sources(article: Article, chosen: Chosen, passages: Mapping[SourceRef, Passage]) -> list[ArticleSource]:
    """The article's sources with the words that these sentences rest on now; passages that were none get numbers."""
    found = {SourceRef(s.parent_id, s.chunk_index): _without_contradicted(s, chosen) for s in article.sources}
    for stale, text in chosen:
        if not text or stale.source is None or stale.now is None:
            continue
        passage, former = passages[stale.source], found.get(stale.source)
        quotes = tuple(q for q in former.quotes if find_verbatim(q, passage.text)) if former else ()
        found[stale.source] = ArticleSource(
            number=former.number if former else max((s.number for s in found.values()), default=0) + 1,
            title=passage.document.title,
            parent_id=passage.document.id,
            chunk_index=stale.source.chunk_index,
            url=passage.document.url,
            published=passage.document.published,
            quotes=tuple(dict.fromkeys((*quotes, " ".join(stale.now.split())))),
            private=passage.document.scope.niche_key == PRIVATE,
            author=passage.document.author,
        )
    return list(found.values())


def _without_contradicted(source: ArticleSource, chosen: Chosen) -> ArticleSource:
    """The source without the words that these sentences rest on no longer, although it still has them."""
    left = [s.was for s, _ in chosen if s.contradiction is not None and s.number == source.number]
    kept = (
        quote
        for quote in source.quotes
        if all(find_verbatim(quote, was) is None and find_verbatim(was, quote) is None for was in left)
    )
    return evolve(source, quotes=tuple(kept)) if left else source


def _copies(compared: ComparedArticle, chosen: Chosen) -> list[RankedPassage]:
    """Return the article's sources: the passages that it was written from, and those that support these sentences
    now."""
    former = {copy.ref: copy for copy in compared.copies}
    used = {stale.source for stale, text in chosen if text and stale.source is not None}
    for ref in sorted(used, key=str):
        passage = compared.passages[ref]
        former[ref] = evolve(former[ref], passage=passage) if ref in former else RankedPassage(passage, 1.0, 1.0, 1.0)
    return list(former.values())


def patch_summary(article: Article, chosen: Chosen) -> Article:
    """Return the article with the sentences replaced in its excerpt and meta description, too."""
    excerpt, seo = article.excerpt, article.seo
    for stale, text in chosen:
        if excerpt:
            excerpt = _replace_sentence(excerpt, stale.text, text) or None
        if seo is not None and seo.meta_description:
            seo = Seo(seo.meta_title, _replace_sentence(seo.meta_description, stale.text, text) or None)
    return evolve(article, excerpt=excerpt, seo=seo)


def _replace_sentence(text: str, sentence: str, new: str) -> str:
    span = find_verbatim(sentence, text)
    if span is None:
        return text
    body, _ = markdown.split_final(new)
    after = text[span.end :]
    return f"{text[: span.start]}{body}{after if body else after.lstrip('.!?… ')}".strip()

"""Items that a source lists under another name: their documents stay the same ones."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from typing import Final

from attrs import define, evolve, field, frozen

from contentgen_core.model.job import Job
from contentgen_core.model.synced_source import SyncedItem, SyncedSource
from contentgen_core.policies.text.moved_texts import FormerTexts, TextProfile
from contentgen_core.ports.documents import SourceText
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.ports.repositories.synced_sources import SyncedSources
from contentgen_core.ports.source_reading import OpenSource
from contentgen_core.ports.unit_of_work import Transaction
from contentgen_core.use_cases.jobs import AttemptRunner
from contentgen_core.use_cases.knowledge.import_sources import ImportSources, content_hash
from contentgen_core.use_cases.use_case import use_case

LOOKED_UP: Final = 500
MOST_COMPARED: Final = 1_000
"""Documents without a name that new texts are compared with, those that were listed last."""
MOST_OF_FEED: Final = 200
"""The same of a feed, of which nearly all former entries are listed no more."""
OTHERS: Final = 20
"""Documents with a name that show what pages of this source have in common."""
READ_AT_ONCE: Final = 100


@define
class Unlisted:
    """Items with a document that the source does not list any more, by key. An item leaves it once it is found under
    another key. `new`: listed keys that have no document; `others`: items with a document that are still listed;
    `texts`: what all their documents say, once that was needed; `left`: how many were not asked yet where they are,
    None before the first was."""

    items: dict[str, SyncedItem] = field(factory=dict)
    new: Collection[str] = ()
    others: list[SyncedItem] = field(factory=list)
    texts: FormerTexts | None = None
    left: int | None = None


@frozen
class Recognised:
    """`moved`: by new key the item, and whether it says what it said under its former key; `undecided`: keys that may
    be one of those that were not asked yet; `asked`: how many were."""

    moved: dict[str, tuple[SyncedItem, bool]] = field(factory=dict)
    undecided: frozenset[str] = frozenset()
    asked: int = 0


@use_case
class FollowMoves:
    """Recognises an item under its new key by its text, by the redirect at its former one, or by what an edit left of
    its text."""

    runner: AttemptRunner
    import_sources: ImportSources

    async def unlisted(self, job: Job, source: SyncedSource, listed: Collection[str], new: Collection[str]) -> Unlisted:
        """Return the items with a document that are not among those listed. `new`: listed keys without a document."""
        found, after = Unlisted(new=new), None
        while True:
            async with self.runner.fenced(job) as tx:
                known = await tx[SyncedSources].page_items(source.id, None, after, LOOKED_UP)
            for item in known:
                if item.document_id is not None and item.key not in listed:
                    found.items[item.key] = item
                elif item.document_id is not None and len(found.others) < OTHERS:
                    found.others.append(item)
            if len(known) < LOOKED_UP:
                return found
            after = known[-1].key

    async def recognise(
        self,
        job: Job,
        source: SyncedSource,
        opened: OpenSource,
        unlisted: Unlisted,
        texts: Mapping[str, SourceText],
        most: int,
        until: datetime,
    ) -> Recognised:
        """Give the documents of items that are not listed any more to those of these new keys that are theirs.

        `texts`: what was read under the new keys; `most`: items that may be asked where they are,
        and `until` when."""
        if not unlisted.items or not texts:
            return Recognised()
        profiles = {key: await asyncio.to_thread(self._profile, text) for key, text in texts.items()}
        known = await self._former_texts(job, source, unlisted)
        hashes = {item.content_hash: key for key, item in unlisted.items.items()}
        names: dict[str, str] = {}
        for key, text in texts.items():
            former = hashes.pop(content_hash(text), None)
            if former is not None:
                names[key] = former
        await self._name(known.same, profiles, unlisted, names)
        rest = profiles.keys() - names.keys()
        asked = 0
        if rest and source.kind.lists_all:
            asked = await self._ask(job, source, opened, unlisted, names, most, until)
            if unlisted.left:
                taken = await self._assign_documents(job, source, unlisted, names, profiles)
                return evolve(taken, asked=asked, undecided=frozenset(rest - names.keys()))
            await self._name(known.edited, profiles, unlisted, names)
        return evolve(await self._assign_documents(job, source, unlisted, names, profiles), asked=asked)

    async def _name(
        self,
        name_of: Callable[[TextProfile, Collection[str]], str | None],
        profiles: Mapping[str, TextProfile],
        unlisted: Unlisted,
        names: dict[str, str],
    ) -> None:
        """Add the former keys of those that have none yet."""
        for key, profile in profiles.items():
            if key not in names:
                free = unlisted.items.keys() - names.values()
                former = await asyncio.to_thread(name_of, profile, free)
                if former is not None:
                    names[key] = former

    async def _ask(
        self,
        job: Job,
        source: SyncedSource,
        opened: OpenSource,
        unlisted: Unlisted,
        names: dict[str, str],
        most: int,
        until: datetime,
    ) -> int:
        """Ask where items are that are not listed any more, once a sync, and add the answers to `names`. Returns how
        many were asked."""
        if unlisted.left is not None:
            return 0
        assert source.started_at is not None
        round_at = source.round_at or source.started_at
        free = [item for key, item in unlisted.items.items() if key not in names.values()]
        waiting = [i for i in free if i.read_at is None or i.read_at < round_at or not i.was_gone]
        moved: dict[str, list[str]] = defaultdict(list)
        asked: list[SyncedItem] = []
        for item in waiting[:most]:
            if self.runner.clock.now() >= until:
                break
            asked.append(item)
            target = await opened.moved_to(item.key)
            if target is not None and target in unlisted.new and target not in names:
                moved[target].append(item.key)
        names |= {target: keys[0] for target, keys in moved.items() if len(keys) == 1}
        unlisted.left = len(waiting) - len(asked)
        if unlisted.left:  # the next sync of this round asks these, and not the same again
            rows = [evolve(i, read_at=source.started_at) for i in asked if i.key not in names.values()]
            async with self.runner.fenced(job) as tx:
                await tx[SyncedSources].save_items(rows)
        return len(asked)

    async def _assign_documents(
        self,
        job: Job,
        source: SyncedSource,
        unlisted: Unlisted,
        names: Mapping[str, str],
        profiles: Mapping[str, TextProfile],
    ) -> Recognised:
        """Give the documents to their new keys, also to those that are not read yet."""
        known = unlisted.texts.known if unlisted.texts else {}
        found: dict[str, tuple[SyncedItem, bool]] = {}
        async with self.runner.fenced(job) as tx:
            for key, former in names.items():
                is_same = key in profiles and known.get(former) == profiles[key]
                found[key] = await self._take(tx, source, unlisted, unlisted.items[former], key), is_same
        return Recognised({key: one for key, one in found.items() if key in profiles})

    async def is_same(self, text: SourceText, title: str, former: str) -> bool:
        """Whether a text equals the former one except for its layout. `former`: of the stored passages."""
        return await asyncio.to_thread(lambda: self._profile(text) == TextProfile.of(title, former))

    async def _former_texts(self, job: Job, source: SyncedSource, unlisted: Unlisted) -> FormerTexts:
        if unlisted.texts is None:
            most = MOST_COMPARED if source.kind.lists_all else MOST_OF_FEED
            newest = sorted(unlisted.items.values(), key=lambda item: item.seen_at, reverse=True)[:most]
            known = await self._profiles(job, newest)
            others = await self._profiles(job, unlisted.others)
            unlisted.texts = await asyncio.to_thread(FormerTexts, known, list(others.values()))
        return unlisted.texts

    async def _profiles(self, job: Job, items: Sequence[SyncedItem]) -> dict[str, TextProfile]:
        """Return the profiles of these items' documents, by key; deleted ones are left out."""
        found: dict[str, TextProfile] = {}
        for start in range(0, len(items), READ_AT_ONCE):
            keys = {i.document_id: i.key for i in items[start : start + READ_AT_ONCE] if i.document_id is not None}
            async with self.runner.fenced(job) as tx:
                passages = await tx[Knowledge].passages_of(list(keys))
            texts: dict[str, list[str]] = defaultdict(list)
            titles: dict[str, str] = {}
            for passage in passages:
                key = keys[passage.document.id]
                titles[key] = passage.document.title
                texts[key].append(passage.text)
            for key, parts in texts.items():
                found[key] = await asyncio.to_thread(TextProfile.of, titles[key], "\n".join(parts))
        return found

    def _profile(self, text: SourceText) -> TextProfile:
        """Return the profile of a text as it would be stored."""
        language = text.language or self.import_sources.detector.detect(text.text)
        chunks = self.import_sources.chunk.chunker.chunks(text.text, language)
        return TextProfile.of(text.title, "\n".join(chunk.text for chunk in chunks))

    async def _take(
        self, tx: Transaction, source: SyncedSource, unlisted: Unlisted, item: SyncedItem, key: str
    ) -> SyncedItem:
        """Give the document of an item to a new key."""
        assert item.document_id is not None
        await tx[Knowledge].rekey(item.document_id, source.source_key(key))
        moved = evolve(item, key=key, fingerprint=None, version=None, missing_since=None, skipped=None, read_at=None)
        await tx[SyncedSources].drop_items(source.id, [item.key])
        await tx[SyncedSources].save_items([moved])
        del unlisted.items[item.key]
        return moved

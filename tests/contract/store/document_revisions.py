"""Documents of the knowledge base that get another title, another text or another source key, and keep their id."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from attrs import evolve

from contentgen_core.errors import AlreadyExists
from contentgen_core.model.ids import DocumentId
from contentgen_core.model.knowledge import DocumentHistory, DocumentVersion, KbDocument, KbView
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.repositories.knowledge import MAX_DOCUMENT_VERSIONS, MAX_VERSIONS, Knowledge
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from tests.contract.store.given import given
from tests.contract.store.knowledge import NICHE, PLATFORM, document, remove


def revision(of: KbDocument, days: int = 1, **changes: Any) -> KbDocument:
    return evolve(of, revised_at=MOMENT + timedelta(days=days), **changes)


class DocumentRevisionsContract:
    async def test_a_document_gets_another_title_with_the_head_terms_of_its_passages(
        self, unit_of_work: UnitOfWork
    ) -> None:
        (former, passages), other = document(passages=2), document()
        await given(unit_of_work, (former, passages), other)
        present = evolve(former, title="Pumps of today")
        retitled = [evolve(passage, document=present, head_terms=("pump", "today")) for passage in passages]
        async with unit_of_work() as tx:
            await tx[Knowledge].retitle(present, retitled)
        async with unit_of_work() as tx:
            assert await tx[Knowledge].passages_of([former.id]) == retitled
            assert await tx[Knowledge].passages_of([other[0].id]) == other[1]
            assert await tx[Knowledge].known(PLATFORM, [former.source_key]) == {former.source_key: present}
            asked = [former.id, other[0].id, former.id, DocumentId(builders.new_id())]
            assert await tx[Knowledge].titles(asked) == {former.id: "Pumps of today", other[0].id: other[0].title}
            assert await tx[Knowledge].titles([]) == {}

    async def test_only_the_title_changes_of_what_a_document_says(self, unit_of_work: UnitOfWork) -> None:
        stored, passages = document(passages=1)
        await given(unit_of_work, (stored, passages))
        present = evolve(stored, title="Another", url="https://elsewhere.example.org/", source_key="another")
        async with unit_of_work() as tx:
            await tx[Knowledge].retitle(present, [evolve(passages[0], text="Other words", terms=("other",))])
        async with unit_of_work() as tx:
            [passage] = await tx[Knowledge].passages_of([stored.id])
        assert passage == evolve(passages[0], document=evolve(stored, title="Another"))

    async def test_a_removed_document_keeps_no_title_and_gets_none(self, unit_of_work: UnitOfWork) -> None:
        gone = document()
        await given(unit_of_work, gone)
        await remove(unit_of_work, gone)
        async with unit_of_work() as tx:
            await tx[Knowledge].retitle(*gone)
            assert await tx[Knowledge].titles([gone[0].id]) == {}
            assert await tx[Knowledge].passages_of([gone[0].id]) == []

    async def test_a_revised_document_keeps_its_id_and_says_what_it_says_now(self, unit_of_work: UnitOfWork) -> None:
        (former, passages), other = document(passages=3, source_key="a"), document()
        await given(unit_of_work, (former, passages), other)
        told: dict[str, Any] = {"title": "Today", "published": MOMENT.date(), "author": "Ada Ohm"}
        present = revision(former, language=Language.FR, content_hash=builders.sha256("new"), **told)
        texts = [
            evolve(passages[2], document=present, place=0),
            builders.passage(present, "Quite new", chunk_index=3, place=1, terms=("new",)),
            evolve(passages[0], document=present, text="Changed", content_hash=builders.sha256("Changed"), place=2),
        ]
        async with unit_of_work() as tx:
            await tx[Knowledge].replace([(present, texts)])
        async with unit_of_work() as tx:
            assert await tx[Knowledge].passages_of([former.id]) == texts
            assert await tx[Knowledge].known(PLATFORM, ["a"]) == {"a": present}
            assert await tx[Knowledge].known_content(PLATFORM, [former.content_hash, present.content_hash]) == {
                present.content_hash
            }
            assert await tx[Knowledge].passages_of([other[0].id]) == other[1]
            assert await tx[Knowledge].passages(KbView(NICHE), [passages[1].ref]) == {}

    async def test_what_a_document_said_before_is_kept_newest_first(self, unit_of_work: UnitOfWork) -> None:
        former, passages = document(passages=3)
        await given(unit_of_work, (former, passages))
        second, third = revision(former, days=1), revision(former, days=2)
        async with unit_of_work() as tx:
            changed = evolve(passages[0], document=second, text="B", content_hash=builders.sha256("B"))
            await tx[Knowledge].replace([(second, [changed, evolve(passages[2], document=second, place=1)])])
        async with unit_of_work() as tx:
            await tx[Knowledge].replace([(third, [evolve(passages[2], document=third)])])
        async with unit_of_work() as tx:
            said = [
                (v.chunk_index, v.text, v.replaced_at) for v in (await tx[Knowledge].versions([former.id]))[former.id]
            ]
            assert said == [
                (0, "B", third.revised_at),
                (0, passages[0].text, second.revised_at),
                (1, passages[1].text, second.revised_at),
            ]
        await remove(unit_of_work, (former, passages))
        async with unit_of_work() as tx:
            assert await tx[Knowledge].versions([former.id]) == {}

    async def test_the_versions_of_a_document_name_their_passages(self, unit_of_work: UnitOfWork) -> None:
        former, passages = document(passages=3)
        await given(unit_of_work, (former, passages))
        async with unit_of_work() as tx:
            assert await tx[Knowledge].history(former.id) == DocumentHistory(former)
            assert await tx[Knowledge].history(DocumentId(builders.new_id())) is None
        second, third = revision(former, days=1, title="Second"), revision(former, days=2)
        moved = [evolve(passages[2], document=second, place=0), evolve(passages[0], document=second, place=1)]
        async with unit_of_work() as tx:
            await tx[Knowledge].replace([(second, moved)])
        async with unit_of_work() as tx:
            await tx[Knowledge].replace([(third, [])])
        assert second.revised_at is not None
        assert third.revised_at is not None
        versions = (
            DocumentVersion(second.revised_at, third.revised_at, "Second", (2, 0)),
            DocumentVersion(former.created_at, second.revised_at, former.title, (0, 1, 2)),
        )
        async with unit_of_work() as tx:
            assert await tx[Knowledge].history(former.id) == DocumentHistory(third, versions)
        await remove(unit_of_work, (former, passages))
        async with unit_of_work() as tx:
            assert await tx[Knowledge].history(former.id) is None

    async def test_versions_of_a_document_are_bounded(self, unit_of_work: UnitOfWork) -> None:
        former, passages = document(passages=1)
        await given(unit_of_work, (former, passages))
        for day in range(1, MAX_DOCUMENT_VERSIONS + 3):
            present = revision(former, days=day)
            async with unit_of_work() as tx:
                await tx[Knowledge].replace([(present, [evolve(passages[0], document=present)])])
        async with unit_of_work() as tx:
            history = await tx[Knowledge].history(former.id)
        assert history is not None
        assert len(history.former) == MAX_DOCUMENT_VERSIONS
        assert history.kept_since == MOMENT + timedelta(days=2)

    async def test_a_document_gets_another_source_key(self, unit_of_work: UnitOfWork) -> None:
        (moved, passages), other, gone = document(source_key="a"), document(source_key="b"), document(source_key="c")
        await given(unit_of_work, (moved, passages), other, gone)
        await remove(unit_of_work, gone)
        async with unit_of_work() as tx:
            await tx[Knowledge].rekey(moved.id, "z")
            await tx[Knowledge].rekey(other[0].id, "b")
            await tx[Knowledge].rekey(gone[0].id, "y")
            await tx[Knowledge].rekey(DocumentId(builders.new_id()), "x")
        rekeyed = evolve(moved, source_key="z")
        async with unit_of_work() as tx:
            assert await tx[Knowledge].known(PLATFORM, list("abcxyz")) == {"z": rekeyed, "b": other[0]}
            assert await tx[Knowledge].passages_of([moved.id]) == [evolve(p, document=rekeyed) for p in passages]
        with pytest.raises(AlreadyExists):
            async with unit_of_work() as tx:
                await tx[Knowledge].rekey(moved.id, "b")
        await given(unit_of_work, document(source_key="a"))

    async def test_versions_are_bounded(self, unit_of_work: UnitOfWork) -> None:
        former, passages = document(passages=MAX_VERSIONS // 2 + 1)
        await given(unit_of_work, (former, passages))
        for day in (1, 2):
            present = revision(former, days=day)
            texts = [
                evolve(p, document=present, text=f"{day}", content_hash=builders.sha256(f"{day}")) for p in passages
            ]
            async with unit_of_work() as tx:
                await tx[Knowledge].replace([(present, texts)])
        async with unit_of_work() as tx:
            versions = (await tx[Knowledge].versions([former.id]))[former.id]
            history = await tx[Knowledge].history(former.id)
        assert [v.text for v in versions[: len(passages)]] == ["1"] * len(passages)
        assert len(versions) == MAX_VERSIONS
        assert history is not None
        # Of the first one a part is gone.
        assert [version.since for version in history.former] == [MOMENT + timedelta(days=1)]

    async def test_an_index_that_was_used_is_not_unused_again(self, unit_of_work: UnitOfWork) -> None:
        former, passages = document(passages=3)
        empty = document(passages=0)
        await given(unit_of_work, (former, passages), empty)
        asked = [former.id, empty[0].id, DocumentId(builders.new_id())]

        async def unused() -> dict[DocumentId, int]:
            async with unit_of_work() as tx:
                return await tx[Knowledge].unused_chunk_indexes(asked)

        assert await unused() == {former.id: 3, empty[0].id: 0}
        present = revision(former)
        for texts in ([evolve(passages[0], document=present)], []):
            async with unit_of_work() as tx:
                await tx[Knowledge].replace([(present, texts)])
            assert await unused() == {former.id: 3, empty[0].id: 0}
        await remove(unit_of_work, (former, passages))
        assert await unused() == {empty[0].id: 0}

    async def test_a_removed_document_is_not_revised(self, unit_of_work: UnitOfWork) -> None:
        (gone, passages), kept = document(), document()
        await given(unit_of_work, (gone, passages), kept)
        await remove(unit_of_work, (gone, passages))
        async with unit_of_work() as tx:
            await tx[Knowledge].replace([])
            await tx[Knowledge].replace([(revision(gone), passages), (revision(kept[0]), kept[1])])
            assert await tx[Knowledge].passages_of([gone.id]) == []
            assert await tx[Knowledge].versions([gone.id]) == {}
            assert len(await tx[Knowledge].passages_of([kept[0].id])) == 1

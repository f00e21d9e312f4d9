"""Changes of documents, and renames while they are processed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from contentgen_core.errors import (
    InvalidInput,
)
from contentgen_core.model.document import PrivateDocument
from contentgen_core.model.knowledge import PRIVATE, KbView, Passage
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.documents import SourceText
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.use_cases.documents.edit import DocumentChanges
from tests.support.house import House, open_house
from tests.unit.test_documents import one, ready, titles_found, uploaded


async def test_metadata_can_be_edited() -> None:
    async with open_house() as house:
        [document] = await ready(house)
        changes = DocumentChanges(title="  New \n title ", description="About boilers", tags=("a", "a", " b "))
        edited = await house.services.knowledge.documents.edit(house.caller, document.id, changes)
        assert (edited.title, edited.description, edited.tags) == ("New title", "About boilers", ("a", "b"))
        cleared = await house.services.knowledge.documents.edit(
            house.caller, document.id, DocumentChanges(description=None)
        )
        assert (cleared.title, cleared.description) == ("New title", None)
        for wrong in ({"title": " "}, {"title": "x" * 301}, {"tags": ("x",) * 21}, {"tags": ("",)},
                      {"description": "x" * 2001}):  # fmt: skip
            with pytest.raises(InvalidInput):
                await house.services.knowledge.documents.edit(house.caller, document.id, DocumentChanges(**wrong))  # type: ignore[arg-type]


async def test_a_renamed_document_is_found_by_its_new_title_and_no_longer_by_the_old() -> None:
    async with open_house() as house:
        text = b"The boiler is serviced every spring by a certified engineer."
        document = await uploaded(house, text, title="Almanac")
        await house.work()
        assert await by_words(house, "almanac") == {document.id}
        await renamed(house, document, "Handbook")
        assert await by_words(house, "almanac") == set()
        assert await by_words(house, "handbook") == {document.id}
        assert "Handbook" in await titles_found(house, "handbook")


async def test_a_rename_while_the_passages_are_indexed_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    async with open_house() as house:
        document, index = await uploaded(house), house.services.ports.index
        store = index.upsert

        async def rename_and_store(passages: Sequence[Passage]) -> None:
            await store(passages)
            monkeypatch.undo()  # once
            await renamed(house, document, "Handbook")

        monkeypatch.setattr(index, "upsert", rename_and_store)
        await house.work()
        assert (await one(house, document)).title == "Handbook"
        assert (await titles_found(house, "Zirkon boiler flow temperature"))[0] == "Handbook"


async def test_a_rename_while_the_original_is_read_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    async with open_house() as house:
        document, uploads = await uploaded(house), house.services.ports.uploads
        read = uploads.read

        async def rename_and_read(*arguments: Any) -> SourceText:
            await renamed(house, document, "Handbook")
            return await read(*arguments)

        monkeypatch.setattr(uploads, "read", rename_and_read)
        await house.work()
        assert (await one(house, document)).title == "Handbook"
        assert (await titles_found(house, "Zirkon boiler flow temperature"))[0] == "Handbook"


async def test_other_changes_leave_the_knowledge_base_alone() -> None:
    async with open_house() as house:
        [document] = await ready(house)
        await house.services.knowledge.apply_index_changes.drain("w1")
        await renamed(house, document, document.title, tags=("spring",))
        async with house.services.ports.unit_of_work() as tx:
            assert await tx[Knowledge].pending_changes() == 0


async def renamed(house: House, document: PrivateDocument, title: str, **more: Any) -> None:
    changes = DocumentChanges(title=title, **more)
    await house.services.knowledge.documents.edit(house.caller, document.id, changes)


async def by_words(house: House, word: str) -> set[str]:
    """The private documents that the index finds by this word."""
    view = KbView(PRIVATE, house.caller.tenant_id)
    terms = {Language.EN: house.services.ports.analysis.terms(word, Language.EN)}
    return {hit.ref.document_id for hit in await house.services.ports.index.search(view, terms, None, 10)}

"""Versions: each change of an article's text is kept, compared and restored."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from contentgen_adapters.memory.publishing import TOKEN
from contentgen_core.errors import NotFound, NotPermitted
from contentgen_core.model.approval import ApprovalState
from contentgen_core.model.article import Article, ArticleStatus
from contentgen_core.model.article_version import KEPT_VERSIONS, ArticleVersion, VersionCause
from contentgen_core.model.ids import ArticleId
from contentgen_core.model.publication import PostRequest
from contentgen_core.model.tenant import Role
from contentgen_core.policies.articles.text_changes import MAX_COMPARED, apply_changes, text_changes
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.testing import builders
from contentgen_core.use_cases.articles.edit import EditArticleCommand
from contentgen_core.use_cases.articles.patch import AcceptedPatch
from contentgen_core.use_cases.integrations.manage_integrations import NewIntegration
from contentgen_core.use_cases.publishing.start import PublishCommand
from contentgen_core.use_cases.versions import keep_versions
from contentgen_core.use_cases.versions.read_versions import ComparedVersions
from tests.support.changing_sources import GRANT, changed, written
from tests.support.house import NICHE, House, open_house

_lines = st.lists(st.sampled_from("abcdefgh"), max_size=12)


@given(_lines, _lines)
def test_the_changes_lead_from_the_one_text_to_the_other(before: list[str], after: list[str]) -> None:
    changes = text_changes(before, after)
    assert apply_changes(before, changes) == after
    assert (changes == ()) == (before == after)
    for change in changes:
        assert tuple(before[change.position : change.position + len(change.before)]) == change.before


def test_texts_that_differ_in_too_much_are_one_change() -> None:
    before = [f"old {n}" for n in range(MAX_COMPARED + 1)]
    after = [line if n % 2 else f"new {n}" for n, line in enumerate(before)]
    assert len(text_changes(["first", *before], ["first", *after])) == 1
    assert apply_changes(before, text_changes(before, after)) == after


async def versions(house: House, article_id: ArticleId) -> list[ArticleVersion]:
    """Oldest first."""
    return (await house.services.writing.versions.page(house.caller, article_id, None, 100))[::-1]


async def edited(house: House, article_id: ArticleId, **changes: Any) -> Article:
    return await house.services.writing.edit(EditArticleCommand(house.caller, article_id, **changes))


async def compared(house: House, article_id: ArticleId, number: int, other: int) -> ComparedVersions:
    return await house.services.writing.versions.compared(house.caller, article_id, number, other)


async def test_each_change_of_the_text_is_kept_with_who_and_why() -> None:
    async with open_house() as house:
        article = await written(house)
        [first] = await versions(house, article.id)
        assert (first.number, first.cause, first.by) == (1, VersionCause.GENERATED, article.created_by)
        assert first.text_hash == article.text_hash
        house.clock.advance(hours=1)
        await edited(house, article.id, scheduled_for=house.clock.now() + timedelta(days=9))
        assert await versions(house, article.id) == [first]
        title = await edited(house, article.id, title="Another title")
        await changed(house, 1, GRANT.replace("4,000", "2,500"))
        [stale] = (await house.services.writing.freshness(house.caller, article.id)).stale
        await house.services.writing.patch(house.caller, article.id, [AcceptedPatch(stale.position)])
        kept = await versions(house, article.id)
        assert [version.cause for version in kept] == [first.cause, VersionCause.EDITED, VersionCause.PATCHED]
        assert [version.number for version in kept] == [1, 2, 3]
        assert {version.by for version in kept} == {house.caller.user_id}
        assert kept[1].at == title.updated_at
        diff = await compared(house, article.id, 2, 3)
        [change] = diff.changes
        assert len(change.before) == len(change.after) == 1
        assert (change.before[0].replace("4,000", "2,500"), diff.markup) == (change.after[0], False)
        back = await compared(house, article.id, 3, 2)
        assert [(c.after, c.before) for c in back.changes] == [(change.before, change.after)]
        assert (await compared(house, article.id, 1, 2)).changes == ()


async def test_a_text_from_before_versions_is_kept_with_its_first_change() -> None:
    async with open_house() as house:
        article = builders.article(
            tenant_id=house.caller.tenant_id, niche_key=NICHE, status=ArticleStatus.GENERATED, content="Old words.\n"
        )
        async with house.services.ports.unit_of_work() as tx:
            await tx[Articles].add(article)
        assert await versions(house, article.id) == []
        await edited(house, article.id, content="New words.\n")
        old, new = await versions(house, article.id)
        assert (old.cause, old.by, old.at) == (VersionCause.EARLIER, None, article.updated_at)
        assert (new.cause, new.by) == (VersionCause.EDITED, house.caller.user_id)
        _, text = await house.services.writing.versions.one(house.caller, article.id, 1)
        assert text.content == "Old words.\n"
        await edited(house, article.id, content="")
        assert len(await versions(house, article.id)) == 2


async def test_a_version_is_restored_as_an_edit() -> None:
    async with open_house() as house:
        article = await written(house)
        assert article.grounding is not None
        await edited(
            house, article.id, content="Nobody says this.\n", excerpt=None, featured_image="https://x.example/1"
        )
        viewer = evolve(house.caller, role=Role.VIEWER)
        with pytest.raises(NotPermitted):
            await house.services.writing.restore_version(viewer, article.id, 1)
        with pytest.raises(NotFound):
            await house.services.writing.restore_version(house.caller, article.id, 9)
        restored = await house.services.writing.restore_version(house.caller, article.id, 1)
        assert (restored.content, restored.sources) == (article.content, article.sources)
        assert restored.text_hash == article.text_hash
        assert restored.grounding is not None
        assert restored.grounding.sentences == article.grounding.sentences
        assert [v.cause for v in await versions(house, article.id)][-1] is VersionCause.RESTORED
        assert len(await versions(house, article.id)) == 3


async def test_the_newest_are_kept_and_what_was_published() -> None:
    async with open_house() as house:
        article = await written(house)
        made = NewIntegration(house.caller, "memory", "Blog", True, {"token": TOKEN, "blog": "heat"}, {})
        integration = await house.services.publishing.integrations.create(made)
        await house.services.writing.approval.approve(house.caller, article.id)
        command = PublishCommand(house.caller, integration.id, article.id, PostRequest())
        await house.services.publishing.publish.to_integration(command)
        await house.work()
        [published] = await versions(house, article.id)
        assert (published.published_at, published.approved_by) == (house.clock.now(), house.caller.user_id)
        for number in range(KEPT_VERSIONS + 3):
            await edited(house, article.id, content=f"Text {number}.\n")
        kept = await versions(house, article.id)
        assert [version.number for version in kept] == [1, *range(5, KEPT_VERSIONS + 5)]
        back = await house.services.writing.restore_version(house.caller, article.id, 1)
        assert back.approval_state is ApprovalState.APPROVED


CHANGE_NO_TEXT = {
    "agents/run.py": "schedules, and asks for a review",
    "approval/decide.py": "says what was said of the text",
    "articles/edit_plan.py": "changes the plan of a draft",
    "articles/start_from_plan.py": "begins a generation, which keeps what it writes",
    "articles/verify.py": "renews the receipt",
    "generation/lost_calls.py": "adds tokens that brought nothing",
    "generation/publish_scheduled.py": "sets the status",
    "public/moderate.py": "hides it from the public pages",
    "publishing/verify.py": "sets the status",
    "publishing/withdraw.py": "sets the status",
}


def test_whatever_changes_a_text_keeps_a_version() -> None:
    """A new use case that saves articles keeps a version of what it writes, or says here why it need not."""
    use_cases = Path(keep_versions.__file__).parents[1]
    saving = {
        str(path.relative_to(use_cases)): "keep_version(" in text
        for path in use_cases.rglob("*.py")
        if "tx[Articles].save(" in (text := path.read_text("utf-8"))
    }
    assert {path for path, keeps in saving.items() if not keeps} == set(CHANGE_NO_TEXT)

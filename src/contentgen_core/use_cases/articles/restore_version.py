"""POST /articles/{id}/versions/{number}/restore: the article says again what it said."""

from __future__ import annotations

from contentgen_core.model.article import Article
from contentgen_core.model.article_version import VersionCause
from contentgen_core.model.ids import ArticleId
from contentgen_core.model.tenant import Caller, Role
from contentgen_core.policies.tenancy.access import require_role
from contentgen_core.use_cases.articles.edit import EditArticle, EditArticleCommand
from contentgen_core.use_cases.use_case import use_case
from contentgen_core.use_cases.versions.read_versions import ReadVersions


@use_case
class RestoreVersion:
    read: ReadVersions
    edit: EditArticle

    async def __call__(self, caller: Caller, article_id: ArticleId, number: int) -> Article:
        """Restore the text of a version as an edit: sentences that differ from the present ones are checked against the
        article's present sources. Raises NotPermitted, NotFound, ConcurrentChange."""
        require_role(caller, Role.EDITOR)
        _, text = await self.read.one(caller, article_id, number)
        return await self.edit(
            EditArticleCommand(
                caller,
                article_id,
                title=text.title,
                content=text.content,
                excerpt=text.excerpt,
                featured_image=text.featured_image,
                seo=text.seo,
                restored=text,
                cause=VersionCause.RESTORED,
            )
        )

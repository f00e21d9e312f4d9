"""/console/settings/reviews: what users say of the service, listed or hidden by platform administrators."""

from __future__ import annotations

from typing import Any, Final

from litestar import Response, get, post
from litestar.params import FromPath

from contentgen_core.model.ids import ReviewId
from contentgen_core.policies.tenancy.access import require_platform_admin
from contentgen_core.ports.repositories.reviews import ReviewQuery
from contentgen_core.use_cases.reviews.write import ChangedReview
from contentgen_http.api.requests import path_id
from contentgen_http.console.pages.settings.settings_page import SettingsPage
from contentgen_http.console.rendering import to
from contentgen_http.console.visit import Visit, page_number

REVIEWS: Final = "/console/settings/reviews"
PER_PAGE: Final = 20


class ReviewModerationPages(SettingsPage):
    @get("/settings/reviews")
    async def reviews(self, request: Visit) -> Response[str]:
        """The flagged ones, unless the address asks for the listed ones."""
        caller = request.user.caller
        require_platform_admin(caller)
        flagged, page = request.query_params.get("show", "") != "listed", page_number(request)
        query = ReviewQuery(caller.user_id, page=page, limit=PER_PAGE, flagged=flagged)
        found = await self.services.people.reviews.page(caller, query)
        pages = max(1, -(-found.total // PER_PAGE))
        return self.settings(request, "reviews", found=found, flagged=flagged, page=page, pages=pages)

    @post("/settings/reviews/{id:str}", status_code=200)
    async def moderate(self, request: Visit, id: FromPath[str]) -> Response[Any]:
        form = await self.form(request)
        flagged = form.text("do") == "hide"
        command = ChangedReview(request.user.caller, _id(id), flagged=flagged)
        await self.services.people.write_reviews.change(command)
        return to(f"{REVIEWS}?show=listed" if flagged else REVIEWS, "note-hidden" if flagged else "note-listed")

    @get("/settings/reviews/{id:str}/delete")
    async def ask_to_delete(self, request: Visit, id: FromPath[str]) -> Response[str]:
        require_platform_admin(request.user.caller)
        path_id("review", id)
        return self.ask(request, "settings-review-delete-ask", "settings-delete", REVIEWS)

    @post("/settings/reviews/{id:str}/delete", status_code=200)
    async def delete(self, request: Visit, id: FromPath[str]) -> Response[Any]:
        await self.form(request)
        require_platform_admin(request.user.caller)  # others delete their own by the API
        await self.services.people.write_reviews.delete(request.user.caller, _id(id))
        return to(REVIEWS, "note-deleted")


def _id(text: str) -> ReviewId:
    return ReviewId(path_id("review", text))

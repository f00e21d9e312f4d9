"""Reviews of the service by its users."""

from __future__ import annotations

from typing import Final

from litestar import Controller
from litestar.params import FromPath

from contentgen_core import errors
from contentgen_core.model.ids import ReviewId
from contentgen_core.use_cases.reviews.mark import OwnReview
from contentgen_http.api.operation import operation
from contentgen_http.api.requests import TenantRequest, path_id, read_body, read_query
from contentgen_http.services import Services
from contentgen_http.wire import reviews as wire
from contentgen_http.wire.base import Done

TAG: Final = "Reviews"
_PATH: Final = "/reviews/{id:str}"


class ReviewRoutes(Controller):
    services: Services

    @operation(
        "GET",
        "/reviews",
        tag=TAG,
        query=wire.ReviewListQuery,
        answer=wire.ReviewList,
        raises=(errors.NotPermitted,),
    )
    async def list_reviews(self, request: TenantRequest) -> wire.ReviewList:
        """List reviews.

        What users say of the service: those of all tenants, to users of all tenants. A review shows nothing of its
        author's account or tenant, only a name where its author gave one. Flagged reviews are neither listed nor
        counted.
        """
        query = read_query(request, wire.ReviewListQuery).to_query(request.user)
        return wire.ReviewList.of(await self.services.people.reviews.page(request.user, query), query, request.user)

    @operation(
        "POST",
        "/reviews",
        tag=TAG,
        body=wire.ReviewRequest,
        answer=wire.Review,
        raises=(errors.AlreadyExists,),
        example={
            "rating": 5,
            "title": "It cites its sources",
            "comment": "Each sentence says where it comes from.",
            "author": "Ada",
        },
    )
    async def submit_review(self, request: TenantRequest) -> wire.Review:
        """Submit a review.

        One a user, whatever the role; a second one is a 409. Users of all tenants can read it, with the name that you
        give here and nothing else of you. One that seems to hold links, mail addresses, code or the same over and over
        is kept, but flagged: it is not listed until a platform administrator has read it.
        """
        body = await read_body(request, wire.ReviewRequest)
        return wire.Review.of(
            await self.services.people.write_reviews.submit(body.to_command(request.user)), request.user
        )

    @operation("GET", "/reviews/my-review", tag=TAG, answer=wire.Review, raises=(errors.NotFound,))
    async def get_my_review(self, request: TenantRequest) -> wire.Review:
        """Get my review.

        Your own, also while it is flagged, and then why. A 404 when you have written none.
        """
        return wire.Review.of(await self.services.people.reviews.mine(request.user), request.user)

    @operation(
        "PATCH",
        _PATH,
        tag=TAG,
        body=wire.ReviewPatch,
        answer=wire.Review,
        raises=(errors.NotPermitted, errors.NotFound, errors.ConcurrentChange),
        example={"rating": 4, "title": "It cites most of its sources"},
    )
    async def update_review(self, request: TenantRequest, id: FromPath[str]) -> wire.Review:
        """Update a review.

        Your own: anybody else's is a 404. New words are checked anew. With `flagged`, platform administrators list or
        hide any review (403 for everybody else); its words stay its author's.
        """
        body = await read_body(request, wire.ReviewPatch)
        command = body.to_command(request.user, review_id(id))
        return wire.Review.of(await self.services.people.write_reviews.change(command), request.user)

    @operation(
        "POST",
        f"{_PATH}/helpful",
        tag=TAG,
        answer=wire.Review,
        raises=(errors.NotFound, OwnReview),
    )
    async def mark_review_helpful(self, request: TenantRequest, id: FromPath[str]) -> wire.Review:
        """Mark a review as helpful.

        Anybody's that is listed; your own is a 409. It counts once a user: a second time answers the same and changes
        nothing.
        """
        return wire.Review.of(await self.services.people.mark_helpful(request.user, review_id(id)), request.user)

    @operation("DELETE", _PATH, tag=TAG, answer=Done, raises=(errors.NotFound,))
    async def delete_review(self, request: TenantRequest, id: FromPath[str]) -> Done:
        """Delete a review.

        Your own: anybody else's is a 404, but platform administrators delete any. You may write a new one.
        """
        await self.services.people.write_reviews.delete(request.user, review_id(id))
        return Done()


def review_id(text: str) -> ReviewId:
    """Raises NotFound."""
    return ReviewId(path_id("review", text))

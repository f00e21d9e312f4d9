"""The errors of links that are mailed: invitations, sign-in, subscriptions."""

from __future__ import annotations

from contentgen_core.errors import FieldError, InvalidInput


class InvitationInvalid(InvalidInput):
    """The invitation was accepted, cancelled, renewed or has expired, or it never existed. Ask for a new one."""

    code = "invitation_invalid"

    def __init__(self) -> None:
        super().__init__(
            FieldError("token", "leads to no open invitation"),
            detail="This invitation cannot be used (any more): it was accepted, cancelled, renewed or has expired. "
            "Ask whoever invited you for a new one.",
        )


class InvitationNotMailed(InvalidInput):
    """The link is not the one in the mail to the invited address, which alone proves who joins."""

    code = "invitation_not_mailed"

    def __init__(self) -> None:
        super().__init__(
            FieldError("token", "is not that of the mailed link"),
            detail="This link does not show whose it is. Join by the link in the mail to the invited address; whoever "
            "invites can send it again by inviting again.",
        )


class SignInInvalid(InvalidInput):
    """The sign-in link was used, has expired, or was not made by this service. Ask for a new one."""

    code = "sign_in_invalid"

    def __init__(self) -> None:
        super().__init__(
            FieldError("token", "signs nobody in"),
            detail="This link cannot be used (any more): each works once, for 20 minutes. Ask for a new one.",
        )


class LinkInvalid(InvalidInput):
    """The link was not made by this service, or has expired. Ask for a new one."""

    code = "link_invalid"

    def __init__(self) -> None:
        super().__init__(
            FieldError("token", "is not valid"),
            detail="This link is not valid (any more). Subscribe again to get a new one.",
        )

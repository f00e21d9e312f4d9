"""What the pages of the settings share: their frame, faults beside what was typed, and the page that asks first."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from litestar import Response

from contentgen_core.errors import ContentgenError, FieldError, InvalidInput, Unauthenticated
from contentgen_core.model.tenant import Role
from contentgen_http.console.errors import sentence, status_of
from contentgen_http.console.faults import said_fault
from contentgen_http.console.page import Page
from contentgen_http.console.visit import Form, Visit, texts_of
from contentgen_http.texts import Texts

NONE_TYPED: Final = Form(())
NOTHING: Final[Mapping[str, str]] = MappingProxyType({})
"""What a page shows once when there is nothing."""


class SettingsPage(Page):
    def settings(
        self,
        request: Visit,
        template: str,
        *,
        error: ContentgenError | None = None,
        typed: Form = NONE_TYPED,
        **context: Any,
    ) -> Response[str]:
        """A page of the settings. `error`: why a form was not carried out; it is raised again where no page of ours
        can help. `typed`: what that form held."""
        status, faults = 200, []
        if error is not None:
            if isinstance(error, Unauthenticated):
                raise error
            status = status_of(error)
            faults = faults_of(error, texts_of(request))
        return self.show(
            request,
            f"settings/{template}.html",
            status=status,
            faults=faults,
            typed=dict(typed.pairs),
            manages=request.user.caller.role.includes(Role.ADMIN),
            **context,
        )

    def ask(
        self, request: Visit, question: str, label: str, back: str, *, hint: str = "", **values: str
    ) -> Response[str]:
        """The page that asks before something is done that cannot be undone. Its form posts to the page's own address.
        `question`, `hint`: ids of texts, with `values`; `label`: of the button."""
        texts = texts_of(request)
        return self.settings(
            request,
            "ask",
            question=texts(question, **values),
            hint=texts(hint, **values) if hint else "",
            label=label,
            back=back,
        )


def faults_of(error: ContentgenError, texts: Texts) -> list[str]:
    """A sentence for each fault."""
    if not isinstance(error, InvalidInput) or not error.errors:
        return [sentence(error, texts)]

    def said(fault: FieldError) -> str:
        known = f"settings-fault-{fault.field}"
        return texts(known) if texts.has(known) else f"{fault.field}: {said_fault(fault.message, texts)}"

    return [said(fault) for fault in error.errors]

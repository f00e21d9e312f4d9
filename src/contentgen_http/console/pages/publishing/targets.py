"""/console/publishing/connect and /targets: connecting a target, changing it, switching it off, disconnecting it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath

from contentgen_core.errors import ConnectionTestFailed, InvalidInput, QuotaExceeded, RateLimited
from contentgen_core.model.changes import UNSET
from contentgen_core.model.ids import IntegrationId
from contentgen_core.model.integration import Integration
from contentgen_core.model.publishing_target import ProviderInfo
from contentgen_core.policies.articles.publishing import MAX_VALUE
from contentgen_core.use_cases.integrations.manage_integrations import (
    ChangedIntegration,
    ConnectionTest,
    ManageIntegrations,
    NewIntegration,
)
from contentgen_http.api.requests import path_id
from contentgen_http.console.declared import declared
from contentgen_http.console.errors import sentence, status_of
from contentgen_http.console.faults import said_fault
from contentgen_http.console.page import Page
from contentgen_http.console.pages.publishing import fields
from contentgen_http.console.rendering import to
from contentgen_http.console.sent_once import sent_once
from contentgen_http.console.visit import Form, Visit, texts_of
from contentgen_http.texts import Texts

PUBLISHING = "/console/publishing"


class TargetPages(Page):
    @get("/publishing/connect")
    async def providers(self, request: Visit) -> Response[str]:
        """The kinds of targets to choose from; those for platform administrators only to these."""
        all_kinds = request.user.caller.platform_admin
        mine = [each for each in self._manage.providers() if all_kinds or not each.platform_only]
        return self.show(request, "publishing/providers.html", providers=mine)

    @get("/publishing/connect/{provider:str}")
    async def new(self, request: Visit, provider: FromPath[str]) -> Response[str]:
        return self._form(request, self._provider(provider), None)

    @post("/publishing/connect/{provider:str}", status_code=200, slow=True)
    @sent_once
    async def connect(self, request: Visit, provider: FromPath[str]) -> Response[Any]:
        """Connect the target once it took the credentials; `do=test` only tries them."""
        form = await self.form(request)
        info = self._provider(provider)
        if form.text("do") == "test":
            return self._form(request, info, None, form, tested=await self._tried(request, info, None, form))
        try:
            await self._manage.create(self._new(request, info, form))
        except (InvalidInput, ConnectionTestFailed, QuotaExceeded) as error:
            return self._again(request, info, None, form, error)
        return to(PUBLISHING, "note-connected")

    @post("/publishing/connect/{provider:str}/try", status_code=200, slow=True)
    async def try_new(self, request: Visit, provider: FromPath[str]) -> Response[str]:
        """The part of the form that says whether what is typed works."""
        form = await self.form(request)
        info = self._provider(provider)
        return self.show(request, "publishing/tested.html", tested=await self._tried(request, info, None, form))

    @get("/publishing/targets/{id:str}")
    async def target(self, request: Visit, id: FromPath[str]) -> Response[str]:
        integration = await self._integration(request, id)
        return self._form(request, self._provider(integration.provider), integration)

    @post("/publishing/targets/{id:str}", status_code=200, slow=True)
    async def change(self, request: Visit, id: FromPath[str]) -> Response[Any]:
        """Keep the changes once the target took them; `do=test` only tries them."""
        form = await self.form(request)
        integration = await self._integration(request, id)
        info = self._provider(integration.provider)
        if form.text("do") == "test":
            tested = await self._tried(request, info, integration, form)
            return self._form(request, info, integration, form, tested=tested)
        try:
            await self._manage.change(self._changed(request, info, integration, form))
        except (InvalidInput, ConnectionTestFailed) as error:
            return self._again(request, info, integration, form, error)
        return to(PUBLISHING, "note-saved")

    @post("/publishing/targets/{id:str}/try", status_code=200, slow=True)
    async def try_change(self, request: Visit, id: FromPath[str]) -> Response[str]:
        form = await self.form(request)
        integration = await self._integration(request, id)
        tested = await self._tried(request, self._provider(integration.provider), integration, form)
        return self.show(request, "publishing/tested.html", tested=tested)

    @post("/publishing/targets/{id:str}/test", status_code=303, slow=True)
    async def test(self, request: Visit, id: FromPath[str]) -> Response[Any]:
        """Ask the target whether it still takes the stored credentials."""
        await self.form(request)
        integration = await self._integration(request, id)
        tested = await self._manage.test(request.user.caller, integration.id)
        return to(PUBLISHING, "note-target-works" if tested.success else "note-target-refuses")

    @post("/publishing/targets/{id:str}/switch", status_code=303)
    async def switch(self, request: Visit, id: FromPath[str]) -> Response[Any]:
        form = await self.form(request)
        integration, on = await self._integration(request, id), form.text("enabled") == "yes"
        await self._manage.change(ChangedIntegration(request.user.caller, integration.id, enabled=on))
        return to(PUBLISHING, "note-target-on" if on else "note-target-off")

    @get("/publishing/targets/{id:str}/delete")
    async def ask(self, request: Visit, id: FromPath[str]) -> Response[str]:
        """What goes with the target, and what stays."""
        integration = await self._integration(request, id)
        counts = await self._manage.publications(request.user.caller, integration.id)
        return self.show(request, "publishing/disconnect.html", target=integration, counts=counts)

    @post("/publishing/targets/{id:str}/delete", status_code=303)
    async def delete(self, request: Visit, id: FromPath[str]) -> Response[Any]:
        await self.form(request)
        await self._manage.delete(request.user.caller, IntegrationId(path_id("integration", id)))
        return to(PUBLISHING, "note-disconnected")

    @property
    def _manage(self) -> ManageIntegrations:
        return self.services.publishing.integrations

    def _provider(self, id: str) -> ProviderInfo:
        """Raises NotFound."""
        return self.services.ports.targets.get(path_id("publishing provider", id))

    async def _integration(self, request: Visit, id: str) -> Integration:
        return await self._manage.get(request.user.caller, IntegrationId(path_id("integration", id)))

    def _new(self, request: Visit, info: ProviderInfo, form: Form) -> NewIntegration:
        """Raises InvalidInput."""
        return NewIntegration(
            request.user.caller,
            info.id,
            form.text("name"),
            enabled=True,
            credentials=fields.typed(form, fields.CREDENTIALS, info.credential_fields),
            settings=fields.typed(form, fields.SETTINGS, info.setting_fields),
        )

    def _changed(self, request: Visit, info: ProviderInfo, integration: Integration, form: Form) -> ChangedIntegration:
        """Raises InvalidInput."""
        credentials = fields.changed(form, fields.CREDENTIALS, info.credential_fields, integration.credentials)
        settings = fields.changed(form, fields.SETTINGS, info.setting_fields, integration.settings)
        return ChangedIntegration(
            request.user.caller,
            integration.id,
            name=form.text("name"),
            credentials=credentials or UNSET,
            settings=settings or UNSET,
        )

    async def _tried(
        self, request: Visit, info: ProviderInfo, integration: Integration | None, form: Form
    ) -> ConnectionTest:
        """Whether what was typed works, or what is still to be typed."""
        t = texts_of(request)
        if needed := fields.missing(info, integration, form):
            labels = ", ".join(declared(field.label, t) for field in needed)
            return ConnectionTest(False, t("publishing-still-needed", fields=labels))
        try:
            if integration is None:
                return await self._manage.try_new(self._new(request, info, form))
            return await self._manage.try_change(self._changed(request, info, integration, form))
        except InvalidInput as error:
            return ConnectionTest(False, "; ".join(_faults(error, info, t).values()) or error.detail)
        except RateLimited as error:
            return ConnectionTest(False, sentence(error, t))

    def _again(
        self,
        request: Visit,
        info: ProviderInfo,
        integration: Integration | None,
        form: Form,
        error: InvalidInput | ConnectionTestFailed | QuotaExceeded,
    ) -> Response[str]:
        """The form as it was typed, with what is wrong."""
        t = texts_of(request)
        faults = {f.field: said_fault(f.message, t) for f in error.errors} if isinstance(error, InvalidInput) else {}
        for field in fields.missing(info, integration, form):
            for where in (fields.CREDENTIALS, fields.SETTINGS):
                if f"{where}.{field.name}" in faults:
                    faults[f"{where}.{field.name}"] = t("publishing-needed")
        fault = t("publishing-not-kept") if faults else sentence(error, t)
        status = status_of(error)
        return self._form(request, info, integration, form, faults=faults, fault=fault, status=status)

    def _form(
        self,
        request: Visit,
        info: ProviderInfo,
        integration: Integration | None,
        form: Form | None = None,
        *,
        faults: Mapping[str, str] | None = None,
        fault: str = "",
        tested: ConnectionTest | None = None,
        status: int = 200,
    ) -> Response[str]:
        credentials, settings = fields.shown_fields(info, integration, form, faults or {})
        if integration is None:
            present, action = info.name, f"{PUBLISHING}/connect/{info.id}"
        else:
            present, action = integration.name, f"{PUBLISHING}/targets/{integration.id}"
        return self.show(
            request,
            "publishing/form.html",
            status=status,
            provider=info,
            target=integration,
            action=action,
            name=present if form is None else form.text("name"),
            credentials=credentials,
            settings=settings,
            faults=faults or {},
            fault=fault,
            tested=tested,
            max_value=MAX_VALUE,
        )


def _faults(error: InvalidInput, info: ProviderInfo, texts: Texts) -> dict[str, str]:
    """What is wrong, by the label of its field."""
    groups = ((fields.CREDENTIALS, info.credential_fields), (fields.SETTINGS, info.setting_fields))
    labels = {f"{where}.{field.name}": declared(field.label, texts) for where, group in groups for field in group}
    return {
        fault.field: f"{labels.get(fault.field, fault.field)}: {said_fault(fault.message, texts)}"
        for fault in error.errors
    }

"""/console/settings/webhooks: addresses that get events. Their secrets are shown once."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from litestar import Response, get, post
from litestar.params import FromPath

from contentgen_core.errors import ContentgenError
from contentgen_core.model.ids import WebhookEndpointId, WebhookMessageId
from contentgen_core.model.webhook import SUBSCRIBABLE, DeliveryAttempt, DeliveryState, WebhookEventType
from contentgen_core.use_cases.webhooks.manage_webhooks import MAX_REPLAYED, ChangedWebhook, NewWebhook, ReplayCommand
from contentgen_http.api.requests import path_id
from contentgen_http.console.pages.settings.settings_page import NONE_TYPED, NOTHING, SettingsPage
from contentgen_http.console.rendering import to
from contentgen_http.console.sent_once import sent_once
from contentgen_http.console.visit import Form, Visit, whole_number

WEBHOOKS: Final = "/console/settings/webhooks"
PER_PAGE: Final = 20
SHOWN_ANSWER: Final = 250
"""Characters of what a receiver answered to a test, and of why there is no answer."""


class WebhookPages(SettingsPage):
    @get("/settings/webhooks")
    async def webhooks(self, request: Visit) -> Response[str]:
        return await self._list(request)

    @post("/settings/webhooks", status_code=200, slow=True)
    @sent_once
    async def create(self, request: Visit) -> Response[Any]:
        """On to the new webhook, which shows its signing secret this once."""
        form = await self.form(request)
        new = NewWebhook(request.user.caller, form.text("name"), form.text("url"), _events(form))
        try:
            endpoint, secret = await self.services.webhooks.endpoints.create(new)
        except ContentgenError as error:
            return await self._list(request, error, form)
        return self.to_once(request, f"{WEBHOOKS}/{endpoint.id}", secret=secret)

    @get("/settings/webhooks/{id:str}")
    async def webhook(self, request: Visit, id: FromPath[str]) -> Response[str]:
        return await self.show_once(request, lambda said: self._webhook(request, id, said=said))

    @post("/settings/webhooks/{id:str}", status_code=200, slow=True)
    async def change(self, request: Visit, id: FromPath[str]) -> Response[Any]:
        form = await self.form(request)
        command = ChangedWebhook(
            request.user.caller,
            _id(id),
            name=form.text("name"),
            url=form.text("url"),
            events=_events(form),
            enabled="enabled" in form,
        )
        try:
            await self.services.webhooks.endpoints.change(command)
        except ContentgenError as error:
            return await self._webhook(request, id, error, form)
        return to(f"{WEBHOOKS}/{id}", "note-settings-saved")

    @post("/settings/webhooks/{id:str}/rotate", status_code=200)
    @sent_once
    async def rotate(self, request: Visit, id: FromPath[str]) -> Response[Any]:
        await self.form(request)
        _, secret = await self.services.webhooks.endpoints.rotate_secret(request.user.caller, _id(id))
        return self.to_once(request, f"{WEBHOOKS}/{id}", secret=secret)

    @post("/settings/webhooks/{id:str}/test", status_code=200, slow=True)
    @sent_once
    async def test(self, request: Visit, id: FromPath[str]) -> Response[Any]:
        """On to the webhook, which shows this once what the receiver answered."""
        await self.form(request)
        attempt = await self.services.webhooks.endpoints.test(request.user.caller, _id(id))
        return self.to_once(request, f"{WEBHOOKS}/{id}", **_said(attempt))

    @post("/settings/webhooks/{id:str}/replay", status_code=200)
    @sent_once
    async def replay(self, request: Visit, id: FromPath[str]) -> Response[Any]:
        """Send again what failed, of the last 30 days, a thousand at a time."""
        await self.form(request)
        command = ReplayCommand(request.user.caller, _id(id))
        replayed = await self.services.webhooks.endpoints.replay(command)
        return self.to_once(request, f"{WEBHOOKS}/{id}", replayed=str(replayed))

    @get("/settings/webhooks/{id:str}/delete")
    async def ask_to_delete(self, request: Visit, id: FromPath[str]) -> Response[str]:
        endpoint = await self.services.webhooks.endpoints.get(request.user.caller, _id(id))
        return self.ask(
            request,
            "settings-webhook-delete-ask",
            "settings-delete",
            f"{WEBHOOKS}/{endpoint.id}",
            hint="settings-webhook-delete-hint",
            name=endpoint.name,
        )

    @post("/settings/webhooks/{id:str}/delete", status_code=200)
    async def delete(self, request: Visit, id: FromPath[str]) -> Response[Any]:
        await self.form(request)
        await self.services.webhooks.endpoints.delete(request.user.caller, _id(id))
        return to(WEBHOOKS, "note-deleted")

    @get("/settings/webhooks/{id:str}/deliveries/{message:str}")
    async def delivery(self, request: Visit, id: FromPath[str], message: FromPath[str]) -> Response[str]:
        endpoints, caller = self.services.webhooks.endpoints, request.user.caller
        endpoint = await endpoints.get(caller, _id(id))
        found = await endpoints.delivery(caller, endpoint.id, _message(message))
        return self.settings(request, "delivery", webhook=endpoint, delivery=found)

    @post("/settings/webhooks/{id:str}/deliveries/{message:str}", status_code=200)
    @sent_once
    async def replay_one(self, request: Visit, id: FromPath[str], message: FromPath[str]) -> Response[Any]:
        await self.form(request)
        await self.services.webhooks.endpoints.replay_one(request.user.caller, _id(id), _message(message))
        return to(f"{WEBHOOKS}/{id}/deliveries/{message}", "note-sent-again")

    async def _list(
        self, request: Visit, error: ContentgenError | None = None, typed: Form = NONE_TYPED
    ) -> Response[str]:
        webhooks = await self.services.webhooks.endpoints.list(request.user.caller)
        return self.settings(
            request,
            "webhooks",
            error=error,
            typed=typed,
            webhooks=webhooks,
            events=SUBSCRIBABLE,
            chosen=typed.texts("event"),
        )

    async def _webhook(
        self,
        request: Visit,
        id: str,
        error: ContentgenError | None = None,
        typed: Form = NONE_TYPED,
        *,
        said: Mapping[str, str] = NOTHING,
    ) -> Response[str]:
        endpoints, caller, asked = self.services.webhooks.endpoints, request.user.caller, request.query_params
        endpoint = await endpoints.get(caller, _id(id))
        state = DeliveryState(asked["state"]) if asked.get("state") in set(DeliveryState) else None
        before = _message(asked["before"]) if asked.get("before") else None
        deliveries = await endpoints.deliveries(caller, endpoint.id, state, before, PER_PAGE)
        return self.settings(
            request,
            "webhook",
            error=error,
            typed=typed,
            webhook=endpoint,
            events=SUBSCRIBABLE,
            chosen=typed.texts("event") if error else [event.value for event in endpoint.events or ()],
            deliveries=deliveries,
            state=state,
            states=list(DeliveryState),
            older=deliveries[-1].message.id if len(deliveries) == PER_PAGE else "",
            secret=said.get("secret"),
            tested=_tested(said, self.services.ports.clock.now()),
            replayed=whole_number(said.get("replayed", "")),
            most_replayed=MAX_REPLAYED,
        )


def _id(text: str) -> WebhookEndpointId:
    return WebhookEndpointId(path_id("webhook", text))


def _message(text: str) -> WebhookMessageId:
    return WebhookMessageId(path_id("delivery", text))


def _said(attempt: DeliveryAttempt) -> dict[str, str]:
    """An attempt as the page shows it once; of the answer what a cookie has room for."""
    answer = attempt.answer[:SHOWN_ANSWER] + ("…" if len(attempt.answer) > SHOWN_ANSWER else "")
    status = "" if attempt.status is None else str(attempt.status)
    return {
        "milliseconds": str(attempt.milliseconds),
        "status": status,
        "answer": answer,
        "error": (attempt.error or "")[:SHOWN_ANSWER],
    }


def _tested(said: Mapping[str, str], now: datetime) -> DeliveryAttempt | None:
    if "milliseconds" not in said:
        return None
    status, error = whole_number(said["status"]), said["error"] or None
    return DeliveryAttempt(now, int(said["milliseconds"]), status, said["answer"], error)


def _events(form: Form) -> tuple[WebhookEventType, ...] | None:
    """Those that are ticked; None, for all, where none is."""
    known = {event.value: event for event in SUBSCRIBABLE}
    return tuple(known[text] for text in form.texts("event") if text in known) or None

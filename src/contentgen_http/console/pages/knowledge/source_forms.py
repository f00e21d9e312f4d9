"""/console/knowledge/sources/new and …/edit: forms made of what each kind of source declares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath

from contentgen_core.errors import ContentgenError, InvalidInput, NotFound
from contentgen_core.model.synced_source import (
    MAX_GRACE_DAYS,
    MAX_HOURS,
    MAX_NAME,
    MAX_PLACE,
    SourceKindInfo,
    SyncedSource,
)
from contentgen_core.policies.articles.publishing import MAX_VALUE
from contentgen_core.use_cases.synced_sources.manage_sources import ChangedSource, NewSource
from contentgen_http.console.errors import sentence, status_of
from contentgen_http.console.faults import said_fault
from contentgen_http.console.pages.knowledge.shared import KnowledgePage
from contentgen_http.console.pages.knowledge.sources import SOURCES, source_id
from contentgen_http.console.pages.publishing.fields import SETTINGS, ShownField, as_text, typed
from contentgen_http.console.rendering import to
from contentgen_http.console.sent_once import sent_once
from contentgen_http.console.visit import Form, Visit, texts_of, whole_number

_PLAIN = ("name", "place", "everyHours", "graceDays")


class SourceFormPages(KnowledgePage):
    @get("/knowledge/sources/new")
    async def kinds(self, request: Visit) -> Response[str]:
        """What can be followed."""
        return self.show(request, "knowledge/kinds.html", kinds=self.services.knowledge.sources.kinds())

    @get("/knowledge/sources/new/{kind:str}")
    async def new(self, request: Visit, kind: FromPath[str]) -> Response[str]:
        return await self._page(request, self._kind(kind), None)

    @post("/knowledge/sources/new/{kind:str}", status_code=200)
    @sent_once
    async def create(self, request: Visit, kind: FromPath[str]) -> Response[Any]:
        form = await self.form(request)
        info = self._kind(kind)
        try:
            command = NewSource(
                request.user.caller,
                form.text("niche"),
                info.kind,
                form.text("name"),
                form.text("place"),
                whole_number(form.text("everyHours"), -1),
                whole_number(form.text("graceDays"), -1),
                {name: value for name, value in typed(form, SETTINGS, info.fields).items() if value is not None},
            )
            source = await self.services.knowledge.sources.create(command)
        except ContentgenError as error:
            return await self._again(request, info, None, form, error)
        return to(f"{SOURCES}/{source.id}", "note-source-added")

    @get("/knowledge/sources/{id:str}/edit")
    async def edit(self, request: Visit, id: FromPath[str]) -> Response[str]:
        source = await self.services.knowledge.sources.get(request.user.caller, source_id(id))
        return await self._page(request, self._kind(source.kind.value), source)

    @post("/knowledge/sources/{id:str}/edit", status_code=200)
    async def change(self, request: Visit, id: FromPath[str]) -> Response[Any]:
        form = await self.form(request)
        source = await self.services.knowledge.sources.get(request.user.caller, source_id(id))
        info = self._kind(source.kind.value)
        try:
            settings = typed(form, SETTINGS, info.fields)
            command = ChangedSource(
                request.user.caller,
                source.id,
                name=form.text("name"),
                place=form.text("place"),
                every_hours=whole_number(form.text("everyHours"), -1),
                grace_days=whole_number(form.text("graceDays"), -1),
                settings={name: value for name, value in settings.items() if value != source.settings.get(name)},
            )
            await self.services.knowledge.sources.change(command)
        except ContentgenError as error:
            return await self._again(request, info, source, form, error)
        return to(f"{SOURCES}/{source.id}", "note-source-changed")

    def _kind(self, kind: str) -> SourceKindInfo:
        """Raises NotFound."""
        found = (info for info in self.services.knowledge.sources.kinds() if info.kind.value == kind)
        if (info := next(found, None)) is None:
            raise NotFound("kind of source", kind[:100])
        return info

    async def _again(
        self, request: Visit, info: SourceKindInfo, source: SyncedSource | None, form: Form, error: ContentgenError
    ) -> Response[Any]:
        """The form as it was typed, with what is wrong at its fields."""
        status = status_of(error)
        t = texts_of(request)
        found = error.errors if isinstance(error, InvalidInput) else ()
        faults = {fault.field: said_fault(fault.message, t) for fault in found}
        fault = t("knowledge-not-kept") if faults else sentence(error, t)
        return await self._page(request, info, source, form, faults=faults, fault=fault, status=status)

    async def _page(
        self,
        request: Visit,
        info: SourceKindInfo,
        source: SyncedSource | None,
        form: Form | None = None,
        *,
        faults: Mapping[str, str] | None = None,
        fault: str = "",
        status: int = 200,
    ) -> Response[str]:
        stored = _stored(source)
        values = {name: stored[name] if form is None else form.text(name) for name in stored}
        return self.show(
            request,
            "knowledge/source_form.html",
            status=status,
            info=info,
            source=source,
            values=values,
            niche="" if form is None else form.text("niche"),
            niches=await self.niches(request),
            fields=_shown(info.fields, source, form, faults or {}),
            faults=faults or {},
            other_faults=[text for name, text in (faults or {}).items() if name not in _PLAIN and "." not in name],
            fault=fault,
            bounds={"name": MAX_NAME, "place": MAX_PLACE, "hours": MAX_HOURS, "days": MAX_GRACE_DAYS},
            max_value=MAX_VALUE,
        )


def _stored(source: SyncedSource | None) -> dict[str, str]:
    if source is None:
        return {"name": "", "place": "", "everyHours": "24", "graceDays": "7"}
    return {
        "name": source.name,
        "place": source.place,
        "everyHours": str(source.every_hours),
        "graceDays": str(source.grace_days),
    }


def _shown(
    declared: Sequence[Any], source: SyncedSource | None, form: Form | None, faults: Mapping[str, str]
) -> list[ShownField]:
    """The declared settings: as they were typed, else as they are stored, else by default; never a secret."""
    settings = {} if source is None else source.settings
    kept = () if source is None else source.secret_fields
    shown = []
    for field in declared:
        name, value = f"{SETTINGS}.{field.name}", settings.get(field.name, field.default)
        text = as_text(value) if form is None else form.text(name)
        shown.append(
            ShownField(
                field,
                name,
                "" if field.secret else text,
                checked=bool(value) if form is None else name in form,
                kept=field.secret and field.name in kept,
                fault=faults.get(name, ""),
            )
        )
    return shown

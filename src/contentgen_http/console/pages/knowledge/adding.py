"""/console/knowledge/add: files, a text or the address of a page become private documents."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from litestar import Response, get, post
from litestar.exceptions import HTTPException

from contentgen_core.errors import AlreadyExists, ContentgenError, InvalidInput
from contentgen_core.model.document import MAX_BYTES, MAX_TITLE, DocumentStatus
from contentgen_core.use_cases.documents.add import MAX_URL
from contentgen_grounded.bootstrap.file_types import FILE_TYPES
from contentgen_http.console.errors import sentence, status_of
from contentgen_http.console.faults import said_faults
from contentgen_http.console.multipart import SentFile
from contentgen_http.console.pages.knowledge.shared import PER_PAGE, KnowledgePage
from contentgen_http.console.rendering import to
from contentgen_http.console.sent_once import sent_once
from contentgen_http.console.visit import Visit, texts_of
from contentgen_http.texts import Texts

MB: Final = 1024 * 1024
MAX_SENT: Final = 10 * MB
"""Of a file and of a text, in bytes: one of this size is refused."""
MAX_REQUEST: Final = 24 * MB
"""Of all files of a form; the service takes no larger request than 25 MB. A text that is too large is still read up to
here, so that it can be shown again."""
MAX_FILES: Final = 20
_LONG_TEXT: Final = 100_000
_ANY_TEXT: Final = "text/*"
_ACCEPTED: Final = ",".join([suffix for kind in FILE_TYPES for suffix in kind.suffixes] + [_ANY_TEXT])
"""What the browser's file picker offers first. A text file is read whatever its name ends in."""


class AddingPages(KnowledgePage):
    @get("/knowledge/add")
    async def add(self, request: Visit) -> Response[str]:
        return await self._page(request)

    @post("/knowledge/add/files", status_code=200, request_max_body_size=MAX_REQUEST, slow=True)
    async def add_files(self, request: Visit) -> Response[Any]:
        """Each file by itself: what is wrong with one keeps no other from being added. A script, which sends one at a
        time, is answered with a sentence."""
        t = texts_of(request)
        try:
            form = await self.form(request)
        except HTTPException as error:
            if error.status_code != 413:
                raise
            return await self._refused(request, t("knowledge-request-too-large", most=MAX_REQUEST // MB), "files", 413)
        if not form.files:
            return await self._refused(request, t("knowledge-no-file"), "files", 400)
        if len(form.files) > MAX_FILES:
            return await self._refused(request, t("knowledge-too-many-files", most=MAX_FILES), "files", 400)
        faults, status = [], 400
        for file in form.files:
            try:
                await self._add_file(request, file, t)
            except ContentgenError as error:
                status = status_of(error)
                faults.append(t("knowledge-file-fault", name=file.name, fault=_fault(error, t)))
        if faults:
            return await self._refused(request, "\n".join(faults), "files", status)
        if request.headers.get("hx-request"):
            return Response(t("knowledge-file-added"), status_code=200, media_type="text/plain")
        return to("/console/knowledge", "note-documents-added")

    @post("/knowledge/add/text", status_code=200, request_max_body_size=MAX_REQUEST, slow=True)
    @sent_once
    async def add_text(self, request: Visit) -> Response[Any]:
        t = texts_of(request)
        try:
            form = await self.form(request)
        except HTTPException as error:
            if error.status_code != 413:
                raise
            return await self._refused(request, t("knowledge-request-too-large", most=MAX_REQUEST // MB), "text", 413)
        title, text = form.text("title"), form.text("text")
        typed = {"title": title, "text": text}
        content = text.encode("utf-8", "replace")
        if not content:
            return await self._refused(request, t("knowledge-no-text"), "text", 400, **typed)
        if len(content) >= MAX_SENT:
            return await self._refused(request, _too_large(len(content), t), "text", 413, **typed)
        name = (title or text[:80].splitlines()[0])[:100].replace("/", "-").replace("\\", "-")
        try:
            await self.services.knowledge.add_document.upload(
                request.user.caller, f"{name}.md", content, title[:MAX_TITLE] or None
            )
        except ContentgenError as error:
            return await self._failed(request, error, "text", **typed)
        return to("/console/knowledge", "note-documents-added")

    @post("/knowledge/add/address", status_code=200)
    @sent_once
    async def add_address(self, request: Visit) -> Response[Any]:
        form = await self.form(request)
        address = form.text("address")
        try:
            await self.services.knowledge.add_document.from_url(request.user.caller, address)
        except ContentgenError as error:
            return await self._failed(request, error, "address", address=address)
        return to("/console/knowledge", "note-documents-added")

    async def _add_file(self, request: Visit, file: SentFile, t: Texts) -> None:
        if not file.size:
            raise InvalidInput(detail=t("knowledge-empty-file"))
        if file.size >= MAX_SENT:
            raise InvalidInput(detail=_too_large(file.size, t))
        add = self.services.knowledge.add_document
        await add.upload(request.user.caller, file.name, await file.content())

    async def _failed(self, request: Visit, error: ContentgenError, form: str, **typed: str) -> Response[Any]:
        status = status_of(error)
        return await self._refused(request, _fault(error, texts_of(request)), form, status, **typed)

    async def _refused(self, request: Visit, fault: str, form: str, status: int, **typed: str) -> Response[Any]:
        """The page again, with what was typed; for a script the sentence alone."""
        if request.headers.get("hx-request"):
            return Response(fault, status_code=status, media_type="text/plain")
        return await self._page(request, status=status, faults={form: fault.split("\n")}, **typed)

    async def _page(
        self,
        request: Visit,
        *,
        status: int = 200,
        faults: dict[str, list[str]] | None = None,
        title: str = "",
        text: str = "",
        address: str = "",
    ) -> Response[str]:
        documents, caller, t = self.services.knowledge.documents, request.user.caller, texts_of(request)
        context = {
            "processing": await documents.page(caller, DocumentStatus.PROCESSING, 1, PER_PAGE),
            "failed": await documents.page(caller, DocumentStatus.FAILED, 1, PER_PAGE),
            "faults": faults or {},
            "title": title,
            "text": text,
            "address": address,
            "accepted": _ACCEPTED,
            "types": t.choice(kind.label_in(t.language) for kind in FILE_TYPES),
            "most_bytes": MAX_SENT,
            "most": MAX_SENT // MB,
            "most_by_api": MAX_BYTES // MB,
            "max_title": MAX_TITLE,
            "max_url": MAX_URL,
        }
        if len(text) > _LONG_TEXT:  # to escape megabytes takes a while
            return await asyncio.to_thread(self.show, request, "knowledge/add.html", status=status, **context)
        return self.show(request, "knowledge/add.html", status=status, **context)


def _too_large(size: int, t: Texts) -> str:
    return t("knowledge-too-large", size=t.number(round(size / MB, 1)), most=MAX_SENT // MB, api=MAX_BYTES // MB)


def _fault(error: ContentgenError, t: Texts) -> str:
    if isinstance(error, AlreadyExists):
        return t("knowledge-there-already")
    return "; ".join(said_faults(error, t)) if isinstance(error, InvalidInput) else sentence(error, t)

"""The text of a file of a source."""

from __future__ import annotations

from attrs import evolve

from contentgen_core.errors import UnreadableFile
from contentgen_core.model.document import MAX_BYTES
from contentgen_core.model.ids import TenantId
from contentgen_core.model.synced_source import SkipReason
from contentgen_core.ports.documents import UploadReader
from contentgen_core.ports.source_reading import ItemSkipped, ItemText


async def text_of_file(
    uploads: UploadReader, content: bytes, name: str, key: str, tenant_id: TenantId, *, url: str | None = None
) -> ItemText:
    """Return the text of a file. `name`: of the file, with its ending; `key`: of the item; `url`: the address for
    people, unless the file names one itself. Raises ItemSkipped, Unavailable.
    """
    size = len(content)
    if size > MAX_BYTES:
        raise ItemSkipped(SkipReason.TOO_LARGE, size)
    try:
        await uploads.media_type(content, name)
    except UnreadableFile as error:
        raise ItemSkipped(SkipReason.UNSUPPORTED if content.strip() else SkipReason.EMPTY, size) from error
    try:
        text = await uploads.read(content, name, tenant_id)
    except UnreadableFile as error:
        raise ItemSkipped(SkipReason.SCAN if error.is_scan else SkipReason.UNREADABLE, size) from error
    if not text.text.strip():
        raise ItemSkipped(SkipReason.EMPTY, size)
    return ItemText(evolve(text, source_key=key, url=text.url or url), size=size)

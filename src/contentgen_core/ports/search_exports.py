"""Reading what search engines and analytics export."""

from __future__ import annotations

from typing import Protocol

from contentgen_core.model.ids import TenantId
from contentgen_core.model.search_report import SearchExport


class SearchExportReader(Protocol):
    """Reads exports of queries and pages: CSV in the languages that the sources write their columns in, and ZIP
    archives of such tables. The event loop goes on meanwhile."""

    async def read(self, content: bytes, file_name: str, tenant_id: TenantId) -> SearchExport:
        """Every row is in a table, merged into another, or counted as skipped. `tenant_id`: on whose behalf.

        Raises UnreadableFile for a file without a table of queries or pages, one with more than MAX_ROWS rows, and one
        that takes too much time or memory; Unavailable while too many files wait."""
        ...

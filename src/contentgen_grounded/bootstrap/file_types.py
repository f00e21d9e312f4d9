"""The types of files that can be read, for interfaces that name them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from contentgen_adapters.documents.catalog import FORMATS
from contentgen_core.ports.documents import FileType

FILE_TYPES: Final[Sequence[FileType]] = sorted(FORMATS, key=lambda kind: kind.label.casefold())
"""By their labels."""
LABELS: Final = ", ".join(kind.label for kind in FILE_TYPES)

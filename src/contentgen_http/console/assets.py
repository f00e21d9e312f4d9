"""The console's own files: its style, its scripts, and htmx. Addresses carry a hash, so that browsers keep them."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib import resources
from typing import Final

from attrs import frozen

_TYPES: Final = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}


@frozen
class Asset:
    name: str
    content: bytes
    media_type: str
    digest: str

    @property
    def address(self) -> str:
        return f"/console/assets/{self.digest}/{self.name}"


@cache
def assets() -> dict[str, Asset]:
    """All by name."""
    folder = resources.files("contentgen_http.console").joinpath("static")
    files = [file for place in (folder, folder.joinpath("vendor")) for file in place.iterdir() if file.is_file()]
    found = {}
    for file in files:
        ending = file.name.rpartition(".")[2]
        if ending in _TYPES:
            content = file.read_bytes()
            digest = hashlib.sha256(content).hexdigest()[:16]
            found[file.name] = Asset(file.name, content, _TYPES[ending], digest)
    return found

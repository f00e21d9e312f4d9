"""A kind of source that needs settings: its declaration, and how a source of it is opened."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from typing import Any

import httpx
from attrs import field, frozen

from contentgen_adapters.shared.outgoing.guard import AddressGuard
from contentgen_adapters.shared.processes.pool import ProcessPool
from contentgen_core.model.synced_source import SourceKindInfo, SyncedSource
from contentgen_core.ports.documents import UploadReader
from contentgen_core.ports.source_reading import OpenSource


@frozen
class Surroundings:
    """The shared tools for reading sources. `client`: guarded; follows no redirects. `pool`: parses what came from
    outside. `uploads`: extracts the text of files. `now`: the time in UTC.
    """

    client: httpx.AsyncClient
    guard: AddressGuard
    pool: ProcessPool
    uploads: UploadReader
    now: Callable[[], datetime]


@frozen
class Connection:
    """The settings that a source is opened with. `settings`: complete, with defaults and secrets. `secrets`: texts that
    no message may contain.
    """

    source: SyncedSource
    settings: Mapping[str, Any] = field(repr=False)
    secrets: tuple[str, ...] = field(repr=False)
    around: Surroundings


@frozen
class SourceProvider:
    """A kind of source. `fault_of`: as of the port. `open`: may raise SourceUnavailable, ProviderFailed on entering."""

    info: SourceKindInfo
    fault_of: Callable[[SyncedSource, AddressGuard], str | None]
    open: Callable[[Connection], AbstractAsyncContextManager[OpenSource]]

    def connect(
        self, source: SyncedSource, secrets: Mapping[str, Any], around: Surroundings
    ) -> AbstractAsyncContextManager[OpenSource]:
        """A source with these secrets."""
        defaults = {each.name: each.default for each in self.info.fields if each.default is not None}
        texts = tuple(str(value) for value in secrets.values())
        return self.open(Connection(source, {**defaults, **source.settings, **secrets}, texts, around))

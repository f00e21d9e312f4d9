"""Prepare a process before others are forked from it: import and run once what they all use."""

from __future__ import annotations

from importlib import import_module
from typing import Final

from attrs import fields

from contentgen_adapters.lance.index import load_library
from contentgen_adapters.publishing.catalog import built_in, declared_entry_points
from contentgen_adapters.shared.http import tls
from contentgen_core.services import CoreServices, Ports
from contentgen_grounded.bootstrap.deferred import unwrap
from contentgen_grounded.bootstrap.memory import memory_ports
from contentgen_grounded.bootstrap.providers import trend_feeds
from contentgen_grounded.settings import Settings

_IMPORTED_LATER: Final = (
    "anyio._backends._asyncio",  # by httpx, with its first client
    "charset_normalizer",  # for pages and files that are no UTF-8
    "contentgen_adapters.lance.upkeep",
    "numpy.ma",  # by Arrow
)


def preload() -> None:
    """Import what opening the services imports, above all LanceDB; read what all processes read (certificates, feeds,
    what installed packages declare); and build the services once over an empty memory.

    What is touched first after a fork is copied, and using an object touches it, since its references are counted in
    it. Connects to nothing, and starts no threads but LanceDB's.
    """
    load_library()  # which starts the thread of its loop anew in each fork
    built_in()
    declared_entry_points()
    tls()
    trend_feeds(Settings())
    for module in _IMPORTED_LATER:
        import_module(module)
    ports = memory_ports()
    for port in fields(Ports):
        unwrap(getattr(ports, port.name))
    CoreServices.compose(ports)

"""What processes that are forked have in common: imported, and gone through once, in the process that they are forked
from."""

from __future__ import annotations

from importlib import import_module
from typing import Final

from attrs import fields

from contentgen_adapters.lance.index import load_library
from contentgen_adapters.publishing.catalog import built_in, declared
from contentgen_adapters.shared.http import tls
from contentgen_core.services import CoreServices, Ports
from contentgen_grounded.bootstrap.deferred import made
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
    """Imports what opening the services imports, above all LanceDB, reads what they all read (certificates, feeds, what
    installed packages declare), and composes them once over an empty memory.

    What is touched first after a fork is copied; an object is touched when it is used, since its references are counted
    in it. Connects to nothing, and starts no thread but LanceDB's.
    """
    load_library()  # which starts the thread of its loop anew in each fork
    built_in()
    declared()
    tls()
    trend_feeds(Settings())
    for module in _IMPORTED_LATER:
        import_module(module)
    ports = memory_ports()
    for port in fields(Ports):
        made(getattr(ports, port.name))
    CoreServices.compose(ports)

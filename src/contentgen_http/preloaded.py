"""What the processes of the service have in common. It is imported once, in the process that they are forked from:
importing it anew takes each of them seconds, and 150 MiB that they now share."""

from __future__ import annotations

import gc
from importlib import import_module

gc.disable()  # it would walk through modules, which are no garbage, for a tenth of the time
for _name in (
    "uvicorn.protocols.http.httptools_impl",  # which uvicorn imports when it starts
    "contentgen_http.api_process",
    "contentgen_http.job_process",
):
    import_module(_name)
import_module("contentgen.bootstrap.stores").load_index_library()  # whose loop starts its thread anew in each fork
gc.enable()
gc.collect()
gc.freeze()  # a collection in a fork would write to what is shared, and thereby copy it

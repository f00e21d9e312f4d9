"""What the processes of the service have in common. It is imported once, in the process that they are forked from:
importing it anew takes each of them seconds, and 150 MiB that they now share."""

from __future__ import annotations

import gc
from importlib import import_module

# Rarely, since modules are no garbage, but now and then: what garbage leaves free among them is filled, and thereby
# copied, by each process that is forked. Without a collector each of them copied 20 MiB more.
gc.set_threshold(3_000, 10, 1_000)  # the last: not through all that lives, of which a four-hundredth is garbage
for _name in (
    "uvicorn.protocols.http.httptools_impl",  # which uvicorn imports when it starts
    "contentgen_http.processes.api_process",
    "contentgen_http.processes.job_process",
):
    import_module(_name)
import_module("contentgen_grounded.bootstrap.preloading").preload()
gc.freeze()  # a collection in a fork would write to what is shared, and thereby copy it

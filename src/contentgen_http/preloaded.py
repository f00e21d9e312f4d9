"""What the processes of the service have in common. It is imported once, in the process that they are forked from:
importing it anew takes each of them seconds, and 150 MiB that they now share."""

from __future__ import annotations

import gc

import uvicorn.protocols.http.httptools_impl  # noqa: F401 - uvicorn imports it when it starts

import contentgen_http.api_process
import contentgen_http.job_process  # noqa: F401
from contentgen.bootstrap.stores import load_index_library

load_index_library()  # which starts the thread of its loop anew in each fork: nothing has been asked of it here
gc.collect()
gc.freeze()  # a collection in a fork would write to what is shared, and thereby copy it

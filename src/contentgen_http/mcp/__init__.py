"""The Model Context Protocol over HTTP and over standard input and output.

Only `server.py`, `stdio.py` and, at the first request, `endpoint.py` import the protocol's SDK, which takes most of a
second."""

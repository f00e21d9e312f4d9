"""The service for agents: the Model Context Protocol over HTTP and over standard input and output.

Only `server.py`, `endpoint.py` (when the first agent comes) and `stdio.py` load the protocol's SDK, which takes most of
a second."""

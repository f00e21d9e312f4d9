"""The embedded PostgreSQL: a private server on a data directory, shared by all processes that use the directory.

It lives exactly as long as someone uses it. Four lock files in `postgres.locks` see to that; locks go with their
process, however it ends, so there is nothing to clean up after a `kill -9`.

- `start`, exclusive, for a moment: whoever starts or stops looks around first, one at a time. Two processes that
  begin together end up with one server.
- `server`, exclusive, by the processes of the server, which inherit it. As long as one of them lives no other server
  is started, and whether it is held tells whether there is one. (A process id would not: it may have been given to
  another program, or be one of another container.)
- `keeper`, shared, by every process that uses the server. The server's parent is no process of ours but the keeper
  (`keeper.py`), which waits for this lock exclusively: it gets it when the last user has gone, be it killed, and
  then stops the server. So a short command that started the server can end while `serve`, which came later, works
  on undisturbed.
- `users`, shared, by the same processes, so that `stop()` can ask whether it is the last one. (Not the same file:
  to ask is to let go for an instant, in which the keeper would step in.)

Should the keeper be killed itself, the server ends with it (on Linux), and `ensure_running()` in any process that
still uses it starts both again.

A process created by fork holds the locks of its parent as well, and counts as a user until it ends.
"""

from contentgen_adapters.postgres.embedded.errors import EmbeddedPostgresError
from contentgen_adapters.postgres.embedded.server import EmbeddedPostgres

__all__ = ["EmbeddedPostgres", "EmbeddedPostgresError"]

"""The PostgreSQL that the settings choose."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from attrs import define

from contentgen_adapters.postgres.embedded import EmbeddedPostgres, running
from contentgen_adapters.postgres.embedded.errors import disk_full, has_no_room
from contentgen_adapters.postgres.migrate import migrate
from contentgen_core.errors import Unavailable
from contentgen_grounded.settings import BadSetting, Settings


@define
class Database:
    """The PostgreSQL database that holds the data; `embedded` is None when the operator's own server is used."""

    conninfo: str
    embedded: EmbeddedPostgres | None = None

    def migrate(self) -> list[str]:
        """Names of the migrations applied now. Raises MigrationError, Unavailable."""
        return migrate(self.conninfo)

    def ensure_running(self) -> bool:
        """Whether a private server had to be started again. Blocking. Raises EmbeddedPostgresError."""
        return self.embedded is not None and self.embedded.ensure_running()


@contextmanager
def database(settings: Settings) -> Iterator[Database]:
    """The database of the settings, running. Raises EmbeddedPostgresError, also for what could not reach the database
    because the disk it is on is full: PostgreSQL ends without the room for its log, and says so to nobody."""
    if settings.database_url:
        yield Database(settings.database_url)
        return
    embedded = EmbeddedPostgres(settings.data_dir)
    conninfo = embedded.start()
    running.remember(settings.data_dir.expanduser().resolve())
    try:
        yield Database(conninfo, embedded)
    except Unavailable as error:
        if has_no_room(settings.data_dir):
            raise disk_full(settings.data_dir) from error
        raise
    finally:
        embedded.stop()


def refuse_a_second_database(settings: Settings) -> None:
    """Refuse to create a database in the usual directory when one already runs elsewhere. For commands that were given
    neither a database nor a data directory. Raises BadSetting.
    """
    usual = settings.data_dir.expanduser().resolve()
    if settings.database_url or running.runs(usual):
        return
    if others := running.found():
        raise BadSetting(
            f"No database runs in {usual}, but one does in {', '.join(map(str, others))}. Say which one is meant:"
            f" --data-dir {others[0]}, or --data-dir {usual} for that of the usual place; CONTENTGEN_DATA_DIR says it"
            " for all commands."
        )

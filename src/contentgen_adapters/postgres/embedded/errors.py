"""What can go wrong with the embedded PostgreSQL, in words for the person who has to mend it."""

import shutil
from pathlib import Path

from contentgen_adapters.postgres.embedded import keeper
from contentgen_core.errors import ContentgenError


class EmbeddedPostgresError(ContentgenError):
    """The embedded PostgreSQL cannot be used; the message tells a person why and what to do."""

    code = "database_cannot_start"

    @property
    def log_text(self) -> str:
        return self.detail


def damaged(cluster: Path, why: str) -> EmbeddedPostgresError:
    return EmbeddedPostgresError(
        f"The database in {cluster} cannot be used: {why}. Restore the directory from a backup, or move it away to"
        " begin with an empty database."
    )


def failure(cluster: Path, exit_status: int, output: str) -> EmbeddedPostgresError:
    """What it means that initdb or the server ended with this status after writing this output."""
    if exit_status == keeper.UNREACHABLE:
        return EmbeddedPostgresError(
            f"PostgreSQL does not run as root, and the user it runs as instead cannot reach {cluster} or PostgreSQL's"
            " own files, nor could these be copied to where it can (a container without capabilities?). Run contentgen"
            " as an ordinary user, or install it in a directory that every user may pass."
        )
    if "No space left on device" in output or has_no_room(cluster.parent):
        return disk_full(cluster.parent)
    if 'lock file "postmaster.pid" already exists' in output:
        return EmbeddedPostgresError(
            f"A PostgreSQL server that contentgen did not start runs on {cluster}. Stop it and start again."
        )
    lines = [line for line in output.splitlines() if line.strip()][-12:]
    return EmbeddedPostgresError(
        f"PostgreSQL does not start on {cluster}. Its last words:\n\n  " + "\n  ".join(lines) + "\n\n"
        "If they speak of missing, invalid or damaged files, restore the directory from a backup, or move it away to"
        " begin with an empty database."
    )


def has_no_room(directory: Path) -> bool:
    """Whether PostgreSQL would need more than is free below a directory: it writes its log in files of 16 MiB, and two
    of them are wanted when it recovers."""
    return shutil.disk_usage(directory).free < 32 * 2**20


def disk_full(data_dir: Path) -> EmbeddedPostgresError:
    return EmbeddedPostgresError(
        f"The disk that holds {data_dir} is full. Make room on it and start again; nothing stored before is lost."
    )

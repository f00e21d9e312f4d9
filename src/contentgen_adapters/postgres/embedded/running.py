"""Which data directories of this user have a database running: for whoever looks for one in the wrong place."""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import tempfile
from pathlib import Path

from contentgen_adapters.postgres.embedded.locks import Locks


def remember(data_dir: Path) -> None:
    """Note a directory whose database runs. What cannot be noted is only not found."""
    with contextlib.suppress(OSError):
        folder = _folder()
        folder.mkdir(mode=0o700, exist_ok=True)
        if _is_ours(folder):
            note = folder / hashlib.sha256(os.fsencode(data_dir)).hexdigest()[:16]
            note.write_bytes(os.fsencode(data_dir))


def found() -> list[Path]:
    """Those that were noted and whose database runs now; notes on others are forgotten."""
    alive: list[Path] = []
    with contextlib.suppress(OSError):
        folder = _folder()
        for note in sorted(folder.iterdir()) if _is_ours(folder) else []:
            data_dir = Path(os.fsdecode(note.read_bytes()))
            if runs(data_dir):
                alive.append(data_dir)
            else:
                note.unlink(missing_ok=True)
    return alive


def runs(data_dir: Path) -> bool:
    """Whether the database of this directory runs."""
    locks = data_dir / "postgres.locks"
    with contextlib.suppress(OSError):
        return (locks / "server").exists() and Locks(locks).server_lives()
    return False


def _folder() -> Path:
    return Path(tempfile.gettempdir()) / f"contentgen-databases-{os.geteuid()}"


def _is_ours(folder: Path) -> bool:
    """In a directory that everybody may write to, anybody may have made it."""
    found = folder.lstat()
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid()

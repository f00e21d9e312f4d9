"""PostgreSQL's programs where the user that they run as can reach them.

Root may have installed us below a directory that is closed to others, such as its home. PostgreSQL looks for its own
files by their real path, so no descriptor helps; they are copied once to where everybody may pass.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import tempfile
from pathlib import Path
from typing import Final

PLACES: Final = (Path("/var/lib"), Path("/var/tmp"), Path("/tmp"))  # noqa: S108 - owner and mode are checked


def reachable(install: Path) -> Path:
    """The installation, or a copy of it that every user can read; the installation again where there is no place for
    one."""
    if _open_to_all(install / "bin" / "postgres"):
        return install
    postgres = (install / "bin" / "postgres").stat()
    name = hashlib.sha256(f"{install} {postgres.st_size} {postgres.st_mtime_ns}".encode()).hexdigest()[:20]
    for place in PLACES:
        copy = place / f"contentgen-postgres-{name}"
        try:
            if not _usable(place):
                continue
            if not copy.exists():
                _copy(install, copy)
            found = copy.lstat()
        except OSError:
            continue
        if stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid() and not found.st_mode & 0o022:
            return copy
    return install


def _open_to_all(program: Path) -> bool:
    parents = (parent.stat().st_mode for parent in program.parents)
    return all(mode & stat.S_IXOTH for mode in (*parents, program.stat().st_mode))


def _usable(place: Path) -> bool:
    return _open_to_all(place / "") and not os.statvfs(place).f_flag & os.ST_NOEXEC


def _copy(install: Path, copy: Path) -> None:
    draft = Path(tempfile.mkdtemp(prefix=f"{copy.name}.", dir=copy.parent))
    try:
        shutil.copytree(install, draft, dirs_exist_ok=True, ignore=shutil.ignore_patterns("include"))
        for path in (draft, *draft.rglob("*")):
            if not path.is_symlink():
                path.chmod(0o755 if path.is_dir() or path.stat().st_mode & stat.S_IXUSR else 0o644)
        draft.rename(copy)
    except BaseException:
        shutil.rmtree(draft, ignore_errors=True)
        raise

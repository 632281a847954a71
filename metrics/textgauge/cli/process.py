"""The process: its exit codes; Ctrl-C while something is imported ends it quietly; standard streams may be closed."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, NoReturn

# Another code is the answer of a command that was asked a question: 1 is "worse", or "below the bound".
ERROR, INTERRUPTED = 2, 130


@contextmanager
def quiet_imports() -> Iterator[None]:
    """Let Ctrl-C end the program at once inside the block; if it is ignored, as under nohup, it stays ignored."""
    handler = signal.getsignal(signal.SIGINT)
    if handler is not signal.default_int_handler or threading.current_thread() is not threading.main_thread():
        yield
        return
    signal.signal(signal.SIGINT, _leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)


def _leave(*_: Any) -> None:
    # No exception: inside an import, Python may turn it into another error or print a traceback.
    os._exit(INTERRUPTED)


def leave(code: int, message: str = "") -> NoReturn:
    """Leave the process with an exit code, and a message in one line, if it can be written."""
    from ..checks import printable

    line = f"textgauge: {printable(' '.join(message.split()))}\n" if message else ""
    for stream, text in ((sys.stderr, line), (sys.stdout, "")):
        try:
            stream.write(text)
            stream.flush()
        except (OSError, ValueError):
            # Python flushes again at exit; send the rest nowhere.
            with suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    sys.exit(code)


def open_closed_streams() -> None:
    """Open closed standard streams: input and output so that their use fails, errors so that they go nowhere.

    Left closed, the next file that is opened would take the place of the stream.
    """
    for name, mode, flags in (("stdin", "r", os.O_WRONLY), ("stdout", "w", os.O_RDONLY), ("stderr", "w", os.O_WRONLY)):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, flags), mode, encoding="utf-8", closefd=False))

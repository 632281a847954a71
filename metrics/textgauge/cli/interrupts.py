"""Ctrl-C while something is imported: the program ends quietly."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

INTERRUPTED = 130


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

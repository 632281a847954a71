"""The program: `textgauge`, or `python -m textgauge`."""

from __future__ import annotations

import os
import signal
from typing import Any

INTERRUPTED = 130


def run() -> None:
    """Run the program; Ctrl-C ends it quietly, while it is being imported too."""
    handler = signal.getsignal(signal.SIGINT)
    # Where SIGINT is ignored, as under nohup, it stays so.
    is_default = handler is signal.default_int_handler
    if is_default:
        signal.signal(signal.SIGINT, _leave)
    from .cli.main import main

    if is_default:
        signal.signal(signal.SIGINT, handler)
    main(prog_name="textgauge")


def _leave(*_: Any) -> None:
    # Not by an exception: of one inside an import Python may make another error, or a traceback.
    os._exit(INTERRUPTED)


if __name__ == "__main__":
    run()

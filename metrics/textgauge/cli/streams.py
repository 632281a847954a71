"""Standard streams that are closed, as a shell does by ``>&-``."""

from __future__ import annotations

import os
import sys


def open_closed_streams() -> None:
    """Open closed standard streams: input and output so that their use fails, errors so that they go nowhere.

    Left closed, the next file that is opened would take the place of the stream.
    """
    for name, mode, flags in (("stdin", "r", os.O_WRONLY), ("stdout", "w", os.O_RDONLY), ("stderr", "w", os.O_WRONLY)):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, flags), mode, encoding="utf-8", closefd=False))

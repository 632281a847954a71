"""Runs the `app.py` files named on the command line, each on its own port, until it is stopped."""

import functools
import runpy
import sys
import threading

from textgauge import apps

if __name__ == "__main__":
    launch = apps.launch
    for path, port in zip(sys.argv[1::2], sys.argv[2::2], strict=True):
        # What the script imports by this name: the same, but it returns while the page is up.
        apps.launch = functools.partial(
            launch, server_name="127.0.0.1", server_port=int(port), prevent_thread_lock=True
        )
        runpy.run_path(path, run_name="__main__")
    threading.Event().wait()

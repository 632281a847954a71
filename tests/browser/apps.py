"""Runs the `app.py` files named on the command line, each on a port of its own, until it is stopped."""

import runpy
import sys
import threading

from textgauge.apps import launch

if __name__ == "__main__":
    for path, port in zip(sys.argv[1::2], sys.argv[2::2], strict=True):
        launch(runpy.run_path(path)["demo"], server_name="127.0.0.1", server_port=int(port), prevent_thread_lock=True)
    threading.Event().wait()

"""Runs the `app.py` files named on the command line in one process until it is stopped, and prints their addresses.

Gradio takes free ports that no outgoing connection has, as a port does that the system chooses.
"""

import json
import runpy
import sys
import threading

from textgauge import apps

if __name__ == "__main__":
    launch, addresses = apps.launch, []

    def launched(blocks):
        """What the scripts import as `launch`: the same, but it returns while the page is up."""
        addresses.append(launch(blocks, server_name="127.0.0.1", prevent_thread_lock=True, quiet=True)[1])

    apps.launch = launched
    for path in sys.argv[1:]:
        runpy.run_path(path, run_name="__main__")
    sys.stdout.write(json.dumps(addresses) + "\n")
    sys.stdout.flush()
    threading.Event().wait()

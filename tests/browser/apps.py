"""Opens the pages of the modules named on the command line in one process, until it is stopped; prints their addresses.

Gradio takes free ports that no outgoing connection has, as a port does that the system chooses.
"""

import json
import sys
import threading

import textgauge
from textgauge import apps

if __name__ == "__main__":
    settings = {"server_name": "127.0.0.1", "prevent_thread_lock": True, "quiet": True}
    addresses = [apps.launch(apps.page(textgauge.path(name)), **settings)[1] for name in sys.argv[1:]]
    sys.stdout.write(json.dumps(addresses) + "\n")
    sys.stdout.flush()
    threading.Event().wait()

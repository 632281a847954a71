"""The process that forks Spark's workers, with what each of them would take seconds to import."""

import os
from contextlib import suppress
from importlib import import_module

from pyspark import daemon

for name in os.environ["IMPORTED_ONCE"].split():
    with suppress(ImportError):
        import_module(name)

if __name__ == "__main__":
    daemon.manager()

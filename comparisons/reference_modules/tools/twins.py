"""What the project's tests have: naive twins of tools that Python has no package of."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

from .tool import Unavailable

TESTS = Path(__file__).parents[3] / "tests"


def of_tests(module: str) -> ModuleType:
    """Import a module of the folder `tests`, which an installation does not have."""
    if not TESTS.is_dir():
        raise Unavailable("outside the project's tree")
    # At the end: a folder there may be called as a package is.
    if str(TESTS) not in sys.path:
        sys.path.append(str(TESTS))
    return import_module(module)

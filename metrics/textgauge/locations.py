"""Where the modules for `evaluate.load` are, in an installed and in an editable textgauge."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from .checks import one_of

METRICS = ("bleu", "rouge", "token_f1")


def path(name: str) -> str:
    """Return a folder that `evaluate.load` takes.

    Examples
    --------
    >>> import os
    >>> os.path.basename(path("bleu"))
    'bleu'
    """
    one_of("name", name, METRICS)
    package = Path(__file__).parent
    # A wheel carries the modules inside the package, a source tree has them beside it.
    folders = (package / "modules_for_load" / name, package.parent / name)
    return str(next(folder for folder in folders if (folder / f"{name}.py").is_file()))


def load(module: str | os.PathLike[str], **options: Any) -> Any:
    """Load one of our modules by name, or any by path, with `evaluate.load`."""
    import evaluate

    is_name = isinstance(module, str) and module in METRICS
    return evaluate.load(path(str(module)) if is_name else os.path.expanduser(os.fspath(module)), **options)

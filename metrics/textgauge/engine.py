"""The kernel in use: the compiled one if it can be imported, else the one in plain Python.

Nothing else chooses. Look the kernel up when you call it, ``engine.kernel.cut(...)``, and never import its
functions by name: then a test runs on plain Python by setting ``engine.kernel = plain``. Both kernels return the
same results, to the last bit.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from . import plain
from .checks import warn_user

if TYPE_CHECKING:
    from . import _kernel as kernel
else:
    try:
        kernel = import_module("._kernel", __package__)
    except ImportError as error:
        kernel = plain
        _reason = "" if isinstance(error, ModuleNotFoundError) else f" It could not be loaded: {error}."

__all__ = ["kernel", "kernel_in_use", "warn_if_plain"]

# Whether `warn_if_plain` has something to say.
must_warn = kernel is plain
_reason: str
_ADVICE = (
    "textgauge runs without its compiled kernel: scores are the same, but take many times longer.{reason} "
    "Install a C++ compiler, then repeat the `pip install` that installed textgauge, with --force-reinstall --no-deps."
)


def kernel_in_use() -> str:
    """Return the kernel in use: "compiled" and how it was built, or "plain Python".

    Examples
    --------
    >>> kernel_in_use().partition(" ")[0] in ("compiled", "plain")
    True
    """
    return "plain Python" if kernel is plain else f"compiled ({kernel.build_info()})"


def warn_if_plain() -> None:
    """Warn once per process if no compiled kernel could be imported, with the remedy."""
    global must_warn
    if must_warn:
        must_warn = False
        warn_user(_ADVICE.format(reason=_reason))

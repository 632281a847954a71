"""The compiled kernel: names, arguments and results are those of `plain`, which explains them."""

from .plain import *  # noqa: F403

def build_info() -> str: ...

"""Options of the command line: those of metrics, those that were given, and how people write them."""

from __future__ import annotations

from typing import Any

import click
from click.core import ParameterSource


class MetricOption(click.Option):
    """A flag that belongs to metrics, so that help lists it with them."""


def given(context: click.Context, flags: dict[str, Any]) -> dict[str, Any]:
    """Return the flags that were on the command line."""
    return {name: v for name, v in flags.items() if context.get_parameter_source(name) is ParameterSource.COMMANDLINE}


def spelled(name: str) -> str:
    """Return a flag as people write it.

    Examples
    --------
    >>> spelled("max_order")
    '--max-order'
    """
    return "--" + name.replace("_", "-")

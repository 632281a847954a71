"""Messages of the program: errors in one line, warnings."""

from __future__ import annotations

import io
import sys
import textwrap
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, redirect_stderr
from typing import Any, NoReturn

import click

from ..checks import Tally, listed, nearest, printable, respelled
from ..options import options_of

# The columns of help.
WIDTH = 80
_QUOTES = "'\""


class InputError(click.ClickException):
    """Input that cannot be scored; the message says where and what was expected."""

    exit_code = 2


class Whole(click.IntRange):
    """A whole number within bounds, which help and errors write as everywhere here: 0 to 17."""

    def _describe_range(self) -> str:
        return described(self)


class Number(click.FloatRange):
    """A number within bounds; see `Whole`."""

    def _describe_range(self) -> str:
        return described(self)


class Choice(click.Choice):  # type: ignore[type-arg]
    """One of some names; those that other tools have for them are answered with ours."""

    def __init__(self, names: Sequence[str], elsewhere: Mapping[str, str]) -> None:
        """Take the names, and those of other tools with ours."""
        super().__init__(names)
        self.elsewhere = elsewhere

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return a name; refuse another."""
        if value in self.elsewhere:
            self.fail(f"{value!r} is {self.elsewhere[value]!r} here", param, ctx)
        return super().convert(value, param, ctx)


def described(bounds: Whole | Number) -> str:
    """Return the bounds of a number in words.

    Examples
    --------
    >>> described(Whole(0, 17)), described(Whole(1)), described(Number(0, min_open=True))
    ('0 to 17', '1 or more', 'above 0')
    """
    low, high = (None if bound is None else f"{bound:,}" for bound in (bounds.min, bounds.max))
    if bounds.min_open:
        return f"above {low}"
    return f"up to {high}" if low is None else f"{low} or more" if high is None else f"{low} to {high}"


def refuse(message: str) -> NoReturn:
    """Raise an error about the command line."""
    raise click.UsageError(printable(message))


def wrapped(text: str, indent: str, later: str | None = None) -> str:
    """Return text as lines of help, the later ones with an indent of their own."""
    lines = textwrap.wrap(" ".join(text.split()), WIDTH, initial_indent=indent,
                          subsequent_indent=indent if later is None else later, break_on_hyphens=False)  # fmt: skip
    return "\n".join(lines) + "\n"


def suggestion(name: str, known: Collection[str]) -> str:
    """Return a question with the names nearest to an unknown one, or all names to choose from."""
    near = nearest(name, known, cutoff=0.7)
    return f"did you mean {listed(near, 'or')}?" if near else f"choose from {', '.join(known)}"


@contextmanager
def refusals(owner: str) -> Iterator[None]:
    """Turn errors of the library about input, options and missing packages into errors of one line."""
    try:
        yield
    except (ArithmeticError, ImportError, OSError, TypeError, ValueError) as error:
        raise InputError(f"{owner}: {error}") from error


@contextmanager
def notices() -> Iterator[None]:
    """Print each warning of the block once, after it succeeds; counts of equal warnings are added."""
    tally = Tally()
    with tally.collecting():
        yield
    for text in tally.texts():
        click.echo(f"textgauge: warning: {printable(respelled(text, _as_typed))}", err=True)


def _as_typed(name: str, value: str) -> str:
    """Return an option of metrics with its value as it is typed; empty for what else a warning mentions."""
    # Imported here: only warnings about options need all metrics.
    from ..accumulation.registry import METRICS

    options = (option for metric in METRICS.values() for option in options_of(metric.options_type))
    if not value or value == "None" or not any(option.name == name for option in options):
        return ""
    flag = name.replace("_", "-")
    switches = {"True": f"--{flag}", "False": f"--no-{flag}"}
    return switches.get(value, f"--{flag} {value.strip(_QUOTES)}")


def bars_on_terminals() -> AbstractContextManager[Any]:
    """Suppress progress bars, those of transformers too, where stderr is not a terminal."""
    return nullcontext() if sys.stderr.isatty() else redirect_stderr(io.StringIO())


def message_of(error: click.ClickException) -> str:
    """Return the line for an error: what is wrong, and the command for help if that may help."""
    text = error.format_message().rstrip(".")
    if not isinstance(error, click.UsageError) or text.endswith("?"):
        return text
    context = error.ctx or click.get_current_context(silent=True)
    return f"{text}. Try '{context.command_path if context else 'textgauge'} --help'"

"""Messages of the program: errors in one line, warnings."""

from __future__ import annotations

import io
import re
import sys
import warnings
from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, redirect_stderr
from typing import Any, NoReturn

import click

from ..checks import CountWarning, message_in, nearest, printable, respelled

_TYPE = re.compile(r" \((?:str|bool|int|float|list|tuple|NoneType|PosixPath)\)")


class InputError(click.ClickException):
    """Input that cannot be scored; the message says where and what was expected."""

    exit_code = 2


def refuse(message: str) -> NoReturn:
    """Raise an error about the command line."""
    raise click.UsageError(printable(message))


def spelled(name: str) -> str:
    """Return a flag as people write it.

    Examples
    --------
    >>> spelled("max_order")
    '--max-order'
    """
    return "--" + name.replace("_", "-")


def listed(names: Collection[str], last: str = "and") -> str:
    """Join names to a list in a sentence.

    Examples
    --------
    >>> listed(["bleu", "chrf", "ter"])
    'bleu, chrf and ter'
    """
    *others, final = names
    return f"{', '.join(others)} {last} {final}" if others else final


def in_flags(text: str, names: Collection[str]) -> str:
    """Spell the options that a text mentions as flags.

    Examples
    --------
    >>> in_flags("use `tokenizer='unicode'`, or `smooth=True` without `rouge_score`", {"tokenizer", "smooth"})
    'use --tokenizer unicode, or --smooth without `rouge_score`'
    """

    def flag(name: str, value: str) -> str:
        if name not in names:
            return ""
        if value in ("", "True"):
            return spelled(name)
        if value in ("False", "None"):
            return spelled(f"no_{name}") if value == "False" else f"no {spelled(name)}"
        bare = value.strip("'\"")
        return f"{spelled(name)} {bare}"

    return respelled(text, flag)


def help_in_flags(text: str, names: Collection[str]) -> str:
    """Spell options as flags in a text for the terminal, which needs no other backticks."""
    return in_flags(text, names).replace("``", '"').replace("`", "")


def line_of(error: Exception, names: Collection[str]) -> str:
    """Return the message of an error of the library, with the flags of options.

    Examples
    --------
    >>> from textgauge.checks import Message
    >>> line_of(ValueError(Message("seed", "None without `confidence`", "3 (int)")), {"seed", "confidence"})
    '--seed cannot be given without --confidence'
    """
    message = message_in(error)
    if message is None:
        argument, colon, text = str(error).partition(": ")
        return in_flags((spelled(argument) if argument in names else argument) + colon + text, names)
    allowed = in_flags(message.allowed.replace(", or None", ""), names)
    got, near, name = _TYPE.sub("", message.got).partition("; did you mean ")
    if message.option not in names:
        return f"{message.argument}: expected {allowed}, got {got}{near}{name}"
    if got == "both":
        return f"{allowed.removeprefix('one of ')} exclude each other"
    if near:
        # A suggestion replaces the list of names.
        return f"{spelled(message.option)}: there is no {got}{near}{name}"
    # An option that must be None in Python must be absent from the command line.
    if absent := re.match(r"(None|none|False)\b", allowed):
        return f"{spelled(message.option)} cannot be given{allowed[absent.end() :]}"
    return f"{spelled(message.option)}: expected {allowed}, got {got}"


@contextmanager
def refusals(owner: str, names: Collection[str] = ()) -> Iterator[None]:
    """Turn errors of the library about input, options and missing packages into errors of one line.

    An error about an option (`names` are all of them) names its flag; any other names its `owner`.
    """
    try:
        yield
    except (ArithmeticError, ImportError, OSError, TypeError, ValueError) as error:
        message = line_of(error, names)
        if message.startswith("--"):
            raise click.UsageError(message) from error
        raise InputError(f"{owner}: {message}") from error


def suggestion(name: str, known: Collection[str]) -> str:
    """Return a question with the names nearest to an unknown one, or all names to choose from."""
    near = nearest(name, known, cutoff=0.7)
    return f"did you mean {listed(near, 'or')}?" if near else f"choose from {', '.join(known)}"


@contextmanager
def notices(names: Collection[str] = ()) -> Iterator[None]:
    """Print each warning of the block once, after it succeeds; counts of equal warnings are added."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        yield
    for text in merged([warning.message for warning in caught]):
        click.echo(f"textgauge: warning: {printable(in_flags(text, names))}", err=True)


def merged(messages: list[Any]) -> list[str]:
    """Merge warnings with the same text; their counts are added.

    Examples
    --------
    >>> merged([CountWarning(2, "texts are empty"), CountWarning(3, "texts are empty"), UserWarning("no")])
    ['5 texts are empty', 'no']
    """
    counts: Counter[str] = Counter()
    for message in messages:
        about, count = (message.about, message.count) if isinstance(message, CountWarning) else (str(message), 0)
        counts[about] += count
    return [f"{count} {text}" if count else text for text, count in counts.items()]


def bars_on_terminals() -> AbstractContextManager[Any]:
    """Suppress progress bars, those of transformers too, where stderr is not a terminal."""
    return nullcontext() if sys.stderr.isatty() else redirect_stderr(io.StringIO())


def message_of(error: click.ClickException) -> str:
    """Return the line for an error: what is wrong, then the nearest name or the command for help."""
    context = getattr(error, "ctx", None) or click.get_current_context(silent=True)
    if isinstance(error, click.NoSuchOption):
        text = f"there is no option {error.option_name}"
        known = list(error.possibilities or ())
        near = [name for name in known if name.startswith(error.option_name)] or nearest(error.option_name, known)[:1]
        if near:
            return f"{text}; did you mean {listed(near, 'or')}?"
    elif isinstance(error, click.BadOptionUsage):
        text = f"{error.option_name} needs a value"
    elif isinstance(error, click.BadParameter) and error.param is not None:
        flag = max(error.param.opts, key=len)
        text = re.sub(r"the range (\S+)<=x<=([^\s.]+)", r"the range from \1 to \2", error.message).rstrip(".")
        text = re.sub(r"the range x>(\S+)", r"the range above \1", text)
        text = f"{flag}: {text}"
    else:
        text = error.format_message().rstrip(".")
    if not isinstance(error, click.UsageError) or text.endswith("?"):
        return text
    return f"{text}. Try '{context.command_path if context else 'textgauge'} --help'"

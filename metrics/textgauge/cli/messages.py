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

from ..checks import CountWarning, nearest, printable

_VALUE = r"'([^']*)'|\"([^\"]*)\"|(True|False|None)|(-?\d+(?:\.\d+)?)"
_TYPE = re.compile(r" \((?:str|bool|int|float|list|tuple|NoneType|PosixPath)\)")
# An option that must be None in Python must be absent from the command line.
_NEAREST = re.compile(r"(--[\w-]+): expected .*, got ('[^']*')(; did you mean .*)", re.DOTALL)
_NOT_GIVEN = re.compile(r"(--[\w-]+): expected (?:None|none|False)\b(.*), got .*", re.DOTALL)


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


def in_flags(message: str, names: Collection[str]) -> str:
    """Rewrite a message of the library with the names of flags.

    Examples
    --------
    >>> in_flags("max_order: expected a number, or smooth=True beside it, got 'x' (str)", {"max_order", "smooth"})
    "--max-order: expected a number, or --smooth beside it, got 'x'"
    >>> in_flags("use tokenizer='unicode'", {"tokenizer"})
    'use --tokenizer unicode'
    >>> in_flags("seed: expected None without `n_resamples`, got 3 (int)", {"seed", "n_resamples"})
    '--seed cannot be given without --n-resamples'
    """
    if not names:
        return message
    # Longer names first: "smooth" begins several.
    name = "|".join(sorted(map(re.escape, names), key=len, reverse=True))
    text = _TYPE.sub("", message).replace(", or None", "")
    text = re.sub(rf"^({name})(?:\[\d+\])?(?=: )", lambda m: spelled(m[1]), text)
    text = re.sub(rf"(?<![\w-])({name})=(?:{_VALUE})", _with_value, text)
    text = re.sub(rf"`({name})`", lambda m: spelled(m[1]), text)
    text = text.replace("``", '"').replace("`", "")
    if text.endswith(", got both"):
        text = re.sub(rf"(?<![\w-])({name})(?![\w-])(?!: )", lambda m: spelled(m[1]), text)
    compound = "|".join(part for part in name.split("|") if "_" in part)
    if compound:
        text = re.sub(rf"(?<![\w-])({compound})(?![\w-])", lambda m: spelled(m[1]), text)
    text = re.sub(r"^--[\w-]+: expected one of (.*) and (--[\w-]+), got both$", r"\1 and \2 exclude each other", text)
    # A suggestion replaces the list of names.
    return _NEAREST.sub(r"\1: there is no \2\3", _NOT_GIVEN.sub(r"\1 cannot be given\2", text))


def _with_value(match: re.Match[str]) -> str:
    quoted = match[2] if match[2] is not None else match[3]
    value = quoted if quoted is not None else match[4] or match[5]
    return {
        "True": spelled(match[1]), "False": spelled(f"no_{match[1]}"), "None": f"no {spelled(match[1])}",
    }.get(value, f"{spelled(match[1])} {value}")  # fmt: skip


@contextmanager
def refusals(owner: str, names: Collection[str] = ()) -> Iterator[None]:
    """Turn errors of the library about input, options and missing packages into errors of one line.

    An error about an option (`names` are all of them) names its flag; any other names its `owner`.
    """
    try:
        yield
    except (ArithmeticError, ImportError, OSError, TypeError, ValueError) as error:
        message = in_flags(str(error), names)
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
        text = f"{flag}: {text}"
    else:
        text = error.format_message().rstrip(".")
    if not isinstance(error, click.UsageError) or text.endswith("?"):
        return text
    return f"{text}. Try '{context.command_path if context else 'textgauge'} --help'"

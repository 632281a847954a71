"""The form of every error (argument, position, what is allowed, what came), checks of values, and warnings."""

from __future__ import annotations

import inspect
import re
import reprlib
import sys
import unicodedata
import warnings
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from itertools import starmap
from operator import index
from typing import Any, NoReturn, TypeVar

_Call = TypeVar("_Call", bound=Callable[..., Any])
SHOWN = 60
# Characters per part of a message; our longest list of names is shorter.
LONGEST_PART = 600
# Text packs to a third or a tenth of its size; a file beyond both limits is treated as a decompression bomb.
MOST_UNPACKED, MOST_TIMES_PACKED = 1 << 30, 20
# The GiB to which --max-unpacked raises the first limit; None: it is not given.
MAX_UNPACKED: ContextVar[float | None] = ContextVar("max_unpacked", default=None)
# Sums of larger values could overflow 64 bits; no text has so many tokens.
LARGEST = 10**12
# The highest order of n-grams: with three numbers per order a row has 24 KB at this order.
MAX_ORDER = 1000
# The square of the beta of an F score must be finite.
MAX_BETA = 1e100
# The scores of all resamples are in memory at once; p-values need no more digits.
MAX_RESAMPLES = 1_000_000
# What other tools call a column or an option of ours.
_NAMES_ELSEWHERE = {
    **dict.fromkeys(
        ("prediction", "preds", "hypothesis", "hypotheses", "hyp", "hyps", "candidates", "sys"), "predictions"
    ),
    **dict.fromkeys(("reference", "ref", "refs", "truth", "targets"), "references"),
    **dict.fromkeys(("source", "src", "srcs"), "sources"),
    **dict.fromkeys(("max_n", "n_gram", "ngram", "ngrams", "ngram_order", "max_ngram_order"), "max_order"),
    "smooth_method": "smoothing",
    "smoothing_function": "smoothing",
    "model_type": "model_id",
}
# What a `Tally` has before the text of a warning that begins with a count.
_COUNTED = "{n} "
_INSIDE = __name__.partition(".")[0] + "."
# Control characters, surrogates, ends of lines and paragraphs.
_UNSAFE_CATEGORIES = ("Cc", "Cs", "Zl", "Zp")
# These change the direction of the text around them.
_DIRECTIONS = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
# A mention of an option in a message: its name, and a value where there is one.
_MENTION = re.compile(r"(?<!`)`(\w+)(?:=([^`]+))?`(?!`)")
# The forms of a word for one and for many.
_FORMS = re.compile(r"\[([^][|]*)\|([^][|]*)\]")
_BOUNDED = reprlib.Repr()
_BOUNDED.maxstring = _BOUNDED.maxother = SHOWN
_BOUNDED.maxlevel = 3


def printable(text: str) -> str:
    r"""Escape characters that control a terminal: control characters, ends of lines, changes of direction.

    Examples
    --------
    >>> print(printable("red \x1b[31m\n"), printable("Größe \u202e"))
    red \x1b[31m\n Größe \u202e
    """
    if text.isprintable():
        return text
    return "".join(map(_printable_character, text))


def _printable_character(character: str) -> str:
    is_safe = unicodedata.category(character) not in _UNSAFE_CATEGORIES and character not in _DIRECTIONS
    return character if is_safe else character.encode("unicode_escape").decode("ascii")


def shown(value: object) -> str:
    """Describe a value in bounded length, with its type."""
    try:
        text = _BOUNDED.repr(value[:SHOWN] if isinstance(value, bytes) else value)
    except Exception:
        # A class may have a broken repr, and Python refuses to print integers of more than 4,300 digits.
        text = object.__repr__(value)
    if len(text) > 2 * SHOWN:
        text = text[: 2 * SHOWN] + "..."
    return printable(f"{text} ({type(value).__name__})")


# What an argument that must be None, or not be given, is told.
_CONFLICTS = {
    "None without ": "has no effect without ", "its default without ": "has no effect without ",
    "None with ": "cannot be given with ", "its default with ": "cannot be given with ",
    "None, since ": "cannot be given, since ",
}  # fmt: skip


class Message(str):
    """The message of an error, with its parts for faces that spell options otherwise.

    Attributes
    ----------
    argument : str
        The name of an argument or an option, and a position where there is one.
    allowed, got : str
        What was allowed, with options in backticks, and what came.
    """

    argument: str
    allowed: str
    got: str

    def __new__(cls, argument: str, allowed: str, got: str) -> Message:
        """Join the parts; an argument that has no effect, or contradicts another, is no bad value."""
        text = f"{argument}: expected {allowed}, got {got}"
        if argument.isidentifier():
            for beginning, sentence in _CONFLICTS.items():
                if allowed.startswith(beginning):
                    text = f"`{argument}` {sentence}{allowed.removeprefix(beginning)}"
        made = super().__new__(cls, text)
        made.argument, made.allowed, made.got = argument, allowed, got
        return made

    def __getnewargs__(self) -> tuple[Any, ...]:
        return self.argument, self.allowed, self.got

    @property
    def option(self) -> str:
        """The name at the start of the argument."""
        return re.split(r"\W", self.argument, maxsplit=1)[0]


def message_in(error: BaseException) -> Message | None:
    """Return the message of an error that `fail` raised, None for others."""
    message = error.args[0] if error.args else None
    return message if isinstance(message, Message) else None


def fail(error: type[Exception], argument: str, allowed: str, got: str) -> NoReturn:
    """Raise `error` with a `Message`, bounded in length and printable, and without the error it replaces, if any."""
    raise error(Message(*map(_bounded, (argument, allowed, got)))) from None


def respelled(text: str, spelling: Callable[[str, str], str]) -> str:
    """Spell the mentions of options in a text otherwise, by a function of name and value ("" for none).

    A mention for which the function returns "" stays as it is.

    Examples
    --------
    >>> respelled("use `smooth=True` without `seed`", lambda name, value: f"--{name}")
    'use --smooth without --seed'
    """
    return _MENTION.sub(lambda mention: spelling(mention[1], mention[2] or "") or mention[0], text)


def _bounded(part: str) -> str:
    part = printable(part[: LONGEST_PART + 1])
    return part if len(part) <= LONGEST_PART else part[:LONGEST_PART] + "..."


def line_to_install(extra: str) -> str:
    """Return the commands that install an extra, for messages.

    Examples
    --------
    >>> print(line_to_install("plot"))
    pip install "textgauge[plot]", or in a clone pip install -e ".[plot]"
    """
    return f'pip install "textgauge[{extra}]", or in a clone pip install -e ".[{extra}]"'


def one_of(argument: str, value: Any, allowed: Iterable[str]) -> str:
    """Return `value` if it is one of the `allowed` names."""
    names = tuple(allowed)
    if not isinstance(value, str):
        fail(TypeError, argument, f"one of {', '.join(map(repr, names))}", shown(value))
    if value not in names:
        fail(ValueError, argument, f"one of {', '.join(map(repr, names))}", shown(value) + did_you_mean(value, names))
    return value


def did_you_mean(value: str, names: Collection[str], before: str = "; ") -> str:
    """Return a question with the nearest of the names in any case, behind what is `before` it; empty if none is near.

    Examples
    --------
    >>> did_you_mean("Flor", ["exp", "floor"])
    "; did you mean 'floor'?"
    """
    near = nearest(value[:SHOWN], names)
    return f"{before}did you mean {near[0]!r}?" if near else ""


def nearest(value: str, names: Collection[str], cutoff: float = 0.6) -> list[str]:
    """Return at most three names that are near in any case, the nearest first; see `difflib.get_close_matches`.

    Of names that differ in case and punctuation alone, only these.

    Examples
    --------
    >>> nearest("ROUGE-L", ["rougeL", "rougeLsum"]), nearest("rougeX", ["rougeL", "rougeS4"])
    (['rougeL'], ['rougeL', 'rougeS4'])
    """
    if same := [name for name in names if _bare(name) == _bare(value)]:
        return same
    # Imported here: difflib takes 6 ms to import.
    from difflib import get_close_matches

    by_lower, wanted = {name.lower(): name for name in names}, value.lower()
    # "meteor" is no misspelt "ter": a name half as long is near only where one holds the other. Nor is "wer": a word of
    # three letters is near only where it begins alike.
    alike = [
        name for name in by_lower
        if (2 * min(len(name), len(wanted)) > max(len(name), len(wanted)) or name in wanted or wanted in name)
        and (len(wanted) > 3 or name[:1] == wanted[:1])
    ]  # fmt: skip
    return [by_lower[near] for near in get_close_matches(wanted, alike, cutoff=cutoff)]


def _bare(name: str) -> str:
    return re.sub(r"[-_. ]", "", name).lower()


def listed(names: Collection[str], last: str = "and") -> str:
    """Join names to a list in a sentence.

    Examples
    --------
    >>> listed(["bleu", "chrf", "ter"])
    'bleu, chrf and ter'
    """
    *others, final = names
    return f"{', '.join(others)} {last} {final}" if others else final


def in_number(count: float, text: str) -> str:
    """Return a text with its forms for one or for many.

    Examples
    --------
    >>> in_number(1, "[text is|texts are] empty"), in_number(2, "[text is|texts are] empty")
    ('text is empty', 'texts are empty')
    """
    return _FORMS.sub(r"\1" if count == 1 else r"\2", text)


def quantity(n: float, unit: str) -> str:
    """Write a number of things.

    Examples
    --------
    >>> [quantity(n, "token") for n in (1, 2, 1234, 1.0, 8.5, 21e6)]
    ['1 token', '2 tokens', '1,234 tokens', '1 token', '8.5 tokens', '21,000,000 tokens']
    """
    text = f"{n:,}"
    if isinstance(n, float):
        # Six digits of a mean, all of a whole number.
        text = f"{n:,.{max(0, 6 - len(f'{n:.0f}'))}f}"
        text = text.rstrip("0").rstrip(".") if "." in text else text
    return in_number(n, f"{text} {unit}[|s]")


def by_keyword(*names: str) -> Callable[[_Call], _Call]:
    """Raise TypeError where one of `names` is given by position, or is required and missing; the error shows the call.

    Python's own error names no argument, and may show a function that is not public.
    """

    def decorate(call: _Call) -> _Call:
        parameters = inspect.signature(call).parameters
        places = [name for name, about in parameters.items() if about.kind is about.POSITIONAL_OR_KEYWORD]
        needed = [name for name in names if parameters[name].default is inspect.Parameter.empty]
        words = ", ".join([*(name for name in places if name != "self"), *(f"{name}=..." for name in names)])
        written = f"as in {call.__qualname__.removesuffix('.__init__').rpartition('.')[2]}({words})"

        @wraps(call)
        def checked(*columns: Any, **by_name: Any) -> Any:
            if len(columns) > len(places):
                fail(TypeError, names[0], f"a keyword, {written}", shown(columns[len(places)]))
            for name in needed:
                if name not in by_name:
                    fail(TypeError, name, f"a value, {written}", "none")
            return call(*columns, **by_name)

        return checked  # type: ignore[return-value]

    return decorate


metric_by_keyword = by_keyword("metric")


def refuse_places(given: tuple[Any, ...], call: str, *names: str) -> None:
    """Raise TypeError for positional arguments of a method that `evaluate` copies, so that it cannot be wrapped."""
    if given:
        words = ", ".join(f"{name}=..." for name in names)
        fail(TypeError, names[0], f"a keyword, as in {call}({words})", shown(given[0]))


def without_places(call: _Call) -> _Call:
    """Remove positional arguments that are accepted only to be refused from the signature that editors show."""
    own = inspect.signature(call)
    parameters = [about for about in own.parameters.values() if about.kind is not about.VAR_POSITIONAL]
    call.__signature__ = own.replace(parameters=parameters)  # type: ignore[attr-defined]
    return call


class CountWarning(UserWarning):
    """A warning that begins with a count.

    Attributes
    ----------
    count : int
    about : str
        The text after the count, as for `in_number`; warnings of several batches with the same text are merged.
    """

    def __init__(self, count: int, about: str) -> None:
        """Put the count before the text."""
        super().__init__(f"{count} {in_number(count, about)}")
        self.count, self.about = count, about

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.count, self.about)


def warn_user(text: str | Warning) -> None:
    """Warn with the location of the line that called into the package."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and f"{frame.f_globals.get('__name__', '')}.".startswith(_INSIDE):
        frame, level = frame.f_back, level + 1
    if isinstance(text, Warning):
        warnings.warn(text, stacklevel=level)
    else:
        warnings.warn(printable(text), stacklevel=level)


class Tally:
    """The warnings of the parts of a call, each once; the counts of a `CountWarning` are added.

    Attributes
    ----------
    counts : Counter of str
        How often each text came; of a `CountWarning` the sum of its counts, with `_COUNTED` before its text.

    Examples
    --------
    >>> tally = Tally()
    >>> for n in (1, 2):
    ...     with tally.collecting():
    ...         warnings.warn(CountWarning(n, "[text|texts] left"))
    ...         warnings.warn("no more")
    >>> tally.texts()
    ['3 texts left', 'no more']
    """

    def __init__(self, counts: Mapping[str, int] = {}) -> None:
        """Start with the warnings of other tallies."""
        self.counts = Counter(counts)
        self._told: set[str] = set()

    @contextmanager
    def collecting(self) -> Iterator[None]:
        """Add the warnings of a block, if it succeeds; those of other classes pass: they have filters of their own."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", UserWarning)
            yield
        for warning in caught:
            message = warning.message
            if isinstance(message, CountWarning):
                self.counts[_COUNTED + message.about] += message.count
            elif warning.category is UserWarning:
                self.counts[str(message)] += 1
            else:
                warnings.warn_explicit(message, warning.category, warning.filename, warning.lineno)

    def texts(self) -> list[str]:
        """Return the warnings in the order in which they came first."""
        return [*map(str, starmap(_warning, self.counts.items()))]

    def warn(self) -> None:
        """Raise the warnings, in the order of their texts."""
        for text, count in sorted(self.counts.items()):
            warn_user(_warning(text, count))

    def warn_of_new(self) -> None:
        """Raise the warnings that were not raised before, with "some" in place of a count, which may grow.

        Python forgets its own record of them whenever `warnings.catch_warnings` is entered.
        """
        for text in self.counts:
            if text not in self._told:
                self._told.add(text)
                warn_user(in_number(0, text.replace(_COUNTED, "some ", 1)) if text.startswith(_COUNTED) else text)


def _warning(text: str, count: int) -> str | CountWarning:
    return CountWarning(count, text.removeprefix(_COUNTED)) if text.startswith(_COUNTED) else text


def refuse_unknown(
    names: Iterable[str], known: Collection[str], owner: str, spelled: str = "{}", elsewhere: Mapping[str, str] = {}
) -> None:
    """Raise TypeError for the first name that is not an option of `owner`; the message lists the nearest, or all.

    `elsewhere` has the known names of options by those that they have elsewhere.
    """
    for name in names:
        if name not in known:
            near = nearest_options(name, known, elsewhere)
            listed = f"nearest: {', '.join(near)}" if near else ", ".join(known)
            allowed = f"an option of {owner} ({listed})" if known else f"columns alone, since {owner} takes no options"
            fail(TypeError, spelled.format(name), allowed, "an unknown keyword")


def nearest_options(
    name: str, known: Collection[str], elsewhere: Mapping[str, str] = {}, cutoff: float = 0.6
) -> list[str]:
    """Return the option that other tools call by this name, else the options with similar names.

    `elsewhere` maps more names of other tools to options.

    Examples
    --------
    >>> nearest_options("smooth_method", ["smooth_value", "smoothing"])
    ['smoothing']
    """
    ours = elsewhere.get(name, _NAMES_ELSEWHERE.get(name, ""))
    return [ours] if ours in known else nearest(name, known, cutoff)


def refuse_without_effect(given: Mapping[str, Any], without_effect: Mapping[str, str]) -> None:
    """Raise ValueError for the first option that has no effect; `without_effect` maps options to what they need."""
    for name, needed in without_effect.items():
        if given.get(name) is not None:
            fail(ValueError, name, f"None {needed}", shown(given[name]))


def checked_name(name: Any) -> str | None:
    """Return the name that a score has in logs, or None for its own; raise for another value."""
    if name is not None and (not isinstance(name, str) or not name.strip()):
        fail(TypeError, "name", "a str with text, or None for the name of the score", shown(name))
    return name


def has_elements(value: Any) -> bool:
    """Return whether a value has elements to go through: an array of NumPy without an axis has none."""
    return isinstance(value, Iterable) and getattr(value, "ndim", 1) != 0


def flag(argument: str, value: Any) -> bool:
    """Return `value` if it is a bool."""
    if not isinstance(value, bool):
        fail(TypeError, argument, "True or False", shown(value))
    return value


def whole_number(argument: str, value: Any, at_least: int = 0, at_most: float = LARGEST) -> int:
    """Return `value` if it is a whole number within the bounds."""
    allowed = f"a whole number of at least {at_least}"
    if isinstance(value, bool):
        fail(TypeError, argument, allowed, shown(value))
    try:
        result = index(value)
    except TypeError:
        fail(TypeError, argument, allowed, shown(value))
    if result < at_least:
        fail(ValueError, argument, allowed, shown(value))
    if result > at_most:
        fail(ValueError, argument, f"a whole number of at most {at_most:,}", shown(value))
    return result


def positive_int(argument: str, value: Any, at_most: int = LARGEST) -> int:
    """Return `value` if it is a whole number from 1 to `at_most`."""
    return whole_number(argument, value, 1, at_most)


def within(
    argument: str, value: Any, low: float | None, high: float | None, allowed: str, *, is_open: bool = False
) -> float:
    """Return `value` as a float if it is a finite number within the bounds, which are excluded if `is_open`."""
    result = real_number(argument, value, allowed)
    if not (float("-inf") < result < float("inf")):
        fail(ValueError, argument, allowed if is_open else allowed.replace("a number", "a finite number"), shown(value))
    if low is not None and (result <= low if is_open else result < low):
        fail(ValueError, argument, allowed, shown(value))
    if high is not None and (result >= high if is_open else result > high):
        names_bound = is_open or f"to {high:g}" in allowed
        hint = as_share(result) if high == 1 else ""
        fail(ValueError, argument, allowed if names_bound else f"a number of at most {high:g}", shown(value) + hint)
    return result


def as_share(value: float) -> str:
    """Return the end of a message about a number above 1 that may be a percentage; empty for others.

    Nor is it said that 100 percent is 1, which most shares exclude.

    Examples
    --------
    >>> as_share(95), as_share(100), as_share(150)
    ('; 95 percent is 0.95', '', '')
    """
    return f"; {value:g} percent is {value / 100:g}" if 5 <= value < 100 else ""


def real_number(argument: str, value: Any, allowed: str) -> float:
    """Return `value` as a float if it is a number that a float can hold."""
    if isinstance(value, bool) or not hasattr(type(value), "__float__"):
        fail(TypeError, argument, allowed, shown(value))
    try:
        return float(value)
    except (OverflowError, ValueError):
        fail(ValueError, argument, f"{allowed} that a float can hold", shown(value))
    except TypeError:
        # An array of several numbers has the method too.
        fail(TypeError, argument, allowed, shown(value))


def non_negative_float(argument: str, value: Any) -> float:
    """Return `value` as a float if it is a finite number of at least 0."""
    result = real_number(argument, value, "a number of at least 0")
    if not 0 <= result < float("inf"):
        fail(ValueError, argument, "a finite number of at least 0", shown(value))
    return result

"""Options of metrics, each declared once: a dataclass field with type, default, rule and one sentence.

The declarations generate the keywords and docstrings of the accumulator and of the one-call function, the keywords of
the `evaluate` module, the flags of the command line, the inputs of the pages, and the table in the card.
"""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, replace
from functools import cache, partial
from types import NoneType
from typing import Any, ClassVar, Literal, TypeVar, get_args, get_origin, get_type_hints

from .checks import LARGEST, MAX_RESAMPLES, did_you_mean, fail, flag, refuse_unknown, shown, whole_number, within
from .lazy import lazy

_Options = TypeVar("_Options", bound="Options")
# The kind of value of an option; the kinds of the first line follow from the type of the field.
Kind = Literal[
    "flag", "choice", "whole", "number", "numbers", "names",
    "tokenizer", "normalizer", "replacements", "words", "folder", "model", "text", "texts", "groups", "labels",
    "python",
]  # fmt: skip
Change = Literal["scores", "options", "warnings", "result", "machine"]
_DOC_WIDTH = 90


@dataclass(frozen=True)
class Option:
    """One option.

    Attributes
    ----------
    name : str
        The keyword in Python; the flag of the command line has hyphens.
    default : object
    help : str
        One sentence.
    kind : str
        The kind of value: "flag", "choice", "whole" or "number"; "numbers" or "names", a list;
        "tokenizer" or "normalizer", a name or a callable; "replacements", a file with two columns
        or a dict; "words", a file or a list; "folder", a path; "model", a name or a path; "text";
        "texts", a column of texts; "groups", a column of lists of texts; "labels", a column of texts
        or numbers; "python", an object that only Python has.
    choices : tuple of str
        The names that a "choice" takes, and a "flag" as well as True and False.
    may_be_none : bool
    at_least, at_most : float or None
        The bounds of a number, which are excluded if `is_open`: `at_least=0, is_open=True` is any greater than 0.
    is_open : bool
    none_means : str
        The meaning of None as the default.
    changes : "scores", "options", "warnings", "result" or "machine"
        What its value changes: the scores; other options, which then determine the scores; the warnings alone; what
        stands beside the scores, so that the option has no effect where scores alone are returned; or what may be done
        on this machine, which no visitor of a page decides.
    on_page : bool
        Whether a page shows it among the common options.
    of_several : bool
        Whether it says what becomes of several references, and has no effect on pairs of texts.
    named : tuple of str
        The names of tokenizers or normalizers that it takes; empty if it takes those of every metric.
    is_quiet : bool
        Whether the settings of a metric, and so its signature, leave it out while it is not set.
    """

    name: str
    default: Any
    help: str
    kind: Kind
    choices: tuple[str, ...]
    may_be_none: bool
    at_least: float | None = None
    at_most: float | None = None
    is_open: bool = False
    none_means: str = ""
    changes: Change = "scores"
    on_page: bool = False
    of_several: bool = False
    named: tuple[str, ...] = ()
    is_quiet: bool = False

    @property
    def allowed(self) -> str:
        """The allowed values, for messages."""
        low, high = self.at_least, self.at_most
        allowed = {
            "flag": "True or False",
            "choice": "",
            "whole": _range("a whole number", low, high),
            "number": _open_range("a number", low, high) if self.is_open else _range("a number", low, high),
            "names": "a name or a list of names",
            "numbers": "a list of numbers",
            "tokenizer": "the name of a tokenizer or a callable str -> list",
            "normalizer": "the name of a normalizer or a callable str -> str",
            "replacements": "a file with two columns, or a dict of texts",
            "words": "a file with one word a line, or a list of words",
            "folder": "the path of a folder",
            "model": "the name or path of a model",
            "text": "a str",
            "texts": "a list of texts",
            "groups": "a list of lists of texts",
            "labels": "a list of texts or numbers",
            "python": "an object",
        }[self.kind]
        names = f"one of {', '.join(map(repr, self.choices))}" if self.choices else ""
        if self.kind == "flag" and self.choices:
            return f"True, False or {' or '.join(map(repr, self.choices))}"
        return " or ".join(filter(None, (allowed, names))) + (", or None" if self.is_open and self.may_be_none else "")

    def checked(self, value: Any) -> Any:
        """Return a value in plain form; raise TypeError or ValueError for one that is not allowed."""
        if value is None and self.may_be_none:
            return None
        if self.kind == "flag" and not self.choices:
            return flag(self.name, value)
        if self.kind in ("flag", "choice"):
            return self._checked_choice(value)
        if self.kind == "whole":
            return whole_number(self.name, value, int(self.at_least or 0), self.at_most or LARGEST)
        if self.kind == "number":
            return within(self.name, value, self.at_least, self.at_most, self.allowed, is_open=self.is_open)
        return (value,) if self.kind == "names" and isinstance(value, str) else value

    def value_of(self, typed: Sequence[Any]) -> Any:
        """Return the value that texts stand for, unchecked: the last of them, or all of a list; others as they are.

        Examples
        --------
        >>> Option("order", 3, "", "whole", (), False).value_of(["2"])
        2
        >>> Option("types", None, "", "names", (), True).value_of(["a,b", "c"])
        ['a', 'b', 'c']
        """
        last = typed[-1]
        if not isinstance(last, str) or (last == "None" and self.may_be_none):
            return None if last == "None" else last
        if self.kind == "flag" and last.lower() in ("true", "false"):
            return last.lower() == "true"
        parts = [part.strip() for text in typed for part in text.split(",") if part.strip()]
        try:
            if self.kind in ("names", "numbers"):
                return parts if self.kind == "names" else list(map(float, parts))
            return {"whole": int, "number": float}.get(self.kind, str)(last)
        except ValueError:
            # The check refuses the text, and says what is allowed.
            return last

    def _checked_choice(self, value: Any) -> Any:
        if isinstance(value, bool) and self.kind == "flag":
            return value
        if not isinstance(value, str):
            fail(TypeError, self.name, self.allowed, shown(value))
        if value not in self.choices:
            fail(ValueError, self.name, self.allowed, shown(value) + did_you_mean(value, self.choices))
        return value

    @property
    def type_name(self) -> str:
        """Its type, for help.

        Examples
        --------
        >>> [one.type_name for one in options_of(Reports)][:3]
        ['bool', 'bool', 'bool']
        """
        names = {
            "flag": "bool", "choice": "", "whole": "int", "number": "float", "numbers": "sequence of float",
            "names": "str or sequence of str", "tokenizer": "str or callable str -> list",
            "normalizer": "str or callable str -> str", "replacements": "path or dict of str",
            "words": "path or collection of str", "folder": "path",
            "model": "str or path", "text": "str", "texts": "sequence of str",
            "groups": "sequence of lists of str", "labels": "sequence of str or int", "python": "object",
        }  # fmt: skip
        parts = [names[self.kind], *(f'"{choice}"' for choice in self.choices), "None" if self.may_be_none else ""]
        return " or ".join(filter(None, (", ".join(filter(None, parts[:-1])), parts[-1])))

    @property
    def shown_default(self) -> str:
        """The default of the option, for help."""
        if self.default is None and self.none_means:
            return f"None ({self.none_means})"
        return f'"{self.default}"' if isinstance(self.default, str) else repr(self.default)


def _range(noun: str, low: float | None, high: float | None) -> str:
    if low is None:
        return noun
    is_bounded = high is not None and high < LARGEST
    return f"{noun} from {low:g} to {high:g}" if is_bounded else f"{noun} of at least {low:g}"


def _open_range(noun: str, low: float | None, high: float | None) -> str:
    if low is None or high is None:
        ends = (("greater than", low), ("less than", high))
        return " ".join([noun, *(f"{word} {end:g}" for word, end in ends if end is not None)])
    return f"{noun} between {low:g} and {high:g}"


def option(
    default: Any,
    help: str,  # noqa: A002
    *,
    kind: Kind | None = None,
    at_least: float | None = None,
    at_most: float | None = None,
    is_open: bool = False,
    none_means: str = "",
    changes: Change = "scores",
    on_page: bool = False,
    of_several: bool = False,
    named: Iterable[str] = (),
    is_quiet: bool = False,
) -> Any:
    """Declare an option as a field of a dataclass; see `Option`."""
    about = {
        "help": help, "kind": kind, "at_least": at_least, "at_most": at_most, "is_open": is_open,
        "none_means": none_means, "changes": changes, "on_page": on_page, "of_several": of_several,
        "named": tuple(named), "is_quiet": is_quiet,
    }  # fmt: skip
    return field(default=default, metadata=about)


def fixed(value: Any) -> Any:
    """Declare that a subclass of options has one of them set to a value, and does not offer it."""
    return field(default=value, metadata={"is_fixed": True})


@dataclass(frozen=True)
class Options:
    """Options, checked one by one and then together.

    The docstring of a subclass has remarks on its options for every face; `python_remarks` has those that
    the command line leaves out; `none_means` what None means here for options that a base class declares;
    `defaults_for` the defaults that differ for one use: "one score", for calls that return a single score of a metric
    with several; "reward"; and "summary", for tables that show all that the metric has.
    """

    python_remarks: ClassVar[str] = ""
    none_means: ClassVar[Mapping[str, str]] = {}
    defaults_for: ClassVar[Mapping[str, Mapping[str, Any]]] = {}

    def __post_init__(self) -> None:
        """Check every option that is not its default, then their combination."""
        for option in options_of(type(self)):
            value = getattr(self, option.name)
            if value is not option.default:
                object.__setattr__(self, option.name, self.checked_value(option, value))
        self.check()

    def checked_value(self, option: Option, value: Any) -> Any:
        """Return the value of an option in plain form; raise for one that is not allowed."""
        return option.checked(value)

    def check(self) -> None:
        """Raise for invalid combinations of options; set options that others imply."""

    def _set(self, name: str, value: Any) -> None:
        """Set an option during the check."""
        object.__setattr__(self, name, value)

    @property
    def of_segments(self) -> Any:
        """The options with which single segments are scored; these, unless a metric changes them."""
        return self

    def chosen(self) -> dict[str, Any]:
        """Return the options that determine the scores, by name."""
        options = [option for option in options_of(type(self)) if option.changes == "scores"]
        chosen = {option.name: getattr(self, option.name) for option in options}
        unset = {option.name for option in options if option.is_quiet and chosen[option.name] == option.default}
        return {name: value for name, value in chosen.items() if name not in unset}


@dataclass(frozen=True)
class Reports(Options):
    """Additions to a result."""

    per_segment: bool = option(False, "Add the scores of every segment, as lists under keys that start with segment_.")
    signature: bool = option(False, "Add the signature: one line that says exactly what was computed.")
    counts: bool = option(False, "Add the counts behind the scores, summed over segments.")
    confidence: float | None = option(
        None, "Add bootstrap confidence intervals; 0.95 for 95 percent.", at_least=0, at_most=1, is_open=True,
        none_means="no intervals",
    )  # fmt: skip
    n_resamples: int | None = option(
        None, "Number of bootstrap resamples.", at_least=1, at_most=MAX_RESAMPLES,
        none_means="1000",
    )  # fmt: skip
    seed: int | None = option(None, "Seed of the bootstrap.", at_least=0, at_most=float("inf"), none_means="12345")
    unit: Any = option(
        None, "A label for every segment, such as its document: segments of one label are drawn together.",
        kind="labels", none_means="each alone",
    )  # fmt: skip

    def without_effect(self) -> dict[str, str]:
        """Return the options that have no effect, and what they need."""
        needed = "without `confidence`"
        return {} if self.confidence is not None else dict.fromkeys(("n_resamples", "seed", "unit"), needed)

    @lazy
    def has_additions(self) -> bool:
        """Whether any of the additions that every metric has is asked for."""
        return self.per_segment or self.signature or self.counts or self.confidence is not None

    @lazy
    def needs_segments(self) -> list[str]:
        """The options that need the rows of all segments: their results are not functions of the sum."""
        return [name for name in ("per_segment", "confidence") if getattr(self, name)]


def options_of(options_type: type[Options]) -> tuple[Option, ...]:
    """Return the options that a class declares, in order."""
    return _options_of(options_type)  # type: ignore[arg-type]


@cache
def _options_of(options_type: type[Options]) -> tuple[Option, ...]:
    types = get_type_hints(options_type)
    offered = [field for field in fields(options_type) if "is_fixed" not in field.metadata]
    declared = [_declared(field.name, types[field.name], field.default, field.metadata) for field in offered]
    return tuple(
        replace(option, none_means=options_type.none_means.get(option.name, option.none_means)) for option in declared
    )


def _declared(name: str, type_of: Any, default: Any, about: Mapping[str, Any]) -> Option:
    if default is MISSING or "help" not in about:
        raise TypeError(f"{name}: declare it as `{name}: type = option(default, help)`")
    is_literal = get_origin(type_of) is Literal
    parts = [type_of] if is_literal or not get_args(type_of) or get_origin(type_of) is Sequence else get_args(type_of)
    choices = tuple(choice for part in parts if get_origin(part) is Literal for choice in get_args(part))
    about = dict(about)
    about["kind"] = about["kind"] or _kind_of([part for part in parts if part is not NoneType], name)
    return Option(name, default, choices=choices, may_be_none=NoneType in parts, **about)


def _kind_of(parts: Sequence[Any], name: str) -> Kind:
    by_type: dict[Any, Kind] = {
        bool: "flag", int: "whole", float: "number", Sequence[float]: "numbers", Sequence[str]: "names",
    }  # fmt: skip
    for part in parts:
        if part in by_type:
            return by_type[part]
    if all(get_origin(part) is Literal for part in parts):
        return "choice"
    raise TypeError(f"{name}: say what it takes with option(..., kind=...)")


def read(options_type: type[_Options], values: Mapping[str, Any], owner: str, spelled: str = "{}") -> _Options:
    """Return options with the given values; refuse an unknown name, with the nearest."""
    refuse_unknown(values, [option.name for option in options_of(options_type)], owner, spelled)
    return options_type(**values)


def may_be_cached(options_type: type[Options], given: Mapping[str, Any]) -> bool:
    """Return whether all values are immutable and equal exactly; not if one names a file, which may change."""
    if _FIXED.issuperset(map(type, given.values())):
        return True
    value_kinds = kinds_of(options_type)  # type: ignore[arg-type]
    # Without a generator: for every single pair.
    for name, value in given.items():  # noqa: SIM110
        if type(value) not in _FIXED and not _is_fixed(value, value_kinds.get(name)):
            return False
    return True


def _is_fixed(value: Any, kind: str | None) -> bool:
    if type(value) is str:
        return kind not in ("replacements", "words", "folder", "texts")
    if type(value) in (tuple, frozenset):
        return kind not in ("texts", "labels") and _IN_TUPLES.issuperset(map(type, value))
    return False


# The types of which every value may be cached.
_FIXED = frozenset((bool, int, float, type(None)))
_IN_TUPLES = frozenset((str, int, float))


@cache
def kinds_of(options_type: type[Options]) -> dict[str, str]:
    """Return the kind of every option by its name."""
    return {option.name: option.kind for option in options_of(options_type)}


def described(*types: type[Options]) -> str:
    """Format the options as the "Parameters" of a docstring.

    Examples
    --------
    >>> print(described(Reports).partition("counts :")[0].rstrip())
    per_segment : bool, default False
        Add the scores of every segment, as lists under keys that start with segment_.
    signature : bool, default False
        Add the signature: one line that says exactly what was computed.
    """
    return "\n".join(map(_described, _every(types)))


@cache
def _described(option: Option) -> str:
    # A line of its own, however long: what follows is the meaning for everything that reads the format.
    head = f"{option.name} : {option.type_name}, default {option.shown_default}"
    return "\n".join(
        [head, *textwrap.wrap(meaning(option), _DOC_WIDTH, initial_indent="    ", subsequent_indent="    ")]
    )


def meaning(option: Option) -> str:
    """Return the sentence of an option, with its bounds where they say more."""
    bounds = _range("", option.at_least, option.at_most).strip() if option.kind in ("whole", "number") else ""
    has_news = bounds and not option.is_open and not bounds.startswith("of at least 0") and option.name != "n_resamples"
    return option.help + (f" {bounds[0].upper()}{bounds[1:]}." if has_news else "")


def table(*types: type[Options], left_out: Collection[str] = ()) -> str:
    """Format the options as the table of a card, in Markdown; the card itself has the notes."""
    rows = ["| option | type | default | meaning |", "|---|---|---|---|"]
    for option in _every(types):
        if option.name in left_out:
            continue
        means = meaning(option).replace("; see the notes", "")
        cells = (f"`{option.name}`", option.type_name.replace('"', "`"), option.shown_default.replace('"', "`"), means)
        rows.append(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |")
    return "\n".join(rows)


def arguments(*types: type[Options], left_out: Collection[str] = (), indent: str = "    ") -> str:
    """Format the options as the "Args" of the docstring of an `evaluate` module."""
    wrapper = textwrap.TextWrapper(110, indent, 2 * indent, break_on_hyphens=False)
    every = (option for option in _every(types) if option.name not in left_out)
    texts = (
        f"{option.name} ({option.type_name}, default {option.shown_default}): {meaning(option)}" for option in every
    )
    return "\n".join(map(wrapper.fill, texts))


def keyword_signature(*types: type[Options], first: Sequence[inspect.Parameter] = ()) -> inspect.Signature:
    """Return the signature of a callable with these options as keywords."""
    keyword = partial(inspect.Parameter, kind=inspect.Parameter.KEYWORD_ONLY)
    return inspect.Signature([*first, *(keyword(option.name, default=option.default) for option in _every(types))])


def remarks_on(*types: type[Options], for_python: bool = True) -> str:
    """Return the docstrings of the classes, remarks beyond one sentence per option, and their `python_remarks`."""
    own = [options_type for options_type in types if options_type not in (Options, Reports)]
    remarks = [(inspect.cleandoc(options_type.__doc__ or ""), options_type.python_remarks) for options_type in own]
    return "\n\n".join(part for both in remarks for part in both[: 1 + for_python] if part)


def documented(target: Any, text: str, *types: type[Options], first: Sequence[inspect.Parameter] = ()) -> None:
    """Document the options of a class or function that takes them as ``**options``.

    Parameters
    ----------
    target : class or function
    text : str
        Its docstring, with the placeholders ``{options}`` and ``{notes}``.
    types : classes of options
    first : parameters before the options
    """
    notes, text = remarks_on(*types), inspect.cleandoc(text).replace("{options}", described(*types))
    target.__doc__ = text.replace(*("{notes}", notes) if notes else ("Notes\n-----\n{notes}\n\n", ""))
    target.__signature__ = keyword_signature(*types, first=first)


def _every(types: Sequence[type[Options]]) -> list[Option]:
    return [option for options_type in types for option in options_of(options_type)]

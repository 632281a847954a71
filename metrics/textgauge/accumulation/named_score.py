"""A score with its options, one value, read from and written as ``chrf(word_order=2)``: what every face takes."""

from __future__ import annotations

import ast
import os
import re
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from typing import Any, NoReturn, TypeAlias

from ..checks import fail, message_in, printable, refuse_unknown, refuse_without_effect, shown
from ..lazy import lazy
from ..locations import OF_SETS
from ..metric.metric import Metric, refuse_beside_scores
from ..options import Options, options_of
from .accumulator import Accumulator, accumulator_of
from .functions import Call, call_of
from .registry import METRICS, metric_of_samples, name_here, names_of_scores
from .running import unsummed

# Values whose check needs no other option.
_CHECKED_ALONE = ("flag", "choice", "whole", "number", "names")
_PLAIN = (str, int, float, bool, type(None))
# Characters of a text, and of a value as it is written.
_LONGEST, _LONGEST_VALUE = 100_000, 1000
_FORM = "options in brackets, as in chrf(word_order=2)"
_BY_NAME = "an option by its name, as in chrf(word_order=2)"
# A value that keeps all that it says where its marks and brackets become "_": a word, or a list of words without "_".
_WORDS = re.compile(r"""(["']?)[\w.-]+\1|\[(["']?)[^\W_]+\2(, (["']?)[^\W_]+\4)*]""")
# A word or a path that stands where a value does, behind strings, which are left as they are.
_BARE = re.compile(r"""("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|((?<=[=,[(])\s*)([\w.~/][\w.~/+-]*)(?=\s*[],)])""")
_CONSTANTS = {"true": "True", "false": "False", "none": "None"}
_ALLOWED = "text such as 'chrf(word_order=2)', or an object such as textgauge.Chrf(word_order=2)"


class NamedScore:
    """A metric, or one of its scores, with options that differ from the defaults: a value that can be hashed.

    Parameters
    ----------
    name : str
        That of a metric, such as "rouge", or of one of its scores, such as "rougeL".
    options : mapping
        Of the metric, and with `has_reports` of its `score`.
    has_reports : bool
    argument : str
        The name in messages.
    places : mapping
        The numbers of characters in a text at which options stand, for messages.
    paired : bool
        Whether messages list only metrics that have references.
    takes_samples : bool
        Whether it may be a metric of two samples of texts.

    Attributes
    ----------
    name : str
    options : dict
        Those that differ from the defaults, in the order of their definition.
    given : mapping
        The options as they were given, defaults among them.
    metric : class
    fixed : mapping
        The options that the name implies.

    Raises
    ------
    TypeError, ValueError
        If the name or an option is unknown, or a value is not allowed; the message says where.

    Examples
    --------
    >>> score = NamedScore.of('chrf(beta=2, word_order=2)')
    >>> str(score), score == NamedScore("chrf", {"word_order": 2}), score.key
    ('chrf(word_order=2)', True, 'chrf')
    """

    def __init__(
        self, name: str, options: Mapping[str, Any] = {}, *, has_reports: bool = False, argument: str = "metric",
        places: Mapping[str, int] = {}, paired: bool = False, takes_samples: bool = False,
    ) -> None:  # fmt: skip
        self.name = name
        self.metric, self._key, self.fixed = _found(name, argument, paired=paired, takes_samples=takes_samples)
        self.options: dict[str, Any] = {}
        self.given = options
        if options:
            self._set(options, has_reports, argument, places)

    def _set(self, given: Mapping[str, Any], has_reports: bool, argument: str, places: Mapping[str, int]) -> None:
        options_type = self.metric.options_type
        names = [*_known(self, has_reports=has_reports)]
        known = [
            option
            for of in (options_type, self.metric.reports_type)
            for option in options_of(of)
            if option.name in names
        ]
        for name in given:
            spelled = f"{argument}, character {places[name]}, {{}}" if name in places else "{}"
            refuse_unknown([name], names, self.name, spelled)
        checks = options_type.checked_value is Options.checked_value
        for option in (option for option in known if option.name in given):
            value = given[option.name]
            try:
                value = option.checked(value) if checks and option.kind in _CHECKED_ALONE else value
            except (TypeError, ValueError) as error:
                message = message_in(error)
                if message is None or option.name not in places:
                    raise
                where = f"{argument}, character {places[option.name]}, {message.argument}"
                fail(type(error), where, message.allowed, message.got)
            if not _same(value, option.default):
                self.options[option.name] = value

    @classmethod
    def of(cls, value: Any, argument: str = "metric", shared: Mapping[str, Any] = {}, **about: Any) -> NamedScore:
        """Return the value that a text or an object stands for; its own options come before `shared` ones."""
        name, given, places = read(value, argument)
        return cls(name, {**shared, **given} if shared else given, argument=argument, places=places, **about)

    def __str__(self) -> str:
        return self.name + self.brackets

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self}>"

    @lazy
    def brackets(self) -> str:
        """The options as they are written behind the name; empty if all are the defaults."""
        parts = [f"{name}={_written(value)}" for name, value in self.options.items()]
        return f"({', '.join(parts)})" if parts else ""

    @property
    def plain_name(self) -> str:
        """The name with its options as words, for logs that take no brackets: chrf_word_order_2.

        Where a value has other signs, as a pattern has, eight digits of a hash tell it from another of the same words.
        """
        plain = re.sub(r"[^\w.-]+", "_", str(self)).strip("_")
        signs = [text for value in self.options.values() if (text := _literal(value)) and not _WORDS.fullmatch(text)]
        # Imported here: few calls need it.
        from hashlib import sha256

        return f"{plain}_{sha256(repr(signs).encode()).hexdigest()[:8]}" if signs else plain

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, NamedScore)
            and (self.name, [*self.options]) == (other.name, [*other.options])
            and all(map(_same, self.options.values(), other.options.values()))
        )

    def __hash__(self) -> int:
        return hash((self.name, *self.options))

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickled, (self.name, self.options)

    @property
    def is_metric(self) -> bool:
        """Whether it names a metric, with all scores that this has, rather than one of them."""
        return self.name == self.metric.name

    @property
    def key(self) -> str:
        """The key of the one score that is named: of a metric with several that of the headline.

        Raises
        ------
        ValueError
            If several scores have the name.
        """
        if self._key:
            return self._key
        keys = self.start().metric.scores.keys if self.options else ()
        if len(keys) != 1:
            fail(ValueError, "metric", f"one score of {self.name}: {names_of_scores([self.metric])}", shown(str(self)))
        return keys[0]

    @property
    def has_several(self) -> bool:
        """Whether it names several scores, none of which has the name of the metric."""
        return not self._key

    def start(self, *, scores_alone: bool = False) -> Accumulator:
        """Return an empty accumulator; with `scores_alone` refuse options that only add to a result."""
        if scores_alone:
            refuse_beside_scores(self.metric, self.options)
        reports = {option.name for option in options_of(self.metric.reports_type)} if self.options else ()
        options = {name: value for name, value in self.options.items() if name not in reports}
        # From a cache where the values of the options allow it.
        return call_of(accumulator_of(self.metric), self.name, {**self.fixed, **options}).empty.without_segments()

    def start_with_reports(self, *, may_draw: bool = False) -> tuple[Accumulator, dict[str, Any]]:
        """Return an empty accumulator and the options of its `score`; refuse those that need segments.

        With `may_draw` there may be intervals.
        """
        reports_type = self.metric.reports_type
        names = {option.name for option in options_of(reports_type)}
        reports = {name: value for name, value in self.options.items() if name in names}
        started = self.start()
        refuse_without_effect(reports, reports_type(**reports).without_effect())
        if reports.get("unit") is not None:
            allowed = "None here: the name of a column says which rows belong together"
            fail(TypeError, "unit", allowed, shown(reports["unit"]))
        drawn = ("confidence", "n_resamples", "seed") if may_draw else ()
        asked = reports_type(**{name: reports[name] for name in reports if name not in drawn})
        if (refusal := unsummed(started, asked)) is not None:
            fail(ValueError, *refusal)
        return started, reports

    def keys_in(self, metric: Metric) -> tuple[str, ...]:
        """Return the keys of what is named: one score, or all scores of the metric with its options.

        Examples
        --------
        >>> scores = [NamedScore("token_f1_exact_match"), NamedScore("token_f1")]
        >>> [score.keys_in(score.start().metric) for score in scores]
        [('exact_match',), ('precision', 'recall', 'f1', 'exact_match')]
        """
        return metric.scores.keys if self.is_metric else (self._key,)

    def only(self, result: Mapping[str, Any], metric: Metric) -> dict[str, Any]:
        """Return a result without the scores, and their intervals, that are not named."""
        others, key = {*metric.scores.keys} - {*self.keys_in(metric)}, "confidence_intervals"
        kept = {name: value for name, value in result.items() if name not in others}
        return kept | ({key: self.only(result[key], metric)} if others and key in result else {})


# One metric or score; several.
AnyMetric: TypeAlias = str | Accumulator | NamedScore
Metrics: TypeAlias = AnyMetric | Sequence[AnyMetric]


def _unpickled(name: str, options: Mapping[str, Any]) -> NamedScore:
    return NamedScore(name, options, has_reports=True)


def score_of(metric: Any, *, paired: bool = False) -> NamedScore:
    """Return the value of a call that takes one metric; with `paired` messages list only metrics with references."""
    if isinstance(metric, (list, tuple, Mapping)):
        fail(TypeError, "metric", "one name: this call takes a single metric", shown(metric))
    return NamedScore.of(metric, paired=paired)


def scores_of(
    metric: Any, *, argument: str = "metric", paired: bool = False, reports: Mapping[str, Any] | None = None
) -> dict[str, NamedScore]:
    """Return the metrics of a call as values, by the keys that a result has for each.

    Parameters
    ----------
    metric : text or object, or several of them
    argument : str
        Its name in messages.
    paired : bool
        Whether messages list only metrics that have references.
    reports : mapping or None
        Options of `score` for all metrics that have them; None if there may be none.

    Examples
    --------
    >>> scores_of(["bleu", "bleu(tokenizer='zh')"])
    {'bleu': <NamedScore bleu>, "bleu(tokenizer='zh')": <NamedScore bleu(tokenizer='zh')>}
    """
    items = list(metric) if isinstance(metric, (list, tuple)) else [metric]
    each = [NamedScore.of(item, argument, has_reports=reports is not None, paired=paired) for item in items]
    by_label = dict(zip(map(str, each), each, strict=True))
    if not each or len(by_label) < len(each):
        fail(TypeError if not each else ValueError, argument, "a name, or a list of different names", shown(metric))
    if not reports:
        return by_label
    scores = {}
    known = [option.name for score in each for option in options_of(score.metric.reports_type)]
    for name in reports:
        if name not in known and (owner := next((score.name for score in each if name in _known(score)), None)):
            fail(TypeError, name, f"options of {owner} behind its name, as in '{owner}({name}=...)'", "a keyword")
    refuse_unknown(reports, [*dict.fromkeys(known)], "`score`")
    for label, score in by_label.items():
        own = [option.name for option in options_of(score.metric.reports_type)]
        shared = {name: value for name, value in reports.items() if name in own}
        scores[label] = NamedScore.of(score, argument, shared, has_reports=True)
    return scores


def columns_by_key(scores: Iterable[tuple[NamedScore, Metric]], argument: str) -> list[dict[str, str]]:
    """Return by key the names of columns for the scores of every metric: their keys, with options if two have one key.

    Examples
    --------
    >>> scores = [NamedScore("rougeL"), NamedScore("rougeL", {"use_stemmer": True}), NamedScore("bleu")]
    >>> [*map(list, map(dict.values, columns_by_key([(score, score.start().metric) for score in scores], "metric")))]
    [['rougeL'], ['rougeL(use_stemmer=True)'], ['bleu']]
    """
    every = [(score, score.keys_in(metric)) for score, metric in scores]
    n_each = Counter(key for _, keys in every for key in keys)
    columns_of = [{key: key + score.brackets * (n_each[key] > 1) for key in keys} for score, keys in every]
    n_columns = Counter(column for columns in columns_of for column in columns.values())
    if same := sorted(column for column, n in n_columns.items() if n > 1):
        fail(ValueError, argument, "metrics with different keys", f"{', '.join(same)} twice")
    return columns_of


def call_of_samples(metric: Any, options: Mapping[str, Any]) -> Call | None:
    """Return the call of a metric of two samples of texts, with its own options and those of `score`.

    None for anything else, which `scores_of` reads.
    """
    if not isinstance(metric, (str, Accumulator)):
        return None
    name = metric.partition("(")[0].strip() if isinstance(metric, str) else metric.metric_type.name
    metric_type = metric_of_samples(name)
    if metric_type is None:
        return None
    _, given, _ = read(metric)
    return call_of(accumulator_of(metric_type), name, {**given, **options})


# ---- text and objects


def read(value: Any, argument: str = "metric") -> tuple[str, Mapping[str, Any], dict[str, int]]:
    """Return the name and the options of a text or an object, and at which character each option stands in a text."""
    if isinstance(value, str):
        name, bracket, rest = value.partition("(")
        return (name.strip(), *_arguments(value, len(name), rest, argument)) if bracket else (value, {}, {})
    if isinstance(value, NamedScore):
        return value.name, value.given, {}
    if isinstance(value, Accumulator):
        if len(value):
            fail(ValueError, argument, "an object without segments, which would be left out", repr(value))
        return value.metric_type.name, value._given, {}
    return fail(TypeError, argument, _ALLOWED, shown(value))


def _arguments(text: str, n_before: int, rest: str, argument: str) -> tuple[dict[str, Any], dict[str, int]]:
    """Return what stands in brackets: the values of options by name, and the numbers of their characters.

    A bare word or path is text, as shells take quotes away: ``sacrebleu(tokenizer=13a)`` is
    ``sacrebleu(tokenizer="13a")``.
    """
    # A call of `_`: its first line has the places of the text but for the name.
    written = "_(" + rest.rstrip()
    words: dict[int, str] = {}

    def masked(found: re.Match[str]) -> str:
        word = found[3]
        if word is None or word.lower() in _CONSTANTS or _is_number(word):
            return found[0]
        words[found.start(3)] = word
        # As long as the word, so that places stay.
        return found[2] + "_" * len(word)

    source = _BARE.sub(masked, written) if len(written) <= _LONGEST else written

    def refuse(place: int | None, allowed: str, got: str) -> NoReturn:
        where = "" if place is None else f", character {n_before + max(place, 0)}"
        fail(ValueError, argument + where, allowed, got)

    if len(source) > _LONGEST or "\n" in source or "\r" in source:
        refuse(None, f"{_FORM}, in one line of at most {_LONGEST:,} characters", shown(text))
    try:
        with warnings.catch_warnings() if "\\" in source else nullcontext():
            if "\\" in source:
                # Python warns of one in a regular expression.
                warnings.simplefilter("ignore")
            call = ast.parse(source, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        at = getattr(error, "offset", None)
        refuse(None if at is None else min(at, len(source)) - 1, _FORM, shown(text))
    whole = isinstance(call, ast.Call) and call.end_col_offset == len(source.encode())
    if not isinstance(call, ast.Call) or not whole or not isinstance(call.func, ast.Name):
        refuse(None, f"{_FORM}, and nothing behind them", shown(text))

    def place(node: ast.expr | ast.keyword) -> int:
        # Python counts bytes.
        return len(source.encode()[: node.col_offset].decode())

    def text_of(node: ast.expr) -> str:
        n_characters = len(ast.get_source_segment(source, node) or "")
        return written[place(node) : place(node) + n_characters]

    class Words(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.expr:  # noqa: N802
            word = words.get(place(node))
            return node if word is None else ast.Constant(word)

    options: dict[str, Any] = {}
    places: dict[str, int] = {}
    for value in call.args:
        refuse(place(value), _BY_NAME, shown(text_of(value)))
    for given in call.keywords:
        if given.arg is None:
            refuse(place(given), _BY_NAME, shown(text_of(given.value)))
        if given.arg in options:
            refuse(place(given), f"{given.arg} once", "twice")
        try:
            options[given.arg] = ast.literal_eval(Words().visit(given.value) if words else given.value)
        except (ValueError, TypeError, RecursionError, MemoryError):
            got = text_of(given.value)
            hint = f": {_CONSTANTS[got.lower()]}" if got.lower() in _CONSTANTS else ""
            refuse(place(given.value), f"a Python literal or a word for {given.arg}{hint}", shown(got))
        places[given.arg] = n_before + place(given)
    return options, places


def _is_number(word: str) -> bool:
    """Return whether Python reads a word as a number."""
    try:
        ast.literal_eval(word)
    except (SyntaxError, ValueError):
        return False
    return True


def _found(
    name: str, argument: str, *, paired: bool, takes_samples: bool
) -> tuple[type[Metric], str, dict[str, Any]]:  # fmt: skip
    """Return the metric of a name, the key of the score that has the name, and the options that it implies."""
    # The metric of that name first: the others need not be imported.
    own = METRICS.get(name) or (metric_of_samples(name) if takes_samples else None)
    if own is not None:
        return own, *(own.scores.named(name) or ("", {}))
    if name in OF_SETS:
        allowed = f"a metric of pairs, such as {next(iter(METRICS))!r}"
        fail(
            ValueError, argument, allowed, f"{name!r}, which scores whole samples of texts, no pairs: textgauge.{name}"
        )
    for metric_type in METRICS.values():
        if name and (score := metric_type.scores.named(name)) is not None:
            return metric_type, *score
    listed = [metric_type for metric_type in METRICS.values() if metric_type.inputs.has_references or not paired]
    names = [known for metric_type in listed for known in metric_type.scores.names if known != "..."]
    hint = name_here(name, names)
    allowed = f"the name of a metric ({hint})" if hint else f"one of {names_of_scores(listed)}"
    return fail(ValueError, argument, allowed, shown(name))


def _known(score: NamedScore, *, has_reports: bool = False) -> Iterator[str]:
    """Yield the names of the options that a score may have, with `has_reports` those of `score`, too."""
    types = (score.metric.options_type, *((score.metric.reports_type,) if has_reports else ()))
    return (
        option.name for options_type in types for option in options_of(options_type) if option.name not in score.fixed
    )


# ---- values


def _same(value: Any, other: Any) -> bool:
    """Return whether two values of an option are equal; what is no literal is equal to itself alone."""
    if value is other:
        return True
    if type(value) in (int, float) and type(other) in (int, float):
        return bool(value == other)
    written = _literal(value)
    return written is not None and written == _literal(other)


def _literal(value: Any) -> str | None:
    """Return a value as a literal of Python, None if it has none."""
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    if type(value).__module__ == "numpy" and hasattr(value, "item") and getattr(value, "shape", None) == ():
        value = value.item()
    if type(value) in _PLAIN:
        # Python has no literal of infinity, but of a number that is too large.
        return repr(value).replace("inf", "1e999") if type(value) is float else repr(value)
    if isinstance(value, (list, tuple)):
        parts = [*map(_literal, value)]
        return None if None in parts else f"[{', '.join(map(str, parts))}]"
    if isinstance(value, Mapping) and all(type(name) is str for name in value):
        pairs = {repr(name): _literal(item) for name, item in value.items()}
        return None if None in pairs.values() else f"{{{', '.join(f'{k}: {v}' for k, v in pairs.items())}}}"
    return None


def _written(value: Any) -> str:
    """Return a value as a reader sees it: a literal, or in angle brackets what has none, or a long one."""
    text = _literal(value)
    if text is None:
        named = getattr(value, "name", None) or getattr(value, "__name__", None)
        return f"<{printable(str(named or type(value).__name__))}>"
    return text if len(text) <= _LONGEST_VALUE else f"<{len(value):,} values>"

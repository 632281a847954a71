"""The diversity of sets of texts: distinct-n, self-BLEU, self-repetition, compression, homogenization."""

from __future__ import annotations

import inspect
import itertools
import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from .. import engine
from ..accumulation.accumulator import Accumulator, call_of
from ..all_pairs.matrix import Matrix
from ..all_pairs.pairwise import score_of_pairs
from ..arrays import FloatArray, IntArray, lengths_of, offsets_of
from ..checks import MAX_ORDER, fail, message_in, shown
from ..input.columns import Corpus, TextColumn, known_texts, nested_column, text_column
from ..metric.layout import Field, Layout, References, Rows
from ..metric.metric import About, Counter, Metric, Score, Sums
from ..metric.summary import Explanation
from ..options import Options, documented, option
from ..scores.diversity import compressed_size, distinct, self_repetition
from ..text import Tokenizer, prepared, tokenizer_of
from .bleu import BleuMetric, BleuOptions

if TYPE_CHECKING:
    from ..plain import Texts, Tokens


@dataclass
class Groups(Corpus):
    """A segment for every group: its first text, and the others as references.

    Attributes
    ----------
    input_order : int64, shape (n_texts,)
        The position in the input of every text, group after group; empty for a list of texts per group.
    """

    input_order: IntArray = field(default_factory=lambda: np.zeros(0, np.int64))

    def place(self, side: int, row: int) -> str:
        """Name a text by its position in the input."""
        group = row if side == 0 else int(np.searchsorted(self.reference_offsets, row, side="right")) - 1
        first = int(self.reference_offsets[group]) + group
        text = first if side == 0 else row + group + 1
        if len(self.input_order):
            return f"predictions[{self.input_order[text]}]"
        return f"predictions[{group}][{text - first}]"


def groups_of(predictions: TextColumn | Iterable[Sequence[str]], groups: Iterable[Hashable] | None = None) -> Corpus:
    """Check texts, and return a segment for every group: its first text, and the others as references.

    Parameters
    ----------
    predictions : iterable of str, or of lists of str
        One group, or a list for every group.
    groups : iterable, optional
        The key of the group of every text; groups are in the order of their first texts.
    """
    texts, offsets, order = _grouped(predictions, groups)
    lengths = lengths_of(offsets)
    if len(texts) == 0 or (lengths < 2).any():
        _refuse_small(lengths, groups)
    if len(lengths) == 1:
        sides = texts.slice(0, 1), texts.slice(1, len(texts))
    else:
        is_first = np.zeros(len(texts), bool)
        is_first[offsets[:-1]] = True
        sides = texts.take(np.flatnonzero(is_first)), texts.take(np.flatnonzero(~is_first))
    return Groups(*sides, offsets - np.arange(len(offsets)), input_order=order)


def _grouped(predictions: Any, groups: Any) -> tuple[Texts, IntArray, IntArray]:
    """Return the texts group after group, the offsets of the groups, and where texts of no lists were before."""
    if isinstance(predictions, Iterator):
        predictions = list(predictions)
    try:
        texts = text_column(predictions, "predictions")
    except TypeError:
        if groups is not None:
            raise
        return *nested_column(predictions, "predictions"), np.zeros(0, np.int64)
    if groups is None:
        return texts, offsets_of([len(texts)]), np.arange(len(texts))
    keys = keys_of(groups)
    if len(keys) != len(texts):
        fail(ValueError, "groups", f"as many keys as predictions ({len(texts)})", str(len(keys)))
    number: dict[Any, int] = {}
    group_of = np.array([number.setdefault(key, len(number)) for key in keys], np.int64)
    order = np.argsort(group_of, kind="stable")
    return texts.take(order), offsets_of(np.bincount(group_of, minlength=1)), order


def keys_of(groups: Any) -> list[Any]:
    """Return the keys of groups as a list; refuse what is no column of hashable values."""
    if isinstance(groups, (str, bytes, Mapping, set, frozenset)) or not isinstance(groups, Iterable):
        fail(TypeError, "groups", "a column with the key of every text's group", shown(groups))
    # Arrays become Python values, which compare faster.
    listed = getattr(groups, "to_pylist", getattr(groups, "tolist", None))
    keys = list(groups) if listed is None else listed()
    for position, key in enumerate(keys):
        try:
            hash(key)
        except TypeError:
            fail(TypeError, f"groups[{position}]", "a key such as a str or an int", shown(key))
        # NaN is not equal to itself.
        if key is None or key != key:
            fail(ValueError, f"groups[{position}]", "a key, which is missing here", shown(key))
    return keys


def _refuse_small(lengths: IntArray, groups: Any) -> None:
    """Raise for the first group that has no pair of texts."""
    place = int(np.argmax(lengths < 2))
    if len(lengths) < 2:
        fail(ValueError, "predictions", "at least 2 texts", str(int(lengths.sum())))
    if groups is None:
        fail(ValueError, f"predictions[{place}]", "at least 2 texts in every group", "1")
    key = list(dict.fromkeys(keys_of(groups)))[place]
    fail(ValueError, "groups", "at least 2 texts of every key", f"1 of {shown(key)}")


# Self-BLEU by name: the options of BLEU; of several references the closest length counts.
VARIANTS: Mapping[str, Mapping[str, Any]] = {
    "nltk": {"preset": "nltk", "smoothing": "chen-cherry-1"},
    "sacrebleu": {"preset": "sacrebleu", "effective_order": True},
    "corpus": {"preset": "sacrebleu"},
}


@dataclass(frozen=True)
class SelfBleuOptions(Options):
    """The values of `variant`, each from 0 to 1, with all other texts as references.

    - "nltk": the mean of nltk's `sentence_bleu` with smoothing method 1, as Texygen computes it;
    - "sacrebleu": the mean of sacreBLEU's `sentence_bleu`: exponential smoothing, effective order;
    - "corpus": BLEU of pooled counts, as sacreBLEU's `corpus_bleu`.

    References: Zhu et al. (2018), Texygen. Papineni et al. (2002), BLEU, section 2.
    """

    variant: Literal["nltk", "sacrebleu", "corpus"] = option("nltk", "Which self-BLEU; see the notes.", on_page=True)
    max_order: int = option(4, "Highest n-gram order.", at_least=1, at_most=MAX_ORDER, on_page=True)
    tokenizer: str | Callable[[str], list[str]] = option(
        "whitespace", "Tokenizer: a name in `TOKENIZERS`, one of sacreBLEU's, or your own function.",
        kind="tokenizer", on_page=True,
    )  # fmt: skip
    lowercase: bool = option(False, "Lower-case all text first.", on_page=True)


@dataclass(frozen=True)
class DiversityOptions(SelfBleuOptions):
    """Self-repetition counts n-grams of `max_order`; n-gram diversity sums over the orders up to it.

    `homogenization` names what scores the pairs, such as "rougeL", "chrf" or "bleu", in the scale of that
    name. It is the only figure whose time grows with the square of the number of texts.
    """

    homogenization: str | None = option(
        None, "Add the mean score of all pairs of texts by this metric.", kind="text", none_means="no such score",
        on_page=True,
    )  # fmt: skip
    metric_options: Mapping[str, Any] | None = option(
        None, "Options of the metric of `homogenization`, by name.", kind="python", none_means="its defaults"
    )

    @property
    def of_groups(self) -> tuple[str, ...]:
        """The scores that are no ratios of counts."""
        return ("self_bleu", "self_repetition", *(("homogenization",) if self.homogenization else ()))

    def check(self) -> None:
        """Refuse options of a metric without one."""
        if self.homogenization is None and self.metric_options is not None:
            fail(ValueError, "metric_options", "None without `homogenization`", shown(self.metric_options))
        if not (self.metric_options is None or isinstance(self.metric_options, Mapping)):
            fail(TypeError, "metric_options", "a dict of options of the metric", shown(self.metric_options))


def closest_others(lengths: IntArray, offsets: IntArray) -> IntArray:
    """Return for every text the closest length of another text of its group, of two the shorter.

    Parameters
    ----------
    lengths : int64, shape (n_texts,)
    offsets : int64, shape (n_groups + 1,)
        At least two texts each.

    Examples
    --------
    >>> closest_others(np.array([5, 9, 7, 7, 2, 3]), np.array([0, 4, 6])).tolist()
    [7, 7, 7, 7, 3, 2]
    """
    group_of = np.repeat(np.arange(len(offsets) - 1), lengths_of(offsets))
    order = np.lexsort((lengths, group_of))
    ascending = lengths[order]
    far = int(lengths.max(initial=0)) + 1
    steps = np.diff(ascending)
    steps[offsets[1:-1] - 1] = far
    below, above = np.append(far, steps), np.append(steps, far)
    closest = np.empty_like(lengths)
    closest[order] = np.where(below <= above, ascending - below, ascending + above)
    return closest


def self_bleus(tokens: Tokens, matches: Any, options: SelfBleuOptions) -> list[float]:
    """Return the self-BLEU of every group.

    Parameters
    ----------
    tokens : Tokens
        A segment for every group.
    matches : int64, shape (n_texts, max_order)
        Clipped by all other texts of the group.
    """
    bleu = BleuMetric(BleuOptions(**VARIANTS[options.variant], max_order=options.max_order))
    offsets = np.asarray(tokens.segments, np.int64)
    lengths = lengths_of(np.asarray(tokens.offsets, np.int64))
    rows = bleu.counter.rows_with(matches, lengths, closest_others(lengths, offsets))
    if options.variant == "corpus":
        sums = Rows(rows.layout, np.add.reduceat(rows.values, offsets[:-1]))
        return bleu.formula(sums)[bleu.name].tolist()
    scores = bleu.formula(rows)[bleu.name]
    return [math.fsum(scores[start:stop]) / (stop - start) for start, stop in itertools.pairwise(offsets.tolist())]


def homogenization(texts: list[str], metric: str, options: Mapping[str, Any]) -> float:
    """Return the mean score of all ordered pairs of different texts, in blocks of bounded memory."""
    matrix = Matrix(*score_of_pairs(metric, options), known_texts(texts), None)
    n_texts, total = len(texts), 0.0
    for block in matrix.blocks(half=True):
        same = np.arange(max(block.rows.start, block.columns.start), min(block.rows.stop, block.columns.stop))
        block.scores[same - block.rows.start, same - block.columns.start] = 0.0
        total += float(block.scores.sum())
        if block.swapped is not None:
            # Both halves of these are among the scores.
            block.swapped[same - block.columns.start] = 0.0
            total += float(block.swapped.sum())
    return total / (n_texts * (n_texts - 1))


class SelfBleuCounter(Counter):
    """Scores the texts of every group with each other."""

    tokenizer: Tokenizer

    def __init__(self, options: SelfBleuOptions) -> None:
        """Choose the tokenizer and the layout."""
        self.options = options
        self.tokenizer = prepared(tokenizer_of(options.tokenizer), lowercase=options.lowercase, strip=False)
        self.layout = Layout([Field("self_bleu", is_whole=False)])

    def rows(self, corpus: Corpus, notes: Any) -> Rows:
        """Count the groups of a chunk."""
        tokens = self.tokenizer.cut(corpus)
        notes.look(corpus, tokens)
        counts = _repeated(tokens, self.options.max_order, corpus.n_threads)
        return self.layout.filled(len(corpus), **self._columns(corpus, tokens, counts))

    def _columns(self, corpus: Corpus, tokens: Tokens, counts: IntArray) -> dict[str, Any]:  # noqa: ARG002
        """Return the fields of the rows; `counts` are those of `repeated_ngrams`."""
        return {"self_bleu": self_bleus(tokens, counts[:, :, 0], self.options)}


class DiversityCounter(SelfBleuCounter):
    """Counts the n-grams of every group, and scores its texts with each other."""

    options: DiversityOptions

    def __init__(self, options: DiversityOptions) -> None:
        """Choose the tokenizer and the layout, and refuse what `pairwise` would refuse."""
        super().__init__(options)
        if options.homogenization is not None:
            _check_metric(options.homogenization, options.metric_options or {})
        orders = options.max_order
        whole = [Field("n_texts"), *(Field(name, orders) for name in _COUNTS), Field("n_bytes"), Field("n_compressed")]
        self.layout = Layout([*whole, *(Field(name, is_whole=False) for name in options.of_groups)])

    def _columns(self, corpus: Corpus, tokens: Tokens, counts: IntArray) -> dict[str, Any]:
        options, orders = self.options, self.options.max_order
        bounds, offsets = np.asarray(tokens.segments, np.int64), np.asarray(tokens.offsets, np.int64)
        totals = np.maximum(lengths_of(offsets)[:, None] - np.arange(orders), 0)
        # All texts of a group as one: their n-grams cross the ends of texts.
        places: Any = offsets[bounds], np.arange(len(bounds))
        joined = _repeated(engine.kernel.Tokens(tokens.ids, *places), orders, corpus.n_threads)
        joined_totals = np.maximum(lengths_of(offsets[bounds])[:, None] - np.arange(orders), 0)
        texts = _texts_of(corpus)
        data = [" ".join(group).encode() for group in texts]
        more = {}
        if options.homogenization is not None:
            chosen = dict(options.metric_options or {})
            more["homogenization"] = [homogenization(group, options.homogenization, chosen) for group in texts]
        ends = itertools.pairwise(bounds.tolist())
        return {
            **super()._columns(corpus, tokens, counts),
            "n_texts": lengths_of(bounds),
            "distinct": np.add.reduceat(totals - counts[:, :, 1], bounds[:-1]),
            "ngrams": np.add.reduceat(totals, bounds[:-1]),
            "joined_distinct": joined_totals - joined[:, :, 1],
            "joined_ngrams": joined_totals,
            "n_bytes": list(map(len, data)),
            "n_compressed": list(map(compressed_size, data)),
            "self_repetition": [self_repetition(counts[start:stop, -1, 2]) for start, stop in ends],
            **more,
        }


class SelfBleuMetric(Metric):
    """Self-BLEU (Zhu et al. 2018): the score of a whole set, so that no face that scores text by text has it."""

    name = "self_bleu"
    options_type: ClassVar[type[SelfBleuOptions]] = SelfBleuOptions
    about = About("Self-BLEU", lambda _: _EXPLANATION)
    combine = "mean"
    inputs = ("predictions",)
    references = References("union")
    corpus_of = staticmethod(groups_of)
    options: SelfBleuOptions
    counter: SelfBleuCounter

    def counted_by(self) -> SelfBleuCounter:
        """Return the counter."""
        return SelfBleuCounter(self.options)

    @property
    def scores(self) -> tuple[Score, ...]:
        """The score of a group: lower is more diverse."""
        return (Score("self_bleu", higher_is_better=False, perfect=None),)

    def sums(self, asked: Any = None) -> Sums:  # noqa: ARG002
        """Means of groups are rounded."""
        return Sums("rounded")

    def described(self, asked: Any = None) -> dict[str, str]:  # noqa: ARG002
        """Return the fields of the signature."""
        options = self.options
        case = "lc" if options.lowercase else "mixed"
        own = {"order": str(options.max_order), "selfbleu": options.variant}
        return {"case": case, "tok": self.counter.tokenizer.signature, **own}

    def formula(self, rows: Rows) -> dict[str, FloatArray]:
        """Return the scores of groups."""
        return {"self_bleu": rows["self_bleu"]}


class DiversityMetric(SelfBleuMetric):
    """The diversity of groups of texts."""

    name = "diversity"
    options_type: ClassVar[type[DiversityOptions]] = DiversityOptions
    about = replace(SelfBleuMetric.about, title="Diversity", names={"diversity": "self_bleu"})
    options: DiversityOptions

    def counted_by(self) -> DiversityCounter:
        """Return the counter."""
        return DiversityCounter(self.options)

    @property
    def scores(self) -> tuple[Score, ...]:
        """Of shares of distinct n-grams higher is more diverse, of all others lower."""
        orders = range(1, self.options.max_order + 1)
        shares = [Score(f"distinct_{n}", perfect=None) for n in orders]
        total = Score("ngram_diversity", perfect=None, largest=float(self.options.max_order))
        largest = dict.fromkeys(("compression_ratio", *self.options.of_groups), float("inf")) | {"self_bleu": 1.0}
        worse = [Score(key, higher_is_better=False, perfect=None, largest=most) for key, most in largest.items()]
        return *shares, total, *worse

    def described(self, asked: Any = None) -> dict[str, str]:
        """Return the fields of the signature."""
        options = self.options
        pairs = {} if options.homogenization is None else {"pairs": options.homogenization}
        return {
            **super().described(asked),
            **pairs,
            **{name: str(v) for name, v in (options.metric_options or {}).items()},
        }

    def formula(self, rows: Rows) -> dict[str, FloatArray]:
        """Return the scores of groups."""
        shares = distinct(rows["distinct"], rows["ngrams"])
        return {
            **{f"distinct_{n}": shares[..., n - 1] for n in range(1, self.options.max_order + 1)},
            "ngram_diversity": distinct(rows["joined_distinct"], rows["joined_ngrams"]).sum(axis=-1),
            "compression_ratio": rows["n_bytes"] / rows["n_compressed"],
            **{name: rows[name] for name in self.options.of_groups},
        }

    def counts(self, total: Rows) -> dict[str, Any]:
        """Return the summed counts."""
        names = ("n_texts", "distinct", "ngrams", "n_bytes", "n_compressed")
        return {name: total[name].tolist() for name in names}

    def refuse_interval(self, n_segments: int, confidence: float) -> None:
        """Refuse that of a single group."""
        if n_segments < 2:
            allowed = "None for a single group: the interval of a mean over groups resamples them"
            fail(ValueError, "confidence", allowed, shown(confidence))


class SelfBleu(Accumulator, metric=SelfBleuMetric):
    """Self-BLEU of groups of texts, group by group: a group is a segment.

    Its score is that of a whole set, so that it is no metric of the registry, whose faces score text by text.

    Parameters
    ----------
    {options}

    Notes
    -----
    {notes}
    """


class Diversity(SelfBleu, metric=DiversityMetric):
    """The diversity of groups of texts, group by group; see `SelfBleu`.

    Parameters
    ----------
    {options}

    Notes
    -----
    {notes}
    """


_COUNTS = ("distinct", "ngrams", "joined_distinct", "joined_ngrams")


def _check_metric(metric: str, options: Mapping[str, Any]) -> None:
    """Refuse what `pairwise` would refuse, before anything is counted."""
    try:
        score_of_pairs(metric, options)
    except (TypeError, ValueError) as error:
        message = message_in(error)
        if message is None or message.option != "metric":
            raise
        fail(type(error), "homogenization", message.allowed, message.got)


def _repeated(tokens: Tokens, max_order: int, n_threads: int) -> IntArray:
    """Return `repeated_ngrams` as an array, also where plain Python counts: int64, shape (n_texts, max_order, 3)."""
    return np.asarray(engine.kernel.repeated_ngrams(tokens, max_order, n_threads=n_threads), np.int64)


def _texts_of(corpus: Corpus) -> list[list[str]]:
    """Return the texts of every group."""
    others, bounds = corpus.references.tolist(), corpus.reference_offsets.tolist()
    ends = itertools.pairwise(bounds)
    firsts = corpus.hypotheses.tolist()
    return [[first, *others[start:stop]] for first, (start, stop) in zip(firsts, ends, strict=True)]


def diversity(predictions: Any, *, groups: Any = None, **options: Any) -> dict[str, Any]:
    """Return the diversity of a set of texts, or its mean over groups of texts.

    Parameters
    ----------
    predictions : iterable of str, or of lists of str
        The texts of one set, at least 2; or a list of texts for every group.
    groups : iterable, optional
        The key of the group of every text, such as its prompt.
    {options}

    Returns
    -------
    dict
        Python numbers by key: ``distinct_1`` to ``distinct_N``, ``ngram_diversity``, ``compression_ratio``,
        ``self_bleu``, ``self_repetition`` (in nats) and on request ``homogenization``; of groups the means. With
        groups each of them is a segment: ``per_segment`` has its scores, in the order of their first texts.

    Raises
    ------
    TypeError
        If an element is not text, or an option is unknown or of a wrong type; the message names it.
    ValueError
        If a group has fewer than 2 texts, keys and texts differ in number, or an option is out of range.

    Notes
    -----
    {notes}

    References
    ----------
    Li et al. (2016), A diversity-promoting objective function: distinct-n. Zhu et al. (2018), Texygen:
    self-BLEU. Shaib et al. (2024), Standardizing the measurement of text diversity: the others.

    Examples
    --------
    >>> found = diversity(["one two three four five", "one two three four six"])
    >>> found["distinct_1"], round(found["self_bleu"], 4)
    (0.6, 0.6687)
    """
    return call_of(Diversity, "diversity", options).score(predictions, groups)


def self_bleu(predictions: Any, *, groups: Any = None, **options: Any) -> float:
    """Return self-BLEU of a set of texts, from 0 to 1, or its mean over groups of texts.

    Each text is scored against all others of its set as references, never against itself. A low value says
    that the texts differ, not that they are good. The time grows with the tokens.

    Parameters
    ----------
    predictions : iterable of str, or of lists of str
        The texts of one set, at least 2; or a list of texts for every group.
    groups : iterable, optional
        The key of the group of every text, such as its prompt.
    {options}

    Raises
    ------
    TypeError, ValueError
        As `diversity`.

    Notes
    -----
    {notes}

    Examples
    --------
    >>> self_bleu(["the cat sat on the mat"] * 2)
    1.0
    """
    return float(SelfBleu(**options).update(predictions, groups).score()["self_bleu"])


def _documented() -> None:
    first = [
        inspect.Parameter("predictions", inspect.Parameter.POSITIONAL_OR_KEYWORD),
        inspect.Parameter("groups", inspect.Parameter.KEYWORD_ONLY, default=None),
    ]
    kinds = (SelfBleuOptions, DiversityOptions, DiversityMetric.reports_type)
    documented(diversity, diversity.__doc__ or "", *kinds[1:], first=first)
    documented(self_bleu, self_bleu.__doc__ or "", kinds[0], first=first)


_EXPLANATION: Explanation = Explanation(
    "Diversity",
    "How different are the texts of a set from each other?",
    (
        "distinct-n is the share of n-grams that are new; self-BLEU scores each text against all others; "
        "self-repetition counts n-grams that other texts have; compression is how much smaller gzip makes them all.",
    ),
    "Garbage is diverse: read these numbers beside one of quality.",
)
_documented()

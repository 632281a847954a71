"""The diversity of sets of texts: distinct-n, self-BLEU, self-repetition, compression, homogenization."""

from __future__ import annotations

import inspect
import itertools
import math
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from .. import engine
from ..arrays import FloatArray, IntArray, lengths_of, offsets_of
from ..checks import fail, message_in, shown
from ..columns import Corpus, TextColumn, reference_column, text_column
from ..options import documented, read
from ..plain import Texts, Tokens
from ..scores.diversity import compressed_size, distinct, self_repetition
from ..text import Tokenizer, prepared, tokenizer_of
from .bleu import Bleu
from .diversity_options import VARIANTS, DiversityOptions, SelfBleuOptions
from .layout import Field, Layout, Rows
from .measure import Measure
from .metric import About
from .one_call import measure_and_reports
from .pairwise import pairwise, single_score
from .references import References
from .summary import Explanation, Line, Summary

# The entries of a matrix of pairs that are in memory at a time: 32 MB.
_ENTRIES = 1 << 22


def groups_of(predictions: TextColumn | Iterable[Sequence[str]], groups: Iterable[Hashable] | None = None) -> Corpus:
    """Check texts, and return a segment for every group: its first text, and the others as references.

    Parameters
    ----------
    predictions : iterable of str, or of lists of str
        One group, or a list for every group.
    groups : iterable, optional
        The key of the group of every text; groups are in the order of their first texts.
    """
    texts, offsets = _grouped(predictions, groups)
    lengths = lengths_of(offsets)
    if len(texts) == 0 or (lengths < 2).any():
        _refuse_small(lengths, groups)
    if len(lengths) == 1:
        sides = texts.slice(0, 1), texts.slice(1, len(texts))
    else:
        is_first = np.zeros(len(texts), bool)
        is_first[offsets[:-1]] = True
        sides = texts.take(np.flatnonzero(is_first)), texts.take(np.flatnonzero(~is_first))
    return Corpus(*sides, offsets - np.arange(len(offsets)))


def _grouped(predictions: Any, groups: Any) -> tuple[Texts, IntArray]:
    """Return the texts group after group, and the offsets of the groups."""
    if isinstance(predictions, Iterator):
        predictions = list(predictions)
    try:
        texts = text_column(predictions, "predictions")
    except TypeError:
        if groups is not None:
            raise
        return reference_column(predictions, "predictions")
    if groups is None:
        return texts, offsets_of([len(texts)])
    keys = keys_of(groups)
    if len(keys) != len(texts):
        fail(ValueError, "groups", f"as many keys as predictions ({len(texts)})", str(len(keys)))
    number: dict[Any, int] = {}
    group_of = np.array([number.setdefault(key, len(number)) for key in keys], np.int64)
    return texts.take(np.argsort(group_of, kind="stable")), offsets_of(np.bincount(group_of, minlength=1))


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
    bleu = Bleu(**VARIANTS[options.variant], max_order=options.max_order)
    offsets = np.asarray(tokens.segments, np.int64)
    lengths = lengths_of(np.asarray(tokens.offsets, np.int64))
    rows = bleu.rows_with(matches, lengths, closest_others(lengths, offsets))
    if options.variant == "corpus":
        sums = Rows(rows.layout, np.add.reduceat(rows.values, offsets[:-1]))
        return bleu.scores(sums)[bleu.name].tolist()
    scores = bleu.scores(rows)[bleu.name]
    return [math.fsum(scores[start:stop]) / (stop - start) for start, stop in itertools.pairwise(offsets.tolist())]


def homogenization(texts: list[str], metric: str, options: Mapping[str, Any]) -> float:
    """Return the mean score of all ordered pairs of different texts, in blocks of bounded memory."""
    n_texts, total = len(texts), 0.0
    step = n_texts if n_texts**2 <= _ENTRIES else max(_ENTRIES // n_texts, 1)
    for start in range(0, n_texts, step):
        others = None if step == n_texts else texts
        block = pairwise(texts[start : start + step], others, metric=metric, **options)
        np.fill_diagonal(block[:, start:], 0.0)
        total += float(block.sum())
    return total / (n_texts * (n_texts - 1))


class Diversity(Measure):
    """The diversity of groups of texts, group by group: a group is a segment.

    Its scores are of a whole set, so that it is no metric of the registry, whose faces score text by text:
    it has a function, a module and a command of its own.

    Parameters
    ----------
    {options}

    Notes
    -----
    {notes}
    """

    name = "diversity"
    options_type: ClassVar[type[DiversityOptions]] = DiversityOptions
    about = About(
        "Diversity", lambda _: _EXPLANATION, scores={"diversity": "self_bleu"}, higher_is_better=False, perfect=None,
        largest=float("inf"),
    )  # fmt: skip
    average = True
    has_references = is_exact = False
    references = References("union")
    corpus_of = staticmethod(groups_of)  # type: ignore[assignment]
    options: DiversityOptions
    tokenizer: Tokenizer

    def setup(self) -> None:
        """Choose the tokenizer and the layout."""
        base = tokenizer_of(self.options.tokenizer)
        self.tokenizer = prepared(base, lowercase=self.options.lowercase, strip=False)
        if self.options.homogenization is not None:
            _check_metric(self.options.homogenization, self.options.metric_options or {})
        orders = self.options.max_order
        whole = [Field("n_texts"), *(Field(name, orders) for name in _COUNTS), Field("n_bytes"), Field("n_compressed")]
        self.layout = Layout([*whole, *(Field(name, is_whole=False) for name in self._of_groups)])

    @property
    def _of_groups(self) -> tuple[str, ...]:
        """The scores that are no ratios of counts."""
        return ("self_bleu", "self_repetition", *(("homogenization",) if self.options.homogenization else ()))

    @property
    def score_names(self) -> tuple[str, ...]:
        """The keys of the scores."""
        orders = range(1, self.options.max_order + 1)
        return (*(f"distinct_{n}" for n in orders), "ngram_diversity", "compression_ratio", *self._of_groups)

    def described(self) -> dict[str, str]:
        """Return the fields of the signature."""
        options = self.options
        pairs = {} if options.homogenization is None else {"pairs": options.homogenization}
        chosen = {name: str(value) for name, value in (options.metric_options or {}).items()}
        case = "lc" if options.lowercase else "mixed"
        return {
            "case": case, "tok": self.tokenizer.signature, "order": str(options.max_order),
            "selfbleu": options.variant, **pairs, **chosen,
        }  # fmt: skip

    def update(self, predictions: Any, groups: Any = None) -> Diversity:
        """Add groups of texts; see `groups_of`."""
        return self.update_corpus(groups_of(predictions, groups))

    def pairs(self, corpus: Corpus, notes: Any) -> Rows:
        """Count the n-grams of every group, and score its texts with each other."""
        options, orders = self.options, self.options.max_order
        tokens = self.tokenizer.cut(corpus)
        notes.look(corpus, tokens)
        counts = _repeated(tokens, orders, corpus.n_threads)
        bounds = np.asarray(tokens.segments, np.int64)
        offsets = np.asarray(tokens.offsets, np.int64)
        totals = np.maximum(lengths_of(offsets)[:, None] - np.arange(orders), 0)
        # All texts of a group as one: their n-grams cross the ends of texts.
        places: Any = offsets[bounds], np.arange(len(bounds))
        joined = engine.kernel.Tokens(tokens.ids, *places)
        joined_totals = np.maximum(lengths_of(offsets[bounds])[:, None] - np.arange(orders), 0)
        texts = [[first, *others] for first, others in _texts_of(corpus)]
        data = [" ".join(group).encode() for group in texts]
        more = {}
        if options.homogenization is not None:
            chosen = dict(options.metric_options or {})
            more["homogenization"] = [homogenization(group, options.homogenization, chosen) for group in texts]
        ends = bounds.tolist()
        return self.layout.filled(
            len(corpus),
            n_texts=lengths_of(bounds),
            distinct=np.add.reduceat(totals - counts[:, :, 1], bounds[:-1]),
            ngrams=np.add.reduceat(totals, bounds[:-1]),
            joined_distinct=joined_totals - _repeated(joined, orders, corpus.n_threads)[:, :, 1],
            joined_ngrams=joined_totals,
            n_bytes=list(map(len, data)),
            n_compressed=list(map(compressed_size, data)),
            self_bleu=self_bleus(tokens, counts[:, :, 0], options),
            self_repetition=[self_repetition(counts[start:stop, -1, 2]) for start, stop in itertools.pairwise(ends)],
            **more,
        )

    def scores(self, rows: Rows) -> dict[str, FloatArray]:
        """Return the scores of groups."""
        shares = distinct(rows["distinct"], rows["ngrams"])
        return {
            **{f"distinct_{n}": shares[..., n - 1] for n in range(1, self.options.max_order + 1)},
            "ngram_diversity": distinct(rows["joined_distinct"], rows["joined_ngrams"]).sum(axis=-1),
            "compression_ratio": rows["n_bytes"] / rows["n_compressed"],
            **{name: rows[name] for name in self._of_groups},
        }

    def counts_of(self, total: Rows) -> dict[str, Any]:
        """Return the summed counts."""
        names = ("n_texts", "distinct", "ngrams", "n_bytes", "n_compressed")
        return {name: total[name].tolist() for name in names}

    def read_reports(self, reports: Mapping[str, Any]) -> Any:
        """Check the options of `score`; refuse intervals of a single group."""
        if reports.get("confidence") is not None and 0 < len(self) < 2:
            allowed = "None for a single group: the interval of a mean over groups resamples them"
            fail(ValueError, "confidence", allowed, shown(reports["confidence"]))
        return super().read_reports(reports)

    def summary(self, result: Mapping[str, Any]) -> Summary:
        """Return the figures as a table."""
        shares = {name for name in self.score_names if name.startswith(("distinct", "self_bleu"))}
        lines = [
            Line(name, (result[name],), name, is_headline=name == self.headline, full=1.0 if name in shares else None)
            for name in self.score_names
        ]
        return Summary(self.about.title, ("score",), lines, [f"tokenizer {self.tokenizer.name}"])


_COUNTS = ("distinct", "ngrams", "joined_distinct", "joined_ngrams")


def _check_metric(metric: str, options: Mapping[str, Any]) -> None:
    """Refuse what `pairwise` would refuse, before anything is counted."""
    try:
        single_score(metric, options)
    except (TypeError, ValueError) as error:
        message = message_in(error)
        if message is None or message.option != "metric":
            raise
        fail(type(error), "homogenization", message.allowed, message.got)


def _repeated(tokens: Tokens, max_order: int, n_threads: int) -> IntArray:
    """Return `repeated_ngrams` as an array, also where plain Python counts: int64, shape (n_texts, max_order, 3)."""
    return np.asarray(engine.kernel.repeated_ngrams(tokens, max_order, n_threads=n_threads), np.int64)


def _texts_of(corpus: Corpus) -> Iterator[tuple[str, list[str]]]:
    """Yield the first text and the others of every group."""
    others = corpus.references.tolist()
    bounds = itertools.pairwise(corpus.reference_offsets.tolist())
    for first, (start, stop) in zip(corpus.hypotheses.tolist(), bounds, strict=True):
        yield first, others[start:stop]


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
    measure, reports = measure_and_reports(Diversity, options, "diversity")
    return measure.update(predictions, groups).score(**reports)


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
    asked = read(SelfBleuOptions, options, "self_bleu")
    tokenizer = prepared(tokenizer_of(asked.tokenizer), lowercase=asked.lowercase, strip=False)
    corpus = groups_of(predictions, groups)
    tokens = tokenizer.cut(corpus)
    matches = _repeated(tokens, asked.max_order, corpus.n_threads)[:, :, 0]
    of_groups = self_bleus(tokens, matches, asked)
    return math.fsum(of_groups) / len(of_groups)


def _documented() -> None:
    first = [
        inspect.Parameter("predictions", inspect.Parameter.POSITIONAL_OR_KEYWORD),
        inspect.Parameter("groups", inspect.Parameter.KEYWORD_ONLY, default=None),
    ]
    kinds = (SelfBleuOptions, DiversityOptions, Diversity.reports_type)
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

"""The diversity of sets of texts: distinct-n, self-BLEU, self-repetition, compression, homogenization."""

from __future__ import annotations

import inspect
import itertools
import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar, TypeVar

import numpy as np

from .. import engine
from ..arrays import FloatArray, IntArray, lengths_of
from ..checks import fail, message_in, shown
from ..columns import Corpus, known_texts
from ..options import documented
from ..plain import Tokens
from ..scores.diversity import compressed_size, distinct, self_repetition
from ..text import Tokenizer, prepared, tokenizer_of
from .bleu import Bleu
from .diversity_options import VARIANTS, DiversityOptions, SelfBleuOptions
from .groups import groups_of
from .layout import Field, Layout, Rows
from .matrix import Matrix
from .measure import Measure
from .metric import About
from .one_call import measure_and_reports
from .pairwise import score_of_pairs
from .references import References
from .summary import Explanation

_Kind = TypeVar("_Kind", bound="SelfBleu")


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


class SelfBleu(Measure):
    """Self-BLEU of groups of texts, group by group: a group is a segment.

    Its score is that of a whole set, so that it is no metric of the registry, whose faces score text by text.

    Parameters
    ----------
    {options}

    Notes
    -----
    {notes}
    """

    name = "self_bleu"
    options_type: ClassVar[type[SelfBleuOptions]] = SelfBleuOptions
    about = About(
        "Self-BLEU", lambda _: _EXPLANATION, higher_is_better=False, perfect=None, largest=float("inf")
    )  # fmt: skip
    average = True
    has_references = is_exact = False
    references = References("union")
    corpus_of = staticmethod(groups_of)
    options: SelfBleuOptions
    tokenizer: Tokenizer

    def setup(self) -> None:
        """Choose the tokenizer and the layout."""
        base = tokenizer_of(self.options.tokenizer)
        self.tokenizer = prepared(base, lowercase=self.options.lowercase, strip=False)
        self.layout = Layout([Field("self_bleu", is_whole=False)])

    def described(self) -> dict[str, str]:
        """Return the fields of the signature."""
        options = self.options
        case = "lc" if options.lowercase else "mixed"
        own = {"order": str(options.max_order), "selfbleu": options.variant}
        return {"case": case, "tok": self.tokenizer.signature, **own}

    def update(self: _Kind, predictions: Any, groups: Any = None) -> _Kind:
        """Add groups of texts; see `groups_of`."""
        return self.update_corpus(groups_of(predictions, groups))

    def pairs(self, corpus: Corpus, notes: Any) -> Rows:
        """Score the texts of every group with each other."""
        tokens = self.tokenizer.cut(corpus)
        notes.look(corpus, tokens)
        counts = _repeated(tokens, self.options.max_order, corpus.n_threads)
        return self.layout.filled(len(corpus), **self._columns(corpus, tokens, counts))

    def _columns(self, corpus: Corpus, tokens: Tokens, counts: IntArray) -> dict[str, Any]:  # noqa: ARG002
        """Return the fields of the rows; `counts` are those of `repeated_ngrams`."""
        return {"self_bleu": self_bleus(tokens, counts[:, :, 0], self.options)}

    def scores(self, rows: Rows) -> dict[str, FloatArray]:
        """Return the scores of groups."""
        return {"self_bleu": rows["self_bleu"]}


class Diversity(SelfBleu):
    """The diversity of groups of texts, group by group; see `SelfBleu`.

    Parameters
    ----------
    {options}

    Notes
    -----
    {notes}
    """

    name = "diversity"
    options_type: ClassVar[type[DiversityOptions]] = DiversityOptions
    about = replace(SelfBleu.about, title="Diversity", scores={"diversity": "self_bleu"})
    options: DiversityOptions

    def setup(self) -> None:
        """Choose the tokenizer and the layout, and refuse what `pairwise` would refuse."""
        super().setup()
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
        return {**super().described(), **pairs, **{name: str(v) for name, v in (options.metric_options or {}).items()}}

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
    return float(SelfBleu(**options).update(predictions, groups).score()["self_bleu"])


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

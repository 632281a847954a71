"""The diversity of sets of texts: distinct-n, self-BLEU, self-repetition, compression, homogenization."""

from __future__ import annotations

import itertools
import math
import zlib
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from .. import engine
from ..accumulation.accumulator import accumulator_of
from ..accumulation.functions import one_call
from ..accumulation.named_score import NamedScore
from ..all_pairs.matrix import Matrix
from ..all_pairs.pairwise import score_of_pairs
from ..arrays import Counts, FloatArray, IntArray, lengths_of
from ..checks import fail, message_in
from ..input.columns import Corpus, known_texts
from ..metric import About, Field, Layout, Rows, Score, Scores
from ..options import option
from ..plain import Tokens
from ..signatures import fields_of
from ..sums import ratio
from .self_bleu import EXPLANATION, SelfBleuMetric, SelfBleuOptions, repeated

_GZIP = 16 + zlib.MAX_WBITS
_PIECE = 1 << 18


@dataclass(frozen=True)
class DiversityOptions(SelfBleuOptions):
    """Self-repetition counts n-grams of `max_order`; n-gram diversity sums over the orders up to it.

    `homogenization` names what scores the pairs, such as "chrf" or "rougeL(use_stemmer=True)", in the scale of that
    name. It is the only figure whose time grows with the square of the number of texts.
    """

    homogenization: str | None = option(
        None, "Add the mean score of all pairs of texts by this metric.", kind="text", none_means="no such score",
        on_page=True,
    )  # fmt: skip
    # Set by `check`.
    pairs: ClassVar[NamedScore | None] = None

    @property
    def of_groups(self) -> tuple[str, ...]:
        """The scores that are no ratios of counts."""
        return ("self_bleu", "self_repetition", *(("homogenization",) if self.homogenization else ()))

    def check(self) -> None:
        """Refuse options of a metric without one."""
        if self.homogenization is not None:
            self._set("pairs", NamedScore.of(self.homogenization, "homogenization"))


def distinct(n_distinct: Counts, n_ngrams: Counts) -> FloatArray:
    """Return the share of n-grams that are distinct, 0 without n-grams: distinct-n of every order.

    As most programs do; the paper divides by the number of tokens.

    References
    ----------
    Li, Galley, Brockett, Gao and Dolan (2016), A diversity-promoting objective function.
    """
    return ratio(n_distinct, n_ngrams)


def self_repetition(in_others: IntArray) -> float:
    """Return the mean of ln(1 + n), for n-grams of a text that other texts have, each once per other text.

    Parameters
    ----------
    in_others : int64, shape (n_texts,)
        For each kind of n-gram of a text the number of other texts that have it, summed.

    References
    ----------
    Salkar, Trikalinos, Wallace and Nenkova (2022), Self-repetition in abstractive neural summarizers,
    as Shaib et al. (2024) compute it.

    Examples
    --------
    >>> self_repetition(np.array([0, 0])), round(self_repetition(np.array([1, 1])), 4)
    (0.0, 0.6931)
    """
    return math.fsum(np.log(in_others + 1.0)) / len(in_others)


def compressed_size(data: bytes) -> int:
    """Return the size that gzip at its highest level makes of bytes, with gzip's 18 bytes around it.

    References
    ----------
    Shaib, Barrow, Sun, Siu, Wallace and Nenkova (2024), Standardizing the measurement of text diversity.
    Their program compresses twice.

    Examples
    --------
    >>> compressed_size(b"a cat " * 100) < 40
    True
    """
    packer = zlib.compressobj(9, zlib.DEFLATED, _GZIP)
    # Piece by piece, so that Ctrl-C is heard between two of them.
    pieces = (data[start : start + _PIECE] for start in range(0, len(data), _PIECE))
    return sum(len(packer.compress(piece)) for piece in pieces) + len(packer.flush())


def homogenization(texts: list[str], score: NamedScore) -> float:
    """Return the mean score of all ordered pairs of different texts, in blocks of bounded memory."""
    matrix = Matrix(*score_of_pairs(score), known_texts(texts), None)
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


class DiversityMetric(SelfBleuMetric):
    """The diversity of groups of texts."""

    name = "diversity"
    options_type: ClassVar[type[DiversityOptions]] = DiversityOptions
    about = About(
        "Diversity", lambda _: EXPLANATION,
        returns="``distinct_1`` to ``distinct_N``, ``ngram_diversity``, ``compression_ratio``, ``self_bleu``, "
        "``self_repetition`` (in nats) and on request ``homogenization``; of groups the means",
    )  # fmt: skip
    scores = SelfBleuMetric.scores
    options: DiversityOptions

    def prepare(self) -> None:
        """Choose layout and scores: of shares of distinct n-grams higher is more diverse, of all others lower.

        Refuse what `pairwise` would refuse.
        """
        orders = range(1, self.options.max_order + 1)
        shares = [Score(f"distinct_{n}", perfect=None) for n in orders]
        total = Score("ngram_diversity", perfect=None, largest=float(self.options.max_order))
        largest = dict.fromkeys(("compression_ratio", *self.options.of_groups), float("inf")) | {"self_bleu": 1.0}
        names = {"self_bleu": self.name}
        self.scores = Scores(*shares, total, *(
            Score(key, names.get(key, ""), higher_is_better=False, perfect=None, largest=most)
            for key, most in largest.items()
        ))  # fmt: skip
        super().prepare()
        if self.options.pairs is not None:
            _check_metric(self.options.pairs)
        n = self.options.max_order
        told = {"joined_distinct": 0, "joined_ngrams": 0}
        counts = (Field(name, n, told=told.get(name)) for name in _COUNTS)
        whole = [Field("n_texts"), *counts, Field("n_bytes"), Field("n_compressed")]
        of_groups = (Field(name, is_whole=False, told=0) for name in self.options.of_groups)
        self.layout = Layout([*whole, *of_groups], references="union")

    def fields_of(self, corpus: Corpus, tokens: Tokens, counts: IntArray) -> dict[str, Any]:
        """Return the fields of the rows; `counts` are those of `repeated_ngrams`."""
        options, orders = self.options, self.options.max_order
        bounds, offsets = np.asarray(tokens.segments, np.int64), np.asarray(tokens.offsets, np.int64)
        totals = np.maximum(lengths_of(offsets)[:, None] - np.arange(orders), 0)
        # All texts of a group as one: their n-grams cross the ends of texts.
        places: Any = offsets[bounds], np.arange(len(bounds))
        joined = repeated(engine.kernel.Tokens(tokens.ids, *places), orders, corpus.n_threads)
        joined_totals = np.maximum(lengths_of(offsets[bounds])[:, None] - np.arange(orders), 0)
        texts = _texts_by_group(corpus)
        data = [" ".join(group).encode() for group in texts]
        more = {}
        if options.pairs is not None:
            more["homogenization"] = [homogenization(group, options.pairs) for group in texts]
        ends = itertools.pairwise(bounds.tolist())
        return {
            **super().fields_of(corpus, tokens, counts),
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

    def signature_fields(self, reports: Any = None) -> dict[str, str]:
        """Return the fields of the signature."""
        pairs = self.options.pairs
        return super().signature_fields(reports) | ({} if pairs is None else fields_of({"pairs": str(pairs)}))

    def formula(self, rows: Rows) -> dict[str, FloatArray]:
        """Return the scores of groups."""
        shares = distinct(rows["distinct"], rows["ngrams"])
        return {
            **{f"distinct_{n}": shares[..., n - 1] for n in range(1, self.options.max_order + 1)},
            "ngram_diversity": distinct(rows["joined_distinct"], rows["joined_ngrams"]).sum(axis=-1),
            "compression_ratio": rows["n_bytes"] / rows["n_compressed"],
            **{name: rows[name] for name in self.options.of_groups},
        }


_COUNTS = ("distinct", "ngrams", "joined_distinct", "joined_ngrams")


def _check_metric(score: NamedScore) -> None:
    """Refuse what `pairwise` would refuse, before anything is counted."""
    try:
        score_of_pairs(score)
    except (TypeError, ValueError) as error:
        message = message_in(error)
        if message is None or message.option != "metric":
            raise
        fail(type(error), "homogenization", message.allowed, message.got)


def _texts_by_group(corpus: Corpus) -> list[list[str]]:
    """Return the texts of every group."""
    others, bounds = corpus.references.tolist(), corpus.reference_offsets.tolist()
    ends = itertools.pairwise(bounds)
    firsts = corpus.hypotheses.tolist()
    return [[first, *others[start:stop]] for first, (start, stop) in zip(firsts, ends, strict=True)]


Diversity = accumulator_of(DiversityMetric)
diversity = one_call(
    Diversity,
    """\
>>> found = diversity(["one two three four five", "one two three four six"])
>>> found["distinct_1"], round(found["self_bleu"], 4)
(0.6, 0.6687)""",
)

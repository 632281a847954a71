"""BLEU of texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from .. import engine
from ..arrays import Counts, FloatArray, IntArray
from ..checks import fail, shown
from ..columns import Corpus
from ..scores.bleu import BleuScore, bleu_score, order_statistics
from ..scores.bleu_options import NLTK_NO_SMOOTHING, BleuOptions, BleuReports
from ..text import Tokenizer, prepared, tokenizer_of
from ..text.tokenizers import text_lengths
from .alignment import Alignment, marked
from .contract import Rows
from .marks import Marking
from .measure import Measure, with_tokenizer
from .one_call import one_call
from .storage import refuse_rows
from .summary import Line, Summary, Words
from .warnings import Notes, warn_as_nltk, warn_of_empty_order


class Bleu(Measure):
    """BLEU, batch by batch: an accumulator that stores integers per segment, never text.

    `statistics` has matches and totals per order and both lengths: shape (n_segments, 2 *
    options.counted_orders + 2), int64, or float64 for the average of reference lengths.

    Parameters
    ----------
    {options}

    Notes
    -----
    {notes}

    Examples
    --------
    >>> first = Bleu().update(["the cat sat on the mat"], ["the cat sat on the mat"])
    >>> second = Bleu().update(["a dog"], [["the dog", "a dog barks"]])
    >>> (first + second).score()["translation_length"]
    8
    """

    name, title = "bleu", "BLEU"
    options_type, reports_type = BleuOptions, BleuReports
    returns = (
        "``bleu``, ``precisions`` (one per order), ``brevity_penalty``, ``length_ratio``, ``translation_length`` and "
        "``reference_length`` (in tokens)"
    )
    unscaled = frozenset(("brevity_penalty", "length_ratio", "translation_length", "reference_length"))
    options: BleuOptions
    tokenizer: Tokenizer

    def _prepare(self) -> None:
        options = self.options
        base = tokenizer_of(options.tokenizer or "13a")
        self.tokenizer = prepared(base, lowercase=options.lowercase or False, strip=bool(options.strip))
        # Whether positive precisions are plain quotients with equal weights, and lengths integers.
        self._is_plain = (
            options.smoothing in ("none", "exp", "floor", "epsilon")
            and options.weights is None
            and (not options.effective_order or options.used_weights.sum() == 1)
            and options.reference_length != "average"
            and options.counting in ("plain", "sacrebleu")
            and self.tokenizer.function is None
        )

    def settings(self) -> dict[str, Any]:
        """Return every option that determines the scores."""
        return with_tokenizer(super().settings(), self.tokenizer)

    def described(self) -> dict[str, str]:
        """Return the fields of the signature in sacreBLEU's form, with more keys for options that it lacks."""
        parts = self.options.signature
        case = {False: "mixed", True: "lc", "ascii": "lc-ascii"}[self.options.lowercase or False]
        strip = {} if self.options.strip else {"strip": "no"}
        return {"case": case, "eff": parts.pop("eff"), "tok": self.tokenizer.signature, **parts, **strip}

    @property
    def zero_row(self) -> Counts:
        """Matches and totals per order, both lengths."""
        kind = np.float64 if self.options.reference_length == "average" else np.int64
        return np.zeros(2 * self.options.counted_orders + 2, kind)

    def check_rows(self, rows: Counts) -> None:
        """Raise for rows that no text can have."""
        super().check_rows(rows)
        orders = self.options.counted_orders
        n_ngrams = rows[:, -2, None] - np.arange(orders)
        is_right = rows[:, orders:-2] == np.maximum(n_ngrams, 1 if self.options.counting == "nltk" else 0)
        is_right &= rows[:, :orders] <= np.maximum(n_ngrams, 0)
        refuse_rows(is_right.all(axis=1), rows, "matches, totals and lengths that texts can have")

    def check_summable(self) -> None:
        """Raise for nltk's methods that depend on the last segment."""
        if self.options.looks_at_last_segment:
            allowed = "a method that does not depend on the last segment, for intervals, comparisons and sums"
            fail(ValueError, "smoothing", allowed, f"{shown(self.options.smoothing)} with nltk's counting")

    def count(self, corpus: Corpus, notes: Notes) -> Rows:
        """Count clipped n-gram matches and lengths."""
        tokens = self.tokenizer.cut(corpus)
        notes.look(corpus, tokens)
        orders = self.options.counted_orders
        hypotheses, references = text_lengths(tokens)
        zeros = self.zero_row
        rows = np.empty((len(corpus), len(zeros)), zeros.dtype)
        rows[:, :orders] = engine.kernel.ngram_matches(tokens, orders, n_threads=corpus.n_threads)
        totals = hypotheses[:, None] - np.arange(orders)
        rows[:, orders:-2] = np.maximum(totals, 1 if self.options.counting == "nltk" else 0)
        rows[:, -2] = hypotheses
        which = self.options.reference_length or "closest"
        rows[:, -1] = reference_lengths(hypotheses, references, corpus.reference_offsets, which)
        return Rows(rows)

    def score_one_segment(self, hypothesis: str, references: Sequence[str]) -> dict[str, Any] | None:
        """Return BLEU of one segment with n-grams of every order, unsmoothed or with exponential smoothing."""
        options, order = self.options, self.options.max_order
        if not self._is_plain:
            return None
        texts = self.tokenizer.prepared_segment(hypothesis, references)
        counts = self.tokenizer.one_segment.ngram_matches(*texts, order)
        length, lengths = counts[order], counts[order + 1 :]
        has_zero = 0 in counts[:order]
        if length < order or 0 in lengths or (has_zero and options.smoothing not in ("none", "exp")):
            return None
        nearest = options.reference_length == "closest"
        reference = min(lengths, key=lambda n: (abs(length - n), n)) if nearest else min(lengths)
        precisions = [matches / (length - i) for i, matches in enumerate(counts[:order])]
        if has_zero and counts[0] and options.smoothing == "exp":
            halved, has_zero = 1.0, False
            for i in range(order):
                if not counts[i]:
                    halved /= 2
                    precisions[i] = halved / (length - i)
        # The operations of `bleu_score` in the same order; logarithms of `math` may differ in the last bit.
        penalty = float(np.exp(min(1 - reference / length, 0.0)))
        mean = 0.0 if has_zero else float(np.exp((np.log(precisions) * options.used_weights).sum()))
        return {
            "bleu": mean * penalty, "precisions": precisions, "brevity_penalty": penalty,
            "length_ratio": length / reference, "translation_length": length, "reference_length": reference,
        }  # fmt: skip

    def scores(self, rows: Counts) -> FloatArray:
        """BLEU of pooled counts."""
        return bleu_score(rows, self.options).bleu[..., None]

    def counts(self) -> dict[str, Any]:
        """Return clipped matches and n-grams of every order."""
        total, order, counted = self.total().tolist(), self.options.max_order, self.options.counted_orders
        return {"matches": total[:order], "totals": total[counted : counted + order]}

    def displayed_segments(self) -> dict[str, FloatArray]:
        """Return BLEU of every segment with effective order and exponential smoothing, as sacreBLEU's `sentence_bleu`.

        Without them most segments are 0, however good they are.
        """
        if not self.displayed_as:
            return self.segment_columns()
        shown_with = replace(self.options, smoothing="exp", smooth_value=None, effective_order=True, preset=None)
        return {self.name: bleu_score(self.statistics, shown_with).bleu}

    @property
    def displayed_as(self) -> str:
        """How `displayed_segments` differs from `segment_columns`."""
        if self.options.smoothing not in ("none", "epsilon") or self.options.looks_at_last_segment:
            return ""
        return (
            "The score of a segment is shown with effective order and exponential smoothing, as sacreBLEU's "
            "sentence_bleu: without them many are 0."
        )

    def _result(self, asked: BleuReports) -> dict[str, Any]:
        corpus, last = self.total(), self._batches[-1].values[-1]
        result = _plain(bleu_score(corpus, self.options, last), corpus)
        if result["bleu"] == 0:
            warn_of_empty_order(corpus, self.options.counted_orders)
        if self.options.counting == "nltk" and self.options.smooth_value == NLTK_NO_SMOOTHING:
            warn_as_nltk(corpus, self.options.max_order)
        return result | (self._all_orders(corpus, last) if asked.all_orders else {})

    def _all_orders(self, corpus: Counts, last: Counts) -> dict[str, float]:
        if self.options.weights is not None:
            fail(ValueError, "weights", "None together with `all_orders=True`", shown(self.options.weights))
        scores = {}
        for order in range(1, self.options.max_order + 1):
            statistics, options = order_statistics(np.stack((corpus, last)), self.options, order)
            scores[f"bleu{order}"] = float(bleu_score(statistics[0], options, statistics[1]).bleu)
        return scores

    def summary(self, result: Mapping[str, Any]) -> Summary:
        """Return precisions, brevity penalty, BLEU and the lengths as a table."""
        lines = [Line(f"{n}-gram precision", (value,)) for n, value in enumerate(result["precisions"], 1)]
        lines.append(Line("brevity penalty", (result["brevity_penalty"],), is_scaled=False))
        lines += [Line(f"BLEU-{n}", (result[f"bleu{n}"],)) for n in range(1, len(lines)) if f"bleu{n}" in result]
        lines.append(Line("BLEU", (result["bleu"],), "bleu", is_headline=True))
        lengths = (
            f"{result['translation_length']:,} tokens against {result['reference_length']:,} in the references "
            f"(ratio {result['length_ratio']:.3f})"
        )
        return Summary(self.title, ("score",), lines, [f"tokenizer {self.tokenizer.name}", lengths])

    @classmethod
    def words(cls, key: str) -> Words:  # noqa: ARG003
        """Explain BLEU."""
        return _WORDS

    def marking(self, key: str) -> Marking:  # noqa: ARG002
        """Mark n-grams of all orders, longer ones more strongly."""
        return Marking.of_orders(self.options.max_order)

    def alignments(self, corpus: Corpus, key: str) -> list[Alignment]:  # noqa: ARG002
        """Match with all references together."""
        hypotheses, references = marked(corpus, self.tokenizer, self.options.max_order)
        bounds = corpus.reference_offsets.tolist()
        spans = zip(bounds[:-1], bounds[1:], strict=True)
        return [Alignment(h, references[a:b], 0, is_alone=False) for h, (a, b) in zip(hypotheses, spans, strict=True)]


def reference_lengths(hypotheses: IntArray, references: IntArray, offsets: IntArray, which: str) -> Counts:
    """Choose one length among the references of every segment.

    Parameters
    ----------
    hypotheses, references : int64, shapes (n_segments,) and (n_references,)
        Numbers of tokens.
    offsets : int64, shape (n_segments + 1,)
    which : "shortest", "closest" or "average"
        Of equally close lengths the shorter.

    Returns
    -------
    shape (n_segments,)
        float64 for "average", else int64; additive.

    Examples
    --------
    >>> reference_lengths(np.array([7]), np.array([11, 8, 6]), np.array([0, 3]), "closest")
    array([6])
    """
    if len(references) == len(hypotheses):
        return references
    starts = offsets[:-1]
    if which == "shortest":
        return np.minimum.reduceat(references, starts)
    if which == "average":
        return np.add.reduceat(references, starts) / np.diff(offsets)
    distance = np.abs(references - np.repeat(hypotheses, np.diff(offsets)))
    # The smallest (distance, length) of a segment, compared as one integer.
    scale = int(references.max(initial=0)) + 1
    return np.minimum.reduceat(distance * scale + references, starts) % scale


def _plain(score: BleuScore, corpus: Counts) -> dict[str, Any]:
    return {
        "bleu": float(score.bleu),
        "precisions": score.precisions.tolist(),
        "brevity_penalty": float(score.brevity_penalty),
        "length_ratio": float(score.length_ratio),
        "translation_length": int(corpus[-2]),
        "reference_length": corpus[-1].item(),
    }


_WORDS = Words(
    "BLEU",
    "How many of the predictions' words, and runs of up to several words, also occur in the references?",
    (
        "The precision of each order is the share of the predictions' n-grams that occur in a reference. An n-gram "
        "counts at most as often as a reference has it (its clipped count).",
        "The brevity penalty lowers the score if the predictions are shorter than the references.",
        "BLEU is the geometric mean of the precisions times that penalty. Counts are pooled over all segments first, "
        "so the score on top is not the mean of the segment scores.",
    ),
    "BLEU of a single segment is useful to sort segments, not to judge them.",
)
bleu = one_call(Bleu)

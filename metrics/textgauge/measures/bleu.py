"""BLEU of texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from .. import engine
from ..arrays import Counts, IntArray, lengths_of
from ..checks import counted, fail, shown
from ..columns import Corpus
from ..plain import Texts
from ..scores.bleu import bleu_score
from ..signatures import number
from ..text import Tokenizer, prepared, tokenizer_of
from ..text.tokenizers import text_lengths
from .alignment import Alignment, matched, placed_texts
from .bleu_derivation import BleuDerivation
from .bleu_options import NLTK_NO_SMOOTHING, BleuOptions, BleuReports, SacrebleuOptions
from .crossing import Crossing, Sides, group_of, n_ngrams, n_tokens, ngram_counts
from .derivation import Derivation, common_ngrams
from .layout import Field, Layout, Rows
from .marks import Marks
from .measure import Measure
from .metric import About
from .one_call import one_call
from .references import References
from .summary import Explanation, Line, Summary
from .warnings import Notes, warn_as_nltk, warn_of_empty_order

_LENGTHS = ("translation_length", "reference_length")


class Bleu(Measure):
    """BLEU, batch by batch: an accumulator that stores integers per segment, never text.

    `statistics` has the fields ``matches`` and ``totals``, one number per order, ``translation_length`` and
    ``reference_length``: int64, or float64 for the average of reference lengths.

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

    name = "bleu"
    options_type: ClassVar[type[BleuOptions]] = BleuOptions
    reports_type = BleuReports
    about = About(
        "BLEU",
        lambda _: _EXPLANATION,
        returns="``bleu``, ``precisions`` (one per order), ``brevity_penalty``, ``length_ratio``, "
        "``translation_length`` and ``reference_length`` (in tokens)",
        unscaled=frozenset(("brevity_penalty", "length_ratio", *_LENGTHS)),
        segments="A segment is scored with effective order, and with exponential smoothing unless another was chosen, "
        "as sacreBLEU's sentence_bleu: without them many are 0.",
    )
    references = References("union")
    options: BleuOptions
    tokenizer: Tokenizer

    def setup(self) -> None:
        """Choose the tokenizer, the layout and the arguments of the formula."""
        options = self.options
        base = tokenizer_of(options.tokenizer or "13a")
        self.tokenizer = prepared(base, lowercase=options.lowercase or False, strip=bool(options.strip))
        orders, is_whole = options.counted_orders, options.reference_length != "average"
        by_order = [Field("matches", orders), Field("totals", orders)]
        self.layout = Layout([*by_order, Field(_LENGTHS[0]), Field(_LENGTHS[1], is_whole=is_whole)])
        names = ("max_order", "smoothing", "smooth_value", "effective_order", "counting")
        self._formula: dict[str, Any] = {name: getattr(options, name) for name in names}
        self._formula["weights"] = None if options.weights is None else np.array(options.weights)

    def described(self) -> dict[str, str]:
        """Return the fields of the signature in sacreBLEU's form, with more keys for options that it lacks."""
        parts = self.options.signature
        case = {False: "mixed", True: "lc", "ascii": "lc-ascii"}[self.options.lowercase or False]
        strip = {} if self.options.strip else {"strip": "no"}
        return {"case": case, "eff": parts.pop("eff"), "tok": self.tokenizer.signature, **parts, **strip}

    def check_sums(self, asked: Any = None) -> None:  # noqa: ARG002
        """Refuse nltk's methods that depend on the last segment."""
        if self.options.looks_at_last_segment:
            allowed = "a method that does not depend on the last segment, for intervals, comparisons and sums"
            fail(ValueError, "smoothing", allowed, f"{shown(self.options.smoothing)} with nltk's counting")

    def pairs(self, corpus: Corpus, notes: Notes) -> Rows:
        """Count n-gram matches, clipped by all references together, and lengths."""
        tokens = self.tokenizer.cut(corpus)
        notes.look(corpus, tokens)
        orders = self.layout.fields[0].size
        lengths, references = text_lengths(tokens)
        which = self.options.reference_length or "closest"
        return self.rows_with(
            engine.kernel.ngram_matches(tokens, orders, n_threads=corpus.n_threads),
            lengths,
            reference_lengths(lengths, references, corpus.reference_offsets, which),
        )

    def rows_with(self, matches: Any, lengths: IntArray, reference_length: Counts) -> Rows:
        """Return the rows of segments with these matches, shape (n_segments, n_orders), and lengths."""
        least = 1 if self.options.counting == "nltk" else 0
        return self.layout.filled(
            len(lengths),
            matches=matches,
            totals=np.maximum(lengths[:, None] - np.arange(self.layout.fields[0].size), least),
            translation_length=lengths,
            reference_length=reference_length,
        )

    def crossing(self, texts: Texts, sides: Sides, notes: Notes) -> Crossing | None:
        """Count n-gram matches by an index of all texts."""
        group = group_of(texts, sides)
        tokens = self.tokenizer.cut(group)
        notes.look(group, tokens)
        orders, lengths = self.layout.fields[0].size, n_tokens(tokens)
        totals = np.maximum(n_ngrams(lengths, orders), 1 if self.options.counting == "nltk" else 0)
        return Crossing(
            {"matches": ngram_counts(tokens, orders, sides)},
            {"totals": totals, "translation_length": lengths},
            {"reference_length": sides.of_references(lengths)},
        )

    def scores(self, rows: Rows) -> dict[str, Any]:
        """BLEU of pooled counts, and its parts."""
        scores = bleu_score(rows, rows.last, **self._formula)
        del scores["mean"], scores["weights"]
        return {self.name: scores.pop("bleu"), **scores}

    def derivation(self, key: str, rows: Rows, segment: Corpus | None) -> Derivation:  # noqa: ARG002
        """Show the precision of every order, the penalty, and their product."""
        examples, which = None, ""
        if segment is not None:
            which = self.options.reference_length or "closest" if len(segment.references) > 1 else ""
            [[hypothesis, *references]] = placed_texts(segment, self.tokenizer.cut(segment), self.tokenizer)
            examples = [common_ngrams(hypothesis, references, n) for n in range(1, self.options.max_order + 1)]
        return BleuDerivation(rows, self._formula, self.about.title, self.scale).whole(examples, which)

    def corpus_scores_of(self, total: Rows, asked: BleuReports) -> dict[str, Any]:
        """Return the scores, and BLEU of every order; warn of orders without n-grams."""
        values = self.scores(total)
        order = self.options.max_order
        if values[self.name] == 0 and not self.options.effective_order:
            warn_of_empty_order(total["matches"][:order], total["totals"][:order])
        if self.options.counting == "nltk" and self.options.smooth_value == NLTK_NO_SMOOTHING:
            warn_as_nltk(total["matches"][: self.options.max_order])
        return values | (self._of_all_orders(total) if asked.all_orders else {})

    def _of_all_orders(self, total: Rows) -> dict[str, Any]:
        if self.options.weights is not None:
            fail(ValueError, "weights", "None together with `all_orders=True`", shown(self.options.weights))
        orders = range(1, self.options.max_order + 1)
        formulas = [{**self._formula, "max_order": order} for order in orders]
        return {
            f"bleu{order}": bleu_score(total, total.last, **formula)["bleu"]
            for order, formula in zip(orders, formulas, strict=True)
        }

    def counts_of(self, total: Rows) -> dict[str, Any]:
        """Return clipped matches and n-grams of every order."""
        order = self.options.max_order
        return {name: total[name][:order].tolist() for name in ("matches", "totals")}

    def for_segments(self) -> Bleu:
        """Return sentence BLEU: with effective order, and exponential smoothing unless a smoothing was chosen."""
        options = self.options.of_sentences
        if options is self.options:
            return self
        sentence = self.without_segments()
        sentence.options = options
        # No more: both have the same tokens and the same orders.
        changed = {name: getattr(options, name) for name in ("smoothing", "smooth_value", "effective_order")}
        sentence._formula = {**self._formula, **changed}
        return sentence

    def settings(self) -> dict[str, Any]:
        """Return every option that determines the scores, those of segments too."""
        sentence = self.options.of_sentences
        value = "" if sentence.smooth_value is None else f"[{number(sentence.smooth_value)}]"
        return {**super().settings(), "smoothing of segments": f"{sentence.smoothing}{value}"}

    def summary(self, result: Mapping[str, Any]) -> Summary:
        """Return precisions, brevity penalty, BLEU and the lengths as a table."""
        lines = [
            Line(f"{n}-gram precision", (value,), full=self.scale) for n, value in enumerate(result["precisions"], 1)
        ]
        orders = [n for n in range(1, len(lines) + 1) if f"bleu{n}" in result]
        lines.append(Line("brevity penalty", (result["brevity_penalty"],)))
        lines += [Line(f"BLEU-{n}", (result[f"bleu{n}"],), full=self.scale) for n in orders]
        lines.append(Line("BLEU", (result[self.name],), self.name, is_headline=True, full=self.scale))
        lengths = (
            f"{counted(result['translation_length'], 'token')} against {result['reference_length']:,} in the "
            f"references (ratio {result['length_ratio']:.3f})"
        )
        return Summary(self.about.title, ("score",), lines, [f"tokenizer {self.tokenizer.name}", lengths])

    def marks(self, key: str) -> Marks:  # noqa: ARG002
        """Mark n-grams of all orders, longer ones more strongly."""
        return Marks.of_orders(self.options.max_order, self._align)

    def _align(self, corpus: Corpus) -> list[Alignment]:
        """Match with all references together."""
        hypotheses, references = matched(corpus, self.tokenizer, self.options.max_order)
        bounds = corpus.reference_offsets.tolist()
        spans = zip(bounds[:-1], bounds[1:], strict=True)
        return [Alignment(h, references[a:b], 0, is_alone=False) for h, (a, b) in zip(hypotheses, spans, strict=True)]


class Sacrebleu(Bleu):
    """BLEU as sacreBLEU computes it, from 0 to 100, batch by batch: see `Bleu`.

    Parameters
    ----------
    {options}

    Notes
    -----
    {notes}

    Examples
    --------
    >>> round(Sacrebleu().update(["the cat sat on the mat"], ["the cat is on the mat"]).score()["sacrebleu"], 2)
    37.99
    """

    name = "sacrebleu"
    about = replace(Bleu.about, returns=Bleu.about.returns.replace("``bleu``", "``sacrebleu``"))
    options_type: ClassVar[type[BleuOptions]] = SacrebleuOptions
    scale = 100.0


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
        return np.add.reduceat(references, starts) / lengths_of(offsets)
    distance = np.abs(references - np.repeat(hypotheses, lengths_of(offsets)))
    # The smallest (distance, length) of a segment, compared as one integer.
    scale = int(references.max(initial=0)) + 1
    return np.minimum.reduceat(distance * scale + references, starts) % scale


_EXPLANATION: Explanation = Explanation(
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
sacrebleu = one_call(Sacrebleu)

"""BLEU of texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from .. import engine
from ..arrays import Counts, IntArray
from ..checks import counted, fail, shown
from ..columns import Corpus
from ..plain import Texts
from ..signatures import number
from ..text import Tokenizer, prepared, tokenizer_of
from .alignment import Alignment, matched, placed_texts
from .bleu_derivation import BleuDerivation
from .bleu_options import NLTK_NO_SMOOTHING, BleuOptions, BleuReports, SacrebleuOptions
from .crossing import Crossing, Sides, group_of, n_ngrams, n_tokens, ngram_counts
from .derivation import Derivation, matched_ngrams
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
        form="With the defaults of the Hub's bleu, and presets of other tools.",
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
        self._formula = options.formula

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
        orders, options = self.layout.fields[0].size, self.options
        rows = engine.kernel.bleu_rows(
            tokens, orders, options.least_total, options.which_length, n_threads=corpus.n_threads
        )
        return Rows(self.layout, np.asarray(rows, self.layout.dtype))

    def rows_with(self, matches: Any, lengths: IntArray, reference_length: Counts) -> Rows:
        """Return the rows of segments with these matches, shape (n_segments, n_orders), and lengths."""
        return self.layout.filled(
            len(lengths),
            matches=matches,
            totals=np.maximum(lengths[:, None] - np.arange(self.layout.fields[0].size), self.options.least_total),
            translation_length=lengths,
            reference_length=reference_length,
        )

    def crossing(self, texts: Texts, sides: Sides, notes: Notes) -> Crossing | None:
        """Count n-gram matches by an index of all texts."""
        group = group_of(texts, sides)
        tokens = self.tokenizer.cut(group)
        notes.look(group, tokens)
        orders, lengths = self.layout.fields[0].size, n_tokens(tokens)
        totals = np.maximum(n_ngrams(lengths, orders), self.options.least_total)
        return Crossing(
            {"matches": ngram_counts(tokens, orders, sides)},
            {"totals": totals, "translation_length": lengths},
            {"reference_length": sides.of_references(lengths)},
        )

    def scores(self, rows: Rows) -> dict[str, Any]:
        """BLEU of pooled counts, and its parts."""
        parts = self._formula(rows)
        return {
            self.name: parts["bleu"],
            **{name: parts[name] for name in ("precisions", "brevity_penalty", "length_ratio")},
            **{name: rows[name] for name in _LENGTHS},
        }

    def derivation(self, key: str, rows: Rows, segment: Corpus | None) -> Derivation:  # noqa: ARG002
        """Show the precision of every order, the penalty, and their product."""
        examples, which = None, ""
        if segment is not None:
            which = self.options.reference_length or "closest" if len(segment.references) > 1 else ""
            [[hypothesis, *references]] = placed_texts(segment, self.tokenizer.cut(segment), self.tokenizer)
            examples = [matched_ngrams(hypothesis, references, n) for n in range(1, self.options.max_order + 1)]
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
        return {
            f"bleu{order}": replace(self._formula, max_order=order)(total)["bleu"]
            for order in range(1, self.options.max_order + 1)
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
    about = replace(
        Bleu.about,
        returns=Bleu.about.returns.replace("``bleu``", "``sacrebleu``"),
        form="The BLEU that papers cite, as sacreBLEU has it.",
    )
    options_type: ClassVar[type[BleuOptions]] = SacrebleuOptions
    scale = 100.0


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
sacrebleu = one_call(
    Sacrebleu,
    """\
>>> # As in sacreBLEU, exp(log(100)) is not quite 100.
>>> round(sacrebleu(["the cat sat on the mat"], ["the cat sat on the mat"])["sacrebleu"], 12)
100.0""",
)

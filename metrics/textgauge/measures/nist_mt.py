"""NIST of translations."""

from __future__ import annotations

import copy
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal
from xml.sax.saxutils import escape

import numpy as np

from .. import engine
from ..accumulation.accumulator import accumulator_of
from ..accumulation.functions import one_call
from ..checks import MAX_ORDER, fail, warn_user
from ..explanation.alignment import aligned_with_all
from ..explanation.derivation import Derivation, Step, figure
from ..explanation.explainer import Explainer
from ..explanation.marks import Marks
from ..input.columns import Corpus, known_texts
from ..metric import (
    About,
    Explanation,
    Field,
    Layout,
    Metric,
    Misfit,
    Notes,
    Rows,
    Score,
    Scores,
    Sums,
    TwoForms,
    scores_of,
)
from ..options import Options, option
from ..plain import Texts
from ..text import TOKENIZERS, Tokenizer, prepared


@dataclass(frozen=True)
class NistOptions(Options):
    """Matched n-grams, each weighted by the information that it carries: the rarer in the references, the more.

    There is no upper bound. The weights come from all references of a call, so that batches cannot be added.

    "nltk" is the Hub's `nist_mt`: for each order the reference with the most information counts, and its length.
    "mteval" is the official script with `-c`: n-grams are looked for in all references, and their lengths are averaged.
    It reads XML, so that entities in a text stay as they are.

    References: Doddington (2002), Automatic Evaluation of Machine Translation Quality Using N-gram Co-Occurrence
    Statistics.
    """

    n: int = option(5, "Highest order of n-grams.", at_least=1, at_most=MAX_ORDER, on_page=True)
    lowercase: bool = option(False, "Lower-case all text first; not without `western_lang`, as nltk.", on_page=True)
    western_lang: bool = option(True, "Split off punctuation; else cut at white space alone.")
    counting: Literal["nltk", "mteval"] = option("nltk", "Whose rules for several references.", on_page=True)

    def check(self) -> None:
        """Refuse what mteval does not have."""
        if self.counting == "mteval" and not self.western_lang:
            fail(ValueError, "western_lang", "True with `counting='mteval'`", "False")


class NistMtMetric(Metric):
    """NIST (Doddington 2002).

    `statistics` has the fields ``information`` and ``ngrams`` of the orders 1 to n, ``length`` and ``reference``; with
    nltk's counting the lengths are summed over the orders: float64.

    Examples
    --------
    >>> result = NistMt(n=2).update(["the cat sat down"], [["the cat sat", "a cat sat down"]]).score()
    >>> round(result["nist_mt"], 4)
    1.9388
    """

    name = "nist_mt"
    options_type = NistOptions
    about = About("NIST", lambda _: _EXPLANATION)
    scores = Scores(Score("nist_mt", perfect=None, largest=float("inf")))
    sums = Sums(
        "whole",
        refusal=(
            "metric",
            "a metric whose segments can be counted apart (textgauge.nist_mt takes all of them in one call)",
            "'nist_mt'",
        ),
    )

    tokenizer: Tokenizer
    options: NistOptions

    def prepare(self) -> None:
        """Choose the tokenizer and the layout."""
        self._is_mteval = self.options.counting == "mteval"
        name = "13a" if self._is_mteval else "nist" if self.options.western_lang else "nist-spaces"
        lowercase = self.options.lowercase and self.options.western_lang
        self.tokenizer = prepared(TOKENIZERS[name], lowercase=lowercase, strip=False)
        n = self.options.n
        fields = (
            Field("information", n, is_whole=False), Field("ngrams", n), Field("length"),
            Field("reference", is_whole=False),
        )  # fmt: skip
        self.layout = Layout(fields, references="union")
        self._information: Any = None

    def fitted(self, corpus: Corpus) -> NistMtMetric:
        """Return the metric with the information of the n-grams of all references."""
        other = copy.copy(self)
        offsets, data = corpus.references.join()
        checksum = zlib.crc32(np.asarray(offsets, np.int64).tobytes(), zlib.crc32(data))
        other.identity = {"refs": f"{checksum:08x}"}
        cut = self.tokenizer.cutter, self._prepared(corpus.references), self.options.n
        other._information = engine.kernel.NgramInformation(*cut)
        return other

    def notes(self) -> Notes:
        """Return what looks for unfit scripts."""
        return Notes(unusual=lambda: (Misfit(self.tokenizer, unsplit=_UNSPLIT), TwoForms(self.tokenizer)))

    def rows(self, corpus: Corpus, notes: Notes) -> Rows:
        """Count the segments of a chunk."""
        notes.examine(corpus)
        if self._information is None:
            return self.fitted(corpus).rows(corpus, notes)
        rows = self._information.rows(
            self._prepared(corpus.hypotheses), self._prepared(corpus.references), corpus.offsets, self._is_mteval,
            n_threads=corpus.n_threads,
        )  # fmt: skip
        return self.layout.counted(rows)

    def _prepared(self, texts: Texts) -> Texts:
        """Return texts for the cutter; those for mteval as its XML has them."""
        written = [*map(escape, texts.tolist())] if self._is_mteval else None
        return self.tokenizer.prepared(texts if written is None else known_texts(written))

    def settings(self) -> dict[str, Any]:
        """Return every option, `lowercase` as it is applied."""
        return {**super().settings(), "lowercase": self.tokenizer.lowercase}

    def formula(self, rows: Rows) -> dict[str, Any]:
        """Sum the information per n-gram over the orders, less for short predictions."""
        scores = engine.kernel.nist_scores(rows.values)
        return {"nist_mt": scores_of(scores, rows)[0]}

    def result(self, accumulator: Any, reports: Any) -> dict[str, Any]:
        """Return the score; warn of orders without n-grams."""
        self.warn_of(accumulator, {})
        return super().result(accumulator, reports)

    def warn_of(self, accumulator: Any, values: Mapping[str, Any]) -> None:  # noqa: ARG002
        """Warn of orders without n-grams."""
        if not (totals := accumulator.total()["ngrams"]).all():
            order = int(np.argmin(totals)) + 1
            warn_user(
                f"no prediction is long enough for a {order}-gram: orders from {order} on add 0 to NIST, where nltk "
                f"divides by zero; " + (f"pass `n={order - 1}` to leave them out." if order > 1 else "all are empty.")
            )

    def below(self, result: Mapping[str, Any]) -> list[str]:  # noqa: ARG002
        """Return the orders and the rules."""
        return [f"orders 1 to {self.options.n}, counted as {self.options.counting}; no upper bound"]


_UNSPLIT = "NIST does not split text without spaces: put spaces between the words of both sides."
_EXPLANATION: Explanation = Explanation(
    "NIST",
    "How many informative runs of words do prediction and references share?",
    (
        "Runs of one to five words that the references have, too, match. A run counts the more bits the rarer it is in "
        "all references, given the words before its last.",
        "For each length the bits are divided by the number of runs of the predictions, and added up.",
        "A factor lowers the score where the predictions are shorter than the references.",
    ),
    "The weights depend on the references: scores of two test sets cannot be compared, and there is no best score.",
)
_EXAMPLE = """>>> nist_mt(["a cat sat on a mat"], ["a cat sat on a mat"], n=1)
{'nist_mt': 2.2516291673878226}"""
NistMt = accumulator_of(NistMtMetric)
nist_mt = one_call(NistMt, _EXAMPLE)


_BITS = "bits of the n-grams that a reference has, too, divided by all n-grams of the prediction"


class NistExplainer(Explainer, metric=NistMtMetric):
    """Explains the scores of `NistMtMetric`."""

    metric: NistMtMetric

    def marks(self, key: str) -> Marks:  # noqa: ARG002
        """Mark n-grams of all orders that a reference has, longer ones more strongly."""
        tokenizer, order = self.metric.tokenizer, self.metric.options.n
        return Marks.of_orders(order, partial(aligned_with_all, tokenizer=tokenizer, orders=order))

    def derivation(self, key: str, rows: Rows, segment: Corpus | None) -> Derivation:  # noqa: ARG002
        """Show the information per n-gram of every order, their sum, and the factor for the length."""
        title = self.metric.about.title
        score, factor, *shares = engine.kernel.nist_scores(rows.values)
        # nltk adds the lengths of all orders.
        n = len(shares) if self.metric.options.counting == "nltk" else 1
        length, reference = (figure(float(rows[name]) / n) for name in ("length", "reference"))
        short = "" if factor == 1 else "shorter than the reference, which lowers NIST"
        steps = (
            *self._orders(rows, shares),
            Step("sum", formula=" + ".join(map(figure, shares)), value=sum(shares), meaning="over the orders"),
            Step("length", (f"{length} against {reference}",), value=factor, meaning=short or "not too short"),
            Step(title, formula=f"{figure(sum(shares))} × {figure(factor)}", value=score),
        )
        return Derivation(title, steps)

    def _orders(self, rows: Rows, shares: list[float]) -> Iterator[Step]:
        columns = rows["information"].tolist(), rows["ngrams"].tolist(), shares
        for order, (bits, ngrams, share) in enumerate(zip(*columns, strict=True), 1):
            formula = f"{figure(bits)} / {figure(ngrams)}" if ngrams else "no n-grams"
            yield Step(f"{order}-grams", formula=formula, value=share, meaning=_BITS if order == 1 else "")

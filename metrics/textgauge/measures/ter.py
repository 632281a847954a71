"""Translation edit rate of texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import engine
from ..accumulation.accumulator import Accumulator, one_call
from ..checks import quantity
from ..input.columns import Corpus, known_texts
from ..metric import (
    About,
    Counter,
    Explanation,
    Field,
    Layout,
    Line,
    Metric,
    Misfit,
    Notes,
    Rows,
    Score,
    Scores,
    Summary,
    Sums,
    TwoForms,
    scores_of,
)
from ..metric.notes import UNSPLIT_BY_TER
from ..options import Options, Reports, option
from ..scores.ordered_sums import by_sum
from ..signatures import yes_no
from ..text import TOKENIZERS, Tokenizer, prepared
from ..text.tercom import Tercom


@dataclass(frozen=True)
class TerOptions(Options):
    """The score is 100 times the number of edits divided by the average length of the references.

    0 is best, and there is no upper bound.

    An edit inserts, deletes or substitutes a word, or shifts a run of words. Shifts are found
    greedily, with Tercom's limits: runs of at most 10 words over at most 50 words, and at most
    1,000 candidates per segment. Of several references, the one that needs the fewest edits counts.

    References: Snover et al. (2006), A Study of Translation Edit Rate with Targeted Human
    Annotation; Tercom. The figures are those of sacreBLEU.
    """

    normalized: bool = option(False, "Split off punctuation first, and decode entities such as &quot;.", on_page=True)
    no_punct: bool = option(False, "Drop punctuation first.", on_page=True)
    asian_support: bool = option(False, "Apply `normalized` and `no_punct` to Chinese and Japanese characters as well.")
    case_sensitive: bool = option(False, "Compare words without lower-casing them.", on_page=True)


@dataclass(frozen=True)
class TerReports(Reports):
    """`num_edits` and `ref_length` are summed over the segments; `per_segment` adds ``segment_ter``."""


class TerCounter(Counter):
    """Counts the edits and the words of the references."""

    tokenizer: Tokenizer

    def __init__(self, options: TerOptions) -> None:
        """Choose the tokenizer and the layout."""
        o = options
        if o.normalized or o.no_punct:
            cut = Tercom(o.normalized, o.no_punct, o.asian_support, o.case_sensitive)
            self.tokenizer = Tokenizer("tercom", function=cut)
        else:
            self.tokenizer = prepared(TOKENIZERS["whitespace"], lowercase=not o.case_sensitive, strip=False)
        self.layout = Layout([Field("edits"), Field("reference", is_whole=False, over="mean")])

    def notes(self) -> Notes:
        """Return what looks for unfit scripts; an empty text has a score, since words can be inserted."""
        return Notes(unusual=lambda: (Misfit(self.tokenizer, unsplit=UNSPLIT_BY_TER), TwoForms(self.tokenizer)))

    def rows(self, corpus: Corpus, notes: Notes) -> Rows:
        """Count the pairs of a chunk."""
        notes.look(corpus)
        tokens = self.tokenizer.cut(self.rewritten(corpus))
        rows = np.asarray(engine.kernel.translation_edits(tokens, n_threads=corpus.n_threads), np.float64)
        return Rows(self.layout, rows)

    def rewritten(self, corpus: Corpus) -> Corpus:
        """Return the texts to tokenize: sacreBLEU normalizes references twice, which matters for leading dots."""
        if self.tokenizer.function is None:
            return corpus
        once = known_texts([" ".join(self.tokenizer(text)) for text in corpus.references.tolist()])
        return Corpus(corpus.hypotheses, once, corpus.offsets, corpus.first)


class TerMetric(Metric):
    """Translation edit rate (Snover et al. 2006)."""

    name = "ter"
    options_type, reports_type = TerOptions, TerReports
    about = About(
        "TER", lambda _: _EXPLANATION, returns="``ter``, ``num_edits`` and ``ref_length`` (in words)",
    )  # fmt: skip
    scores = Scores(
        Score("ter", higher_is_better=False, perfect=0.0, largest=float("inf")),
        scale=100.0, unscaled=("num_edits", "ref_length"),
    )  # fmt: skip
    # sacreBLEU adds the average lengths of the references, which may be fractions, by Python's `sum`.
    sums = Sums(add=by_sum)
    options: TerOptions
    counter: TerCounter

    def counted_by(self) -> TerCounter:
        """Return the counter."""
        return TerCounter(self.options)

    def signature_fields(self, asked: Any = None) -> dict[str, str]:  # noqa: ARG002
        """Return the fields of the signature, in sacreBLEU's form."""
        o = self.options
        return {
            "case": "mixed" if o.case_sensitive else "lc", "tok": "tercom", "norm": yes_no(o.normalized),
            "punct": yes_no(not o.no_punct), "asian": yes_no(o.asian_support),
        }  # fmt: skip

    def formula(self, rows: Rows) -> dict[str, Any]:
        """Edits per word of the references; without words, 1 if there is an edit, else 0."""
        rate = scores_of(engine.kernel.ter_scores(rows.values), rows)
        return {self.name: rate, "num_edits": rows["edits"], "ref_length": rows["reference"]}

    def summary(self, result: Mapping[str, Any]) -> Summary:
        """Return the score and its edits as a table."""
        line = Line("TER", (result[self.name],), self.name, is_headline=True, full=None)
        edits, words = quantity(result["num_edits"], "edit"), quantity(result["ref_length"], "word")
        note = f"{edits} for {words} in the references; lower is better"
        return Summary(self.about.title, ("score",), [line], [note])


class Ter(Accumulator, metric=TerMetric):
    """TER, batch by batch: an accumulator that stores two numbers per segment, never text. Lower is better.

    `statistics` has the fields ``edits`` and ``reference``, the average length of the references: float64.

    Parameters
    ----------
    {options}

    Notes
    -----
    {notes}

    Examples
    --------
    >>> Ter().update(["the cat on the mat sat"], ["the cat sat on the mat"]).score()
    {'ter': 16.666666666666664, 'num_edits': 1, 'ref_length': 6.0}
    """


_EXPLANATION: Explanation = Explanation(
    "TER",
    "How many edits per word of the reference turn the prediction into the reference?",
    (
        "An edit inserts, deletes or substitutes a word, or shifts a run of words to another place.",
        "TER is the number of edits per 100 words of the references, both summed over all segments. 0 means that "
        "nothing has to be changed; it can exceed 100. Lower is better.",
    ),
    "Shifts are found greedily, so the number of edits is not always the smallest possible.",
)
ter = one_call(Ter)

"""`textgauge.explain`: the calculation of a score, which a notebook displays as a page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np

from ..accumulation.accumulator import Accumulator
from ..accumulation.named_score import AnyMetric, score_of
from ..checks import metric_by_keyword
from ..explanation.derivation import Derivation
from ..explanation.explain import derived
from ..input.columns import Corpus
from ..input.elements import is_group
from ..locations import DEFAULT
from ..metric.inputs import refuse_unused
from ..resampling import PairedOptions


@dataclass(frozen=True, repr=False)
class Explained(Derivation):
    """What `explain` returns: a calculation that a notebook displays as the page of ``textgauge explain``.

    Attributes
    ----------
    corpus : Corpus
        The texts.
    scored : sequence of (Accumulator, str)
        An empty accumulator, with the options, and the key of its score, for each score.
    brackets : str
        The options as they stand behind the name of the metric.
    """

    corpus: Corpus | None = field(default=None, repr=False, compare=False)
    scored: Sequence[tuple[Accumulator, str]] = field(default=(), repr=False, compare=False)
    brackets: str = field(default="", repr=False, compare=False)

    def __repr__(self) -> str:
        """Return a line: the steps have the texts, and `print` shows them."""
        ways = "print shows them, `textgauge explain -o FILE` writes a page"
        return f"<{type(self).__name__} {self.title}, {len(self.steps)} steps: {ways}>"

    def __getstate__(self) -> dict[str, Any]:
        """Return the calculation alone: columns of texts are not pickled."""
        return {**vars(self), "corpus": None, "scored": ()}

    def _repr_html_(self) -> str | None:
        """Return the page in a frame, from which nothing reaches the notebook or a network."""
        if self.corpus is None:
            return None
        from . import Report, embedded, explain_page

        written = [self.brackets] * len(self.scored)
        report = Report.of(["prediction"], [self.corpus], self.scored, PairedOptions(seed=12345), brackets=written)
        return embedded(explain_page(report), "width:100%;height:40rem;border:1px solid;border-radius:8px")


def _lines(predictions: Any) -> Any:
    """Return rows of numbers as lines of text, others as they are."""
    if not is_group(predictions) or not all(map(is_group, predictions)):
        return predictions
    rows = [[*row] for row in predictions]
    is_all = all(isinstance(number, (int, float, np.number)) for row in rows for number in row)
    return [" ".join(repr(float(number)) for number in row) for row in rows] if is_all else predictions


@metric_by_keyword
def explain(
    predictions: Any, references: Any = None, *, sources: Any = None, metric: AnyMetric = DEFAULT
) -> Explained:  # fmt: skip
    """Return the calculation of a score: its steps with their numbers, and why it is 0.

    `print` shows the calculation as text, and a notebook displays the page of ``textgauge explain``. Meant for a few
    segments: the calculation has the texts and the steps of each.

    Parameters
    ----------
    predictions, references
        As for `corpus_of`; no references for perplexity, which has none. With its option `own_numbers`, predictions
        may also be lists of numbers.
    sources : iterable of str, optional
        What every prediction translates, for metrics that read them.
    metric
        As for `compare`; also "rouge", for all its types.

    Returns
    -------
    Explained
        A `Derivation`: ``score``, ``steps``, ``remarks``, ``edits``, ``texts`` and ``segments``; of several types
        those of the first, and those of the rest in ``others``.

    Raises
    ------
    TypeError, ValueError
        As `corpus_of`, and for a metric that has references if there are none.

    Examples
    --------
    >>> print(explain(["the cat sat"], ["the cat is here"], metric="rouge1"))
    prediction  [the] [cat] sat
    reference   [the] [cat] is here
    [word]      in both texts (counts)
    <BLANKLINE>
    matches     2  the · cat
    precision   2 of 3 = 0.6667  (unmatched: sat)
    recall      2 of 4 = 0.5000  (unmatched: is · here)
    ROUGE-1     2 × 0.6667 × 0.5000 / (0.6667 + 0.5000) = 0.5714
    """
    named = score_of(metric)
    texts = predictions if named.metric.inputs.has_references else _lines(predictions)
    corpus = named.metric.inputs.corpus(named.name, texts, references, sources)
    accumulator = named.start(scores_alone=True)
    accumulator.metric.check_ready()
    refuse_unused([accumulator.metric], corpus.given)
    accumulator.update_corpus(corpus)
    keys = accumulator.metric.scores.keys if named.has_several else [named.key]
    first, *others = (derived(accumulator, key, corpus) for key in keys)
    calculated = {part.name: getattr(first, part.name) for part in fields(first)}
    scored = [(accumulator.without_segments(), key) for key in keys]
    return Explained(**{**calculated, "others": tuple(others)}, corpus=corpus, scored=scored,
                     brackets=named.brackets)  # fmt: skip

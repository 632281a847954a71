"""One score of a metric for frameworks: statistics of every sample, a score of all of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import nan
from typing import Any, TypeAlias

import numpy as np

from ..accumulation.accumulator import Accumulator, additive, corpus_scores, replace_rows
from ..accumulation.named_score import AnyMetric, NamedScore, score_of
from ..all_pairs.pairwise import single_score
from ..checks import checked_name
from ..metric.layout import Rows
from ..resampling import bootstrap_scores, percentile_interval
from ..resampling.intervals import N_RESAMPLES

# The rows of a sample: plain numbers, which every log can store.
Statistics: TypeAlias = list[list[float]]
# Of a normal distribution, within one standard error of the mean.
_WITHIN_ONE = 0.6827


class CorpusScore:
    """One score of a metric, of a sample and of a corpus of samples, from statistics of each sample.

    The score of a corpus is not the mean over its samples where a metric adds up counts (BLEU, chrF, TER).

    Parameters
    ----------
    metric : str or object
        A metric with references, or a score, with its options, as for `textgauge.segment_scores`.
    name : str, optional
        What the framework shows, by default that of the score with its options as words.

    Attributes
    ----------
    name : str
        Such as "chrf" or "chrf_word_order_2": not all frameworks take brackets.
    higher_is_better : bool

    Raises
    ------
    TypeError, ValueError
        As `textgauge.segment_scores`; or for options with which a score is no function of sums over samples.

    Examples
    --------
    >>> bleu = CorpusScore("bleu")
    >>> samples = [bleu.statistics("a b c d e", ["a b c d e"]), bleu.statistics("a b", ["a c", "b d"])]
    >>> samples[1]
    [[2, 0, 0, 0, 2, 1, 0, 0, 2, 2]]
    >>> round(bleu.of_sample(samples[1]), 3), round(bleu.of_corpus(samples), 3)
    (0.707, 0.946)
    """

    def __init__(self, metric: AnyMetric, name: str | None = None) -> None:
        """Check the name and the options."""
        self.metric = score_of(metric, paired=True)
        self._of_samples, self._key = single_score(self.metric)
        self._of_samples.metric.sums.refuse_resamples()
        self._of_samples.metric.sums.refuse_parts()
        implied = self.metric.metric.options_type.defaults_for.get("one score", {}) if self.metric.is_metric else {}
        self._of_corpus = NamedScore(self.metric.name, {**implied, **self.metric.options}).start()
        self.name = checked_name(name) or self.metric.plain_name
        self.higher_is_better = self._of_samples.metric.scores.of(self._key).higher_is_better

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.metric, self.name)

    def statistics(
        self, prediction: str, references: str | Sequence[str] | None, source: str | None = None
    ) -> Statistics:
        """Return the statistics of a sample: a row of numbers, or several whose scores are averaged."""
        extras = {"references": references, "sources": source}
        columns = {name: [value] for name, value in extras.items() if value is not None}
        sample = self._of_corpus.without_segments().update([prediction], **columns)
        rows: Statistics = sample.statistics.values.tolist()
        return rows

    def of_sample(self, statistics: Statistics) -> float:
        """Return the score of one sample, equal to that of `textgauge.segment_scores`."""
        return float(_filled(self._of_samples, [statistics]).segment_columns()[self._key][0])

    def of_corpus(self, samples: Iterable[Statistics]) -> float:
        """Return the score of a corpus from the statistics of its samples, equal to that of its texts in one call.

        Raises
        ------
        ValueError
            If there are none.
        """
        return float(_filled(self._of_corpus, samples).score()[self._key])

    def standard_error(self, samples: Iterable[Statistics], groups: Sequence[Any] | None = None) -> float:
        """Return half the width of the middle 68.27% of 1,000 bootstrap resamples; NaN where there is one to draw.

        With `groups`, a key for each sample, samples of one key are drawn together, as several answers to a question.
        """
        filled = _filled(self._of_corpus, samples)
        rows = additive(filled)
        if groups is not None:
            keys, places = np.unique([*map(str, groups)], return_inverse=True)
            summed = np.zeros((len(keys), rows.shape[1]), rows.dtype)
            np.add.at(summed, places, rows)
            rows = summed
        if len(rows) < 2:
            return nan
        drawn = bootstrap_scores(rows, lambda sums: corpus_scores(filled, sums)[self._key], n_resamples=N_RESAMPLES)
        # The deviation of the resamples, not an interval, which is wider for few samples.
        low, high = percentile_interval(drawn, _WITHIN_ONE)
        return float(high - low) / 2 * filled.metric.scores.scale


def as_text(value: Any) -> Any:
    """Return a number as its text, also within a list, and None for NaN, which stands for what is missing in tables.

    Examples
    --------
    >>> as_text(42), as_text(["a", 4.5]), as_text(float("nan"))
    ('42', ['a', '4.5'], None)
    """
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return [*map(as_text, value)]
    if isinstance(value, (int, float, np.number, np.bool_)):
        return None if value != value else str(value)  # noqa: PLR0124
    return value


def _filled(empty: Accumulator, samples: Iterable[Statistics]) -> Accumulator:
    """Return an accumulator with the rows of samples."""
    accumulator, listed, layout = empty.without_segments(), [*samples], empty.metric.layout
    if listed:
        values = np.array([row for rows in listed for row in rows], layout.dtype)
        replace_rows(accumulator, Rows(layout, values, np.array([*map(len, listed)])))
    return accumulator

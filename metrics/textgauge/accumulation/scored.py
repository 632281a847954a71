"""Rows of segments with their metric, and what follows from both: sums, scores, intervals, results."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np

from ..arrays import Counts, FloatArray, IntArray, offsets_of
from ..checks import fail, in_number, listed, shown, warn_user
from ..metric.layout import Rows
from ..metric.metric import Metric
from ..metric.scores import Scores
from ..metric.summary import Summary, scaled
from ..metric.sums import Refusal
from ..options import options_of
from ..resampling import BootstrapOptions, percentile_interval
from ..resampling.intervals import bootstrap_scores, width_of_alike
from ..scores.exact_sums import are_own_means, exact_means, exact_sums
from ..scores.ordered_sums import means_in_order, sums_in_order
from ..signatures import signature, with_interval
from ..threads import threads_for

Identity = tuple[tuple[str, str], ...]


class Scored:
    """The rows of a metric's segments, to read: what faces, storage and comparisons take.

    Attributes
    ----------
    metric : Metric
        With its options.
    n_summed : int
        Of how many segments its rows are the sum; 0: it has them itself.
    """

    metric: Metric
    n_summed: int = 0
    _batches: list[Rows]
    _identities: frozenset[Identity] = frozenset()
    _n_references: frozenset[int] = frozenset()
    _means: dict[str, FloatArray] | None = None

    def __len__(self) -> int:
        """Return the number of segments."""
        return self.n_summed or sum(map(len, self._batches))

    def __bool__(self) -> bool:
        return True

    @property
    def _some_batches(self) -> list[Rows]:
        if not self._batches:
            fail(ValueError, "predictions", "at least one segment", "none")
        return self._batches

    @property
    def statistics(self) -> Rows:
        """The additive rows of all segments, in order; the docstring of the class names their fields."""
        batches = self._some_batches
        if len(batches) == 1:
            return batches[0]
        per_segment = None
        if self.metric.counter.references.has_trials:
            per_segment = np.concatenate([_rows_per_segment(batch) for batch in batches])
        beside: list[Any] | None = [one for batch in batches for one in batch.beside or ()]
        if any(batch.beside is None for batch in batches):
            beside = None
        values = np.concatenate([batch.values for batch in batches])
        return Rows(batches[0].layout, values, per_segment, beside=beside)

    def identity(self) -> dict[str, str]:
        """Return what made the rows, beside the options: "var" for a key in which segments differ."""
        if not self._identities:
            return {}
        identities = [dict(one) for one in sorted(self._identities)]
        common = [key for key in identities[0] if all(key in one for one in identities)]
        values = {key: {one[key] for one in identities} for key in common}
        return {key: "var" if len(found) > 1 else found.pop() for key, found in values.items()}

    @property
    def signature(self) -> str:
        """What was computed, in one line of the form of sacreBLEU's signatures."""
        return self.signed()

    def signed(self, asked: Any = None) -> str:
        """Return the signature, also of the options of `score`."""
        n_references = self._n_references if self.metric.inputs.has_references else None
        return signature(n_references, {**self.metric.signature_fields(asked), **self.identity()})

    def provenance(self) -> dict[str, Any]:
        """Return what is stored about the segments beside their rows: numbers of references, and what made them."""
        return {"references": sorted(self._n_references), "counters": sorted(self._identities)}

    # ---- scores

    def segment_values(self) -> dict[str, FloatArray]:
        """Return the scores of every segment before scaling, with their parts if the metric averages them.

        They are those of `Metric.sentence_form`, which every face shows: float64, shape (n_segments,) each.
        """
        return self._values_by(() if self.metric.combine == "mean" else self.metric.scores.keys)

    def _values_by(self, keys: tuple[str, ...]) -> dict[str, FloatArray]:
        """Return some values of the formula for every segment; without keys all."""
        metric = self.metric.sentence_form()
        parts = [_batch_values(metric, batch, keys) for batch in self._some_batches]
        return parts[0] if len(parts) == 1 else {key: np.concatenate([p[key] for p in parts]) for key in parts[0]}

    def segment_columns(self) -> dict[str, FloatArray]:
        """Return the scores of every segment by key: float64, shape (n_segments,) each."""
        values = self.segment_values()
        return {name: values[name] * self.metric.scores.scale for name in self.metric.scores.keys}

    def shown_segments(self) -> dict[str, FloatArray]:
        """Return `segment_columns`, where each must have a place on a page or in a ranking: a finite number."""
        columns = self.segment_columns()
        for column in columns.values():
            wrong = np.flatnonzero(~np.isfinite(column))
            if len(wrong):
                allowed = "a text with tokens, none of probability 0, where segments are shown"
                fail(ValueError, f"predictions[{wrong[0]}]", allowed, f"{self.metric.name} {column[wrong[0]]}")
        return columns

    def total(self) -> Rows:
        """Return the sum of all rows, rounded once, and the last of them."""
        only = self._only_row()
        if only is not None:
            return only
        batches = self._some_batches
        layout = batches[-1].layout
        last = Rows(layout, batches[-1].values[-1])
        if layout.dtype.kind != "i":
            values = self.statistics.values
            if self.metric.sums.add is not None:
                return Rows(layout, sums_in_order(values, self.metric.sums.add), last=last)
            is_exact = self.metric.sums.kind != "rounded"
            return Rows(layout, exact_sums(values) if is_exact else values.sum(axis=0), last=last)
        # Several times as fast as `sum` along the first of two axes, of which the second is short.
        sums = [np.einsum("ij->j", batch.values) for batch in batches]
        return Rows(layout, sums[0] if len(sums) == 1 else np.sum(sums, axis=0), last=last)

    def _only_row(self) -> Rows | None:
        """Return the row of a single segment, shape (n_columns,); None if there are more."""
        batches = self._some_batches
        if len(batches) > 1 or len(batches[0].values) > 1:
            return None
        return Rows(batches[0].layout, batches[0].values[0])

    def means(self, keys: tuple[str, ...] = ()) -> dict[str, Any]:
        """Return the scaled means of `segment_values`, all or those of some keys.

        They are rounded once, unless the metric adds scores in an order of its own, see `Sums.add`.
        """
        if self._means is not None:
            return self._means
        only, factor = self._only_row(), self.metric.scores.scale
        if only is not None:
            values = self.metric.formula(only)
            # As the exact mean, never -0.0.
            means = {key: values[key] * factor + 0.0 for key in keys or values}
            if are_own_means(means.values()):
                return means
        batches, sums = self._some_batches, self.metric.sums
        first = _batch_values(self.metric, batches[0], ())
        keys = keys or (*first,)
        # Batch by batch: the scores of all segments would take several times the memory of their counts.
        others = (_batch_values(self.metric, batch, keys) for batch in batches[1:])
        parts = ([values[key] for key in keys] for values in chain((first,), others))
        if sums.add is None:
            found = exact_means(parts, factor, threads_for(len(self), len(keys) * len(self)))
        else:
            found = means_in_order([*map(np.transpose, parts)], sums.add, factor, scales_mean=sums.scales_mean).tolist()
        return dict(zip(keys, found, strict=True))

    def observed_scores(self) -> dict[str, FloatArray]:
        """Return the scaled scores of the corpus by key: shape () each."""
        metric = self.metric
        if metric.combine == "mean":
            values = self.means(metric.scores.keys)
            return {name: values[name] for name in metric.scores.keys}
        values = metric.formula(self.total())
        return {name: values[name] * metric.scores.scale for name in metric.scores.keys}

    @property
    def additive(self) -> Counts:
        """The rows whose sums `corpus_scores` takes: counts, or scores and a 1; shape (n_segments, n_columns)."""
        self.check_resamples()
        pools = self.metric.combine == "pool"
        return self.statistics.values if pools else self.values_and_ones(self.metric.scores.keys)

    def values_and_ones(self, keys: Iterable[str] = ()) -> FloatArray:
        """Return `segment_values`, all or some, and a 1 that counts the segment: shape (n_segments, n_keys + 1)."""
        values = self.segment_values()
        columns = [values[key] for key in keys or values]
        return np.column_stack((*columns, np.ones(len(columns[0]))))

    def corpus_scores(self, sums: FloatArray) -> dict[str, FloatArray]:
        """Score weighted sums of `additive`, shape (..., n_columns), by key: shape (...,) each; before scaling."""
        metric = self.metric
        if metric.combine == "mean":
            return {name: sums[..., i] / sums[..., -1] for i, name in enumerate(metric.scores.keys)}
        scores = metric.formula(Rows(self.metric.counter.layout, sums))
        return {name: scores[name] for name in metric.scores.keys}

    def interval(self, key: str, bootstrap: BootstrapOptions) -> tuple[float, float]:
        """Return the bounds of the confidence interval of the score `key` of the corpus."""
        low, high = self._bounds((key,), bootstrap)[key]
        return low * self.metric.scores.scale, high * self.metric.scores.scale

    def _bounds(self, keys: Sequence[str], bootstrap: BootstrapOptions) -> dict[str, list[float]]:
        """Return the bounds of the intervals of scores by key, before scaling, all from the same resamples."""
        metric = self.metric
        if metric.combine == "mean":
            columns, scores = bootstrap.drawn(self.additive), self.corpus_scores
        else:
            self.check_resamples()
            columns, scores = metric.sums.resampled(bootstrap.drawn(self.statistics.values)), self._pooled

        def stacked(sums: FloatArray) -> FloatArray:
            values = scores(sums)
            return np.stack([values[key] for key in keys], axis=-1)

        drawn = bootstrap_scores(columns, stacked, n_resamples=bootstrap.n_resamples, seed=bootstrap.seed)
        found = percentile_interval(drawn, bootstrap.confidence or 0.0)
        with np.errstate(over="ignore"):
            # exp is monotone, so percentiles stay percentiles; the logarithms are always finite.
            bounds = {
                key: (np.exp(ends) if metric.scores.of(key).exp_of else ends).tolist()
                for key, ends in zip(keys, found, strict=True)
            }
        return with_ends(bounds, metric.scores, len(columns), bootstrap)

    def _pooled(self, sums: FloatArray) -> dict[str, FloatArray]:
        """Return the scores of sums of rows by key, or their logarithms, see `Score.exp_of`."""
        scores = self.metric.formula(Rows(self.metric.counter.layout, sums))
        return {score.key: scores[score.exp_of or score.key] for score in self.metric.scores}

    # ---- results

    def score_with(self, asked: Any, bootstrap: BootstrapOptions) -> dict[str, Any]:
        """Return the scores with what checked options of `score` add to them."""
        metric, factor = self.metric, self.metric.scores.scale
        result = metric.scores.shown(as_plain(metric.result(self, asked)), asked)
        if asked.has_additions:
            more = self._reported(asked, bootstrap)
            result |= more if factor == 1 else scaled(more, factor, metric.scores.unscaled)
        return result

    def summary(self, result: Mapping[str, Any]) -> Summary:
        """Return a result as a table; the lines below it name the model that made the rows."""
        found, model = self.metric.summary(result), self.identity().get("model")
        if model is None:
            return found
        *lines, last = found.below or [""]
        return found._replace(below=[*lines, f"{last}, model {model}".removeprefix(", ")])

    def _reported(self, asked: Any, bootstrap: BootstrapOptions) -> dict[str, Any]:
        """Return what the options of `score` add to the scores."""
        if bootstrap.confidence is not None and len(self) < 2:
            allowed = "None for a single segment or group of texts, since an interval resamples them"
            fail(ValueError, "confidence", allowed, shown(bootstrap.confidence))
        more: dict[str, Any] = {}
        scores = self.metric.scores
        if asked.per_segment:
            keys = scores.of_segments(are_averaged=self.metric.combine == "mean")
            segments = scores.shown(as_plain(self._values_by(keys)), asked)
            more |= {f"segment_{name}": column for name, column in segments.items()}
        if asked.counts:
            more["counts"] = self.metric.counter.layout.plain(self.total(), told=True)
        if asked.signature:
            more["signature"] = with_interval(self.signed(asked), bootstrap)
        if bootstrap.confidence is not None:
            more |= self._intervals(asked, bootstrap)
        return more

    def _intervals(self, asked: Any, bootstrap: BootstrapOptions) -> dict[str, Any]:
        """Return the bounds of the intervals, under their key of the result."""
        metric = self.metric
        if metric.combine == "pool":
            bounds = self._bounds(metric.scores.keys, bootstrap)
            return by_headline(metric.scores, bounds)
        columns = bootstrap.drawn(self.values_and_ones())
        means = bootstrap_scores(
            columns,
            lambda sums: sums[..., :-1] / sums[..., -1:],
            n_resamples=bootstrap.n_resamples,
            seed=bootstrap.seed,
        )
        return {
            "confidence_intervals": self.intervals_of(means, [*self.segment_values()], len(columns), bootstrap, asked)
        }

    def intervals_of(
        self, means: FloatArray, keys: list[str], n: int, bootstrap: BootstrapOptions, asked: Any
    ) -> dict[str, Any]:
        """Return percentile intervals of means, shape (n_resamples, n_keys), as the result has them; `n` were drawn."""
        every = zip(keys, percentile_interval(means, bootstrap.confidence or 0.0).tolist(), strict=True)
        # Counts have none.
        bounds = {key: bound for key, bound in every if key not in self.metric.scores.unscaled}
        return self.metric.scores.shown(with_ends(bounds, self.metric.scores, n, bootstrap), asked)

    def check_resamples(self) -> None:
        """Raise where resamples of the segments have no score: for intervals and comparisons."""
        sums = self.metric.sums
        if sums.refusal is not None and not sums.resamples:
            fail(ValueError, *sums.refusal)

    def refuse_parts(self) -> None:
        """Raise where rows cannot come in parts, since the metric needs all segments at once."""
        sums = self.metric.sums
        if sums.kind == "whole" and sums.refusal is not None:
            fail(ValueError, *sums.refusal)

    def unsummed(self, asked: Any) -> Refusal | None:
        """Return what of the reports `asked` is no function of the sum over all segments, as for `fail`; or None."""
        if asked.counts and self.metric.combine == "mean":
            return "counts", f"False for a data set, since {self.metric.name} averages scores", "True"
        for name in asked.needs_segments():
            default = {one.name: one.default for one in options_of(self.metric.reports_type)}[name]
            ways = {"confidence": "`spark.score` takes it, and ", "per_segment": "`scorer` adds scores to rows; "}
            own = f"{ways.get(name, '')}{type(self).__name__} has them"
            allowed = f"{default!r} for a data set or Spark, which store no segments ({own})"
            return name, allowed, shown(getattr(asked, name))
        return self.metric.sums.refused(asked)

    def refuse_unsummed(self, asked: Any) -> None:
        """Raise if the requested score is not a function of the sum over all segments."""
        refusal = self.unsummed(asked)
        if refusal is not None:
            fail(ValueError, *refusal)


def folded(batches: list[Rows]) -> list[Rows]:
    """Return the sum of all segments but the last, and the last, on which nltk's BLEU depends."""
    *others, last = batches
    total = sum(
        (batch.values.sum(axis=0, keepdims=True) for batch in others), last.values[:-1].sum(axis=0, keepdims=True)
    )
    return [Rows(last.layout, total), Rows(last.layout, last.values[-1:])]


def _batch_values(metric: Metric, batch: Rows, keys: tuple[str, ...]) -> dict[str, FloatArray]:
    values = metric.formula(batch)
    if keys:
        values = {name: values[name] for name in keys}
    if batch.per_segment is None or len(batch.values) == len(batch.per_segment):
        return values
    starts = offsets_of(batch.per_segment)[:-1]
    return {key: np.add.reduceat(value, starts) / batch.per_segment for key, value in values.items()}


def by_headline(scores: Scores, bounds: dict[str, Any]) -> dict[str, Any]:
    """Return the intervals of pooled scores: that of the main score, and those of all by key."""
    return {"confidence_interval": bounds[scores.headline], "confidence_intervals": bounds}


def with_ends(
    bounds: Mapping[str, list[float]], scores: Scores, n: int, bootstrap: BootstrapOptions
) -> dict[str, list[float]]:
    """Return intervals, before scaling, where those without width are honest: `n` segments or units were drawn.

    A share of right answers that is 0 or 1 gets the interval of `width_of_alike`; of others a warning says that they
    show nothing.
    """
    found, alike = dict(bounds), []
    for score in scores:
        low, high = found.get(score.key, (0.0, 1.0))
        if low != high:
            continue
        if score.is_binary and low in (0.0, score.largest):
            width = score.largest * width_of_alike(n, bootstrap.confidence or 0.0)
            found[score.key] = [0.0, width] if low == 0 else [score.largest - width, score.largest]
        else:
            alike.append(score.key)
    if alike:
        warn_user(
            f"the {in_number(len(alike), 'interval[|s]')} of {listed(alike)} {in_number(len(alike), '[has|have]')} no "
            "width, since all draws score alike: that shows nothing about other texts."
        )
    return found


def as_plain(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return arrays as Python numbers and lists."""
    return {
        key: value if type(value) is float or not hasattr(value, "tolist") else value.tolist()
        for key, value in values.items()
    }


def _rows_per_segment(batch: Rows) -> IntArray:
    return np.ones(len(batch), np.int64) if batch.per_segment is None else batch.per_segment

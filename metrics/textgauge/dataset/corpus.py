"""The corpus score of a data set that may be larger than memory."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import partial
from typing import Any

from ..accumulation.accumulator import Accumulator
from ..accumulation.registry import Metrics, metric_options_in, only_asked, options_by_metric, start_with_reports
from ..accumulation.sums import RunningScore
from ..accumulation.warnings import told_once
from ..checks import fail, flag, positive_int
from .batches import all_rows, check_columns, check_models, check_pairs, good_rows, warn_of_bad

_BATCH_SIZE = 1000


def score_dataset(
    dataset: Any,
    metric: Metrics,
    *,
    prediction_column: str,
    reference_column: str | None = None,
    source_column: str | None = None,
    batch_size: int = _BATCH_SIZE,
    skip_bad: bool = False,
    metric_options: Mapping[str, Any] | None = None,
    **options: Any,
) -> dict[str, Any]:
    """Score a data set as one corpus, batch by batch, in constant memory.

    The result equals that of all rows in one call. The progress bar is that of `datasets`:
    ``datasets.disable_progress_bars()`` hides it.

    Parameters
    ----------
    dataset : datasets.Dataset, datasets.IterableDataset, or a dict of these
        For a dict of splits the result is a dict of their results.
    metric : str, list of str, or dict
        As for `scorer`. Several metrics are scored in one pass; the result is a dict of their results.
    prediction_column, reference_column, source_column
        As for `scorer`.
    batch_size : int
        Number of rows in memory at a time.
    skip_bad : bool
        Leave out rows that are no texts: results then have their number as ``skipped``, and a warning says it.
    metric_options : mapping, optional
        The options of the metric, and those of its `score` that need no segments: `detailed`, `all_orders`,
        `signature` and ``aggregator="mean"``. They may be keywords of the call instead, but for names that the call
        has, too (`batch_size` of "bertscore").

    Raises
    ------
    ValueError
        For an option that needs segments: `scorer` adds their scores to the rows, and the
        accumulators keep their statistics.

    Examples
    --------
    >>> import datasets
    >>> datasets.disable_progress_bars()
    >>> rows = datasets.Dataset.from_dict({"summary": ["a cat", "a dog"], "gold": ["a cat", "the dog"]})
    >>> score_dataset(rows, "rougeL", prediction_column="summary", reference_column="gold")
    {'rougeL': 0.75}
    """
    columns = prediction_column, reference_column, source_column
    given = {} if batch_size == _BATCH_SIZE else {"batch_size": positive_int("batch_size", batch_size)}
    options = dict(metric_options_in("score_dataset", metric, metric_options, options, given))
    flag("skip_bad", skip_bad)
    started = {name: start_with_reports(name, own) for name, own in options_by_metric(metric, options).items()}
    measures = {name: measure for name, (measure, _) in started.items()}
    check_pairs(measures.values(), reference_column, source_column)
    if isinstance(dataset, dict) and dataset:
        score = partial(score_dataset, prediction_column=prediction_column, reference_column=reference_column)
        score = partial(
            score, source_column=source_column, batch_size=batch_size, skip_bad=skip_bad, metric_options=options
        )
        return {name: score(split, metric) for name, split in dataset.items()}
    running = {name: RunningScore(measure) for name, measure in measures.items()}
    n_bad = _count(dataset, columns, batch_size, running, measures.values(), skip_bad=skip_bad)
    more = {"skipped": n_bad} if skip_bad else {}
    results = {
        name: {**only_asked(running[name].score(**reports), measure.metric, name), **more}
        for name, (measure, reports) in started.items()
    }
    return results[metric] if isinstance(metric, str) else results


def _count(
    dataset: Any, columns: tuple[str, str | None, str | None], batch_size: int, running: Mapping[str, RunningScore],
    measures: Collection[Accumulator], *, skip_bad: bool,
) -> int:  # fmt: skip
    """Add all rows to the scores; return the number of those that were left out."""
    n_rows = n_bad = 0
    read = good_rows if skip_bad else all_rows
    with told_once():
        for batch in _batches(dataset, columns, batch_size):
            corpus, is_good = read(batch, *columns, measures, place=f"dataset[{n_rows}:]")
            n_rows += len(is_good)
            n_bad += len(is_good) - len(corpus)
            check_models(measures, *columns[1:])
            for one in running.values():
                one.update_corpus(corpus)
    warn_of_bad(n_bad, "left out")
    if n_bad and n_bad == n_rows:
        fail(ValueError, "dataset", "at least one row of texts", f"{n_bad:,} bad rows")
    return n_bad


def _batches(dataset: Any, columns: tuple[str, str | None, str | None], batch_size: int) -> Iterator[Any]:
    """Yield batches, in Arrow where the data set allows it, and advance the progress bar."""
    from datasets import Dataset, IterableDataset
    from datasets.utils import tqdm

    if not isinstance(dataset, (Dataset, IterableDataset)):
        fail(TypeError, "dataset", "one split: a datasets.Dataset or IterableDataset", type(dataset).__name__)
    # A user's transform makes the texts: the Arrow table has them untransformed.
    if not isinstance(dataset, Dataset) or dataset.format["type"] != "custom":
        if dataset.column_names is not None:
            check_columns(dataset.column_names, *columns)
            dataset = dataset.select_columns(list(dict.fromkeys(filter(None, columns))))
        dataset = dataset.with_format("arrow")
    total = len(dataset) if isinstance(dataset, Dataset) else None
    with tqdm(total=total, unit=" examples", desc="Scoring") as bar:
        for batch in dataset.iter(batch_size):
            yield batch
            bar.update(len(batch[columns[0]]))

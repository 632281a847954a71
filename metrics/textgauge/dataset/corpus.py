"""The corpus score of a data set that may be larger than memory."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from ..checks import fail, positive_int
from ..measures.registry import Metrics, only_asked, options_by_metric, start_with_reports
from ..measures.sums import RunningScore
from ..measures.warnings import told_once
from .batches import check_columns, check_pairs, corpus_in


def score_dataset(
    dataset: Any,
    metric: Metrics,
    *,
    prediction_column: str,
    reference_column: str | None = None,
    batch_size: int = 1000,
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
    prediction_column, reference_column
        As for `scorer`.
    batch_size : int
        Number of rows in memory at a time.
    **options
        The options of the metric, and those of its `score` that need no segments: `detailed`, `all_orders`,
        `signature` and ``aggregator="mean"``.

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
    columns = prediction_column, reference_column
    positive_int("batch_size", batch_size)
    started = {name: start_with_reports(name, own) for name, own in options_by_metric(metric, options).items()}
    measures = {name: measure for name, (measure, _) in started.items()}
    check_pairs(measures.values(), reference_column)
    if isinstance(dataset, dict) and dataset:
        score = partial(score_dataset, prediction_column=prediction_column, reference_column=reference_column)
        return {name: score(split, metric, batch_size=batch_size, **options) for name, split in dataset.items()}
    running = {name: RunningScore(measure) for name, measure in measures.items()}
    n_rows = 0
    with told_once():
        for batch in _batches(dataset, columns, batch_size):
            corpus = corpus_in(batch, *columns, measures.values(), source=f"dataset[{n_rows}:]")
            n_rows += len(corpus)
            for one in running.values():
                one.update_corpus(corpus)
    results = {
        name: only_asked(running[name].score(**reports), measure, name) for name, (measure, reports) in started.items()
    }
    return results[metric] if isinstance(metric, str) else results


def _batches(dataset: Any, columns: tuple[str, str | None], batch_size: int) -> Iterator[Any]:
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

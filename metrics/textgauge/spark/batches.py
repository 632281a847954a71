"""One Arrow batch, on a worker: its texts, their errors, and their measure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..accumulation.accumulator import Accumulator
from ..checks import fail, in_number, shown
from ..dataset import check_models
from ..input.columns import Corpus, reference_column, text_column, without_references
from ..version import __version__

NULLS, EMPTY = "[null|nulls]", "[empty list|empty lists]"
_ALLOWED = {NULLS: "text in every row", EMPTY: "at least one reference in every row"}
Wrong = Counter[tuple[str, str, str]]


def wrong_values(texts: Sequence[pa.Array], names: Sequence[str], *, has_sources: bool = False) -> Wrong:
    """Count nulls and empty lists of references, by kind of error, argument and column; sources come last."""
    wrong: Wrong = Counter()
    if has_sources:
        wrong[NULLS, "source_column", names[-1]] = texts[-1].null_count
        texts = texts[:-1]
    wrong[NULLS, "prediction_column", names[0]] = texts[0].null_count
    if len(texts) == 1:
        return +wrong
    references = texts[1]
    wrong[NULLS, "reference_column", names[1]] = references.null_count
    if pa.types.is_list(references.type) or pa.types.is_large_list(references.type):
        wrong[NULLS, "reference_column", names[1]] += pc.list_flatten(references).null_count
        n_empty = pc.sum(pc.equal(pc.list_value_length(references), 0)).as_py()
        wrong[EMPTY, "reference_column", names[1]] = n_empty or 0
    return +wrong


def are_good(texts: Sequence[pa.Array], *, has_sources: bool = False) -> Any:
    """Return which rows have no wrong value: bool, shape (n_rows,)."""
    good = np.ones(len(texts[0]), np.bool_)
    for column in texts:
        good &= column.is_valid().to_numpy(zero_copy_only=False)
    if len(texts) - has_sources == 1:
        return good
    references = texts[1]
    if pa.types.is_list(references.type) or pa.types.is_large_list(references.type):
        good &= pc.greater(pc.list_value_length(references), 0).fill_null(False).to_numpy(zero_copy_only=False)
        is_null = pc.list_flatten(references).is_null().to_numpy(zero_copy_only=False)
        good[pc.list_parent_indices(references).to_numpy()[is_null]] = False
    return good


def wrong_row(
    texts: Sequence[pa.Array], n_before: int = 0, keys: pa.Array | None = None, *, has_sources: bool = False
) -> str:
    """Name the first row with a wrong value: by its key, or by its place behind `n_before` rows of the partition."""
    row = int(np.argmin(are_good(texts, has_sources=has_sources)))
    if keys is not None:
        return f"the row with key {shown(keys[row].as_py()).rpartition(' (')[0]}"
    return f"row {n_before + row + 1} of {_partition()}"


def _partition() -> str:
    from pyspark import TaskContext

    context = TaskContext.get()
    return "a partition" if context is None else f"partition {context.partitionId()}"


def refuse_wrong(wrong: Wrong, where: str = "") -> None:
    """Raise if there are wrong values; the message names the column and their number."""
    for (what, argument, name), count in sorted(wrong.items()):
        fail(ValueError, f"{argument} {name!r}", _ALLOWED[what], f"{count} {in_number(count, what)}{where}")


def refusal_of_models(measures: Sequence[Accumulator], names: Sequence[str], *, has_sources: bool) -> str | None:
    """Return why models cannot score these columns, or do not use one; None if they do."""
    reference = names[1] if len(names) - has_sources > 1 else None
    try:
        check_models(measures, reference, names[-1] if has_sources else None)
    except ValueError as error:
        return str(error)
    return None


def corpus_of_batch(texts: Sequence[pa.Array], names: Sequence[str], *, has_sources: bool = False) -> Corpus:
    """Return the texts of the batch; sources come last."""
    hypotheses = text_column(texts[0], names[0])
    sources = text_column(texts[-1], names[-1]) if has_sources else None
    if len(texts) - has_sources == 1:
        return without_references(hypotheses, sources)
    return Corpus(hypotheses, *reference_column(texts[1], names[1]), sources=sources)


def check_version(version: str) -> None:
    """Raise if the version on the worker is not that of the driver."""
    if version != __version__:
        fail(RuntimeError, "textgauge on a worker", f"version {version} as on the driver", shown(__version__))

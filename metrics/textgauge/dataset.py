"""Scores of the rows of a data set, and of a data set larger than memory."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import compress
from types import NoneType
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from . import version
from .accumulation.accumulator import Accumulator, in_documents
from .accumulation.functions import Call
from .accumulation.named_score import Metrics, NamedScore, call_of_samples, columns_by_key, scores_of
from .accumulation.running import RunningScore
from .checks import (
    CountWarning,
    Tally,
    by_keyword,
    fail,
    flag,
    in_number,
    listed,
    message_in,
    positive_int,
    shown,
    warn_user,
)
from .input.arrow import validate
from .input.columns import Corpus, has_transform, readable_parts, reference_column, text_column, without_references
from .input.documents import Documents
from .input.sessions import OfUtterances, Utterances, usual_session, usual_speaker
from .input.squad_rows import has_rows, reader_of
from .metric.inputs import check_given, check_needs
from .notebook import ScoreTable
from .plain import Texts
from .resampling.units import LABEL, is_label, units_of, warn_of_unused

__all__ = ["Scorer", "check_pairs", "score_dataset", "scorer"]

_BATCH_SIZE = 1000
# Columns in a column of references that is read as SQuAD's.
_OF_ANSWERS = ("id", "answers", "text")
# A text in the message of an error: its side, its segment, and which reference it is where there are several.
_TEXT = re.compile(r"\b(predictions|references|sources)\[(\d+)\](?:\[(\d+)\])?")
FloatColumns = dict[str, Any]


# A column, or several with a reference each.
References: TypeAlias = str | Sequence[str] | None


@dataclass(frozen=True)
class Scorer:
    """Adds the scores of every row to a batch; see `scorer`.

    Attributes
    ----------
    metrics : sequence of NamedScore
        Every metric with its options.
    version : str
        The version of textgauge, part of the fingerprint that `datasets` computes, so that its cache
        does not return rows scored by another version.
    """

    metrics: Sequence[NamedScore]
    prediction_column: str
    reference_column: References
    source_column: str | None = None
    prefix: str = ""
    skip_bad: bool = False
    version: str = field(default_factory=lambda: version.__version__)

    def __post_init__(self) -> None:
        """Check everything before any row is read."""
        object.__setattr__(self, "reference_column", _checked_references(self.reference_column))
        for name in ("prediction_column", "source_column", "prefix"):
            value = getattr(self, name)
            if not (isinstance(value, str) or (name == "source_column" and value is None)):
                fail(TypeError, name, "a str", shown(value))
        flag("skip_bad", self.skip_bad)
        accumulators = self._start()
        check_pairs(accumulators, self.reference_column, self.source_column)
        self._columns(accumulators)

    def __call__(self, batch: Any) -> Any:
        """Score a batch, or one row.

        Parameters
        ----------
        batch : mapping, pyarrow.Table, pandas or polars DataFrame
            The argument of `map`'s function, in any format of the data set.

        Returns
        -------
        dict or table
            For a mapping, the new columns, float64; for a table or DataFrame, the same with the
            new columns added, as `map` requires; for one row, plain numbers.
        """
        if _is_row(batch, self.prediction_column):
            columns = self._scores({name: [batch[name]] for name in batch})
            return {name: float(column[0]) for name, column in columns.items()}
        columns = self._scores(batch)
        return columns if isinstance(batch, Mapping) else _with_columns(batch, columns)

    @property
    def _used(self) -> list[str]:
        return _names_in((self.prediction_column, self.reference_column, self.source_column))

    def _start(self) -> list[Accumulator]:
        return [score.start() for score in self.metrics]

    def _columns(self, accumulators: Sequence[Accumulator]) -> list[dict[str, str]]:
        metrics = (accumulator.metric for accumulator in accumulators)
        return columns_by_key(zip(self.metrics, metrics, strict=True), "metric")

    def _scores(self, batch: Any) -> FloatColumns:
        """Score every row: float64, shape (n_rows,) per column; bad rows that are skipped have NaN."""
        accumulators = self._start()
        columns: FloatColumns = {}
        read = good_rows if self.skip_bad else all_rows
        _refuse_speakers(columns_of(batch), accumulators, self._used, "`score_dataset` takes `speaker_column`")
        tally = Tally()
        with tally.collecting():
            corpus, is_good = read(
                batch, self.prediction_column, self.reference_column, self.source_column, accumulators
            )
            check_models(accumulators, self.reference_column, self.source_column)
            texts = self.prediction_column, self.reference_column, self.source_column
            for names, accumulator in zip(self._columns(accumulators), accumulators, strict=True):
                with _rows_named("batch", texts, is_good):
                    scores = scores_of_rows(accumulator, tuple(names), corpus, is_good)
                columns.update({self.prefix + names[key]: column for key, column in scores.items()})
        tally.warn_of_new()
        warn_of_bad(len(is_good) - len(corpus), "given the score NaN")
        return columns


def scores_of_rows(
    accumulator: Accumulator, keys: Sequence[str], corpus: Corpus, is_good: npt.NDArray[np.bool_]
) -> FloatColumns:
    """Return scores of every row by their names: float64, shape (n_rows,), NaN in rows that are not in `corpus`.

    Parameters
    ----------
    accumulator : Accumulator, without rows
    keys : sequence of str
    corpus : Corpus
        The good rows.
    is_good : bool, shape (n_rows,)
    """
    columns: FloatColumns = {key: np.full(len(is_good), np.nan) for key in keys}
    if len(corpus):
        scores = accumulator.without_segments().update_corpus(corpus).segment_columns()
        for key, column in columns.items():
            column[is_good] = scores[key]
    return columns


def _is_row(batch: Any, prediction_column: str) -> bool:
    """Return whether `map` runs without batched=True."""
    # Asking a lazy batch for its column would read it.
    is_mapping = isinstance(batch, Mapping) and type(batch).__name__ != "LazyBatch"
    return is_mapping and isinstance(batch.get(prediction_column, ()), (str, NoneType))


def _with_columns(table: Any, columns: FloatColumns) -> Any:
    if isinstance(table, pa.Table):
        for name, column in columns.items():
            table = table.drop_columns([name]) if name in table.column_names else table
            table = table.append_column(name, pa.array(column))
        return table
    if hasattr(table, "assign"):
        return table.assign(**columns)
    return table.with_columns(**type(table)(columns).to_dict())


@by_keyword("prediction_column")
def scorer(
    metric: Metrics, *, prediction_column: str, reference_column: References = None,
    source_column: str | None = None, prefix: str = "", skip_bad: bool = False,
) -> Scorer:  # fmt: skip
    """Return a callable that adds scores to the rows of a data set.

    For ``dataset.map(scorer(...), batched=True)``, in any number of processes, in any format and
    when streaming. It can be pickled, and its fingerprint in `datasets` depends only on the
    arguments and the version of textgauge.

    Parameters
    ----------
    metric : str or object, or a list of these
        A metric or one of its scores with the options that its card lists, such as "bleu", "rougeL" or
        "chrf(word_order=2)", or ``textgauge.Chrf(word_order=2)``; or several of these.
    prediction_column, reference_column : str
        Columns with a text per row; references may also be lists of texts, or stand in several columns, of which
        `reference_column` is then a list. A metric without references needs no column of them.
    source_column : str, optional
        The column with what every prediction translates, for metrics that read them.
    prefix : str
        Prefix of the names of the new columns, one per score, such as "bleu" or "rougeL"; options follow the name
        where two would have the same.
    skip_bad : bool
        Give rows that are no texts the score NaN, and warn of their number, instead of raising.

    Examples
    --------
    >>> add_scores = scorer("rougeL", prediction_column="summary", reference_column="gold")
    >>> add_scores({"summary": ["a cat", "a dog"], "gold": ["a cat", "the dog"]})
    {'rougeL': array([1. , 0.5])}
    """
    metrics = [*scores_of(metric).values()]
    return Scorer(metrics, prediction_column, reference_column, source_column, prefix, skip_bad)


@by_keyword("prediction_column")
def score_dataset(
    dataset: Any,
    metric: Metrics,
    *,
    prediction_column: str,
    reference_column: References = None,
    source_column: str | None = None,
    unit_column: str | None = None,
    speaker_column: References = None,
    session_column: str | None = None,
    start_column: References = None,
    end_column: References = None,
    context_column: str | None = None,
    batch_size: int = _BATCH_SIZE,
    skip_bad: bool = False,
    **options: Any,
) -> dict[str, Any]:
    """Score a data set as one corpus, batch by batch, in constant memory.

    Of a metric of two samples of texts, such as "mauve", a row without a text (None) in either column counts for the
    other alone. The result equals that of all rows in one call, to the last bit unless the metric adds scores in the
    order of rows, as "squad" does. The progress bar is that of `datasets`:
    ``datasets.disable_progress_bars()`` hides it.

    Parameters
    ----------
    dataset : datasets.Dataset, datasets.IterableDataset, or a dict of these
        For a dict of splits the result is a dict of their results.
    metric : str or object, or a list of these
        As for `scorer`. Several metrics are scored in one pass; the result is a dict of their results, by the metric as
        it is written, such as "chrf(word_order=2)". Options of its `score` that need no segments may be among its own:
        `detailed`, `all_orders`, ``aggregator="mean"``.
    prediction_column, reference_column, source_column
        As for `scorer`.
    unit_column : str, optional
        With `confidence`: the column that says which rows are drawn together, such as "doc_id".
    speaker_column : str or two, optional
        Who speaks, for a metric of sessions, such as "cpwer", whose rows are utterances: one column, or that of the
        predictions and that of the references. A row without a text on a side (None, or blank) is no utterance there.
        All texts are in memory then.
    session_column : str, optional
        The session of every utterance; without it all rows are one session.
    start_column, end_column : str or two, optional
        When an utterance begins and ends, in seconds; without the beginnings the order of the rows is that of time.
    context_column : str, optional
        The document of every row, for a metric that reads the texts before one in its document, such as "comet".
    batch_size : int
        Number of rows in memory at a time.
    skip_bad : bool
        Leave out rows that are no texts, or have no unit: results then have their number as ``skipped``, and a warning
        says it.
    **options
        Of the `score` of all metrics, such as `signature`. With `confidence`, `n_resamples` and `seed` there are
        intervals, for which the counts of every row are kept, never its text.

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
    reference_column = _checked_references(reference_column)
    columns = prediction_column, reference_column, source_column
    if not isinstance(prediction_column, str):
        fail(TypeError, "prediction_column", "a str", shown(prediction_column))
    for argument, column in (("source_column", source_column), ("unit_column", unit_column)):
        if not isinstance(column, (str, NoneType)):
            fail(TypeError, argument, "a str", shown(column))
    positive_int("batch_size", batch_size)
    flag("skip_bad", skip_bad)
    spoken = _utterances_of(speaker_column, session_column, start_column, end_column)
    if (sampled := call_of_samples(metric, options)) is not None:
        _check_spoken(spoken, [sampled.empty], reference_column, unit_column, skip_bad=skip_bad)
        if context_column is not None:
            _check_context(context_column, [sampled.empty])
        return _score_samples(dataset, sampled, columns, unit_column, batch_size, skip_bad=skip_bad)
    scores = scores_of(metric, reports=options)
    started = {name: score.start_with_reports(may_draw=True) for name, score in scores.items()}
    if context_column is not None:
        _check_context(context_column, [accumulator for accumulator, _ in started.values()])
        started = {name: (in_documents(accumulator), reports) for name, (accumulator, reports) in started.items()}
    has_interval = any(reports.get("confidence") is not None for _, reports in started.values())
    if unit_column is not None and not has_interval:
        fail(ValueError, "unit_column", "None without `confidence`", shown(unit_column))
    accumulators = {name: accumulator for name, (accumulator, _) in started.items()}
    check_pairs(accumulators.values(), reference_column, source_column)
    _check_spoken(spoken, accumulators.values(), reference_column, unit_column, skip_bad=skip_bad)
    n_before = max(one.metric.inputs.n_before for one in accumulators.values())
    is_one = not isinstance(metric, (list, tuple, Mapping))
    if isinstance(dataset, dict) and dataset:
        given: Any = [*scores.values()][0] if is_one else [*scores.values()]
        return {
            name: score_dataset(
                split, given, prediction_column=prediction_column, reference_column=reference_column,
                source_column=source_column, unit_column=unit_column, speaker_column=speaker_column,
                session_column=session_column, start_column=start_column, end_column=end_column,
                context_column=context_column, batch_size=batch_size, skip_bad=skip_bad,
            )
            for name, split in dataset.items()
        }  # fmt: skip
    # An interval resamples rows, of which it needs the counts.
    running: dict[str, Any] = {
        name: RunningScore(accumulator) if reports.get("confidence") is None else accumulator
        for name, (accumulator, reports) in started.items()
    }
    if spoken is None:
        names = getattr(dataset, "column_names", None) or ()
        _refuse_speakers(names, accumulators.values(), _names_in(columns), "give `speaker_column`")
        every = (*columns, unit_column, context_column)
        documents = Documents(n_before)
        n_bad, labels = _count(dataset, every, batch_size, running, accumulators.values(), documents, skip_bad=skip_bad)
    else:
        corpus = _sessions_in(dataset, (prediction_column, str(reference_column)), spoken, batch_size)
        n_bad, labels = 0, []
        for running_score in running.values():
            running_score.update_corpus(corpus)
    if unit_column is not None:
        unit = {"unit": units_of(labels, unit_column, "unit_column")}
        for _, reports in started.values():
            reports.update(unit if reports.get("confidence") is not None else {})
    elif has_interval and spoken is None:
        unread = [name for name in dataset.column_names or () if name not in _names_in(columns)]
        warn_of_unused(unread, "unit_column= draws them as a whole")
    more = {"skipped": n_bad} if skip_bad else {}
    results, tally = {}, Tally()
    for name, (accumulator, reports) in started.items():
        # What several metrics warn of, such as few units, is told once.
        with tally.collecting():
            results[name] = {**scores[name].only(running[name].score(**reports), accumulator.metric), **more}
    tally.warn()
    return [*results.values()][0] if is_one else ScoreTable(results)


def _check_context(column: Any, accumulators: Collection[Accumulator]) -> None:
    """Refuse a column of documents that is no name, or that no metric reads."""
    if not isinstance(column, str):
        fail(TypeError, "context_column", "a str", shown(column))
    if not any(one.metric.inputs.context for one in accumulators):
        names = listed([one.metric.name for one in accumulators])
        allowed = f"None, since {names} {in_number(len(accumulators), '[reads|read]')} no text before another"
        fail(TypeError, "context_column", allowed, shown(column))


def _utterances_of(speaker: Any, session: Any, start: Any, end: Any) -> OfUtterances | None:
    """Return checked names of the columns of utterances, None if there are none."""
    given = {"speaker_column": speaker, "start_column": start, "end_column": end}
    for argument, value in given.items():
        is_pair = isinstance(value, (list, tuple)) and len(value) == 2 and all(isinstance(name, str) for name in value)
        if not (value is None or isinstance(value, str) or is_pair):
            fail(TypeError, argument, "a str, or two: of predictions and of references", shown(value))
    if not (session is None or isinstance(session, str)):
        fail(TypeError, "session_column", "a str", shown(session))
    if speaker is None:
        for argument, value in {"session_column": session, **given}.items():
            if value is not None:
                fail(ValueError, argument, "None without `speaker_column`", shown(value))
        return None
    return OfUtterances(_names_in([speaker]), session, _names_in([start]), _names_in([end]))


def _check_spoken(
    spoken: OfUtterances | None, accumulators: Iterable[Accumulator], references: References, unit: Any, *,
    skip_bad: bool,
) -> None:  # fmt: skip
    """Refuse what does not go with utterances, whose segments are sessions."""
    if spoken is None:
        return
    for accumulator in accumulators:
        if not accumulator.metric.inputs.are_sessions:
            allowed = f"None, since {accumulator.metric.name} takes no sessions of several speakers"
            fail(ValueError, "speaker_column", allowed, shown(spoken.speakers[0]))
    if not isinstance(references, str):
        fail(TypeError, "reference_column", "one column with `speaker_column`", shown(references))
    if unit is not None:
        fail(ValueError, "unit_column", "None with `speaker_column`, since sessions are drawn", shown(unit))
    if skip_bad:
        allowed = "False with `speaker_column`, since a session without one of its rows is another"
        fail(ValueError, "skip_bad", allowed, "True")


def _refuse_speakers(
    names: Iterable[str], accumulators: Iterable[Accumulator], used: Collection[str], way: str
) -> None:
    """Refuse rows of utterances for a metric of sessions, of which each would be a session of one speaker."""
    metrics = [accumulator.metric.name for accumulator in accumulators if accumulator.metric.inputs.are_sessions]
    speaker = usual_speaker(name for name in names if name not in used) if metrics else None
    if speaker is not None:
        allowed = f"sessions, of which {listed(metrics)} takes one for each row; of utterances {way}"
        fail(ValueError, "dataset", allowed, f"rows with a column {speaker!r}")


def _sessions_in(dataset: Any, sides: tuple[str, str], of: OfUtterances, batch_size: int) -> Corpus:
    """Return the sessions of a data set of utterances."""
    columns = {f"{what}_column": names for what, names in of.columns().items()}
    names, known = [*dict.fromkeys([*sides, *_names_in(columns.values())])], getattr(dataset, "column_names", None)

    def check(there: Sequence[str]) -> None:
        check_columns(there, *sides, others=columns)
        if of.session is None and (name := usual_session(there)):
            fail(ValueError, "session_column", "the column of sessions", f"None, beside a column {name!r}")

    if known is not None and not has_transform(dataset):
        check(known)
    utterances, n_rows = Utterances(2), 0
    for batch in _batches(dataset, (sides[0], names[1:] or None, None, None), batch_size):
        check(columns_of(batch))
        values = {name: _plain(values_of(batch, name), f"dataset[{name!r}]") for name in names}
        for side, words in enumerate(sides):
            utterances.add_rows(side, values[words], of, values, lambda row: f"dataset[{n_rows + row}]")  # noqa: B023
        n_rows += len(values[sides[0]])
    predictions, references = utterances.texts()
    return Corpus(text_column([*predictions.values()], "dataset"), *reference_column([*references.values()], "dataset"))


def _score_samples(
    dataset: Any, call: Call, columns: tuple[str, References, str | None], unit_column: str | None, batch_size: int,
    *, skip_bad: bool,
) -> dict[str, Any]:  # fmt: skip
    """Score the texts of two columns as samples, which are no pairs: nulls are no texts."""
    name, (prediction_column, reference_column, source_column) = call.empty.metric.name, columns
    if not isinstance(reference_column, str):
        allowed = f"one column, the other sample of {name}"
        fail(TypeError, "reference_column", allowed, shown(reference_column))
    for argument, column in {"source_column": source_column, "unit_column": unit_column}.items():
        if column is not None:
            fail(TypeError, argument, f"None, since {name} compares two samples, no pairs", shown(column))
    if isinstance(dataset, dict) and dataset:
        return {
            split: _score_samples(rows, call, columns, None, batch_size, skip_bad=skip_bad)
            for split, rows in dataset.items()
        }
    if reference_column == prediction_column:
        fail(ValueError, "reference_column", f"another column than that of the predictions of {name}", reference_column)
    texts: dict[str, list[str]] = {prediction_column: [], reference_column: []}
    n_rows = n_bad = 0
    for batch in _batches(dataset, columns, batch_size):
        check_columns(columns_of(batch), prediction_column, reference_column)
        sides = {column: _plain(values_of(batch, column), f"dataset[{column!r}]") for column in texts}
        for column, values in sides.items():
            for row, text in enumerate(values, n_rows):
                if isinstance(text, str):
                    texts[column].append(text)
                elif text is not None and not skip_bad:
                    fail(TypeError, f"dataset[{column!r}][{row}]", "a text, or None", shown(text))
                n_bad += text is not None and not isinstance(text, str)
        n_rows += max(map(len, sides.values()))
    warn_of_bad(n_bad, "left out", "a text")
    result = call.score(*texts.values())
    result.update({"skipped": n_bad} if skip_bad else {})
    return result


def _count(
    dataset: Any, columns: tuple[str, References, str | None, str | None, str | None], batch_size: int,
    running: Mapping[str, Any], accumulators: Collection[Accumulator], documents: Documents, *, skip_bad: bool,
) -> tuple[int, list[Any]]:  # fmt: skip
    """Add all rows to the scores; return the number of those that were left out, and the units of the others."""
    texts, unit_column, context_column = columns[:3], columns[3], columns[4]
    labels = [column for column in dict.fromkeys((unit_column, context_column)) if column is not None]
    units: list[Any] = []
    n_rows = n_bad = 0
    read = good_rows if skip_bad else all_rows
    tally = Tally()
    with tally.collecting():
        for batch in _batches(dataset, columns, batch_size):
            corpus, is_good = read(batch, *texts, accumulators, place=f"dataset[{n_rows}:]")
            of_batch = {}
            for column in labels:
                values = of_batch[column] = _plain(values_of(batch, column), f"dataset[{column!r}]")
                has_label = np.fromiter(map(is_label, values), np.bool_, len(values))
                if not (skip_bad or has_label.all()):
                    row = int(np.argmin(has_label))
                    fail(TypeError, f"dataset[{column!r}][{n_rows + row}]", LABEL, shown(values[row]))
                if not has_label[is_good].all():
                    corpus = corpus.take(np.flatnonzero(has_label[is_good]))
                is_good &= has_label
            good = {column: [*compress(values, is_good.tolist())] for column, values in of_batch.items()}
            units += good[unit_column] if unit_column is not None else []
            if context_column is not None:
                corpus = documents.of(corpus, good[context_column])
            check_models(accumulators, *texts[1:])
            with _rows_named(f"dataset[{n_rows}:]", texts, is_good):
                for running_score in running.values():
                    running_score.update_corpus(corpus)
            n_rows += len(is_good)
            n_bad += len(is_good) - len(corpus)
    tally.warn()
    if context_column is not None:
        documents.warn("context_column=")
    lacking = "a unit, " * (unit_column is not None) + "a document, " * (context_column is not None)
    warn_of_bad(n_bad, "left out", f"{lacking}a text or a reference")
    if n_bad and n_bad == n_rows:
        fail(ValueError, "dataset", "at least one row of texts", f"{n_bad:,} bad rows")
    return n_bad, units


@contextmanager
def _rows_named(
    place: str, columns: tuple[str, References, str | None], is_good: npt.NDArray[np.bool_]
) -> Iterator[None]:
    """Have errors about the texts of good rows name the column and the row of a batch, which `place` names."""
    of_side = dict(zip(("predictions", "references", "sources"), columns, strict=True))

    def named(text: re.Match[str]) -> str:
        column, row, reference = of_side[text[1]], np.flatnonzero(is_good)[int(text[2])], text[3]
        if isinstance(column, tuple):
            column, reference = column[int(reference or 0)], None
        return f"{place}[{column!r}][{row}]" + (f"[{reference}]" if reference else "")

    try:
        yield
    except (TypeError, ValueError) as error:
        message = message_in(error)
        if message is None or not _TEXT.search(message.argument):
            raise
        fail(type(error), _TEXT.sub(named, message.argument), message.allowed, message.got)


def _way_to_dataset(given: Any) -> str:
    """Say what makes a data set of another object, for messages; a list may be a column of a dict."""
    if isinstance(given, (str, os.PathLike)):
        return "`datasets.load_dataset` and `datasets.load_from_disk` read one"
    if isinstance(given, list) and given and isinstance(given[0], Mapping):
        return "`Dataset.from_list` makes one of rows"
    if isinstance(given, (list, Mapping)):
        return "`Dataset.from_dict` makes one of columns"
    return "`Dataset.from_pandas`, `Dataset.from_polars` and others make one of a data frame"


def _batches(dataset: Any, columns: tuple[Any, ...], batch_size: int) -> Iterator[Any]:
    """Yield batches, in Arrow where the data set allows it, and advance the progress bar."""
    from datasets import Dataset, IterableDataset
    from datasets.utils import tqdm

    if not isinstance(dataset, (Dataset, IterableDataset)):
        allowed = f"one split: a datasets.Dataset or IterableDataset ({_way_to_dataset(dataset)})"
        fail(TypeError, "dataset", allowed, type(dataset).__name__)
    if not has_transform(dataset):
        if dataset.column_names is not None:
            check_columns(dataset.column_names, *columns)
            dataset = dataset.select_columns(_names_in(columns))
        dataset = dataset.with_format("arrow")
    total = len(dataset) if isinstance(dataset, Dataset) else None
    with tqdm(total=total, unit=" examples", desc="Scoring") as bar:
        for batch in dataset.iter(batch_size):
            yield batch
            bar.update(len(batch[columns[0]]))


def corpus_in(
    batch: Any, prediction_column: str, reference_column_name: References, source_column: str | None,
    accumulators: Iterable[Accumulator], place: str = "batch",
) -> Corpus:  # fmt: skip
    """Return the texts of a batch.

    Parameters
    ----------
    batch : mapping, pyarrow.Table, pandas or polars DataFrame
        Columns by name.
    accumulators : iterable of Accumulator
        What will score them; references may be rows ``{"text": [...]}``, as SQuAD has them.
    place : str
        The name of the batch in messages.

    Raises
    ------
    ValueError
        If a column is missing.
    TypeError
        If a value is not text; the message names the column and the position in the batch.
    """
    check_columns(columns_of(batch), prediction_column, reference_column_name, source_column)

    def text_in(name: str) -> Texts:
        values = values_of(batch, name)
        _refuse_nested(values, name, place)
        return text_column(values, f"{place}[{name!r}]")

    inputs = {accumulator.metric.inputs for accumulator in accumulators}
    if len(inputs) == 1 and isinstance(reference_column_name, str) and (own := [*inputs][0]).takes_lists:
        predictions, references = (values_of(batch, name) for name in (prediction_column, reference_column_name))
        _refuse_nested(predictions, prediction_column, place)
        _refuse_nested(references, reference_column_name, place, _OF_ANSWERS)
        return own.read(predictions, references)
    hypotheses = text_in(prediction_column)
    sources = None if source_column is None else text_in(source_column)
    if reference_column_name is None:
        return without_references(hypotheses, sources)
    if not isinstance(reference_column_name, str):
        texts = zip(*(text_in(name).tolist() for name in reference_column_name), strict=True)
        return Corpus(hypotheses, *reference_column([*map(list, texts)], "references"), sources=sources)
    references = values_of(batch, reference_column_name)
    if has_rows(references):
        _refuse_nested(references, reference_column_name, place, _OF_ANSWERS)
        return reader_of(accumulator.metric for accumulator in accumulators)(hypotheses, references)
    return Corpus(hypotheses, *reference_column(references, f"{place}[{reference_column_name!r}]"), sources=sources)


def _refuse_nested(values: Any, name: str, place: str, known: Collection[str] = ()) -> None:
    """Refuse a column with columns in it, unless it has one that is `known`."""
    if not has_rows(values):
        return
    inner = (
        [field.name for field in values.type]
        if isinstance(values, (pa.Array, pa.ChunkedArray))
        else [*next(iter(values))]
    )
    if not {*inner} & {*known}:
        names = listed([repr(f"{name}.{field}") for field in inner]) if inner else "of its own"
        allowed = f"a column of texts (`dataset.flatten()` makes the columns {names})"
        fail(TypeError, f"{place}[{name!r}]", allowed, f"columns {', '.join(map(repr, inner))} in it")


def all_rows(*batch: Any, **named: Any) -> tuple[Corpus, npt.NDArray[np.bool_]]:
    """Return `corpus_in`, and True for every row: shape (n_rows,)."""
    corpus = corpus_in(*batch, **named)
    return corpus, np.ones(len(corpus), np.bool_)


def good_rows(
    batch: Any, prediction_column: str, reference_column_name: References, source_column: str | None,
    accumulators: Iterable[Accumulator], place: str = "batch",
) -> tuple[Corpus, npt.NDArray[np.bool_]]:  # fmt: skip
    """Return `corpus_in` of the rows that are texts, and which rows these are: shape (n_rows,)."""
    column_names = (prediction_column, reference_column_name, source_column)
    check_columns(columns_of(batch), *column_names)
    try:
        return all_rows(batch, *column_names, accumulators, place)
    except (TypeError, ValueError):
        # Most batches have no bad row.
        names = _names_in(column_names)
        columns = (_plain(values_of(batch, name), f"{place}[{name!r}]") for name in names)
        rows = [*zip(*columns, strict=True)]

    def read(some: Sequence[Any]) -> Corpus:
        columns = {name: [row[i] for row in some] for i, name in enumerate(names)}
        if isinstance(reference_column_name, str) and reference_column_name != prediction_column:
            columns[reference_column_name] = [*map(_listed, columns[reference_column_name])]
        return corpus_in(columns, *column_names, accumulators, place)

    which = np.ones(len(rows), np.bool_)
    refused = TypeError, ValueError
    for part, corpus in readable_parts(range(len(rows)), lambda part: read(rows[part.start : part.stop]), refused):
        which[part.start : part.stop] = isinstance(corpus, Corpus)
    return read([*compress(rows, which.tolist())]), which


def _plain(column: Any, argument: str) -> list[Any]:
    """Return a column as Python objects."""
    if isinstance(column, (pa.Array, pa.ChunkedArray)):
        # Which no row is to blame for, and no element is looked at before.
        validate(column, argument)
        return list(column.to_pylist())
    return list(column)


def _checked_references(value: Any) -> References:
    """Return the name of a column, or a tuple of different names."""
    if value is None or isinstance(value, str):
        return value
    if not isinstance(value, (list, tuple)) or not value or not all(isinstance(name, str) for name in value):
        fail(TypeError, "reference_column", "a str, or a list of them", shown(value))
    if len({*value}) < len(value):
        fail(ValueError, "reference_column", "different columns", shown(value))
    return tuple(value)


def _names_in(columns: Iterable[References]) -> list[str]:
    """Return the different names of columns, of which some may stand together."""
    each = ([column] if isinstance(column, str) else column or () for column in columns)
    return [*dict.fromkeys(name for names in each for name in names)]


def _listed(references: Any) -> Any:
    """Return a text as a list of it: one row may have a text where another has several."""
    return [references] if isinstance(references, str) else references


def warn_of_bad(n_bad: int, what: str, lacking: str = "a text or a reference") -> None:
    """Warn of rows that are no texts, and of what became of them."""
    if n_bad:
        warn_user(CountWarning(n_bad, f"bad [row was|rows were] {what}: {lacking} is missing or no text."))


def columns_of(batch: Any) -> list[str]:
    """Return the names of the columns."""
    if isinstance(batch, pa.Table):
        return list(batch.column_names)
    if hasattr(batch, "collect"):
        allowed = "a table in memory, as `collect()` or `map_batches` of a lazy frame returns it"
        fail(TypeError, "batch", allowed, shown(batch))
    try:
        return list(batch if isinstance(batch, Mapping) else batch.columns)
    except AttributeError:
        fail(TypeError, "batch", "columns by name, as `datasets` passes them", shown(batch))


def values_of(batch: Any, name: str) -> Any:
    """Return one column.

    Of a lazy batch it is the Arrow column: `map` writes columns back object by object once they are Python objects.
    """
    is_unread = name in getattr(batch, "keys_to_format", ())
    return batch.pa_table.column(name) if is_unread else batch[name]


def check_columns(
    names: Sequence[str], prediction_column: str, reference_column_name: References, source_column: str | None = None,
    unit_column: str | None = None, context_column: str | None = None,
    others: Mapping[str, References] = {},
) -> None:  # fmt: skip
    """Refuse a missing column; `others` are those of utterances, by argument."""
    chosen = {
        "prediction_column": prediction_column, "reference_column": reference_column_name,
        "source_column": source_column, "unit_column": unit_column, "context_column": context_column, **others,
    }  # fmt: skip
    for argument, name in ((argument, name) for argument, column in chosen.items() for name in _names_in([column])):
        if name not in names:
            outer = name.partition(".")[0]
            hint = (
                f"; `dataset.flatten()` makes columns of what is in {outer!r}"
                if outer != name and outer in names
                else ""
            )
            fail(ValueError, argument, f"a column of the data set ({', '.join(map(repr, names))}){hint}", shown(name))


def check_pairs(
    accumulators: Iterable[Accumulator], reference_column_name: References, source_column: str | None = None
) -> None:
    """Raise for missing and unused columns, see `Inputs`, and for metrics that need all rows at once."""
    metrics = []
    for accumulator in accumulators:
        accumulator.metric.sums.refuse_parts()
        metrics.append(accumulator.metric)
    columns = {"references": reference_column_name, "sources": source_column}
    check_given(metrics, columns, needed="a column", spelled="{}_column")


def check_models(
    accumulators: Iterable[Accumulator], reference_column_name: References, source_column: str | None = None
) -> None:
    """Raise for missing and unused columns as `check_pairs` does, by the models of metrics, which are loaded."""
    columns = {"references": reference_column_name, "sources": source_column}
    check_needs([accumulator.metric for accumulator in accumulators], columns, needed="a column", spelled="{}_column")

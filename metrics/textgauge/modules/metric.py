"""Metrics for `evaluate.load`."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any, ClassVar

import datasets
import evaluate
import numpy as np
import pyarrow as pa

from ..accumulation.accumulator import Accumulator, accumulator_of, scored
from ..accumulation.functions import call_of
from ..checks import (
    Message,
    fail,
    flag,
    message_in,
    positive_int,
    refuse_places,
    refuse_unknown,
    refuse_without_effect,
    respelled,
    shown,
    whole_number,
)
from ..input import squad_rows
from ..input.arrow import text_array
from ..input.columns import Corpus, nested_column, text_column
from ..input.elements import check_reference, check_text
from ..metric.metric import Metric, option_names, reports_without_effect, with_defaults
from ..options import arguments as option_lines
from ..options import remarks_on
from ..plain import Texts
from ..resampling.pass_at_k import pass_at_k
from .hub_results import as_number
from .module import TEXT, TEXTS, TextModule, keyword_names, with_keywords

_SOURCES = "\nsources: list of str, what every prediction is made from."


class TextMetric(TextModule, evaluate.Metric):
    """A metric of predictions against references, both text.

    Attributes
    ----------
    accumulator : class
        The accumulator; its options and those of its `score` are the options of the module.
    keywords : mapping
        Our option for each option that another tool names differently, None if the module handles it.
        The module has these options, and those of ours that are not renamed.
    chosen : mapping
        Options that the module sets unless they are given.
    returns : str
        The keys of the result; those of the scores unless a module says otherwise.
    """

    kind = "metric"
    information = evaluate.MetricInfo
    inputs = "predictions: list of str, one hypothesis per segment.\nreferences: list of str, or list of lists of str."
    rows = datasets.Features({"predictions": TEXT, "references": TEXTS})
    accumulator: type[Accumulator]
    keywords: ClassVar[Mapping[str, str | None]] = {}
    chosen: ClassVar[Mapping[str, Any]] = {}

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Document a module, and give its `_compute` keywords: `evaluate` does not support ``**kwargs`` there."""
        super().__init_subclass__(**kwargs)
        if "accumulator" in cls.__dict__:
            if "sources" in cls.accumulator.metric_type.inputs.names:
                cls.rows = datasets.Features({"sources": TEXT, **cls.rows})
            cls._compute = _compute_with(cls, list(cls.rows))
            if not hasattr(cls, "returns"):
                cls.returns = ", ".join(with_defaults(cls.accumulator.metric_type).scores.keys)
            cls._document()

    @classmethod
    def _option_names(cls) -> list[str]:
        return _names_of(cls)

    @classmethod
    def _option_lines(cls) -> tuple[str, str]:
        types = cls.accumulator.metric_type.options_type, cls.accumulator.metric_type.reports_type
        known = cls._option_names()
        left_out = [name for name in option_names(cls.accumulator.metric_type) if name not in known]
        return option_lines(*types, left_out=left_out), remarks_on(*types) if known else ""

    def _theirs(self) -> dict[str, str]:
        """Return the name in the module of every option of ours with another name."""
        return {ours: name for name, ours in self.keywords.items() if ours is not None}

    def _ours(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Return the options under our names, and those that the module sets."""
        ours = dict(self.chosen)
        for given, value in options.items():
            name = self.keywords.get(given, given)
            if name is not None:
                ours[name] = value
        return ours

    def _scoring(self, given: Mapping[str, Any]) -> Callable[..., dict[str, Any]]:
        try:
            options: Mapping[str, Any] = self._ours({**self.defaults, **given})
            if options:
                options = self._without_idle(options, given)
            call = call_of(self.accumulator, f"this {self.kind}", options)
        except (TypeError, ValueError) as error:
            if (renamed := self._renamed(error)) is error:
                raise
            raise renamed from None

        def score(corpus: Any) -> dict[str, Any]:
            try:
                accumulator = call.accumulated(corpus)
                return self._presented(accumulator, scored(accumulator, call.reports, call.bootstrap))
            except (TypeError, ValueError) as error:
                if (renamed := self._renamed(error)) is error:
                    raise
                raise renamed from None

        return score

    def _without_idle(self, options: Mapping[str, Any], given: Mapping[str, Any]) -> Mapping[str, Any]:
        """Leave out defaults of `load` that have no effect here; refuse options of `compute` that have none."""
        without_effect = reports_without_effect(self.accumulator.metric_type, options)
        refuse_without_effect(given, without_effect)
        return {name: value for name, value in options.items() if name not in without_effect}

    def _renamed(self, error: TypeError | ValueError) -> Exception:
        """Return an error with the module's names of options; the same error if it names no option."""
        message = message_in(error)
        if message is None:
            return error
        theirs = self._theirs()

        def renamed(name: str, value: str = "") -> str:
            return theirs.get(name, name) + (f"={value}" if value else "")

        allowed = respelled(message.allowed, lambda name, value: f"`{renamed(name, value)}`")
        argument = renamed(message.option) + message.argument[len(message.option) :]
        renamed_message = Message(argument, allowed, message.got)
        return error if renamed_message == message else type(error)(renamed_message)

    def _presented(self, accumulator: Any, result: dict[str, Any]) -> dict[str, Any]:  # noqa: ARG002
        """Return the result in the form of the module."""
        return result

    def _corpus(self, predictions: Any, references: Any, sources: Any = None) -> Any:
        """Check the segments, or read those of a file."""
        inputs = self.accumulator.metric_type.inputs
        if inputs.required is not None:
            references, sources = stored(references, sources)
        return inputs.corpus(self.accumulator.metric_type.name, predictions, references, sources)

    def _inputs(self, *, predictions: Any = None, references: Any = None, sources: Any = None) -> tuple[Any, ...]:
        """Check the columns, and return the arguments of the function that `_scoring` returns."""
        return (self._corpus(predictions, references, sources),)

    def _table(self, corpus: Any) -> pa.Table:
        """Return the rows of checked segments."""
        sources = {"sources": sources_of(corpus)} if "sources" in self.rows else {}
        return pa.table({**sources, "predictions": text_array(corpus.hypotheses), "references": references_of(corpus)})

    def _columns(self, predictions: Any, references: Any, others: dict[str, Any]) -> dict[str, Any]:
        """Return the columns of a call, and take those beside predictions and references out of its keywords."""
        columns = {"predictions": predictions, "references": references}
        for name in self.rows:
            if name not in columns:
                columns[name] = others.pop(name, None)
        return columns

    def compute(
        self, *more: Any, predictions: Any = None, references: Any = None, **kwargs: Any
    ) -> dict[str, Any] | None:
        """Score the given segments together with those added before.

        A metric that reads sources takes them as `sources`. After an error about input or options, the segments
        added before remain; a failure while scoring drops them and their file.
        """
        refuse_places(more, "compute", "predictions", "references")
        return self._result(self._columns(predictions, references, kwargs), kwargs)

    def add_batch(self, *more: Any, predictions: Any = None, references: Any = None, **others: Any) -> None:
        """Add segments; after an error the segments added before remain."""
        refuse_places(more, "add_batch", "predictions", "references")
        columns = self._columns(predictions, references, others)
        refuse_unknown(others, [*self.rows], f"the rows of this {self.kind}")
        self._write(self._table(self._inputs(**columns)[0]))

    def add(
        self, *more: Any, prediction: Any = None, reference: Any = None, predictions: Any = None,
        references: Any = None, **others: Any,
    ) -> None:  # fmt: skip
        """Add one segment; after an error the segments added before remain.

        `evaluate.combine` passes the one segment as `predictions` and `references`.
        """
        refuse_places(more, "add", "prediction", "reference")
        prediction = prediction if predictions is None else predictions
        reference = reference if references is None else references
        if "sources" not in self.rows:
            refuse_unknown(others, ["prediction", "reference"], f"a row of this {self.kind}")
            self._write_row(self._row(prediction, reference))
            return
        refuse_unknown(others, ["prediction", "reference", "source", "sources"], f"a row of this {self.kind}")
        source = others.get("source") if others.get("sources") is None else others["sources"]
        columns = ([one] if one is not None else None for one in (prediction, reference, source))
        self._write(self._table(self._corpus(*columns)))

    def _row(self, prediction: Any, reference: Any) -> dict[str, Any]:
        """Check one segment."""
        return {
            "predictions": check_text(prediction, "prediction"),
            "references": check_reference(reference, "reference"),
        }


class ErrorRateMetric(TextMetric):
    """A metric of transcripts that returns a number, as the Hub's error rates do, and takes their option."""

    keywords: ClassVar[Mapping[str, str | None]] = {"concatenate_texts": None}
    citation = """
    @inproceedings{morris04_interspeech,
        title = "From WER and RIL to MER and WIL: improved evaluation measures for connected speech recognition",
        author = "Morris, Andrew Cameron and Maier, Viktoria and Green, Phil",
        booktitle = "Interspeech 2004",
        year = "2004",
        pages = "2765--2768",
    }
    """
    urls = ("https://pypi.org/project/jiwer",)
    inputs = """
    predictions: list of str, one transcript per segment.
    references: list of str, or list of lists of str.
    concatenate_texts: bool. Accepted as by the Hub's module, where it changes nothing since jiwer 4.
    """

    def _scoring(self, given: Mapping[str, Any]) -> Callable[..., dict[str, Any]]:
        flag("concatenate_texts", {**self.defaults, **given}.get("concatenate_texts", False))
        return super()._scoring(given)

    def _presented(self, accumulator: Accumulator, result: dict[str, Any]) -> Any:
        return as_number(accumulator, result)


class AnswerMetric(TextMetric):
    """A metric of short answers, also in rows of SQuAD."""

    def add(
        self, *more: Any, prediction: Any = None, reference: Any = None, predictions: Any = None,
        references: Any = None, **others: Any,
    ) -> None:  # fmt: skip
        """Add one segment, or a row of each side; `evaluate.combine` passes it as the plural."""
        refuse_places(more, "add", "prediction", "reference")
        predictions, references = squad_rows.plain_columns(
            [prediction if predictions is None else predictions], [reference if references is None else references]
        )
        super().add(prediction=predictions[0], reference=references[0], **others)


class QuestionMetric(TextMetric):
    """A metric of answers to questions of which some have none, in rows of SQuAD 2.0."""

    given = {"prediction_text": TEXT, "no_answer": datasets.Value("float64"), "shift": datasets.Value("int64")}
    rows = datasets.Features({"predictions": given, "references": TEXTS})

    def _corpus(self, predictions: Any, references: Any, sources: Any = None) -> Any:  # noqa: ARG002
        """Check the segments, or read those of a file."""
        if not (isinstance(predictions, pa.ChunkedArray) and "shift" in [field.name for field in predictions.type]):
            given: Any = super()._corpus(predictions, references)
            if getattr(given, "no_answer", None) is None:
                return given
            # The Hub's module has them in a column of this type.
            return replace(given, no_answer=given.no_answer.astype(np.float32).astype(np.float64))
        texts, no_answer, shift = zip(*(row.values() for row in predictions.to_pylist()), strict=True)
        corpus: Any = self.accumulator.metric_type.inputs.read(
            texts, [{"text": answers} for answers in references.to_pylist()]
        )
        return replace(corpus, no_answer=np.array(no_answer), shift=np.array(shift))

    def _table(self, corpus: Any) -> pa.Table:
        """Return the rows of checked segments; a question without an answer has no references."""
        rows = squad_rows.questions_of(corpus)
        extras = {"no_answer": pa.array(rows.no_answer), "shift": pa.array(rows.shift)}
        columns = {"prediction_text": text_array(rows.hypotheses), **extras}
        answers = references_of(rows).to_pylist()
        kept = [group if has else [] for group, has in zip(answers, rows.is_answerable.tolist(), strict=True)]
        predictions = pa.StructArray.from_arrays([*columns.values()], names=[*columns])
        return pa.table({"predictions": predictions, "references": pa.array(kept, pa.list_(pa.large_string()))})

    def add(
        self, *more: Any, prediction: Any = None, reference: Any = None, predictions: Any = None,
        references: Any = None, **others: Any,
    ) -> None:  # fmt: skip
        """Add one segment, or a row of each side; `evaluate.combine` passes it as the plural."""
        refuse_places(more, "add", "prediction", "reference")
        given = prediction if predictions is None else predictions, reference if references is None else references
        self.add_batch(predictions=[given[0]], references=[given[1]], **others)


class ProgramMetric(TextMetric):
    """A metric of several samples of a problem, each of which is right or wrong: pass@k, and what became of each.

    A row has the samples of a problem as predictions, and one text as the reference of all of them.
    """

    rows = datasets.Features({"predictions": TEXTS, "references": TEXT})
    keywords: ClassVar[Mapping[str, str | None]] = {"k": None}

    def _info(self) -> Any:
        """Return what `evaluate` shows, with the samples of a problem as a list."""
        shown_info = super()._info()
        text = datasets.Value("string")
        shown_info.features = datasets.Features({"predictions": datasets.Sequence(text), "references": text})
        return shown_info

    def _scoring(self, given: Mapping[str, Any]) -> Callable[..., Any]:
        k = given.get("k", self.defaults.get("k", (1, 10, 100)))
        ks = [positive_int("k", one) for one in (k if isinstance(k, (list, tuple)) else [k])]
        options = self._without_idle(self._ours({**self.defaults, **given}), given)
        drawn = {name: options[name] for name in ("confidence", "n_resamples", "seed") if name in options}
        without = {name: value for name, value in options.items() if name not in drawn and name != "unit"}
        call = call_of(self.accumulator, f"this {self.kind}", without)
        call_of(self.accumulator, f"this {self.kind}", {**without, **drawn})
        if options.get("unit") is not None:
            fail(ValueError, "unit", "None, since intervals resample problems", shown(options["unit"]))

        def score(problems: Corpus) -> Any:
            samples = np.diff(problems.reference_offsets)
            tests = problems.hypotheses.take(np.repeat(np.arange(len(samples)), samples))
            accumulator = call.accumulated(Corpus(problems.references, tests))
            result = {**scored(accumulator, call.reports, call.bootstrap)}
            del result[accumulator.metric.scores.headline]
            column = accumulator.segment_columns()[accumulator.metric.scores.headline]
            results = self._results(samples, column, accumulator.statistics.extras)
            rates = {}
            if known := [one for one in ks if len(samples) and one <= samples.min()]:
                of_problems = {i: [one["passed"] for _, one in rows] for i, rows in results.items()}
                every = pass_at_k(of_problems, k=known, **drawn)
                rates = {f"pass@{one}": every[f"pass@{one}"] for one in known}
                if "confidence_intervals" in every:
                    bounds = every["confidence_intervals"]
                    rates["confidence_intervals"] = {name: bounds[name] for name in rates}
            return {**rates, **result}, results

        return score

    @staticmethod
    def _results(samples: Any, passed: Any, results: Any) -> dict[int, list[tuple[int, dict[str, Any]]]]:
        """Return what became of every sample of every problem, with its number."""
        found: dict[int, list[tuple[int, dict[str, Any]]]] = {}
        every = zip(passed.tolist(), results, strict=True)
        for problem, n_samples in enumerate(samples.tolist()):
            for number, (score, result) in zip(range(n_samples), every, strict=False):
                about = {"task_id": problem, "passed": score > 0, "result": result, "completion_id": number}
                found.setdefault(problem, []).append((number, about))
        return found

    def _corpus(self, predictions: Any, references: Any, sources: Any = None) -> Corpus:  # noqa: ARG002
        """Check the rows; here the text of a problem stands where a prediction does, and its samples are references."""
        texts, offsets = nested_column(predictions, "predictions")
        tests = text_column(references, "references")
        if len(tests) != len(offsets) - 1:
            allowed = f"as many texts as problems in predictions ({len(offsets) - 1})"
            fail(ValueError, "references", allowed, str(len(tests)))
        return Corpus(tests, texts, offsets)

    def _table(self, corpus: Any) -> pa.Table:
        """Return the rows of checked problems."""
        return pa.table({"predictions": references_of(corpus), "references": text_array(corpus.hypotheses)})

    def _row(self, prediction: Any, reference: Any) -> dict[str, Any]:
        """Check one problem."""
        return {
            "predictions": check_reference(prediction, "prediction"),
            "references": check_text(reference, "reference"),
        }


class GuessesMetric(QuestionMetric):
    """A metric of questions with any number of guesses and of answers, in rows of SQuAD with lists of guesses."""

    given = {"id": datasets.Value("string"), "prediction_text": TEXTS}
    rows = datasets.Features({"predictions": given, "references": TEXTS})

    def _corpus(self, predictions: Any, references: Any, sources: Any = None) -> Any:
        """Check the questions, or read those of a file."""
        if not isinstance(references, pa.ChunkedArray):
            return TextMetric._corpus(self, predictions, references, sources)
        ids, guesses = zip(*(row.values() for row in predictions.to_pylist()), strict=True)
        corpus: Any = self.accumulator.metric_type.inputs.read(guesses, references.to_pylist())
        return replace(corpus, ids=[*ids])

    def _table(self, corpus: Any) -> pa.Table:
        """Return the rows of checked questions; one without an answer has the empty text as its only reference."""
        questions = squad_rows.guesses_of(corpus)
        offsets = pa.array(questions.guess_offsets.astype(np.int32))
        columns = {
            "id": pa.array(questions.ids, pa.string()),
            "prediction_text": pa.ListArray.from_arrays(offsets, text_array(questions.guesses)),
        }
        predictions = pa.StructArray.from_arrays([*columns.values()], names=[*columns])
        return pa.table({"predictions": predictions, "references": references_of(questions)})


class UnpairedTextMetric(TextMetric):
    """A metric without references: `function` scores a column of texts, with the options as keywords."""

    rows = datasets.Features({"predictions": TEXT})
    function: Any

    @classmethod
    def _option_names(cls) -> list[str]:
        return keyword_names(cls.function)

    def _scoring(self, given: Mapping[str, Any]) -> Callable[..., dict[str, Any]]:
        options = self._without_idle({**self.defaults, **given}, given)
        known = option_names(self.accumulator.metric_type)
        # Checked before there are texts: `load` and every `compute` ask.
        call_of(self.accumulator, f"this {self.kind}", {name: options[name] for name in options if name in known})
        return lambda corpus: dict(type(self).function(corpus, **options))

    def _corpus(self, predictions: Any, references: Any, sources: Any = None) -> Texts:  # noqa: ARG002
        """Check the segments."""
        _refuse_references("references", references)
        return text_column(predictions, "predictions")

    def _row(self, prediction: Any, reference: Any) -> dict[str, Any]:
        """Check one segment."""
        _refuse_references("reference", reference)
        return {"predictions": check_text(prediction, "prediction")}

    def _table(self, corpus: Any) -> pa.Table:
        """Return the rows of checked segments."""
        return pa.table({"predictions": text_array(corpus)})


class TwoSampleMetric(TextMetric):
    """A metric of two samples of texts, of any two sizes, which are no pairs.

    Attributes
    ----------
    features : mapping
        The options with vectors in place of texts, by the columns of these.
    """

    rows = datasets.Features({"predictions": TEXT, "references": TEXT})
    features: ClassVar[Mapping[str, str]] = {}

    def _wants_segments(self, **options: Any) -> bool:
        """Return whether a side has no features."""
        return any(options.get(name) is None for name in self.features.values())

    def _scoring(self, given: Mapping[str, Any]) -> Callable[..., dict[str, Any]]:
        options = {**self.defaults, **given}
        vectors = {side: options[name] for side, name in self.features.items() if options.get(name) is not None}
        try:
            call = call_of(self.accumulator, f"this {self.kind}", self._ours(options))
        except (TypeError, ValueError) as error:
            if (renamed := self._renamed(error)) is error:
                raise
            raise renamed from None

        def score(columns: Mapping[str, Any] | None) -> dict[str, Any]:
            accumulator: Any = call.empty.without_segments()
            texts = {side: column for side, column in (columns or {}).items() if column is not None}
            for side, values in vectors.items():
                # Features stand for their texts, as in the Hub's module, where both are given.
                if side in texts and len(texts.pop(side)) != len(values):
                    fail(ValueError, self.features[side], f"a vector for each of the {side}", f"{len(values)} vectors")
            for side, name in self.features.items():
                if side not in texts and side not in vectors:
                    fail(TypeError, side, f"a sample of texts, or `{name}`", "None")
            accumulator.update(**texts, **{f"{side}_features": values for side, values in vectors.items()})
            return self._presented(accumulator, scored(accumulator, call.reports, call.bootstrap))

        return score

    def _corpus(self, predictions: Any, references: Any, sources: Any = None) -> Any:  # noqa: ARG002
        """Check the texts of either side; in a file the shorter one is filled up with nulls."""
        sides = {"predictions": predictions, "references": references}
        if self.data is not None:
            sides = {side: column.drop_null() for side, column in sides.items()}
            sides = {side: column if len(column) else None for side, column in sides.items()}
        return {side: None if column is None else text_column(column, side) for side, column in sides.items()}

    def _table(self, corpus: Any) -> pa.Table:
        """Return the rows of checked texts."""
        columns = [pa.array([], pa.large_string()) if side is None else text_array(side) for side in corpus.values()]
        n = max(map(len, columns))
        filled = [pa.concat_arrays([column, pa.nulls(n - len(column), column.type)]) for column in columns]
        return pa.table(dict(zip(corpus, filled, strict=True)))

    def _row(self, prediction: Any, reference: Any) -> dict[str, Any]:
        """Check one text, or one of either side."""
        if prediction is None and reference is None:
            fail(TypeError, "prediction", "a text, or a reference", "None")
        return {
            "predictions": None if prediction is None else check_text(prediction, "prediction"),
            "references": None if reference is None else check_text(reference, "reference"),
        }


class TranslationMetric(TextMetric):
    """A metric of predictions with their sources, references or both, as its model needs.

    The configuration of `evaluate.load` is the model.
    """

    def __init__(self, config_name: str | None = None, **settings: Any) -> None:
        """Take the configuration as the default of `model_id`."""
        if config_name is not None and config_name != "default":
            if "model_id" in settings:
                fail(ValueError, "model_id", "None with a configuration, which is the model", shown(config_name))
            settings["model_id"] = config_name
        super().__init__(**settings)

    def _ours(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Return the options under our names; the number of GPUs chooses the device."""
        ours, n_gpus = super()._ours(options), options.get("gpus")
        if n_gpus is None:
            return ours
        if ours.get("device") is not None:
            fail(ValueError, "gpus", "None with `device`", shown(n_gpus))
        whole_number("gpus", n_gpus, 0, 1)
        return {**ours, "device": "cuda" if n_gpus else "cpu"}


@cache
def _names_of(cls: type[TextMetric]) -> list[str]:
    """Return the names of the options of a module."""
    renamed = {*cls.keywords.values(), *cls.chosen}
    return [*cls.keywords, *(name for name in option_names(cls.accumulator.metric_type) if name not in renamed)]


def _compute_with(cls: type[TextMetric], columns: list[str]) -> Any:
    """Return the `_compute` of a module, with its columns and options as keywords."""

    def _compute(self: TextMetric, **given: Any) -> dict[str, Any]:
        options = {name: value for name, value in given.items() if name not in columns}
        return self._scoring(options)(*self._inputs(**{name: given[name] for name in columns}))

    _compute.__doc__ = "Score the added segments."
    return with_keywords(_compute, [*columns, *cls._option_names()])


def _refuse_references(argument: str, value: Any) -> None:
    if value is not None:
        fail(TypeError, argument, "None, since this metric uses no references", shown(value))


def module_of(metric: type[Metric]) -> type[TextMetric]:
    """Return the module of a metric of predictions against references that has none of its own."""
    if not metric.inputs.has_references:
        fail(ValueError, "module", "a metric with references, or a module of its own", shown(metric.name))
    members = {
        "accumulator": accumulator_of(metric),
        "__doc__": inspect.cleandoc(metric.__doc__ or "").partition("\n\n")[0],
        "inputs": TextMetric.inputs + _SOURCES * ("sources" in metric.inputs.names),
    }
    return type(metric.__name__, (TextMetric,), members)


def references_of(corpus: Corpus) -> pa.ListArray:
    """Return the references as a column of lists."""
    return pa.ListArray.from_arrays(pa.array(corpus.reference_offsets.astype(np.int32)), text_array(corpus.references))


def sources_of(corpus: Corpus) -> pa.Array:
    """Return the sources as a column, of nulls if there are none."""
    return pa.nulls(len(corpus), pa.large_string()) if corpus.sources is None else text_array(corpus.sources)


def stored(references: Any, sources: Any) -> tuple[Any, Any]:
    """Return columns, with None for a column of a file whose rows are all empty, since the call did not have it."""
    if isinstance(references, pa.ChunkedArray) and not len(references.combine_chunks().flatten()):
        references = None
    if isinstance(sources, pa.ChunkedArray) and sources.null_count == len(sources):
        sources = None
    return references, sources

"""What the page of a metric or of a comparison asks for, and the report that answers it."""

from __future__ import annotations

import abc
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal, NamedTuple

from markupsafe import Markup

from .. import sample
from ..accumulation.accumulator import Accumulator, accumulator_of, summary_of
from ..accumulation.named_score import NamedScore
from ..accumulation.registry import METRICS
from ..input.columns import Corpus, sources_of
from ..locations import DEFAULT
from ..metric.metric import Metric, with_defaults
from ..metric.scores import Line, Summary
from ..module_loading import load
from ..options import Option, Options, option
from ..report import Report, embedded, explain_page
from ..resampling import PairedOptions
from .inputs import corpora_of, inputs_of, texts_of_option, value_of

_UNIT = "One label a line, such as its document, if segments belong together; may stay empty."


class Task(abc.ABC):
    """The texts and options of a page, and the report that answers them.

    Attributes
    ----------
    systems : mapping
        The hint of each system's texts, by name.
    options : sequence of Option
    has_references, has_sources : bool
        Whether there are references; with sources these are optional.
    has_intervals : bool
        Whether segments are resampled, so that units may be.
    scores : list of str
        The names to choose from, before any option is set.
    sample_part : str
        The part of the sample that is the example.
    """

    systems: Mapping[str, str]
    options: Sequence[Option]
    scores: list[str]
    has_references: bool = True
    has_sources: bool = False
    has_intervals: bool = True
    sample_part: str = "translations"

    @abc.abstractmethod
    def scoring(self, name: str, options: Mapping[str, Any]) -> tuple[Accumulator, str, Sequence[str], PairedOptions]:
        """Return an empty accumulator, the key of the score, the names to choose from, and the options of the test."""

    @property
    def settings(self) -> list[Option]:
        """The options that are not texts."""
        return [option for option in self.options if option.kind != "texts"]

    @property
    def texts(self) -> dict[str, str]:
        """The hint of every column of texts, by name: systems, references, options that are texts."""
        several = "One segment a line; several references of a segment on one line, with tabs between them."
        others = {"references": several} if self.has_references else {}
        others |= {"sources": "What each prediction translates."} if self.has_sources else {}
        learned = {option.name: option.help for option in self.options if option.kind == "texts"}
        return {**self.systems, **others, **learned, **({"unit": _UNIT} if self.has_intervals else {})}

    def report(
        self, name: str, texts: Mapping[str, str], files: Mapping[str, Any], values: Sequence[Any]
    ) -> tuple[Any, Sequence[str], str]:
        """Return the report about texts under a score, the scores to choose from, and the one that is shown."""
        options = {option.name: value_of(option, value) for option, value in zip(self.settings, values, strict=True)}
        options |= {
            option.name: texts_of_option(option.name, texts, files) for option in self.options if option.kind == "texts"
        }
        changed = {
            option.name: options[option.name] for option in self.options if options[option.name] != option.default
        }
        empty, key, names, test = self.scoring(name, changed)
        corpora = self._corpora(texts, files)
        if self.has_intervals and (texts.get("unit") or files.get("unit")):
            test = test._replace(unit=texts_of_option("unit", texts, files))
        return self.reported(corpora, empty, key, test), names, key

    def _corpora(self, texts: Mapping[str, str], files: Mapping[str, Any]) -> Sequence[Corpus]:
        if not self.has_sources:
            return corpora_of([*self.systems], texts, files, has_references=self.has_references)
        has_references = bool(texts["references"] or files["references"])
        left = {name: text for name, text in texts.items() if name != "references" or has_references}
        corpora = corpora_of([*self.systems], left, files, has_references=has_references)
        sources = texts_of_option("sources", texts, files)
        return (
            corpora
            if sources is None
            else [replace(corpus, sources=sources_of(corpus.hypotheses, sources)) for corpus in corpora]
        )

    def reported(self, corpora: Sequence[Corpus], empty: Accumulator, key: str, test: PairedOptions) -> Any:
        """Return the report about texts: it has `figures()`, and `shown` makes a page of it."""
        return Report.of([*self.systems], corpora, [(empty, key)], test)

    def shown(self, report: Any) -> Markup:
        """Return a report as HTML: the page of `explain`."""
        return embedded(explain_page(report))

    def example(self) -> list[str]:
        """Return the content of every text box; every second segment of a baseline lacks its last word."""
        predictions, references = sample.columns(self.sample_part)
        better, *lists = ([" ".join(text.split()) for text in texts] for texts in (predictions, *references))
        worse = [text if i % 2 else text.rpartition(" ")[0] for i, text in enumerate(better)]
        systems = [worse, better] if len(self.systems) > 1 else [better]
        columns = [*systems, *([["\t".join(texts) for texts in lists]] if self.has_references else [])]
        columns += [sample.sources(self.sample_part)] if self.has_sources else []
        # What a model may learn from, where no text is compared with it.
        learned = [] if self.has_references else [text for texts in lists for text in texts]
        n_others = len(self.texts) - len(columns) - self.has_intervals
        return ["\n".join(lines) for lines in (*columns, *[learned] * n_others, *[[]] * self.has_intervals)]


class MetricTask(Task):
    """Score one system by one metric."""

    def __init__(self, folder: Path) -> None:
        """Take the metric of the folder."""
        self.metric_type = (
            METRICS[folder.name] if folder.name in METRICS else type(load(folder)).accumulator.metric_type
        )
        self.options = inputs_of(self.metric_type.options_type)
        self.systems = {"predictions": "One segment a line."}
        self.has_references, self.sample_part = self.metric_type.inputs.has_references, self.metric_type.about.sample
        self.has_sources = "sources" in self.metric_type.inputs.names
        self.scores = self._names(accumulator_of(self.metric_type)())

    def scoring(self, name: str, options: Mapping[str, Any]) -> tuple[Accumulator, str, Sequence[str], PairedOptions]:
        """Return what `Task.scoring` does; the first score stands in for one that the options leave out."""
        empty = accumulator_of(self.metric_type)(**options)
        empty.metric.check_ready()
        names = self._names(empty)
        return empty, name if name in names else names[0], names, PairedOptions()

    def _names(self, empty: Accumulator) -> list[str]:
        return sorted(empty.metric.scores.keys, key=lambda key: key != empty.metric.scores.headline)


class SetReport(NamedTuple):
    """The result for a set of texts, with the table that shows it."""

    result: dict[str, Any]
    summary: Summary

    def figures(self) -> dict[str, Any]:
        """Return the result."""
        return self.result


class SetTask(MetricTask):
    """Score a whole set of texts, which has no scores of segments to explain."""

    has_intervals = False

    @property
    def texts(self) -> dict[str, str]:
        """The hint of every column of texts, by name."""
        other = (
            {}
            if self.metric_type.inputs.is_paired
            else {"references": "The other sample: one text a line, any number."}
        )
        return {**super().texts, **other}

    def _names(self, empty: Accumulator) -> list[str]:
        return [empty.metric.scores.headline]

    def _corpora(self, texts: Mapping[str, str], files: Mapping[str, Any]) -> Sequence[Corpus]:
        if self.metric_type.inputs.is_paired:
            return super()._corpora(texts, files)
        sides = {name: texts_of_option(name, texts, files) or [] for name in self.metric_type.inputs.names}
        return [self.metric_type.inputs.read(**sides)]

    def reported(self, corpora: Sequence[Corpus], empty: Accumulator, key: str, test: PairedOptions) -> SetReport:  # noqa: ARG002
        """Return all scores."""
        [corpus] = corpora
        is_paired = self.metric_type.inputs.is_paired
        result = (empty.update(corpus.hypotheses) if is_paired else empty.update_corpus(corpus)).score(signature=True)
        return SetReport(result, summary_of(empty, result))

    def shown(self, report: SetReport) -> Markup:
        """Return a table."""
        row = Markup("<tr><th scope='row' style='text-align: left'>{}</th><td>{}</td></tr>")
        lines = (row.format(line.label, f"{line.values[0]:.4f}") for line in report.summary.lines)
        return Markup("<table>{}</table>").format(Markup("").join(lines))


class ModuleTask(SetTask):
    """Score by a module that is made of several metrics and has no options."""

    def __init__(self, folder: Path) -> None:
        """Take the module of the folder, beside the metric whose columns it has."""
        self.module, self.name = load(folder), folder.name
        super().__init__(folder)
        self.options = []

    def _names(self, empty: Accumulator) -> list[str]:  # noqa: ARG002
        return [self.name]

    def reported(self, corpora: Sequence[Corpus], empty: Accumulator, key: str, test: PairedOptions) -> SetReport:  # noqa: ARG002
        """Return all scores."""
        [corpus] = corpora
        every, spans = corpus.references.tolist(), pairwise(corpus.reference_offsets.tolist())
        columns = {"predictions": corpus.hypotheses.tolist(), "references": [every[slice(*span)] for span in spans]}
        sources = {} if corpus.sources is None else {"sources": corpus.sources.tolist()}
        result = self.module.compute(**columns, **sources)
        return SetReport(result, Summary("", ("score",), [Line(name, (value,)) for name, value in result.items()], []))


@dataclass(frozen=True)
class TestOptions(Options):
    """The options of a comparison."""

    n_resamples: int | None = option(
        None, "How many resamples to draw.", at_least=100, at_most=20_000, none_means="that of the test", on_page=True
    )
    seed: int = option(12345, "The same seed gives the same numbers.", at_least=0, at_most=99_999, on_page=True)
    p_value: Literal["two-sided", "one-sided", "sacrebleu"] = option(
        "two-sided", "One-sided: decide before you see the scores. sacrebleu: of the bootstrap only.", on_page=True
    )
    tokenizer: str | None = option(
        None, "For scores that use one: unicode or character if text is not Latin.", kind="tokenizer", on_page=True,
        none_means="that of the score",
    )  # fmt: skip


class ComparisonTask(Task):
    """Compare two systems by one score."""

    def __init__(self, folder: Path) -> None:
        """Load the module in the folder."""
        self.test = load(folder, module_type="comparison").test
        self.options = inputs_of(TestOptions)
        self.systems = {"predictions1": "The baseline: one segment a line.", "predictions2": "The other system."}
        self.scores = []
        for metric_type in (
            metric_type for metric_type in METRICS.values() if metric_type.inputs.names == Metric.inputs.names
        ):
            # The page has no options to choose a model.
            with suppress(ValueError):
                with_defaults(metric_type).check_ready()
                self.scores += [name for name in metric_type.scores.names if name != "..."]
        self.scores.sort(key=lambda name: name != DEFAULT)

    def scoring(self, name: str, options: Mapping[str, Any]) -> tuple[Accumulator, str, Sequence[str], PairedOptions]:
        """Return what to score."""
        test = {key: value for key, value in options.items() if key in PairedOptions._fields}
        named = NamedScore(name, {key: value for key, value in options.items() if key not in test})
        return named.start(scores_alone=True), named.key, self.scores, PairedOptions(self.test, **test)

"""Comparisons for `evaluate.load`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import datasets
import evaluate
import pyarrow as pa

from ..accumulation.named_score import score_of
from ..accumulation.registry import names_of_scores
from ..checks import refuse_places
from ..input.arrow import text_array
from ..input.columns import Corpus, corpus_of, text_column, warn_of_labels
from ..input.elements import check_reference, check_text
from ..locations import DEFAULT
from ..metric.inputs import check_needs
from ..resampling import PairedOptions
from ..resampling.compare import check_comparison, compare_corpora, same_references
from ..resampling.comparison import N_RESAMPLES
from .metric import references_of, sources_of, stored
from .module import TEXT, TEXTS, TextModule, indented, with_keywords

_EXAMPLES = """
    >>> import evaluate
    >>> import textgauge
    >>> {name} = evaluate.load(textgauge.path("{name}"))
    >>> references = ["the cat sat on the mat", "a dog barks"] * 10
    >>> baseline, other = ["the cat is on the mat", "a dog"] * 10, ["the cat sat on a mat", "a dog barks"] * 10
    >>> result = {name}.compute(
    ...     predictions1=baseline, predictions2=other, references=references, metric="rouge1"
    ... )
    >>> round(result["stat"], 4), result["p"] < 0.05
    (0.1, True)
"""


class TextComparison(TextModule, evaluate.Comparison):
    """A comparison of two columns of predictions against the same references, all of them text.

    Attributes
    ----------
    test : str
        The paired test, see `compare_systems`.
    p_values : str
        The values of the option `p_value`, with what they mean.
    """

    kind = "comparison"
    information = evaluate.ComparisonInfo
    rows = datasets.Features({"predictions1": TEXT, "predictions2": TEXT, "references": TEXTS, "sources": TEXT})
    inputs = """
        predictions1: list of str, the output of the baseline for every segment.
        predictions2: list of str, the output of the other system for every segment.
        references: list of str, or list of lists of str; None for metrics or models without any.
        sources: list of str, what every prediction translates, for metrics that read them.
    """
    returns = """
        stat (score2 - score1), p, score1, score2, confidence_interval (of stat), confidence_interval1,
        confidence_interval2, wins (the share of resamples in which each system has the better score), detectable (the
        smallest true difference that so many segments detect 80% of the time)
    """
    test: str
    p_values: str

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Document the module of a test."""
        super().__init_subclass__(**kwargs)
        if "test" in cls.__dict__:
            cls.examples = _EXAMPLES.format(name=evaluate.naming.camelcase_to_snakecase(cls.__name__))
            cls._document()

    @classmethod
    def _option_lines(cls) -> tuple[str, str]:
        lines = f"""
            metric: the score to compare, "{DEFAULT}" by default, with its options, as in "chrf(word_order=2)":
            {names_of_scores()}.
            n_resamples: the number of resamples; None is {N_RESAMPLES[cls.test]:,}.
            seed: of the random generator; None is 12345.
            confidence: the level of the intervals; None omits them.
            p_value: {cls.p_values}.
            unit: list with a label for every segment, such as its document: segments of one label are drawn together.
        """
        return indented(lines), ""

    @classmethod
    def _option_names(cls) -> list[str]:
        return ["metric", *(name for name in PairedOptions._fields if name != "test")]

    def _scoring(self, given: Mapping[str, Any]) -> Callable[..., dict[str, Any]]:
        options = {"metric": DEFAULT, **self.defaults, **given}
        score = score_of(options.pop("metric"))
        check_comparison(score, test=self.test, **options)

        def compared(*corpora: Corpus) -> dict[str, Any]:
            metric = score.start(scores_alone=True).metric
            check_needs([metric], {name: corpora[0].given.get(name) for name in ("references", "sources")})
            result: dict[str, Any] = compare_corpora(corpora, score, test=self.test, **options)[0]._asdict()
            return result

        return compared

    def _compute(
        self, *, predictions1: pa.ChunkedArray, predictions2: pa.ChunkedArray, references: pa.ChunkedArray,
        sources: pa.ChunkedArray, **options: Any,
    ) -> dict[str, Any]:  # fmt: skip
        """Compare the added segments."""
        columns = {"predictions1": predictions1, "predictions2": predictions2}
        references, sources = stored(references, sources)
        return self._scoring(options)(*self._inputs(**columns, references=references, sources=sources))

    def _inputs(
        self, *, predictions1: Any = None, predictions2: Any = None, references: Any = None, sources: Any = None
    ) -> tuple[Corpus, Corpus]:
        """Check the columns, and return the arguments of the function that `_scoring` returns."""
        columns = {"predictions1": predictions1, "predictions2": predictions2}
        warn_of_labels({**columns, "references": references, "sources": sources})
        hypotheses = text_column(predictions1, "predictions1")
        first = corpus_of(hypotheses, references, sources=sources)
        return first, same_references(first, predictions2, "predictions2")

    def compute(
        self, *more: Any, predictions1: Any = None, predictions2: Any = None, references: Any = None,
        sources: Any = None, **kwargs: Any,
    ) -> dict[str, Any] | None:  # fmt: skip
        """Compare two systems on the given segments together with those added before.

        After an error about input or options, the segments added before remain; a failure
        while scoring drops them and their file.
        """
        refuse_places(more, "compute", "predictions1", "predictions2")
        columns = {"predictions1": predictions1, "predictions2": predictions2}
        return self._result({**columns, "references": references, "sources": sources}, kwargs)

    def add_batch(
        self, *more: Any, predictions1: Any = None, predictions2: Any = None, references: Any = None,
        sources: Any = None,
    ) -> None:  # fmt: skip
        """Add segments; after an error the segments added before remain."""
        refuse_places(more, "add_batch", "predictions1", "predictions2")
        columns = {"predictions1": predictions1, "predictions2": predictions2}
        first, second = self._inputs(**columns, references=references, sources=sources)
        self._write(
            pa.table(
                {
                    "predictions1": text_array(first.hypotheses),
                    "predictions2": text_array(second.hypotheses),
                    "references": references_of(first),
                    "sources": sources_of(first),
                }
            )
        )

    def add(
        self,
        *more: Any,
        prediction1: Any = None,
        prediction2: Any = None,
        reference: Any = None,
        source: Any = None,
        predictions1: Any = None,
        predictions2: Any = None,
        references: Any = None,
        sources: Any = None,
    ) -> None:
        """Add one segment; after an error the segments added before remain.

        `evaluate.combine` passes the one segment as `predictions1`, `predictions2`, `references` and `sources`.
        """
        refuse_places(more, "add", "prediction1", "prediction2")
        references = reference if references is None else references
        sources = source if sources is None else sources
        row = {
            "predictions1": check_text(prediction1 if predictions1 is None else predictions1, "prediction1"),
            "predictions2": check_text(prediction2 if predictions2 is None else predictions2, "prediction2"),
            "references": [] if references is None else check_reference(references, "reference"),
            "sources": None if sources is None else check_text(sources, "source"),
        }
        self._write_row(row)


with_keywords(TextComparison._compute, [*TextComparison.rows, *TextComparison._option_names()])

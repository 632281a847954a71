"""Answers of mathematics: the same by the rules of a tool, or by Math-Verify."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from ..accumulation.accumulator import accumulator_of
from ..accumulation.functions import one_call
from ..checks import fail, printable, shown
from ..explanation.derivation import Derivation, Step
from ..explanation.explainer import Explainer
from ..input.columns import Corpus
from ..metric import (
    About,
    CountedNote,
    Explanation,
    Field,
    Layout,
    Metric,
    Notes,
    Rows,
    Score,
    Scores,
)
from ..options import Options, option
from ..signatures import fields_of
from ..text.extract import answer_finder, answer_in, boxed_or_all, extractor
from ..text.latex import as_latex
from ..text.math_rules import VERSIONS, rewritten, steps_of

_SECONDS = 5.0
# The usual ways to mark the answer in a solution: what shows each, and what finds the answer.
_EXTRACTS = {
    extract: (mark, answer_finder(extract, joins_boxes=False))
    for extract, mark in ((r"\boxed{}", r"\boxed"), ("#### (.*)", "####"), ("<answer>...</answer>", "<answer>"))
}


@dataclass(frozen=True)
class MathAnswerOptions(Options):
    r"""A rule rewrites both texts, which are then compared; of several references, one that is equal is enough.

    "hendrycks" is the rule of the Hub's `competition_math`, "lm-eval" the copy of it in lm-evaluation-harness 0.4.13,
    and "minerva" the rewriting of Lewkowycz et al. as lm-evaluation-harness 0.4.13 has it, before sympy: up to 0.4.12
    it removed every comma and the letters of units within commands. Rules know no mathematics: they find 0.5 and
    ``\frac{1}{2}`` equal, but not 0.25 and ``\frac{1}{4}``.

    `extract` takes the last match of the prediction, without which it scores 0, and of a reference if there is one;
    else the box of a reference is opened.

    The engine is asked where no reference is equal by the rule. It runs in processes of its own. An answer that it
    does not judge within `seconds` scores 0; the result counts such segments as ``timeouts``, and a warning as well.

    References: Hendrycks et al. (2021), Measuring Mathematical Problem Solving With the MATH Dataset;
    Lewkowycz et al. (2022), Solving Quantitative Reasoning Problems with Language Models, appendix D.
    """

    python_remarks = "`extract` may be a compiled pattern, or a function from a text to its part or None."
    rule: Literal["hendrycks", "lm-eval", "minerva"] = option(
        "hendrycks", "Whose rule rewrites both texts.", on_page=True
    )
    extract: Any = option(
        None, r'What counts of a text: "\boxed{}", two marks with ... between them, or a regular expression.',
        kind="text", none_means="all of it", on_page=True,
    )  # fmt: skip
    engine: Literal["math-verify"] | None = option(
        None, "What is asked where the texts differ.", none_means="nothing", on_page=True
    )
    seconds: float = option(
        _SECONDS, "The time that the engine has for a pair.", at_least=0, at_most=3600, is_open=True
    )

    # A completion is more than its answer.
    defaults_for = {"reward": {"extract": answer_in}}

    def check(self) -> None:
        """Refuse what extracts nothing, and a time for no engine."""
        extractor(self.extract)
        if self.engine is None and self.seconds != _SECONDS:
            fail(ValueError, "seconds", "its default without `engine`", shown(self.seconds))


def _marked(text: str) -> dict[str, str]:
    """Return the answers in a solution by what extracts them; none in a text without marks."""
    found = {extract: find(text) for extract, (mark, find) in _EXTRACTS.items() if find and mark in text}
    return {extract: answer for extract, answer in found.items() if answer is not None}


def _are_same(one: str | None, other: str | None) -> bool:
    # A text that the rule cannot read equals only itself.
    return one is not None and one == other


class MathAnswerMetric(Metric):
    r"""The share of answers of mathematics that equal a reference (Hendrycks et al. 2021).

    `statistics` has the field ``matches``, with an engine also ``timeouts``, each 0 or 1: int64.

    Examples
    --------
    >>> answers = MathAnswer(extract=r"\boxed{}")
    >>> texts = [r"It is \boxed{0.5}.", r"\boxed{x = 10 \text{ cm}}", r"\boxed{8}"]
    >>> answers.update(texts, [r"\frac12", "10", "7"]).score()
    {'math_answer': 0.6666666666666666}
    """

    name = "math_answer"
    options_type = MathAnswerOptions
    about = About("Math answer", lambda _: _EXPLANATION, returns="``math_answer``, with an engine ``timeouts``")
    combine = "mean"
    scores = Scores(Score("math_answer", is_binary=True), unscaled=("timeouts",))
    options: MathAnswerOptions

    def prepare(self) -> None:
        """Choose the part of a text that counts, and the layout."""
        self._found = answer_finder(self.options.extract, joins_boxes=self.options.engine is not None)
        fields = [Field("matches")]
        if self.options.engine is not None:
            from ..models.math_engine import engine_version

            self.engine = f"{self.options.engine}-{engine_version()}"
            fields.append(Field("timeouts", over="max"))
        self.layout = Layout(fields)

    def notes(self) -> Notes:
        """Return collectors of predictions without an answer, of answers that took too long, and of solutions."""
        return Notes(_Unmatched(), _Timeouts(self.options.seconds), *map(_Solutions, (*_EXTRACTS, None)))

    def rows(self, corpus: Corpus, notes: Any) -> Rows:
        """Compare the pairs of a chunk."""
        predictions, references = self.answers(corpus)
        n_references = np.diff(corpus.reference_offsets)
        segment_of = np.repeat(np.arange(len(corpus)), n_references)
        pairs = [(predictions[i], reference) for i, reference in zip(segment_of.tolist(), references, strict=True)]
        values = np.zeros((len(pairs), self.layout.n_columns), np.int64)
        values[:, 0] = self._equal(pairs)
        if self.options.engine is not None:
            self._ask(pairs, segment_of, values)
        if notes is not None:
            notes.examine(corpus, (predictions.count(None), values[:, 1:], self._solved(pairs, segment_of, values)))
        return Rows(self.layout, values)

    def are_equal(self, prediction: str | None, references: list[str]) -> bool:
        """Return whether a prediction equals any reference by the rule alone."""
        return any(self._equal([(prediction, reference) for reference in references]))

    def _equal(self, pairs: Sequence[tuple[str | None, str]]) -> list[bool]:
        rule = self.options.rule
        normal = {
            text: rewritten(text, rule) for pair in pairs if pair[0] != pair[1] for text in pair if text is not None
        }
        return [
            text == reference or (text is not None and _are_same(normal[text], normal[reference]))
            for text, reference in pairs
        ]

    def _solved(self, pairs: Sequence[tuple[str | None, str]], segment_of: Any, values: Any) -> dict[str | None, int]:
        """Return how many segments score 0 whose answers are equal, by what extracts both from their solutions.

        None counts those of which the reference alone is a solution, or another kind of solution.
        """
        found: dict[str | None, int] = dict.fromkeys((*_EXTRACTS, None), 0)
        is_open = self.options.extract in (None, answer_in)
        done = {*segment_of[values[:, 0] > 0].tolist()}
        for (prediction, reference), segment in zip(pairs, segment_of.tolist(), strict=True):
            if segment in done or prediction is None:
                continue
            answers, own = _marked(prediction) if is_open else {}, _marked(reference)
            if self.options.extract is answer_in:
                # Boxes were opened, those that are left are read by an engine, all of them.
                answers.pop(r"\boxed{}", None)
            if not (answers or own):
                continue
            extract = next((e for e, text in answers.items() if self.are_equal(text, [own.get(e, reference)])), None)
            if extract or any(self.are_equal(text, [*own.values()]) for text in (prediction, *answers.values())):
                found[extract] += 1
                done.add(segment)
        return found

    def answers(self, corpus: Corpus) -> tuple[list[str | None], list[str]]:
        """Return what counts of predictions, None where nothing does, and of references."""
        references, find = corpus.references.tolist(), self._found
        if find is None:
            return [*corpus.hypotheses.tolist()], references
        parts = [find(text) for text in references]
        # A box is opened in a reference, too, in which nothing else is found; an engine does so itself.
        whole = boxed_or_all if self.options.engine is None else str
        references = [whole(text) if part is None else part for text, part in zip(references, parts, strict=True)]
        return [find(text) for text in corpus.hypotheses.tolist()], references

    def _ask(self, pairs: list[tuple[str | None, str]], segment_of: Any, values: Any) -> None:
        """Ask the engine about the pairs of segments that no reference equals, each distinct pair once."""
        from ..models.math_engine import verified

        is_equal = np.zeros(segment_of[-1] + 1, bool)
        is_equal[segment_of[values[:, 0] > 0]] = True
        open_pairs = [
            i for i, (text, reference) in enumerate(pairs)
            if not is_equal[segment_of[i]] and text and text.strip() and reference.strip()
        ]  # fmt: skip
        asked = {i: (as_latex(pairs[i][1]), as_latex(pairs[i][0] or "")) for i in open_pairs}
        distinct = [*dict.fromkeys(asked.values())]
        answers = dict(zip(distinct, verified(distinct, self.options.seconds), strict=True))
        for i, pair in asked.items():
            values[i] = answers[pair] is True, answers[pair] is None
        # Another reference that is equal is enough: then nothing is lost.
        is_equal[segment_of[values[:, 0] > 0]] = True
        values[is_equal[segment_of], 1] = 0

    def signature_fields(self, reports: Any = None) -> dict[str, str]:  # noqa: ARG002
        """Return the rule with its version, extraction, and the engine with its version and its time."""
        rule = "-".join(filter(None, (self.options.rule, VERSIONS[self.options.rule])))
        fields = fields_of({"rule": rule, "extract": self.options.extract})
        if self.options.engine is None:
            return fields
        return {**fields, "engine": self.engine, "seconds": f"{self.options.seconds:g}"}

    def formula(self, rows: Rows) -> dict[str, Any]:
        """Return 1 for equal answers, else 0; with an engine, 1 for those that took too long."""
        scores = {"math_answer": rows["matches"] * 1.0}
        return scores if self.options.engine is None else {**scores, "timeouts": rows["timeouts"] * 1.0}

    def result(self, accumulator: Any, reports: Any) -> dict[str, Any]:
        """Return the share of equal answers, and how many took too long."""
        result = super().result(accumulator, reports)
        if self.options.engine is not None:
            n_segments = accumulator.n_summed or len(accumulator.statistics)
            result["timeouts"] = round(float(result["timeouts"]) * n_segments)
        return result

    def below(self, result: Mapping[str, Any]) -> list[str]:
        """Return how texts are compared, and how many comparisons took too long."""
        fields = ", ".join(f"{name} {value}" for name, value in self.signature_fields().items())
        n_late = result.get("timeouts", 0)
        return [fields + (f", {n_late} timeouts" if n_late else "")]


class _Unmatched(CountedNote):
    about = "extract"

    def examine(self, corpus: Corpus, tokens: Any) -> None:  # noqa: ARG002
        self.tell(tokens[0], "[prediction has|predictions have] nothing that `extract` finds, and [scores|score] 0.")


class _Solutions(CountedNote):
    about = "solutions"

    def __init__(self, extract: str | None) -> None:
        self._extract = extract

    def examine(self, corpus: Corpus, tokens: Any) -> None:  # noqa: ARG002
        if self._extract is None:
            text = (
                "[prediction has the answer of its reference, which is a solution, but scores|predictions have the "
                "answers of their references, which are solutions, but score] 0: pass answers alone as references, "
                "such as what is behind '####' or in a box."
            )
        else:
            text = (
                "[prediction is a solution that scores|predictions are solutions that score] 0, and whose "
                "[answer equals its|answers equal their] reference: `extract` takes the answer out of a solution, "
                f"as in {self._extract!r}."
            )
        self.tell(tokens[2][self._extract], text)


class _Timeouts(CountedNote):
    about = "timeouts"

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    def examine(self, corpus: Corpus, tokens: Any) -> None:  # noqa: ARG002
        text = f"[pair was|pairs were] not judged within {self._seconds:g} s, and [counts|count] as different: "
        self.tell(int(tokens[1].sum()), text + "`seconds` gives the engine more time.")


_EXPLANATION: Explanation = Explanation(
    "Math answer",
    "How many answers are the right number or formula?",
    (
        "A rule rewrites the answer and its reference, step by step; a segment scores 1 if they are then equal.",
        "With an engine, answers that differ are compared as mathematics.",
        "The score on top is the mean over segments.",
    ),
    "Rules know no mathematics: what they find different may be equal. Scores compare under the same rule only.",
)
MathAnswer = accumulator_of(MathAnswerMetric)
math_answer = one_call(
    MathAnswer,
    r"""
>>> math_answer(["0.5", "50 \\%"], [r"\frac{1}{2}", "50"])
{'math_answer': 1.0}""".strip(),
)


class MathAnswerExplainer(Explainer, metric=MathAnswerMetric):
    """Explains the scores of `MathAnswerMetric`."""

    metric: MathAnswerMetric

    def derivation(self, key: str, rows: Rows, segment: Corpus | None) -> Derivation:
        """Show both texts after every step that changes them."""
        if segment is None:
            return super().derivation(key, rows, segment)
        title, score = self.metric.about.title, float(self.metric.formula(rows)["math_answer"])
        [prediction], references = self.metric.answers(segment)
        steps = self._rewritten("prediction", prediction)
        for i, reference in enumerate(references, 1):
            steps += self._rewritten("reference" if len(references) == 1 else f"reference {i}", reference)
        return Derivation(
            title, (*steps, Step(title, formula=self._verdict(prediction, references, rows), value=score))
        )

    def _rewritten(self, name: str, text: str | None) -> list[Step]:
        if text is None:
            return [Step(name, ("no answer",), meaning="nothing that `extract` finds")]
        steps = [Step(name, examples=(printable(text),), meaning="the answer" if self.metric.options.extract else "")]
        changes = steps_of(text, self.metric.options.rule)
        return steps + [Step(printable(meaning), examples=(printable(after),)) for meaning, after in changes]

    def _verdict(self, prediction: str | None, references: list[str], rows: Rows) -> str:
        rule, engine = self.metric.options.rule, self.metric.options.engine
        if rows["matches"]:
            by_rule = self.metric.are_equal(prediction, references)
            return f"equal by the rule {rule!r}" if by_rule else f"equal by {engine}"
        if engine is None:
            return "not equal"
        return f"{engine} took too long" if rows["timeouts"] else f"not equal, nor by {engine}"

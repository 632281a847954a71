"""Exact match and token F1 of short answers as SQuAD's scripts print them: that of 1.1, and that of 2.0.

In SQuAD 2.0 some questions have no answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from .. import engine
from ..accumulation.accumulator import accumulator_of
from ..accumulation.functions import one_call
from ..explanation.derivation import Derivation, Step, figure, part_of
from ..input.columns import Corpus
from ..input.squad_rows import question_corpus_of, questions_of
from ..metric import Field, Inputs, Layout, Line, Misfit, Notes, Rows, Score, Scores, Summary, Sums, TwoForms
from ..options import fixed, option
from ..sums import by_sum, one_by_one, ratio
from .token_f1 import TokenF1Explainer, TokenF1Metric, TokenF1Options

_LABELS = {"exact": "exact match", "f1": "F1"}
SIDES = {"HasAns": "questions with an answer", "NoAns": "questions without"}


@dataclass(frozen=True)
class SquadOptions(TokenF1Options):
    """Scores are from 0 to 100. The options are those of `TokenF1`, which has notes on them."""

    contains: bool = fixed(False)


class SquadMetric(TokenF1Metric):
    """Exact match and F1 as SQuAD's script prints them, from 0 to 100.

    Examples
    --------
    >>> Squad().update(["in 1889"], [["1889", "the year 1889"]]).score()
    {'exact_match': 0.0, 'f1': 66.66666666666666}
    """

    name = "squad"
    options_type: ClassVar[type[TokenF1Options]] = SquadOptions
    about = replace(
        TokenF1Metric.about,
        title="SQuAD",
        returns="``exact_match`` and ``f1``",
        form="With exact match, as SQuAD's script has them.",
    )
    scores = Scores(Score("exact_match", has_own_best=True, is_binary=True), Score("f1", "squad"), scale=100.0)
    sums = Sums(add=one_by_one)


Squad = accumulator_of(SquadMetric)
squad = one_call(Squad)


@dataclass(frozen=True)
class SquadV2Options(SquadOptions):
    """Scores are from 0 to 100. The other options are those of `TokenF1`, which has notes on them.

    A question without an answer has the empty list of answers in rows, and the empty text as its only
    reference otherwise. The right answer to it is no text, or a probability above the threshold.

    References: Rajpurkar et al. (2018), Know What You Don't Know: Unanswerable Questions for SQuAD,
    section 3; its evaluation script, version 2.0.
    """

    no_answer_threshold: float = option(1.0, "A prediction that is more probably no answer counts as none.")


class SquadV2Metric(TokenF1Metric):
    """Exact match and F1 where some questions have no answer (Rajpurkar et al. 2018).

    `update` takes both sides as `TokenF1` does; rows of predictions may have a ``no_answer_probability``.
    `statistics` has the fields ``questions``, ``answerable``, ``exact`` and ``f1`` of these, ``f1_of_all``,
    ``abstained``, the right ones of the others, and what the best thresholds need: float64.

    Examples
    --------
    >>> questions = SquadV2().update(["in 1889", "", "me"], [["1889"], [""], [""]])
    >>> scores = questions.score()
    >>> scores["NoAns_f1"], scores["HasAns_total"], round(scores["f1"], 2)
    (50.0, 1, 55.56)
    """

    name = "squad_v2"
    options_type: ClassVar[type[SquadOptions]] = SquadV2Options
    about = replace(
        TokenF1Metric.about,
        title="SQuAD 2.0",
        form="As the script of SQuAD 2.0, where questions may have no answer.",
        returns="``exact``, ``f1``, ``total``, the same with ``HasAns_`` and ``NoAns_`` in front, ``best_exact``, "
        "``best_exact_thresh``, ``best_f1`` and ``best_f1_thresh``",
    )  # fmt: skip
    inputs = Inputs(read=question_corpus_of)
    # Shares of all questions, in percent as the script makes them; the others of the result are their parts.
    scores = Scores(
        Score("exact", perfect=100.0, largest=100.0, has_own_best=True, is_binary=True),
        Score("f1", "squad_v2", perfect=100.0, largest=100.0, has_own_best=True),
    )
    # Of two answers without tokens the F1 is 1 here.
    _checks = (Misfit, TwoForms)
    # The best thresholds need all questions.
    sums = Sums("whole", add=by_sum)
    combine = "pool"
    options: Any

    def prepare(self) -> None:
        """Choose the normalizer, the tokenizer and the layout."""
        super().prepare()
        best, untold = (
            ("exact", "f1", "f1_of_all", "abstained", "exact_gain", "f1_gain"),
            ("f1_of_all", "exact_gain", "f1_gain"),
        )
        self.layout = Layout(
            [
                *map(Field, ("questions", "answerable")),
                *(
                    Field(name, is_whole=name in ("exact", "abstained"), over="max", told=0 if name in untold else None)
                    for name in best
                ),
                *(Field(name, is_whole=False, told=0) for name in ("no_answer", "shift")),
            ]
        )

    def rows(self, corpus: Corpus, notes: Notes) -> Rows:
        """Count the pairs of a chunk."""
        of_pair = np.repeat(np.arange(len(corpus)), np.diff(corpus.reference_offsets))
        questions = questions_of(corpus)
        matches, prediction, reference, equal = self.answer_counts(corpus, notes).T
        f1 = np.asarray(engine.kernel.f_scores(np.stack((matches, prediction, reference), axis=-1)))[2]
        # Two texts without tokens agree; beside another reference, one without tokens does not count.
        f1 = np.where((prediction == 0) & (reference == 0), 1.0, f1)
        longest = np.maximum.reduceat(reference, corpus.reference_offsets[:-1])[of_pair]
        counts = (reference > 0) | (longest == 0)
        is_answerable = questions.is_answerable[of_pair]
        exact, f1 = equal * counts * is_answerable, f1 * counts * is_answerable
        abstains = questions.no_answer[of_pair] > self.options.no_answer_threshold
        abstained = ~is_answerable & (abstains | (prediction == 0))
        lost = -1.0 * (np.asarray(corpus.hypotheses.lengths())[of_pair] > 0)
        return self.layout.filled(
            len(of_pair), questions=1, answerable=is_answerable, exact=exact * ~abstains, f1=f1 * ~abstains,
            f1_of_all=f1 * ~abstains + abstained, abstained=abstained,
            exact_gain=np.where(is_answerable, exact, lost), f1_gain=np.where(is_answerable, f1, lost),
            no_answer=questions.no_answer[of_pair], shift=questions.shift[of_pair],
        )  # fmt: skip

    def signature_fields(self, reports: Any = None) -> dict[str, str]:
        """Return the fields of the signature."""
        return {**super().signature_fields(reports), "thresh": f"{self.options.no_answer_threshold:g}"}

    def formula(self, rows: Rows) -> dict[str, Any]:
        """Shares of all questions, of those with an answer, and of those without."""
        total, answerable, abstained = (rows[name] for name in ("questions", "answerable", "abstained"))
        exact, none = rows["exact"] + abstained, _percent(abstained, total - answerable)
        return {
            "exact": _percent(exact, total), "f1": _percent(rows["f1_of_all"], total), "total": total,
            **{f"HasAns_{key}": _percent(rows[key], answerable) for key in self.scores.keys},
            "HasAns_total": answerable,
            **{f"NoAns_{key}": none for key in self.scores.keys}, "NoAns_total": total - answerable,
        }  # fmt: skip

    def result(self, accumulator: Any, reports: Any) -> dict[str, Any]:
        """Return the scores, without questions of a kind of which there are none.

        With the best thresholds if the questions are there, not only their sum.
        """
        best = [] if accumulator.n_summed else [_best(accumulator.statistics, key) for key in self.scores.keys]
        names = [(f"best_{key}", f"best_{key}_thresh") for key in self.scores.keys]
        best_values = {
            name: value for pair in zip(names, best, strict=False) for name, value in zip(*pair, strict=True)
        }
        values = super().result(accumulator, reports)
        absent = tuple(f"{side}_" for side in SIDES if values[f"{side}_total"] == 0)
        return {key: value for key, value in {**values, **best_values}.items() if not key.startswith(absent)}

    def summary(self, result: Mapping[str, Any]) -> Summary:
        """Return exact match and F1 of all questions, and of both kinds, as a table."""
        sides = {"": "", **{f"{side}_": f", {about}" for side, about in SIDES.items()}}
        lines = [
            Line(label + about, (result[side + key],), key if not side else "", is_headline=side + key == "f1",
                 full=self.scores.top)
            for side, about in reversed(sides.items()) for key, label in _LABELS.items()
            if side + key in result
        ]  # fmt: skip
        best = [
            f"best {label} {result[f'best_{key}']:.2f} at the threshold {result[f'best_{key}_thresh']:g}"
            for key, label in _LABELS.items() if f"best_{key}" in result
        ]  # fmt: skip
        return Summary(self.about.title, ("score",), lines, [*self.below(result), *best])


def _percent(part: Any, whole: Any) -> Any:
    """Divide as the script does, 0 where the whole is 0."""
    return ratio(100.0 * part, whole)


def _best(rows: Rows, key: str) -> tuple[Any, Any]:
    """Return the best score that a threshold gives, and the threshold: the least probable are answered first.

    Questions that are equally probable are answered in the order of the predictions, as in the script.
    """
    place = rows["shift"] + np.arange(len(rows))
    order = np.lexsort((place, rows["no_answer"]))
    n_none = np.sum(rows["questions"] - rows["answerable"])
    totals = np.cumsum([n_none, *rows[f"{key}_gain"][order]])
    first = int(np.argmax(totals))
    threshold = rows["no_answer"][order][first - 1] if first else np.float64(0)
    return 100.0 * totals[first] / len(rows), threshold


SquadV2 = accumulator_of(SquadV2Metric)
squad_v2 = one_call(SquadV2)


class SquadV2Explainer(TokenF1Explainer, metric=SquadV2Metric):
    """Explains the scores of `SquadV2Metric`."""

    metric: SquadV2Metric

    def derivation(self, key: str, rows: Rows, segment: Corpus | None) -> Derivation:
        """Show what the questions with an answer score together, those without, and the mean over all."""
        title = self.metric.about.explain(key).title
        counts = (rows[name] for name in ("questions", "answerable", key, "abstained"))
        total, answerable, right, abstained = map(float, counts)
        steps: list[Step] = []
        threshold = self.metric.options.no_answer_threshold
        if segment is not None and answerable and rows["no_answer"] > threshold:
            steps.append(
                Step("no answer", (), f"{figure(rows['no_answer'])} > {figure(threshold)}",
                     meaning="its probability is above the threshold, so that the answer does not count")
            )  # fmt: skip
        elif segment is not None and answerable:
            steps, common = self.words_shown(key, segment)
            if key == "f1":
                steps.append(Step("matches", (str(len(common)),), examples=common, meaning="words of both answers"))
        sums = (("HasAns", right, answerable), ("NoAns", abstained, total - answerable))
        steps += [
            Step(label, (part_of(n, whole),), meaning=f"the sum over {SIDES[label]}")
            for label, n, whole in sums
            if whole
        ]
        shown = [figure(n) for _, n, whole in sums if whole]
        of = f"({' + '.join(shown)})" if len(shown) > 1 else "".join(shown)
        value = float(self.metric.formula(rows)[key])
        return Derivation(
            title, (*steps, Step(title, (), f"{figure(self.metric.scores.top)} × {of} / {figure(total)}", value))
        )

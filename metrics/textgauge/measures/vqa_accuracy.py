"""VQA accuracy: how many people gave an answer about an image."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from ..accumulation.accumulator import accumulator_of
from ..accumulation.functions import one_call
from ..arrays import IntArray, Numbering, lengths_of
from ..checks import fail
from ..explanation.derivation import Derivation, Step, texts_as
from ..explanation.explainer import Explainer
from ..input.columns import Corpus
from ..metric import About, CountedNote, Explanation, Field, Layout, Metric, Notes, Rows, Score, Scores, TwoForms
from ..options import Options, option
from ..text.vqa_rules import prepared_for_textvqa, rewritten, tidied


@dataclass(frozen=True)
class VqaAccuracyOptions(Options):
    """The references of a question are the answers of people, ten in the data sets of VQA, TextVQA and VizWiz.

    An answer that k of the others give agrees with them by k / 3, at most 1: the score is the mean over all people,
    each of whom is left out once. With fewer than four people no answer scores 1.

    `rule` says whose figures these are:

    - "vqa": the script of the VQA challenge. Texts are rewritten (signs, number words, articles, contractions, case)
      only where people disagree: if all of them say "yes", the answer "Yes" scores 0;
    - "textvqa": MMF's for TextVQA, which rewrites all texts, after "," and "?" go and "'s" is cut off.

    References: Antol et al. (2015), VQA: Visual Question Answering; Singh et al. (2019), Towards VQA Models That Can
    Read, section 5.
    """

    rule: Literal["vqa", "textvqa"] = option("vqa", "Whose figures: see above.", on_page=True)
    rewrite_all: bool = option(
        False, "Rewrite texts where all people say the same, too, unlike the script of VQA.", on_page=True
    )

    def check(self) -> None:
        """Refuse to ask for what a rule does in any case."""
        if self.rewrite_all and self.rule == "textvqa":
            fail(ValueError, "rewrite_all", "its default with `rule='textvqa'`, which rewrites all texts", "True")


class VqaAccuracyMetric(Metric):
    """VQA accuracy (Antol et al. 2015).

    `statistics` has the fields ``said``, the people who give the answer, and ``people``, all of them, and
    ``accuracy``, the score of the segment: float64.

    Examples
    --------
    >>> people = ["red", "red", "red", "dark red", "Red."]
    >>> VqaAccuracy().update(["blue", "the red"], [["green"] * 5, people]).score()
    {'vqa_accuracy': 0.5}
    """

    name = "vqa_accuracy"
    options_type = VqaAccuracyOptions
    about = About("VQA accuracy", lambda _: _EXPLANATION)
    # Where people disagree no answer is perfect.
    scores = Scores(Score("vqa_accuracy", perfect=None))
    combine = "mean"
    layout = Layout([Field("said"), Field("people"), Field("accuracy", is_whole=False)], references="union")
    options: VqaAccuracyOptions

    def notes(self) -> Notes:
        """Return what looks for answers that the rule finds right, or wrong, by accident."""
        return Notes(
            _FewPeople(), _NothingLeft(), _NotRewritten(),
            unusual=lambda: (TwoForms(None, None, self.rewritten, is_whole=True),), reads_latin=False,
        )  # fmt: skip

    def rewritten(self, text: str) -> str:
        """Return a text as the rule rewrites it."""
        return rewritten(prepared_for_textvqa(text) if self.options.rule == "textvqa" else tidied(text))

    def compared(self, corpus: Corpus) -> _Compared:
        """Return the texts of a chunk as they are compared, each distinct text changed once."""
        numbering, first = Numbering(), corpus.reference_offsets[:-1]
        answers, people = (numbering.of(texts.tolist()) for texts in (corpus.hypotheses, corpus.references))
        segment_of = np.repeat(np.arange(len(corpus)), lengths_of(corpus.reference_offsets))
        texts, n_texts = [*numbering], len(numbering)
        is_rewritten, is_asked = np.ones(len(corpus), bool), np.ones(n_texts, bool)
        if self.options.rule == "vqa" and not self.options.rewrite_all:
            tidy = [*map(tidied, texts)]
            said = Numbering().of(tidy)[people]
            is_rewritten = np.logical_or.reduceat(said != said[first][segment_of], first)
            is_asked[:] = False
            is_asked[answers[is_rewritten]] = is_asked[people[is_rewritten[segment_of]]] = True
        else:
            tidy = texts
        changed = [self.rewritten(text) if asked else "" for text, asked in zip(texts, is_asked.tolist(), strict=True)]
        texts = [*tidy, *changed]
        answers, people = answers + n_texts * is_rewritten, people + n_texts * is_rewritten[segment_of]
        equal = Numbering().of(texts)
        return _Compared(texts, answers, people, equal[answers][segment_of] == equal[people], segment_of, is_rewritten)

    def rows(self, corpus: Corpus, notes: Notes) -> Rows:
        """Count the people who give the answer of each segment of a chunk."""
        compared = self.compared(corpus)
        agrees, segment_of = compared.agrees, compared.segment_of
        said = np.bincount(segment_of, agrees, len(corpus))
        # Added from first to last, as the scripts do.
        total = np.bincount(segment_of, np.minimum(1, (said[segment_of] - agrees) / 3), len(corpus))
        n_people = lengths_of(corpus.reference_offsets)
        notes.examine(corpus, (compared, said, self.rewritten))
        return self.layout.filled(len(corpus), said=said, people=n_people, accuracy=total / n_people)

    def formula(self, rows: Rows) -> dict[str, Any]:
        """Return the score of each segment, which is the mean over people."""
        return {"vqa_accuracy": rows["accuracy"] * 1.0}


class _Compared(NamedTuple):
    """The texts of a chunk as they are compared.

    Attributes
    ----------
    texts : list of str
    answers : int64, shape (n_segments,)
    people : int64, shape (n_references,)
        Their places in `texts`.
    agrees : bool, shape (n_references,)
        Who gives the answer.
    segment_of : int64, shape (n_references,)
    is_rewritten : bool, shape (n_segments,)
    """

    texts: list[str]
    answers: IntArray
    people: IntArray
    agrees: npt.NDArray[np.bool_]
    segment_of: IntArray
    is_rewritten: npt.NDArray[np.bool_]

    def at(self, places: IntArray) -> list[str]:
        """Return the texts of places."""
        return [self.texts[place] for place in places.tolist()]


class _FewPeople(CountedNote):
    about = "few people"

    def examine(self, corpus: Corpus, tokens: Any) -> None:
        said = tokens[1]
        self.tell(
            int(np.count_nonzero((said > 0) & (lengths_of(corpus.reference_offsets) < 4))),
            "[right answer scores|right answers score] less than 1, since fewer than 4 people were asked, each of whom "
            "is left out once: pass the answers of all people, or use `exact_match`.",
        )


class _NothingLeft(CountedNote):
    about = "nothing left"

    def examine(self, corpus: Corpus, tokens: Any) -> None:
        compared, said, _ = tokens
        right = np.flatnonzero((said > 0) & compared.is_rewritten)
        empty = right[[not text for text in compared.at(compared.answers[right])]].tolist()
        ends = corpus.reference_offsets.tolist()
        n = sum(corpus.hypotheses[i] not in [corpus.references[j] for j in range(ends[i], ends[i + 1])] for i in empty)
        self.tell(
            n, "[answer counts|answers count] as equal to another text, since the rule leaves nothing of either, as in "
            "the script: leave such segments out.",
        )  # fmt: skip


class _NotRewritten(CountedNote):
    about = "not rewritten"

    def examine(self, corpus: Corpus, tokens: Any) -> None:
        compared, said, rewritten = tokens
        are_several = lengths_of(corpus.reference_offsets) > 1
        wrong = np.flatnonzero((said == 0) & are_several & ~compared.is_rewritten)
        first = compared.people[corpus.reference_offsets[:-1][wrong]]
        pairs = zip(compared.at(compared.answers[wrong]), compared.at(first), strict=True)
        self.tell(
            sum(rewritten(answer) == rewritten(one) != "" for answer, one in pairs),
            "[answer scores|answers score] 0, though all people give the same one in another form, since the script of "
            "VQA rewrites texts only where people disagree: `rewrite_all=True` rewrites all.",
        )


_EXPLANATION: Explanation = Explanation(
    "VQA accuracy",
    "How many people gave this answer?",
    (
        "Answers are compared without signs, articles and case.",
        "Of all people but one, a third of those who give the answer is the agreement, at most 1; the score of a "
        "question is its mean over the people left out.",
        "The score on top is the mean over questions.",
    ),
    "A right answer in other words than those of people scores 0; with fewer than four people none can score 1.",
)
VqaAccuracy = accumulator_of(VqaAccuracyMetric)
vqa_accuracy = one_call(
    VqaAccuracy,
    """
>>> vqa_accuracy(["two"], [["2", "2", "2", "2", "3"]])
{'vqa_accuracy': 1.0}""".strip(),
)


class VqaAccuracyExplainer(Explainer, metric=VqaAccuracyMetric):
    """Explains the scores of `VqaAccuracyMetric`."""

    metric: VqaAccuracyMetric

    def derivation(self, key: str, rows: Rows, segment: Corpus | None) -> Derivation:
        """Show the texts that are compared, who gives the answer, and the mean over people."""
        if segment is None:
            return super().derivation(key, rows, segment)
        title, score = self.metric.about.title, float(self.metric.formula(rows)[key])
        compared = self.metric.compared(segment)
        sides = (("prediction", compared.answers), ("references", compared.people))
        steps = texts_as("as compared", ((name, compared.at(places)) for name, places in sides))
        said, n_people = int(compared.agrees.sum()), len(compared.people)
        steps.append(Step("give the answer", (f"{said} of {n_people}",), meaning="people"))
        shares = ["1" if n > 2 else f"{n}/3" for n in (max(said - 1, 0), said)]
        formula = f"({said} × {shares[0]} + {n_people - said} × {shares[1]}) / {n_people}" if said else "no one"
        return Derivation(title, (*steps, Step(title, formula=formula, value=score)))

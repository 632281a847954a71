"""CUAD: clauses that are found in contracts, several for a question, each right if it overlaps with an answer."""

from __future__ import annotations

import re
import string
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from ..accumulation.accumulator import accumulator_of
from ..accumulation.calls import one_call
from ..arrays import FloatArray
from ..checks import printable
from ..explanation.derivation import Derivation, Step
from ..explanation.explainer import Explainer
from ..input.columns import Corpus
from ..input.squad_rows import guess_corpus_of, guesses_of
from ..metric import About, Explanation, Field, Inputs, Layout, Line, Metric, Notes, Rows, Score, Scores, Summary, Sums
from ..sums import one_by_one, ratio

# In questions about these a longer guess that has the answer in it is right, too.
_PARTIES = "Parties"
_RECALLS = {"prec_at_80_recall": 0.8, "prec_at_90_recall": 0.9}
_NO_PUNCTUATION = dict.fromkeys(map(ord, string.punctuation))
# The letters of articles, punctuation, and white space.
_MAY_GO = {
    **dict.fromkeys(map(ord, "ahent")), **_NO_PUNCTUATION,
    **dict.fromkeys(code for code in range(0x3001) if chr(code).isspace()),
}  # fmt: skip
_ARTICLES = frozenset({"a", "an", "the"})
_ARTICLE = re.compile(r"\b(a|an|the)\b")


class CuadMetric(Metric):
    """F1 of clauses that are found in contracts (Hendrycks et al. 2021), as the script of CUAD has it, from 0 to 100.

    `update` takes rows as `Squad` does, whose ``prediction_text`` is a list of guesses; without rows a prediction is a
    guess or a list of them. `statistics` has the fields ``exact``, whether a guess equals an answer, ``found`` and
    ``missed``, the answers that some guess matches and the others, and ``wrong``, the guesses that match no answer.

    Examples
    --------
    >>> Cuad().update([["the buyer", "a seller"]], [["buyer", "the agent"]]).score()["f1"]
    50.0
    """

    name = "cuad"
    about = About(
        "CUAD", lambda key: _EXPLANATIONS.get(key, _EXPLANATIONS["f1"]), unit="clause",
        returns="``exact_match`` and ``f1``, from 0 to 100; ``aupr``, ``prec_at_80_recall`` and ``prec_at_90_recall``, "
        "from 0 to 1",
    )  # fmt: skip
    inputs = Inputs(read=guess_corpus_of, lists=True)
    scores = Scores(Score("exact_match", is_binary=True), Score("f1", "cuad"), scale=100.0)
    # The curve needs all questions.
    sums = Sums("whole", add=one_by_one)
    combine = "mean"
    layout = Layout([Field("exact"), Field("found"), Field("missed"), Field("wrong")], references="union")

    def rows(self, corpus: Corpus, notes: Notes) -> Rows:
        """Count the answers and guesses of the questions of a chunk."""
        notes.examine(corpus, corpus)
        questions = guesses_of(corpus)
        guesses, answers = questions.guesses.tolist(), questions.references.tolist()
        bounds = zip(
            pairwise(questions.guess_offsets.tolist()), pairwise(questions.reference_offsets.tolist()), strict=True
        )
        counted = [
            _counts(guesses[slice(*of_guesses)], [*filter(None, answers[slice(*of_answers)])], _PARTIES in identifier)
            for (of_guesses, of_answers), identifier in zip(bounds, questions.ids, strict=True)
        ]
        return self.layout.counted(np.array(counted, np.int64).reshape(-1, 4))

    def formula(self, rows: Rows) -> dict[str, Any]:
        """Return whether a guess is exact, and the harmonic mean of precision and recall."""
        precision, recall = precision_and_recall(rows)
        return {"exact_match": rows["exact"] * 1.0, "f1": ratio(2 * (precision * recall), precision + recall)}

    def result(self, accumulator: Any, reports: Any) -> dict[str, Any]:
        """Return the scores, with those of the curve if the questions are there, not only their sums."""
        result = super().result(accumulator, reports)
        return result if accumulator.n_summed else {**result, **_of_curve(accumulator.statistics)}

    def summary(self, result: Mapping[str, Any]) -> Summary:
        """Return the result as a table."""
        lines = [
            Line(self.about.explain(key).title, (result[key],), key, is_headline=key == "f1", full=100.0)
            for key in ("f1", "exact_match") if key in result
        ]  # fmt: skip
        curve = [f"{_LABELS[key]} {result[key]:.4f}" for key in _LABELS if key in result]
        return Summary(self.about.title, ("score",), lines, [*self.below(result), *curve])


def precision_and_recall(rows: Rows) -> tuple[FloatArray, FloatArray]:
    """Return precision and recall of questions; where nothing is to be found and nothing is guessed both are 1."""
    found, missed, wrong = (np.asarray(rows[name], np.float64) for name in ("found", "missed", "wrong"))
    is_nothing = found + missed + wrong == 0
    return tuple(np.where(is_nothing, 1.0, ratio(found, found + other)) for other in (wrong, missed))  # type: ignore[return-value]


def _of_curve(rows: Rows) -> dict[str, float]:
    """Return the area under the curve of precision over recall, and the precision from some recalls on."""
    precision, recall = precision_and_recall(rows)
    order = np.lexsort((precision, recall))
    recall = recall[order]
    best = np.maximum.accumulate(precision[order][::-1])[::-1]
    # As NumPy's trapezoids, which round so.
    area = float((np.diff(recall) * (best[1:] + best[:-1]) / 2.0).sum())
    firsts = {key: int(np.searchsorted(recall, least)) for key, least in _RECALLS.items()}
    at_recalls = {key: float(best[first]) if first < len(best) else 0.0 for key, first in firsts.items()}
    return {"aupr": area, **at_recalls}


def _counts(guesses: list[str], answers: list[str], contained_counts: bool) -> tuple[int, int, int, int]:
    """Return the numbers of a row for the guesses and the answers of a question."""
    if not guesses or not answers:
        return 0, 0, len(answers), len(guesses)
    # Each text once, however often it stands there.
    n_guesses, n_answers = Counter(guesses), Counter(answers)
    is_exact = not n_guesses.keys().isdisjoint(n_answers) or _has_equal(n_guesses, n_answers)
    right, found = _matching([*n_guesses], [*n_answers])
    if contained_counts:
        right |= {guess for guess in n_guesses if guess not in right and any(answer in guess for answer in n_answers)}
        found |= {answer for answer in n_answers if answer not in found and any(answer in guess for guess in n_guesses)}
    n_found = sum(n_answers[answer] for answer in found)
    n_right = sum(n_guesses[guess] for guess in right)
    return is_exact, n_found, len(answers) - n_found, len(guesses) - n_right


def _matching(guesses: Sequence[str], answers: Sequence[str]) -> tuple[set[str], set[str]]:
    """Return the guesses that match an answer, and the answers that a guess matches.

    Two texts match if at least half of the words of both are in both.
    """
    right, found = set(), set()
    words_of_guesses, words_of_answers = [*map(_words, guesses)], [*map(_words, answers)]
    candidates = _candidates(words_of_guesses, words_of_answers)
    for guess, words, likely in zip(guesses, words_of_guesses, candidates, strict=True):
        is_right = False
        for i in likely:
            answer, others = answers[i], words_of_answers[i]
            if is_right and answer in found:
                continue
            n_common = len(words & others)
            if 2 * n_common >= len(words) + len(others) - n_common:
                is_right = True
                found.add(answer)
        if is_right:
            right.add(guess)
    return right, found


# So many pairs are compared one by one.
_FEW_PAIRS = 100


def _candidates(guesses: Sequence[set[str]], answers: Sequence[set[str]]) -> Iterable[Iterable[int]]:
    """Return for every guess the answers that may match it.

    They have a word in common that is among the rarest of both: each has at least half of its words in common with
    the other, so that one of its rarest is common even if all that are not come before it.
    """
    if len(guesses) * len(answers) <= _FEW_PAIRS:
        return [range(len(answers))] * len(guesses)
    frequencies = Counter(word for side in (guesses, answers) for words in side for word in words)

    def rarest(words: set[str]) -> list[str]:
        return sorted(words, key=lambda word: (frequencies[word], word))[: len(words) // 2 + 1]

    with_word: dict[str, list[int]] = defaultdict(list)
    for i, words in enumerate(answers):
        for word in rarest(words):
            with_word[word].append(i)
    return (dict.fromkeys(i for word in rarest(words) for i in with_word.get(word, ())) for words in guesses)


def _has_equal(guesses: Iterable[str], answers: Iterable[str]) -> bool:
    """Return whether a guess equals an answer as the script of SQuAD compares texts."""
    # What is left of a text without all that may be ignored tells most of them apart.
    known = {answer.lower().translate(_MAY_GO) for answer in answers}
    alike = [guess for guess in guesses if guess.lower().translate(_MAY_GO) in known]
    return bool(alike) and not {*map(_normalized, alike)}.isdisjoint(map(_normalized, answers))


def _words(text: str) -> set[str]:
    """Return the words of a text as the script cuts them: at single spaces, so that the empty word is one."""
    for mark in ".,;:":
        text = text.replace(mark, "")
    return {*text.lower().replace("/", " ").split(" ")}


def _normalized(text: str) -> str:
    """Return a text without case, punctuation and articles, as the script of SQuAD compares it."""
    text = text.lower().translate(_NO_PUNCTUATION)
    words = text.split()
    if not "".join(words).isalnum():
        # Other characters part an article from a word, too.
        words = _ARTICLE.sub(" ", text).split()
    return " ".join([word for word in words if word not in _ARTICLES])


_LABELS = {
    "aupr": "area under precision over recall", "prec_at_80_recall": "precision at a recall of 80 %",
    "prec_at_90_recall": "precision at a recall of 90 %",
}  # fmt: skip
_MATCH = "A guess matches an answer if at least half of the words of both are in both."
_CAUTION = (
    "A guess that misses the words that matter matches as well as another, and most questions about a contract have no "
    "answer."
)
_EXPLANATIONS = {
    "f1": Explanation(
        "F1", "Which of the clauses were found, and how many of the guesses are right?",
        (
            _MATCH + " In questions about the parties one that has the answer in it matches, too.",
            "Precision is the share of answers found among these and the wrong guesses, recall their share of all "
            "answers; F1 is their harmonic mean, and the score the mean over questions.",
            "Without a guess and without an answer it is 1, with one of both alone 0.",
        ),
        _CAUTION,
    ),
    "exact_match": Explanation(
        "exact match", "Is one of the guesses an answer, word for word?",
        (
            "Case, punctuation and the articles a, an and the are ignored.",
            "The score is the share of questions; one without an answer counts 0.",
        ),
        "An answer that is cut at another word does not count.",
    ),
}  # fmt: skip
Cuad = accumulator_of(CuadMetric)
cuad = one_call(Cuad)


class CuadExplainer(Explainer, metric=CuadMetric):
    """Explains the scores of `CuadMetric`."""

    metric: CuadMetric

    def derivation(self, key: str, rows: Rows, segment: Corpus | None) -> Derivation:
        """Show what was found, missed and guessed wrong, with precision and recall of a question."""
        if segment is None:
            return super().derivation(key, rows, segment)
        title = self.metric.about.explain(key).title
        score = 100.0 * float(np.asarray(self.metric.formula(rows)[key]).reshape(-1)[0])
        if key == "exact_match":
            return Derivation(title, (Step(title, value=score, meaning="100 if a guess is an answer"),))
        found, missed, wrong = (int(rows[name].sum()) for name in ("found", "missed", "wrong"))
        questions = guesses_of(segment)
        sides = (("guesses", questions.guesses.tolist()), ("answers", [*filter(None, segment.references.tolist())]))
        steps = [
            Step(name, (str(len(texts)),), examples=tuple(map(printable, texts)), n_examples=len(texts))
            for name, texts in sides
        ]
        if found + missed + wrong == 0:
            return Derivation(title, (*steps, Step(title, value=score, meaning="nothing to be found, and no guess")))
        precision, recall = (float(side.reshape(-1)[0]) for side in map(np.asarray, precision_and_recall(rows)))
        steps.append(Step("precision", formula=f"{found} / ({found} + {wrong})", value=precision,
                          meaning="answers found, and guesses that match none"))  # fmt: skip
        steps.append(Step("recall", formula=f"{found} / ({found} + {missed})", value=recall,
                          meaning="answers found, and answers that no guess matches"))  # fmt: skip
        return Derivation(
            title, (*steps, Step(title, formula="100 × 2 × precision × recall / (precision + recall)", value=score))
        )

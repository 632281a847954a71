"""CUAD: clauses that are found in contracts, several for a question, each right if it overlaps with an answer."""

from __future__ import annotations

import re
import string
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import compress, pairwise
from typing import Any, NamedTuple

import numpy as np

from .. import engine
from ..accumulation.accumulator import accumulator_of
from ..accumulation.functions import one_call
from ..arrays import FloatArray, IntArray, lengths_of, offsets_of
from ..checks import printable
from ..explanation.derivation import Derivation, Step
from ..explanation.explainer import Explainer
from ..input.columns import Corpus, known_texts
from ..input.squad_rows import guess_corpus_of, guesses_of
from ..metric import About, Explanation, Field, Inputs, Layout, Line, Metric, Notes, Rows, Score, Scores, Summary, Sums
from ..sums import one_by_one, ratio
from ..text import TOKENIZERS

# In questions about these a longer guess that has the answer in it is right, too.
_PARTIES = "Parties"
_RECALLS = {"prec_at_80_recall": 0.8, "prec_at_90_recall": 0.9}
_NO_PUNCTUATION = dict.fromkeys(map(ord, string.punctuation))
# The letters of articles, punctuation, and white space.
_MAY_GO = {
    **dict.fromkeys(map(ord, "ahent")), **_NO_PUNCTUATION,
    **dict.fromkeys(code for code in range(0x3001) if chr(code).isspace()),
}  # fmt: skip
_OTHER_SPACES = [chr(code) for code in range(0x3001) if chr(code).isspace() and chr(code) != " "]
_WORDS = TOKENIZERS["whitespace"]
_MAY_GO_IN_ASCII = bytes(code for code in range(128) if ord(chr(code).lower()) in _MAY_GO)
_LOWER = bytes(range(256)).lower()
_CLEANED = _LOWER.replace(b"/", b" ")
# No word has it, and no letter beside it changes its lower case.
_BETWEEN = "\0"
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
    inputs = Inputs(read=guess_corpus_of, takes_lists=True)
    scores = Scores(Score("exact_match", is_binary=True), Score("f1", "cuad"), scale=100.0)
    # The curve needs all questions.
    sums = Sums("whole", add=one_by_one)
    combine = "mean"
    layout = Layout([Field("exact"), Field("found"), Field("missed"), Field("wrong")], references="union")

    def rows(self, corpus: Corpus, notes: Notes) -> Rows:
        """Count the answers and guesses of the questions of a chunk."""
        notes.examine(corpus, corpus)
        questions = guesses_of(corpus)
        n_questions, bounds = len(questions), (questions.guess_offsets, questions.reference_offsets)
        guesses, answers = (_Prepared.of(texts.tolist()) for texts in (questions.guesses, questions.references))
        of_guess, of_answer = (np.repeat(np.arange(n_questions), lengths_of(offsets)) for offsets in bounds)
        # An answer without text is none.
        is_answer = np.array([*map(bool, answers.texts)], bool)
        right, found = _matches(guesses, answers, *bounds, corpus.n_threads)
        exact = np.zeros(n_questions, np.int64)
        for i, ends in enumerate(zip(*(pairwise(offsets.tolist()) for offsets in bounds), strict=True)):
            sides = guesses.slice(*ends[0]), answers.slice(*ends[1])
            exact[i] = _has_equal(*sides)
            if _PARTIES in questions.ids[i]:
                holders, held = _contained(*(side.texts for side in sides))
                right[slice(*ends[0])] |= holders
                found[slice(*ends[1])] |= held
        found &= is_answer
        n_found, n_missed, n_wrong = (
            np.bincount(places, minlength=n_questions)
            for places in (of_answer[found], of_answer[is_answer & ~found], of_guess[~right])
        )
        return self.layout.filled(n_questions, exact=exact, found=n_found, missed=n_missed, wrong=n_wrong)

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


class _Prepared(NamedTuple):
    """Texts, what is cut into words of each, and what is left without all that exact match may ignore."""

    texts: list[str]
    cleaned: list[str]
    keys: list[str]

    @classmethod
    def of(cls, texts: list[str]) -> _Prepared:
        """Prepare all texts together, which takes a fraction of the time."""
        joined = _BETWEEN.join(texts)
        if joined.isascii() and joined.count(_BETWEEN) == len(texts) - 1:
            # The same by tables of bytes.
            encoded = joined.encode()
            cleaned = encoded.translate(_CLEANED, b".,;:").decode().split(_BETWEEN)
            return cls(texts, cleaned, encoded.translate(_LOWER, _MAY_GO_IN_ASCII).decode().split(_BETWEEN))
        return cls(texts, _of_each(_cleaned, texts), [*map(_key, texts)])

    def slice(self, start: int, stop: int) -> _Prepared:
        """Return the texts of a question."""
        return _Prepared(self.texts[start:stop], self.cleaned[start:stop], self.keys[start:stop])


def _of_each(change: Callable[[str], str], texts: list[str]) -> list[str]:
    """Return all texts changed."""
    changed = change(_BETWEEN.join(texts)).split(_BETWEEN)
    return changed if len(changed) == len(texts) else [*map(change, texts)]


def _has_equal(guesses: _Prepared, answers: _Prepared) -> bool:
    """Return whether a guess equals an answer."""
    if {*guesses.keys}.isdisjoint(answers.keys):
        return False
    if not {*filter(None, guesses.texts)}.isdisjoint(answers.texts):
        return True
    return not {*map(_normalized, guesses.texts)}.isdisjoint(_normalized(text) for text in answers.texts if text)


def _contained(guesses: list[str], answers: list[str]) -> tuple[Any, Any]:
    """Return whether each guess has an answer in it, and whether each answer is in a guess: bool."""
    # Each text once, however often it stands there.
    of_guesses, of_answers = {*guesses}, {*answers} - {""}
    holders = {guess for guess in of_guesses if any(answer in guess for answer in of_answers)}
    held = {answer for answer in of_answers if any(answer in guess for guess in of_guesses)}
    return np.array([guess in holders for guess in guesses], bool), np.array([one in held for one in answers], bool)


def _matches(
    guesses: _Prepared, answers: _Prepared, guess_offsets: IntArray, answer_offsets: IntArray, n_threads: int
) -> tuple[Any, Any]:
    """Return whether each guess matches an answer of its question, and whether a guess matches each answer: bool.

    Two texts match if at least half of the words of both are in both. Words are cut at single spaces, so that the empty
    word is one.
    """
    right, found = np.zeros(len(guesses.texts), bool), np.zeros(len(answers.texts), bool)
    n_guesses, n_answers = lengths_of(guess_offsets), lengths_of(answer_offsets)
    is_small = n_guesses * n_answers <= _FEW_PAIRS
    chosen = np.flatnonzero(np.repeat(is_small, n_guesses))
    question_of = np.repeat(np.arange(len(n_guesses)), n_guesses)[chosen]
    offsets = offsets_of(n_answers[question_of])
    of_pair = np.arange(offsets[-1]) + np.repeat(answer_offsets[question_of] - offsets[:-1], n_answers[question_of])
    if len(chosen):
        left, others = (known_texts(_of_each(_escaped, side.cleaned)) for side in (guesses, answers))
        tokens = _WORDS.cut(Corpus(left.take(chosen), others.take(of_pair), offsets))
        counts = np.asarray(engine.kernel.bag_matches(tokens, as_sets=True, n_threads=n_threads)).reshape(-1, 4)
        # The kernel's words are not empty.
        has_empty = [np.array([*map(_has_empty_word, side.cleaned)], bool) for side in (guesses, answers)]
        of_left, of_others = np.repeat(has_empty[0][chosen], np.diff(offsets)), has_empty[1][of_pair]
        n_common, n_words = counts[:, 0] + (of_left & of_others), counts[:, 1] + counts[:, 2] + of_left + of_others
        has_text = np.array([*map(bool, answers.texts)], bool)
        is_match = (3 * n_common >= n_words) & has_text[of_pair]
        right[np.repeat(chosen, n_answers[question_of])[is_match]] = True
        found[of_pair[is_match]] = True
    for i in np.flatnonzero(~is_small).tolist():
        of_guesses, of_answers = slice(*guess_offsets[i : i + 2]), slice(*answer_offsets[i : i + 2])
        with_text = np.array([*map(bool, answers.texts[of_answers])], bool)
        of_question = [*compress(answers.cleaned[of_answers], with_text.tolist())]
        right[of_guesses], found[of_answers][with_text] = _matching(guesses.cleaned[of_guesses], of_question)
    return right, found


def _matching(guesses: list[str], answers: list[str]) -> tuple[list[bool], list[bool]]:
    """Return `_matches` of one question with many pairs."""
    right, found = [False] * len(guesses), [False] * len(answers)
    of_guesses, of_answers = ([{*text.split(" ")} for text in side] for side in (guesses, answers))
    candidates = _candidates(of_guesses, of_answers)
    for i, (words, likely) in enumerate(zip(of_guesses, candidates, strict=True)):
        for j in likely:
            if not (right[i] and found[j]) and 3 * len(words & of_answers[j]) >= len(words) + len(of_answers[j]):
                right[i] = found[j] = True
    return right, found


# So many pairs are compared one by one.
_FEW_PAIRS = 100


def _candidates(guesses: Sequence[set[str]], answers: Sequence[set[str]]) -> Iterable[Iterable[int]]:
    """Return for every guess the answers that may match it.

    They have a word in common that is among the rarest of both: each has at least half of its words in common with
    the other, so that one of its rarest is common even if all that are not come before it.
    """
    frequencies = Counter(word for side in (guesses, answers) for words in side for word in words)

    def rarest(words: set[str]) -> list[str]:
        return sorted(words, key=lambda word: (frequencies[word], word))[: len(words) // 2 + 1]

    with_word: dict[str, list[int]] = defaultdict(list)
    for i, words in enumerate(answers):
        for word in rarest(words):
            with_word[word].append(i)
    return (dict.fromkeys(i for word in rarest(words) for i in with_word.get(word, ())) for words in guesses)


def _cleaned(text: str) -> str:
    """Return a text as the script of CUAD cuts it into words, at spaces."""
    for mark in ".,;:":
        text = text.replace(mark, "")
    return text.lower().replace("/", " ")


def _escaped(text: str) -> str:
    """Return a text without other white space than spaces, in other words, so that the same ones are equal."""
    text = text.replace("\1", "\1\1")
    for i, space in enumerate(_OTHER_SPACES):
        text = text.replace(space, f"\1{i}.")
    return text


def _has_empty_word(text: str) -> bool:
    return not text or text[0] == " " or text[-1] == " " or "  " in text


def _key(text: str) -> str:
    return text.lower().translate(_MAY_GO)


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
_EXPLANATIONS: dict[str, Explanation] = {
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

"""Scores in plain words, for people who see one for the first time."""

from __future__ import annotations

from typing import NamedTuple

from ..scores.rouge_types import order_of


class Wording(NamedTuple):
    """What the page says about a score.

    Attributes
    ----------
    title : str
    question : str
        What the score answers, in one sentence.
    steps : tuple of str
        How it comes about.
    caution : str
        What to keep in mind.
    """

    title: str
    question: str
    steps: tuple[str, ...]
    caution: str


_F = (
    "F balances the two (the harmonic mean, unless beta gives recall another weight) and is the score of a segment; "
    "the score on top is the mean over segments."
)
_CAUTION_ROUGE = (
    "The score knows words, not meaning: a good paraphrase scores low, and a fluent falsehood that "
    "shares its words with the reference scores high. Read the worst segments before trusting the number."
)


def wording_of(key: str) -> Wording:
    """Return the words for a score.

    Examples
    --------
    >>> wording_of("rougeL").title
    'ROUGE-L'
    """
    if key == "bleu":
        return _BLEU
    if key == "exact_match":
        return _EXACT_MATCH
    if key == "f1":
        return _TOKEN_F1
    return _common(key) if key.startswith(("rougeL", "rougeW")) else _ngrams(order_of(key), key)


_BLEU = Wording(
    "BLEU",
    "How much of the predictions, in runs of one to several words, also stands in the references?",
    (
        "Precision of each order: the share of the predictions' word sequences of that length that "
        "also stand in a reference, each at most as often as there.",
        "The brevity penalty lowers the score if the predictions are shorter than the references.",
        "BLEU is the geometric mean of the precisions times that penalty. Counts are pooled over all "
        "segments first, so the score on top is not the mean of the segment scores.",
    ),
    "Without smoothing, the BLEU of a single segment is 0 as soon as one order has no match at all, however good "
    "the rest is; it sorts segments, it does not grade them.",
)
_CAUTION_ANSWERS = (
    "Only the words count: a right answer in other words scores 0, and a long answer that happens to "
    "contain the reference loses precision only."
)
_EXACT_MATCH = Wording(
    "Exact match",
    "How many answers are exactly a reference answer?",
    ("Both answers are normalized; the segment scores 1 if they are then equal, else 0.",),
    "One word too many, or the same answer in other words, scores 0 like a wrong answer.",
)
_TOKEN_F1 = Wording(
    "Token F1",
    "How many words do an answer and its reference share?",
    (
        "Both answers are normalized and cut into words; those in both match, each as often as both have it.",
        "Precision is the matching share of the answer, recall the matching share of the reference.",
        _F,
    ),
    _CAUTION_ANSWERS,
)


def _common(key: str) -> Wording:
    union = ", sentence by sentence" if key == "rougeLsum" else ""
    return Wording(
        "ROUGE-" + key.removeprefix("rouge"),
        "How long is the longest series of words that both texts have in the same order, gaps allowed?",
        (
            f"The longest common subsequence is found between prediction and reference{union}; it is underlined.",
            "Precision is its share of the prediction, recall its share of the reference.",
            _F,
        ),
        _CAUTION_ROUGE,
    )


def _ngrams(order: int, key: str) -> Wording:
    name = {0: "words", 1: "single words", 2: "pairs of neighbouring words"}.get(order, f"runs of {order} words")
    return Wording(
        f"ROUGE-{order}" if order else key,
        f"How many {name} do prediction and reference share?",
        (
            f"Both texts are cut into {name}; those in both match, each as often as both have it.",
            "Precision is the matching share of the prediction, recall the matching share of the reference.",
            _F,
        ),
        _CAUTION_ROUGE,
    )

"""Scores in plain words, for people who see one for the first time."""

from __future__ import annotations

from typing import NamedTuple

from ..scores.rouge import order_of


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


_F = "F is their balance (the harmonic mean) and the score of a segment; the score on top is the mean over segments."
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
        return Wording(
            "BLEU",
            "How much of the predictions, in runs of one to several words, also stands in the references?",
            (
                "Precision of each order: the share of the predictions' word sequences of that length that "
                "also stand in a reference, each at most as often as there.",
                "The brevity penalty lowers the score if the predictions are shorter than the references.",
                "BLEU is the geometric mean of the precisions times that penalty. Counts are pooled over all "
                "segments first, so the score on top is not the mean of the segment scores.",
            ),
            "The BLEU of a single segment is 0 as soon as one order has no match at all, however good the "
            "rest is; it sorts segments, it does not grade them.",
        )
    if key.startswith("rougeL"):
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
    order = order_of(key)
    name = {0: "words", 1: "single words", 2: "pairs of neighbouring words"}.get(order, f"runs of {order} words")
    title = f"ROUGE-{order}" if order else key
    return Wording(
        title,
        f"How many {name} do prediction and reference share?",
        (
            f"Both texts are cut into {name}; those in both match, each as often as both have it.",
            "Precision is the matching share of the prediction, recall the matching share of the reference.",
            _F,
        ),
        _CAUTION_ROUGE,
    )

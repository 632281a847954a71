"""What a reader of scores is told about a metric, in words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple


class Explanation(NamedTuple):
    """A score in plain words.

    Attributes
    ----------
    title : str
    question : str
        The question that the score answers.
    steps : tuple of str
        How it is computed.
    caution : str
        Its main limitation.
    """

    title: str
    question: str
    steps: tuple[str, ...]
    caution: str


@dataclass(frozen=True)
class About:
    """What a reader of scores is told about a metric.

    Attributes
    ----------
    title : str
    explain : callable
        Explains the score of a key in plain words.
    returns : str
        The keys of a result, for docstrings; empty: the name of the metric.
    form : str
        Qualifier in lists of metrics, such as "corpus"; empty if there is a single form.
    unit : str
        What it counts, as in "5 of 6 tokens".
    sample : str
        The part of `textgauge.sample` to show it with.
    segments : str
        How the sentence form of the metric, see `Metric.sentence_form`, differs; empty: not.
    """

    title: str
    explain: Callable[[str], Explanation]
    returns: str = ""
    form: str = ""
    unit: str = "token"
    sample: str = "translations"
    segments: str = ""

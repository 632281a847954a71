"""A small sample of generated text of varied quality with references, written for this package."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import TypedDict

from ..checks import one_of

PARTS = ("translations", "summaries")
# What needs an extra, and so is not in the demo.
OTHERS = ("tables",)


class Segment(TypedDict, total=False):
    """A generated text and its references, and what it translates if it is a translation."""

    source: str
    prediction: str
    reference: list[str]


def segments(part: str) -> list[Segment]:
    r"""Return the segments of "translations" (1 to 3 references) or "summaries" (1 or 2), or tables as HTML.

    A summary has one sentence per line.

    Examples
    --------
    >>> segments("translations")[3]["prediction"]
    'The committee will decide on the budget next Thursday.'
    """
    one_of("part", part, (*PARTS, *OTHERS))
    data: dict[str, list[Segment]] = json.loads(files(__package__).joinpath("sample.json").read_text("utf-8"))
    return data[part]


def columns(part: str) -> tuple[list[str], list[list[str]]]:
    """Return predictions and references, the input of every metric.

    Examples
    --------
    >>> predictions, references = columns("summaries")
    >>> len(predictions), len(references)
    (10, 10)
    """
    rows = segments(part)
    return [row["prediction"] for row in rows], [row["reference"] for row in rows]


def sources(part: str) -> list[str]:
    """Return what the predictions translate; nothing of a part without translations.

    Examples
    --------
    >>> sources("translations")[4]
    'Sie hat ihre Schlüssel im Zug vergessen und muss draußen warten.'
    """
    return [row["source"] for row in segments(part) if "source" in row]

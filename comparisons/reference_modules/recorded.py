"""Figures of the reference modules that were written down once, for where the Hub is out of reach."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .agreement import Agreement, agreement
from .corpora import Corpus
from .tools import Function, Scores

FOLDER = Path(__file__).parents[2] / "tests" / "data"
FILES = {"bleu": FOLDER / "reference_bleu.json.gz", "rouge": FOLDER / "reference_rouge.json.gz"}


@dataclass(frozen=True)
class Case:
    """One recorded call: our call with the same meaning, its texts, and the figures."""

    ours: Function
    corpus: Corpus
    figures: Scores


def cases(path: Path) -> Iterator[Case]:
    """Read a recording of the `bleu` or the `rouge` module.

    Its `predictions` and `references` stand once, its `cases` (bleu), `per_segment` and
    `aggregated` (rouge) say which of them, which options and which result. Cases that the
    reference module refused with an exception have no figures and are left out.
    """
    data = json.loads(gzip.decompress(path.read_bytes()))
    for case in [*data.get("cases", ()), *data.get("per_segment", ()), *data.get("aggregated", ())]:
        if "result" in case:
            segments = case.get("segments", range(len(data["predictions"])))
            references = [data["references"][i] for i in segments]
            if case["references"] == "first":
                references = [texts[:1] for texts in references]
            corpus = Corpus("recorded", [data["predictions"][i] for i in segments], references)
            yield Case(_call(case), corpus, _scores(case["result"]))


def compared(path: Path) -> tuple[Agreement, int]:
    """Return the largest difference of all cases of a recording, and how many there are."""
    found = []
    for case in cases(path):
        ours = case.ours.read(case.ours.prepare(case.corpus)())
        found.append(agreement(ours, case.figures))
    worst = max(found, key=lambda each: each.difference)
    return Agreement(worst.difference, worst.where, sum(each.n_figures for each in found)), len(found)


def _call(case: dict[str, Any]) -> Function:
    if "max_order" in case:
        return Function("bleu", **{key: case[key] for key in ("tokenizer", "max_order", "smooth")})
    aggregated = {"aggregator": "bootstrap", "seed": case["seed"]} if "seed" in case else {"use_aggregator": False}
    tokenizer = None if case["tokenizer"] == "default" else case["tokenizer"]
    return Function(
        "rouge", rouge_types=list(case["result"]), use_stemmer=case["use_stemmer"], tokenizer=tokenizer, **aggregated
    )


def _scores(result: dict[str, Any]) -> Scores:
    return {key: value if isinstance(value, list) else [value] for key, value in result.items()}

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
from .tools import Function, Scores, Squad

FOLDER = Path(__file__).parents[2] / "tests" / "data"
FILES = {
    "bleu": FOLDER / "reference_bleu.json.gz",
    "rouge": FOLDER / "reference_rouge.json.gz",
    "squad": FOLDER / "token_f1.json",
}
TITLES = {"bleu": "BLEU", "rouge": "ROUGE", "squad": "token F1"}


@dataclass(frozen=True)
class Case:
    """One recorded call: our call with the same meaning, its texts, and the figures."""

    ours: Function
    corpus: Corpus
    figures: Scores


def cases(path: Path) -> Iterator[Case]:
    """Read a recording of the `bleu`, `rouge` or `squad` module.

    For bleu and rouge `predictions` and `references` stand once; `cases` (bleu), `per_segment`
    and `aggregated` (rouge) say which of them, which options and which result. Calls that the
    reference module refused with an exception have no figures and are left out. For squad
    every case has its own `prediction` and `references`, and the result, 0 to 100, in `squad`.
    """
    read = path.read_bytes()
    data = json.loads(gzip.decompress(read) if path.suffix == ".gz" else read)
    if "predictions" not in data:
        for case in data["cases"]:
            corpus = Corpus("recorded", [case["prediction"]], [case["references"]])
            yield Case(Function("token_f1"), corpus, Squad().read(case["squad"]))
        return
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

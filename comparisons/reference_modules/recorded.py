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
    "bleu": FOLDER / "bleu.json",
    "rouge": FOLDER / "rouge.json",
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
    """Read a recording of the `bleu`, `rouge` or `squad` module, gzipped or not.

    The cases of bleu and rouge (`per_segment`, `aggregated`) say which segments of
    `predictions` and `references`, which options and which result; the texts stand in the file
    or in `texts.json` beside it. Calls that the reference module refused with an exception have
    no figures and are left out. A case of squad has its own texts, and its result, 0 to 100.
    """
    data = _json(path)
    data = {"cases": data} if isinstance(data, list) else data
    own_texts = [case for case in data.get("cases", ()) if "squad" in case]
    for case in own_texts:
        corpus = Corpus("recorded", [case["prediction"]], [case["references"]])
        yield Case(Function("token_f1"), corpus, Squad().read(case["squad"]))
    if own_texts:
        return
    texts = data if "predictions" in data else _json(path.parent / "texts.json")
    for kind in ("cases", "per_segment", "aggregated"):
        common = None if kind == "aggregated" else data.get("segments")
        for case in data.get(kind, ()):
            if "result" in case:
                corpus = _texts(texts, case.get("segments", common), first=case["references"] == "first")
                yield Case(_call(case), corpus, _scores(case["result"]))


def _json(path: Path) -> Any:
    read = path.read_bytes()
    return json.loads(gzip.decompress(read) if path.suffix == ".gz" else read)


def _texts(texts: dict[str, Any], segments: list[int] | None, *, first: bool) -> Corpus:
    rows = range(len(texts["predictions"])) if segments is None else segments
    references = [texts["references"][i][: 1 if first else None] for i in rows]
    return Corpus("recorded", [texts["predictions"][i] for i in rows], references)


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
    # The reference module leaves stemming to a tokenizer that it is given; here both are refused.
    stems = case["use_stemmer"] and tokenizer is None
    return Function("rouge", rouge_types=list(case["result"]), use_stemmer=stems, tokenizer=tokenizer, **aggregated)


def _scores(result: dict[str, Any]) -> Scores:
    return {key: value if isinstance(value, list) else [value] for key, value in result.items()}

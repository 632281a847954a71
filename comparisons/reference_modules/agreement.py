"""The agreement of two tools in decimals; recorded figures of the reference modules."""

from __future__ import annotations

import gzip
import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .texts import Corpus
from .tool import TESTS, Scores, Tool, ours, percentages

# Recordings for use without the Hub, and their titles.
FILES = {
    "bleu": TESTS / "data" / "bleu.json",
    "rouge": TESTS / "data" / "rouge.json",
    "squad": TESTS / "data" / "token_f1.json",
}
TITLES = {"bleu": "BLEU", "rouge": "ROUGE", "squad": "token F1"}
# Our call, its texts, and the recorded figures.
Case = tuple[Tool, Corpus, Scores]


def agreement(our: Scores, their: Scores) -> dict[str, Any]:
    """Compare every figure of theirs with ours of the same name.

    Returns
    -------
    dict
        `difference`: the largest absolute one, infinite where one of two figures is not a number;
        `where`: the figure that has it ("rouge1[17]" is that of segment 17); `decimals`: the largest
        d for which it is at most half a unit of decimal d, None if it is 0; `figures`: how many
        were compared.

    Raises
    ------
    ValueError
        If one of their figures has no counterpart among ours, or the numbers of values differ.
    """
    difference, where = -1.0, ""
    for name, values in their.items():
        if len(our.get(name, ())) != len(values):
            raise ValueError(f"{name}: expected {len(values)} figures of ours, got {len(our.get(name, ()))}")
        for i, (left, right) in enumerate(zip(our[name], values, strict=True)):
            apart = math.inf if math.isnan(left - right) else abs(left - right)
            if apart > difference:
                difference, where = apart, f"{name}[{i}]" if len(values) > 1 else name
    if not where:
        raise ValueError("theirs: expected at least one figure, got none")
    decimals = None if difference == 0 else 0
    if 0 < difference < math.inf:
        decimals = max(0, math.floor(-math.log10(2 * difference)))
    return {"difference": difference, "where": where, "decimals": decimals, "figures": sum(map(len, their.values()))}


def cases(path: Path) -> Iterator[Case]:
    """Read a recording of the `bleu`, `rouge` or `squad` module, gzipped or not.

    The cases of bleu and rouge (`per_segment`, `aggregated`) say which segments of
    `predictions` and `references`, which options and which result; the texts are in the file
    or in `texts.json` beside it. Calls that the reference module refused with an exception have
    no figures and are left out. A case of squad has its own texts, and its result, 0 to 100.
    """
    data = _json(path)
    data = {"cases": data} if isinstance(data, list) else data
    own_texts = [case for case in data.get("cases", ()) if "squad" in case]
    for case in own_texts:
        corpus = Corpus("recorded", [case["prediction"]], [case["references"]])
        yield ours("token_f1"), corpus, percentages(case["squad"])
    if own_texts:
        return
    texts = data if "predictions" in data else _json(path.parent / "texts.json")
    for kind in ("cases", "per_segment", "aggregated"):
        common = None if kind == "aggregated" else data.get("segments")
        for case in data.get(kind, ()):
            if "result" in case:
                corpus = _texts(texts, case.get("segments", common), first=case["references"] == "first")
                yield _call(case), corpus, _scores(case["result"])


def _json(path: Path) -> Any:
    read = path.read_bytes()
    return json.loads(gzip.decompress(read) if path.suffix == ".gz" else read)


def _texts(texts: dict[str, Any], segments: list[int] | None, *, first: bool) -> Corpus:
    rows = range(len(texts["predictions"])) if segments is None else segments
    references = [texts["references"][i][: 1 if first else None] for i in rows]
    return Corpus("recorded", [texts["predictions"][i] for i in rows], references)


def compared(path: Path) -> dict[str, Any]:
    """Return the worst agreement of all cases of a recording, the number of figures, and the number of `cases`."""
    found = []
    for tool, corpus, figures in cases(path):
        call, read = tool.prepare(corpus)
        found.append(agreement(read(call()), figures))
    worst = max(found, key=lambda each: each["difference"])
    return {**worst, "figures": sum(each["figures"] for each in found), "cases": len(found)}


def _call(case: dict[str, Any]) -> Tool:
    if "max_order" in case:
        return ours("bleu", **{key: case[key] for key in ("tokenizer", "max_order", "smooth")})
    aggregated = {"aggregator": "bootstrap", "seed": case["seed"]} if "seed" in case else {"use_aggregator": False}
    tokenizer = None if case["tokenizer"] == "default" else case["tokenizer"]
    # The reference module does not stem with a given tokenizer; we refuse the combination.
    stems = case["use_stemmer"] and tokenizer is None
    return ours("rouge", rouge_types=tuple(case["result"]), use_stemmer=stems, tokenizer=tokenizer, **aggregated)


def _scores(result: dict[str, Any]) -> Scores:
    return {key: value if isinstance(value, list) else [value] for key, value in result.items()}

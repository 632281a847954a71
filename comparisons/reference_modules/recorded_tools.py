"""Figures of the reference modules that lie in tests/data, and our calls with the same texts and options."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .texts import Corpus, Unavailable, lines_of
from .tool import TESTS, Prepared, Scores, Tool, figures, ours, percentages

FILES = {"bleu": "bleu.json", "rouge": "rouge.json", "squad": "token_f1.json"}
# Our call, its texts, and the recorded figures.
Case = tuple[Tool, Corpus, Scores]


def recorded(_: Corpus, module: str, folder: Path) -> Prepared:
    """Return the figures of all recorded calls."""
    every = [their for _, _, their in cases(module, folder)]
    return lambda: every, _numbered


def our_calls(_: Corpus, module: str, folder: Path) -> Prepared:
    """Make the recorded calls again, with textgauge."""
    calls = [tool.prepare(corpus)[0] for tool, corpus, _ in cases(module, folder)]
    return lambda: [figures(call()) for call in calls], _numbered


def _numbered(results: list[Scores]) -> Scores:
    return {f"call {i}: {name}": values for i, result in enumerate(results) for name, values in result.items()}


def cases(module: str, folder: Path) -> Iterator[Case]:
    """Read the recording of a module from a folder like tests/data, whose README describes it.

    Calls that the reference module refused with an exception have no figures and are left out.
    """
    data, texts = (_json(folder / name) for name in (FILES[module], "texts.json"))
    if module == "squad":
        for case in data["cases"]:
            corpus = Corpus("recorded", [case["prediction"]], [case["references"]])
            yield ours("token_f1"), corpus, percentages(case["squad"])
        return
    for case in data if module == "bleu" else [*data["per_segment"], *data["aggregated"]]:
        if "result" in case:
            segments = case.get("segments") if module == "bleu" or "seed" in case else data["segments"]
            rows = range(len(texts["predictions"])) if segments is None else segments
            references = [texts["references"][i][: 1 if case["references"] == "first" else None] for i in rows]
            corpus = Corpus("recorded", [texts["predictions"][i] for i in rows], references)
            yield _call(module, case), corpus, figures(case["result"])


def _json(path: Path) -> Any:
    try:
        return json.loads(b"".join(lines_of(path)))
    except FileNotFoundError as error:
        raise Unavailable(f"there is no {path.name}") from error


def _call(module: str, case: dict[str, Any]) -> Tool:
    if module == "bleu":
        return ours("bleu", **{key: case[key] for key in ("tokenizer", "max_order", "smooth")})
    aggregated = {"aggregator": "bootstrap", "seed": case["seed"]} if "seed" in case else {"use_aggregator": False}
    tokenizer = None if case["tokenizer"] == "default" else case["tokenizer"]
    # The reference module does not stem with a given tokenizer; we refuse the combination.
    stems = case["use_stemmer"] and tokenizer is None
    return ours("rouge", rouge_types=tuple(case["result"]), use_stemmer=stems, tokenizer=tokenizer, **aggregated)


def recordings(module: str) -> tuple[Tool, Tool]:
    """Return our calls, and the recorded figures of a module."""
    options = (("module", module), ("folder", TESTS / "data"))
    theirs = Tool(f"recorded {module} module", "evaluate", recorded, options, is_timed=False)
    return Tool("textgauge", "textgauge", our_calls, options, is_timed=False), theirs

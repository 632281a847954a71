"""Figures of the reference modules that lie in tests/data, and our calls with the same texts and options."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .texts import Corpus
from .tool import Prepared, Scores, Tool, figures, of_tests, ours, percentages

FILES = {"bleu": "bleu.json", "rouge": "rouge.json", "squad": "token_f1.json"}
# Our call, its texts, and the recorded figures.
Case = tuple[Tool, Corpus, Scores]


def recorded(_: Corpus, module: str) -> Prepared:
    """Return the figures of all recorded calls."""
    every = [their for _, _, their in cases(module)]
    return lambda: every, _numbered


def our_calls(_: Corpus, module: str) -> Prepared:
    """Make the recorded calls again, with textgauge."""
    calls = [tool.prepare(corpus)[0] for tool, corpus, _ in cases(module)]
    return lambda: [figures(call()) for call in calls], _numbered


def _numbered(results: list[Scores]) -> Scores:
    return {f"call {i}: {name}": values for i, result in enumerate(results) for name, values in result.items()}


def cases(module: str) -> Iterator[Case]:
    """Read the recording of a module; the README of tests/data describes it.

    Calls that the reference module refused with an exception have no figures and are left out.
    """
    record = of_tests("data.record")
    data = record.read(FILES[module])
    if module == "squad":
        for case in data["cases"]:
            corpus = Corpus("recorded", [case["prediction"]], [case["references"]])
            yield ours("token_f1"), corpus, percentages(case["squad"])
        return
    for case in data if module == "bleu" else [*data["per_segment"], *data["aggregated"]]:
        if "result" in case:
            segments = case.get("segments") if module == "bleu" or "seed" in case else data["segments"]
            predictions, references = record.sides(segments, case["references"]).values()
            groups = [[given] if isinstance(given, str) else given for given in references]
            yield _call(module, case), Corpus("recorded", predictions, groups), figures(case["result"])


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
    theirs = Tool(f"recorded {module} module", "evaluate", recorded, (("module", module),), is_timed=False)
    return Tool("textgauge", "textgauge", our_calls, theirs.options, is_timed=False), theirs

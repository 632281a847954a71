"""From texts and options to what the page shows."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ..checks import fail
from ..columns import corpus_of
from ..measures.named import score_named
from ..report.charts import Bars
from ..report.content import Fact, System
from ..report.marks import Marking
from ..report.pages import result_part
from ..resampling import BootstrapOptions
from .settings import Settings

MOST_SHOWN = 25
_PARTS = {"precision": "precision", "recall": "recall", "fmeasure": "F"}


def keywords_of(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return options as the module takes them.

    ROUGE's own tokenizer is its default, and the only one that a stemmer can stand behind.
    """
    keywords = dict(options)
    if "use_stemmer" in keywords:
        if keywords["tokenizer"] == "rouge":
            del keywords["tokenizer"]
        elif keywords["use_stemmer"]:
            fail(ValueError, "Stem", "the default tokenizer of ROUGE", repr(keywords["tokenizer"]))
    return keywords


def result_of(
    face: Any, settings: Settings, score: str, texts: tuple[list[str], list[list[str]]], options: Mapping[str, Any]
) -> str:
    """Score texts with a loaded module and return the result as HTML."""
    keywords = keywords_of(options)
    result, notes = noted(lambda: face.compute(predictions=texts[0], references=texts[1], **keywords, **settings.fixed))
    headline, facts, bars = _summary(result, score)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        marking, segments = _segments(score, texts, keywords)
    return result_part(
        score=score, headline=headline, facts=facts, bars=bars, notes=notes, legend=marking.legend,
        segments=segments, n_segments=len(texts[0]), order="the worst first",
    )  # fmt: skip


def noted(compute: Callable[[], Any]) -> tuple[Any, list[str]]:
    """Return a result and what was warned of on the way."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        result = compute()
    return result, list(dict.fromkeys(str(w.message) for w in caught if w.category is UserWarning))


def _summary(result: Mapping[str, Any], score: str) -> tuple[float, list[Fact], Bars]:
    if score == "bleu":
        orders = {f"{order}-gram": value for order, value in enumerate(result["precisions"], 1)}
        bars = Bars.of(["share"], {**{k: [v] for k, v in orders.items()}, "brevity": [result["brevity_penalty"]]})
        facts = [
            Fact("brevity penalty", f"{result['brevity_penalty']:.4f}"),
            Fact("length ratio", f"{result['length_ratio']:.3f}"),
            Fact("tokens in predictions", f"{result['translation_length']:,}"),
            Fact("tokens in references", f"{result['reference_length']:,}"),
        ]
        return result["bleu"], facts, bars
    if score == "token_f1":
        keys = ("precision", "recall", "f1", "exact_match")
        return result["f1"], [], Bars.of(["share"], {key.replace("_", " "): [result[key]] for key in keys})
    bars = Bars.of(list(_PARTS.values()), {name: [parts[key] for key in _PARTS] for name, parts in result.items()})
    facts = [Fact(label, f"{result[score][key]:.4f}") for key, label in _PARTS.items() if key != "fmeasure"]
    return result[score]["fmeasure"], facts, bars


def _segments(
    score: str, texts: tuple[Sequence[str], Sequence[Sequence[str]]], keywords: Mapping[str, Any]
) -> tuple[Marking, list[dict[str, Any]]]:
    """Return the worst segments with their marks."""
    corpus = corpus_of(*texts)
    named = score_named(score)
    system = System.of("", corpus, named, keywords, BootstrapOptions(None))
    marking = system.marking
    worst = np.argsort(system.segment_scores, kind="stable")[:MOST_SHOWN]
    shown = []
    for segment, alignment in zip(worst.tolist(), system.aligned(worst), strict=True):
        references = [
            marking.pieces(text, matches) for text, matches in zip(texts[1][segment], alignment.references, strict=True)
        ]
        shown.append(
            {
                "number": segment + 1,
                "score": f"{system.segment_scores[segment]:.4f}",
                "prediction": marking.pieces(texts[0][segment], alignment.prediction),
                "references": references,
                "best": alignment.best if named.key != "bleu" and len(references) > 1 else None,
            }
        )
    return marking, shown

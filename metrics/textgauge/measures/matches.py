"""Where predictions and references agree."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .. import engine
from ..checks import fail
from ..columns import Corpus, corpus_of
from .alignment import Alignment
from .measure import Measure
from .registry import score_named


def matches(
    predictions: Any, references: Any, *, metric: str = "bleu", metric_options: Mapping[str, Any] | None = None
) -> list[Alignment]:
    """Say which tokens of every prediction and reference match.

    An n-gram matches as often as both sides have it, and the first occurrences are taken.
    "rougeN" gives orders 1 to N, of which only N counts for the score; "rougeL" and
    "rougeLsum" single tokens and the longest common subsequence, "rougeS" and "rougeSU" those in
    a common skip-bigram; "chrf" characters; "ter" the
    words that stay, in their place or moved by a shift; "token_f1" single tokens, also with
    ``counting="set"``. Beyond `max_words` and `max_bytes` nothing matches.

    Parameters
    ----------
    predictions, references
        As for `corpus_of`.
    metric, metric_options
        As for `compare`.

    Examples
    --------
    >>> text = "the cat sat"
    >>> [aligned] = matches([text], ["A cat sat down"], metric="rouge2")
    >>> [(text[m.start : m.end], m.order) for m in aligned.prediction]
    [('cat', 2), ('sat', 2)]
    """
    named = score_named(metric)
    if not named.measure.is_paired:
        fail(ValueError, "metric", "one that compares with references", named.name)
    return aligned(corpus_of(predictions, references), named.start(metric_options), named.key)


def aligned(corpus: Corpus, measure: Measure, key: str) -> list[Alignment]:
    """Do what `matches` does, for texts that were checked before and a measure without segments."""
    engine.warn_if_plain()
    return [alignment for chunk in corpus.chunks() for alignment in measure.alignments(chunk, key)]

"""`textgauge.matches`: where predictions and references agree."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .. import engine
from ..accumulation.named_score import AnyMetric, score_of
from ..checks import fail, metric_by_keyword
from ..input.columns import Corpus
from ..metric.inputs import refuse_unused
from .alignment import Alignment
from .explainer import explainer_of
from .marks import Marks


@metric_by_keyword
def matches(
    predictions: Any, references: Any = None, *, sources: Any = None, metric: AnyMetric = "bleu",
    metric_options: Mapping[str, Any] | None = None,
) -> list[Alignment]:  # fmt: skip
    """Return the tokens of every prediction and reference that match, or what a model marks as wrong.

    What matches is what the metric counts: n-grams of tokens or of characters, common subsequences, words that an
    alignment keeps in place or shifts. An n-gram that occurs n times on one side and m times on the other matches
    min(n, m) times, at its first occurrences; shorter n-grams are shown as well, with a smaller ``weight``. Nothing
    matches beyond `max_words` and `max_bytes`. Of a metric that compares embeddings every token matches, and
    ``partner`` is the place of its best match. Of a model that marks errors, such as XCOMET, the result has the error
    spans in the prediction alone, with their severity, 1, 5 or 10, as ``weight``.

    Parameters
    ----------
    predictions, references
        As for `corpus_of`; a model of "comet" may need no references.
    sources : iterable of str, optional
        What every prediction translates, for metrics that read them.
    metric, metric_options
        As for `compare`.

    Returns
    -------
    list of Alignment
        One per segment: ``prediction``, a list of Match; ``references``, such a list per reference; ``best``,
        the index of the reference that is scored. A Match has ``start``, ``end``, ``weight``, ``joins``,
        ``is_common`` and ``partner``; its token is ``text[start:end]``.

    Raises
    ------
    TypeError, ValueError
        As `corpus_of`, and for a metric or a model without matches, such as perplexity.

    Examples
    --------
    >>> text = "the cat sat"
    >>> [aligned] = matches([text], ["A cat sat down"], metric="rouge2")
    >>> [(text[m.start : m.end], m.weight) for m in aligned.prediction]
    [('cat', 2), ('sat', 2)]
    """
    named = score_of("matches", metric, metric_options=metric_options)
    key = named.key
    if not named.metric.inputs.has_references:
        fail(ValueError, "metric", "a metric that compares with references", named.name)
    scored = named.start(scores_alone=True).metric
    marks = explainer_of(scored).marks(key)
    if not marks.verb:
        fail(ValueError, "metric", "a metric that marks matches in texts, or a model that does", named.name)
    corpus = named.metric.inputs.corpus(named.name, predictions, references, sources)
    refuse_unused([scored], corpus.given)
    return aligned(corpus, marks)


def aligned(corpus: Corpus, marks: Marks) -> list[Alignment]:
    """Like `matches`, for checked texts and the marks of a metric."""
    engine.warn_if_plain()
    align = marks.align
    return [alignment for chunk in corpus.chunks() for alignment in align(chunk)]

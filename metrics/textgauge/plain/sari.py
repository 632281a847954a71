"""SARI: what a rewritten text keeps, deletes and adds: Xu et al. (2016), in the versions of four tools."""

# `n_threads` is unused: the compiled kernel has the same arguments.
# ruff: noqa: ARG001

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from .ngrams import ngrams
from .tokens import Ids, Tokens

# The orders of n-grams.
ORDERS = (1, 2, 3, 4)
# Whose shares of a segment; the compiled kernel has the same order.
HUB, XU, TENSOR2TENSOR = range(3)
# A text without tokens has this one under `HUB` and `XU`, as `"".split(" ")` has an empty one.
_EMPTY = -1


def sari_shares(tokens: Tokens, rule: int, n_threads: int = 1) -> list[list[float]]:
    """Return how well every segment keeps, deletes and adds n-grams, of each order by itself.

    With r references, an n-gram counts r times as often as the source and the hypothesis have it, and as often as
    all references together do. Kept is what source and hypothesis both have, deleted what the source has more often,
    added an n-gram that the source lacks, however often it comes. Each is judged by F of precision and recall,
    deletion by precision alone.

    `HUB` and `XU` take the mean over the n-grams of the share of each that is right; the recall of what is kept is a
    mean over n-grams under `XU`, a share of all occurrences under `HUB`. Where there is nothing to judge, a share is
    1 under `HUB`, 0 under `XU`. `TENSOR2TENSOR` counts an n-gram once per text, and by the part of the references
    with n-grams of this order that have it; nothing to judge is 1.

    Parameters
    ----------
    tokens : Tokens
        The texts of a segment are the hypothesis, its source, and at least one reference.
    rule : int

    Returns
    -------
    float64, shape (n_segments, 12)
        Keep of the orders 1 to 4, then delete, then add. Sums go from the first n-gram of the source to its last.

    Raises
    ------
    ValueError
        If there is no such rule, or a segment has no source or no reference.

    References
    ----------
    Xu et al. (2016), Optimizing Statistical Machine Translation for Text Simplification, section 4; their `SARI.py`;
    the `sari` module of the Hub; tensor2tensor, `sari_hook.py`.

    Examples
    --------
    >>> a, b, c, d = range(4)
    >>> tokens = Tokens([a, d, a, b, c, a, d], [0, 2, 5, 7], [0, 3])    # a d; a b c; a d
    >>> [round(share, 2) for share in sari_shares(tokens, XU)[0]]
    [1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.0]
    """
    if not HUB <= rule <= TENSOR2TENSOR:
        raise ValueError(f"rule: expected {HUB} to {TENSOR2TENSOR}")
    rows: list[list[float]] = []
    for texts in _segments(tokens):
        if rule == TENSOR2TENSOR:
            by_order = [_shares_of_sets(texts, order) for order in ORDERS]
        else:
            filled = [text or [_EMPTY] for text in texts]
            by_order = [_shares(filled, order, rule) for order in ORDERS]
        rows.append([share for operation in zip(*by_order, strict=True) for share in operation])
    return rows


def sari_counts(tokens: Tokens, n_threads: int = 1) -> list[list[int]]:
    """Count the n-grams that every segment keeps, deletes and adds, should, and does rightly, as EASSE does.

    What is kept, deleted and added is that of `sari_shares`; of the first two every occurrence counts.

    Parameters
    ----------
    tokens : Tokens
        As for `sari_shares`.

    Returns
    -------
    int64, shape (n_segments, 36)
        For keep, delete, add: those that are right, those of the hypothesis, those of the references, each of the
        orders 1 to 4. Additive.

    Raises
    ------
    ValueError
        If a segment has no source or no reference.

    References
    ----------
    Alva-Manchego et al. (2019), EASSE: Easier Automatic Sentence Simplification Evaluation, section 3; its `sari.py`.

    Examples
    --------
    >>> a, b, c, d = range(4)
    >>> tokens = Tokens([a, d, a, b, c, a, d], [0, 2, 5, 7], [0, 3])    # a d; a b c; a d
    >>> [row[0] for row in zip(*[iter(sari_counts(tokens)[0])] * 4)]    # of single words
    [1, 1, 1, 2, 2, 2, 1, 1, 1]
    """
    rows = []
    for texts in _segments(tokens):
        by_order = [_counts(texts, order) for order in ORDERS]
        rows.append([count for counts in zip(*by_order, strict=True) for count in counts])
    return rows


def _segments(tokens: Tokens) -> list[list[Ids]]:
    segments = list(tokens.texts_of_segments())
    if any(len(texts) < 3 for texts in segments):
        raise ValueError("tokens: expected a source and a reference in every segment")
    return segments


Ngrams = Counter[tuple[int, ...]]


def _sides(texts: Sequence[Ids], order: int) -> tuple[Ngrams, Ngrams, Ngrams]:
    """Return the n-grams of the source and of the hypothesis, once for every reference, and of all references."""
    hypothesis, source, *references = texts
    all_references: Ngrams = Counter()
    for reference in references:
        all_references.update(ngrams(reference, order))
    return _times(ngrams(source, order), len(references)), _times(ngrams(hypothesis, order), len(references)), \
        all_references  # fmt: skip


def _times(counts: Ngrams, factor: int) -> Ngrams:
    return Counter({ngram: factor * n for ngram, n in counts.items()})


def _shares(texts: Sequence[Ids], order: int, rule: int) -> tuple[float, float, float]:
    source, hypothesis, references = _sides(texts, order)
    of_nothing = float(rule == HUB)
    kept, wanted = source & hypothesis, source & references
    right = kept & references
    precision = _mean([right[ngram] / kept[ngram] for ngram in right], len(kept), of_nothing)
    if rule == HUB:
        recall = _mean([right.total()], wanted.total(), of_nothing)
    else:
        recall = _mean([right[ngram] / wanted[ngram] for ngram in right], len(wanted), of_nothing)
    gone = source - hypothesis
    rightly = gone - references
    delete = _mean([rightly[ngram] / gone[ngram] for ngram in rightly], len(gone), of_nothing)
    added, new = hypothesis.keys() - source.keys(), references.keys() - source.keys()
    n_right = len(added & new)
    add = f1(_mean([n_right], len(added), of_nothing), _mean([n_right], len(new), of_nothing))
    return f1(precision, recall), delete, add


def _mean(parts: Sequence[float], n: int, of_nothing: float) -> float:
    """Add numbers one by one: Python's `sum` may be more exact."""
    total = 0.0
    for part in parts:
        total += part
    return total / n if n else of_nothing


def f1(precision: float, recall: float) -> float:
    """Return the harmonic mean of two numbers, of which one may be 0."""
    return 2 * precision * recall / (precision + recall) if precision > 0 or recall > 0 else 0.0


def _shares_of_sets(texts: Sequence[Ids], order: int) -> tuple[float, float, float]:
    hypothesis, source, *references = ({*ngrams(text, order)} for text in texts)
    # References with n-grams of this order.
    n = max(sum(map(bool, references)), 1)
    by_ngram = Counter(ngram for reference in references for ngram in reference)
    kept, gone, added, new = source & hypothesis, source - hypothesis, hypothesis - source, by_ngram.keys() - source
    kept_rightly = sum(by_ngram[ngram] for ngram in kept) / n
    wanted = sum(by_ngram[ngram] for ngram in source) / n
    gone_rightly = sum(n - by_ngram[ngram] for ngram in gone) / n
    return (
        f1(_mean([kept_rightly], len(kept), 1.0), kept_rightly / wanted if wanted else 1.0),
        _mean([gone_rightly], len(gone), 1.0),
        f1(_mean([len(added & new)], len(added), 1.0), _mean([len(added & new)], len(new), 1.0)),
    )


def _counts(texts: Sequence[Ids], order: int) -> list[int]:
    source, hypothesis, references = _sides(texts, order)
    kept, wanted = source & hypothesis, source & references
    gone, unwanted = source - hypothesis, source - references
    added, new = hypothesis.keys() - source.keys(), references.keys() - source.keys()
    return [
        (kept & wanted).total(), kept.total(), wanted.total(),
        (gone & unwanted).total(), gone.total(), unwanted.total(),
        len(added & new), len(added), len(new),
    ]  # fmt: skip

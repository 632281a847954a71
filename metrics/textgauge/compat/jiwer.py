"""`jiwer`: error rates of words and characters, and their alignments."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable
from itertools import accumulate, chain
from typing import Any

import numpy as np

from .. import engine
from ..measures.wer import COUNTS, Cer, Wer
from . import importing, rest_of, rows_of_texts

with importing("jiwer"):
    import jiwer as original
    from jiwer import process
    from jiwer.alignment import *  # noqa: F403
    from jiwer.transformations import cer_default, wer_default

_TYPES = {" ": "equal", "s": "substitute", "d": "delete", "i": "insert"}
_RUNS = re.compile(" +|s+|d+|i+")
Texts = str | list[str]
Transform = Any


def process_words(
    reference: Texts, hypothesis: Texts, reference_transform: Transform = wer_default,
    hypothesis_transform: Transform = wer_default,
) -> process.WordOutput:  # fmt: skip
    """Return the rates, the counts and the alignments of words, as jiwer does.

    Above about 2,000 by 2,000 words jiwer cuts the table in two, and may find other edits, equally few.

    Examples
    --------
    >>> output = process_words("a quick fox", "a slow red fox")
    >>> output.wer, output.hits, [chunk.type for chunk in output.alignments[0]]
    (0.6666666666666666, 2, ['equal', 'insert', 'substitute', 'equal'])
    """
    sides = []
    for texts, transform, is_reference in (
        (reference, reference_transform, True), (hypothesis, hypothesis_transform, False),
    ):  # fmt: skip
        texts = [texts] if isinstance(texts, str) else texts
        sides.append(process._apply_transform(texts, transform, is_reference=is_reference))
    references, hypotheses = sides
    if len(references) != len(hypotheses):
        # As jiwer words it.
        raise ValueError(
            "After applying the transforms on the reference and hypothesis sentences, their lengths must match. "
            f"Instead got {len(references)} reference and {len(hypotheses)} hypothesis sentences."
        )
    engine.warn_if_plain()
    paths = _paths(references, hypotheses)
    edits = "".join(paths)
    counts = [edits.count(edit) for edit in _TYPES]
    rates = dict(zip(("wer", "mer", "wil", "wip"), engine.kernel.error_rates(np.array(counts)), strict=True))
    return process.WordOutput(
        references=references, hypotheses=hypotheses, alignments=[*map(_chunks, paths)],
        **rates, **dict(zip(COUNTS, counts, strict=True)),
    )  # fmt: skip


def _paths(references: list[list[str]], hypotheses: list[list[str]]) -> list[str]:
    """Return the edits of every pair, see `plain.levenshtein_path`."""
    numbers: defaultdict[str, int] = defaultdict(lambda: len(numbers))
    # All words in one array: to make one for each text takes longer than to compare them.
    sides = []
    for texts in (hypotheses, references):
        ids = np.array([*map(numbers.__getitem__, chain.from_iterable(texts))], np.uint32)
        ends = [*accumulate(map(len, texts))]
        sides.append([ids[start:end] for start, end in zip([0, *ends], ends, strict=False)])
    return [*map(engine.kernel.levenshtein_path, *sides)]


def _chunks(path: str) -> list[Any]:
    """Return the runs of equal edits, with their places in both texts."""
    chunks = []
    i = j = 0
    for run in _RUNS.findall(path):
        letter, n = run[0], len(run)
        after_i, after_j = i if letter == "i" else i + n, j if letter == "d" else j + n
        chunks.append(process.AlignmentChunk(_TYPES[letter], i, after_i, j, after_j))
        i, j = after_i, after_j
    return chunks


def process_characters(
    reference: Texts, hypothesis: Texts, reference_transform: Transform = cer_default,
    hypothesis_transform: Transform = cer_default,
) -> process.CharacterOutput:  # fmt: skip
    """Return the rate, the counts and the alignments of characters, as jiwer does.

    Examples
    --------
    >>> process_characters("a slow ox", "slow fox").cer
    0.3333333333333333
    """
    words = process_words(reference, hypothesis, reference_transform, hypothesis_transform)
    return process.CharacterOutput(
        references=words.references, hypotheses=words.hypotheses, alignments=words.alignments, cer=words.wer,
        **{name: getattr(words, name) for name in COUNTS},
    )  # fmt: skip


def _rate(key: str, accumulator: Any, default: Transform) -> Callable[..., float]:
    """Return the function of jiwer for one rate: texts in the default form are counted at once."""

    def rate(
        reference: Texts = None, hypothesis: Texts = None, reference_transform: Transform = default,  # type: ignore[assignment]
        hypothesis_transform: Transform = default,
    ) -> float:  # fmt: skip
        if reference_transform is default and hypothesis_transform is default:
            left, right = ([side] if isinstance(side, str) else side for side in (hypothesis, reference))
            if isinstance(left, list) and isinstance(right, list) and len(left) == len(right) > 0:
                rows = rows_of_texts(accumulator(), left, [[text] for text in right])
                if rows is not None:
                    rates = engine.kernel.error_rates(rows.values.sum(axis=0))
                    return float(rates[("wer", "mer", "wil", "wip").index("wer" if key == "cer" else key)])
        of = process_characters if key == "cer" else process_words
        return getattr(of(reference, hypothesis, reference_transform, hypothesis_transform), key)

    rate.__name__ = rate.__qualname__ = key
    rate.__doc__ = getattr(original, key).__doc__
    return rate


wer, mer, wil, wip = (_rate(key, Wer, wer_default) for key in ("wer", "mer", "wil", "wip"))
cer = _rate("cer", Cer, cer_default)
# Its other modules are found below it.
__path__: list[str] = []
__getattr__ = rest_of(original)

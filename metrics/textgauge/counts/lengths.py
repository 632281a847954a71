"""The reference length that BLEU's brevity penalty looks at, per segment."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..ragged import IntArray


def reference_lengths(
    hypothesis_lengths: IntArray, lengths: IntArray, reference_offsets: IntArray, which: str
) -> npt.NDArray[np.number]:
    """Choose one length among the references of every segment.

    Parameters
    ----------
    hypothesis_lengths, lengths : int64, shapes (n_segments,) and (n_references,)
        In tokens.
    reference_offsets : int64, shape (n_segments + 1,)
    which : "shortest", "closest" or "average"
        Of equally close ones the shorter.

    Returns
    -------
    shape (n_segments,)
        float64 for "average", else int64; additive.

    Examples
    --------
    >>> hypothesis, references = np.array([7]), np.array([11, 8, 6])
    >>> reference_lengths(hypothesis, references, np.array([0, 3]), "closest")
    array([6])
    """
    starts = reference_offsets[:-1]
    if which == "shortest":
        return np.minimum.reduceat(lengths, starts)
    if which == "average":
        return np.add.reduceat(lengths, starts) / np.diff(reference_offsets)
    distance = np.abs(lengths - np.repeat(hypothesis_lengths, np.diff(reference_offsets)))
    # The smallest (distance, length) of a segment, compared as one integer.
    scale = int(lengths.max(initial=0)) + 1
    return np.minimum.reduceat(distance * scale + lengths, starts) % scale

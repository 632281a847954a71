"""Which reference tokens the LCS of their sentence with any hypothesis sentence touches."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from ..ragged import IntArray, Ragged, lengths_of, offsets_of
from .bits import ONE, WORD, Flags
from .groups import Groups, Sides
from .lanes import Lanes, lane_marks
from .lcs import pays
from .weighted import Tokens, weighted_marks
from .whole_texts import equal_rows
from .wide import Wide

# Lane tokens that are held at once: about 100 bytes each.
BLOCK = 1 << 18
Marks = Callable[[Groups, Lanes], IntArray]


def union_marks(groups: Groups, sides: Sides) -> Flags:
    """Mark the tokens on an LCS, with the tie-breaking of `rouge_score`.

    Parameters
    ----------
    groups : Groups
        The unigrams of `sides`.
    sides : Sides
        Its texts are sentences; each reference sentence meets every hypothesis sentence of its segment.

    Returns
    -------
    bool, shape (n_tokens,)
    """
    return _marked(groups, sides, lambda _, lanes: _lcs_marks(lanes))


def weighted_union_marks(groups: Groups, sides: Sides, weight: float) -> Flags:
    """Mark the tokens on a weighted LCS, as `union_marks` does."""
    return _marked(
        groups,
        sides,
        lambda block, lanes: weighted_marks(block, sides, (lanes.hypothesis_text, lanes.reference_text), weight),
    )


def _marked(groups: Groups, sides: Sides, marks: Marks) -> Flags:
    """Mark tokens block by block; where there is more than one, equal sentences are compared once."""
    marked = np.zeros(len(sides.values), bool)
    if int(np.prod(groups.sizes, axis=0).sum()) <= BLOCK:
        _mark(marked, groups, sides, marks)
        return marked
    tokens = Tokens.of(groups, sides)
    equal = _equal_sentences(tokens.kinds, sides)
    is_first = equal == np.arange(len(equal))
    for block in _blocks(groups.only(is_first[sides.text_of[groups.positions]]), sides):
        _mark(marked, block, sides, marks)
    marked[tokens.positions] = marked[Ragged(tokens.positions, tokens.kinds.offsets).take(equal).values]
    return marked


def _mark(marked: Flags, groups: Groups, sides: Sides, marks: Marks) -> None:
    """Mark the tokens of all lanes of a block."""
    if len(groups) == 0:
        return
    lanes = Lanes.of(groups, sides)
    is_lone = lengths_of(lanes.offsets) == 1
    marked[_lone_marks(lanes, lanes.offsets[:-1][is_lone])] = True
    marked[marks(groups, lanes.take(np.flatnonzero(~is_lone)))] = True


def _equal_sentences(kinds: Ragged, sides: Sides) -> IntArray:
    """Name for every sentence an equal one of the same side and segment."""
    n_hypotheses = int(sides.text_of[sides.n_hypothesis_tokens])
    hypotheses, references = (kinds.take(np.arange(*ends)) for ends in ((0, n_hypotheses), (n_hypotheses, len(kinds))))
    # Groups belong to one segment, so equal groups do, too.
    return np.concatenate((equal_rows(hypotheses), equal_rows(references) + n_hypotheses))


def _blocks(groups: Groups, sides: Sides) -> Iterator[Groups]:
    """Cut groups by reference sentences into blocks of few lane tokens."""
    text_of = sides.text_of[groups.positions]
    is_ref = groups.positions >= sides.n_hypothesis_tokens
    n_tokens = np.bincount(text_of[is_ref], groups.sizes[0][groups.group_of[is_ref]])
    block_of = np.cumsum(n_tokens).astype(np.int64) // BLOCK
    is_wanted = ~is_ref
    for block in np.unique(block_of[text_of[is_ref]]).tolist():
        is_wanted[is_ref] = block_of[text_of[is_ref]] == block
        yield groups.only(is_wanted)


def _lone_marks(lanes: Lanes, tokens: IntArray) -> IntArray:
    """Return what lanes of one hypothesis token mark: the last reference token that equals it.

    Where the hypothesis goes on behind it, the walk back has come down to the first.
    """
    run = lanes.run_of[tokens]
    return lanes.positions[np.where(lanes.has_gap[tokens], lanes.run_opens[run], lanes.run_opens[run + 1] - 1)]


def _lcs_marks(lanes: Lanes) -> IntArray:
    """Return the reference tokens on one LCS of any of the lanes."""
    is_batched = pays(lanes) & (lanes.widths <= WORD)
    batch = lanes.take(np.flatnonzero(is_batched))
    of_text = np.zeros(int(lanes.texts.max(initial=-1)) + 1, np.uint64)
    np.bitwise_or.at(of_text, batch.reference_text, lane_marks(batch))
    marked = [lanes.positions[(of_text[lanes.texts] >> (lanes.bits % WORD).astype(np.uint64)) & ONE != 0]]
    # Text t has its bits at positions[starts[t]:starts[t + 1]].
    positions, starts = np.sort(lanes.positions), offsets_of(np.bincount(lanes.texts))
    wide = Wide(lanes)
    for lane in np.flatnonzero(~is_batched).tolist():
        marked.append(positions[starts[lanes.reference_text[lane]] + np.array(wide.marks(lane), np.int64)])
    return np.concatenate(marked)

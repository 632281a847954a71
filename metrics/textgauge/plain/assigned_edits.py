"""Edits of utterances, each of which is assigned to one of several channels."""

from __future__ import annotations

from itertools import product
from typing import Any

from .integers import check_offsets


def assigned_edits(ids: Any, offsets: Any, n_channels: int, most_cells: int) -> list[int]:
    """Count the edits that turn utterances, each assigned to a channel in the best way, into the words of the channels.

    The utterances of a channel are one text, in the order in which they are given. Of all assignments and alignments
    those with the fewest edits count, and of these those with the fewest substitutions.

    Parameters
    ----------
    ids : uint32, shape (n_words,)
    offsets : int64, shape (n_texts + 1,)
        Text t is ``ids[offsets[t]:offsets[t + 1]]``.
    n_channels : int
        How many texts are channels, which stand first; the others are utterances.
    most_cells : int
        The most cells of tables that may be computed: the number of words of the utterances, times that of the
        channels, times one more than the words of each channel.

    Returns
    -------
    int64, shape (4,)
        Hits, substitutions, deletions and insertions; all -1 where there are more cells.

    Raises
    ------
    ValueError
        If offsets do not ascend to the number of words.

    References
    ----------
    von Neumann et al. (2023), On Word Error Rate Definitions and their Efficient Computation for Multi-Speaker Speech
    Recognition Systems.

    Examples
    --------
    >>> assigned_edits([0, 1, 2, 2, 0, 1], [0, 2, 3, 4, 6], 2, 1000)       # "a b", "c": first "c", then "a b"
    [3, 0, 0, 0]
    """
    channels, utterances = _texts(ids, offsets, n_channels)
    n_words, n_heard = sum(map(len, utterances)), sum(map(len, channels))
    n_cells = max(n_words, 1) * max(n_channels, 1)
    for channel in channels:
        n_cells *= len(channel) + 1
    if n_cells > most_cells:
        return [-1] * 4
    edits, substitutions = _costs(channels, utterances)[tuple(map(len, channels))]
    deletions = (edits - substitutions + n_words - n_heard) // 2
    return [n_words - substitutions - deletions, substitutions, deletions, edits - substitutions - deletions]


def assigned_channels(ids: Any, offsets: Any, n_channels: int) -> list[int]:
    """Return the channel of each utterance, in an assignment whose edits are those that `assigned_edits` counts.

    Of several such assignments one is taken by a fixed rule. The first half of the utterances with words, rounded down,
    and the others share the words of the channels: of the places where a best one may divide these, that with the
    fewest words of the last channel in the first half is taken, of these that with the fewest of the one before it, and
    so on. Each half is then divided by itself. A single utterance has the first of its best channels, as has one
    without words.

    Parameters
    ----------
    ids : uint32, shape (n_words,)
    offsets : int64, shape (n_texts + 1,)
        Text t is ``ids[offsets[t]:offsets[t + 1]]``.
    n_channels : int
        How many texts are channels, which stand first; the others are utterances.

    Returns
    -------
    int64, shape (n_utterances,)
        -1 where there is no channel.

    Raises
    ------
    ValueError
        If offsets do not ascend to the number of words.

    Examples
    --------
    >>> assigned_channels([0, 1, 2, 2, 0, 1], [0, 2, 3, 4, 6], 2)       # "a b", "c": first "c", then "a b"
    [1, 0]
    """
    channels, utterances = _texts(ids, offsets, n_channels)
    if not channels:
        return [-1] * len(utterances)
    found = iter(_divided(channels, [*filter(None, utterances)]))
    return [next(found) if utterance else 0 for utterance in utterances]


def _divided(channels: list[list[int]], utterances: list[list[int]]) -> list[int]:
    """Return the channels of utterances, none of which is empty."""
    if not utterances:
        return []
    if len(utterances) == 1:
        costs = [_costs([channel], utterances)[(len(channel),)] for channel in channels]
        return [min(range(len(channels)), key=lambda c: (costs[c][0] - len(channels[c]), costs[c][1]))]
    n = len(utterances) // 2
    before = _costs(channels, utterances[:n])
    after = _costs([channel[::-1] for channel in channels], [utterance[::-1] for utterance in utterances[: n - 1 : -1]])

    def cost(place: tuple[int, ...]) -> tuple[int, int]:
        rest = after[tuple(len(channel) - i for channel, i in zip(channels, place, strict=True))]
        return before[place][0] + rest[0], before[place][1] + rest[1]

    meeting = min(before, key=lambda place: (cost(place), place[::-1]))
    parts = [(channel[:i], channel[i:]) for channel, i in zip(channels, meeting, strict=True)]
    return [
        *_divided([head for head, _ in parts], utterances[:n]), *_divided([tail for _, tail in parts], utterances[n:])
    ]  # fmt: skip


def _texts(ids: Any, offsets: Any, n_channels: int) -> tuple[list[list[int]], list[list[int]]]:
    """Return the channels, and the utterances."""
    ids, offsets = [*map(int, ids)], [*map(int, offsets)]
    check_offsets("offsets", offsets, len(ids))
    if not 0 <= n_channels < len(offsets):
        raise ValueError("n_channels: expected at most the number of texts")
    texts = [ids[first:last] for first, last in zip(offsets, offsets[1:], strict=False)]
    return texts[:n_channels], texts[n_channels:]


def _costs(channels: list[list[int]], utterances: list[list[int]]) -> dict[tuple[int, ...], tuple[int, int]]:
    """Return edits and substitutions of all that is said, by the number of words that were heard of every channel."""
    places = [*product(*(range(len(channel) + 1) for channel in channels))]
    costs = {place: (sum(place), 0) for place in places}
    for utterance in filter(None, utterances):
        if not channels:
            costs = {(): (costs[()][0] + len(utterance), 0)}
            continue
        tried = [_said(costs, places, utterance, channel, axis) for axis, channel in enumerate(channels)]
        costs = {place: min(of_channel[place] for of_channel in tried) for place in places}
    return costs


def _said(costs: Any, places: Any, utterance: list[int], channel: list[int], axis: int) -> Any:
    """Return the costs once an utterance was said in one channel."""
    for word in utterance:
        before, costs = costs, {}
        for place in places:
            ways = [(before[place][0] + 1, before[place][1])]
            if place[axis]:
                left = (*place[:axis], place[axis] - 1, *place[axis + 1 :])
                is_other = channel[place[axis] - 1] != word
                ways += [(costs[left][0] + 1, costs[left][1])]
                ways += [(before[left][0] + is_other, before[left][1] + is_other)]
            costs[place] = min(ways)
    return costs

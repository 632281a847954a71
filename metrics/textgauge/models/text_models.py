"""Models that say their own statistics of texts; probabilities that the user has, every number checked."""

from __future__ import annotations

import abc
import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ..arrays import FloatArray, IntArray, offsets_of
from ..checks import fail, has_elements, real_number, shown
from ..input.columns import text_column

LOG_OF_BASE = {"e": 1.0, 2: np.log(2.0), 10: np.log(10.0)}
# What texts of numbers may hold: the argument of `negative_logs`, and the base.
NUMBERS: dict[str, tuple[str, str | int]] = {
    "probs": ("probs", "e"), "log_probs": ("log_probs", "e"), "log2_probs": ("log_probs", 2),
    "log10_probs": ("log_probs", 10),
}  # fmt: skip
# A token and its number, between white space, commas or brackets.
_ITEM = re.compile(r"[^\s,\[\]]+")


class TextModel(abc.ABC):
    """A model that computes its own statistics of texts, such as `NgramModel`."""

    @abc.abstractmethod
    def statistics(self, texts: Any) -> FloatArray:
        """Return nll, tokens, bytes and words per text, see `Perplexity.statistics`."""

    @abc.abstractmethod
    def surprises(self, texts: Sequence[str]) -> list[list[tuple[int, int, float]]]:
        """Return start, end and surprise in bits of every token with a place; the end of a text is an empty one."""

    @property
    @abc.abstractmethod
    def signature(self) -> dict[str, str]:
        """The fields of a signature for the model."""


class OwnNumbers(TextModel):
    """A "model" that reads the probability of every token from the text, as in "0.5 0.25" or "the=0.5 cat=0.25"."""

    def __init__(self, numbers: str) -> None:
        """Set what the numbers are, see `NUMBERS`."""
        self.numbers = numbers

    def statistics(self, texts: Any) -> FloatArray:
        """Return nll and tokens per text; bytes and words are unknown."""
        values, offsets = self._read(text_column(texts, "predictions").tolist())
        lengths = np.diff(offsets)
        nll = np.bincount(np.repeat(np.arange(len(lengths)), lengths), values, minlength=len(lengths))
        return np.column_stack((nll, lengths, np.full((len(lengths), 2), np.nan)))

    def surprises(self, texts: Sequence[str]) -> list[list[tuple[int, int, float]]]:
        """Return start, end and surprise in bits of every number, with its token."""
        bits = iter((self._read(texts)[0] / LOG_OF_BASE[2]).tolist())
        return [[(*item.span(), next(bits)) for item in _ITEM.finditer(text)] for text in texts]

    @property
    def signature(self) -> dict[str, str]:
        """The fields of a signature: as of numbers in lists."""
        return {"model": "probabilities"}

    def _read(self, texts: Sequence[str]) -> tuple[FloatArray, IntArray]:
        """Return the negative logarithms of all numbers, and the offsets of the texts."""
        argument, base = NUMBERS[self.numbers]
        rows = [[self._number(i, item) for item in _ITEM.findall(text)] for i, text in enumerate(texts)]
        return negative_logs(**{"log_probs": None, "probs": None, argument: rows}, base=base)

    def _number(self, i: int, item: str) -> float:
        try:
            return float(item.rpartition("=")[2])
        except ValueError:
            allowed = f"numbers between white space or commas, as in '0.5 0.25' or 'the=0.5', for {self.numbers}"
            fail(ValueError, f"predictions[{i}]", allowed, shown(item))


def negative_logs(log_probs: Any, probs: Any, base: str | int) -> tuple[FloatArray, IntArray]:
    """Return the negative natural logarithm of every probability, and the offsets of the rows.

    Raises
    ------
    TypeError, ValueError
        If not exactly one of `log_probs` and `probs` is given, or for a value that is not a
        probability or its logarithm to the `base`; the message names its position.
    """
    if (log_probs is None) == (probs is None):
        fail(ValueError, "log_probs, probs", "one of the two", "none of them" if probs is None else "both")
    check_base(base)
    if probs is None:
        values, offsets = _flattened(log_probs, "log_probs")
        allowed = "the finite logarithm of a probability, at most 0"
        _refuse(~((values <= 0) & np.isfinite(values)), "log_probs", allowed, values, offsets)
        return values * -LOG_OF_BASE[base], offsets
    if base != "e":
        fail(ValueError, "base", "'e', since probs have no base", shown(base))
    values, offsets = _flattened(probs, "probs")
    _refuse(~((values > 0) & (values <= 1)), "probs", "a probability in (0, 1]", values, offsets)
    return -np.log(values), offsets


def check_base(base: Any) -> None:
    """Refuse an unknown base of logarithms."""
    if not isinstance(base, (str, int)) or isinstance(base, bool) or base not in LOG_OF_BASE:
        fail(ValueError, "base", "'e', 2 or 10", shown(base))


def _flattened(rows: Any, argument: str) -> tuple[FloatArray, IntArray]:
    """Flatten rows of numbers: float64 values and int64 offsets."""
    if isinstance(rows, (str, bytes, dict)) or not has_elements(rows):
        fail(TypeError, argument, "a list with one list of numbers per text", shown(rows))
    # Imported here: it takes 0.1 s, and what `models` is asked for most needs no numbers.
    import pyarrow as pa

    from ..input.arrow import validate

    if isinstance(rows, (pa.Array, pa.ChunkedArray)):
        validate(rows, argument)
        rows = rows.to_pylist()
    rows = list(rows)
    try:
        lists = pa.array(rows)
    except (pa.ArrowException, TypeError, ValueError, OverflowError):
        lists = pa.nulls(0)
    list_type = lists.type
    if pa.types.is_list(list_type) and (
        pa.types.is_floating(list_type.value_type) or pa.types.is_integer(list_type.value_type)
    ):
        values = lists.flatten()
        if not lists.null_count and not values.null_count:
            return np.asarray(values, np.float64), offsets_of(lists.value_lengths())
    arrays = [_row(row, f"{argument}[{i}]") for i, row in enumerate(rows)]
    return np.concatenate([np.zeros(0), *arrays]), offsets_of([len(row) for row in arrays])


def _row(row: Any, where: str) -> FloatArray:
    """Convert values that Arrow does not know, such as tensors; raise for an element that is not a number."""
    if isinstance(row, (str, bytes, dict)) or not has_elements(row):
        fail(TypeError, where, "a list of numbers", shown(row))
    values = list(row)
    for i, value in enumerate(values):
        if isinstance(value, (bool, np.bool_, str, bytes)) or not hasattr(type(value), "__float__"):
            fail(TypeError, f"{where}[{i}]", "a number", shown(value))
    return np.array([real_number(f"{where}[{i}]", value, "a number") for i, value in enumerate(values)], np.float64)


def _refuse(
    is_wrong: npt.NDArray[np.bool_], argument: str, allowed: str, values: FloatArray, offsets: IntArray
) -> None:
    wrong = np.flatnonzero(is_wrong)
    if len(wrong):
        row = int(np.searchsorted(offsets, wrong[0], side="right")) - 1
        where = f"{argument}[{row}][{wrong[0] - offsets[row]}]"
        fail(ValueError, where, allowed, shown(float(values[wrong[0]])))

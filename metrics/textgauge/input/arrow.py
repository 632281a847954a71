"""Arrow arrays as columns of texts, and back."""

from __future__ import annotations

from itertools import chain
from typing import Any

import numpy as np
import pyarrow as pa

from .. import engine
from ..arrays import IntArray, offsets_of
from ..checks import fail
from ..plain import Texts
from .elements import is_group, plain_of

TEXT_TYPES = ("string", "large_string", "string_view")
WIDE_TEXT = pa.large_string()
WIDE_TEXTS = pa.large_list(WIDE_TEXT)
# What Arrow raises for values that are no column of one type.
_REFUSALS = (pa.ArrowException, TypeError, ValueError, OverflowError)


def texts_of(array: pa.LargeStringArray) -> Texts:
    """View an array without nulls as a column, without a copy."""
    _, offsets, data = array.buffers()
    if len(array) == 0:
        none: Any = engine.kernel.texts([])
        return none
    bounds = np.frombuffer(offsets, np.int64)[array.offset : array.offset + len(array) + 1]
    return engine.kernel.arrow_texts(bounds, np.frombuffer(data or b"", np.uint8), array)


def text_array(texts: Texts) -> pa.LargeStringArray:
    """Copy a column into an array."""
    offsets, data = texts.join()
    return pa.LargeStringArray.from_buffers(len(texts), pa.py_buffer(np.asarray(offsets, np.int64)), pa.py_buffer(data))


def reference_array(values: Any, argument: str) -> tuple[Texts, IntArray] | None:
    """Return all references in one column and the offsets of the segments; None if these are not references."""
    array = wide_array(values, argument)
    if array is None:
        values = [list(plain_of(value)) if is_group(value) else value for value in values]
        array = wide_array(values, argument)
    if array is None or array.null_count:
        return None
    if len(array) == 0:
        none: Any = engine.kernel.texts([])
        return none, np.zeros(1, np.int64)
    if array.type == WIDE_TEXT:
        return texts_of(array), np.arange(len(array) + 1, dtype=np.int64)
    if array.type != WIDE_TEXTS:
        return None
    lengths = np.asarray(array.value_lengths(), np.int64)
    texts = array.flatten()
    if texts.null_count or not lengths.all() or _holds_others(values):
        return None
    return texts_of(texts), offsets_of(lengths)


def _holds_others(values: Any) -> bool:
    """Return whether there are sets among lists, or bytes among texts: Arrow infers a type from the first of a list."""
    if isinstance(values, (pa.Array, pa.ChunkedArray)):
        return False
    if any(issubclass(cls, (set, frozenset)) for cls in {*map(type, values)}):
        return True
    return not all(issubclass(cls, (str, pa.Scalar)) for cls in set(map(type, chain.from_iterable(values))))


def wide_array(values: Any, argument: str) -> pa.Array | None:
    """Convert a column to one Arrow array with 64-bit offsets; None if Arrow refuses it.

    Raises
    ------
    ValueError
        If the values are such as Arrow's own validation refuses, which no element is looked at before.
    """
    _validate_elements(values, argument)
    values = _in_python(values)
    try:
        arrays = [values] if isinstance(values, (pa.Array, pa.ChunkedArray)) else _arrays_of(values)
    except _REFUSALS:
        return None
    for array in arrays:
        # Also what a Series of pandas or polars hands over.
        validate(array, argument)
    try:
        chunks = [_widened(chunk) for array in arrays for chunk in _chunks(array) if len(chunk)]
        chunks = chunks or [pa.array([], WIDE_TEXT)]
        return chunks[0] if len(chunks) == 1 else pa.concat_arrays(chunks)
    except _REFUSALS:
        return None


def _in_python(values: Any, *, is_row: bool = False) -> Any:
    """Return values that Arrow does not read as they are as Python's.

    Arrow ends NumPy's texts of fixed width at the first NUL, and refuses its own arrays and scalars beside other
    values or within a row.
    """
    if isinstance(values, np.ndarray):
        return values.tolist() if values.dtype.kind == "U" else values
    if isinstance(values, (list, tuple)):
        classes = {*map(type, values)}
        of_arrow = any(issubclass(cls, (pa.Scalar, pa.Array, pa.ChunkedArray)) for cls in classes)
        if (of_arrow and (is_row or len(classes) > 1)) or any(issubclass(cls, np.ndarray) for cls in classes):
            values = [value.tolist() if isinstance(value, np.ndarray) else plain_of(value) for value in values]
        if not is_row and any(issubclass(cls, (list, tuple)) for cls in classes):
            return [_in_python(value, is_row=True) for value in values]
    return values


def validate(values: Any, argument: str) -> None:
    """Refuse an array or a scalar of Arrow whose offsets, indices or text are not what its type says.

    Other libraries may build one without a check, and to look at an element of it may end the process.
    """
    try:
        values.validate(full=True)
    except pa.ArrowException as error:
        fail(ValueError, argument, "values that Arrow's `validate(full=True)` accepts", str(error))


def _validate_elements(values: Any, argument: str, depth: int = 2) -> None:
    """Refuse arrays and scalars of Arrow that are not valid, which a list may hold."""
    if isinstance(values, np.ndarray) and values.dtype == object:
        values = values.tolist()
    if not isinstance(values, (list, tuple)):
        return
    classes = {*map(type, values)}
    if not any(issubclass(cls, (pa.Scalar, pa.Array, pa.ChunkedArray, list, tuple, np.ndarray)) for cls in classes):
        return
    for position, value in enumerate(values):
        if isinstance(value, (pa.Scalar, pa.Array, pa.ChunkedArray)):
            validate(value, f"{argument}[{position}]")
        elif depth > 1:
            _validate_elements(value, f"{argument}[{position}]", depth - 1)


def _arrays_of(values: Any) -> list[Any]:
    try:
        return [pa.array(values)]
    except pa.ArrowNotImplementedError:
        # NumPy's StringDType, which Arrow reads only from NumPy 2.3 on.
        return [pa.array(list(values))]
    except pa.ArrowCapacityError:
        # Lists of text have 32-bit offsets until they are widened: 2 GB at most.
        values = list(values)
        half = len(values) // 2
        if half == 0:
            raise
        return _arrays_of(values[:half]) + _arrays_of(values[half:])


def _chunks(array: Any) -> list[pa.Array]:
    return array.chunks if isinstance(array, pa.ChunkedArray) else [array]


def _widened(array: pa.Array) -> pa.Array:
    """Cast text to 64-bit offsets; leave other types as they are."""
    if not (is_text(array.type) or is_texts(array.type)):
        # Rare layouts (run-end encoded, list views, dictionaries of views) are text only once they are unpacked.
        array = pa.array(array.to_pylist())
    if is_text(array.type):
        return array.cast(WIDE_TEXT)
    return array.cast(WIDE_TEXTS) if is_texts(array.type) else array


def is_text(column_type: pa.DataType) -> bool:
    """Return whether a column of this type holds texts that Arrow can cast: not a dictionary of views."""
    if pa.types.is_dictionary(column_type):
        return str(column_type.value_type) in TEXT_TYPES[:2]
    return str(column_type) in TEXT_TYPES


def is_texts(column_type: pa.DataType) -> bool:
    """Return whether a column of this type holds lists of texts."""
    types = pa.types
    is_list = types.is_list(column_type) or types.is_large_list(column_type) or types.is_fixed_size_list(column_type)
    return bool(is_list and is_text(column_type.value_type))

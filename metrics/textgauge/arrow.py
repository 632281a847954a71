"""Any column as one Arrow array with 64-bit offsets."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

TEXT_TYPES = ("string", "large_string", "string_view")
WIDE_TEXT = pa.large_string()
WIDE_TEXTS = pa.large_list(WIDE_TEXT)


def wide_array(values: Any) -> pa.Array | None:
    """Bring a column to one Arrow array with 64-bit offsets; None where Arrow refuses it."""
    try:
        chunks = [_widened(chunk) for chunk in _chunks(values)] or [pa.array([], WIDE_TEXT)]
        return chunks[0] if len(chunks) == 1 else pa.concat_arrays(chunks)
    except (pa.ArrowException, TypeError, ValueError, OverflowError):
        return None


def _chunks(values: Any) -> list[pa.Array]:
    if isinstance(values, (pa.Array, pa.ChunkedArray)):
        # Other libraries may build Arrow text without looking at its UTF-8.
        values.validate(full=True)
        return values.chunks if isinstance(values, pa.ChunkedArray) else [values]
    try:
        array = pa.array(values)
    except pa.ArrowNotImplementedError:
        # NumPy's StringDType, which Arrow reads only from NumPy 2.3 on.
        array = pa.array(list(values))
    except pa.ArrowCapacityError:
        # Lists of text have 32-bit offsets until they are widened: 2 GB at most.
        values = list(values)
        half = len(values) // 2
        if half == 0:
            raise
        return _chunks(values[:half]) + _chunks(values[half:])
    return array.chunks if isinstance(array, pa.ChunkedArray) else [array]


def _widened(array: pa.Array) -> pa.Array:
    """Give text 64-bit offsets; leave what is not text as it is."""
    if not (_is_text(array.type) or _is_texts(array.type)):
        # Rare layouts (run-end encoded, list views) are text only once they are unpacked.
        array = pa.array(array.to_pylist())
    if _is_text(array.type):
        return array.cast(WIDE_TEXT)
    return array.cast(WIDE_TEXTS) if _is_texts(array.type) else array


def _is_text(kind: pa.DataType) -> bool:
    return str(kind.value_type if pa.types.is_dictionary(kind) else kind) in TEXT_TYPES


def _is_texts(kind: pa.DataType) -> bool:
    types = pa.types
    is_list = types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind)
    return bool(is_list and _is_text(kind.value_type))

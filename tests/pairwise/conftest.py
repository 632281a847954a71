import numpy as np
import pytest
from textgauge import engine, plain

_UNSET = {"f": np.nan, "i": -(2**31), "u": 2**31}


@pytest.fixture(autouse=True)
def no_memory_is_right_by_chance(monkeypatch):
    """New arrays hold what no score or count is: freed memory may hold the right numbers."""
    empty = np.empty

    def unset(shape, dtype=float, *args, **options):
        array = empty(shape, dtype, *args, **options)
        if array.dtype.kind in _UNSET:
            array.fill(_UNSET[array.dtype.kind] if array.dtype.itemsize > 2 else 1)
        return array

    monkeypatch.setattr(np, "empty", unset)


@pytest.fixture(params=["compiled", "plain"])
def kernel(request, monkeypatch):
    if request.param == "plain":
        monkeypatch.setattr(engine, "kernel", plain)
        monkeypatch.setattr(engine, "must_warn", False)
    elif engine.kernel is plain:
        pytest.skip("no compiled kernel")

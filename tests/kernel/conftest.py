"""Both kernels, the compiled one and its twin in plain Python, for the same tests."""

import pytest
from textgauge import plain

try:
    from textgauge import _kernel as compiled_kernel
except ImportError:
    compiled_kernel = None
NOT_BUILT = "the compiled kernel is not built"


@pytest.fixture(scope="session")
def compiled():
    if compiled_kernel is None:
        pytest.skip(NOT_BUILT)
    return compiled_kernel


@pytest.fixture(scope="session", params=["plain", "compiled"])
def kernel(request):
    return plain if request.param == "plain" else request.getfixturevalue("compiled")

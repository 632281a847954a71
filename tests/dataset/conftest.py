import datasets
import pytest


@pytest.fixture(autouse=True)
def _no_bars():
    datasets.disable_progress_bars()
    yield
    datasets.enable_progress_bars()

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(Path(__file__).parent), str(ROOT)]
# Imports atheris, which the test extra does not bring; `python tests/fuzz` and its test start it.
collect_ignore = ["fuzz/guided.py"]


@pytest.fixture(scope="session")
def shared():
    folder = ROOT.parent / "shared"
    if not folder.is_dir():
        pytest.skip("the folder with recorded figures is not beside the project")
    return folder

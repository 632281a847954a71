"""The tests of sacreBLEU, of jiwer and of rouge_score, run with the drop-in imports in place of the tools.

Their packages lack the texts of these tests. TEXTGAUGE_OWN_TESTS names a folder with

- sacreBLEU's source archive: `pip download --no-deps --no-binary sacrebleu sacrebleu==VERSION`;
- jiwer's: `pip download --no-deps --no-binary jiwer jiwer==VERSION`;
- `testdata` of https://github.com/google-research/google-research/tree/master/rouge.
"""

import os
import re
import shutil
import subprocess
import sys
import tarfile
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow
sacrebleu = pytest.importorskip("sacrebleu")
VARIABLE = "TEXTGAUGE_OWN_TESTS"
# Ours for theirs, at the start of a line.
REPLACED = {
    r"import sacrebleu$": "from textgauge.compat import sacrebleu",
    r"import sacrebleu\.": "import textgauge.compat.sacrebleu.",
    r"from sacrebleu": "from textgauge.compat.sacrebleu",
    r"import jiwer$": "from textgauge.compat import jiwer",
    r"from jiwer import": "from textgauge.compat.jiwer import",
    r"from rouge_score import (rouge_scorer|scoring)$": r"from textgauge.compat import \1",
}


def source(name):
    """A file or folder of the folder that the variable names."""
    if VARIABLE not in os.environ:
        pytest.skip(f"{VARIABLE} names no folder; see {Path(__file__).name}")
    path = Path(os.environ[VARIABLE], name)
    if not path.exists():
        pytest.skip(f"no {name} in the folder that {VARIABLE} names")
    return path


def outcomes(folder, *options):
    """The tests that pass and those that fail, or cannot be collected."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", os.devnull, "--rootdir", "."]
    done = subprocess.run([*command, "-rA", "--tb=no", *options], cwd=folder, capture_output=True, text=True)
    found = re.findall(r"^(PASSED|FAILED|ERROR) (.*?)(?: - .*)?$", done.stdout, re.MULTILINE)
    return [[name for outcome, name in found if (outcome == "PASSED") == wanted] for wanted in (True, False)]


def replace_imports(folder):
    for path in folder.rglob("*test*.py"):
        text = path.read_text(encoding="utf-8")
        for theirs, ours in REPLACED.items():
            text = re.sub(f"^{theirs}", ours, text, flags=re.MULTILINE)
        path.write_text(text, encoding="utf-8")


def test_those_of_sacrebleu(tmp_path):
    name = f"sacrebleu-{sacrebleu.__version__}"
    with tarfile.open(source(f"{name}.tar.gz")) as archive:
        archive.extractall(tmp_path, [one for one in archive if one.name.startswith(f"{name}/test/")])
    folder = tmp_path / name
    # These download data sets, and score nothing.
    for other in ("test_api.py", "test_dataset.py"):
        (folder / "test" / other).unlink()
    replace_imports(folder)
    passed, failed = outcomes(folder)
    assert not failed
    assert len(passed) >= 130


def test_those_of_jiwer(tmp_path):
    pytest.importorskip("jiwer")
    name = f"jiwer-{version('jiwer')}"
    with tarfile.open(source(f"{name}.tar.gz")) as archive:
        archive.extractall(tmp_path, [one for one in archive if one.name.startswith(f"{name}/tests/")])
    folder = tmp_path / name
    # It takes pytest-benchmark.
    (folder / "tests" / "test_speed.py").unlink()
    replace_imports(folder)
    passed, failed = outcomes(folder)
    assert not failed
    assert len(passed) >= 50


def test_those_of_rouge_score(tmp_path):
    testdata = source("testdata")
    package = Path(find_spec("rouge_score").origin).parent
    for kind in ("theirs", "ours"):
        (tmp_path / kind).mkdir()
        shutil.copytree(testdata, tmp_path / kind / "testdata")
        for path in (*package.glob("*_test.py"), package / "test_util.py"):
            text = path.read_text(encoding="utf-8").replace("from rouge_score import test_util", "import test_util")
            (tmp_path / kind / path.name).write_text(text, encoding="utf-8")
    replace_imports(tmp_path / "ours")
    names = [path.name for path in package.glob("*_test.py")]
    # Some need the model of nltk.
    found, expected = (outcomes(tmp_path / kind, *names) for kind in ("ours", "theirs"))
    assert found == expected
    assert len(found[0]) >= 30

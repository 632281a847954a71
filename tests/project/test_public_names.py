"""An import brings no library that it does not need; every public name is found on first use."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest
import textgauge
from textgauge.accumulation.registry import METRICS

# What one statement after the other leaves alone.
UNUSED = {
    "import textgauge": ("numpy", "pyarrow", "click"),
    "import textgauge.rewards": ("pyarrow", "datasets", "transformers", "torch"),
    "import textgauge.spark": ("pyspark",),
    "from textgauge import *": (
        "evaluate", "datasets", "torch", "transformers", "pandas", "click", "tqdm", "scipy", "pyspark",
        "textgauge.cli", "textgauge.sample",
    ),
}  # fmt: skip


def test_an_import_brings_no_library_that_it_does_not_need():
    lines = (f"{statement}; assert not {{*{unused}}} & {{*sys.modules}}" for statement, unused in UNUSED.items())
    subprocess.run([sys.executable, "-c", "\n".join(["import sys", *lines])], check=True)


def test_every_public_name_is_there():
    names = {}
    exec("from textgauge import *", names)
    assert {*textgauge.__all__} <= {*names} & {*dir(textgauge)}
    assert textgauge.bleu is textgauge.bleu
    with pytest.raises(AttributeError, match="module 'textgauge' has no attribute 'blur'"):
        _ = textgauge.blur
    for room, names in textgauge._ROOMS.items():
        assert [*names] == getattr(textgauge, room).__all__
    with pytest.raises(AttributeError, match=r"no attribute 'Reward'; it is textgauge\.rewards\.Reward$"):
        _ = textgauge.Reward


def test_no_docstring_lists_a_part_of_the_metrics():
    """Such a list is forgotten when a metric comes: a few are examples, more are all."""
    lists = {}
    several = re.compile(r'(?:"\w+",\s+){3,}"\w+"')
    for path in Path(textgauge.__file__).parent.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)) if several.search(text) else ():
            if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)):
                for listed in several.findall(ast.get_docstring(node) or ""):
                    named = {*re.findall(r"\w+", listed)} & {*METRICS}
                    if 3 < len(named) < len(METRICS):
                        lists[f"{path.name}: {getattr(node, 'name', '')}"] = sorted(named)
    assert lists == {}

"""`import textgauge` imports nothing else; every public name is found on first use."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest
import textgauge


def test_importing_the_package_imports_no_library():
    code = "import sys, textgauge; print(*{'numpy', 'pyarrow', 'click'} & {*sys.modules})"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "\n"


def test_every_public_name_is_there():
    names = {}
    exec("from textgauge import *", names)
    assert {*textgauge.__all__} <= {*names} & {*dir(textgauge)}
    assert textgauge.bleu is textgauge.bleu
    with pytest.raises(AttributeError, match="module 'textgauge' has no attribute 'bleurt'"):
        _ = textgauge.bleurt


def test_type_checkers_see_the_names_that_are_imported():
    tree = ast.parse(Path(textgauge.__file__).read_text("utf-8"))
    [block] = [node for node in tree.body if isinstance(node, ast.If)]
    seen = {alias.name: node.module for node in block.body for alias in node.names}
    assert seen == {"trainer": None} | {name: home for home, names in textgauge._HOMES.items() for name in names}
    assert {*seen, "__version__"} == {*textgauge.__all__}

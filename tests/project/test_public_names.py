"""`import textgauge` imports nothing else; every public name is found on first use."""

import subprocess
import sys

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

"""What is written: a file keeps its mode, and JSON has no infinity."""

import math
import os
import stat
from collections import namedtuple

import pytest
from textgauge.cli.output import rounded, write_whole


@pytest.mark.skipif(os.name == "nt", reason="modes of POSIX")
@pytest.mark.parametrize("mode", [0o600, 0o644, 0o664])
def test_a_file_that_is_written_anew_keeps_its_mode(tmp_path, mode):
    path = tmp_path / "page.json"
    path.write_text("old")
    path.chmod(mode)
    write_whole(path, "new")
    assert (path.read_text(), stat.S_IMODE(path.stat().st_mode)) == ("new", mode)
    assert os.listdir(tmp_path) == ["page.json"]


@pytest.mark.parametrize("width", [None, 4])
@pytest.mark.parametrize("value", [math.inf, -math.inf, math.nan])
def test_json_has_null_for_what_is_not_finite(value, width):
    assert rounded({"a": [value, 0.5]}, width) == {"a": [None, 0.5]}


def test_json_rounds_scores_alone_and_has_objects_for_named_tuples():
    test = namedtuple("Test", ("difference", "p", "interval"))(0.1234, 0.1234, (0.1234, 1))
    assert rounded({"a": test, "power": 0.1234}, 2) == {
        "a": {"difference": 0.12, "p": 0.1234, "interval": [0.12, 1]}, "power": 0.1234,
    }  # fmt: skip

"""The command that measures captions compares the figures of both sides, and prints a table."""

import gzip
import json
import shutil

import pytest
import textgauge

from comparisons import captions_cost

LINES = [
    "a man rides a brown horse",
    "two dogs run on the grass",
    "one cat sits near a window",
    "people walk in a park",
]


@pytest.fixture
def rows(tmp_path, monkeypatch):
    monkeypatch.setattr(captions_cost, "N_IMAGES", 4)
    path = tmp_path / "rows.jsonl.gz"
    texts = [f"{line} {word}" for word in ("here", "today", "now") for line in LINES]
    written = "".join(json.dumps({"prediction": one, "reference": one[2:]}) + "\n" for one in texts)
    path.write_bytes(gzip.compress(written.encode()))
    yield path
    # The command takes one thread.
    textgauge.set_num_threads(None)


def test_captions_are_cut_and_grouped(rows):
    predictions, references = captions_cost.captions_of(rows)
    assert (len(predictions), [len(group) for group in references]) == (4, [5] * 4)
    assert predictions[0] == "a man rides a brown horse here x"
    assert references[0][:2] == ["man rides a brown horse here x", "two dogs run on the grass here x"]


def test_figures_that_differ_are_told(capsys):
    captions_cost.check({"CIDEr": 1.0, "METEOR": 0.5}, {"CIDEr": 1.0, "METEOR": 0.5 + 1e-12})
    assert capsys.readouterr().out == ""
    captions_cost.check({"CIDEr": 1.0, "METEOR": 0.5}, {"CIDEr": 1.1, "METEOR": 0.6})
    assert capsys.readouterr().out == "CIDEr differs: 1.0, the tool 1.1\nMETEOR differs: 0.5, the tool 0.6\n"


# Java starts, twice.
@pytest.mark.slow
def test_both_sides_are_timed_and_agree(rows, capsys):
    pytest.importorskip("pycocoevalcap.bleu", reason="no pycocoevalcap, which is measured")
    if shutil.which("java") is None:
        pytest.skip("no Java, which pycocoevalcap needs")
    captions_cost.main(rows)
    lines = capsys.readouterr().out.splitlines()
    assert "differs" not in "".join(lines)
    assert lines[0].startswith("4 captions, 5 references each; ")
    table = [line.split(" | ") for line in lines if line.startswith("|")]
    assert [row[0] for row in table] == ["| ", "| ---", "| tokens and CIDEr-D", "| the whole table"]
    assert all(float(cell.rstrip(" |s")) >= 0 for row in table[2:] for cell in row[1:])

"""The command that measures METEOR compares the scores of both sides, and prints a table."""

import gzip
import json
from pathlib import Path

import pytest
import textgauge
from textgauge.text import wordnet

from comparisons import meteor_cost

ROWS = [
    {"prediction": "the cats sat on a mat", "references": ["a cat sits on the mat", "cats"]},
    {"prediction": "a big dog barks", "reference": "a large dog barked"},
]


@pytest.fixture
def rows(tmp_path, monkeypatch):
    monkeypatch.setattr(meteor_cost, "N_CALLS", 2)
    path = tmp_path / "rows.jsonl.gz"
    path.write_bytes(gzip.compress("".join(json.dumps(row) + "\n" for row in ROWS).encode()))
    yield path
    # The command takes one thread.
    textgauge.set_num_threads(None)


def test_pairs_have_the_first_reference(rows, monkeypatch):
    pairs = [("the cats sat on a mat", "a cat sits on the mat"), ("a big dog barks", "a large dog barked")]
    assert meteor_cost.pairs_of(rows) == pairs
    monkeypatch.setattr(meteor_cost, "N_PAIRS", 1)
    assert meteor_cost.pairs_of(rows) == pairs[:1]


# nltk reads all of WordNet.
@pytest.mark.slow
def test_both_sides_are_timed_and_agree(rows, capsys):
    pytest.importorskip("nltk", reason="no nltk, which is measured")
    place = Path(wordnet.find(None))
    if not place.is_dir() or (place / "data.noun").stat().st_size < 1 << 20:
        pytest.skip("no folder of WordNet 3.0")
    meteor_cost.main(rows)
    first, *lines = capsys.readouterr().out.splitlines()
    assert ": 2 pairs, 2 scores equal; " in first
    table = [line for line in lines if line.startswith("|")]
    assert [line.split(" | ")[0] for line in table] == ["| nltk reads", "| ---", "| a folder", "| a zip"]
    assert lines[-1].startswith("METEOR 1.5, one pair, warm: ")

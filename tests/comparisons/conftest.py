import json
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

SUMMARIES = [
    ("The mill by the brook was sold.\nA baker bought it.", ["A baker has bought the old mill by the brook."]),
    ("Snow closed the pass for two days.", ["For two days, snow closed the mountain pass.\nIt is open again."]),
    ("Nobody saw the fox.", ["Nobody had seen the fox running."]),
]
TRANSLATIONS = [
    ("The boat leaves the harbour at nine o'clock.", ["At nine o'clock the boat leaves the harbour."]),
    ("He asked for 2.5 litres of milk, and bread.", ["He asked for bread and 2.5 litres of milk.", "He wanted milk."]),
    ("It rained all night on the roof of the barn.", ["It was raining all night on the roof of the barn."]),
]


def lines(segments):
    return "".join(json.dumps({"prediction": p, "references": r}) + "\n" for p, r in segments)


@pytest.fixture
def texts(tmp_path):
    """Options that name two small files."""
    (tmp_path / "summaries.jsonl").write_text(lines(SUMMARIES))
    (tmp_path / "translations.jsonl").write_text(lines(TRANSLATIONS))
    return [f"--{name}={tmp_path / name}.jsonl" for name in ("summaries", "translations")]


@pytest.fixture
def small():
    """Two segments with one reference each."""
    from comparisons.reference_modules.corpora import Corpus

    return Corpus("two", ["a fox", "the hen"], [["a red fox"], ["the hen"]])

"""Accumulators that the last release pickled, with classes that are gone, load with their scores, or are refused."""

import base64
import json
import pickle
import re

import pytest
import textgauge
import textgauge.measures.chrf as module
from conftest import ROOT
from textgauge.accumulation.accumulator import ACCUMULATORS
from textgauge.accumulation.registry import METRICS

CASES = json.loads((ROOT / "tests/data/pickles.json").read_text("utf-8"))["cases"]
CHRF = base64.b64decode(CASES["chrf"]["pickle"])
pytestmark = pytest.mark.filterwarnings("ignore:.*BLEU is 0", "ignore:no prediction is long enough")


def signature(result):
    """The signature without the release, and without METEOR 1.5's data, which are those of this machine."""
    return re.sub(r"version:.*|paraphrases:\w+", "", result["signature"])


@pytest.mark.parametrize("name", CASES)
def test_old_pickles_score_as_recorded(name):
    counted = pickle.loads(base64.b64decode(CASES[name]["pickle"]))
    assert type(counted) is ACCUMULATORS[METRICS[name]]
    found = counted.score(signature=True)
    expected = {**CASES[name]["result"], "signature": signature(CASES[name]["result"])}
    if name == "perplexity":
        # The last bit of NumPy's `exp` depends on its version.
        expected["perplexities"] = pytest.approx(expected["perplexities"], rel=4e-16)
    assert {**found, "signature": signature(found)} == expected
    again = pickle.loads(pickle.dumps(counted))
    assert (counted + again).score() == (again + again).score()


def test_old_pickles_name_classes_that_are_gone():
    assert b"ChrfCounter" in CHRF
    with pytest.raises(AttributeError, match="ChrfSomething"):
        _ = module.ChrfSomething


def test_modules_that_moved_have_their_classes():
    assert b"textgauge.measures.cer" in base64.b64decode(CASES["cer"]["pickle"])
    from textgauge.measures.cer import Cer
    from textgauge.measures.squad_v2 import SquadV2Metric

    assert (Cer, SquadV2Metric) == (textgauge.Cer, textgauge.SquadV2.metric_type)
    with pytest.raises(ImportError):
        from textgauge.measures.cer import Something  # noqa: F401


def test_old_pickles_go_on_counting():
    counted, chrf = pickle.loads(CHRF), ACCUMULATORS[METRICS["chrf"]]
    counted.update(["a house"], [["the house"]])
    texts = ["the cat sat", "a dog", "a house"], [["the cat sat", "a cat"], ["the dog", "b"], ["the house"]]
    assert counted.score() == chrf(word_order=2).update(*texts).score()


def test_old_pickles_of_other_rows_are_refused():
    assert CHRF.count(b"matches") == 1
    with pytest.raises(ValueError, match=r"^pickle: expected rows of chrf .*count the texts again.*natches"):
        pickle.loads(CHRF.replace(b"matches", b"natches"))

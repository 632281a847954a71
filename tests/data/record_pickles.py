"""Record pickles of the release that is installed: `python tests/data/record_pickles.py`, before names change.

Accumulators of all metrics that count, with what they score. Modules of NumPy have the names that NumPy 1 knows, too.
"""

import base64
import io
import json
import pickle
import warnings
from pathlib import Path

import textgauge
from textgauge.accumulation.accumulator import ACCUMULATORS
from textgauge.accumulation.registry import METRICS

PREDICTIONS, REFERENCES = ["the cat sat", "a dog"], [["the cat sat", "a cat"], ["the dog", "b"]]
WITH_A_MODEL = ("bertscore", "comet", "consistency", "frugalscore", "math_answer", "metricx")
OPTIONS = {"rouge": {"rouge_types": ["rouge1", "rougeL"], "max_words": 5}, "chrf": {"word_order": 2}}


class Pickler(pickle._Pickler):
    """Writes protocol 2 with the old names of modules."""

    def save_global(self, obj, name=None):
        if (getattr(obj, "__module__", None) or "").startswith("numpy._core"):
            self.write(b"c" + obj.__module__.replace("_core", "core").encode() + b"\n" + obj.__name__.encode() + b"\n")
            self.memoize(obj)
        else:
            super().save_global(obj, name)

    dispatch = {**pickle._Pickler.dispatch, type: save_global, type(lambda: 0): save_global}


def pickled(counted):
    file = io.BytesIO()
    Pickler(file, protocol=2).dump(counted)
    return base64.b64encode(file.getvalue()).decode()


def recorded():
    for name in METRICS:
        if name not in WITH_A_MODEL:
            empty = ACCUMULATORS[METRICS[name]](**OPTIONS.get(name, {}))
            if name == "perplexity":
                yield name, empty.update(probs=[[0.5, 0.25], [0.125]])
            elif METRICS[name].inputs.needed == ("predictions", "references"):
                yield name, empty.update(PREDICTIONS, REFERENCES)
            else:
                yield name, empty.update(PREDICTIONS, REFERENCES, sources=["the cat sits", "the dog"])


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    cases = {
        name: {"pickle": pickled(counted), "result": counted.score(signature=True)} for name, counted in recorded()
    }
    text = json.dumps({"version": textgauge.__version__, "cases": cases}, indent=0)
    (Path(__file__).parent / "pickles.json").write_text(text + "\n", encoding="utf-8")

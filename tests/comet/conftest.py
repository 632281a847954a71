import gzip
import json

import pytest
import textgauge
from tiny_models import on_one_thread, save_comet

INSTALL = 'needs torch, transformers and PyYAML: pip install -e ".[comet]"'
# Few lengths make few batches, so the tests are fast.
HYPS = ["the cat sat on the mat", "a dog", "the dog barks at a mat", "sat on", "cat dog", "mat"]
REFS = ["a cat sat on a mat", "dog barks", "coffee mat", "mat", "a dog", "cat"]
SRCS = ["cat mat", "dog", "mat coffee", "cat", "b", "c"]
one_thread = on_one_thread(INSTALL, "transformers", "yaml")


@pytest.fixture(autouse=True)
def nothing_remembered(monkeypatch):
    """Every call computes: no test compares a figure with itself."""
    from textgauge.models import comet

    monkeypatch.setattr(comet, "REMEMBERED", 0)


@pytest.fixture
def remembering(nothing_remembered, monkeypatch):
    """A function that sets the bytes that a model, which has not seen a text, remembers."""
    from textgauge.models import comet

    usual = 64_000_000
    textgauge.models.clear_models()
    yield lambda n_bytes=usual: monkeypatch.setattr(comet, "REMEMBERED", n_bytes)
    textgauge.models.clear_models()


@pytest.fixture(scope="session")
def recorded(shared):
    """The folder of checkpoints, and the figures of unbabel-comet for them."""
    folder = shared / "oracles/comet"
    if not folder.is_dir():
        pytest.skip("the recorded figures of COMET are not beside the project")
    with gzip.open(folder / "figures.json.gz", "rt") as file:
        return folder / "checkpoints", json.load(file)


@pytest.fixture(scope="session")
def saved(tmp_path_factory):
    """A function that saves a checkpoint, each once, and returns its folder and what `save_comet` returns."""
    made = {}

    def save(kind="regression_metric", family="XLM-RoBERTa", **settings):
        key = repr((kind, family, settings))
        if key not in made:
            folder = tmp_path_factory.mktemp("comet")
            made[key] = folder, save_comet(folder, kind, family, **settings)
        return made[key]

    yield save
    textgauge.models.clear_models()


@pytest.fixture
def usual(saved):
    return {"model_id": str(saved("regression_metric")[0])}


@pytest.fixture
def qe(saved):
    return {"model_id": str(saved("unified_metric", input_segments=["mt", "src"])[0])}

import gzip
import json
import runpy

import pytest
import textgauge
from tiny_models import on_one_thread, save_metricx

INSTALL = 'needs torch, transformers, sentencepiece and protobuf: pip install -e ".[metricx]"'
one_thread = on_one_thread(INSTALL, "transformers", "sentencepiece", "google.protobuf")


@pytest.fixture(scope="session")
def recorded(shared, tmp_path_factory):
    """The folder of checkpoints, and the figures of the official program for them."""
    place = shared / "oracles/metricx"
    if not place.is_dir():
        pytest.skip("the recorded figures of MetricX are not beside the project")
    folder = tmp_path_factory.mktemp("recorded")
    runpy.run_path(str(place / "make_checkpoints.py"))["main"](folder)
    with gzip.open(place / "given.json.gz", "rt") as file:
        return folder, json.load(file)


@pytest.fixture(scope="session")
def saved(tmp_path_factory):
    """A function that saves a checkpoint, each once, and returns its folder and its weights."""
    place, made = tmp_path_factory.mktemp("metricx"), {}

    def save(*given):
        if given not in made:
            made[given] = save_metricx(place, *given)
        return made[given]

    yield save
    textgauge.models.clear_models()


def options_of(folder):
    return {"model_id": str(folder), "encoder": str(folder.parent / "mt5")}


@pytest.fixture
def usual(saved):
    return options_of(saved("24")[0])


@pytest.fixture
def qe(saved):
    return options_of(saved("23-qe")[0])

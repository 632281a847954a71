import gzip
import json
import subprocess
import sys

import pytest
import textgauge
from tiny_models import save_metricx

INSTALL = 'needs torch, transformers, sentencepiece and protobuf: pip install -e ".[metricx]"'


@pytest.fixture(autouse=True, scope="session")
def one_thread():
    """Two threads only wait for each other over small matrices."""
    torch = pytest.importorskip("torch", reason=INSTALL)
    for name in ("transformers", "sentencepiece", "google.protobuf"):
        pytest.importorskip(name, reason=INSTALL)
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)
    textgauge.models.clear_models()


@pytest.fixture(scope="session")
def recorded(shared, tmp_path_factory):
    """The folder of checkpoints, and the figures of the official program for them."""
    place = shared / "oracles/metricx"
    if not place.is_dir():
        pytest.skip("the recorded figures of MetricX are not beside the project")
    folder = tmp_path_factory.mktemp("recorded")
    subprocess.run([sys.executable, place / "make_checkpoints.py", folder], check=True)
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

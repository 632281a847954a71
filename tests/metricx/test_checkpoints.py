"""Checkpoints that are missing, damaged, foreign or malicious, and what the Hub may answer."""

import json
import shutil
import sys

import pytest
import textgauge
from textgauge.models import loading
from textgauge.models.metricx import form_of
from tiny_models import load_comet, load_metricx, save_comet, save_weights
from tiny_models import refused as refused_by

from .conftest import INSTALL

torch = pytest.importorskip("torch", reason=INSTALL)


@pytest.fixture
def copied(saved, tmp_path):
    """A function that copies a checkpoint, and returns its folder and its weights as tensors."""

    def copy(file="safetensors"):
        folder, weights = saved("24", "float32", file)
        place = tmp_path / folder.name
        shutil.copytree(folder, place, dirs_exist_ok=True)
        return place, {name: torch.from_numpy(value) for name, value in weights.items()}

    return copy


@pytest.fixture
def words(saved):
    return saved("24")[0].parent / "mt5"


def refused(folder, words, *given, **options):
    refused_by("metricx", folder, *given, encoder=words, **options)


def test_safetensors_come_first(copied, words):
    folder, _ = copied()
    before = load_metricx(folder, words).score(["a"], {"sources": ["b"]}, 1).scores
    (folder / "pytorch_model.bin").write_bytes(b"damaged")
    assert (load_metricx(folder, words).score(["a"], {"sources": ["b"]}, 1).scores == before).all()


@pytest.mark.parametrize("file", ["safetensors", "bin"])
def test_weights_in_several_files(copied, words, file):
    from safetensors.torch import save_file

    folder, state = copied(file)
    before = load_metricx(folder, words)
    names, name = [*state], {"safetensors": "model", "bin": "pytorch_model"}[file]
    (folder / f"{name}.{file}").unlink()
    save = save_file if file == "safetensors" else torch.save
    for i, part in enumerate((names[::2], names[1::2]), 1):
        save({one: state[one] for one in part}, folder / f"{name}-0000{i}-of-00002.{file}")
    after = load_metricx(folder, words)
    given = ["the cat"], {"sources": ["a"], "references": ["cat"]}, 1
    # Products in float32 depend on where in memory a mapped matrix begins.
    assert after.score(*given).scores == pytest.approx(before.score(*given).scores, abs=5e-5)
    (folder / f"{name}-00002-of-00002.{file}").unlink()
    refused(folder, words, "^model_id: .*got 1 missing:")


def test_wrong_weights(copied, words):
    folder, state = copied()
    layer = "decoder.block.1.layer.1.EncDecAttention.k.weight"
    for key in (layer, "lm_head.weight", "shared.weight", "encoder.final_layer_norm.weight"):
        save_weights(folder, {one: value for one, value in state.items() if one != key})
        refused(folder, words, f"^model_id: .*got 1 missing: {key}")
    for key in ("foreign", "encoder.block.9.layer.0.layer_norm.weight"):
        save_weights(folder, {**state, key: torch.zeros(1)})
        refused(folder, words, f"^model_id: .*got 1 unknown: {key}")
    for key, message in ((layer, "weights of the sizes of MT5ForRegression"), ("lm_head.weight", "lm_head.weight of")):
        save_weights(folder, {**state, key: torch.zeros(7, 7)})
        refused(folder, words, f"^model_id: .*{message}")
    save_weights(folder, {**state, "encoder.embed_tokens.weight": state["shared.weight"] + 1})
    refused(folder, words, "^model_id: .*embed_tokens.*got several")


@pytest.mark.parametrize("architectures", [["MT5ForConditionalGeneration"], None, ["T5Model"]])
def test_other_classes_are_refused(copied, words, architectures):
    folder, _ = copied()
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, "architectures": architectures}))
    refused(folder, words, "^model_id: expected a model of MetricX, MT5ForRegression, in ")


def test_missing_files_and_folders(copied, words, tmp_path):
    folder, _ = copied()
    (folder / "model.safetensors").unlink()
    files = "config.json and model\\*.safetensors or pytorch_model\\*.bin"
    refused(folder, words, f"^model_id: .*{files}.*got .* without model", FileNotFoundError)
    (folder / "config.json").unlink()
    refused(folder, words, "^model_id: .*got .* without config", FileNotFoundError)
    refused(folder, "./no-such", "^encoder: .*got './no-such'", FileNotFoundError)
    (folder / "config.json").write_text("{")
    (folder / "model.safetensors").write_bytes(b"")
    refused(folder, words, "^model_id: expected a MetricX model, complete in its folder, got ", OSError)


def test_form_of_model(copied, words, tmp_path):
    for name, form in (
        ("google/metricx-24-hybrid-xl-v2p6-bfloat16", "24"), ("google/metricx-23-qe-xxl-v2p0", "23-qe"),
        ("google/metricx-23-large-v2p0", "23"),
    ):  # fmt: skip
        assert form_of(name, None) == form
    folder, _ = copied()
    mine = tmp_path / "mine"
    shutil.copytree(folder, mine)
    refused(mine, words, "^form: .*got None")
    assert load_metricx(mine, words, form="23").takes == ("references",)
    # What is given counts, whatever the name says.
    assert load_metricx(folder, words, form="23-qe").takes == ("sources",)


def test_tokenizers_that_are_not_that_of_mt5(copied, words, saved, tmp_path, monkeypatch):
    from tiny_models import save_tokenizer

    folder, _ = copied()
    save_tokenizer(tmp_path / "bpe")
    allowed = "^encoder: .*local"
    refused(folder, tmp_path / "bpe", allowed)
    (tmp_path / "empty").mkdir()
    refused(folder, tmp_path / "empty", "^encoder: ", (OSError, ValueError))
    monkeypatch.setitem(sys.modules, "sentencepiece", None)
    loading.clear_models()

    def without(*_, **__):
        raise ValueError("`tiktoken` is required to read a `tiktoken` file.")

    monkeypatch.setattr("transformers.AutoTokenizer.from_pretrained", without)
    with pytest.raises(
        ImportError, match=r'^not installed, and needed .* sentencepiece.* .pip install "textgauge\[metricx\]"'
    ):
        load_metricx(folder, words)


def test_unknown_token(saved, words):
    folder, _ = saved("24")
    model = load_metricx(folder, words)
    model._cutter.tokenizer.add_tokens(["zebra"])
    model._n_words, before = 300, model._n_words
    with pytest.raises(ValueError, match="^encoder: .*got token"):
        model.score(["zebra"], {"sources": ["a"]}, 1)
    model._n_words = before
    loading.clear_models()


def test_a_model_of_the_hub(copied, words, hub, tmp_path):
    name = "google/metricx-24-hybrid-large-v2p6"
    for file, patterns in (("safetensors", ["model*"]), ("bin", ["model*", "pytorch_model*"])):
        folder, _ = copied(file)
        commit = tmp_path / file / "0123456789abcdef0123456789abcdef01234567"
        shutil.copytree(folder, commit)
        asked = hub(commit)
        asked.clear()
        loading.clear_models()
        model = load_metricx(name, words, revision="main")
        assert model.identity == {"model": name, "revision": "0123456789ab", "form": "24", "dtype": "float32"}
        assert [(*one[:2], one[2][0], one[2][1].partition(".")[0]) for one in asked] == [
            (name, "main", "config.json", pattern) for pattern in patterns
        ]


def test_lacking_texts_before_fetching(hub):
    asked = hub(OSError("fetched"))
    qe = "google/metricx-23-qe-xl-v2p0"
    with pytest.raises(ValueError, match=f"^`references` cannot be given, since {qe} does not use references"):
        textgauge.metricx(["a"], ["b"], model_id=qe)
    with pytest.raises(ValueError, match=f"^sources: .*{qe}.*got None"):
        textgauge.metricx(["a"], model_id=qe)
    with pytest.raises(ValueError, match=r"^sources: .* \(or references\), with which google/metricx-24-hybrid-large"):
        textgauge.metricx(["a"])
    with pytest.raises(ValueError, match="^references: .*got None"):
        textgauge.metricx(["a"], model_id="mine", form="23")
    assert asked == []


def test_model_of_another_metric(saved, words, tmp_path, hub):
    folder, _ = saved("24")
    comet = tmp_path / "0123456789abcdef"
    comet.mkdir()
    save_comet(comet)
    with pytest.raises(ValueError, match="^model_id: .*got .* the metric metricx scores"):
        load_comet(folder)
    refused(comet, words, "^model_id: .*got .*, with which the metric comet scores")
    asked = hub(comet)
    refused("Unbabel/wmt22-comet-da", words, "^model_id: .*got Unbabel/wmt22-comet-da, with")
    assert ("Unbabel/wmt22-comet-da", "0123456789abcdef", ["hparams.yaml"]) in asked

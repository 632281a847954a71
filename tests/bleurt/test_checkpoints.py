"""Checkpoints that are missing, damaged, foreign or malicious, what names stand for, and what the Hub may answer."""

import json
import shutil
import sys
from functools import partial

import pytest
from textgauge.models import loading
from textgauge.models.bleurt import PUBLISHED
from tiny_models import load_learned, save_bleurt, save_weights
from tiny_models import refused as refused_by

torch = pytest.importorskip("torch", reason="needs torch")
load, refused = partial(load_learned, "bleurt"), partial(refused_by, "bleurt")


@pytest.fixture
def copied(saved, tmp_path):
    """A function that copies a checkpoint, and returns its folder and its weights as tensors."""

    def copy(form="bert", file="bin"):
        folder, weights = saved(form, file)
        place = tmp_path / folder.name
        shutil.copytree(folder, place, dirs_exist_ok=True)
        return place, {name: torch.from_numpy(value) for name, value in weights.items()}

    return copy


def test_wrong_weights(copied):
    folder, state = copied()
    model = r"the weights of a BLEURT model \(pytorch_model.bin\)"
    query = "bleurt.encoder.layer.1.attention.self.query.weight"
    for key in (query, "classifier.bias", "bleurt.pooler.dense.weight", "bleurt.embeddings.word_embeddings.weight"):
        torch.save({one: value for one, value in state.items() if one != key}, folder / "pytorch_model.bin")
        refused(folder, f"^model_id: .*{model}.*got 1 missing: .*{key.removeprefix('bleurt.')}")
    for key in ("foreign", "bleurt.foreign"):
        torch.save({**state, key: torch.zeros(1)}, folder / "pytorch_model.bin")
        refused(folder, f"^model_id: .*{model}.*got 1 unknown: foreign")
    torch.save({**state, "classifier.weight": torch.zeros(2, 16)}, folder / "pytorch_model.bin")
    refused(folder, "^model_id: .*classifier.weight.*.1, 16..*pytorch_model.bin.*got .2, 16.")
    torch.save({**state, query: torch.zeros(7, 7)}, folder / "pytorch_model.bin")
    refused(folder, "^model_id: .*sizes.*.pytorch_model.bin")
    more = {key.replace("layer.1", "layer.2"): value for key, value in state.items()}
    torch.save({**state, **more}, folder / "pytorch_model.bin")
    refused(folder, "^model_id: .*config.json.*got 3 in pytorch_model.bin")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"architectures": ["BertModel"]}, "one of BleurtForSequenceClassification, BertForSequenceClassification as"),
        ({"architectures": None}, "one of BleurtForSequenceClassification"),
        ({"id2label": {"0": "a", "1": "b"}}, "a model with one output in config.json"),
        ({"hidden_size": "16"}, "a whole number of at least 1 as hidden_size in config.json"),
        ({"num_hidden_layers": 10**12}, "1000000000000 layers, as config.json says,"),
        ({"num_attention_heads": 3}, "a hidden_size in config.json that its num_attention_heads divides"),
        ({"hidden_act": "relu"}, "one of gelu, .* as hidden_act in config.json"),
        ({"hidden_act": []}, "one of gelu, .* as hidden_act in config.json"),
        ({"position_embedding_type": "relative_key"}, "absolute positions in config.json"),
        ({"layer_norm_eps": None}, "a number between 0 and 1 as layer_norm_eps in config.json"),
        ({"pad_token_id": -1}, "a token as pad_token_id in config.json"),
        ({"vocab_size": 3000}, "weights of the sizes of a BLEURT model"),
    ],
)
def test_wrong_settings(copied, changes, message):
    folder, _ = copied()
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, **changes}))
    refused(folder, f"^model_id: .*{message}.*in")
    for text, got in (("{", "JSONDecodeError"), ("[1]", ".1."), ("\ufffd" * 9, "JSONDecodeError")):
        (folder / "config.json").write_text(text)
        refused(folder, f"^model_id: expected names and values of JSON in config.json in .*, got {got}")


def test_missing_files_and_folders(copied):
    folder, _ = copied()
    (folder / "pytorch_model.bin").unlink()
    files = "config.json and model\\*.safetensors or pytorch_model\\*.bin"
    refused(folder, f"^model_id: .*{files}.*got .* without model", FileNotFoundError)
    (folder / "config.json").unlink()
    refused(folder, f"^model_id: .*{files}.*got .* without config", FileNotFoundError)


def test_a_file_beside_the_one_that_was_asked_for_is_not_loaded(copied):
    folder, state = copied()
    expected = load(folder).score(["a cat"], {"references": ["cat"]}, None).scores
    save_weights(folder, {**state, "classifier.bias": state["classifier.bias"] + 1})
    (folder / "best.pt").write_bytes((folder / "pytorch_model.bin").read_bytes())

    def score(file):
        return load(folder / file).score(["a cat"], {"references": ["cat"]}, None).scores

    assert score("pytorch_model.bin") == pytest.approx(expected, abs=1e-6)
    assert score("model.safetensors") == pytest.approx(expected + 1, abs=1e-6)
    assert score("") == pytest.approx(expected + 1, abs=1e-6)
    refused(folder / "best.pt", "^model_id: .*got '.*best.pt'")


def test_vocabularies(copied, tmp_path, monkeypatch):
    folder, _ = copied()
    rows = ["a cat!"], {"references": ["The dog"]}
    expected = load(folder).score(*rows, None).scores
    words = (folder / "vocab.txt").read_text(encoding="utf-8").split("\n")[:-1]
    (folder / "vocab.txt").unlink()
    refused(folder, "^model_id: .*vocab.txt.*spm.model.*without", FileNotFoundError)
    model = {"type": "WordPiece", "vocab": {word: i for i, word in enumerate(words)}}
    (folder / "tokenizer.json").write_text(json.dumps({"model": model}))
    assert (load(folder).score(*rows, None).scores == expected).all()
    (folder / "tokenizer_config.json").write_text(json.dumps({"do_lower_case": False, "model_max_length": 9}))
    assert load(folder).limit == 9
    assert load(folder).score(*rows, None).scores[0] != expected[0]
    (folder / "tokenizer_config.json").unlink()
    other = tmp_path / "other"
    other.mkdir()
    (other / "vocab.txt").write_text("\r\n".join(words) + "\r\n", encoding="utf-8", newline="")
    assert (load(folder, encoder=other).score(*rows, None).scores == expected).all()
    (other / "vocab.txt").write_text("\n".join(words[:3]))
    refused(folder, "^encoder: .*got .*vocab.txt without .SEP.", encoder=other)
    (other / "vocab.txt").write_text("\n".join([*words, "zebra"]), encoding="utf-8")
    with pytest.raises(ValueError, match="^encoder: .*got token 86"):
        load(folder, encoder=other).score(["zebra"], {"references": ["a"]}, None)
    refused(folder, "^encoder: .*got './none'", FileNotFoundError, encoder="./none")
    folder, _ = copied("20")
    whole = (folder / "spm.model").read_bytes()
    expected = load(folder).score(*rows, None).scores
    (folder / "spm.model").rename(folder / "sent_piece.model")
    assert (load(folder).score(*rows, None).scores == expected).all()
    for piece in (b"", whole[:100], b"nothing" * 30):
        (folder / "sent_piece.model").write_bytes(piece)
        refused(folder, "^model_id: .*got .*sent_piece.model")
    monkeypatch.setitem(sys.modules, "sentencepiece", None)
    loading.clear_models()
    refused(folder, r'^sentencepiece is not installed .pip install "textgauge\[bleurt\]"', ImportError)


def test_published_names(copied, hub, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folder, _ = copied()
    commit = tmp_path / "0123456789abcdef0123456789abcdef01234567"
    shutil.copytree(folder, commit)
    asked = hub(commit)
    assert len(PUBLISHED) == 10
    for name in PUBLISHED:
        for written in (name, name.swapcase()):
            model = load(written, revision="main")
            assert model.identity["model"] == f"lucadiliello/{name}"
            assert model.identity["revision"] == "0123456789ab"
    assert {one[:2] for one in asked} == {(f"lucadiliello/{name}", "main") for name in PUBLISHED}
    assert {"config.json", "vocab.txt", "spm.model", "tokenizer_config.json"} < {*asked[0][2]}
    refused("BLEURT-21", "^model_id: .*got 'BLEURT-21'")
    # A folder of that name is the user's own.
    asked.clear()
    shutil.copytree(folder, tmp_path / "BLEURT-20")
    assert load("BLEURT-20").identity["model"] == "BLEURT-20"
    assert asked == []


def test_published_names_say_where_a_pair_is_cut(tmp_path):
    save_bleurt(tmp_path / "mine", longest=300)
    for name, limit in (
        ("bleurt-tiny-128", 128), ("bleurt-large-512", 300), ("BLEURT-20", 300), ("bleurt-base-128-mine", 300),
        ("models--a--bleurt-base-128/snapshots/0a", 128),
    ):  # fmt: skip
        shutil.copytree(tmp_path / "mine", tmp_path / name)
        assert load(tmp_path / name).limit == limit
    for name in ("mine", "bleurt-tiny-128"):
        assert load(tmp_path / name, max_length=200).limit == 200
        assert load(tmp_path / name, max_length=999).limit == 300
    assert load(tmp_path / "mine").limit == 300
    (tmp_path / "mine/bleurt_config.json").write_text('{"max_seq_length": 99}')
    assert load(tmp_path / "mine").limit == 99


def test_a_folder_of_tensorflow_is_not_replaced(tmp_path, hub):
    asked = hub(OSError("fetched"))
    for name, same in (("BLEURT-20", ", such as lucadiliello/BLEURT-20, the published one,"), ("mine", "")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "saved_model.pb").write_bytes(b"\x08\x01")
        (tmp_path / name / "bleurt_config.json").write_text("{}")
        message = f"^model_id: .*{same}.*got saved_model.pb of TensorFlow"
        refused(tmp_path / name, message)
    assert asked == []


def test_models_of_other_metrics(copied, tmp_path):
    from tiny_models import save_comet, save_pair_model

    folder, _ = copied()
    (tmp_path / "comet").mkdir()
    save_comet(tmp_path / "comet")
    refused(tmp_path / "comet", "^model_id: .*got .*, with which the metric comet scores")
    with pytest.raises(ValueError, match="^model_id: .*got .*, with which the metric bleurt"):
        load_learned("comet", folder)
    save_pair_model(tmp_path / "pair", 2)
    refused(tmp_path / "pair", "^model_id: .*output.*config.json.*got 2")
    with pytest.raises(ValueError, match="^model_id: .*transformers"):
        load_learned("metricx", folder, tmp_path, form="24")

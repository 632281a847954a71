"""MAUVE of texts: features by small local models, causal and encoders; what is remembered, told and refused."""

import json
import os
import re
import subprocess
import sys

import numpy as np
import pytest
import textgauge
from textgauge.measures.mauve import Mauve

pytest.importorskip("faiss")
pytest.importorskip("sklearn")
torch = pytest.importorskip("torch")
pytest.importorskip("transformers")
pytestmark = [
    pytest.mark.filterwarnings("ignore:MAUVE of .* moves with every text"),
    pytest.mark.filterwarnings("ignore:.* no token and w|predictions have .* tokens on average"),
    pytest.mark.filterwarnings("ignore:builtin type"),
]
USUAL_NUMPY = {"NPY_DISABLE_CPU_FEATURES": "X86_V4 AVX512_ICL AVX512_SPR"}
LIVE = """
import json, sys, warnings
warnings.filterwarnings("ignore")
import torch, faiss, mauve
torch.set_num_threads(1)
faiss.omp_set_num_threads(1)
texts = json.load(sys.stdin)
got = mauve.compute_mauve(**texts, featurize_model_name="gpt2", max_text_length=20, num_buckets=6, verbose=False)
print("FOUND" + json.dumps([got.mauve, got.frontier_integral, got.p_hist.tolist(), got.q_hist.tolist()]))
"""


def texts(seed, n):
    random = np.random.RandomState(seed)
    words = [*"the cat sat on mat a dog barks at coffee sells one two".split()]  # noqa: SIM905
    return [" ".join(random.choice(words, random.randint(1, 40))) for _ in range(n)]


TEXTS, OTHERS = [*texts(0, 40), " two  blanks ", "é" * 9, "", " "], ["the cat", *texts(1, 30)]


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """Save a causal model and an encoder."""
    from tiny_models import save_encoder, save_model, save_tokenizer

    causal, encoder = tmp_path_factory.mktemp("gpt2") / "gpt2", tmp_path_factory.mktemp("bert") / "bert"
    for folder in (causal, encoder):
        folder.mkdir()
    save_model(causal, "gpt2", len(save_tokenizer(causal)))
    save_encoder(encoder, context=32)
    yield {"causal": causal, "encoder": encoder}
    from textgauge.models import clear_models

    clear_models()


def one_by_one(folder, column, limit):
    """Return the states of the last tokens, read one text at a time."""
    from transformers import AutoModel, AutoTokenizer

    model, tokenizer = AutoModel.from_pretrained(folder).eval(), AutoTokenizer.from_pretrained(folder)
    n_empty = len(tokenizer("")["input_ids"])
    vectors = []
    for text in column:
        ids = tokenizer(text, truncation=True, max_length=limit, return_tensors="pt")["input_ids"]
        if ids.shape[1] > n_empty:
            with torch.no_grad():
                vectors.append(model(ids.long()).last_hidden_state[0, -1].numpy())
    return np.array(vectors)


@pytest.mark.parametrize("kind", ["causal", "encoder"])
@pytest.mark.parametrize("batch_size", [None, 1])
def test_features_are_the_states_of_the_last_tokens(folders, kind, batch_size):
    usual = {"model_id": folders[kind], "max_length": 20, "batch_size": batch_size}
    rows = Mauve(**usual).update(TEXTS, OTHERS).statistics
    expected = [one_by_one(folders[kind], column, 20) for column in (TEXTS, OTHERS)]
    assert np.bincount(rows["side"]).tolist() == [len(TEXTS) - (1 if kind == "causal" else 2), len(OTHERS)]
    assert rows["features"] == pytest.approx(np.concatenate(expected), abs=2e-5)
    assert rows["n_tokens"].max() == 20
    given = textgauge.mauve(predictions_features=expected[0], references_features=expected[1])
    assert textgauge.mauve(TEXTS, OTHERS, **usual)["mauve"] == given["mauve"]


@pytest.mark.slow
def test_figures_of_mauve_text(folders):
    # A folder of that name beside the tests is no package.
    pytest.importorskip("mauve.compute_mauve", reason="mauve-text is not installed")
    # It knows models by name alone, and a folder of that name comes first.
    done = subprocess.run(
        [sys.executable, "-c", LIVE], input=json.dumps({"p_text": TEXTS, "q_text": OTHERS}), capture_output=True,
        env={**os.environ, **USUAL_NUMPY}, cwd=folders["causal"].parent, text=True, check=True,
    )  # fmt: skip
    expected = json.loads(done.stdout.partition("FOUND")[2])
    found = textgauge.mauve(TEXTS, OTHERS, model_id=folders["causal"], max_length=20, num_buckets=6)
    assert [found.mauve, found.frontier_integral, found.p_hist, found.q_hist] == expected


def test_texts_are_read_once_and_remembered(folders, monkeypatch):
    from textgauge.models.features import FeatureModel

    read, states = [], FeatureModel._states
    monkeypatch.setattr(
        FeatureModel, "_states", lambda self, batch: read.append(int(batch.mask.shape[0])) or states(self, batch)
    )
    usual = {"model_id": folders["causal"], "max_length": 19}
    first = textgauge.mauve(TEXTS * 2, OTHERS, **usual)
    # Two to see whether the model is causal.
    distinct = len({*TEXTS, *OTHERS}) - 1
    assert sum(read) == distinct + 2
    read.clear()
    assert textgauge.mauve(TEXTS * 2, OTHERS, **usual) == first
    assert sum(read) == 2
    textgauge.mauve(TEXTS, OTHERS, model_id=folders["causal"], max_length=18)
    assert sum(read) == distinct + 4


def test_a_model_that_is_given_may_be_trained_between_calls(folders):
    from transformers import AutoModelForCausalLM, AutoTokenizer

    model = AutoModelForCausalLM.from_pretrained(folders["causal"]).train()
    usual = {"model": model, "tokenizer": AutoTokenizer.from_pretrained(folders["causal"])}
    before = Mauve(**usual).update(TEXTS, OTHERS)
    assert model.training
    expected = Mauve(model_id=folders["causal"]).update(TEXTS, OTHERS)
    assert before.statistics.values == pytest.approx(expected.statistics.values)
    with torch.no_grad():
        model.transformer.ln_f.bias += torch.arange(16) / 10
    assert Mauve(**usual).update(TEXTS, OTHERS).score() != before.score()


def test_sides_may_be_texts_and_features(folders):
    usual = {"model_id": folders["causal"]}
    features = one_by_one(folders["causal"], OTHERS, 24)
    mixed = Mauve(**usual).update(TEXTS, references_features=features)
    assert mixed.score()["mauve"] == textgauge.mauve(TEXTS, OTHERS, **usual)["mauve"]
    assert "|features:both|" in mixed.signature
    with pytest.raises(ValueError, match="^references_features: .*16.*got 3"):
        Mauve(**usual).update(TEXTS).update(references_features=features[:, :3])
    with pytest.raises(ValueError, match="^other: .*gpt2"):
        Mauve(**usual).update(TEXTS) + Mauve(model_id=folders["encoder"]).update(OTHERS)


@pytest.mark.filterwarnings("default")
def test_what_changes_the_meaning_is_told(folders):
    short, usual = [text[:20] for text in OTHERS] * 17, {"model_id": folders["causal"]}
    with pytest.warns(UserWarning, match="have no token and were left out, so that") as told:
        textgauge.mauve([*OTHERS * 17, *[""] * 20], short, **usual)
    said = [str(one.message) for one in told]
    assert any(re.match("20 predictions have no token and were left out", text) for text in said)
    assert any(re.match("predictions have 20 tokens on average, references .: MAUVE", text) for text in said), said
    with pytest.warns(UserWarning, match="MAUVE of 44 predictions and 31 references moves with every text"):
        textgauge.mauve(OTHERS + OTHERS[:13], OTHERS, **usual)


@pytest.mark.parametrize(("n_empty", "is_told"), [(1, False), (2, True)])
@pytest.mark.filterwarnings("ignore:MAUVE of", "ignore:predictions have")
def test_texts_without_tokens_are_told_from_a_hundredth_on(folders, n_empty, is_told, recwarn):
    textgauge.mauve(["the cat"] * (200 - n_empty) + [""] * n_empty, ["a dog", "one"] * 100, model_id=folders["causal"])
    assert any("left out" in str(one.message) for one in recwarn) == is_told


def test_refused(folders):
    with pytest.raises(ValueError, match="^references: .*got none"):
        textgauge.mauve(TEXTS, ["", ""], model_id=folders["causal"])
    with pytest.raises(TypeError, match=r"^predictions\[1\]: .*got 3"):
        textgauge.mauve(["a", 3], OTHERS, model_id=folders["causal"])
    with pytest.raises(OSError, match="^model_id: .*got './nowhere'"):
        textgauge.mauve(TEXTS, OTHERS, model_id="./nowhere")


def test_the_card_says_what_happens(folders, run_card):
    assert run_card("mauve", {"tiny-gpt2": folders["causal"]}) == 7

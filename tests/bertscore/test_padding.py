"""Padding, which accelerators need, moves no score, with a padding token that is not 0."""

import numpy as np
import pytest
import textgauge
from textgauge.measures.bertscore import BertScore
from textgauge.models import matching
from tiny_models import save_encoder

TEXTS = [
    "the cat sat on the mat", "a dog", "one, two: three!", "na\u00efve caf\u00e9s", "sat", "", "[PAD] sat", "cat " * 12,
]  # fmt: skip
OTHERS = ["a cat sat on a mat", "the dog barks", "one two", "caf\u00e9s", "", "a", "dog [PAD]", "the mat " * 7]


def made(kind, tmp_path):
    """The options of one of the models that take the mask and the padding token in ways of their own."""
    import torch
    import transformers as hf

    _, tokenizer = save_encoder(tmp_path)
    sizes = {"vocab_size": len(tokenizer), "hidden_size": 16, "num_hidden_layers": 3, "num_attention_heads": 2}
    sizes |= {"intermediate_size": 32, "max_position_embeddings": 64, "pad_token_id": 1, "initializer_range": 0.4}
    if kind == "T5":
        sizes = {"vocab_size": len(tokenizer), "d_model": 16, "d_kv": 8, "d_ff": 32, "num_layers": 3, "num_heads": 2}
        sizes |= {"pad_token_id": 1, "decoder_start_token_id": 1}
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(7)
        model = getattr(hf, f"{kind}Model")(getattr(hf, f"{kind}Config")(**sizes))
    return {"model": model.eval(), "tokenizer": tokenizer}


def parts_of(predictions, references, **options):
    found = BertScore(num_layers=2, **options).update(predictions, references).segment_values()
    return np.column_stack([found[name] for name in ("precision", "recall", "f1")])


@pytest.mark.parametrize("kind", ["Bert", "Roberta", "MPNet", "DebertaV2", "T5"])
def test_scores(kind, padding, tmp_path):
    given = made(kind, tmp_path)
    groups = [[other, TEXTS[i - 3]] for i, other in enumerate(OTHERS)]
    before = [parts_of(TEXTS, OTHERS, **given), parts_of(TEXTS, groups, **given)]
    assert np.std(before) > 1e-2
    size = padding()
    after = [parts_of(TEXTS, others, batch_size=size, **given) for others in (OTHERS, groups)]
    assert np.abs(np.subtract(after, before)).max() < 1e-5


def test_matrices_and_matches(padding, usual):
    def found(**more):
        metric = textgauge.BertScore(**usual, **more)
        every = textgauge.matches(TEXTS, OTHERS, metric=metric)
        weights = [[match.weight for match in one.prediction] for one in every]
        return textgauge.pairwise(TEXTS, OTHERS, metric=metric), weights

    matrix, weights = found()
    size = padding()
    padded_matrix, padded_weights = found(batch_size=size)
    assert np.abs(padded_matrix - matrix).max() < 1e-5
    for one, other in zip(weights, padded_weights, strict=True):
        assert one == pytest.approx(other, abs=1e-5)


@pytest.mark.parametrize("n_numbers", [1, 100, 5000])
def test_size_of_pieces(usual, monkeypatch, n_numbers):
    groups = [[other, TEXTS[i - 3]] for i, other in enumerate(OTHERS)]
    before = (
        parts_of(TEXTS, groups, model_id=usual["model_id"]),
        textgauge.pairwise(TEXTS, metric=textgauge.BertScore(**usual)),
    )
    monkeypatch.setattr(matching, "ON_PROCESSOR", n_numbers)
    monkeypatch.setattr(matching, "STEP", 3)
    monkeypatch.setattr(matching, "POOL_TOKENS", 10)
    after = (
        parts_of(TEXTS, groups, model_id=usual["model_id"]),
        textgauge.pairwise(TEXTS, metric=textgauge.BertScore(**usual)),
    )
    for one, other in zip(before, after, strict=True):
        assert np.abs(one - other).max() < 1e-6


def test_best_match_below_0():
    """Padding is a token of zeros, which would be more similar than any other if it counted."""
    import torch

    drawn, lengths = np.random.default_rng(5), np.array([3, 5, 1, 2])
    tokens = [
        drawn.normal((1.0, 0, 0) if i == 0 else (-1.0, 0, 0), 0.3, (n, 3)).astype("f4") for i, n in enumerate(lengths)
    ]
    shares = [drawn.dirichlet(np.ones(n)).astype("f4") for n in lengths]
    held = matching._Held(4)
    held.add(np.arange(4), lengths)
    held.write(1, torch.from_numpy(np.concatenate(tokens)), np.concatenate(shares))
    expected = np.zeros((4, 4, 2))
    for i, j in np.ndindex(4, 4):
        similarity = tokens[i] @ tokens[j].T
        expected[i, j] = similarity.max(1) @ shares[i], similarity.max(0) @ shares[j]
    assert (expected[0, 1:] < 0).all()
    every = held.padded(np.arange(4))
    assert np.abs(matching._crossed(torch, every, every).numpy() - expected).max() < 1e-6
    own, other = np.indices((4, 4)).reshape(2, -1)
    found = matching._paired(torch, held.padded(own), held.padded(other)).numpy()
    assert np.abs(found.reshape(4, 4, 2) - expected).max() < 1e-6
    # What is kept stays what it is, wherever it is moved.
    held.keep(np.array([False, True, False, True]))
    kept = held.padded(np.array([1, 3]))
    assert np.abs(matching._crossed(torch, kept, kept).numpy() - expected[1::2, 1::2]).max() < 1e-6
    assert (held.lengths == [0, 5, 0, 2]).all()

"""Against a plain loop over tokens, `model(...).loss` and the reference module's loop; long texts and prefixes."""

import math
import random
from types import SimpleNamespace

import numpy as np
import pytest
import textgauge
from hypothesis import given
from hypothesis import strategies as st
from oracles.perplexity import double_loop, reference_module, sliding_loop
from quick import covering
from textgauge.input.columns import text_column, without_references
from textgauge.models import ModelOptions, scoring, text_statistics, text_surprises
from textgauge.models.windows import windows
from textgauge.report import Report
from textgauge.resampling import PairedOptions
from tiny_models import CONTEXT, START, save_model, save_tokenizer

from .examples import BOTH, LONG, TEXTS, ids_of, nll


@BOTH
@pytest.mark.parametrize("add_start_token", [True, False])
def test_same_as_reference_module(folder, model, tokenizer, add_start_token):
    tokenizer.pad_token = tokenizer.bos_token
    texts = [t for t in TEXTS if START not in t and len(ids_of(tokenizer, t)) > 1]
    expected = [reference_module(model, tokenizer, [text], 1, add_start_token)[0] for text in texts]
    result = textgauge.perplexity(texts=texts, model_id=folder, add_start_token=add_start_token)
    assert result["perplexities"] == pytest.approx(expected, rel=1e-5)
    assert result["mean_perplexity"] == pytest.approx(np.mean(expected), rel=1e-5)


@BOTH
@pytest.mark.parametrize(("batch_size", "padding_side"), covering([2, 16, 1], ["left", "right"]))
def test_neighbours_order_and_padding_do_not_matter(model, tokenizer, batch_size, padding_side):
    tokenizer.padding_side = padding_side
    tokenizer.pad_token = START
    alone = [nll([text], model=model, tokenizer=tokenizer)[0] for text in TEXTS]
    order = random.Random(batch_size).sample(range(len(TEXTS)), len(TEXTS))
    together = nll([TEXTS[i] for i in order], model=model, tokenizer=tokenizer, batch_size=batch_size)
    assert together == pytest.approx([alone[i] for i in order], rel=1e-5)


def test_empty_and_one_token_texts(folder, model, tokenizer):
    with pytest.warns(UserWarning, match="1 text has no token to score"):
        result = textgauge.perplexity(texts=["", "a"], model_id=folder, per_segment=True)
    assert result["perplexities"][0] is None
    assert result["segment_n_tokens"] == [0, 1]
    with pytest.warns(UserWarning, match="2 texts have no token to score"):
        result = textgauge.perplexity(texts=["", "a", "dog"], model_id=folder, add_start_token=False, per_segment=True)
    ids = ids_of(tokenizer, "dog")
    assert result["segment_n_tokens"] == [0, 0, len(ids) - 1]
    assert result["nll"] == pytest.approx(double_loop(model, ids, 1), rel=1e-5)
    scored = tokenizer.decode(ids[1:])
    assert result["bits_per_byte"] == pytest.approx(result["nll"] / math.log(2) / len(scored))
    with pytest.raises(ValueError, match="at least one token to score, got none in 2 segments"):
        textgauge.perplexity(texts=["", ""], model_id=folder)


def bits_by_character(torch, model, tokenizer, text):
    """The bits of the tokens that have each character, token by token."""
    encoded = tokenizer(text, add_special_tokens=False, split_special_tokens=True, return_offsets_mapping=True)
    ids = torch.tensor([[tokenizer.bos_token_id, *encoded.input_ids]])
    with torch.no_grad():
        logs = model(ids).logits[0].double().log_softmax(-1)
    bits = [-logs[i, token].item() / math.log(2) for i, token in enumerate(encoded.input_ids)]
    found = dict.fromkeys(range(len(text)), 0.0)
    for (start, end), value in zip(encoded.offset_mapping, bits, strict=True):
        for character in range(start, end):
            found[character] += value
    return found


@pytest.mark.parametrize("text", [*TEXTS, "a \u732b\u732b b", ""])
def test_surprises_are_the_bits_of_tokens(torch, folder, model, tokenizer, text):
    [found] = text_surprises(text_column([text], "texts"), ModelOptions(model_id=folder))
    by_character = {at: bits for start, end, bits in found for at in range(start, end)}
    assert by_character == pytest.approx(bits_by_character(torch, model, tokenizer, text), rel=1e-5)
    # No two share a character.
    assert len(by_character) == sum(end - start for start, end, _ in found)


@pytest.mark.parametrize("options", [{"stride": 3, "max_length": 8}, {"max_length": 8}], ids=["windows", "truncated"])
def test_surprises_add_up_to_the_nll(folder, options):
    texts = ["the cat sat on the mat, a dog barks", "dog", ""]
    chosen = ModelOptions(model_id=folder, batch_size=2, **options)
    found = text_surprises(text_column(texts, "texts"), chosen)
    expected = text_statistics(text_column(texts, "texts"), chosen)
    sums = [math.log(2) * sum(bits for *_, bits in of_text) for of_text in found]
    assert sums == pytest.approx(expected[:, 0], rel=1e-12)
    assert [sorted(of_text) for of_text in found] == found


@pytest.mark.parametrize("add_start_token", [True, False])
def test_surprises_without_offsets(model, tokenizer, monkeypatch, add_start_token):
    texts = text_column(["the cat sat on the mat", "a dog", "cat cat cat"], "texts")
    options = ModelOptions(model=model, tokenizer=tokenizer, add_start_token=add_start_token)
    fast = text_surprises(texts, options)
    monkeypatch.setattr(type(tokenizer), "is_fast", False)
    slow = text_surprises(texts, options)
    for text, ours, theirs in zip(texts, slow, fast, strict=True):
        assert [bits for *_, bits in ours] == [bits for *_, bits in theirs]
        # White space belongs to no token here.
        assert [end for _, end, _ in ours] == [end for _, end, _ in theirs]
        words, tokens = ([text[start:end] for start, end, _ in found] for found in (ours, theirs))
        assert words == [token.strip() for token in tokens]


def test_marks_of_surprise(folder):
    corpus = without_references(text_column(TEXTS, "texts"))
    empty = textgauge.Perplexity(model_id=folder)
    report = Report.of("a", [corpus], [(empty, "corpus_perplexity")], PairedOptions(n_resamples=50))
    scores = textgauge.perplexity(TEXTS, model_id=folder)
    rows = [row["systems"][0] for row in report.segments()]
    assert [row["score"] for row in rows] == pytest.approx(scores["perplexities"], rel=1e-5)
    assert sum(row["tokens"] for row in rows) == scores["n_tokens"]
    surprises = text_surprises(corpus.hypotheses, ModelOptions(model_id=folder))
    assert [row["matched"] for row in rows] == [sum(bits >= 3 for *_, bits in of_text) for of_text in surprises]
    for row, text, of_text in zip(rows, TEXTS, surprises, strict=True):
        pieces, levels = row["text"][::2], row["text"][1::2]
        assert "".join(pieces) == text
        unmarked = "".join(piece for piece, level in zip(pieces, levels, strict=True) if level == 0)
        assert len(unmarked) == len(text) - sum(end - start for start, end, bits in of_text if bits >= 3)


def test_a_tokenizer_without_bos(model, tmp_path):
    tokenizer = save_tokenizer(tmp_path, bos_token=None)
    texts = ["the cat sat", "one, two"]
    with pytest.warns(UserWarning, match="no BOS token"):
        warned = nll(texts, model=model, tokenizer=str(tmp_path))
    assert warned == nll(texts, model=model, tokenizer=tokenizer, add_start_token=False)
    assert warned == pytest.approx([double_loop(model, ids_of(tokenizer, text), 1) for text in texts], rel=1e-5)


def test_special_tokens_in_a_text_are_text(folder, model, tokenizer):
    text = f"a {START} b"
    as_text = ids_of(tokenizer, text)
    assert tokenizer.bos_token_id not in as_text
    assert tokenizer.bos_token_id in tokenizer(text).input_ids
    result = textgauge.perplexity(texts=[text], model_id=folder)
    assert result["n_tokens"] == len(as_text)
    assert result["nll"] == pytest.approx(double_loop(model, [tokenizer.bos_token_id, *as_text], 1), rel=1e-5)


def test_tokenizers_in_plain_python(transformers, tmp_path):
    tokenizer = transformers.ByT5Tokenizer()
    assert not tokenizer.is_fast
    model = save_model(tmp_path, "gpt2", len(tokenizer))
    text = "a</s>\u00e9"
    ids = [byte + 3 for byte in text.encode()]
    options = {"model": model, "tokenizer": tokenizer, "add_start_token": False}
    result = textgauge.perplexity(texts=[text], **options)
    assert result["nll"] == pytest.approx(double_loop(model, ids, 1), rel=1e-5)
    assert result["bits_per_byte"] == pytest.approx(result["nll"] / math.log(2) / (len(ids) - 1))


@given(st.integers(2, 60), st.integers(1, 20), st.integers(2, 15), st.integers(1, 14))
def test_windows_cover_tokens(n_tokens, first, size, stride):
    stride = min(stride, size - 1)
    covered = windows(n_tokens, first, size, stride)
    assert [t for window in covered for t in range(window.first, window.stop)] == list(range(first, n_tokens))
    for window in covered:
        assert window.stop - window.start == min(size, window.stop)
        assert window.first - window.start >= min(window.first, size - stride)


@BOTH
def test_text_beyond_context(folder, model, tokenizer):
    with pytest.raises(ValueError, match=r"^predictions\[1\]: .*24.*`stride`.*got 50"):
        textgauge.perplexity(texts=["a", LONG], model_id=folder)
    ids = [tokenizer.bos_token_id, *ids_of(tokenizer, LONG)][:10]
    result = textgauge.perplexity(texts=[LONG], model_id=folder, max_length=10)
    assert result["nll"] == pytest.approx(double_loop(model, ids, 1), rel=1e-5)
    assert result["n_tokens"] == 9
    cut = tokenizer.decode(ids[1:])
    assert LONG.startswith(cut)
    assert result["bits_per_byte"] == pytest.approx(result["nll"] / math.log(2) / len(cut.encode()))


@BOTH
def test_pieces_and_pools_do_not_matter(folder, monkeypatch):
    texts = [*TEXTS, LONG]
    expected = nll(texts, model_id=folder, stride=5, batch_size=2)
    monkeypatch.setattr(scoring, "PIECE", 1000)
    monkeypatch.setattr(scoring, "POOL", 2)
    monkeypatch.setattr(scoring, "POOL_BYTES", 30)
    assert nll(texts, model_id=folder, stride=5, batch_size=2) == pytest.approx(expected, rel=1e-5)


def test_sorting_by_length_reduces_padding(model, tokenizer, monkeypatch):
    tokenizer.pad_token = START
    texts = [("a " * (n % 7 + 1) if n % 8 else "a " * 11).strip() for n in range(64)]
    cells = []
    original = type(model).forward

    def counted(self, input_ids=None, **inputs):
        cells.append(input_ids.numel())
        return original(self, input_ids=input_ids, **inputs)

    monkeypatch.setattr(type(model), "forward", counted)
    reference_module(model, tokenizer, texts, batch_size=8)
    in_reference = sum(cells)
    cells.clear()
    nll(texts, model=model, tokenizer=tokenizer, batch_size=8)
    assert sum(cells) < in_reference / 2


def test_a_model_without_a_stated_context(tmp_path):
    tokenizer = save_tokenizer(tmp_path)
    model = save_model(tmp_path, "bloom", len(tokenizer))
    ids = [tokenizer.bos_token_id, *ids_of(tokenizer, LONG)]
    assert nll([LONG], model_id=tmp_path)[0] == pytest.approx(double_loop(model, ids, 1), rel=1e-5)
    with pytest.raises(ValueError, match="^max_length: .*got None"):
        nll([LONG], model_id=tmp_path, stride=2)
    slid = nll([LONG], model_id=tmp_path, stride=2, max_length=12)[0]
    assert slid == pytest.approx(sliding_loop(model, ids, 12, 2), rel=1e-5)


@BOTH
def test_too_long_prefixes_lose_their_beginning(folder, model, tokenizer):
    answer = ids_of(tokenizer, "the mat")
    before = [tokenizer.bos_token_id, *ids_of(tokenizer, LONG)[-(8 - 1 - len(answer)) :]]
    cut = nll(["the mat"], prefixes=[LONG], model_id=folder, max_length=8)[0]
    assert cut == pytest.approx(double_loop(model, before + answer, len(before)), rel=1e-5)
    with pytest.raises(ValueError, match=r"^predictions\[0\]: .*24.*got 52"):
        nll(["the mat"], prefixes=[LONG], model_id=folder)
    whole = ids_of(tokenizer, LONG)[-(CONTEXT - len(answer)) :] + answer
    slid = nll(["the mat"], prefixes=[LONG], model_id=folder, stride=len(answer))[0]
    assert slid == pytest.approx(double_loop(model, whole, CONTEXT - len(answer)), rel=1e-5)


def test_a_limit_may_be_the_context(folder, model, tokenizer):
    ids = [tokenizer.bos_token_id, *ids_of(tokenizer, LONG)][:CONTEXT]
    assert nll([LONG], model_id=folder, max_length=CONTEXT) == pytest.approx([double_loop(model, ids, 1)], rel=1e-5)


def test_half_precision(torch, model, tokenizer, monkeypatch):
    logits = 4 * torch.randn((1, CONTEXT, len(tokenizer)), generator=torch.Generator().manual_seed(3)).half()

    def forward(self, input_ids=None, logits_to_keep=0, **_):  # noqa: ARG001
        return SimpleNamespace(logits=logits[:, : input_ids.shape[1]][:, -logits_to_keep:])

    monkeypatch.setattr(type(model), "forward", forward)
    text = "one, two: three! a dog"
    targets = torch.tensor(ids_of(tokenizer, text))
    scores = logits[0, : len(targets)].float()
    of_tokens = scores.logsumexp(dim=1) - scores.gather(1, targets[:, None])[:, 0]
    assert nll([text], model=model, tokenizer=tokenizer) == [of_tokens.double().cumsum(0)[-1].item()]

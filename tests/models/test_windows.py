"""Long texts, prefixes, and how texts are cut into batches."""

import math
from types import SimpleNamespace

import pytest
import textgauge
from hypothesis import given
from hypothesis import strategies as st
from oracles.perplexity import double_loop, reference_module, sliding_loop
from textgauge.models import scoring
from textgauge.models.windows import windows
from tiny_models import CONTEXT, START, save_model, save_tokenizer

from .examples import LONG, TEXTS, ids_of, nll


@given(st.integers(2, 60), st.integers(1, 20), st.integers(2, 15), st.integers(1, 14))
def test_windows_cover_tokens(n_tokens, first, size, stride):
    stride = min(stride, size - 1)
    covered = windows(n_tokens, first, size, stride)
    assert [t for window in covered for t in range(window.first, window.stop)] == list(range(first, n_tokens))
    for window in covered:
        assert window.stop - window.start == min(size, window.stop)
        assert window.first - window.start >= min(window.first, size - stride)


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

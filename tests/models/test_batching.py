"""How texts are put in batches: by tokens, by padding, and when a device has no memory; the linear layers of models."""

import numpy as np
import pytest
import textgauge
from textgauge.models import batching, loading, scoring
from textgauge.models.batching import Batches, one_behind

from .examples import BOTH, LONG, TEXTS, nll


@pytest.fixture
def batches(model, padding_of):  # noqa: ARG001
    return lambda *given, **more: Batches(model, *given, **more)


@pytest.fixture
def padding_of(monkeypatch):
    """As on an accelerator, but for its memory."""
    monkeypatch.setattr(batching, "pads", lambda device: True)


def cut(made, lengths):
    """The lengths of the sequences of each batch."""
    seen = []

    def step(chosen, batch):
        assert batch.ids.shape[1] == max(lengths[i] for i in chosen)
        assert [int(row.sum()) for row in batch.mask] == [lengths[i] for i in chosen]
        for i, row in zip(chosen.tolist(), batch.ids.tolist(), strict=True):
            assert row == [i] * lengths[i] + [7] * (batch.ids.shape[1] - lengths[i])
        seen.append([lengths[i] for i in chosen])

    made.run([[i] * length for i, length in enumerate(lengths)], 7, step)
    assert sorted(sum(seen, [])) == sorted(lengths)
    return seen


def test_padding_is_below_a_tenth(batches):
    lengths = np.random.default_rng(3).lognormal(3, 0.6, 3000).astype(int).clip(1, 300).tolist()
    seen = cut(batches(None), lengths)
    cells = [len(rows) * max(rows) for rows in seen]
    assert max(cells) <= batching.ON_PROCESSOR
    assert sum(lengths) > 0.9 * sum(cells)
    assert sum(cells) / len(cells) > 0.6 * batching.ON_PROCESSOR


def test_few_texts_in_one_batch(batches):
    assert cut(batches(None), [1, 9, 30, 2]) == [[30, 9, 2, 1]]


def test_batch_size_lowers_the_number_of_tokens(batches):
    lengths = [32, 10, 20, 32, 31]
    assert cut(batches(2), lengths) == [[32, 32], [31, 20], [10]]
    assert cut(batches(1), lengths) == [[32], [32], [31], [20], [10]]
    assert cut(batches(None, most_texts=3), lengths) == [[32, 32, 31], [20, 10]]
    # It raises none.
    assert max(map(sum, cut(batches(1000), [32] * 100))) == batching.ON_PROCESSOR


def test_a_processor_pads_nothing(model):
    assert cut(Batches(model, None), [3, 2, 3, 5, 2]) == [[5], [3, 3], [2, 2]]
    assert cut(Batches(model, None, is_padded=True), [3, 2, 3, 5, 2]) == [[5, 3, 3, 2, 2]]


def test_the_memory_of_an_accelerator_bounds_batches(torch, model, monkeypatch):
    made = Batches(model, None)
    made.device, made.budget = torch.device("cuda"), batching.ON_ACCELERATOR
    of_token = batching.bytes_of_token(model, 100)
    for n_bytes, expected in ((of_token * 5000, 5000), (0, batching.AT_LEAST), (1 << 60, batching.ON_ACCELERATOR)):
        made._n_bytes = n_bytes
        assert made._most_tokens(100) == expected
    monkeypatch.setattr(model.config, "_attn_implementation", "eager")
    assert batching.bytes_of_token(model, 1000) > batching.bytes_of_token(model, 100) >= of_token


def test_what_is_free_of_an_accelerator(torch, monkeypatch):
    monkeypatch.setattr(torch.cuda, "mem_get_info", lambda device: (1000, 5000))
    monkeypatch.setattr(torch.cuda, "memory_reserved", lambda device: 300)
    monkeypatch.setattr(torch.cuda, "memory_allocated", lambda device: 100)
    assert batching.free_memory(torch.device("cuda")) == 1200
    assert batching.free_memory(torch.device("meta")) == batching.UNKNOWN_MEMORY


@pytest.fixture
def crowded(torch, model, monkeypatch):
    """A model that has no memory for more than a number of tokens, and the shapes of the batches that it was given."""
    shapes, original = [], type(model).base_model.fget(model).forward

    def forward(input_ids=None, **inputs):
        shapes.append(tuple(input_ids.shape))
        if input_ids.numel() > 40:
            raise torch.OutOfMemoryError
        return original(input_ids=input_ids, **inputs)

    monkeypatch.setattr(model.base_model, "forward", forward)
    return shapes


def test_out_of_memory_halves_batches(model, tokenizer, crowded):
    texts = [*TEXTS * 3, "the cat sat on the mat a dog"]
    expected = [nll([text], model=model, tokenizer=tokenizer)[0] for text in texts]
    crowded.clear()
    with pytest.warns(UserWarning, match="has no memory for a batch of .* tokens: batches are halved") as told:
        found = nll(texts, model=model, tokenizer=tokenizer)
    assert found == pytest.approx(expected, rel=1e-5)
    assert len(told) == 1
    assert told[0].filename == nll.__code__.co_filename
    sizes = [rows * columns for rows, columns in crowded]
    # What was found of the device is kept for the rest of the call.
    too_large = [size for size in sizes if size > 40]
    assert 1 < len(too_large) < 6
    assert max(sizes[sizes.index(too_large[-1]) + 1 :]) <= 40


def test_a_batch_size_that_fits_says_nothing(model, tokenizer, crowded):
    nll(TEXTS, model=model, tokenizer=tokenizer, batch_size=1)
    assert max(rows for rows, _ in crowded) == 1


def test_text_beyond_memory(torch, model, tokenizer, monkeypatch):
    def forward(**_):
        raise torch.OutOfMemoryError

    for one in (model, model.base_model):
        monkeypatch.setattr(one, "forward", forward)
    with pytest.warns(UserWarning, match="no memory"), pytest.raises(torch.OutOfMemoryError):
        nll(TEXTS, model=model, tokenizer=tokenizer)


@BOTH
@pytest.mark.parametrize("stride", [None, 3])
def test_padding_moves_no_likelihood(model, tokenizer, padding, stride):
    texts = [*TEXTS, LONG] if stride else TEXTS
    options = {"model": model, "tokenizer": tokenizer, "stride": stride}
    tokenizer.pad_token = "the"
    expected = [nll([text], **options, batch_size=1)[0] for text in texts]
    assert nll(texts, **options, batch_size=padding()) == pytest.approx(expected, rel=1e-5)


def test_logits_in_pieces(torch, model, tokenizer, monkeypatch):
    seen, head = [], model.get_output_embeddings()
    original = head.forward
    monkeypatch.setattr(head, "forward", lambda states: seen.append(states.shape) or original(states))
    expected = nll(TEXTS, model=model, tokenizer=tokenizer)
    seen.clear()
    monkeypatch.setattr(scoring, "PIECE", 3 * len(tokenizer))
    assert nll(TEXTS, model=model, tokenizer=tokenizer) == pytest.approx(expected, rel=1e-5)
    # The first two are the trial.
    assert max(len(shape) and shape[0] for shape in seen[2:]) == 3
    n_scored = textgauge.perplexity(TEXTS, model=model, tokenizer=tokenizer)["n_tokens"]
    assert sum(shape[0] for shape in seen[2:]) >= n_scored


def test_logits_beyond_the_head(torch, model, tokenizer, monkeypatch):
    original = type(model).forward

    def capped(self, *given, **inputs):
        out = original(self, *given, **inputs)
        out.logits = 2 * torch.tanh(out.logits / 2)
        return out

    plain = nll(TEXTS, model=model, tokenizer=tokenizer)
    monkeypatch.setattr(type(model), "forward", capped)
    found = nll(TEXTS, model=model, tokenizer=tokenizer)
    assert found != pytest.approx(plain, rel=1e-3)
    for text, value in zip(TEXTS[:3], found, strict=False):
        ids = torch.tensor([[tokenizer.bos_token_id, *tokenizer(text, add_special_tokens=False).input_ids]])
        with torch.no_grad():
            logs = model(ids).logits[0, :-1].double().log_softmax(-1)
        assert value == pytest.approx(-logs.gather(1, ids[0, 1:, None]).sum().item(), rel=1e-5)


def test_one_behind():
    told = []

    def parts():
        for i in range(3):
            told.append(f"made {i}")
            yield i

    for part in one_behind(parts()):
        told.append(f"waited for {part}")
    assert told == ["made 0", "made 1", "waited for 0", "made 2", "waited for 1", "waited for 2"]
    assert [*one_behind([])] == []


@pytest.mark.parametrize("shape", [(1, 16), (8, 16), (9, 16), (32, 16), (33, 16), (3, 7, 16), (1, 1, 16), (2, 40, 16)])
@pytest.mark.parametrize("has_bias", [True, False])
def test_products_are_those_of_torch(shape, has_bias):
    import torch

    torch.manual_seed(3)
    weight, bias, inputs = torch.randn(5, 16), torch.randn(5) if has_bias else None, torch.randn(shape)
    found = loading.linear_of(torch.device("cpu"))(inputs, weight, bias)
    assert found.shape == (*shape[:-1], 5)
    assert torch.allclose(found, torch.nn.functional.linear(inputs, weight, bias), atol=1e-5)
    turned = loading.linear_of(torch.device("cpu"))(inputs.transpose(0, -2), weight, bias)
    assert torch.allclose(turned, found.transpose(0, -2), atol=1e-5)


def test_linear_on_other_devices(monkeypatch):
    import torch

    usual = torch.nn.functional.linear
    assert loading.linear_of(torch.device("meta")) is usual
    monkeypatch.setattr(torch.backends.cpu, "get_cpu_capability", lambda: "AVX2")
    assert loading.linear_of(torch.device("cpu")) is usual


def test_only_float32_is_changed(monkeypatch):
    import torch

    monkeypatch.setattr(loading, "linear_of", lambda _: lambda inputs, weight, bias: None)
    for dtype, is_changed in ((torch.float32, True), (torch.bfloat16, False)):
        model = torch.nn.Sequential(torch.nn.Linear(2, 2, dtype=dtype))
        model.device = torch.device("cpu")
        loading.speed_up(model)
        assert (model(torch.zeros(1, 2, dtype=dtype)) is None) == is_changed

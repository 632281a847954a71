"""Errors and signatures."""

import math
import re

import pytest
import textgauge

from .examples import ids_of, nll


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({}, ValueError, "^model_id: .*got None"),
        ({"model_id": 3}, TypeError, "model_id"),
        ({"model_id": "x", "model": object()}, ValueError, "`model` cannot be given with `model_id`"),
        ({"model": object()}, ValueError, "^tokenizer: .*`model`.*got None"),
        ({"model": object(), "tokenizer": object()}, TypeError, "^tokenizer: .*got <object object"),
        ({"model": object(), "device": "cpu"}, ValueError, "`device` cannot be given with a loaded model"),
        ({"model_id": "x", "device": "nowhere"}, ValueError, "^device: .*got 'nowhere'"),
        (
            {"model_id": "x", "device": "cpu", "device_map": "auto"},
            ValueError,
            "`device_map` cannot be given with `device`",
        ),
        ({"model_id": "x", "model_kwargs": 1}, TypeError, "model_kwargs"),
        ({"model_id": "x", "batch_size": 0}, ValueError, "batch_size"),
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

import doctest
import pickle
import re
from pathlib import Path

import datasets
import evaluate
import pytest
import textgauge
from tiny_models import save_model, save_tokenizer

METRICS = Path(__file__).parent.parent.parent / "metrics"
TEXTS = ["the cat sat", "one, two: three!", "a dog"]
NGRAMS = textgauge.NgramModel(2).fit(["the cat sat", "a dog sat"])


@pytest.fixture
def metric(tmp_path):
    return evaluate.load(str(METRICS / "perplexity"), cache_dir=str(tmp_path / "cache"))


@pytest.fixture
def tiny_gpt2(tmp_path):
    for name in ("torch", "transformers"):
        pytest.importorskip(name, reason='needs torch and transformers: pip install -e ".[perplexity]"')
    folder = tmp_path / "tiny-gpt2"
    save_model(folder, "gpt2", len(save_tokenizer(folder)))
    return folder


def test_batches_and_calls_agree(metric):
    whole = metric.compute(predictions=TEXTS, model=NGRAMS)
    metric.add(prediction=TEXTS[0])
    metric.add_batch(predictions=TEXTS[1:])
    assert metric.compute(model=NGRAMS) == whole
    assert metric.compute(predictions=datasets.Dataset.from_dict({"text": TEXTS})["text"], model=NGRAMS) == whole
    assert pickle.loads(pickle.dumps(metric)).compute(predictions=TEXTS, model=NGRAMS) == whole
    assert textgauge.perplexity(texts=TEXTS, model=NGRAMS) == whole


def test_probabilities_come_with_or_without_texts(metric):
    alone = metric.compute(probs=[[0.5, 0.25, 0.125]])
    assert alone["corpus_perplexity"] == 4.0
    assert "bits_per_byte" not in alone
    assert metric.compute(predictions=["a b c"], probs=[[0.5, 0.25, 0.125]])["bits_per_word"] == pytest.approx(2)
    metric.add_batch(predictions=["a b c"])
    assert metric.compute(log_probs=[[-1, -2, -3]], base=2)["bits_per_byte"] == pytest.approx(6 / 5)
    with pytest.raises(ValueError, match="at least one segment"):
        metric.compute()


@pytest.mark.parametrize("option", [{"probs": [[0.5, 0.25, 0.125]]}, {"log_probs": [[-1, -2, -3]], "base": 2}])
def test_probabilities_given_when_loading(option):
    loaded = evaluate.load(str(METRICS / "perplexity"), **option)
    assert loaded.compute()["corpus_perplexity"] == pytest.approx(4)
    assert loaded.compute(predictions=["a b c"])["bits_per_word"] == pytest.approx(2)


def test_refused_segments_leave_nothing(metric, tmp_path):
    metric.add_batch(predictions=TEXTS)
    with pytest.raises(TypeError, match=r"^predictions\[1\]: .*got None"):
        metric.add_batch(predictions=["a", None])
    with pytest.raises(TypeError, match="`references` cannot be given"):
        metric.add_batch(predictions=["a"], references=["a"])
    with pytest.raises(TypeError, match="^prediction: .*got 1"):
        metric.add(prediction=1)
    with pytest.raises(TypeError, match="`reference` cannot be given"):
        metric.add(prediction="a", reference="a")
    assert metric.compute(model=NGRAMS) == metric.compute(predictions=TEXTS, model=NGRAMS)
    with pytest.raises(ValueError, match="^model_id: .*got None"):
        metric.compute(predictions=TEXTS)
    assert not list(tmp_path.rglob("*.arrow"))
    assert metric.compute(predictions=["a"], model=NGRAMS)["n_tokens"] == 2


def test_options_are_checked_when_loading_and_computing(metric):
    path = str(METRICS / "perplexity")
    assert evaluate.load(path, base=2).compute(log_probs=[[-2.0]])["corpus_perplexity"] == pytest.approx(4)
    for options in ({"batch_size": 0}, {"base": 3}, {"stride": 4, "max_length": 4}, {"confidence": 95}, {"colour": 1}):
        with pytest.raises((TypeError, ValueError), match=next(iter(options))):
            evaluate.load(path, **options)
        with pytest.raises((TypeError, ValueError), match=next(iter(options))):
            metric.compute(predictions=TEXTS, model_id="x", **options)


def test_a_model_as_in_the_reference_module(metric, tiny_gpt2):
    options = {"model_id": str(tiny_gpt2), "batch_size": 2, "max_length": 8}
    result = metric.compute(predictions=TEXTS, add_start_token=True, device="cpu", **options)
    assert list(result)[:2] == ["perplexities", "mean_perplexity"]
    assert result == textgauge.perplexity(texts=TEXTS, **options)
    loaded = evaluate.load(str(METRICS / "perplexity"), model_id=str(tiny_gpt2))
    prefixed = loaded.compute(predictions=[" sat"], prefixes=["the cat"], per_segment=True)
    assert prefixed["segment_n_tokens"] == [prefixed["n_tokens"]]


CARD = (METRICS / "perplexity/README.md").read_text()
BLOCKS = re.findall(r"```python\n(.*?)```", CARD, re.DOTALL)


@pytest.mark.parametrize("needs_model", [False, True])
def test_the_card_says_what_happens(needs_model, tmp_path, monkeypatch, request):
    if needs_model:
        # A folder in place of the model of that name on the Hub.
        folder = request.getfixturevalue("tiny_gpt2")
        (tmp_path / "sshleifer").mkdir()
        folder.rename(tmp_path / "sshleifer/tiny-gpt2")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "metrics").symlink_to(METRICS)
    chosen = BLOCKS if needs_model else [b for b in BLOCKS if not re.search("tiny-gpt2|tokenizer", b)]
    assert len(chosen) == (8 if needs_model else 5)
    examples = doctest.DocTestParser().get_doctest("\n".join(chosen), {}, "card", "README.md", 0)
    assert doctest.DocTestRunner().run(examples).failed == 0


def test_the_card_lists_keys(metric):
    result = metric.compute(predictions=["a"], model=NGRAMS, per_segment=True, signature=True)
    assert [key for key in result if f"`{key}`" not in CARD] == []

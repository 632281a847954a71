"""The output of `textgauge score -m perplexity`, under n-grams or a language model."""

import json

import pytest
import textgauge
from tiny_models import CONTEXT, save_model, save_tokenizer

from cli.conftest import says

TEXTS = ["the cat sat", "a dog barks at the mat", "na\u00efve caf\u00e9s"]
TRAINING = ["the cat sat on the mat", "a dog barks at the cat"]
PREFIXES = ["", "one, two:", "the"]
SCORE = ("score", "-p", "texts.txt", "-m", "perplexity")
NGRAMS = (*SCORE, "--ngram-train", "train.txt")


@pytest.fixture
def files(tmp_path, write):
    for name, lines in (("texts", TEXTS), ("train", TRAINING), ("before", PREFIXES), ("refs", TRAINING + TEXTS[:1])):
        write(f"{name}.txt", lines)
    write("rows.jsonl", [{"answer": t, "prompt": p, "reference": t} for t, p in zip(TEXTS, PREFIXES, strict=True)])
    return tmp_path


@pytest.fixture
def model(files):
    torch = pytest.importorskip("torch")
    from textgauge.models import clear_models

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    save_model(files / "tiny", "gpt2", len(save_tokenizer(files / "tiny")))
    yield str(files / "tiny")
    torch.set_num_threads(before)
    clear_models()


def of_library(**options):
    """The result without what comes on demand, and under its name there."""
    result = textgauge.perplexity(texts=TEXTS, **options)
    perplexities = result.pop("perplexities")
    return {**result, "segment_perplexity": perplexities} if options.get("per_segment") else result


def test_segments(run, metrics, files):
    expected = of_library(model=textgauge.NgramModel(3).fit(TRAINING), per_segment=True)
    assert metrics(*NGRAMS, "--per-segment")["perplexity"] == expected
    rows = [line.split() for line in run(*NGRAMS, "--per-segment").stdout.splitlines()[-4:]]
    assert rows[0] == ["segment", "nll", "n_tokens", "perplexity"]
    assert [row[2] for row in rows[1:]] == ["4", "7", "3"]
    assert [row[3] for row in rows[1:]] == [f"{value:.4f}" for value in expected["segment_perplexity"]]


def test_table(run, files):
    result = of_library(model=textgauge.NgramModel(3).fit(TRAINING))
    lines = [line.split() for line in run(*NGRAMS).stdout.splitlines()]
    assert ["bits", "per", "byte", f"{result['bits_per_byte']:.4f}"] in lines
    assert ["3", "segments,", "14", "tokens,", "model", "ngrams"] in lines


def test_beside_metrics_with_references(metrics, files):
    page = metrics(*NGRAMS, "-m", "bleu", "-r", "refs.txt", "--tokenizer", "character")
    ngrams = textgauge.NgramModel(3, tokenizer="character").fit(TRAINING)
    assert page["perplexity"] == of_library(model=ngrams)
    assert page["bleu"]["bleu"] == textgauge.bleu(TEXTS, TRAINING + TEXTS[:1], tokenizer="character")["bleu"]


def test_columns_of_files(metrics, files):
    arguments = ("score", "-m", "perplexity", "-p", "rows.jsonl", "--prediction-field", "answer")
    found = metrics(*arguments, "--ngram-train", "rows.jsonl")["perplexity"]
    assert found == of_library(model=textgauge.NgramModel(3).fit(TEXTS))


def test_ngrams_are_learned_once_for_all_systems(metrics, files, write, monkeypatch):
    learned, fit = [], textgauge.NgramModel.fit
    monkeypatch.setattr(textgauge.NgramModel, "fit", lambda model, texts: learned.append(model) or fit(model, texts))
    systems = {name: [f"{text} {name}" for text in TEXTS * 4] for name in "abc"}
    names = [write(name, lines) for name, lines in systems.items()]
    rows = metrics("compare", *names, "-m", "perplexity", "--ngram-train", "train.txt")["perplexity"]
    assert len(learned) == 1
    model = fit(textgauge.NgramModel(3), TRAINING)
    assert [row["score"] for row in rows] == [model.score(texts)["corpus_perplexity"] for texts in systems.values()]


# What test_help.py does not type.
@pytest.mark.parametrize(
    ("flags", "options"),
    [
        (("--max-length", "5", "--batch-size", "2"), {"max_length": 5, "batch_size": 2}),
        (("--prefixes", "before.txt"), {"prefixes": PREFIXES}),
        (("--prefixes", "rows.jsonl", "--prefix-field", "prompt"), {"prefixes": PREFIXES}),
    ],
)
def test_models(metrics, model, flags, options):
    assert metrics(*SCORE, "--model-id", model, *flags)["perplexity"] == of_library(model_id=model, **options)


def test_undefined_figures(run, model, files, write):
    write("texts.txt", ["", "the cat"])
    arguments = (*SCORE, "--model-id", model, "--no-add-start-token", "--per-segment")
    result = run(*arguments, "--json")
    assert json.loads(result.stdout)["metrics"]["perplexity"]["segment_perplexity"][0] is None
    assert result.stderr.startswith("textgauge: warning: 1 text has no token to score")
    assert run(*arguments, "-b").stdout.splitlines()[0].endswith("\t-")


def test_too_long_text_is_named(refused, model, files, write):
    write("texts.txt", ["the cat", "the mat " * 40])
    message = refused(*SCORE, "--model-id", model)
    assert says(message, f"perplexity: predictions[1]: ... {CONTEXT} ... got 82")


def test_text_without_tokens(run, refused, write, model):
    names = [write(f"{name}.txt", [f"the cat sat on {name}", "", "a dog"]) for name in ("one", "other")]
    flags = ("compare", "-m", "perplexity", "--model-id", model, "--no-add-start-token", *names)
    message = refused(*flags)
    assert says(message, "... predictions[1]: ... got perplexity nan")
    for quiet in (["--show", "0"], ["--brief"]):
        shown = run(*flags, *quiet)
        assert (shown.exit_code, bool(shown.stdout)) == (0, True)


def test_numbers_of_your_own(run, metrics, write, tmp_path):
    write("numbers.txt", ["[-1, -2, -3]", "-2"])
    found = metrics("score", "numbers.txt", "-m", "perplexity", "own_numbers=log2_probs", "--per-segment")["perplexity"]
    assert (found["segment_perplexity"], found["n_tokens"]) == ([4.0, 4.0], 4)
    done = run("explain", "numbers.txt", "-m", "perplexity", "--own-numbers", "log2_probs", "-o", "page.html")
    assert done.exit_code == 0
    page = (tmp_path / "page.html").read_text("utf-8")
    assert '<math displaystyle="true" alttext="8 / 4">' in page
    assert '<math displaystyle="true" alttext="2^2"><msup><mn>2</mn><mn>2</mn></msup>' in page
    refused = run("explain", "--text", "0.5 1.5", "-m", "perplexity", "own_numbers=probs")
    assert refused.exit_code == 2
    assert says(refused.stderr, "... got 1.5")

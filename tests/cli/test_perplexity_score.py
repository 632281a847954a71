"""The output of `textgauge score -m perplexity`, under n-grams or a language model."""

import json
import sys

import pytest
import textgauge
from tiny_models import CONTEXT, save_model, save_tokenizer

TEXTS = ["the cat sat", "a dog barks at the mat", "na\u00efve caf\u00e9s"]
TRAINING = ["the cat sat on the mat", "a dog barks at the cat"]
PREFIXES = ["", "one, two:", "the"]
SCORE = ("score", "-p", "texts.txt", "-m", "perplexity")
NGRAMS = (*SCORE, "--ngram-train", "train.txt")


@pytest.fixture
def files(tmp_path):
    for name, lines in (("texts", TEXTS), ("train", TRAINING), ("before", PREFIXES), ("refs", TRAINING + TEXTS[:1])):
        (tmp_path / f"{name}.txt").write_text("".join(line + "\n" for line in lines), "utf-8")
    rows = [{"answer": t, "prompt": p, "reference": t} for t, p in zip(TEXTS, PREFIXES, strict=True)]
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return tmp_path


@pytest.fixture
def model(files):
    torch = pytest.importorskip("torch")
    from textgauge.language_model import clear_models

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    save_model(files / "tiny", "gpt2", len(save_tokenizer(files / "tiny")))
    yield str(files / "tiny")
    torch.set_num_threads(before)
    clear_models()


def page_of(result):
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)["metrics"]["perplexity"]


def of_library(**options):
    """The result without what comes on demand, and under its name there."""
    result = textgauge.perplexity(texts=TEXTS, **options)
    perplexities = result.pop("perplexities")
    return {**result, "segment_perplexity": perplexities} if options.get("per_segment") else result


@pytest.mark.parametrize("order", [1, 3])
@pytest.mark.parametrize("tokenizer", ["13a", "character"])
def test_ngrams(run, files, order, tokenizer):
    ngrams = textgauge.NgramModel(order, tokenizer=tokenizer).fit(TRAINING)
    result = run(
        *NGRAMS, "--ngram-order", order, "--tokenizer", tokenizer, "--json", "--signature", "--confidence", "0.9"
    )
    assert page_of(result) == of_library(model=ngrams, signature=True, confidence=0.9)


def test_segments(run, files):
    expected = of_library(model=textgauge.NgramModel(3).fit(TRAINING), per_segment=True)
    assert page_of(run(*NGRAMS, "--json", "--per-segment")) == expected
    rows = [line.split() for line in run(*NGRAMS, "--per-segment").stdout.splitlines()[-4:]]
    assert rows[0] == ["segment", "nll", "n_tokens", "perplexity"]
    assert [row[2] for row in rows[1:]] == ["4", "7", "3"]
    assert [row[3] for row in rows[1:]] == [f"{value:.4f}" for value in expected["segment_perplexity"]]


def test_table_and_brief(run, files):
    result = of_library(model=textgauge.NgramModel(3).fit(TRAINING), confidence=0.9)
    lines = [line.split() for line in run(*NGRAMS, "--confidence", "0.9", "-w", 4).stdout.splitlines()]
    low, high = result["confidence_interval"]
    assert ["perplexity", f"{result['corpus_perplexity']:.4f}", f"[{low:.4f},", f"{high:.4f}]"] in lines
    assert ["bits", "per", "byte", f"{result['bits_per_byte']:.4f}"] in lines
    assert ["3", "segments,", "14", "tokens,", "model", "ngrams"] in lines
    brief = run(*NGRAMS, "--confidence", "0.9", "--brief").stdout
    assert brief == f"{result['corpus_perplexity']:.4f}\t{low:.4f}\t{high:.4f}\n"


def test_beside_metrics_with_references(run, files):
    arguments = (*NGRAMS, "-m", "bleu", "-r", "refs.txt", "--tokenizer", "character", "--json")
    page = json.loads(run(*arguments).stdout)["metrics"]
    ngrams = textgauge.NgramModel(3, tokenizer="character").fit(TRAINING)
    assert page["perplexity"] == of_library(model=ngrams)
    assert page["bleu"]["bleu"] == textgauge.bleu(TEXTS, TRAINING + TEXTS[:1], tokenizer="character")["bleu"]


def test_columns_of_files(run, files):
    arguments = ("score", "-m", "perplexity", "-p", "rows.jsonl", "--prediction-field", "answer")
    result = run(*arguments, "--ngram-train", "rows.jsonl", "--json")
    assert page_of(result) == of_library(model=textgauge.NgramModel(3).fit(TEXTS))


def test_ngrams_are_learned_once_for_all_systems(run, files, monkeypatch):
    learned, fit = [], textgauge.NgramModel.fit
    monkeypatch.setattr(textgauge.NgramModel, "fit", lambda model, texts: learned.append(model) or fit(model, texts))
    systems = [files / f"{name}.txt" for name in "abc"]
    for path in systems:
        path.write_text("".join(f"{text} {path.stem}\n" for text in TEXTS))
    shown = run("compare", *systems, "-m", "perplexity", "--ngram-train", "train.txt", "--json")
    assert shown.exit_code == 0, shown.stderr
    assert len(learned) == 1
    rows = json.loads(shown.stdout)["metrics"]["perplexity"]
    model = fit(textgauge.NgramModel(3), TRAINING)
    assert [row["score"] for row in rows] == [
        model.score(path.read_text().splitlines())["corpus_perplexity"] for path in systems
    ]


def test_blank_lines_are_counted(run, tmp_path):
    (tmp_path / "texts.txt").write_text("a b\n\n")
    (tmp_path / "train.txt").write_text("a b\n")
    assert page_of(run(*NGRAMS, "--json", "--per-segment"))["segment_n_tokens"] == [3, 1]


@pytest.mark.parametrize(
    ("flags", "options"),
    [
        ((), {}),
        (("--stride", "4"), {"stride": 4}),
        (("--max-length", "5", "--batch-size", "2"), {"max_length": 5, "batch_size": 2}),
        (("--no-add-start-token", "--device", "cpu"), {"add_start_token": False, "device": "cpu"}),
        (("--prefixes", "before.txt"), {"prefixes": PREFIXES}),
        (("--prefixes", "rows.jsonl", "--prefix-field", "prompt"), {"prefixes": PREFIXES}),
        (("--dtype", "bfloat16"), {"model_kwargs": {"dtype": "bfloat16"}}),
        (("--signature", "--per-segment"), {"signature": True, "per_segment": True}),
    ],
)
def test_models(run, model, flags, options):
    page = page_of(run(*SCORE, "--model-id", model, "--json", *flags))
    assert page == of_library(model_id=model, **options)


def test_undefined_is_null_in_json_and_a_dash_in_tables(run, model, files):
    (files / "texts.txt").write_text("\nthe cat\n")
    arguments = (*SCORE, "--model-id", model, "--no-add-start-token", "--per-segment")
    result = run(*arguments, "--json")
    assert page_of(result)["segment_perplexity"][0] is None
    assert result.stderr.startswith("textgauge: warning: 1 text has no token to score")
    assert run(*arguments, "-b").stdout.splitlines()[0].endswith("\t-")


def test_the_text_that_is_too_long_is_named(refused, model, files):
    (files / "texts.txt").write_text("the cat\n" + "the mat " * 40 + "\n")
    message = refused(*SCORE, "--model-id", model)
    assert message.startswith(f"perplexity: predictions[1]: expected at most {CONTEXT} tokens")


@pytest.mark.parametrize("missing", ["torch", "transformers"])
def test_without_torch_the_line_to_install_is_named(refused, files, monkeypatch, missing):
    monkeypatch.setitem(sys.modules, missing, None)
    message = refused(*SCORE, "--model-id", "gpt2")
    assert message.startswith('perplexity: model_id: torch and transformers are not installed (pip install "')


def test_a_missing_model(refused, files):
    pytest.importorskip("torch")
    assert refused(*SCORE, "--model-id", "./nothing/here/at all").startswith("perplexity: model_id: expected the path")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (SCORE, "perplexity: model_id: expected the name of a model, or `ngram_train` with texts to learn from, got"),
        ((*NGRAMS, "--model-id", "x"), "perplexity: model_id: expected its default with `ngram_train`, got 'x'"),
        ((*NGRAMS, "--stride", "2"), "perplexity: stride: expected its default with `ngram_train`, got 2"),
        ((*NGRAMS, "--prefixes", "before.txt"), "perplexity: prefixes: expected its default with an NgramModel"),
        (
            (*SCORE, "--model-id", "x", "--ngram-order", "2"),
            "perplexity: ngram_order: expected its default without `ngram_train`, got 2",
        ),
        (
            (*SCORE, "--model-id", "x", "--tokenizer", "13a"),
            "perplexity: tokenizer: expected a tokenizer of transformers, or `ngram_train`, got '13a'",
        ),
        ((*SCORE, "--model-id", "x", "--prefix-field", "p"), "--prefix-field has no effect without --prefixes"),
        (
            (*SCORE, "--model-id", "x", "--stride", "4", "--max-length", "4"),
            "perplexity: stride: expected less than the length of a window (4)",
        ),
        ((*NGRAMS, "-r", "refs.txt"), "--references has no effect: none of these metrics uses references"),
        ((*NGRAMS, "--ngram-order", "0"), "perplexity: ngram_order: expected a whole number of at least 1, got 0"),
        ((*NGRAMS, "--order", "2"), "there is no option --order; did you mean --ngram-order?"),
        ((*SCORE, "order=2"), "perplexity has no option 'order'; did you mean ngram_order?"),
        ((*SCORE, "model_id=x", "dtype=half"), "perplexity: dtype: expected one of 'auto', "),
        ((*NGRAMS, "--reference-field", "x"), "--reference-field has no effect: none of these metrics uses"),
        ((*NGRAMS, "--prediction-field", "x"), "--prediction-field has no effect: plain text has no columns"),
        ((*NGRAMS, "--format", "squad"), "--format squad is for metrics with references"),
        ((*NGRAMS, "-m", "bleu", "--format", "squad"), "--format squad is for metrics with references"),
        ((*NGRAMS, "--smoothing", "exp"), "smoothing is an option of sacrebleu and bleu, not of perplexity"),
        (
            ("score", "-m", "bleu", "-p", "a", "-r", "b", "--model-id", "x"),
            "model_id is an option of perplexity and bertscore, not",
        ),
        ((*NGRAMS, "--scale", "100"), "there is no option --scale"),
        ((*NGRAMS, "-m", "bleu"), "no references: texts.txt is plain text"),
        ((*SCORE, "--ngram-train", "empty.txt"), "empty.txt: the file is empty"),
        (("score", "-m", "perplexity", "--ngram-train", "-", "-p", "-"), "standard input ('-') can be read for one"),
        ((*SCORE, "--model-id", "x", "--prefixes", "train.txt"), "train.txt: expected as many lines as texts.txt "),
        (
            (*SCORE, "--model-id", "x", "--prefixes", "train.txt", "--prefix-field", "p"),
            "--prefix-field has no effect: plain text has no columns",
        ),
    ],
)
def test_what_cannot_be_scored(refused, files, arguments, message):
    (files / "empty.txt").touch()
    assert refused(*arguments).startswith(message)


def test_a_text_without_tokens_is_no_obstacle_where_no_segments_are_shown(run, refused, files, model):
    for name in ("one", "other"):
        (files / f"{name}.txt").write_text(f"the cat sat on {name}\n\na dog\n")
    flags = ("compare", "-m", "perplexity", "--model-id", model, "--no-add-start-token", "one.txt", "other.txt")
    message = refused(*flags)
    assert "predictions[1]: expected a text with tokens, none of probability 0, where segments are shown" in message
    for quiet in (["--show", "0"], ["--brief"]):
        shown = run(*flags, *quiet)
        assert (shown.exit_code, bool(shown.stdout)) == (0, True)

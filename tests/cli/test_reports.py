"""Intervals and signatures: the same in tables, in brief output and in JSON."""

import json

import pytest
import textgauge

FILES = ("-p", "hyp.txt", "-r", "ref.txt")
DRAWN = ("--confidence", "0.9", "--n-resamples", "50", "--seed", "3")
OPTIONS = {"confidence": 0.9, "n_resamples": 50, "seed": 3}
MAIN = {"bleu": "bleu", "token_f1": "f1"}


def written(bounds):
    return [f"[{bounds[0]:.4f},", f"{bounds[1]:.4f}]"]


def words(result):
    assert (result.exit_code, result.stderr) == (0, "")
    return [line.split() for line in result.stdout.splitlines()]


@pytest.mark.parametrize("metric", ["bleu", "rouge", "token_f1"])
def test_intervals_are_those_of_the_library(run, corpus, metric):
    expected = getattr(textgauge, metric)(*corpus, **OPTIONS)
    page = json.loads(run("score", "-m", metric, *FILES, *DRAWN, "--json").stdout)
    assert page["metrics"][metric] == expected


def test_tables_show_intervals(run, corpus):
    bleu = textgauge.bleu(*corpus, **OPTIONS)
    lines = words(run("score", "-m", "bleu", *FILES, *DRAWN))
    assert ["BLEU", "score", "90%", "interval"] in lines
    assert ["BLEU", f"{bleu['bleu']:.4f}", *written(bleu["confidence_interval"])] in [line[:4] for line in lines]
    for flags, form in (((), float), (("--detailed",), dict)):
        rouge = textgauge.rouge(*corpus, detailed=form is dict, **OPTIONS)
        lines = words(run("score", "-m", "rouge", *FILES, *DRAWN, *flags))
        for kind in ("rouge1", "rougeLsum"):
            bounds = rouge["confidence_intervals"][kind]
            bounds = bounds["fmeasure"] if form is dict else bounds
            assert [line for line in lines if line[0:1] == [kind]][0][-3:-1] == written(bounds)
    answers = textgauge.token_f1(*corpus, **OPTIONS)["confidence_intervals"]
    lines = words(run("score", "-m", "token_f1", *FILES, *DRAWN))
    for key, name in (("f1", "F1"), ("precision", "precision"), ("exact_match", "match")):
        assert [written(answers[key])] == [line[-3:-1] for line in lines if name in line[:2] and "[" in line[-3]]


def test_scaled_intervals(run, corpus):
    low, high = textgauge.bleu(*corpus, preset="sacrebleu", **OPTIONS)["confidence_interval"]
    page = json.loads(run("score", *FILES, *DRAWN, "--json").stdout)["metrics"]["sacrebleu"]
    assert page["confidence_interval"] == [100 * low, 100 * high]
    assert page["signature"] == textgauge.bleu(*corpus, preset="sacrebleu", signature=True)["signature"]
    assert f"[{100 * low:.2f}, {100 * high:.2f}]" in run("score", *FILES, *DRAWN).stdout


def test_brief_puts_the_interval_behind_its_score(run, corpus):
    bleu, answers = textgauge.bleu(*corpus, **OPTIONS), textgauge.token_f1(*corpus, **OPTIONS)
    rouge = textgauge.rouge(*corpus, rouge_types=["rouge1"], detailed=True, **OPTIONS)
    parts = [(rouge["rouge1"][part], *bounds) for part, bounds in rouge["confidence_intervals"]["rouge1"].items()]
    rows = [
        [bleu["bleu"], *bleu["confidence_interval"]],
        [number for part in parts for number in part],
        *([answers[key], *answers["confidence_intervals"][key]] for key in ("f1", "exact_match")),
    ]
    chosen = ("-m", "bleu", "-m", "rouge", "rouge_types=rouge1", "--detailed", "-m", "token_f1")
    shown = run("score", *chosen, *FILES, *DRAWN, "-b", "-w", 6).stdout
    assert shown.splitlines() == ["\t".join(f"{value:.6f}" for value in row) for row in rows]


@pytest.mark.parametrize("metric", ["bleu", "rouge", "token_f1"])
def test_tables_show_signatures(run, corpus, metric):
    line = getattr(textgauge, metric)(*corpus, signature=True)["signature"]
    assert line in run("score", "-m", metric, *FILES, "--signature").stdout.splitlines()


def test_the_official_score_of_translations(run, corpus):
    sacrebleu = pytest.importorskip("sacrebleu")
    score = sacrebleu.corpus_bleu(corpus[0], [corpus[1]]).score
    shown = run("score", *FILES, "-b", "-w", 10).stdout
    assert float(shown) == pytest.approx(score, abs=1e-9)


def test_all_orders(run, corpus):
    result = textgauge.bleu(*corpus, all_orders=True, max_order=3)
    flags = ("score", "-m", "bleu", *FILES, "--all-orders", "--max-order", 3)
    orders = [result[f"bleu{n}"] for n in (1, 2, 3)]
    assert run(*flags, "-b").stdout.splitlines() == [f"{value:.4f}" for value in (result["bleu"], *orders)]
    lines = [line[:2] for line in words(run(*flags))]
    for n, value in enumerate(orders, 1):
        assert [f"BLEU-{n}", f"{value:.4f}"] in lines


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (("--confidence", "95"), "bleu: confidence: expected a number between 0 and 1, or None, got 95"),
        (("--weights", "1,x"), "bleu: weights: expected a sequence of numbers, got '1,x'"),
        (("--weights", "1,2"), "bleu: weights: expected 4 weights, one per order, or `max_order=2`, got"),
        (("--preset", "rouge-1.5.5"), "bleu: preset: expected one of 'evaluate', "),
        (("--smooth-value", "2"), "bleu: smooth_value: expected None: `smoothing='none'` has no value"),
        (("--smooth", "--smoothing", "exp"), "bleu: smoothing: expected None together with `smooth=True`"),
        (("--all-orders", "--weights", "1,1,1,1"), "bleu: weights: expected None "),
        (("--brief", "--signature"), "--brief cannot be given with signature"),
        (("--brief", "--confidence", "0.9", "--per-segment"), "--brief cannot be given with both confidence and"),
        (
            ("--preset", "nltk", "--smoothing", "chen-cherry-5", "--confidence", "0.9"),
            "bleu: smoothing: expected a method that does not depend on the last segment",
        ),
    ],
)
def test_what_cannot_be_reported(refused, corpus, flags, message):
    assert refused("score", "-m", "bleu", *FILES, *flags).startswith(message)


def test_a_preset_is_for_its_own_metric(run, corpus):
    arguments = ("score", "-m", "bleu", "-m", "rouge", *FILES, "--preset", "rouge-1.5.5", "--json")
    page = json.loads(run(*arguments).stdout)["metrics"]
    assert page["rouge"] == textgauge.rouge(*corpus, preset="rouge-1.5.5")
    assert page["bleu"] == textgauge.bleu(*corpus)


def test_segments_are_counted_once(run, corpus):
    arguments = ("score", "-m", "rouge", *FILES, "-r", "hyp.txt", "--jackknife")
    assert json.loads(run(*arguments, "--json").stdout)["segments"] == 24
    assert "24 segments, tokenizer rouge" in run(*arguments).stdout.splitlines()


def test_one_segment_has_no_interval(refused, tmp_path):
    (tmp_path / "one.txt").write_text("a b c d e\n")
    message = refused("score", "-m", "rouge", "-p", "one.txt", "-r", "one.txt", "--confidence", "0.95")
    assert message == "rouge: segments: expected at least 2 segments to resample, got 1"


@pytest.mark.parametrize("error", [ImportError, OSError])
@pytest.mark.parametrize("command", ["score", "compare", "tokenize"])
def test_a_missing_tokenizer_is_an_error_of_one_line(refused, corpus, monkeypatch, error, command):
    from textgauge.text import sacrebleu_tokenizers

    def missing(name):
        raise error(f"tokenizer: {name!r} needs packages (pip install 'sacrebleu[ja]')")

    monkeypatch.setattr(sacrebleu_tokenizers, "_loaded", missing)
    sides = {"score": ("-m", "bleu", *FILES), "compare": ("-m", "bleu", "-r", "ref.txt", "hyp.txt", "hyp.txt")}
    message = refused(command, *sides.get(command, ()), "--tokenizer", "ja-mecab")
    assert "tokenizer: 'ja-mecab' needs packages (pip install 'sacrebleu[ja]')" in message


def test_compare_takes_the_options_of_bleu(run, corpus):
    metrics = ("-m", "sacrebleu", "lowercase=True", "bleu", "preset=sacrebleu", "--lowercase")
    page = json.loads(run("compare", "-r", "ref.txt", "hyp.txt", "ref.txt", "--json", *metrics).stdout)["metrics"]
    expected = textgauge.bleu(*corpus, preset="sacrebleu", lowercase=True)["bleu"]
    assert (page["sacrebleu"][0]["score"], page["bleu"][0]["score"]) == (100 * expected, expected)

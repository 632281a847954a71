"""The output of `textgauge score`: tables, numbers alone, JSON, segments."""

import json

import pytest
import textgauge
from textgauge.measures.registry import METRICS

FILES = ("-p", "hyp.txt", "-r", "ref.txt")
DRAWN = ("--confidence", "0.9", "--n-resamples", "50", "--seed", "3")


def words(result):
    assert (result.exit_code, result.stderr) == (0, "")
    return [line.split() for line in result.stdout.splitlines()]


@pytest.mark.parametrize("name", [name for name in METRICS if name not in ("bertscore", "squad_v2")])
def test_scores_are_the_same_in_tables_alone_and_in_json(run, metrics, corpus, name):
    sides = FILES if METRICS[name].has_references else ("-p", "hyp.txt", "--ngram-train", "ref.txt")
    call = ("score", "-m", name, *sides, *DRAWN)
    result = metrics(*call, "--signature")[name]
    key = METRICS[name]().headline
    bounds = result.get("confidence_intervals") or {key: result["confidence_interval"]}
    digits = 2 if METRICS[name].scale == 100 else 4
    rows = {one: [f"{value:.{digits}f}" for value in (result[one], *bounds[one])] for one in bounds}
    table = words(run(*call, "--signature"))
    shown = [" ".join(line) for line in table]
    assert {"90%", "interval"} <= {word for line in table for word in line}
    assert [one for one, (score, low, high) in rows.items() if f"{score} [{low}, {high}]" not in "\n".join(shown)] == []
    assert result["signature"] in shown
    alone = {"rouge": [*rows], "token_f1": ["f1", "exact_match"]}.get(name, [key])
    assert run(*call, "--brief").stdout.splitlines() == ["\t".join(rows[one]) for one in alone]


def test_table_of_bleu(run, corpus):
    result = textgauge.bleu(*corpus)
    lines = words(run("score", "-m", "bleu", *FILES))
    for order, precision in enumerate(result["precisions"], 1):
        assert [f"{order}-gram", "precision", f"{precision:.4f}"] in [line[:3] for line in lines]
    assert ["brevity", "penalty", f"{result['brevity_penalty']:.4f}"] in [line[:3] for line in lines]
    assert ["24", "segments,", "tokenizer", "13a"] in lines
    assert ["267", "tokens", "against", "286", "in", "the", "references", "(ratio", "0.934)"] in lines
    # The score stands apart from its parts.
    [gap] = [i for i, line in enumerate(lines) if not line]
    assert [lines[gap - 1][:2], lines[gap + 1][:1]] == [["brevity", "penalty"], ["BLEU"]]


@pytest.mark.parametrize("columns", ["20", "40", "80", "200"])
def test_no_number_is_cut_short(run, corpus, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", columns)
    scores = textgauge.rouge(*corpus, detailed=True)
    lines = words(run("score", "-m", "rouge", "--detailed", "-w", 17, *FILES))
    for kind, parts in scores.items():
        assert [kind, *(f"{value:.17f}" for value in parts.values())] in [line[:4] for line in lines]


def test_numbers_alone_have_the_parts_of_rouge_with_their_intervals(run, metrics, corpus):
    call = ("score", "-m", "rouge", "rouge_types=rouge1", "--detailed", *FILES, *DRAWN)
    rouge = metrics(*call)["rouge"]
    parts = [(rouge["rouge1"][part], *bounds) for part, bounds in rouge["confidence_intervals"]["rouge1"].items()]
    shown = run(*call, "-b", "-w", 6).stdout
    assert shown == "\t".join(f"{number:.6f}" for part in parts for number in part) + "\n"


def test_all_orders(run, corpus):
    result = textgauge.bleu(*corpus, all_orders=True, max_order=3)
    flags = ("score", "-m", "bleu", *FILES, "--all-orders", "--max-order", 3)
    orders = [f"{result[f'bleu{n}']:.4f}" for n in (1, 2, 3)]
    assert run(*flags, "-b").stdout.splitlines() == [f"{result['bleu']:.4f}", *orders]
    assert [line[1] for line in words(run(*flags)) if line and line[0].startswith("BLEU-")] == orders


def test_numbers_alone_have_the_scale_of_their_name(run, corpus):
    score = textgauge.bleu(*corpus, preset="sacrebleu")["bleu"]
    both = run("score", "-m", "sacrebleu", "bleu", "preset=sacrebleu", "-b", *FILES).stdout
    assert both == f"{100 * score:.2f}\n{score:.4f}\n"


def test_a_preset_is_for_its_own_metric(metrics, corpus):
    page = metrics("score", "-m", "bleu", "-m", "rouge", *FILES, "--preset", "rouge-1.5.5")
    assert page == {"rouge": textgauge.rouge(*corpus, preset="rouge-1.5.5"), "bleu": textgauge.bleu(*corpus)}


def test_json_is_exact_and_width_rounds_it(run, metrics, corpus):
    rouge = textgauge.rouge(*corpus)
    page = json.loads(run("score", "-m", "rouge", "--json", *FILES).stdout)
    assert page == {"version": textgauge.__version__, "segments": 24, "metrics": {"rouge": rouge}}
    rounded = metrics("score", "-m", "rouge", "-w", 2, *FILES)
    assert rounded["rouge"] == {kind: round(value, 2) for kind, value in rouge.items()}


def test_segments_are_counted_once(run, corpus):
    arguments = ("score", "-m", "rouge", *FILES, "-r", "hyp.txt", "--jackknife")
    assert json.loads(run(*arguments, "--json").stdout)["segments"] == 24
    assert "24 segments, tokenizer rouge" in run(*arguments).stdout.splitlines()


def test_per_segment(run, metrics, corpus):
    bleu = textgauge.bleu(*corpus, per_segment=True)["segment_bleu"]
    rouge = textgauge.rouge(*corpus, use_aggregator=False, rouge_types=["rouge2"])["rouge2"]
    arguments = ("score", "-m", "bleu", "-m", "rouge", "rouge_types=rouge2", "--per-segment", *FILES)
    brief = [f"{b:.4f}\t{r:.4f}" for b, r in zip(bleu, rouge, strict=True)]
    assert run(*arguments, "--brief").stdout.splitlines() == brief
    table = words(run(*arguments))[-25:]
    assert table[0] == ["segment", "bleu", "rouge2"]
    assert table[1:] == [[str(i), *line.split()] for i, line in enumerate(brief, 1)]
    page = metrics(*arguments, "--detailed")
    assert page["bleu"]["segment_bleu"] == bleu
    assert page["rouge"]["segment_rouge2"]["fmeasure"] == rouge
    shown = words(run("score", "-m", "rouge1", "--no-use-aggregator", *FILES))
    assert (shown[0], len(shown)) == (["segment", "rouge1"], 25)


def test_one_warning_for_all_batches(run, write, monkeypatch):
    # So few bytes cut all but the smallest corpora.
    monkeypatch.setattr("textgauge.cli.files._BLOCK", 50)
    result = run("score", "-m", "rouge", "-p", write("hyp", ["\u4f60\u597d"] * 100), "-r", write("ref", ["a"] * 100))
    assert result.stderr.startswith("textgauge: warning: 100 texts are not empty but have no token")
    assert result.stderr.count("\n") == 1


def test_warnings_name_options(run, write):
    one = write("one.txt", ["a cat"])
    warned = run("score", "-m", "bleu", "-p", one, "-r", one).stderr
    assert warned.endswith("for a 3-gram: pass `effective_order=True`, `max_order=2` or a smoothing.\n")


def test_several_names_behind_one_flag_are_several_flags(run, corpus):
    both = run("score", "-m", "bleu", "-m", "chrf", *FILES).stdout
    assert run("score", "-m", "bleu", "chrf", *FILES).stdout == both
    assert run("score", "hyp.txt", "-r", "ref.txt", "-m", "bleu", "chrf").stdout == both
    assert run("score", "-r", "ref.txt", "-m", "bleu", "chrf", "hyp.txt").stdout == both
    assert len(run("score", "-m", "bleu", "-m", "bleu", "-b", *FILES).stdout.splitlines()) == 1


def test_scores_of_rouge_by_their_names(run, metrics, corpus):
    whole = textgauge.rouge(*corpus)
    page = metrics("score", "-m", "rouge1", "rougeL", *FILES)
    assert page == {"rouge": {name: whole[name] for name in ("rouge1", "rougeL")}}
    assert list(metrics("score", "-m", "rouge", "rouge3", *FILES)["rouge"]) == [*whole, "rouge3"]
    assert metrics("score", "-m", "rouge", "rouge1", *FILES)["rouge"] == whole
    assert len(run("score", "-m", "rouge1", "rougeL", *FILES, "-b").stdout.splitlines()) == 2


def test_the_output_goes_to_a_file(run, corpus, tmp_path):
    for form in ((), ("--json",), ("-b",)):
        printed = run("score", "-m", "ter", *FILES, *form).stdout
        assert run("score", "-m", "ter", *FILES, *form, "-o", "out").stdout == ""
        assert (tmp_path / "out").read_text() == printed


def test_a_system_has_a_name(run, corpus):
    call = ("score", "-m", "ter", *FILES, "--name", "my system")
    assert "my system: 24 segments" in run(*call).stdout
    assert json.loads(run(*call, "--json").stdout)["system"] == "my system"


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


def test_types_of_rouge_once_or_with_commas(run, corpus):
    once = run("score", "-m", "rouge", "--rouge-types", "rouge3,rougeL", *FILES).stdout
    assert once == run("score", "-m", "rouge", "--rouge-types", "rouge3", "--rouge-types", "rougeL", *FILES).stdout
    assert "rouge3" in once

"""The output of `textgauge score`."""

import json

import pytest
import textgauge

FILES = ("-p", "hyp.txt", "-r", "ref.txt")


def test_table_of_bleu(run, corpus):
    result = textgauge.bleu(*corpus)
    lines = [line.split() for line in run("score", "-m", "bleu", *FILES).stdout.splitlines()]
    for order, precision in enumerate(result["precisions"], 1):
        assert [f"{order}-gram", "precision", f"{precision:.4f}"] in [line[:3] for line in lines]
    assert ["BLEU", f"{result['bleu']:.4f}"] in [line[:2] for line in lines]
    assert ["brevity", "penalty", f"{result['brevity_penalty']:.4f}"] in [line[:3] for line in lines]
    assert ["24", "segments,", "tokenizer", "13a"] in lines
    assert ["267", "tokens", "against", "286", "in", "the", "references", "(ratio", "0.934)"] in lines


def test_the_score_stands_apart_from_its_parts(run, corpus):
    lines = run("score", "-m", "bleu", *FILES).stdout.rstrip("\n").split("\n")
    [gap] = [i for i, line in enumerate(lines) if not line]
    assert [lines[gap - 1].split()[:2], lines[gap + 1].split()[:1]] == [["brevity", "penalty"], ["BLEU"]]


def test_table_of_rouge(run, corpus):
    result = textgauge.rouge(*corpus, detailed=True)
    lines = [line.split() for line in run("score", "-m", "rouge", "--detailed", *FILES).stdout.splitlines()]
    for kind, parts in result.items():
        assert [kind, *(f"{value:.4f}" for value in parts.values())] in [line[:4] for line in lines]


@pytest.mark.parametrize("columns", ["20", "40", "80", "200"])
def test_no_number_is_cut_short(run, corpus, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", columns)
    scores = textgauge.rouge(*corpus, detailed=True)
    output = run("score", "-m", "rouge", "--detailed", "-w", 17, *FILES).stdout
    lines = [line.split() for line in output.splitlines()]
    for kind, parts in scores.items():
        assert [kind, *(f"{value:.17f}" for value in parts.values())] in [line[:4] for line in lines]


def test_brief_prints_numbers_only(run, corpus):
    bleu, rouge = textgauge.bleu(*corpus)["bleu"], textgauge.rouge(*corpus)
    result = run("score", "-m", "bleu", "-m", "rouge", "-b", "-w", 6, *FILES)
    assert result.stdout.split("\n") == [f"{value:.6f}" for value in (bleu, *rouge.values())] + [""]


def test_the_scale_of_a_name_multiplies_scores_only(run, corpus):
    result = textgauge.bleu(*corpus, per_segment=True, preset="sacrebleu")
    page = json.loads(run("score", "--json", "--per-segment", *FILES).stdout)["metrics"]["sacrebleu"]
    assert page["sacrebleu"] == 100 * result["bleu"]
    assert page["precisions"] == [100 * value for value in result["precisions"]]
    assert page["segment_sacrebleu"] == [100 * value for value in result["segment_bleu"]]
    for key in ("brevity_penalty", "length_ratio", "translation_length", "reference_length"):
        assert page[key] == result[key]
    both = run("score", "-m", "sacrebleu", "bleu", "preset=sacrebleu", "-b", *FILES).stdout
    assert both == f"{100 * result['bleu']:.2f}\n{result['bleu']:.4f}\n"


@pytest.mark.parametrize("name", ["chrf", "ter", "squad"])
def test_names_from_0_to_100(run, corpus, name):
    expected = getattr(textgauge, name)(*corpus)
    assert json.loads(run("score", "-m", name, "--json", *FILES).stdout)["metrics"][name] == expected


def test_json_is_exact_and_width_rounds_it(run, corpus):
    rouge = textgauge.rouge(*corpus)
    page = json.loads(run("score", "-m", "rouge", "--json", *FILES).stdout)
    assert page == {"version": textgauge.__version__, "segments": 24, "metrics": {"rouge": rouge}}
    rounded = json.loads(run("score", "-m", "rouge", "--json", "-w", 2, *FILES).stdout)
    assert rounded["metrics"]["rouge"] == {kind: round(value, 2) for kind, value in rouge.items()}


def test_per_segment(run, corpus):
    bleu = textgauge.bleu(*corpus, per_segment=True)["segment_bleu"]
    rouge = textgauge.rouge(*corpus, use_aggregator=False, rouge_types=["rouge2"])["rouge2"]
    arguments = ("score", "-m", "bleu", "-m", "rouge", "rouge_types=rouge2", "--per-segment", *FILES)
    brief = [f"{b:.4f}\t{r:.4f}" for b, r in zip(bleu, rouge, strict=True)]
    assert run(*arguments, "--brief").stdout.splitlines() == brief
    table = [line.split() for line in run(*arguments).stdout.splitlines()][-25:]
    assert table[0] == ["segment", "bleu", "rouge2"]
    assert table[1:] == [[str(i), *line.split()] for i, line in enumerate(brief, 1)]
    page = json.loads(run(*arguments, "--json", "--detailed").stdout)["metrics"]
    assert page["bleu"]["segment_bleu"] == bleu
    assert page["rouge"]["segment_rouge2"]["fmeasure"] == rouge


def test_one_warning_for_all_batches(run, tmp_path, monkeypatch):
    from textgauge.cli import files

    # So few bytes cut all but the smallest corpora.
    monkeypatch.setattr(files, "_BLOCK", 50)
    (tmp_path / "hyp").write_text("\u4f60\u597d\n" * 100)
    (tmp_path / "ref").write_text("a\n" * 100)
    result = run("score", "-m", "rouge", "--json", "-p", "hyp", "-r", "ref")
    assert json.loads(result.stdout)["metrics"]["rouge"]["rouge1"] == 0
    assert result.stderr.startswith("textgauge: warning: 100 texts are not empty but have no token")
    assert result.stderr.count("\n") == 1


def test_same_metric_twice_is_one(run, corpus):
    assert len(run("score", "-m", "bleu", "-m", "bleu", "-b", *FILES).stdout.splitlines()) == 1


SACREBLEU = ("score", "ref.txt", "-i", "hyp.txt", "-m", "sacrebleu", "chrf", "ter")


def test_typed_as_for_sacrebleu(run, corpus):
    sacrebleu = pytest.importorskip("sacrebleu")
    metrics = (sacrebleu.BLEU(), sacrebleu.CHRF(), sacrebleu.TER())
    theirs = [metric.corpus_score(corpus[0], [corpus[1]]).score for metric in metrics]
    ours = run(*SACREBLEU, "-b", "-w", 10).stdout.splitlines()
    assert list(map(float, ours)) == pytest.approx(theirs, abs=1e-9)
    page = run(*SACREBLEU, "--signature").stdout
    for metric in metrics:
        assert str(metric.get_signature()).partition("|version")[0] in page
    assert f"{theirs[0]:.2f}" in page


def test_several_names_behind_one_flag_are_several_flags(run, corpus):
    both = run("score", "-m", "bleu", "-m", "chrf", *FILES).stdout
    assert run("score", "-m", "bleu", "chrf", *FILES).stdout == both
    assert run("score", "hyp.txt", "-r", "ref.txt", "-m", "bleu", "chrf").stdout == both
    assert run("score", "-r", "ref.txt", "-m", "bleu", "chrf", "hyp.txt").stdout == both


def test_scores_of_rouge_by_their_names(run, corpus):
    whole = textgauge.rouge(*corpus)
    page = json.loads(run("score", "-m", "rouge1", "rougeL", *FILES, "--json").stdout)["metrics"]
    assert page == {"rouge": {name: whole[name] for name in ("rouge1", "rougeL")}}
    page = json.loads(run("score", "-m", "rouge", "rouge3", *FILES, "--json").stdout)["metrics"]
    assert list(page["rouge"]) == [*whole, "rouge3"]
    assert json.loads(run("score", "-m", "rouge", "rouge1", *FILES, "--json").stdout)["metrics"]["rouge"] == whole
    assert len(run("score", "-m", "rouge1", "rougeL", *FILES, "-b").stdout.splitlines()) == 2


def test_types_of_rouge_once_or_with_commas(run, corpus):
    once = run("score", "-m", "rouge", "--rouge-types", "rouge3,rougeL", *FILES).stdout
    assert once == run("score", "-m", "rouge", "--rouge-types", "rouge3", "--rouge-types", "rougeL", *FILES).stdout
    assert "rouge3" in once


def test_the_output_goes_to_a_file(run, corpus, tmp_path):
    for form in ((), ("--json",), ("-b",)):
        printed = run("score", "-m", "ter", *FILES, *form).stdout
        assert run("score", "-m", "ter", *FILES, *form, "-o", "out").stdout == ""
        assert (tmp_path / "out").read_text() == printed
    assert (
        "--output would overwrite hyp.txt, which is an input"
        in run("score", "-m", "ter", *FILES, "-o", "hyp.txt").stderr
    )


def test_a_system_has_a_name(run, corpus):
    assert "my system: 24 segments" in run("score", "-m", "ter", *FILES, "--name", "my system").stdout
    assert (
        json.loads(run("score", "-m", "ter", *FILES, "--name", "my system", "--json").stdout)["system"] == "my system"
    )


def test_lists_of_segments_in_place_of_a_score(run, corpus):
    shown = run("score", "-m", "rouge1", "--no-use-aggregator", *FILES).stdout.splitlines()
    assert shown[0].split() == ["segment", "rouge1"]
    assert len(shown) == 25


def test_warnings_name_options(run, tmp_path):
    (tmp_path / "hyp.txt").write_text("a cat\n")
    (tmp_path / "ref.txt").write_text("a cat\n")
    warned = run("score", "-m", "bleu", *FILES).stderr
    assert warned.endswith("for a 3-gram: pass `effective_order=True`, `max_order=2` or a smoothing.\n")

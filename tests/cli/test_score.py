"""The output of `textgauge score`: tables, numbers alone, JSON, segments."""

import json
import os
import re
import sys
import threading

import click
import pyarrow.parquet
import pytest
import textgauge
from declared import PAIRED
from textgauge.accumulation.named_score import NamedScore
from textgauge.accumulation.registry import METRICS
from textgauge.cli.command import scorings_of
from textgauge.cli.score import score
from textgauge.metric.metric import with_defaults

from cli.conftest import says

from .test_program import on_terminal

FILES = ("-p", "hyp.txt", "-r", "ref.txt")
DRAWN = ("--confidence", "0.9", "--n-resamples", "50", "--seed", "3")


def words(result):
    assert (result.exit_code, result.stderr) == (0, "")
    return [line.split() for line in result.stdout.splitlines()]


@pytest.mark.parametrize(
    "name", [*(name for name in PAIRED if with_defaults(METRICS[name]).sums.kind != "whole"), "perplexity"]
)
def test_same_scores_in_every_output(run, metrics, corpus, name):
    sides = FILES if METRICS[name].inputs.has_references else ("-p", "hyp.txt", "--ngram-train", "ref.txt")
    # Four people are asked.
    sides = (*sides, *FILES[2:] * 3) if name == "vqa_accuracy" else sides
    sides = (*sides, "-s", FILES[-1]) if "sources" in METRICS[name].inputs.needed else sides
    call = ("score", "-m", name, *sides, *DRAWN)
    result = metrics(*call, "--signature")[name]
    key = with_defaults(METRICS[name]).scores.headline
    bounds = result.get("confidence_intervals") or {key: result["confidence_interval"]}
    digits = 2 if METRICS[name].scores.top == 100 else 4
    rows = {one: [f"{value:.{digits}f}" for value in (result[one], *bounds[one])] for one in bounds}
    table = words(run(*call, "--signature"))
    shown = [" ".join(line) for line in table]
    assert {"90%", "interval"} <= {word for line in table for word in line}
    assert [one for one, (score, low, high) in rows.items() if f"{score} [{low}, {high}]" not in "\n".join(shown)] == []
    assert result["signature"] in shown
    scores = with_defaults(METRICS[name]).scores
    named = [scores.headline] if scores.named(name) else [score.key for score in scores if score.name]
    alone = [rows.get(one, [f"{result[one]:.{digits}f}"]) for one in named]
    assert run(*call, "--brief").stdout.splitlines() == ["\t".join(figures) for figures in alone]


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


def test_brief_parts_of_rouge(run, metrics, corpus):
    call = ("score", "-m", "rouge", "rouge_types=rouge1", "--detailed", *FILES, *DRAWN)
    rouge = metrics(*call)["rouge"]
    parts = [(rouge["rouge1"][part], *bounds) for part, bounds in rouge["confidence_intervals"]["rouge1"].items()]
    shown = run(*call, "-b", "-w", 6).stdout
    assert shown == "\t".join(f"{number:.6f}" for part in parts for number in part) + "\n"
    assert "[{:.6f}, {:.6f}]".format(*parts[-1][1:]) in run(*call, "-w", 6).stdout


def test_all_orders(run, corpus):
    result = textgauge.bleu(*corpus, all_orders=True, max_order=3)
    flags = ("score", "-m", "bleu", *FILES, "--all-orders", "--max-order", 3)
    orders = [f"{result[f'bleu{n}']:.4f}" for n in (1, 2, 3)]
    assert run(*flags, "-b").stdout.splitlines() == [f"{result['bleu']:.4f}", *orders]
    assert [line[1] for line in words(run(*flags)) if line and line[0].startswith("BLEU-")] == orders


def test_brief_scale(run, corpus):
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


def test_one_warning_for_all_batches(run, write, block_bytes):
    # So few bytes cut all but the smallest corpora.
    block_bytes(50)
    result = run("score", "-m", "rouge", "-p", write("hyp", ["\u4f60\u597d"] * 100), "-r", write("ref", ["a"] * 100))
    assert result.stderr.startswith("textgauge: warning: 100 texts are not empty but have no token")
    assert result.stderr.count("\n") == 1


def test_warnings_name_options(run, write):
    one = write("one.txt", ["a cat"])
    warned = run("score", "-m", "bleu", "-p", one, "-r", one).stderr
    # As it is typed, not as Python has it.
    assert warned.endswith("for a 3-gram: pass --effective-order, --max-order 2 or a smoothing.\n")
    words = ["-r", write("ref.txt", ["今天天气很好，我们去公园玩。"] * 40), "-m", "cer"]
    warned = run("score", write("hyp.txt", ["今天天气很好我们去公园玩"] * 40), *words).stderr
    assert "pass --no-whitespace with --normalizer basic, which" in warned


def test_several_names_of_one_flag(run, corpus):
    both = run("score", "-m", "bleu", "-m", "chrf", *FILES).stdout
    assert run("score", "-m", "bleu", "chrf", *FILES).stdout == both
    assert run("score", "hyp.txt", "-r", "ref.txt", "-m", "bleu", "chrf").stdout == both
    assert run("score", "-r", "ref.txt", "-m", "bleu", "chrf", "hyp.txt").stdout == both
    three = run("score", "-m", "ter", "-m", "bleu", "-m", "chrf(word_order=2)", *FILES).stdout
    assert run("score", "-m", "ter", "bleu,chrf(word_order=2)", *FILES).stdout == three
    assert len(run("score", "-m", "bleu", "-m", "bleu", "-b", *FILES).stdout.splitlines()) == 1


IN_BRACKETS = [
    "chrf(word_order=2)", "bleu(max_order=2)", "bleu(tokenizer='zh', lowercase=True)", "rouge1(beta=3.0)",
    "ter(normalized=True)", "wer(normalizer='basic')", "bleu(weights=[0.5, 0.5], max_order=2)",
]  # fmt: skip


@pytest.mark.parametrize("text", IN_BRACKETS)
def test_options_in_brackets_are_those_of_python(run, metrics, corpus, text):
    name, expected = text.partition("(")[0], textgauge.segment_scores(text, *corpus)
    plain = textgauge.segment_scores(name, *corpus)
    assert expected.tolist() != plain.tolist()
    found = metrics("score", "-m", name, text, *FILES, "--per-segment")
    lists = {label: next(value for key, value in result.items() if key.startswith("segment_"))
             for label, result in found.items()}  # fmt: skip
    if name != "bleu":
        assert [*lists.values()] == [plain.tolist(), expected.tolist()]
    [compared] = textgauge.compare([corpus[0], corpus[1]], corpus[1], metric=text, n_resamples=9)
    rows = metrics("compare", "hyp.txt", "ref.txt", "-r", "ref.txt", "-m", text, "-n", 9)
    assert [row["score"] for [row, *_] in rows.values()] == [compared.score1]


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


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (KeyboardInterrupt, 130, ""), (click.Abort, 130, ""), (MemoryError, 2, "there is not enough memory"),
        (MemoryError("of 9 GB"), 2, "there is not enough memory: of 9 GB"), (BrokenPipeError, 2, ""),
        (OSError(28, "No space left on device"), 2, "cannot write the output: [Errno 28] No space left on device"),
    ],
)  # fmt: skip
def test_exit_code_of_what_ends_the_program(run, monkeypatch, error, code, said):
    def ends(*_, **__):
        raise error

    monkeypatch.setattr("textgauge.cli.score.request_of", ends)
    done = run("score", "hyp.txt", "-r", "ref.txt")
    assert (done.exit_code, done.stdout) == (code, "")
    assert done.stderr.strip() == (f"textgauge: {said}" if said else "")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes of POSIX")
@pytest.mark.parametrize("more", [(), ("--json",)])
def test_a_pipe_of_a_name_stays_one(run, corpus, tmp_path, more):
    os.mkfifo(tmp_path / "pipe")
    found = []
    reader = threading.Thread(target=lambda: found.append((tmp_path / "pipe").read_text()), daemon=True)
    reader.start()
    assert run("score", "-m", "ter", *FILES, *more, "-o", "pipe").exit_code == 0
    reader.join(9)
    assert found == [run("score", "-m", "ter", *FILES, *more).stdout]
    assert (tmp_path / "pipe").is_fifo()


def test_a_system_has_a_name(run, corpus):
    call = ("score", "-m", "ter", *FILES, "--name", "my system")
    assert "my system: 24 segments" in run(*call).stdout
    assert json.loads(run(*call, "--json").stdout)["system"] == "my system"


@pytest.mark.parametrize("error", [ImportError, OSError])
@pytest.mark.parametrize("command", ["score", "compare", "tokenize"])
def test_missing_tokenizer(refused, corpus, monkeypatch, error, command):
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


SYSTEMS = ("hyp.txt", "crlf.txt", "other.txt")


@pytest.fixture
def systems(corpus, write):
    """Two systems that are equal and one that is better."""
    write("other.txt", [*corpus[1][:12], *corpus[0][12:]])
    return {name: corpus[0] for name in SYSTEMS[:2]} | {"other.txt": [*corpus[1][:12], *corpus[0][12:]]}


def test_several_systems_are_a_row_each(run, systems, corpus):
    call = ("score", *SYSTEMS, "-r", "ref.txt", "-m", "sacrebleu", "ter", "rouge1", *DRAWN)
    scores = {name: [textgauge.sacrebleu(texts, corpus[1])["sacrebleu"], textgauge.ter(texts, corpus[1])["ter"]]
              for name, texts in systems.items()}  # fmt: skip
    lines = words(run(*call))
    assert lines[0] == ["system", "BLEU", "TER", "↓", "ROUGE-1"]
    for name, line in zip(SYSTEMS, lines[2:5], strict=True):
        assert (line[0], line[1], line[4]) == (name, *(f"{value:.2f}" for value in scores[name]))
        [alone] = words(run("score", name, "-r", "ref.txt", *DRAWN, "-b"))
        assert line[1:4] == [alone[0], f"[{alone[1]},", f"{alone[2]}]"]
    assert lines[5] == ["24", "segments"]
    assert [line[0] for line in lines[6:]] == ["sacrebleu:", "ter:", "rouge:"]
    brief = words(run(*call[:-6], "-b"))
    assert [line[:2] for line in brief] == [[f"{value:.2f}" for value in scores[name]] for name in SYSTEMS]
    page = json.loads(run(*call, "--json").stdout)
    assert [one["system"] for one in page["systems"]] == [*SYSTEMS]
    for one in page["systems"]:
        assert [one["metrics"]["sacrebleu"]["sacrebleu"], one["metrics"]["ter"]["ter"]] == scores[one["system"]]


@pytest.mark.parametrize("form", [[], ["--json"], ["--table", "latex"], ["-b"]])
def test_scores_do_not_depend_on_others(run, systems, form):
    call = ("-r", "ref.txt", "-m", "rouge", "--detailed", *form)
    both = run("score", "hyp.txt", "other.txt", *call).stdout
    if form == ["--json"]:
        alone = [json.loads(run("score", name, *call).stdout)["metrics"] for name in ("hyp.txt", "other.txt")]
        assert [one["metrics"] for one in json.loads(both)["systems"]] == alone
    elif form:
        assert both.splitlines() != []
        for name in ("hyp.txt", "other.txt"):
            alone = run("score", name, *call).stdout.splitlines()
            assert {"\t".join(alone)} <= {*both.splitlines()} if form == ["-b"] else {*alone} <= {*both.splitlines()}


@pytest.mark.parametrize("form", [[], ["--table", "markdown"], ["--confidence", "0.9", "-n", "9"]])
def test_details_of_several_systems_have_columns(run, systems, form):
    """As those of one: precision and recall beside F, and what a score is the mean of."""
    call = ("-r", "ref.txt", "-s", "ref.txt", "-m", "rouge1", "detailed=true", "sari", "detailed=true", *form)
    lines = run("score", "hyp.txt", "other.txt", *call).stdout.splitlines()
    heads = "ROUGE-1 precision", "ROUGE-1 recall", "ROUGE-1 F", "SARI", "SARI keep", "SARI delete", "SARI add"
    assert [cell for cell in re.split(r" {2,}|\s*\|\s*", lines[0].strip()) if cell] == ["system", *heads]
    for name in ("hyp.txt", "other.txt"):
        page = json.loads(run("score", name, *call[:9], "--json").stdout)["metrics"]
        values = [f"{page['rouge']['rouge1'][part]:.4f}" for part in ("precision", "recall", "fmeasure")]
        values += [f"{page['sari'][key]:.2f}" for key in ("sari", "keep", "delete", "add")]
        [line] = [line for line in lines if re.match(rf"\W*{name.partition('.')[0]}\b", line)]
        assert re.findall(r"(?<![\[.\d])\d+\.\d+(?!\d*\])", re.sub(r"\[.*?\]", "", line)) == values
        brief = run("score", name, *call[:9], "--brief").stdout.split()
        assert brief == values


def test_orders_of_several_systems_have_columns(run, systems):
    lines = words(run("score", "hyp.txt", "other.txt", "-r", "ref.txt", "-m", "bleu", "all_orders=true"))
    assert lines[0] == ["system", "BLEU", "bleu1", "bleu2", "bleu3", "bleu4"]
    assert len(lines[2]) == 6


def test_rows_of_several_systems(run, systems, tmp_path):
    run("score", *SYSTEMS, "-r", "ref.txt", "-m", "chrf", "-o", "rows.jsonl")
    rows = [json.loads(line) for line in (tmp_path / "rows.jsonl").read_text().splitlines()]
    assert [row["system"] for row in rows] == [name for name in SYSTEMS for _ in range(24)]
    assert [row["segment"] for row in rows] == [*range(1, 25)] * 3
    run("score", "other.txt", "-r", "ref.txt", "-m", "chrf", "-o", "one.jsonl")
    alone = [json.loads(line) for line in (tmp_path / "one.jsonl").read_text().splitlines()]
    assert alone == [{key: row[key] for key in ("segment", "chrf")} for row in rows[48:]]


def test_papers_name_scores_and_systems(run, systems, write):
    call = ("-r", "ref.txt", "-m", "sacrebleu", "bleu", "chrf", "word_order=2", "beta=3", "rouge1", "rougeLsum", "ter",
            "token_f1", "--table", "markdown")  # fmt: skip
    write("model-1.5", systems["hyp.txt"])
    heads = (
        "| system | BLEU (sacrebleu) | BLEU (bleu) | chrF3++ | ROUGE-1 | ROUGE-Lsum | TER ↓ | Token F1 | Exact match |"
    )
    lines = run("score", "hyp.txt", "other.txt", "model-1.5", *call).stdout.splitlines()
    assert lines[0] == heads
    assert [line.split(" | ")[0] for line in lines[2:5]] == ["| hyp", "| other", "| model-1.5"]
    # Names that would be equal keep what makes them different; --name says what it says.
    write("hyp.csv", [f'"{text}"' for text in ["prediction", *systems["hyp.txt"]]])
    lines = run("score", "hyp.txt", "rows.csv", "hyp.csv", *call).stdout.splitlines()
    assert [line.split(" | ")[0] for line in lines[2:5]] == ["| hyp.txt", "| rows.csv", "| hyp.csv"]
    assert "| a.txt |" in run("score", "hyp.txt", *call, "--name", "a.txt").stdout


@pytest.mark.parametrize("form", [[], ["--table", "latex"]])
def test_every_table_says_what_was_computed(run, metrics, corpus, form):
    names = ("sacrebleu", "bleu", "rouge2", "chrf", "ter", "token_f1")
    found = metrics("score", *FILES, "-m", *names, "--signature", *DRAWN)
    shown = run("score", *FILES, "-m", *names, *form, *DRAWN).stdout.splitlines()
    for result in found.values():
        assert result["signature"].startswith("nrefs:1|bs:50|seed:3|")
        assert [line for line in shown if line.endswith(result["signature"])] != []
    assert "bs:" not in run("score", *FILES, "-m", *names, *form).stdout


def test_columns_of_the_input_are_kept(run, refused, write, tmp_path):
    text = {"prediction": "a cat", "reference": "a cat"}
    ids = [{"id": 7, "of": None}, {"id": "x", "of": [1.25, "é"]}, {}, {"id": {"a": 1}, "of": 0.123456}]
    write("rows.jsonl", [{**text, **one} for one in ids])
    call = ("score", "rows.jsonl", "-m", "chrf", "--keep", "id", "--keep", "of", "-w", "2")
    assert "line 3: there is no field 'id'" in refused(*call, "-o", "rows.json")
    # A row is not worse than others for what is only kept.
    kept = [ids[0], ids[1], {"id": None, "of": None}, ids[3]]
    for name, chosen in (("out.json", kept), ("out.jsonl", kept)):
        assert run(*call, "-o", name, "--skip-bad").exit_code == 0
        text = (tmp_path / name).read_text()
        assert text[-1] == "\n"
        rows = json.loads(text) if name == "out.json" else [json.loads(line) for line in text.splitlines()]
        assert rows == [
            {"segment": i, **one, "chrf": 100.0} for i, one in enumerate(chosen, 1)
        ]  # fmt: skip
    # With --json, the page.
    assert run(*call[:4], "--json", "-o", "out.json").exit_code == 0
    assert json.loads((tmp_path / "out.json").read_text())["segments"] == 4
    run(*call, "-o", "out.csv", "--skip-bad")
    assert (tmp_path / "out.csv").read_text().splitlines() == [
        "segment,id,of,chrf", "1,7,,100.0", '2,x,"[1.25, ""é""]",100.0', "3,,,100.0",
        '4,"{""a"": 1}",0.123456,100.0',
    ]  # fmt: skip
    run(*call, "-o", "out.parquet", "--skip-bad")
    table = pyarrow.parquet.read_table(tmp_path / "out.parquet").to_pydict()
    # One type for all: texts as they are, other values as JSON.
    assert table["id"] == ["7", "x", None, '{"a": 1}']
    assert "no row has a field 'nr'" in refused("score", "rows.jsonl", "--keep", "nr", "-o", "x.csv", "--skip-bad")
    assert run("score", "rows.jsonl", "--keep", "id", "--keep", "id", "-o", "x.csv", "--skip-bad").exit_code == 0
    assert (tmp_path / "x.csv").read_text().splitlines()[0] == "segment,id,sacrebleu"


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_kept_columns_of_other_formats(run, write, tmp_path, suffix):
    if suffix == "csv":
        write("rows.csv", "prediction,id,reference\na,01,a\nb,x,b\n")
    else:
        write("rows.parquet", {"prediction": ["a", "b"], "id": [1, 2], "reference": ["a", "b"]})
    assert run("score", f"rows.{suffix}", "-m", "ter", "--keep", "id", "-o", "out.json").exit_code == 0
    ids = [row["id"] for row in json.loads((tmp_path / "out.json").read_text())]
    assert ids == (["01", "x"] if suffix == "csv" else [1, 2])


def test_kept_truth_values(run, write, tmp_path):
    values = [True, False, None, [True]]
    write("rows.jsonl", [{"prediction": "a", "reference": "a", "is": value} for value in values])
    for name in ("out.csv", "out.jsonl"):
        assert run("score", "rows.jsonl", "-m", "ter", "--keep", "is", "-o", name).exit_code == 0
    assert [line.split(",")[1] for line in (tmp_path / "out.csv").read_text().splitlines()[1:]] == [
        "true", "false", "", "[true]",
    ]  # fmt: skip
    assert [json.loads(line)["is"] for line in (tmp_path / "out.jsonl").read_text().splitlines()] == values


def test_a_kept_column_is_no_reference(run, write, tmp_path):
    write("rows.jsonl", [{"prediction": "a cat", "reference": "the dog", "id": "a cat"}])
    write("ref.txt", ["the dog"])
    scores = []
    for more in ([], ["--keep", "id"], ["--keep", "id", "-r", "ref.txt"]):
        run("score", "rows.jsonl", "-m", "chrf", *more, "-o", "out.json")
        scores += [row["chrf"] for row in json.loads((tmp_path / "out.json").read_text())]
    assert scores == [textgauge.chrf(["a cat"], ["the dog"])["chrf"]] * 3


def test_kept_columns_in_blocks(run, write, tmp_path, monkeypatch):
    monkeypatch.setattr("textgauge.files.rows.BLOCK_ROWS", 7)
    write("rows.jsonl", [{"prediction": "a cat", "reference": "a cat", "id": i * i} for i in range(30)])
    for metric in (["chrf"], ["perplexity", "ngram_train=rows.jsonl"]):
        words = ("score", "rows.jsonl", "-m", *metric, "--keep", "id", "-o", "out.json")
        done = run(*words)
        assert done.exit_code == 0, done.stderr
        rows = json.loads((tmp_path / "out.json").read_text())
        assert [row["id"] for row in rows] == [i * i for i in range(30)]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--keep other", "--keep is for rows per segment: it needs -o with a name that ends in .json, .jsonl, "),
        ("--keep segment -o x.csv", "--keep segment: the rows have a column of that name"),
        ("--keep sacrebleu -o x.csv", "--keep sacrebleu: the rows have a column of that name"),
        ("-p rows.jsonl -p hyp.txt -r ref.txt --keep prediction -o x.csv", "--keep prediction: ... of rows.jsonl"),
        ("--keep nothing -o x.csv", "rows.jsonl, line 1: there is no field 'nothing', only 'other', "),
        ("-p hyp.txt -r ref.txt --keep other -o x.csv", "--keep has no effect: plain text has no columns"),
        ("--format squad -r rows.jsonl --keep id -o x.csv", "--keep has no effect with --format squad"),
        ("-m rouge --fail-under 1", "--fail-under is for one score, not rouge: name one with -m"),
        ("-m bleu chrf --fail-under 1", "--fail-under is for one score, not bleu and chrf"),
        ("--fail-under nan", "--fail-under: ... got nan"),
        ("--fail-under much", "--fail-under: ... got 'much'"),
        ("-m bleu chrf --fail-under bleu=1 ter=3", "--fail-under: ter is no score of bleu and chrf"),
        ("-m bleu --fail-under bleu=1 bleu=0.3", "--fail-under has bleu twice"),
        ("-m wer --fail-under 10", "--fail-under: ... from 0 to 1 for wer, got 10; 10 percent is 0.1"),
        ("-m rougeL --fail-under 50", "--fail-under: ... from 0 to 1 for rougeL, got 50; 50 percent is 0.5"),
        ("-m rougeL --fail-under -1", "--fail-under: ... from 0 to 1 for rougeL, got -1"),
        ("-m consistency form=summac-zs --fail-under -2", "--fail-under: ... from -1 to 1 for consistency, got -2"),
        ("-m chrf --fail-under 101", "--fail-under: ... from 0 to 100 for chrf, got 101"),
        ("-m bleu ter --fail-under ter=300", "--fail-under: ... from 0 to 100 for ter, got 300"),
        ("-m cider --fail-under 110", "--fail-under: ... from 0 to 10 for cider, got 110"),
        ("-m squad --fail-under 101", "--fail-under: ... from 0 to 100 for squad, got 101"),
        ("-m wil --fail-under 1.5", "--fail-under: ... from 0 to 1 for wil, got 1.5"),
        ("-m rouge --fail-under rouge=1", "--fail-under: rouge is no score of rouge"),
        ("-p hyp.txt -r ref.txt -p crlf.txt --counts", "--counts of several systems needs --json, or -o"),
        ("-p hyp.txt -r ref.txt -p crlf.txt --per-segment", "--per-segment of several systems needs --json"),
    ],
)
def test_what_rows_and_gates_need(refused, corpus, write, words, message):
    write("rows.jsonl", [{"other": 1, "prediction": "a b", "reference": "a b", "segment": 1, "sacrebleu": 1}])
    arguments = ("score", *(() if "-p" in words else ("rows.jsonl",)), *words.split())
    assert says(refused(*arguments), message)


@pytest.mark.parametrize(("metric", "worse", "fine"), [("sacrebleu", 41.2, 41.1), ("ter", 42.4, 42.5)])
@pytest.mark.parametrize("form", [[], ["-b"], ["-o", "rows.csv"], ["--json"]])
def test_a_gate_without_a_baseline(run, systems, metric, worse, fine, form):
    call = ("score", "hyp.txt", "other.txt", "-r", "ref.txt", "-m", metric, *form)
    passed = run(*call, "--fail-under", fine)
    assert (passed.exit_code, passed.stderr) == (0, "")
    failed = run(*call, "--fail-under", worse)
    assert (failed.exit_code, failed.stdout) == (1, passed.stdout)
    value = {"sacrebleu": "41.12", "ter": "42.47"}[metric]
    assert failed.stderr == f"textgauge: hyp.txt: {metric} {value} is worse than {worse}\n"
    found = run("score", "hyp.txt", "-r", "ref.txt", "-m", metric, "--fail-under", float(value)).stderr
    assert f" {value} is worse than {value}" not in found
    percent = run("score", "hyp.txt", "-r", "ref.txt", "-m", "rouge1", "--percent", "--fail-under", 0.99).stderr
    assert percent.endswith(" is worse than 99\n")


@pytest.mark.parametrize("metric", ["chrf", "ter"])
def test_the_gate_lets_its_own_bound_pass(run, metrics, corpus, metric):
    exact = metrics("score", "-m", metric, *FILES)[metric][metric]
    assert run("score", "-m", metric, *FILES, "--fail-under", repr(exact)).exit_code == 0
    assert run("score", "-m", "exact_match", *FILES, "--fail-under", 1).exit_code == 1


def test_gate_per_score(run, corpus):
    call = ("score", *FILES, "-m", "sacrebleu", "ter", "rouge", "--fail-under")
    fine = run(*call, "sacrebleu=41.1", "ter=42.5", "rouge1=0.5")
    assert (fine.exit_code, fine.stderr) == (0, "")
    failed = run(*call, "sacrebleu=90", "ter=1", "rouge1=0.5")
    assert (failed.exit_code, failed.stdout) == (1, fine.stdout)
    assert failed.stderr == (
        "textgauge: hyp.txt: sacrebleu 41.12 is worse than 90\ntextgauge: hyp.txt: ter 42.47 is worse than 1\n"
    )
    assert run(*call, "rouge7=0.5").stderr.startswith("textgauge: --fail-under: rouge7 is no score of rouge1, ")
    # What follows is a file again.
    assert run("score", "-m", "sacrebleu", "--fail-under", "1", "hyp.txt", "-r", "ref.txt").exit_code == 0


def test_rows_and_corpus_scores(run, corpus, tmp_path):
    shown = run("score", *FILES, "-m", "sacrebleu", "rouge1")
    written = run("score", *FILES, "-m", "sacrebleu", "rouge1", "--per-segment", "-o", "rows.csv")
    assert written.stdout == shown.stdout != ""
    assert (tmp_path / "rows.csv").read_text().startswith("segment,sacrebleu,rouge1\n1,")


@pytest.mark.skipif(os.name == "nt", reason="symbolic links")
def test_output_is_an_input(refused, corpus, tmp_path):
    before = (tmp_path / "ref.txt").read_bytes()
    os.symlink(tmp_path / "ref.txt", tmp_path / "link.txt")
    os.link(tmp_path / "hyp.txt", tmp_path / "other.txt")
    for name, path in (("link.txt", "ref.txt"), ("other.txt", "hyp.txt"), ("./hyp.txt", "hyp.txt")):
        message = refused("score", *FILES, "-o", name)
        assert message.startswith(f"--output would overwrite {path}, which is an input")
    assert (tmp_path / "ref.txt").read_bytes() == before


@pytest.mark.parametrize(
    ("flag", "values"), [("-s", ("ref.txt", "hyp.txt")), ("--format", ("text", "jsonl")), ("-o", ("a.txt", "b.txt"))]
)
def test_option_given_twice(refused, corpus, flag, values):
    message = refused("score", "hyp.txt", "-r", "ref.txt", *(word for value in values for word in (flag, value)))
    assert f"is given 2 times, {' and '.join(values)}: it takes one value" in message


def test_details_that_were_asked_for_are_rows(run, write):
    for name in ("hyp", "ref", "src"):
        write(f"{name}.txt", ["a cat sat", "a dog"])
    lines = run("score", "hyp.txt", "-r", "ref.txt", "-s", "src.txt", "-m", "sari", "detailed=true").stdout.splitlines()
    assert [line.split()[0] for line in lines if line.strip()][2:6] == ["SARI", "keep", "delete", "add"]


def test_weights_of_cider_come_from_a_file(metrics, write):
    for name in ("hyp.txt", "ref.txt"):
        write(name, ["a cat sat", "a dog"])
    write(
        "rows.jsonl", ['{"reference": ["a cat sat", "the cat"]}', '{"reference": "one dog"}', '{"reference": "a bird"}']
    )
    images = [["a cat sat", "the cat"], ["one dog"], ["a bird"]]
    texts = ["a cat sat", "a dog"]
    found = metrics("score", "hyp.txt", "-r", "ref.txt", "-m", "cider", "idf=rows.jsonl")["cider"]
    assert found["cider"] == textgauge.cider(texts, texts, idf=images)["cider"]


@pytest.mark.slow
def test_wide_table_is_turned(run, systems, monkeypatch, tmp_path):
    call = ("score", "hyp.txt", "other.txt", "-r", "ref.txt", "-m", "wer", "chrf", "ter", "rouge1", "rouge2", "bleu")

    def shown(columns):
        command = [sys.executable, "-m", "textgauge", *call]
        return on_terminal(command, tmp_path, TERM="dumb", COLUMNS=columns).decode().splitlines()

    flat = [line.split() for line in shown("500")]
    assert flat[0][:3] == ["system", "WER", "↓"]
    lines = shown("50")
    assert lines[0].split() == ["system", "hyp.txt", "other.txt"]
    assert [line.split()[0] for line in lines[2:9]] == ["WER", "MER", "WIL", "WIP", "chrF2", "TER", "ROUGE-1"]
    assert lines[2].split()[2:] == [flat[2][1], flat[3][1]]
    # Too wide either way: as it is.
    assert shown("20")[0].split() == flat[0]
    # Into a file or another program it goes as it is.
    monkeypatch.setenv("COLUMNS", "50")
    assert run(*call).stdout.splitlines()[0].split() == flat[0]


def test_metrics_of_one_title_are_told_apart(run, corpus):
    """Both are called BLEU."""
    lines = words(run("score", *FILES, "-m", "bleu", "sacrebleu"))
    assert [line[0] for line in lines if line[1:] == ["score"]] == ["bleu", "sacrebleu"]
    alone = words(run("score", *FILES, "-m", "bleu"))
    assert [line[0] for line in alone if line[1:] == ["score"]] == ["BLEU"]


def test_names_that_begin_with_a_bracket_are_no_lengths_to_latex(run, write):
    write("[a].txt", ["a b"])
    found = run("score", "[a].txt", "[a].txt", "-r", "[a].txt", "-m", "chrf", "--table", "latex").stdout
    assert found.count("{[}a] & 100.00 ") == 2


@pytest.mark.parametrize("flag", ["--sources", "--source-field", "--format", "--id-field"])
def test_what_takes_one_value_takes_no_second(refused, flag):
    message = refused("score", "x.jsonl", flag, "csv", flag, "tsv", "-m", "sari")
    assert message.startswith(f"{flag} is given 2 times, csv and tsv: it takes one value. ")


def test_scores_of_one_name(run, systems):
    words = ("score", "hyp.txt", "other.txt", "-r", "ref.txt", "-m", "squad", "squad_v2")
    assert "Token F1 (squad)   Token F1 (squad_v2)" in run(*words).stdout


@pytest.mark.parametrize(
    ("line", "values", "labels"),
    [
        ("chrf word_order=2", ["chrf(word_order=2)"], ["chrf"]),
        ("chrf --word-order 2", ["chrf(word_order=2)"], ["chrf"]),
        ("chrf(word_order=2)", ["chrf(word_order=2)"], ["chrf(word_order=2)"]),
        ("chrf word_order=2 --beta 3 --word-order 1", ["chrf(beta=3.0, word_order=2)"], ["chrf"]),
        ("chrf bleu --lowercase --confidence 0.9", ["chrf(lowercase=True, confidence=0.9)",
                                                    "bleu(lowercase=True, confidence=0.9)"], ["chrf", "bleu"]),
        ("rougeL rouge2 use_stemmer=true", ["rougeL(use_stemmer=True)", "rouge2(use_stemmer=True)"],
         ["rougeL", "rouge2"]),
        ("rouge rouge1", ["rouge"], ["rouge", "rouge1"]),
        ("rouge rouge7", ["rouge1", "rouge2", "rougeL", "rougeLsum", "rouge7"], ["rouge", "rouge7"]),
    ],
)  # fmt: skip
def test_a_score_of_the_line_is_the_value_that_python_has(line, values, labels):
    with score.make_context("score", ["a.txt", "-m", *line.split(" ")]) as context:
        scorings, named = scorings_of(context, context.params["metrics"])
    every = [one for scoring in scorings for one in scoring.scores]
    assert every == [NamedScore.of(value, has_reports=True) for value in values]
    assert named == labels


def test_json_has_signatures_of_all_metrics_or_none(metrics, corpus):
    results = metrics("score", *FILES, "-m", "sacrebleu", "chrf", "wer")
    assert {name for name in results if "signature" in results[name]} == set()
    results = metrics("score", *FILES, "-m", "sacrebleu", "chrf", "wer", "--signature")
    assert all("signature" in results[name] for name in results)


def test_files_that_are_the_same_are_told(run, write):
    """One note says why scores are perfect, or do not differ; of references of several systems one may be theirs."""
    for name in ("a.txt", "b.txt"):
        write(name, ["a b c d", "e f g h"])
    of_one = (
        "textgauge: warning: ./a.txt has both the predictions and the references: texts are compared with themselves"
    )
    assert run("score", "a.txt", "-r", "./a.txt", "-m", "chrf", "-b").stderr == f"{of_one}\n"
    twice = run("compare", "a.txt", "b.txt", "a.txt", "-r", "b.txt", "-m", "chrf", "-b").stderr
    assert twice.count("a.txt is given twice: two systems with the same texts cannot differ\n") == 1
    write("rows.csv", "prediction,reference\na,b\n")
    assert run("score", "rows.csv", "-r", "rows.csv", "-m", "chrf", "-b").stderr == ""
    assert run("score", "a.txt", "b.txt", "-r", "b.txt", "-m", "chrf", "-b").stderr == ""


def test_a_gate_is_for_the_options_that_it_names(run, metrics, write):
    write("few.txt", ["the cat"])
    write("gold.txt", ["the cats sat"])
    call, names = ("score", "few.txt", "-r", "gold.txt"), ("chrf(word_order=0)", "chrf(word_order=2)")
    scores = [found["chrf"] for found in metrics(*call, "-m", *names).values()]
    for least in (min(scores) - 1, sum(scores) / 2, max(scores) + 1):
        gates = [run(*call, "-m", *names, "--fail-under", f"{name}={least}").exit_code for name in names]
        assert gates == [int(score < least) for score in scores]

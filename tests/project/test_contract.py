"""A metric registered here works through every face, and no option is missing anywhere."""

import ast
import inspect
import json
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import textgauge
import toys
from cli.conftest import run, write  # noqa: F401
from click.testing import CliRunner
from programs import docstrings
from spark.test_workers import COLUMNS
from textgauge import options as declared
from textgauge import stubs
from textgauge.accumulation.accumulator import accumulator_of
from textgauge.accumulation.functions import one_call
from textgauge.accumulation.register import register
from textgauge.accumulation.registry import METRICS
from textgauge.apps.__main__ import main as apps_command
from textgauge.apps.space import space_files
from textgauge.explanation.explainer import EXPLAINERS, Explainer
from textgauge.locations import MODULES
from textgauge.metric.metric import option_names, with_defaults
from textgauge.options import options_of
from textgauge.resampling import BootstrapOptions
from toys import Drift, Miss, Words

ROOT = Path(__file__).parents[2]
HYPS = ["a b", "a b c", "x y z", "a", "b c d", "q"]
REFS = [["a b c d", "a b"], ["a b c"], ["x y"], ["a b c"], ["b c d e"], ["r"]]
BETTER = ["a b c d", "a b c", "x y", "a b", "b c d e", "q"]
# Characters of the toy are no white space, and "a b" has a reference of its length.
DRIFTS = [0.0, 0.0, 10 * np.log2(3 / 4), -10.0, 10 * np.log2(4 / 5), 0.0]
TOYS = {
    "miss": {"options": {"weight": 2}, "total": {"miss": 10 / 17}, "plain": {"miss": 5 / 17}},
    "drift": {
        "options": {"base": 4},
        "total": {"level": np.mean(DRIFTS) / 2, "half": np.mean(DRIFTS) / 4},
        "plain": {"level": np.mean(DRIFTS), "half": np.mean(DRIFTS) / 2},
    },
}


@pytest.fixture(params=TOYS)
def toy(request, monkeypatch):
    monkeypatch.setattr("textgauge.accumulation.registry.METRICS", METRICS)
    register(toys.TOYS[request.param].metric_type)
    yield toys.TOYS[request.param]
    del METRICS[request.param]


def near(scores):
    return pytest.approx(scores, rel=1e-14)


def test_one_call_has_every_option_in_its_help(toy):
    function, (name, value) = one_call(toy), *TOYS[toy.metric_type.name]["options"].items()
    assert function(HYPS, REFS) == near(TOYS[toy.metric_type.name]["plain"])
    assert function(HYPS, REFS, **{name: value}) == near(TOYS[toy.metric_type.name]["total"])
    names = [
        one.name for kind in (toy.metric_type.options_type, toy.metric_type.reports_type) for one in options_of(kind)
    ]
    assert list(inspect.signature(function).parameters) == ["predictions", "references", *names]
    assert [name for name in names if f"\n{name} : " not in function.__doc__] == []
    with pytest.raises(TypeError, match=f"{name}s: expected an option of {toy.__name__} .nearest: {name}"):
        function(HYPS, REFS, **{f"{name}s": 2})
    with pytest.raises(ValueError, match=f"{name}: expected a number (from 0 to|between 1 and) 10, got 11"):
        function(HYPS, REFS, **{name: 11})


def test_scores_of_segments_and_intervals_are_added(toy):
    result = one_call(toy)(HYPS, REFS, per_segment=True, confidence=0.9, signature=True, **({"counts": True}))
    if toy is Miss:
        assert result["segment_miss"] == [0.5, 0.0, 0.0, 2 / 3, 1 / 4, 0.0]
        assert result["counts"] == {"missing": 5, "words": 17}
        bounds, score = result["confidence_interval"], result["miss"]
    else:
        assert result["segment_level"] == near(DRIFTS)
        bounds, score = result["confidence_intervals"]["level"], result["level"]
    assert bounds[0] < score < bounds[1]
    (name, value) = next(iter(toy().options.chosen().items()))
    assert f"{name}:{value}" in result["signature"]


def test_it_adds_up_and_is_stored(toy):
    options = TOYS[toy.metric_type.name]["options"]
    parts = [toy(**options).update(HYPS[i : i + 2], REFS[i : i + 2]) for i in (0, 2, 4)]
    whole = toy(**options).update(HYPS, REFS)
    assert sum(parts).score() == whole.score() == near(TOYS[toy.metric_type.name]["total"])
    assert toy.from_arrow(sum(parts).to_arrow()).score() == whole.score()
    (name, value) = next(iter(options.items()))
    with pytest.raises(ValueError, match=f"the same {name}"):
        toy() + whole
    assert repr(parts[0]) == f"<{toy.__name__}({name}={value}): 2 segments>"
    assert len(parts[0]) == 2


def test_the_better_reference_is_chosen():
    assert Drift().update(["abcd"], [["a", "abc", "abcdefgh"]]).score()["level"] == near(10 * np.log2(4 / 5))


def test_it_is_compared(toy):
    key = toy().metric.scores.headline
    name = "miss" if toy is Miss else "drift"
    with pytest.warns(UserWarning, match="two systems differ in only 3 segments"):
        [result] = textgauge.compare([HYPS, BETTER], REFS, metric=toy(**TOYS[name]["options"]))
    assert result.score1 == near(TOYS[name]["total"][key])
    assert result.score2 == near(toy(**TOYS[name]["options"]).update(BETTER, REFS).score()[key])
    assert (result.stat > 0) is toy().metric.scores[0].higher_is_better
    assert result.wins[1] > result.wins[0]


def test_it_is_mapped_and_scored_as_a_data_set(toy):
    datasets = pytest.importorskip("datasets")
    columns, options = {"hyp": HYPS, "refs": REFS}, TOYS[toy.metric_type.name]["options"]
    added = textgauge.scorer(toy(**options), **COLUMNS)(columns)
    segments = one_call(toy)(HYPS, REFS, **options, per_segment=True)
    assert {name: column.tolist() for name, column in added.items()} == {
        name: segments[f"segment_{name}"] for name in TOYS[toy.metric_type.name]["total"]
    }
    rows = datasets.Dataset.from_dict(columns)
    assert textgauge.score_dataset(rows, toy.metric_type.name, batch_size=2, **COLUMNS) == one_call(toy)(HYPS, REFS)


def test_it_is_evaluated_while_training(toy):
    metrics = textgauge.trainer.compute_metrics(Words(*"abc"), [toy.metric_type.name, "chrf", "ter"])
    scores = metrics((np.array([[1, 2, 0]]), np.array([[1, 2, 3]])))
    expected = {"miss": 1 / 3} if toy is Miss else {"level": 10 * np.log2(3 / 4), "half": 5 * np.log2(3 / 4)}
    assert scores == near({**{name: scores[name] for name in ("chrf", "ter", "gen_len")}, **expected})


def test_it_is_scored_on_workers(toy):
    import pyarrow as pa
    from textgauge.accumulation.running import intervals, summed
    from textgauge.spark import corpus as sums_of_partitions
    from textgauge.sums import from_digits, rounded

    arrays = [pa.array(HYPS), pa.array(REFS), pa.array(range(len(HYPS)), pa.int64())]
    batch = pa.RecordBatch.from_arrays(arrays, ["prediction", "reference", sums_of_partitions.KEY])
    rows = pa.Table.from_batches(
        sums_of_partitions.PartitionSums((toy(),), ("hyp", "ref"), 200, 0)([batch])
    ).to_pylist()
    sums = {}
    for row in rows:
        if row["kind"] == sums_of_partitions.SUM:
            sums.setdefault(row["resample"], []).append([row[name] for name in sums_of_partitions.DIGIT_COLUMNS])
    totals = [from_digits(np.array(digits).T) for _, digits in sorted(sums.items())]
    assert summed(toy(), totals[0], frozenset({1, 2})).score() == one_call(toy)(HYPS, REFS)
    bounds = intervals(toy(), rounded(np.array(totals[1:])), len(HYPS), BootstrapOptions(0.9))
    plain = TOYS[toy.metric_type.name]["plain"]
    low, high = bounds["confidence_interval"] if toy is Miss else bounds["confidence_intervals"]["level"]
    assert low < plain[toy().metric.scores.headline] < high


def test_it_is_a_module_for_evaluate(toy, tmp_path):
    face = tmp_path / f"{toy.metric_type.name}_face"
    face.mkdir()
    source = (ROOT / "metrics/bleu/bleu.py").read_text()
    source = re.sub(r"textgauge\.Bleu", f'accumulator_of(METRICS["{toy.metric_type.name}"])', source).replace(
        "class Bleu(", "class ToyFace("
    )
    (face / f"{toy.metric_type.name}_face.py").write_text(
        source.replace(
            "import textgauge\n",
            "import textgauge\nfrom textgauge.accumulation.accumulator import accumulator_of\n"
            "from textgauge.accumulation.registry import METRICS\n",
        )
    )
    metric = textgauge.load(face, **TOYS[toy.metric_type.name]["options"])
    assert metric.compute(predictions=HYPS, references=REFS) == near(TOYS[toy.metric_type.name]["total"])
    assert f"{options_of(toy.metric_type.options_type)[0].name} (float, default " in metric.inputs_description


def test_its_matches_are_found(toy):
    found = textgauge.matches(HYPS, REFS, metric=toy.metric_type.name)
    n_tokens = {"miss": [2, 3, 2, 1, 3, 0], "drift": [2, 3, 2, 1, 3, 0]}[toy.metric_type.name]
    assert [len(one.prediction) for one in found] == n_tokens
    assert [one.best for one in found] == [1, 0, 0, 0, 0, 0]


def shown_texts(whole):
    return [(name, [(piece.text, piece.level) for piece in pieces]) for name, pieces in whole.segments[0].texts[1:]]


def test_a_page_explains_it(toy, monkeypatch):
    from textgauge.report import Report, explain_page
    from textgauge.resampling import PairedOptions

    for n in (1, 3):
        many = toy.metric_type.inputs.read(HYPS * n, REFS * n)
        report = Report.of(["toy"], [many], [(toy(), toy().metric.scores.headline)], PairedOptions(confidence=0.9))
        assert toy.metric_type.about.explain(toy.metric_type.name).question in explain_page(report)
    whole = textgauge.explain(HYPS, REFS, metric=toy.metric_type.name)
    assert shown_texts(whole) == [
        ("reference 1", [("a", 1), (" ", 0), ("b", 1), (" c d", 0)]),
        ("reference 2 (scored)", [("a", 1), (" ", 0), ("b", 1)]),
    ]
    # A metric without marks has the texts alone.
    monkeypatch.setitem(EXPLAINERS, toy.metric_type, Explainer)
    whole = textgauge.explain(HYPS, REFS, metric=toy.metric_type.name)
    assert shown_texts(whole) == [("reference 1", [("a b c d", 0)]), ("reference 2", [("a b", 0)])]
    report = Report.of(
        ["toy"], [toy.metric_type.inputs.read(HYPS, REFS)], [(toy(), toy().metric.scores.headline)], PairedOptions()
    )
    assert "a b c d" in explain_page(report)
    assert whole.score == one_call(toy)(HYPS, REFS)[toy().metric.scores.headline]
    assert [one.steps[0].label for one in whole.segments] == [toy().metric.layout.fields[0].name] * len(HYPS)


def test_it_is_on_the_command_line(toy, run, write, tmp_path):  # noqa: F811
    singles = [group[0] for group in REFS]
    for name, lines in (("a", HYPS), ("b", BETTER), ("ref", singles)):
        write(name, lines)
    flag, value = next(iter(TOYS[toy.metric_type.name]["options"].items()))
    score = toy(**{flag: value}).update(HYPS, singles).score()[toy().metric.scores.headline]
    words = ("-m", toy.metric_type.name, "-r", "ref", "a")
    assert f"{score:.4f}" in run("score", *words, "--brief", f"--{flag}", value, "--width", "4").stdout
    assert toy.metric_type.about.title in run("score", *words).stdout
    assert f" {toy.metric_type.name} " in run("compare", *words, "b").stdout
    rows = json.loads(run("compare", *words, "b", "--json").stdout)["metrics"][toy.metric_type.name]
    expected = [toy().update(texts, singles).score()[toy().metric.scores.headline] for texts in (HYPS, BETTER)]
    assert [row["score"] for row in rows] == near(expected)
    run("explain", *words, "-o", "page.html")
    assert toy.metric_type.about.explain(toy.metric_type.name).question in (tmp_path / "page.html").read_text()


@pytest.mark.parametrize("name", METRICS)
def test_every_metric_fulfils_the_contract(name):
    metric_type = METRICS[name]
    found = with_defaults(metric_type).scores
    assert {name, *found.keys} >= {found.headline}
    assert [key for key in (name, *found.keys) if metric_type.about.explain(key).question[-1] != "?"] == []
    assert set(option_names(metric_type)) >= {"signature", "confidence", "n_resamples", "seed"}
    both = [*options_of(metric_type.options_type), *options_of(metric_type.reports_type)]
    assert len({one.name for one in both}) == len(both)
    assert [one.name for one in both if not one.help.endswith(".") or len(one.help) > 160] == []
    assert [one.name for one in both if one.may_be_none and not one.none_means and one.kind not in NONE_IS_PLAIN] == []
    function = getattr(textgauge, name)
    assert [one.name for one in both if f"\n{one.name} : " not in function.__doc__] == []
    assert [one.name for one in both if one.name not in inspect.signature(function).parameters] == []
    assert [
        one.name
        for one in options_of(metric_type.options_type)
        if f"{one.name} : " not in accumulator_of(metric_type).__doc__
    ] == []


# Kinds of options for which None needs no explanation.
NONE_IS_PLAIN = ("model", "python")


@pytest.mark.parametrize("name", METRICS)
def test_every_face_has_every_option_in_its_help(name):
    metric = textgauge.load(name)
    settled = {*type(metric).keywords.values(), *type(metric).chosen}
    names = [one for one in option_names(METRICS[name]) if one not in settled]
    assert [one for one in names if f"\n    {one} (" not in metric.inputs_description] == []
    assert [one for one in names if one not in inspect.signature(type(metric)._compute).parameters] == []


@pytest.mark.parametrize("name", METRICS)
def test_the_card_has_the_table_of_its_options(name):
    card = (ROOT / "metrics" / name / "README.md").read_text()
    # `python -m textgauge.stubs` writes it.
    assert stubs.table_of(METRICS[name]) in card
    assert stubs.with_tables(card, METRICS[name]) == card
    assert "are [options of every metric](../README.md#options-of-every-metric)" in card.replace("\n", " ")


def test_the_folder_of_a_space(tmp_path):
    for name in MODULES:
        assert sorted(space_files(name)) == sorted(("README.md", "app.py", f"{name}.py", "requirements.txt"))
        compile(space_files(name)["app.py"], "app.py", "exec")
        assert {text[-1] for text in space_files(name).values()} == {"\n"}
    given = ["rouge", "--space", str(tmp_path / "space")]
    done = CliRunner().invoke(apps_command, given)
    assert (done.exit_code, done.output) == (0, f"wrote {tmp_path / 'space'}\n")
    assert {path.name: path.read_text("utf-8") for path in (tmp_path / "space").iterdir()} == space_files("rouge")
    assert textgauge.load(tmp_path / "space" / "rouge.py").compute(predictions=["a"], references=["a"])["rouge1"] == 1
    again = CliRunner().invoke(apps_command, given)
    assert again.exit_code == 1
    assert "folder: expected one that does not exist yet" in again.output


@pytest.mark.slow
def test_the_apps_are_a_program(tmp_path):
    given = [sys.executable, "-m", "textgauge.apps", "rouge", "--space", str(tmp_path / "space")]
    assert subprocess.run(given, capture_output=True, text=True, check=True).stdout == f"wrote {tmp_path / 'space'}\n"


def test_extras_of_modules():
    extras = {type(textgauge.load(name)).extra for name in MODULES} - {""}
    assert extras <= {*re.findall(r"^([a-z0-9-]+) = \[", (ROOT / "pyproject.toml").read_text(), re.M)}
    assert {"bertscore", "math", "meteor"} <= extras


def test_a_metric_that_stands_on_another_has_a_table_of_what_differs():
    whole, less = (stubs.table_of(METRICS[name]) for name in ("bleu", "sacrebleu"))
    assert len(less.splitlines()) < len(whole.splitlines())
    assert "| `smoothing` |" in less
    assert "| `max_order` |" not in less
    assert stubs.table_of(METRICS["squad"]) == ""
    old = "## Options\n\n| option | type | x |\n|---|---|---|\n| `a` | b | c |\n\nMore.\n## Next\n| option | type |\n"
    assert stubs.with_tables(old, METRICS["bleu"]) == old.replace(old[12 : old.index("\nMore.")], whole)


def test_the_common_page_has_the_table_of_the_hubs_names():
    page = (ROOT / "metrics/README.md").read_text()
    assert stubs.hub_names() in page
    assert "| `sacrebleu` | `smooth_method` | `smoothing` |" in page


def test_the_common_page_has_the_table_of_the_options_of_every_metric():
    assert declared.table(declared.Reports) in (ROOT / "metrics/README.md").read_text()


# The rooms that know the protocol of metrics, and no single one.
ROOMS = ("apps", "cli", "dataset", "files", "modules", "report", "rewards", "spark", "trainer")
# What is for one tool, by its nature: the keys of the Hub's modules, and the program of the script ROUGE-1.5.5.
OF_ONE_TOOL = {"modules/hub_results.py", "rouge155/script.py"}
# Metrics of a call that names none; formats, tokenizers and rules for p-values that have the name of a metric, too.
NAMED = {
    "apps/tasks.py": {"sacrebleu"},
    "cli/diversity.py": {"diversity"},
    "files/parallel.py": {"squad"},
    "cli/tokenize.py": {"rouge"},
    "trainer/metrics.py": {"rouge", "bleu"},
}


@cache
def homes_of_metrics():
    """The modules that are about a metric."""
    return {path.stem for path in (ROOT / "metrics/textgauge/measures").glob("*.py")} - {"__init__"}


@cache
def names_of_metrics():
    """The names of classes, functions and scores, but a word that others need."""
    kinds = [kind.__name__ for metric in METRICS.values() for kind in (metric, accumulator_of(metric))]
    scores = {
        name for metric in METRICS.values() for name in (*metric.scores.names, with_defaults(metric).scores.headline)
    }
    return {*kinds, *METRICS, *scores, "NgramModel", "ngrams", "ngram_train"} - {"...", "character"}


def known_metrics(source):
    """The metrics that a program names: in imports, as names or attributes, or as strings of their own."""
    tree = ast.parse(source)
    documented = docstrings(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            home, names = (node.module or "").split("."), [alias.name for alias in node.names]
            if {"measures", "models"} & {*home}:
                yield from {*home, *names} & (homes_of_metrics() | names_of_metrics())
            yield from {*names} & names_of_metrics()
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documented:
            yield from {node.value} & names_of_metrics()
        for part in ("id", "attr", "arg"):
            yield from {getattr(node, part, None)} & names_of_metrics()


@pytest.mark.parametrize("room", ROOMS)
def test_rooms_know_the_protocol_and_no_single_metric(room):
    package = ROOT / "metrics/textgauge"
    files = {str(path.relative_to(package)): path for path in (package / room).rglob("*.py")}
    known = {name: {*known_metrics(path.read_text(encoding="utf-8"))} for name, path in files.items()}
    found = {name: names for name, names in known.items() if names and name not in OF_ONE_TOOL}
    assert found == {name: names for name, names in NAMED.items() if name.startswith(f"{room}/")}


def test_a_room_that_knows_a_metric_is_seen():
    assert {"bleu", "perplexity", "rouge"} <= homes_of_metrics()
    known = {
        "from ..models.ngrams import NgramModel": {"ngrams", "NgramModel"},
        "from ..measures import bleu": {"bleu"},
        "textgauge.Rouge()": {"Rouge"},
        "if name == 'rougeL':\n    pass": {"rougeL"},
        "def f():\n    'bleu'": set(),
        "metric.compute(perplexity=1)": {"perplexity"},
    }
    assert {source: {*known_metrics(source)} for source in known} == known


@pytest.mark.parametrize("toy", [("MissOptions", Miss), ("DriftOptions", Drift)])
def test_a_toy_is_short(toy):
    options, accumulator = toy
    parts = inspect.getsource(getattr(toys, options)), inspect.getsource(accumulator)
    assert sum(len(part.splitlines()) for part in parts) < 60

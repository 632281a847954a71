"""A metric from outside: the example of the guide goes through every face, and what a metric lacks is said."""

import dataclasses
import json
import pickle
import re
import sys
from functools import partial
from types import ModuleType

import numpy as np
import pytest
import textgauge
from cli.conftest import run, write  # noqa: F401
from conftest import ROOT
from option_values import WITH_A_MODEL
from textgauge import engine
from textgauge.accumulation.accumulator import accumulator_of
from textgauge.accumulation.functions import one_call
from textgauge.accumulation.registry import METRICS
from textgauge.input.columns import corpus_of, text_column, without_references
from textgauge.measures import About, Explanation, Field, Inputs, Layout, Metric, Score, Scores
from textgauge.options import Options, option
from textgauge.text import TOKENIZERS, Tokenizer

HYPS = ["the cat sat", "a b", "no", "a dog barks"]
REFS = [["the cat sat down"], ["a c", "b a b"], ["yes"], ["the dog barks"]]
EXPECTED = [3 / 4, 1.0, 0.0, 2 / 4]
SINGLE = [group[0] for group in REFS]
COLUMNS = {"prediction_column": "hyp", "reference_column": "ref"}


@pytest.fixture(autouse=True)
def registry():
    before = {*METRICS}
    yield METRICS
    for name in {*METRICS} - before:
        del METRICS[name]


@pytest.fixture
def guide(monkeypatch):
    """The module that the example of the guide is."""
    text = (ROOT / ".github/CONTRIBUTING.md").read_text()
    [block] = re.findall(r"^```python\n(.*?)^```$", text, re.M | re.S)
    assert len([line for line in block.splitlines() if line]) <= 25
    module = ModuleType("jaccard")
    monkeypatch.setitem(sys.modules, "jaccard", module)
    exec(compile(block, "jaccard.py", "exec"), module.__dict__)
    return module


def test_accumulators_of_the_guide_are_pickled(guide):
    """Their class has the name that the metric has in its module."""
    counted = accumulator_of(guide.Jaccard)().update(HYPS, REFS)
    again = pickle.loads(pickle.dumps(counted))
    assert (type(again), again.score(per_segment=True)) == (type(counted), counted.score(per_segment=True))
    assert (again + counted).score() == counted.score()


def test_guide_example_scores(guide):
    result = guide.jaccard(HYPS, REFS, per_segment=True, confidence=0.9, signature=True)
    assert (result["jaccard"], result["segment_jaccard"]) == (sum(EXPECTED) / 4, EXPECTED)
    low, high = result["confidence_intervals"]["jaccard"]
    assert low < result["jaccard"] < high
    assert "Notes" not in guide.jaccard.__doc__
    loaded = textgauge.load("jaccard", per_segment=True)
    loaded.add_batch(predictions=HYPS[:2], references=REFS[:2])
    found = loaded.compute(predictions=HYPS[2:], references=REFS[2:])
    assert (found["jaccard"], found["segment_jaccard"]) == (sum(EXPECTED) / 4, EXPECTED)
    assert "The share of the words of two texts" in loaded.description
    assert (
        accumulator_of(guide.Jaccard)
        .from_arrow(accumulator_of(guide.Jaccard)().update(HYPS, REFS).to_arrow())
        .score()["jaccard"]
        == sum(EXPECTED) / 4
    )


def test_guide_example_compares(guide):
    import datasets

    with pytest.warns(UserWarning, match="differ in only 3 segments"):
        [compared] = textgauge.compare([HYPS, SINGLE], REFS, metric="jaccard")
    assert (compared.score1, compared.score2) == (sum(EXPECTED) / 4, 1)
    assert textgauge.pairwise(HYPS, SINGLE, metric="jaccard").diagonal().tolist() == [3 / 4, 1 / 3, 0, 2 / 4]
    assert textgauge.mbr(["a b", "a", "c"], metric="jaccard").best == 0
    assert textgauge.rewards.Reward("jaccard")(completions=HYPS, answer=REFS) == EXPECTED
    assert textgauge.scorer("jaccard", **COLUMNS)({"hyp": HYPS, "ref": REFS})["jaccard"].tolist() == EXPECTED
    rows = datasets.Dataset.from_dict({"hyp": HYPS, "ref": REFS})
    assert textgauge.score_dataset(rows, "jaccard", **COLUMNS) == {"jaccard": sum(EXPECTED) / 4}


def test_guide_example_explains(guide):
    from textgauge.report import Report, explain_page
    from textgauge.resampling import PairedOptions

    whole = textgauge.explain(HYPS, REFS, metric="jaccard")
    assert whole.score == sum(EXPECTED) / 4
    assert [one.score for one in whole.segments] == EXPECTED
    assert [step.label for step in whole.segments[0].steps] == ["common", "either", "Jaccard"]
    with pytest.raises(ValueError, match="^metric: .*got jaccard"):
        textgauge.matches(HYPS, REFS, metric="jaccard")
    for n in (1, 5):
        corpus = guide.Jaccard.inputs.read(HYPS * n, REFS * n)
        report = Report.of(
            ["a"], [corpus], [(accumulator_of(guide.Jaccard)(), "jaccard")], PairedOptions(confidence=None)
        )
        page = explain_page(report)
        assert "How many words do both have?" in page
        assert 'class="legend"' not in page


def test_guide_example_on_command_line(guide, run, write, tmp_path):  # noqa: F811
    for name, lines in (("hyp", HYPS), ("other", HYPS[::-1]), ("ref", SINGLE)):
        write(name, lines)
    words = ("-m", "jaccard", "-r", "ref", "hyp")
    expected = guide.jaccard(HYPS, SINGLE, per_segment=True, confidence=0.9)
    shown = json.loads(run("score", *words, "--json", "--per-segment", "--confidence", "0.9").stdout)
    assert shown["metrics"]["jaccard"] == expected
    assert "How many words do both have?" in run("help", "jaccard").stdout
    assert "Notes" not in run("help", "jaccard").stdout
    rows = json.loads(run("compare", *words, "other", "--json").stdout)["metrics"]["jaccard"]
    assert rows[0]["score"] == expected["jaccard"]
    assert run("pairwise", "hyp", "-r", "ref", "-m", "jaccard", "--brief").stdout.startswith("0.7500\t1\t1\n")
    run("explain", *words, "-o", "page.html")
    assert "Jaccard" in (tmp_path / "page.html").read_text()


@dataclasses.dataclass(frozen=True)
class Silent(Options):
    weight: float = option(1.0, "No full stop")


class Undecorated(Options):
    weight: float = option(1.0, "A weight.")


@dataclasses.dataclass(frozen=True)
class Twice(Options):
    seed: int = option(1, "A seed.")


def explained(question="Is it so?", **others):
    return About("Toy", lambda key: Explanation("Toy", others.get(key, question), (), ""))


# Of a metric whose score has another name.
OTHERS = {"scores": Scores(Score("other")), "formula": lambda self, rows: {"other": rows["common"] / 2}}


def counting(*numbers, **field):
    """A toy that counts these numbers in every pair, into one field."""
    return toy(layout=Layout([Field("common", **field)]), count_pair=lambda self, prediction, reference: numbers)


def toy(**changed):
    """A complete metric with other parts, or without those that are None."""
    parts = {
        "__doc__": "A toy.",
        "name": "toy",
        "about": explained(),
        "layout": Layout([Field("common")]),
        "count_pair": lambda self, prediction, reference: (1,),
        "formula": lambda self, rows: {"toy": rows["common"] / 2},
        **changed,
    }
    return type("Toy", (Metric,), {name: part for name, part in parts.items() if part is not None})


LACKS = {
    "no metric": (lambda: int, "^metric: .*got <class 'int'>"),
    "no name": (lambda: toy(name=None), '^Toy.name: .*`name = "toy"`'),
    "capitals": (lambda: toy(name="Toy"), '^Toy.name: .*`name = "toy"`'),
    "a metric": (lambda: toy(name="bleu"), "^Toy.name: .*got 'bleu', one of bleu"),
    "a score": (lambda: toy(name="rouge7"), "got 'rouge7', one of rouge"),
    "a module": (lambda: toy(name="paired_bootstrap"), "^Toy.name: .*got 'paired_b"),
    "a key of results": (lambda: toy(name="counts"), "^Toy.name: .*textgauge"),
    "a column": (lambda: toy(name="prediction"), "^Toy.name: .*got 'predict"),
    "a column of scores": (lambda: toy(name="segment_x"), "a name of no column, got 'segment_x"),
    "rows left out": (lambda: toy(name="skipped"), "a name of no column, got 'skipped'"),
    **{
        name: (partial(toy, name=name), "^Toy.name: .*textgauge")
        for name in ("compare", "plan", "explain", "pairwise", "mbr", "tokenize", "self_bleu", "rewards")
    },
    "the best": (lambda: toy(combine="max"), "^Toy.combine: .*got max"),
    "a part of one": (lambda: counting(0.5), r"returns: .*got \(0.5,\)"),
    "less than none": (lambda: counting(-1), r"^what `Toy.count_pair` returns: .*got \(-1,\)"),
    "too many": (lambda: counting(1, 2), r"^what `Toy.count_pair` returns: .*got \(1, 2\)"),
    "a word": (lambda: counting("1"), r"^what `Toy.count_pair` returns: .*got \('1',\)"),
    "beyond 64 bits": (lambda: counting(2**70), r"^what `Toy.count_pair` returns: .*got \(118059"),
    "no docstring": (lambda: toy(__doc__=None), "^Toy.__doc__: .*got none"),
    "no question": (lambda: toy(about=explained("No")), "^Toy.about.explain: "),
    **{
        f"no question of {key}": (partial(toy, about=explained(**{key: "No"}), **OTHERS), f"Explanation for '{key}'")
        for key in ("toy", "other")
    },
    "no count": (lambda: toy(count_pair=None), r"^Toy.count_pair: .*`count_pair\(self, prediction, reference\)`"),
    "no layout": (lambda: toy(layout=None), "^Toy.layout: "),
    "another layout": (lambda: toy(layout=["common"]), "^Toy.layout: "),
    "no about": (lambda: toy(about=None), r'^Toy.about: .*`about = About\("Toy", explain\)`.*got none'),
    "another about": (lambda: toy(about=3), r"^Toy.about: .*got 3 \(int\)"),
    "other scores": (lambda: toy(scores=3), r"^Toy.scores: .*`Scores`.*`Score`.*got 3 \(int\)"),
    "other inputs": (lambda: toy(inputs=3), "^Toy.inputs: .*`Inputs`.*got 3"),
    "no formula": (lambda: toy(formula=None), "abstract class Toy .*formula"),
    "a row a segment": (
        lambda: toy(rows=lambda self, corpus, notes: self.layout.filled(len(corpus), common=1)),
        r"^Toy.rows: .*`corpus.pairs\(\)`.*got shape \(2, 1\)",
    ),
    "no rows": (lambda: toy(rows=lambda self, corpus, notes: [1]), r"^Toy.rows: .*got \[1\]"),
    "another key": (
        lambda: toy(formula=lambda self, rows: {"other": rows["common"] / 2}),
        r"^Toy.formula: .*`formula`.*\(3,\).*'toy'.*got \{'other': array",
    ),
    "no number": (
        lambda: toy(formula=lambda self, rows: {"toy": rows["common"] * np.nan}),
        r"^Toy.formula: .*`formula`.*`np.maximum\(n, 1\)`",
    ),
    "whole numbers": (lambda: toy(formula=lambda self, rows: {"toy": rows["common"]}), r"got int64, shape \(3,\)"),
    "no sum": (
        lambda: toy(formula=lambda self, rows: {"toy": np.atleast_1d(rows["common"] / 2)}),
        r"floats of shape \(\) under 'toy' for rows of shape \(1,\), got float64, shape \(1,\)",
    ),
    "a key twice": (lambda: toy(scores=Scores(Score("toy"), Score("toy", "b"))), "^Toy.scores: .*different"),
    "a key of another result": (lambda: toy(name="f1"), "names that no other metric has, got 'f1', one of token_f1"),
    "a part of another result": (lambda: toy(name="nll"), "no other metric has, got 'nll', one of perplexity"),
    "a figure of another result": (lambda: toy(name="bits_per_byte"), "a name of no column"),
    "no sentence": (lambda: toy(options_type=Silent), "^Silent.weight: .*got 'No full stop'"),
    "no dataclass": (lambda: toy(options_type=Undecorated), "^Toy.options_type: .*got <class '"),
    "a report": (lambda: toy(options_type=Twice), "^Twice.seed: .*`score`.*got seed"),
}  # fmt: skip


@pytest.mark.parametrize("lacking", LACKS)
def test_what_a_metric_lacks_is_said(lacking, registry):
    made, message = LACKS[lacking]
    before = {*registry}
    with pytest.raises((TypeError, ValueError), match=message):
        textgauge.register(made())
    assert {*registry} == before


def test_fields_that_are_not_whole_take_fractions(registry):
    textgauge.register(counting(0.5, is_whole=False))
    assert textgauge.segment_scores("toy", ["a"], ["b"]).tolist() == [0.25]


def test_registered_again():
    first, second = toy(), toy(formula=lambda self, rows: {"toy": rows["common"] / 4})
    assert textgauge.register(first) is first
    textgauge.register(second)
    assert textgauge.segment_scores("toy", ["a"], ["b"]).tolist() == [1 / 4]

    def pairs(self, corpus, notes):
        raise AssertionError("a model would be loaded")

    textgauge.register(toy(pairs=pairs), dry_run=False)
    assert one_call(METRICS["toy"]).__name__ == "toy"


@pytest.mark.parametrize("name", METRICS)
def test_package_metrics_are_complete(name, monkeypatch):
    kind = METRICS[name]
    monkeypatch.setattr(kind, "__module__", "elsewhere")
    assert textgauge.register(kind, dry_run=name not in WITH_A_MODEL) is kind


def test_counts_that_could_overflow_are_refused(registry):
    with pytest.raises(ValueError, match=r"`Toy.count_pair` returns: .* integers from 0 to 1,000,000,000,000"):
        textgauge.register(counting(2**62))


def test_own_rows_are_checked(registry):
    def rows(self, corpus, notes):
        return self.layout.filled(len(corpus.references), common=2**62)

    textgauge.register(toy(rows=rows), dry_run=False)
    with pytest.raises(ValueError, match="^toy: common: "):
        one_call(METRICS["toy"])(["a", "b"], ["a", "b"])


def test_one_value_for_five_segments_is_refused(registry):
    textgauge.register(toy(formula=lambda self, rows: {"toy": np.array([0.5])}), dry_run=False)
    with pytest.raises(TypeError, match=r"^Toy.formula: .*`formula`.*got shape \(1,\)"):
        textgauge.segment_scores("toy", ["a"] * 5, ["b"] * 5)


def shared_with_source(self, corpus, notes):
    """Count the words that a prediction shares with its source."""
    tokens = TOKENIZERS["whitespace"].cut(corpus, sources=True)
    counts = engine.kernel.bag_matches(tokens, False)
    firsts = np.asarray(tokens.segments)[:-1] - np.arange(len(corpus))
    return self.layout.filled(len(corpus), common=np.asarray(counts)[firsts, 0])


def sourced(**members):
    return toy(
        inputs=Inputs(("predictions", "references", "sources")),
        rows=shared_with_source,
        layout=Layout([Field("common")], references="union"),
        formula=lambda self, rows: {"toy": rows["common"] / 4},
        **members,
    )


def test_a_metric_may_read_sources_through_every_face(registry):
    scored = one_call(textgauge.register(sourced()))
    texts = ["a b", "c d e"], [["a", "b"], ["x"]], ["a b c", "d"]
    assert scored(*texts[:2], sources=texts[2])["toy"] == 3 / 4
    assert textgauge.segment_scores("toy", *texts[:2], sources=texts[2]).tolist() == [2 / 4, 1 / 4]
    rows = dict(zip(("p", "r", "s"), texts, strict=True))
    columns = {"prediction_column": "p", "reference_column": "r", "source_column": "s"}
    assert textgauge.scorer("toy", **columns)(rows)["toy"].tolist() == [2 / 4, 1 / 4]
    module = textgauge.load("toy")
    assert module.compute(predictions=texts[0], references=texts[1], sources=texts[2])["toy"] == 3 / 4
    module.add(prediction="a b", reference=["a", "b"], source="a b c")
    module.add_batch(predictions=["c d e"], references=[["x"]], sources=["d"])
    assert module.compute()["toy"] == 3 / 4
    for call in (
        lambda: scored(*texts[:2]),
        lambda: accumulator_of(METRICS["toy"])().update(*texts[:2]),
        lambda: textgauge.segment_scores("toy", *texts[:2]),
        lambda: textgauge.explain(*texts[:2], metric="toy"),
        lambda: module.compute(predictions=texts[0], references=texts[1]),
    ):
        with pytest.raises(TypeError, match="^sources: .*got None"):
            call()
    with pytest.raises(ValueError, match=r"^sources: .*\(2\).*got 1"):
        scored(*texts[:2], sources=["a"])


class Loudness(Metric):
    """The share of capital letters."""

    name = "loudness"
    options_type = Options
    about = About("Loudness", lambda _: Explanation("Loudness", "How loud is a text?", ("Capitals.",), "Only letters."))
    scores = Scores(Score("loudness"))
    layout = Layout([Field("capitals"), Field("characters")])
    inputs = Inputs(
        ("predictions",), read=lambda predictions: without_references(text_column(predictions, "predictions"))
    )

    def rows(self, corpus, notes):
        texts = corpus.hypotheses.tolist()
        capitals = [sum(map(str.isupper, text)) for text in texts]
        return self.layout.filled(len(texts), capitals=capitals, characters=[*map(len, texts)])

    def formula(self, rows):
        return {"loudness": rows["capitals"] / np.maximum(rows["characters"], 1)}


def test_a_metric_may_have_no_references(registry, run, write):  # noqa: F811
    loudness = one_call(textgauge.register(Loudness))
    assert loudness(["AB", "cdEf"], per_segment=True) == {"loudness": 0.5, "segment_loudness": [1.0, 0.25]}
    with pytest.raises(ValueError, match="^metric: .*got 'loudness'"):
        textgauge.pairwise(["a", "b"], metric="loudness")
    write("hyp.txt", ["AB", "cdEf"])
    assert run("score", "hyp.txt", "-m", "loudness", "-b").stdout == "0.5000\n"


def test_a_source_that_cannot_be_cut_is_named(registry):
    cut = Tokenizer("own", function=lambda text: text.split() if text != "bad" else 3)
    corpus = corpus_of(["a", "b"], [["a"], ["b", "c"]], sources=["a", "bad"])
    with pytest.raises(TypeError, match=r"sources\[1\]"):
        cut.cut(corpus, sources=True)
    corpus = corpus_of(["a", "b"], [["a"], ["b", "bad"]], sources=["a", "b"])
    with pytest.raises(TypeError, match=r"references\[1\]\[1\]"):
        cut.cut(corpus, sources=True)


def test_sources_are_warned_about_like_references(registry):
    def rows(self, corpus, notes):
        notes.examine(corpus, self.tokenizer.cut(corpus, sources=True))
        return self.layout.filled(len(corpus), common=0)

    inputs = Inputs(("predictions", "references", "sources"))
    layout = Layout([Field("common")], references="union")
    textgauge.register(toy(inputs=inputs, layout=layout, tokenizer=TOKENIZERS["rouge"], rows=rows))
    with pytest.warns(UserWarning, match="^2 texts are not empty but have no token under the tokenizer 'rouge'"):
        one_call(METRICS["toy"])(["a", "b"], [["a", "c"], ["b"]], sources=["...", "---"])


def test_rules_of_references_have_names():
    with pytest.raises(ValueError, match="^references: .*got 'mean'"):
        Layout([Field("common")], references="mean")

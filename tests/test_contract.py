"""A metric registered here works through every face, and no option is missing anywhere."""

import inspect
import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
import textgauge
from click.testing import CliRunner
from textgauge import options as declared
from textgauge.measures.alignment import marked, pairs_of, with_best
from textgauge.measures.contract import Rows
from textgauge.measures.marks import Marking
from textgauge.measures.measure import Measure
from textgauge.measures.one_call import one_call
from textgauge.measures.registry import METRICS, register
from textgauge.measures.summary import Line, Summary, Words
from textgauge.options import Options, option, options_of
from textgauge.text import TOKENIZERS
from textgauge.text.tokenizers import text_lengths

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True)
class MissOptions(Options):
    """A word is what white space separates."""

    weight: float = option(1.0, "What a missing word costs.", at_least=0, at_most=10)
    squared: bool = option(False, "Square the share of missing words.")


class Miss(Measure):
    """The share of words that the prediction lacks.

    Parameters
    ----------
    {options}
    """

    name, title = "miss", "Missing words"
    options_type = MissOptions
    higher_is_better = False
    perfect = 0.0
    largest = 10.0

    def _prepare(self):
        self.tokenizer = TOKENIZERS["whitespace"]

    @property
    def zero_row(self):
        return np.zeros(2, np.int64)

    def described(self):
        return {"weight": str(self.options.weight), "squared": str(self.options.squared)}

    def count(self, corpus, notes):
        hypotheses, references = text_lengths(self.tokenizer.cut(corpus))
        longest = np.maximum.reduceat(references, corpus.reference_offsets[:-1])
        return Rows(np.column_stack((np.maximum(longest - hypotheses, 0), longest)))

    def counts(self):
        return dict(zip(("missing", "words"), self.total().tolist(), strict=True))

    def scores(self, rows):
        share = self.options.weight * rows[..., 0] / np.maximum(rows[..., 1], 1)
        return (share**2 if self.options.squared else share)[..., None]

    def summary(self, result):
        return Summary(self.title, ("score",), [Line("missing", (result["miss"],), "miss", is_headline=True)], [])

    @classmethod
    def words(cls, key):
        return Words("Missing words", "How many words are missing?", ("Words are counted.",), "Words, not meaning.")

    def marking(self, key):
        return Marking.of_tokens("in both texts")

    def alignments(self, corpus, key):
        return with_best(corpus, self, key, marked(pairs_of(corpus), self.tokenizer, 1))


HYPS = ["a b", "a b c", "x y z", "a", "b c d", "q"]
REFS = [["a b c d", "a b"], ["a b c"], ["x y"], ["a b c"], ["b c d e"], ["r"]]
BETTER = ["a b c d", "a b c", "x y", "a b", "b c d e", "q"]


@pytest.fixture
def toy(monkeypatch):
    monkeypatch.setattr("textgauge.measures.registry.METRICS", METRICS)
    register(Miss)
    yield one_call(Miss)
    del METRICS["miss"]


def total():
    return {"miss": 5 / 17}


def test_one_call_has_every_option_in_its_help(toy):
    assert toy(HYPS, REFS) == total()
    assert toy(HYPS, REFS, weight=2, per_segment=True)["segment_miss"][:2] == [1.0, 0.0]
    assert toy(HYPS, REFS, confidence=0.9)["confidence_interval"][0] < 5 / 17
    names = [one.name for kind in (MissOptions, Miss.reports_type) for one in options_of(kind)]
    assert list(inspect.signature(toy).parameters) == ["predictions", "references", *names]
    assert [name for name in names if f"\n{name} : " not in toy.__doc__] == []
    with pytest.raises(TypeError, match="wieght: expected an option of Miss .nearest: weight"):
        toy(HYPS, REFS, wieght=2)
    with pytest.raises(ValueError, match="weight: expected a number from 0 to 10, got 11"):
        toy(HYPS, REFS, weight=11)


def test_it_adds_up_and_is_stored(toy):
    parts = [Miss(weight=2).update(HYPS[i : i + 2], REFS[i : i + 2]) for i in (0, 2, 4)]
    assert sum(parts).score() == {"miss": 10 / 17}
    assert Miss.from_arrow(sum(parts).to_arrow()).score() == {"miss": 10 / 17}
    with pytest.raises(ValueError, match="the same weight"):
        Miss() + Miss(weight=2)
    assert repr(parts[0]) == "<Miss(weight=2): 2 segments>"
    assert len(parts[0]) == 2


def test_it_is_compared(toy):
    with pytest.warns(UserWarning, match="two systems differ in only 3 segments"):
        [result] = textgauge.compare([HYPS, BETTER], REFS, metric="miss", metric_options={"squared": True})
    assert result.score1 == (5 / 17) ** 2
    assert result.stat < 0


def test_it_is_mapped_and_scored_as_a_data_set(toy):
    datasets = pytest.importorskip("datasets")
    columns = {"prediction_column": "hyp", "reference_column": "ref"}
    rows = datasets.Dataset.from_dict({"hyp": HYPS, "ref": REFS})
    added = textgauge.scorer("miss", weight=2, **columns)({"hyp": HYPS, "ref": REFS})
    assert added["miss"].tolist() == toy(HYPS, REFS, weight=2, per_segment=True)["segment_miss"]
    assert textgauge.score_dataset(rows, "miss", batch_size=2, **columns) == total()


def test_it_is_evaluated_while_training(toy):
    class Letters:
        pad_token_id = 0

        def batch_decode(self, rows, skip_special_tokens):
            return [" ".join("_abc"[i] for i in row if i) for row in rows]

    metrics = textgauge.trainer.compute_metrics(Letters(), ["miss", "chrf", "ter"])
    scores = metrics((np.array([[1, 2, 0]]), np.array([[1, 2, 3]])))
    assert scores["miss"] == 1 / 3
    assert {"chrf", "ter", "gen_len"} <= set(scores)


def test_it_is_scored_on_workers(toy):
    import pyarrow as pa
    from textgauge.measures.sums import summed
    from textgauge.scores.exact_sums import from_digits
    from textgauge.spark import partials

    batch = pa.RecordBatch.from_pydict({"prediction": HYPS, "reference": REFS})
    rows = pa.Table.from_batches(partials.PartitionSums(Miss(), ("hyp", "ref"))([batch])).to_pylist()
    digits = [[row[name] for name in partials.DIGIT_COLUMNS] for row in rows if row["kind"] == partials.SUM]
    assert summed(Miss(), from_digits(np.array(digits).T), frozenset({1, 2})).score() == total()


def test_it_is_a_module_for_evaluate(toy, tmp_path):
    face = tmp_path / "miss_face"
    face.mkdir()
    source = (ROOT / "metrics/bleu/bleu.py").read_text()
    source = re.sub(r"textgauge\.Bleu", 'METRICS["miss"]', source).replace("class Bleu(", "class MissFace(")
    (face / "miss_face.py").write_text(
        source.replace("import textgauge\n", "import textgauge\nfrom textgauge.measures.registry import METRICS\n")
    )
    metric = textgauge.load(face, weight=2)
    assert metric.compute(predictions=HYPS, references=REFS) == {"miss": 10 / 17}
    assert "weight (float, default 1.0): What a missing word costs." in metric.inputs_description


def test_its_texts_are_explained(toy):
    from textgauge.report import Report, explain_page
    from textgauge.resampling import PairedOptions

    assert [len(one.prediction) for one in textgauge.matches(HYPS, REFS, metric="miss")] == [2, 3, 2, 1, 3, 0]
    corpus = Miss.corpus_of(HYPS, REFS)
    page = explain_page(Report.of(["toy"], [corpus], [(Miss(), "miss")], PairedOptions(confidence=0.9)))
    assert "How many words are missing?" in page


def test_it_is_on_the_command_line(toy, tmp_path):
    from textgauge.cli.main import main

    files = {name: tmp_path / f"{name}.txt" for name in ("a", "b", "ref")}
    for file, lines in zip(files.values(), (HYPS, BETTER, [group[0] for group in REFS]), strict=True):
        file.write_text("\n".join(lines) + "\n")
    a, b, ref = map(str, files.values())

    def run(*arguments):
        result = CliRunner().invoke(main, arguments)
        assert result.exit_code == 0, result.output
        return result.output

    assert run("score", "-m", "miss", "-p", a, "-r", ref, "--brief", "--weight", "2", "--width", "4") == "0.5882\n"
    assert "Missing words" in run("score", "-m", "miss", "-p", a, "-r", ref)
    assert "miss" in run("compare", "-m", "miss", "-r", ref, "--squared", a, b)
    page = tmp_path / "page.html"
    run("explain", "-m", "miss", "-p", a, "-r", ref, "-o", str(page))
    assert "Missing words" in page.read_text()


@pytest.mark.parametrize("name", METRICS)
def test_every_metric_fulfils_the_contract(name):
    measure = METRICS[name]
    key = measure.headline or measure.name if measure.find(name) else measure().score_names[0]
    assert measure.words(key).question.endswith("?")
    assert set(measure.option_names()) >= {"signature", "confidence", "n_resamples", "seed"}
    both = [*options_of(measure.options_type), *options_of(measure.reports_type)]
    assert len({one.name for one in both}) == len(both)
    assert [one.name for one in both if not one.help.endswith(".") or len(one.help) > 160] == []
    assert [one.name for one in both if one.may_be_none and not one.none_means and one.kind not in NONE_IS_PLAIN] == []
    function = getattr(textgauge, name)
    assert [one.name for one in both if f"\n{one.name} : " not in function.__doc__] == []
    assert [one.name for one in both if one.name not in inspect.signature(function).parameters] == []
    assert [one.name for one in options_of(measure.options_type) if f"{one.name} : " not in measure.__doc__] == []


# Kinds of options for which None needs no explanation.
NONE_IS_PLAIN = ("model", "python")


@pytest.mark.parametrize("name", METRICS)
def test_every_face_has_every_option_in_its_help(name):
    metric = textgauge.load(name)
    renamed = {*type(metric).keywords.values()}
    names = [one for one in METRICS[name].option_names() if one not in renamed]
    assert [one for one in names if f"\n    {one} (" not in metric.inputs_description] == []
    assert [one for one in names if one not in inspect.signature(type(metric)._compute).parameters] == []


@pytest.mark.parametrize("name", METRICS)
def test_the_card_has_the_table_of_its_options(name):
    card = (ROOT / "metrics" / name / "README.md").read_text()
    measure = METRICS[name]
    assert declared.table(measure.options_type, measure.reports_type) in card


def test_faces_take_measures_from_the_registry():
    knowing = re.compile(
        r"measures\.(bleu|rouge|chrf|ter|token_f1|perplexity)\b|measures import (bleu|rouge|chrf|ter)\b"
    )
    folders = ["dataset", "spark", "trainer", "report", "cli", "apps", "modules"]
    own = {"cli/rouge155.py", "cli/settings155.py", "cli/report155.py", "modules/other_tools.py"}
    package = ROOT / "metrics/textgauge"
    files = [path for folder in folders for path in (package / folder).rglob("*.py")]
    found = {str(path.relative_to(package)) for path in files if knowing.search(path.read_text())}
    assert found - own == set()


def test_the_toy_is_short():
    source = inspect.getsource(sys.modules[__name__])
    toy = source[source.index("@dataclass(frozen=True)\nclass MissOptions") : source.index("HYPS = ")]
    assert len(toy.strip().splitlines()) < 60
    assert os.path.basename(__file__) == "test_contract.py"

"""Metrics that need sources, whichever they are, on the command line."""

import json

import numpy as np
import pytest
import textgauge
from textgauge.accumulation.registry import METRICS
from textgauge.metric import About, Explanation, Field, Inputs, Layout, Metric, Rows, Score, Scores

HYPS, REFS, SRCS = (
    ["the cat sat", "a b", "a dog barks"], ["the cat sits", "a c", "the dog barks"], ["cat sat x", "b a", "no"],
)  # fmt: skip
SHARE = 100 * 4 / 8


@pytest.fixture
def copied():
    """A metric that is no part of the package."""

    class Copied(Metric):
        """The share of words that a text has from its source."""

        name = "copied"
        about = About("Copied", lambda key: Explanation("Copied", "How many are from the source?", ("Sets.",), "None."))
        inputs = Inputs(("predictions", "references", "sources"))
        scores = Scores(Score("copied"), scale=100.0)

        layout = Layout([Field("copied"), Field("words")], references="union")

        def rows(self, corpus, notes):
            pairs = zip(corpus.hypotheses.tolist(), corpus.sources.tolist(), strict=True)
            counted = [(len({*hyp.split()} & {*src.split()}), len(hyp.split())) for hyp, src in pairs]
            return Rows(self.layout, np.array(counted, np.int64).reshape(-1, 2))

        def formula(self, rows):
            return {"copied": rows["copied"] / np.maximum(rows["words"], 1)}

    textgauge.register(Copied)
    yield Copied
    del METRICS["copied"]


@pytest.fixture
def files(write, copied):
    for name, texts in (("hyp.txt", HYPS), ("ref.txt", REFS), ("src.txt", SRCS)):
        write(name, texts)
    rows = zip(HYPS, REFS, SRCS, strict=True)
    write("rows.jsonl", [{"prediction": h, "reference": r, "from": s, "options": [h, r]} for h, r, s in rows])


@pytest.mark.parametrize(
    "words", ["hyp.txt -r ref.txt -s src.txt", "rows.jsonl --source-field from", "rows.jsonl -s src.txt"]
)
def test_sources_are_a_file_or_a_column(run, files, words):
    result = run("score", *words.split(), "-m", "copied", "chrf", "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    page = json.loads(result.stdout)["metrics"]
    assert page["copied"] == {"copied": SHARE}
    assert page["chrf"] == textgauge.chrf(HYPS, REFS)


@pytest.mark.parametrize(
    "words",
    [
        "score hyp.txt -r ref.txt", "score rows.jsonl -m chrf", "compare hyp.txt ref.txt -r ref.txt",
        "explain hyp.txt -r ref.txt", "explain --text a --against b", "pairwise hyp.txt",
        "mbr rows.jsonl --prediction-field options",
    ],
)  # fmt: skip
def test_missing_sources(refused, files, words):
    message = refused(*words.split(), "-m", "copied")
    assert message.startswith("copied needs sources: give --source")


def test_candidates_have_sources(run, files):
    words = ("--prediction-field", "options", "--source-field", "from", "-m", "copied", "--json")
    rows = [json.loads(line) for line in run("mbr", "rows.jsonl", *words).stdout.splitlines()]
    assert [row["prediction"] for row in rows] == HYPS

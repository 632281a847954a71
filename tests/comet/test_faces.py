"""COMET through every face, with tiny models: the third column of text."""

import json
import pickle
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import textgauge
from click.testing import CliRunner
from quick import first
from textgauge.accumulation.accumulator import accumulator_of
from textgauge.accumulation.registry import METRICS
from textgauge.all_pairs import matrix
from textgauge.cli.main import main
from textgauge.input.columns import corpus_of
from textgauge.models.sentence_vectors import SentenceEncoder
from textgauge.resampling import PairedOptions

from .conftest import HYPS, REFS, SRCS

COLUMNS = {"prediction_column": "h", "reference_column": "r", "source_column": "s"}


@pytest.fixture
def expected(usual):
    return textgauge.comet(HYPS, REFS, sources=SRCS, per_segment=True, **usual)


@pytest.mark.parametrize("sources", ["a", SRCS])
def test_a_metric_without_sources_refuses_them(sources):
    for call in (
        lambda **given: textgauge.segment_scores(predictions=HYPS, references=REFS, **given),
        partial(textgauge.compare, [HYPS, REFS], REFS), partial(textgauge.explain, HYPS, REFS),
        partial(textgauge.matches, HYPS, REFS), partial(textgauge.pairwise, HYPS), partial(textgauge.mbr, HYPS),
    ):  # fmt: skip
        with pytest.raises(TypeError, match="^`sources` cannot be given, since chrf uses no sources"):
            call(sources=sources, metric="chrf")
    with pytest.raises(TypeError, match="^references: expected texts, which chrf needs, got None"):
        textgauge.segment_scores("chrf", HYPS)


@pytest.mark.parametrize(
    ("candidates", "sources", "message"),
    [
        (HYPS, SRCS, r"candidates.*got \['cat mat', 'dog"),
        ([HYPS, HYPS], "a", "got 'a'"),
        ([HYPS, HYPS], ["a"], ".2..*got 1"),
    ],
)
def test_sources_of_candidates(usual, candidates, sources, message):
    with pytest.raises((TypeError, ValueError), match=f"^sources: .*{message}"):
        textgauge.mbr(candidates, sources=sources, metric=textgauge.Comet(**usual))
    with pytest.raises(ValueError, match="^aggregate: .*got True"):
        textgauge.mbr(HYPS, sources="a", metric=textgauge.Comet(**usual), aggregate=True)
    with pytest.raises(ValueError, match="^sources: .*.6..*got 1"):
        textgauge.pairwise(HYPS, sources=["a"], metric=textgauge.Comet(**usual))


def test_error_spans_are_marked(saved):
    model = {"model_id": str(saved("xcomet_metric")[0])}
    whole = textgauge.explain(HYPS[:1], REFS[:1], sources=SRCS[:1], metric=textgauge.Comet(**model))
    assert whole.legend
    # Where there are no colours, every severity has brackets of its own.
    assert len({mark.brackets for mark in whole.legend}) == 3


def test_bad_rows_of_sources_are_left_out(usual, expected):
    scored = textgauge.scorer(textgauge.Comet(**usual), **COLUMNS, skip_bad=True)
    with pytest.warns(UserWarning, match="^1 bad row was"):
        added = scored({"h": HYPS, "r": REFS, "s": [None, *SRCS[1:]]})
    assert np.isnan(added["comet"][0])
    assert added["comet"][1:] == pytest.approx(expected["segment_comet"][1:], abs=1e-6)
    with pytest.raises(TypeError, match=r"^batch\['s'\]\[0\]: .*got None"):
        textgauge.scorer(textgauge.Comet(**usual), **COLUMNS)({"h": HYPS, "r": REFS, "s": [None, *SRCS[1:]]})


def test_columns_of_a_data_set_are_checked(usual):
    with pytest.raises(TypeError, match="^`source_column` cannot be given, since chrf uses no sources"):
        textgauge.scorer("chrf", **COLUMNS)
    with pytest.raises(TypeError, match="^source_column: .*got 1"):
        textgauge.scorer(textgauge.Comet(**usual), prediction_column="h", source_column=1)
    with pytest.raises(ValueError, match="^source_column: .*got 's'"):
        textgauge.scorer(textgauge.Comet(**usual), **COLUMNS)({"h": HYPS, "r": REFS})


@pytest.fixture
def typed(tmp_path, monkeypatch):
    """A function that runs a command line among files of texts, and returns its result."""
    monkeypatch.chdir(tmp_path)
    for name, texts in (("hyp", HYPS), ("ref", REFS), ("src", SRCS)):
        (tmp_path / f"{name}.txt").write_text("\n".join(texts) + "\n")
    rows = zip(HYPS, REFS, SRCS, strict=True)
    lines = [json.dumps({"prediction": hyp, "reference": ref, "source": src}) for hyp, ref, src in rows]
    (tmp_path / "all.jsonl").write_text("\n".join(lines))

    def run(*words):
        return CliRunner().invoke(main, [str(word) for word in words])

    return run


@pytest.mark.parametrize("n_bytes", first(1, [8, 1 << 20]))
def test_the_command_line_reads_sources(typed, usual, qe, expected, block_bytes, n_bytes):
    # However small the blocks, sources stay with their predictions.
    block_bytes(n_bytes)
    model, without = (["-m", "comet", f"model_id={one['model_id']}"] for one in (usual, qe))
    of_qe = textgauge.comet(HYPS, sources=SRCS, **qe)["comet"]
    for words, score in (
        (["hyp.txt", "-r", "ref.txt", "-s", "src.txt", *model], expected["comet"]),
        (["hyp.txt", "-s", "src.txt", *without], of_qe),
        (["all.jsonl", "--reference-field", "reference", "--source-field", "source", *model], expected["comet"]),
        (["all.jsonl", "-s", "all.jsonl", *without], of_qe),
        (["all.jsonl", "-r", "ref.txt", "--sources", "src.txt", *model], expected["comet"]),
    ):
        result = typed("score", *words, "--json")
        assert result.exit_code == 0, result.output
        assert json.loads(result.stdout)["metrics"]["comet"]["comet"] == pytest.approx(score, abs=1e-6)
    result = typed("score", "hyp.txt", "-r", "ref.txt", "-s", "src.txt", "-m", "chrf", *model[1:], "--json")
    assert json.loads(result.stdout)["metrics"]["chrf"]["chrf"] == textgauge.chrf(HYPS, REFS)["chrf"]
    result = typed("score", "all.jsonl", "--source-field", "source", "--keep", "source", "-o", "rows.jsonl", *without)
    assert result.exit_code == 0, result.output
    rows = [json.loads(line) for line in Path("rows.jsonl").read_text().splitlines()]
    assert [row["source"] for row in rows] == SRCS


def test_bad_rows_of_sources_are_skipped(typed, usual, expected):
    lines = Path("all.jsonl").read_text().splitlines()
    Path("all.jsonl").write_text("\n".join([lines[0].replace('"cat mat"', "null"), *lines[1:]]))
    words = [
        "--reference-field", "reference", "--source-field", "source", "-m", "comet", f"model_id={usual['model_id']}",
    ]  # fmt: skip
    result = typed("score", "all.jsonl", *words, "--skip-bad", "--json")
    assert result.exit_code == 0, result.output
    score = json.loads(result.stdout)["metrics"]["comet"]["comet"]
    assert score == pytest.approx(np.mean(expected["segment_comet"][1:]), abs=1e-6)


@pytest.mark.filterwarnings("ignore:two systems differ in only")
def test_compare_and_explain_on_the_command_line(typed, usual, expected):
    words = ["-r", "ref.txt", "-s", "src.txt", "-m", "comet", f"model_id={usual['model_id']}"]
    result = typed("compare", "hyp.txt", "ref.txt", *words, "-n", 100, "--json")
    assert result.exit_code == 0, result.output
    assert f"{expected['comet']:.4f}"[:-1] in result.stdout
    result = typed("explain", "hyp.txt", *words, "-o", "page.html")
    assert result.exit_code == 0, result.output
    assert "mat coffee" in Path("page.html").read_text()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("hyp.txt -r ref.txt -s src.txt -m chrf", "--sources has no effect: chrf uses no sources. Try"),
        ("hyp.txt -r ref.txt -s exp -m chrf", "chrf uses no sources; smoothing is --smoothing"),
        ("hyp.txt -r ref.txt -s src.txt -m bleu chrf", "--sources has no effect: bleu and chrf use no sources"),
        ("all.jsonl --source-field source -m chrf", "--source-field has no effect: chrf uses no sources"),
        ("hyp.txt -r ref.txt --source-field a -m comet", "--source-field has no effect: plain text has no columns"),
        ("hyp.txt -r ref.txt -m comet MODEL", "needs sources: give -s FILE, or --source-field NAME"),
        ("hyp.txt -s src.txt -m comet MODEL", "needs references: give -r FILE"),
        ("hyp.txt -s src.txt -r ref.txt -m comet QE", "comet: `references` cannot be given, since "),
        ("hyp.txt -s all.jsonl --source-field no -m comet QE", "there is no field 'no'"),
        ("hyp.txt -s short.txt -m comet QE", "short.txt: expected as many lines as hyp.txt has (6), got 1"),
        ("- -s - -m comet QE", "standard input ('-') can be read for one file only"),
        ("all.jsonl --format squad -s src.txt -m comet QE", "--sources cannot be used with --format squad"),
    ],
)
def test_what_the_command_line_refuses(typed, usual, qe, words, message):
    Path("short.txt").write_text("a\n")
    models = {"MODEL": f"model_id={usual['model_id']}", "QE": f"model_id={qe['model_id']}"}
    result = typed("score", *(models.get(word, word) for word in words.split()))
    assert result.exit_code == 2
    assert message in result.output


@pytest.mark.filterwarnings("ignore:of 2 systems a correlation")
def test_agreement_reads_sources(usual, qe):
    people = {"a": [1.0, 2.0, 0.5], "b": [2.0, 1.0, 1.5]}
    systems, comet, n_times = {"a": HYPS[:3], "b": HYPS[3:]}, {"comet": textgauge.Comet(**usual)}, {"n_resamples": 20}
    texts = {"references": REFS[:3], "sources": SRCS[:3]}
    expected = {
        name: textgauge.segment_scores(comet["comet"], own, texts["references"], sources=texts["sources"])
        for name, own in systems.items()
    }
    found = textgauge.agreement(people, comet, predictions=systems, **texts, **n_times)
    given = textgauge.agreement(people, {"comet": expected}, **n_times)
    for name, value in given.metrics["comet"].items():
        assert found.metrics["comet"][name] == pytest.approx(value, abs=1e-5)
    rows = [
        {"system": name, "segment": i, "score": people[name][i], "prediction": own[i], "reference": REFS[i],
         "src": SRCS[i]} for name, own in systems.items() for i in range(3)
    ]  # fmt: skip
    assert textgauge.agreement(rows, comet, columns={"source": "src"}, **n_times).metrics == found.metrics
    # A model that reads no references leaves them out, beside a metric that needs them.
    without = {"comet": textgauge.Comet(**qe)}
    alone = textgauge.agreement(people, without, predictions=systems, sources=texts["sources"], **n_times)
    both = textgauge.agreement(people, {"chrf": None, **without}, predictions=systems, **texts, **n_times)
    assert both.metrics["comet"] == alone.metrics["comet"]
    with pytest.raises(ValueError, match="^sources: expected texts, with which .* scores, got None"):
        textgauge.agreement(people, comet, predictions=systems, references=texts["references"], **n_times)
    with pytest.raises(ValueError, match=r"^human\[0\]: .*got a row of 'system'"):
        textgauge.agreement(rows, comet, **n_times)
    with pytest.raises(ValueError, match="^sources: expected .* for rows, which have their own texts"):
        textgauge.agreement(rows, comet, sources=SRCS[:3], **n_times)


@pytest.mark.filterwarnings("ignore:of 2 systems a correlation")
def test_agreement_reads_sources_on_the_command_line(typed, usual):
    rows = [
        {"system": "ab"[i // 3], "segment": i % 3, "score": float(i % 4), "prediction": HYPS[i], "reference": REFS[i],
         "source": SRCS[i % 3]} for i in range(6)
    ]  # fmt: skip
    Path("rated.jsonl").write_text("\n".join(map(json.dumps, rows)))
    model = ["-m", "comet", f"model_id={usual['model_id']}"]
    result = typed("agree", "rated.jsonl", *model, "-n", 20, "--json")
    assert result.exit_code == 0, result.output
    comet, options = {"comet": textgauge.Comet(**usual)}, {"n_resamples": 20, "seed": 12345}
    found = json.loads(result.stdout)["metrics"]["comet"]
    for name, value in textgauge.agreement(rows, comet, **options).metrics["comet"].items():
        assert found[name] == pytest.approx(value, abs=1e-5)
    Path("other.jsonl").write_text(Path("rated.jsonl").read_text().replace('"source"', '"german"'))
    result = typed("agree", "other.jsonl", *model, "-n", 20, "--json")
    assert result.exit_code == 2
    assert "other.jsonl, row 1: expected a text in 'source', with which" in result.output
    result = typed("agree", "other.jsonl", *model, "-n", 20, "--json", "--source-field", "german")
    assert json.loads(result.stdout)["metrics"]["comet"] == found


def test_a_typed_text_has_its_source(typed, usual, qe):
    for options, others in ((usual, ["--against", REFS[0]]), (qe, [])):
        words = ["--text", HYPS[0], *others, "--source", SRCS[0], "-m", "comet", f"model_id={options['model_id']}"]
        result = typed("explain", *words)
        assert result.exit_code == 0, result.output
        given = {"references": [REFS[0]]} if others else {}
        score = textgauge.comet([HYPS[0]], sources=[SRCS[0]], **given, **options)["comet"]
        assert f"source      {SRCS[0]}" in result.output
        assert f"= {score:.4f}"[:-1] in result.output
    result = typed("explain", "--text", "a", "--against", "b", "--source", "c", "-m", "chrf")
    assert (result.exit_code, "--source has no effect: chrf uses no sources" in result.output) == (2, True)
    result = typed("explain", "hyp.txt", "-r", "ref.txt", "--source", "c", "-m", "chrf")
    assert (result.exit_code, "a file of sources is -s FILE" in result.output) == (2, True)


@pytest.fixture
def lists(typed):
    """Write candidates and pseudo-references with sources, as rows and as files; return them."""
    candidates, references = [HYPS[:3], HYPS[3:5]], [REFS[:2], REFS[2:5]]
    rows = zip(candidates, references, SRCS[:2], [[1, 2], [3, 4, 5]], strict=True)
    fields = ("prediction", "reference", "source", "weights")
    Path("lists.jsonl").write_text("\n".join(json.dumps(dict(zip(fields, row, strict=True))) for row in rows))
    Path("two.txt").write_text("\n".join(SRCS[:2]) + "\n")
    return candidates, references


def test_sources_of_pairs(typed, usual):
    model = ["-m", "comet", f"model_id={usual['model_id']}"]
    Path("few.txt").write_text("\n".join(REFS[:4]) + "\n")
    for words, references in (
        (["hyp.txt", "-s", "src.txt"], None),
        (["all.jsonl", "--source-field", "source"], None),
        (["hyp.txt", "-r", "few.txt", "-s", "all.jsonl"], REFS[:4]),
        (["all.jsonl", "--reference-field", "reference", "--source-field", "source"], REFS),
    ):
        whole = textgauge.pairwise(HYPS, references, sources=SRCS, metric=textgauge.Comet(**usual))
        result = typed("pairwise", *words, *model, "-o", "matrix.npy")
        assert result.exit_code == 0, result.output
        assert (np.load("matrix.npy") == whole).all()
        if references is None:
            np.fill_diagonal(whole, -np.inf)
        result = typed("pairwise", *words, *model, "--top", 1, "--json")
        assert json.loads(result.stdout)["pairs"][0]["score"] == pytest.approx(whole.max(), abs=1e-6)


def test_mbr_command_has_sources(typed, usual, lists):
    candidates, references = lists
    model, own = ["-m", "comet", f"model_id={usual['model_id']}"], ["--source-field", "source"]
    weighted = ["--reference-field", "reference", "--weights-field", "weights"]
    for words, given in (
        (["lists.jsonl", "-s", "two.txt"], {}),
        (["lists.jsonl", *own], {}),
        (["lists.jsonl", "-r", "lists.jsonl", "-s", "two.txt"], {"references": references}),
        (["lists.jsonl", *own, *weighted], {"references": references, "weights": [[1, 2], [3, 4, 5]]}),
        (["lists.jsonl", "-s", "two.txt", *weighted], {"references": references, "weights": [[1, 2], [3, 4, 5]]}),
    ):
        expected = textgauge.mbr(candidates, sources=SRCS[:2], metric=textgauge.Comet(**usual), **given)
        result = typed("mbr", *words, *model, "--json")
        assert result.exit_code == 0, result.output
        rows = [json.loads(line) for line in result.stdout.splitlines()]
        assert [row["best"] for row in rows] == expected.best.tolist()
        assert [row["scores"] for row in rows] == [
            pytest.approx(scores.tolist(), abs=1e-6) for scores in expected.scores
        ]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("pairwise hyp.txt -s src.txt -m chrf", "--sources has no effect: chrf uses no sources"),
        ("mbr lists.jsonl --source-field source -m bleu", "--source-field has no effect: bleu uses no sources"),
        ("pairwise hyp.txt -s two.txt -m comet MODEL", "two.txt: expected as many lines as hyp.txt has (6), got 2"),
        ("mbr lists.jsonl -s src.txt -m comet MODEL", "src.txt: expected as many lines as lists.jsonl has rows (2), g"),
        ("mbr lists.jsonl -s lists.jsonl --source-field reference -m comet MODEL", "expected a text"),
        ("pairwise hyp.txt -m comet MODEL", "comet: sources: expected a text for every prediction, with which"),
        ("mbr lists.jsonl -m comet MODEL", "comet: sources: expected a text for every prediction, with which"),
    ],
)
def test_what_pairs_and_candidates_refuse(typed, usual, lists, words, message):
    result = typed(*(f"model_id={usual['model_id']}" if word == "MODEL" else word for word in words.split()))
    assert result.exit_code == 2
    assert message in result.output


def test_pairs_are_the_scores_of_segments(usual, saved):
    joint = {"model_id": str(saved("unified_metric")[0])}
    for model, others in ((usual, None), (joint, REFS[:2])):
        rows = HYPS[:5]
        columns = rows if others is None else others
        pairs = [(text, other, source) for text, source in zip(rows, SRCS, strict=False) for other in columns]
        predictions, references, sources = map(list, zip(*pairs, strict=True))
        alone = textgauge.segment_scores(textgauge.Comet(**model), predictions, references, sources=sources)
        found = textgauge.pairwise(rows, others, sources=SRCS[:5], metric=textgauge.Comet(**model))
        assert found == pytest.approx(alone.reshape(found.shape), abs=1e-6)


def test_pairs_in_parts_have_their_sources(usual, monkeypatch):
    whole = textgauge.pairwise(HYPS, sources=SRCS, metric=textgauge.Comet(**usual))
    monkeypatch.setattr(matrix, "CHUNK_BYTES", 20)
    assert textgauge.pairwise(HYPS, sources=SRCS, metric=textgauge.Comet(**usual)) == pytest.approx(whole, abs=1e-6)
    scores, places = textgauge.pairwise(HYPS, sources=SRCS, metric=textgauge.Comet(**usual), top=2)
    np.fill_diagonal(whole, -np.inf)
    assert scores == pytest.approx(np.sort(whole)[:, :-3:-1], abs=1e-6)


def test_the_candidate_with_the_best_expected_score(usual, monkeypatch):
    texts = []
    cut = SentenceEncoder.cut
    monkeypatch.setattr(SentenceEncoder, "cut", lambda self, some: texts.extend(some) or cut(self, some))
    choice = textgauge.mbr(HYPS, sources="cat mat dog", metric=textgauge.Comet(**usual))
    # One for what there is to know before, each text once.
    assert sorted(texts) == sorted([*HYPS, "cat mat dog"])
    whole = textgauge.pairwise(HYPS, sources=["cat mat dog"] * len(HYPS), metric=textgauge.Comet(**usual))
    assert choice.scores == pytest.approx(whole.mean(axis=1), abs=1e-6)
    assert choice.best == whole.mean(axis=1).argmax()
    weights = [[1, 2, 3], [1, 0]]
    many = textgauge.mbr(
        [HYPS[:3], HYPS[3:]],
        references=[REFS[:3], REFS[:2]],
        sources=SRCS[:2],
        weights=weights,
        metric=textgauge.Comet(**usual),
    )
    for scores, texts, n, source, given in zip(many.scores, (HYPS[:3], HYPS[3:]), (3, 2), SRCS, weights, strict=False):
        pairs = textgauge.pairwise(texts, REFS[:n], sources=[source] * 3, metric=textgauge.Comet(**usual))
        assert scores == pytest.approx(pairs @ given / sum(given), abs=1e-6)


def test_workers_of_spark_read_sources(usual, expected):
    pa = pytest.importorskip("pyarrow")
    pytest.importorskip("pyspark.sql", reason="pyspark is not installed: pip install -e '.[spark]'")
    from textgauge.spark import rows

    worker = rows.RowScores(
        (textgauge.Comet(**usual),), ("hyp", "ref", "src"), (2, 1, 0), (("comet",),), has_sources=True
    )
    batch = pa.RecordBatch.from_arrays([pa.array(SRCS), pa.array(REFS), pa.array(HYPS)], names=["s", "r", "h"])
    [scored] = pickle.loads(pickle.dumps(worker))([batch])
    assert scored.column("score0").to_pylist() == pytest.approx(expected["segment_comet"], abs=1e-6)
    holes = pa.RecordBatch.from_arrays([pa.array([None, *SRCS[1:]]), *batch.columns[1:]], names=["s", "r", "h"])
    [refused] = worker([holes])
    assert (
        refused.column("refusal")[0].as_py().startswith("source_column 'src': expected text in every row, got 1 null")
    )


def test_matches_with_unused_sources(saved):
    options = {"model_id": str(saved("unified_metric", input_segments=["mt", "ref"], word_level_training=True)[0])}
    assert len(textgauge.matches(HYPS, REFS, metric=textgauge.Comet(**options))) == len(HYPS)
    with pytest.raises(ValueError, match="^`sources` cannot be given, since .* does not use sources"):
        textgauge.matches(HYPS, REFS, sources=SRCS, metric=textgauge.Comet(**options))


def test_matches_are_error_spans(saved, usual, qe):
    model = {"model_id": str(saved("xcomet_metric")[0])}
    given = {"sources": SRCS, "metric": textgauge.Comet(**model)}
    spans = textgauge.comet(HYPS, REFS, sources=SRCS, spans=True, **model)["error_spans"]
    found = textgauge.matches(HYPS, REFS, **given)
    costs = {"minor": 1, "major": 5, "critical": 10}
    expected = [
        [(one["start"], one["end"], costs[one["severity"]]) for one in of_one if one["start"] < one["end"]]
        for of_one in spans
    ]
    assert any(expected)
    assert [[(one.start, one.end, one.weight) for one in of_one.prediction] for of_one in found] == expected
    assert [len(of_one.references) for of_one in textgauge.matches(HYPS, **given)] == [0] * len(HYPS)
    for options in (usual, qe):
        with pytest.raises(ValueError, match="^metric: .*got comet"):
            textgauge.matches(HYPS, REFS, sources=SRCS, metric=textgauge.Comet(**options))
    with pytest.raises(TypeError, match="^references: expected texts, which sacrebleu needs, got None"):
        textgauge.matches(HYPS)


def test_page_lists_sources(usual, saved):
    from textgauge.report import Report

    def listed(metric, sources, **options):
        empty = accumulator_of(METRICS[metric])(**options)
        corpora = [corpus_of(texts, REFS, sources=sources) for texts in (HYPS, HYPS[::-1])]
        return Report.of(["a", "b"], corpora, [(empty, metric)], PairedOptions()).segments()

    rows = listed("comet", SRCS, **usual)
    assert {row["n"]: row["systems"][0]["source"] for row in rows} == {i: [s, 0] for i, s in enumerate(SRCS, 1)}
    assert "source" not in listed("chrf", None)[0]["systems"][0]


def test_faces_refuse_unused_columns(qe):
    """Given by name it is refused; found by a default name it is left out, see the tests of rewards and Trainer."""
    datasets = pytest.importorskip("datasets")
    rows = datasets.Dataset.from_dict({"h": HYPS, "r": REFS, "s": SRCS})
    added = textgauge.scorer(textgauge.Comet(**qe), **COLUMNS)
    for call in (
        lambda: textgauge.score_dataset(rows, textgauge.Comet(**qe), **COLUMNS),
        lambda: added({"h": HYPS, "r": REFS, "s": SRCS}),
        lambda: rows.map(added, batched=True),
    ):
        with pytest.raises(ValueError, match="^`reference_column` cannot be given, since .* does not use references"):
            call()
    # Beside a metric that uses it, it is given for that one.
    both = textgauge.scorer([textgauge.Comet(**qe), "chrf"], **COLUMNS)({"h": HYPS, "r": REFS, "s": SRCS})
    assert both["chrf"] == pytest.approx(textgauge.segment_scores("chrf", HYPS, REFS))
    assert both["comet"] == pytest.approx(textgauge.segment_scores(textgauge.Comet(**qe), HYPS, sources=SRCS), abs=1e-6)
    every = textgauge.score_dataset(rows, [textgauge.Comet(**qe), "chrf"], **COLUMNS)
    [of_comet, _] = every.values()
    assert of_comet["comet"] == pytest.approx(both["comet"].mean(), abs=1e-6)
    with pytest.raises(TypeError, match="^`source_column` cannot be given, since bleu uses no sources"):
        textgauge.scorer(["bleu", "chrf"], **COLUMNS)
    with pytest.raises(ValueError, match="^spans: .*got True"):
        textgauge.scorer(textgauge.Comet(spans=True, **qe), **COLUMNS)


def test_lacking_columns_are_named(usual):
    for given, missing in (({"reference_column": "r"}, "source"), ({"source_column": "s"}, "reference")):
        scored = textgauge.scorer(textgauge.Comet(**usual), prediction_column="h", **given)
        with pytest.raises(ValueError, match=f"^{missing}_column: .*got None"):
            scored({"h": HYPS, "r": REFS, "s": SRCS})


@pytest.fixture(params=first(1, ["paired_bootstrap", "paired_permutation"]))
def comparison(request, tmp_path):
    evaluate = pytest.importorskip("evaluate")
    path = textgauge.path(request.param)
    return evaluate.load(path, module_type="comparison", cache_dir=str(tmp_path), n_resamples=100)


@pytest.mark.filterwarnings("ignore:.*only .* segments", "ignore:two systems differ in only")
def test_comparisons_take_sources(comparison, usual, qe):
    sides = {"predictions1": HYPS, "predictions2": REFS, "references": REFS, "sources": SRCS}
    test = comparison.name.removeprefix("paired_")
    for options, left_out in ((usual, None), (qe, "references")):
        given = {name: column for name, column in sides.items() if name != left_out}
        comet = textgauge.Comet(**options)
        [expected] = textgauge.compare(
            [HYPS, REFS], given.get("references"), sources=SRCS, metric=comet, n_resamples=100, test=test,
        )  # fmt: skip
        whole = comparison.compute(**given, metric=comet)
        assert whole["stat"] == pytest.approx(expected.stat, abs=1e-6)
        # Stored and read again.
        one = {"prediction1": HYPS[0], "prediction2": REFS[0], "reference": REFS[0], "source": SRCS[0]}
        comparison.add(**{name: text for name, text in one.items() if f"{name}s" != left_out})
        comparison.add_batch(**{name: column[1:] for name, column in given.items()})
        assert comparison.compute(metric=comet)["score2"] == pytest.approx(whole["score2"], abs=1e-6)
    with pytest.raises(ValueError, match="^`references` cannot be given, since .* does not use references"):
        comparison.compute(**sides, metric=textgauge.Comet(**qe))
    with pytest.raises(ValueError, match="^sources: expected texts, with which .* scores, got None"):
        comparison.compute(**{**sides, "sources": None}, metric=textgauge.Comet(**usual))
    with pytest.raises(ValueError, match="^`sources` cannot be given, since chrf does not use sources"):
        comparison.compute(**sides, metric="chrf")
    with pytest.raises(ValueError, match="^references: .*scores.*got None"):
        comparison.compute(predictions1=HYPS, predictions2=REFS, metric="chrf")
    with pytest.raises(ValueError, match="^sources: .*.6..*got 1"):
        comparison.add_batch(**{**sides, "sources": ["a"]})

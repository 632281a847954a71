"""Texts behind the sentences before them, with separators between: only the last sentence is scored."""

import gzip
import json

import numpy as np
import pytest
import textgauge
from click.testing import CliRunner
from quick import covering
from textgauge.cli.main import main
from textgauge.rewards import Reward
from warned import warned

MODELS = ("wmt22-comet-da", "wmt20-comet-da", "wmt20-comet-qe-da")
HYPS = ["the cat", "the cat [SEP] a dog barks", "the cat [SEP] a dog barks [SEP] one"]
REFS = ["a cat", "a cat [SEP] the dog barks", "a cat [SEP] the dog barks [SEP] two"]
SRCS = ["sat", "sat [SEP] mat", "sat [SEP] mat [SEP] coffee"]


@pytest.fixture(scope="session")
def official(shared):
    file = shared / "oracles/doc-comet/doc-comet-given.json.gz"
    if not file.is_file():
        pytest.skip("the recorded figures of COMET in context are not beside the project")
    return json.loads(gzip.decompress(file.read_bytes()))


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_figures_of_the_official_program(official, recorded, remembering, monkeypatch, model):
    """Of unbabel-comet 2.2.7, without and with `--enable-context`, of which neither is taken for the other."""
    monkeypatch.chdir(recorded[0])
    remembering()
    rows, more = official["rows"], {} if "-qe-" in model else {"references": [row["ref"] for row in official["rows"]]}
    for kind, size in (("plain", None), ("context", None), ("context", 1), ("plain", 1)):
        found = textgauge.comet(
            [row["mt"] for row in rows], **more, sources=[row["src"] for row in rows], model_id=model,
            enable_context=kind == "context", batch_size=size, per_segment=True,
        )["segment_comet"]  # fmt: skip
        for recorded_size in (1, 8):
            assert np.abs(np.subtract(found, official["scores"][f"{model}|{kind}|{recorded_size}"])).max() < 1e-6
    plain, context = (np.array(official["scores"][f"{model}|{kind}|8"]) for kind in ("plain", "context"))
    assert np.abs(plain - context).max() > 1e-2


def scores(hyps=HYPS, refs=REFS, srcs=SRCS, **options):
    return textgauge.comet(hyps, refs, sources=srcs, per_segment=True, **options)["segment_comet"]


@pytest.mark.filterwarnings("ignore:.* special tokens")
def test_a_text_without_context_is_as_before(usual):
    plain, context = scores(**usual), scores(**usual, enable_context=True)
    assert plain[0] == pytest.approx(context[0], abs=1e-6)
    assert abs(plain[1] - context[1]) > 1e-3
    # The context has been read: another one moves the score of the same sentence.
    others = [text.replace("cat", "mat") for text in HYPS]
    assert abs(scores(others, **usual, enable_context=True)[1] - context[1]) > 1e-5


@pytest.mark.filterwarnings("ignore:.* special tokens")
def test_every_face(usual):
    datasets = pytest.importorskip("datasets")
    options = {**usual, "enable_context": True}
    expected = scores(**options)
    assert expected != scores(**usual)
    batches = textgauge.Comet(**options)
    for i in range(3):
        batches.update(HYPS[i : i + 1], REFS[i : i + 1], sources=SRCS[i : i + 1])
    mean = pytest.approx(np.mean(expected), abs=1e-6)
    assert batches.score()["comet"] == mean
    assert "|layers:softmax|context:yes|src:yes|" in batches.signature
    assert "context" not in textgauge.Comet(**usual).update(HYPS, REFS, sources=SRCS).signature
    with pytest.raises(ValueError, match="enable_context"):
        batches + textgauge.Comet(**usual).update(HYPS, REFS, sources=SRCS)
    spec = f"comet(model_id={usual['model_id']!r}, enable_context=True)"
    assert textgauge.segment_scores(spec, HYPS, REFS, sources=SRCS) == pytest.approx(expected, abs=1e-6)
    rewards = Reward(spec, reference="reference", source="source", scale="metric")(
        completions=HYPS, reference=REFS, source=SRCS
    )
    assert rewards == pytest.approx(expected, abs=1e-6)
    rows = datasets.Dataset.from_dict({"h": HYPS, "r": REFS, "s": SRCS})
    columns = {"prediction_column": "h", "reference_column": "r", "source_column": "s"}
    assert textgauge.score_dataset(rows, spec, **columns)["comet"] == mean
    module = textgauge.load("comet")
    assert module.compute(predictions=HYPS, references=REFS, sources=SRCS, **options)["mean_score"] == mean
    matrix = textgauge.pairwise(HYPS, REFS, sources=SRCS, metric=spec)
    assert np.diag(np.asarray(getattr(matrix, "scores", matrix))) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("settings", [{"pool": "cls"}, {"pool": "max"}, {"pool": "default"}])
def test_refused_where_the_vectors_are_no_means(saved, settings):
    folder = str(saved("regression_metric", **settings)[0])
    with pytest.raises(ValueError, match="^enable_context: .*got True"):
        scores(model_id=folder, enable_context=True)


def test_refused_of_models_that_read_texts_as_one(qe):
    with pytest.raises(ValueError, match="^enable_context: .*got True"):
        textgauge.comet(HYPS, sources=SRCS, **qe, enable_context=True)


def test_what_is_warned_of(usual):
    options = {**usual, "enable_context": True}
    assert warned(scores, **options) == []
    long = ["the cat sat on a mat " * 6 + "[SEP] a dog", *HYPS[1:]]
    [warning] = warned(scores, long, **options)
    assert "1 text is longer with its context than the 36 tokens" in warning
    assert "the sentence itself" in warning
    [warning] = warned(scores, ["a cat", "a"], ["the cat"] * 2, ["cat"] * 2, **options)
    assert "enable_context=True changes nothing: no prediction has a context before it, with [SEP] between" in warning
    [warning] = warned(scores, ["the cat [SEP] "], ["a cat [SEP] a dog"], ["sat [SEP] mat"], **options)
    assert "1 prediction is empty" in warning
    [warning] = warned(scores, ["the cat [SEP] mat"], ["a cat [SEP] a dog"], ["sat [SEP] mat"], **options)
    assert "1 prediction equals its source" in warning
    [warning] = warned(scores, ["the cat [SEP] [MASK] mat [PAD]"], ["a cat [SEP] a dog"], ["sat [SEP] a"], **options)
    assert "names special tokens" in warning


def by_hand(texts, before, documents, size):
    """As `add_context` of Vernikos et al. joins texts, with their own words."""
    joined = []
    for i, text in enumerate(texts):
        n = 0
        while n < size and i - n > 0 and documents[i - n - 1] == documents[i]:
            n += 1
        joined.append(" [SEP] ".join([*before[i - n : i], text]))
    return joined


DOCUMENTS = ["a", "a", "a", "a", "b", "b", "a"]
# Few lengths make few batches, so the tests are fast.
HYP = ["the cat", "dog barks", "a cat on coffee", "at three:", "a mat", "the dog sat on", "sell coffee"]
REF = ["a cat", "the dog barks at", "on cat", "at mat", "the mat sat on", "sat at", "sell cat"]
SRC = ["cat a", "dog a", "on on", "at at mat a", "mat the", "sat the", "cat the coffee a"]


@pytest.mark.parametrize("size", [1, 2, 3])
def test_context_from_documents(usual, saved, size):
    """A prediction stands behind references; without any, behind predictions."""
    joined = [by_hand(texts, before, DOCUMENTS, size) for texts, before in ((HYP, REF), (REF, REF), (SRC, SRC))]
    expected = scores(*joined, **usual, enable_context=True)
    options = {**usual, "context_from": DOCUMENTS, "context_size": size}
    result = textgauge.comet(HYP, REF, sources=SRC, per_segment=True, signature=True, **options)
    assert result["segment_comet"] == pytest.approx(expected, abs=1e-6)
    assert f"|context:{size}|src:yes|" in result["signature"]
    assert textgauge.Comet(**options).update(HYP, REF, sources=SRC).score()["comet"] == result["comet"]
    qe = {"model_id": str(saved("referenceless_regression_metric")[0])}
    joined = [by_hand(texts, texts, DOCUMENTS, size) for texts in (HYP, SRC)]
    expected = textgauge.comet(joined[0], sources=joined[1], per_segment=True, enable_context=True, **qe)
    found = textgauge.comet(HYP, sources=SRC, per_segment=True, **{**options, **qe})
    assert found["segment_comet"] == pytest.approx(expected["segment_comet"], abs=1e-6)


def test_documents_in_other_faces(usual, tmp_path):
    options = {**usual, "context_from": DOCUMENTS}
    expected = scores(HYP, REF, SRC, **options)
    named = textgauge.Comet(**options)
    assert textgauge.segment_scores(named, HYP, REF, sources=SRC) == pytest.approx(expected, abs=1e-6)
    [compared] = textgauge.compare([HYP, REF], REF, sources=SRC, metric=named)
    assert compared.score1 == pytest.approx(np.mean(expected), abs=1e-6)
    module = textgauge.load("comet").compute(predictions=HYP, references=REF, sources=SRC, **options)
    assert module["scores"] == pytest.approx(expected, abs=1e-6)
    for name, texts in (("hyp", HYP), ("ref", REF), ("src", SRC), ("doc", DOCUMENTS)):
        (tmp_path / f"{name}.txt").write_text("\n".join(texts) + "\n")
    paths = {name: str(tmp_path / f"{name}.txt") for name in ("hyp", "ref", "src", "doc")}
    arguments = ["score", paths["hyp"], "-r", paths["ref"], "-s", paths["src"], "--json", "-m", "comet"]
    arguments += [f"model_id={usual['model_id']}", f"context_from={paths['doc']}"]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["metrics"]["comet"]["comet"] == pytest.approx(np.mean(expected), abs=1e-5)


def test_documents_that_do_not_fit(usual):
    with pytest.raises(ValueError, match="^context_from: .*got 6 documents"):
        scores(HYP, REF, SRC, **usual, context_from=DOCUMENTS[:6])
    with pytest.raises(ValueError, match="^references: .*whose context is that of its document.*got several"):
        scores(HYP, [[one, "a"] for one in REF], SRC, **usual, context_from=DOCUMENTS)
    with pytest.raises(ValueError, match="^context_size"):
        scores(**usual, enable_context=True, context_size=3)
    with pytest.raises(ValueError, match="context_from"):
        textgauge.pairwise(HYP, REF, sources=SRC, metric=textgauge.Comet(**usual, context_from=DOCUMENTS))
    datasets = pytest.importorskip("datasets")
    rows = datasets.Dataset.from_dict({"h": HYP, "r": REF, "s": SRC})
    columns = {"prediction_column": "h", "reference_column": "r", "source_column": "s"}
    with pytest.raises(ValueError, match="^context_from: .*segments.*got documents"):
        textgauge.score_dataset(rows, textgauge.Comet(**usual, context_from=DOCUMENTS), **columns)


COLUMNS = {"prediction_column": "h", "reference_column": "r", "source_column": "s"}


@pytest.mark.parametrize(("batch_size", "size"), covering([2, 1, 3, 1000], [1, 3]))
def test_column_of_documents(usual, saved, batch_size, size):
    """Rows of one document, split over batches, have their context."""
    datasets = pytest.importorskip("datasets")
    options = {**usual, "context_size": size}
    expected = textgauge.comet(HYP, REF, sources=SRC, context_from=DOCUMENTS, signature=True, **options)
    rows = datasets.Dataset.from_dict({"h": HYP, "r": REF, "s": SRC, "doc": DOCUMENTS})
    given = {**COLUMNS, "context_column": "doc", "batch_size": batch_size, "signature": True}
    for table in (rows, rows.to_iterable_dataset(num_shards=2)):
        found = textgauge.score_dataset(table, textgauge.Comet(**options), **given)
        assert found["comet"] == pytest.approx(expected["comet"], abs=1e-6)
        assert found["signature"] == expected["signature"]
    drawn = {"confidence": 0.9, "n_resamples": 9}
    several = [textgauge.Comet(**options), "chrf"]
    with pytest.warns(UserWarning, match="only 2 units"):
        both = textgauge.score_dataset({"test": rows}, several, **given, **drawn, unit_column="doc")["test"]
    first, second = both.values()
    assert first["comet"] == pytest.approx(expected["comet"], abs=1e-6)
    assert second["chrf"] == textgauge.chrf(HYP, REF)["chrf"]
    qe = {**options, "model_id": str(saved("referenceless_regression_metric")[0])}
    expected = textgauge.comet(HYP, sources=SRC, context_from=DOCUMENTS, **qe)
    given["reference_column"] = None
    found = textgauge.score_dataset(rows, textgauge.Comet(**qe), **given)
    assert found["comet"] == pytest.approx(expected["comet"], abs=1e-6)


def test_column_with_bad_rows(usual):
    datasets = pytest.importorskip("datasets")
    rows = {"h": [*HYP, None, "mat"], "r": [*REF, "a", "a"], "s": [*SRC, "a", "a"], "doc": [*DOCUMENTS, "a", None]}
    table = datasets.Dataset.from_dict(rows)
    given = {**COLUMNS, "context_column": "doc", "batch_size": 4}
    with pytest.raises(TypeError, match=r"^dataset\['doc'\]\[8\]: .*got None"):
        textgauge.score_dataset(table.select([0] * 8 + [8]), textgauge.Comet(**usual), **given)
    with pytest.warns(UserWarning, match="2 bad rows were left out: a document, a text or a reference"):
        found = textgauge.score_dataset(table, textgauge.Comet(**usual), **given, skip_bad=True)
    assert found["comet"] == pytest.approx(np.mean(scores(HYP, REF, SRC, **usual, context_from=DOCUMENTS)), abs=1e-6)


def test_column_that_does_not_fit(usual):
    datasets = pytest.importorskip("datasets")
    rows = datasets.Dataset.from_dict({"h": HYP, "r": REF, "s": SRC, "doc": DOCUMENTS, "id": range(7)})
    named = textgauge.Comet(**usual)
    without = {name: COLUMNS[name] for name in ("prediction_column", "reference_column")}
    with pytest.raises(TypeError, match="`context_column` cannot be given, since chrf reads no text before another"):
        textgauge.score_dataset(rows, "chrf", **without, context_column="doc")
    with pytest.raises(ValueError, match="^context_column: expected a column of the data set .*got 'd'"):
        textgauge.score_dataset(rows, named, **COLUMNS, context_column="d")
    with pytest.raises(TypeError, match="^context_column: expected a str, got 3"):
        textgauge.score_dataset(rows, named, **COLUMNS, context_column=3)
    with pytest.raises(ValueError, match="context_from: .*context_column.*got documents"):
        textgauge.score_dataset(rows, textgauge.Comet(**usual, context_from=DOCUMENTS), **COLUMNS, context_column="doc")
    with pytest.warns(UserWarning, match="context_column= changes nothing: no two rows"):
        textgauge.score_dataset(rows, named, **COLUMNS, context_column="id")
    # Nothing is told of a single row.
    textgauge.score_dataset(rows.select([0]), named, **COLUMNS, context_column="id")
    with pytest.raises(ValueError, match="context_size"):
        textgauge.Comet(**usual, context_size=3, enable_context=True)


def test_column_of_a_table(usual, tmp_path):
    expected = np.mean(scores(HYP, REF, SRC, **usual, context_from=DOCUMENTS))
    names = ("prediction", "reference", "source", "doc")
    rows = [dict(zip(names, row, strict=True)) for row in zip(HYP, REF, SRC, DOCUMENTS, strict=True)]
    table = tmp_path / "rows.jsonl"
    table.write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "hyp.txt").write_text("\n".join(HYP))

    def run(command, *words, path=table):
        named = ("-m", "comet", f"model_id={usual['model_id']}")
        return CliRunner().invoke(main, [command, str(path), *named, *words])

    texts = ("--source-field", "source", "--reference-field", "reference")
    columns = (*texts, "--context-field", "doc")
    done = run("score", *columns, "--json", "--unit-field", "doc", "--confidence", "0.9", "--n-resamples", "9")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["metrics"]["comet"]["comet"] == pytest.approx(expected, abs=1e-5)
    behind = run("score", "context_field=doc", "context_size=1", *texts, "--json", "--signature")
    assert behind.exit_code == 0, behind.output
    assert "|context:1|" in behind.stdout
    twice = run("score", f"context_from={tmp_path / 'hyp.txt'}", *columns)
    assert "--context-field cannot be given with context_from" in twice.stderr
    for command in ("pairwise", "mbr"):
        refused = run(command, *columns)
        assert f"--context-field is for rows in their order, which {command} does not score" in refused.stderr
    plain = run("score", "-r", str(tmp_path / "hyp.txt"), "-s", str(tmp_path / "hyp.txt"), "--context-field", "doc",
                path=tmp_path / "hyp.txt")  # fmt: skip
    assert "--context-field names a column, and plain text has none" in plain.stderr

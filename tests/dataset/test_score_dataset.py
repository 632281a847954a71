"""`textgauge.score_dataset` returns the score of one call, and stores no row."""

import pickle
import random
import re
import sys
import warnings
from dataclasses import replace

import datasets
import pandas as pd
import pytest
import textgauge
from hypothesis import given, settings
from hypothesis import strategies as st
from quick import covering, examples
from textgauge.accumulation.running import RunningScore
from textgauge.input.columns import corpus_of
from textgauge.input.documents import Documents

HYPS = [f"the cat number {i} sat on {'the ' * (i % 4)}mat" for i in range(60)] + ["", "a dog"]
REFS = [[f"a cat number {i + i % 3} is on the mat", "the mat"] for i in range(60)] + [["x"], ["a dog"]]
NO_ROWS = datasets.Dataset.from_dict({"hyp": [], "ref": []})
COLUMNS = {"prediction_column": "hyp", "reference_column": "ref"}
MEASURES = {
    "bleu": (textgauge.Bleu, {"reference_length": "average"}),
    "bleu-last": (textgauge.Bleu, {"preset": "nltk", "smoothing": "chen-cherry-5"}),
    "rouge": (textgauge.Rouge, {}),
    "rouge-one": (textgauge.Rouge, {"rouge_types": ["rougeL"], "beta": 2.0}),
    "token_f1": (textgauge.TokenF1, {"counting": "set"}),
}


@pytest.fixture
def rows():
    return datasets.Dataset.from_dict({"id": range(62), "hyp": HYPS, "ref": REFS})


@pytest.mark.parametrize("name", MEASURES)
@settings(max_examples=examples(50))
@given(cuts=st.sets(st.integers(0, len(HYPS))))
def test_same_score_in_any_batches(name, cuts):
    kind, options = MEASURES[name]
    running = RunningScore(kind(**options))
    ends = [*sorted(cuts), len(HYPS)]
    for start, stop in zip([0, *ends], ends, strict=False):
        running.update_corpus(corpus_of(HYPS[start:stop], REFS[start:stop]))
    assert running.score(signature=True) == kind(**options).update(HYPS, REFS).score(signature=True)


@pytest.mark.parametrize("name", MEASURES)
def test_the_latest_segments_are_those_of_the_last_batch(name):
    kind, options = MEASURES[name]
    running = RunningScore(kind(**options), keeps_latest=True)
    for start, stop in ((0, 3), (3, 4), (4, 4), (4, len(HYPS))):
        running.update_corpus(corpus_of(HYPS[start:stop], REFS[start:stop]))
        if start < stop:
            expected = kind(**options).update(HYPS[start:stop], REFS[start:stop]).statistics.values
            assert running.latest.statistics.values.tolist() == expected.tolist()


@pytest.mark.parametrize("name", MEASURES)
def test_memory_does_not_grow_with_the_corpus(name):
    kind, options = MEASURES[name]
    running, sizes = RunningScore(kind(**options)), []
    for _ in range(3):
        for _ in range(20):
            running.update_corpus(corpus_of(HYPS, REFS))
        sizes.append(len(pickle.dumps(running.__dict__)))
    assert max(sizes) - min(sizes) < 20


@pytest.mark.parametrize(
    ("metric", "given"),
    [
        ("comet", {"source_column": "s", "context_column": "d", "unit_column": "u", "batch_size": 7, "skip_bad": True}),
        ("cpwer", {"speaker_column": ("a", "b"), "session_column": "n", "start_column": "t", "end_column": "e"}),
    ],
)
def test_splits_are_scored_with_all_arguments(monkeypatch, metric, given):
    home, asked = sys.modules[textgauge.score_dataset.__module__], []
    monkeypatch.setattr(home, "score_dataset", lambda rows, one, **rest: asked.append((rows, one, rest)) or str(rows))
    drawn = {"confidence": 0.9, "seed": 3}
    splits = textgauge.score_dataset({"x": 1, "y": 2}, metric, **COLUMNS, **given, **drawn)
    assert splits == {"x": "1", "y": "2"}
    for _, one, rest in asked:
        assert {key: value for key, value in rest.items() if value is not None} == {
            "batch_size": 1000, "skip_bad": False, **COLUMNS, **given,
        }  # fmt: skip
        assert (one.name, one.options) == (metric, drawn)


def transformed(rows):
    return rows.remove_columns(["hyp"]).with_transform(lambda b: {"hyp": [HYPS[i] for i in b["id"]], "ref": b["ref"]})


LAYOUTS = {
    "rows": lambda rows: rows,
    "selection": lambda rows: rows.select([*range(61, -1, -1)]).select([*range(61, -1, -1)]),
    "stream": lambda rows: rows.to_iterable_dataset(num_shards=3),
    "stream of unknown columns": lambda rows: datasets.IterableDataset.from_generator(lambda: iter(rows)),
    "arrow": lambda rows: rows.with_format("arrow"),
    "pandas": lambda rows: rows.with_format("pandas"),
    "transform": transformed,
    "one column more": lambda rows: rows.with_format("numpy", columns=["id"]),
}


@pytest.mark.parametrize(("layout", "batch_size"), covering([*LAYOUTS], [7, 1, 1000]))
def test_every_kind_of_data_set(rows, layout, batch_size):
    scored = textgauge.score_dataset(LAYOUTS[layout](rows), "rouge", **COLUMNS, batch_size=batch_size)
    assert scored == textgauge.rouge(HYPS, REFS)


def test_reports_without_segments(rows):
    scored = textgauge.score_dataset(rows, "bleu(max_order=3)", **COLUMNS, all_orders=True, signature=True)
    assert scored == textgauge.bleu(HYPS, REFS, all_orders=True, signature=True, max_order=3)
    scored = textgauge.score_dataset(rows, "rougeL(beta=2.0)", **COLUMNS, detailed=True)
    assert scored == textgauge.rouge(HYPS, REFS, rouge_types=["rougeL"], detailed=True, beta=2.0)


def test_average_of_the_script(rows):
    options, reports = {"preset": "rouge-1.5.5", "rouge_types": ["rouge1", "rougeSU4"]}, {"detailed": True}
    with pytest.raises(ValueError, match="^aggregator: .*'mean'.*got None"):
        textgauge.score_dataset(rows, textgauge.Rouge(**options), **COLUMNS, **reports)
    scored = textgauge.score_dataset(
        rows, textgauge.Rouge(**options), **COLUMNS, **reports, aggregator="mean", signature=True
    )
    assert scored == textgauge.rouge(HYPS, REFS, **options, **reports, aggregator="mean", signature=True)


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"metric": "blur"}, ValueError, "^metric: .*got 'blur'"),
        ({"colour": 1}, TypeError, "colour"),
        ({"detailed": True}, TypeError, "^detailed: .*got an unknown keyword"),
        ({"prediction_column": "text"}, ValueError, r"prediction_column: .*'id', 'hyp', 'ref'.*, got 'text'"),
        ({"reference_column": "id"}, TypeError, r"^dataset\[0:\]\['id'\]\[0\]: .*got 0"),
        ({"batch_size": 0}, ValueError, "^batch_size: .*got 0"),
        ({"dataset": datasets.DatasetDict()}, TypeError, "^dataset: .*got DatasetDict"),
        ({"dataset": NO_ROWS}, ValueError, "^dataset: .*got none"),
        ({"seed": 3}, ValueError, "`seed` has no effect without `confidence`"),
        ({"metric": "rouge", "per_segment": True}, ValueError, "per_segment: .* False .*`scorer` adds .*got True"),
        ({"metric": "rouge", "use_aggregator": False}, ValueError, "use_aggregator: .*Rouge has them"),
        ({"metric": "rouge", "aggregator": "bootstrap"}, ValueError, "aggregator: .*Rouge has.*got .boot"),
        ({"metric": "rouge", "per_segment": True}, ValueError, "per_segment: .*`scorer` adds scores to rows"),
        ({"metric": "rouge", "unit_column": "id"}, ValueError, "`unit_column` has no effect without `confidence`"),
        ({"metric": "rouge", "confidence": 0.9, "unit_column": "docs"}, ValueError, "^unit_column: .*got 'docs'"),
        ({"metric": "rouge", "confidence": 0.9, "unit": ["a"]}, TypeError, r"^unit: .*got \['a'\]"),
    ],
)
def test_bad_arguments(rows, arguments, error, words):
    with pytest.raises(error, match=words):
        textgauge.score_dataset(**{"dataset": rows, "metric": "bleu", **COLUMNS, **arguments})


SPOKEN = {"speaker_column": "who", "session_column": "day", "start_column": "t", "end_column": "end"}
SOURCES = {"source_column": "src"}
UNITS = {"unit_column": "doc", "confidence": 0.9, "n_resamples": 9}


@pytest.mark.parametrize(
    ("metric", "given", "column", "wrong"),
    [
        *(("cpwer", SPOKEN, *pair) for pair in (("hyp", 5), ("ref", 5), ("who", None), ("day", None), ("t", "x"))),
        ("cpwer", SPOKEN, "end", -1), *((["chrf", "sari"], SOURCES, name, 5) for name in ("hyp", "ref")),
        ("sari", SOURCES, "src", None), ("bleu", {}, "ref", []), ("wer", UNITS, "doc", None),
        ("mauve", {}, "hyp", 5), ("mauve", {}, "ref", 5),
    ],
)  # fmt: skip
def test_a_wrong_value_has_its_row_in_whatever_batch(metric, given, column, wrong):
    def filled(batch):
        names = ("hyp", "ref", "src", "who", "doc", "day")
        columns = {name: [f"{name} {i}" for i in batch["i"]] for name in names} | {"t": batch["i"], "end": batch["i"]}
        return {**columns, column: [wrong if i == 7 else columns[column][at] for at, i in enumerate(batch["i"])]}

    rows = datasets.Dataset.from_dict({"i": range(9)}).with_transform(filled)
    for batch_size in (1, 4, 9):
        with pytest.raises((TypeError, ValueError)) as caught:
            textgauge.score_dataset(rows, metric, **COLUMNS, **given, batch_size=batch_size)
        found = re.match(r"dataset(?:\[(\d+):])?(?:\['(\w+)'])?\[(\d+)]", str(caught.value))
        assert found[2] in (None, column), caught.value
        assert int(found[1] or 0) + int(found[3]) == 7, caught.value


def test_lost_text_is_told_once(rows):
    chinese = datasets.Dataset.from_dict({"hyp": ["猫"] * 9, "ref": ["狗"] * 9})
    with pytest.warns(UserWarning, match="^18 texts are not empty") as caught:
        textgauge.score_dataset(chinese, "rouge", **COLUMNS, batch_size=2)
    assert len(caught) == 1
    textgauge.score_dataset(rows, "rouge", **COLUMNS)


def test_the_bar_is_that_of_datasets(rows, capsys):
    textgauge.score_dataset(rows, "bleu", **COLUMNS)
    assert capsys.readouterr().err == ""
    datasets.enable_progress_bars()
    textgauge.score_dataset(rows, "bleu", **COLUMNS)
    assert "62/62" in capsys.readouterr().err
    textgauge.score_dataset(rows.to_iterable_dataset(), "bleu", **COLUMNS)
    bar = capsys.readouterr().err
    assert "Scoring: 62 examples" in bar


def test_score_by_name(rows):
    whole = textgauge.score_dataset(rows, "token_f1", **COLUMNS, signature=True)
    alone = textgauge.score_dataset(rows, "token_f1_exact_match", **COLUMNS, signature=True)
    assert alone == {name: whole[name] for name in ("exact_match", "signature")}


def test_data_frame():
    frame = pd.DataFrame({"hyp": HYPS, "ref": REFS})
    rows = frame.to_dict("records")
    for wrong, way in ((rows, "from_list"), (frame.to_dict("list"), "from_dict"), ("rows", "load_from_disk")):
        with pytest.raises(TypeError, match=f"^dataset: .*{way}` (makes|read) one.*, got (str|list)$"):
            textgauge.score_dataset(wrong, "chrf", prediction_column="hyp", reference_column="ref")
    with pytest.raises(TypeError, match="^dataset: .*`Dataset.from_pandas`.*got DataFrame"):
        textgauge.score_dataset(frame, "chrf", **COLUMNS)


@pytest.mark.parametrize(
    ("metric", "batch_size", "is_streamed"),
    covering(["google_bleu", "rougeL", ["chrf", "exact_match"]], [7, 1000], [True, False]),
)
def test_intervals_draw_units_as_in_one_call(rows, metric, batch_size, is_streamed):
    units = [f"d{i % 25}" for i in range(62)]
    rows = rows.add_column("doc", units)
    source = rows.to_iterable_dataset() if is_streamed else rows
    drawn = {"confidence": 0.9, "n_resamples": 50, "seed": 3, "signature": True}
    found = textgauge.score_dataset(source, metric, **COLUMNS, unit_column="doc", batch_size=batch_size, **drawn)
    for name, result in ({metric: found} if isinstance(metric, str) else found).items():
        own = {"rouge_types": ["rougeL"]} if name == "rougeL" else {}
        call = getattr(textgauge, "rouge" if own else name)
        assert result == call(HYPS, REFS, unit=pd.Series(units, name="doc"), **drawn, **own)
        assert "|unit:doc|units:25|" in result["signature"]


def test_few_units(rows):
    rows = rows.add_column("doc", [i % 9 for i in range(62)])
    drawn = {"confidence": 0.9, "n_resamples": 9, "unit_column": "doc"}
    with pytest.warns(UserWarning, match=r"only 9 units \(doc\) are drawn") as caught:
        textgauge.score_dataset(rows, ["chrf", "ter"], **COLUMNS, **drawn)
    assert len(caught) == 1


@pytest.mark.filterwarnings("ignore:20 bad rows")
def test_units_without_bad_rows():
    rows = datasets.Dataset.from_dict(
        {"hyp": ["a", None, "b", "c"] * 20, "ref": ["a", "b", "b", "b"] * 20, "doc": [*range(40)] * 2}
    )
    found = textgauge.score_dataset(rows, "rouge1", **COLUMNS, unit_column="doc", skip_bad=True, confidence=0.9)
    kept = [i for i in range(80) if i % 4 != 1]
    texts = [[rows[i][name] for i in kept] for name in ("hyp", "ref")]
    expected = textgauge.rouge(*texts, rouge_types=["rouge1"], confidence=0.9, unit=[i % 40 for i in kept])
    assert found == {**expected, "skipped": 20}


@pytest.mark.parametrize("batch_size", [3, 1000])
@pytest.mark.parametrize("layout", [lambda rows: rows, lambda rows: rows.with_transform(lambda batch: batch)])
def test_rows_without_a_unit(batch_size, layout):
    hyps, refs = ["a", None, "b", "c"] * 20, ["a", "b", "b", "b"] * 20
    units = [None if i in (0, 7, 62) else f"d{i % 40}" for i in range(80)]
    rows = layout(datasets.Dataset.from_dict({"hyp": hyps, "ref": refs, "doc": units}))
    drawn = {**COLUMNS, "unit_column": "doc", "confidence": 0.9, "batch_size": batch_size}
    with pytest.warns(UserWarning, match="^23 bad rows were left out: a unit, a text or a reference is missing or no"):
        found = textgauge.score_dataset(rows, "rouge1", skip_bad=True, **drawn)
    kept = [i for i in range(80) if i % 4 != 1 and i not in (0, 7, 62)]
    hyps, refs, of_kept = ([column[i] for i in kept] for column in (hyps, refs, units))
    expected = textgauge.rouge(hyps, refs, rouge_types=["rouge1"], confidence=0.9, unit=pd.Series(of_kept, name="doc"))
    assert found == {**expected, "skipped": 23}


def test_document_is_no_unit(rows):
    rows = rows.add_column("document", HYPS)
    textgauge.score_dataset(rows, "sari", **COLUMNS, source_column="document", confidence=0.9, n_resamples=9)


def test_a_column_that_one_of_several_metrics_reads(rows):
    rows, columns = rows.add_column("source", HYPS), {**COLUMNS, "source_column": "source"}
    both = textgauge.score_dataset(rows, ["chrf", "sari"], **columns)
    alone = {"chrf": COLUMNS, "sari": columns}
    assert both == {name: textgauge.score_dataset(rows, name, **given) for name, given in alone.items()}
    with pytest.raises(TypeError, match="^`source_column` cannot be given, since chrf uses no sources"):
        textgauge.score_dataset(rows, ["chrf", "wer"], **columns)


@pytest.mark.parametrize("name", ["doc_id", "document", "problem_id", "speaker", "sessionid"])
def test_unused_unit_column(rows, name):
    rows = rows.add_column(name, [*range(62)])
    with pytest.warns(UserWarning, match=f"those of one '{name}' are alike.*unit_column= draws them as a whole"):
        textgauge.score_dataset(rows, "rouge1", **COLUMNS, confidence=0.9, n_resamples=9)
    textgauge.score_dataset(rows, "rouge1", **COLUMNS)
    textgauge.score_dataset(rows, "rouge1", **COLUMNS, confidence=0.9, n_resamples=9, unit_column=name)


def test_one_score_of_several_has_its_interval_alone():
    rows = datasets.Dataset.from_dict({"hyp": ["x y", "x", "z"] * 4, "ref": ["x y", "y", "z"] * 4})
    found = textgauge.score_dataset(
        rows, "token_f1_exact_match", prediction_column="hyp", reference_column="ref", confidence=0.9
    )
    assert [*found["confidence_intervals"]] == [key for key in found if not key.startswith("confidence")]


def test_the_size_of_batches_changes_no_bit_of_sums_of_fractions():
    drawn, words = random.Random(1), ["the", "cat", "sat", "on", "a", "mat", "with", "dogs"]

    def text():
        return " ".join(drawn.choices(words, k=drawn.randint(1, 7)))

    texts = [text() for _ in range(60)]
    references = [[text() for _ in range(3)] for _ in range(60)]
    rows = datasets.Dataset.from_dict({"hyp": texts, "ref": references})
    columns = {"prediction_column": "hyp", "reference_column": "ref"}
    found = [textgauge.score_dataset(rows, "ter", **columns, batch_size=size)["ter"] for size in (1, 7, 13, 60)]
    assert found == [found[0]] * 4
    assert found[0] == pytest.approx(textgauge.ter(texts, references)["ter"], rel=1e-15)


@pytest.mark.parametrize("size", [1, 2, 3])
@pytest.mark.parametrize("n_rows", [1, 2, 5])
def test_no_more_is_kept_of_documents_than_a_context_has(size, n_rows):
    documents, texts = Documents(size), [f"h{i}" for i in range(20)]
    for first in range(0, 20, n_rows):
        rows = [text.replace("h", side) for side in "hrs" for text in texts[first : first + n_rows]]
        columns = [rows[i : i + n_rows] for i in range(0, len(rows), n_rows)]
        corpus = documents.of(corpus_of(*columns[:2], sources=columns[2]), ["one"] * n_rows)
        before = [] if corpus.before is None else corpus.before.hypotheses.tolist()
        assert before == texts[max(first - size, 0) : first]
        # A model that reads no references has predictions before predictions.
        found = corpus.only(["sources"]).in_context(size, "|").hypotheses.tolist()
        assert found == ["|".join(texts[max(i - size, 0) : i + 1]) for i in range(first, first + n_rows)]
        found = corpus.in_context(size, "|").sources.tolist()
        assert found == [
            "|".join(f"s{j}" for j in range(max(i - size, 0), i + 1)) for i in range(first, first + n_rows)
        ]


def test_places_and_warnings_of_rows_in_documents():
    documents = Documents(1)
    documents.of(corpus_of(["a"], ["x"]), ["one"])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        documents.warn("a single row")
    second = replace(corpus_of(["b"], ["y"]), first=1)
    assert documents.of(second, ["two"]).in_context(1, " ").place(0, 0) == "predictions[1]"
    with pytest.warns(UserWarning, match="^two rows changes nothing: "):
        documents.warn("two rows")

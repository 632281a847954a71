"""`textgauge.scorer` adds to each row the scores of that row, for every format of `map`."""

import json
import pickle
import re
import subprocess
import sys
import warnings

import datasets
import numpy as np
import pyarrow as pa
import pytest
import textgauge
from quick import covering
from textgauge.accumulation.named_score import NamedScore

HYPS = ["the cat sat on the mat", "", "a dog barks at night", "?!", "the small bird sings"] * 5
REFS = [["the cat is on the mat"], ["a b"], ["a dog barks", "dogs bark at night"], ["!?"], ["the bird sings"]] * 5
ROWS = {"id": list(range(25)), "hyp": HYPS, "ref": REFS}
ALWAYS = {"prediction_column": "hyp", "reference_column": "ref"}
METRICS = {
    "rouge": ({}, ["rouge1", "rouge2", "rougeL", "rougeLsum"]),
    "rougeL": ({"use_stemmer": True}, ["rougeL"]),
    "bleu": ({"preset": "nltk", "smoothing": "chen-cherry-5"}, ["bleu"]),
    "token_f1": ({"tokenizer": "character"}, ["precision", "recall", "f1", "exact_match"]),
    "exact_match": ({"normalizer": "none"}, ["exact_match"]),
}
pytestmark = pytest.mark.filterwarnings("ignore:some texts are not empty")


@pytest.fixture
def rows():
    return datasets.Dataset.from_dict(ROWS)


def one_by_one(metric, hyps=HYPS, refs=REFS):
    """Score every row as a separate corpus."""
    options, keys = METRICS[metric]
    answers = dict.fromkeys(("token_f1", "exact_match"), textgauge.token_f1)
    call = {"bleu": textgauge.bleu, **answers}.get(metric, textgauge.rouge)
    if metric == "rougeL":
        options = {**options, "rouge_types": ["rougeL"]}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        scores = [call([hyp], [ref], **options) for hyp, ref in zip(hyps, refs, strict=True)]
    return {key: [score[key] for score in scores] for key in keys}


def test_scores_of_one_key_have_their_options(rows):
    added = rows.map(textgauge.scorer(["chrf", "chrf(word_order=2)", "bleu(max_order=2)"], **ALWAYS), batched=True)
    assert {*added.column_names} - {*ROWS} == {"chrf", "chrf(word_order=2)", "bleu"}
    assert added["chrf(word_order=2)"][0] == textgauge.chrf(HYPS[:1], REFS[:1], word_order=2)["chrf"]
    both = textgauge.scorer(["token_f1", "token_f1(counting='set')"], **ALWAYS)(ROWS)
    assert [*both] == [f"{key}{way}" for way in ("", "(counting='set')") for key in METRICS["token_f1"][1]]


def made(metric, **more):
    return textgauge.scorer(NamedScore(metric, METRICS[metric][0]), **ALWAYS, **more)


def in_format(kind):
    return lambda rows, add: rows.with_format(kind).map(add, batched=True, batch_size=7).with_format(None)


def streamed(kind):
    def mapped(rows, add):
        stream = rows.to_iterable_dataset(num_shards=2).with_format(kind)
        return stream.map(add, batched=True, batch_size=4).with_format(None)

    return mapped


WAYS = {
    **{kind or "rows": in_format(kind) for kind in (None, "arrow", "numpy", "pandas", "polars")},
    "stream": streamed(None),
    "stream of arrow": streamed("arrow"),
    "one by one": lambda rows, add: rows.map(add),
    "stream one by one": lambda rows, add: rows.to_iterable_dataset().map(add),
    "two processes": lambda rows, add: rows.map(add, batched=True, batch_size=3, num_proc=2),
}
ONCE = ("one by one", "stream one by one", "two processes")


@pytest.mark.parametrize(
    ("way", "metric"), [one for one in covering([*WAYS], [*METRICS]) if not one.marks or one.values[0] not in ONCE]
)
def test_map_in_any_format(rows, way, metric):
    if way == "polars":
        pytest.importorskip("polars")
    scored = list(WAYS[way](rows, made(metric)))
    assert [*scored[0]] == [*ROWS, *METRICS[metric][1]]
    columns = {name: [row[name] for row in scored] for name in scored[0]}
    assert columns == {**ROWS, **one_by_one(metric)}


def test_changed_columns(rows):
    add = made("rougeL")

    def shouted(batch):
        batch["hyp"] = [hyp.upper() + " x" for hyp in batch["hyp"]]
        return add(batch)

    assert rows.map(shouted, batched=True)["rougeL"][:] == one_by_one("rougeL", [hyp + " x" for hyp in HYPS])["rougeL"]


def test_selections_and_prefixes(rows):
    chosen = rows.shuffle(seed=1).select(range(11))
    scored = chosen.map(made("rougeL", prefix="base_"), batched=True)
    expected = one_by_one("rougeL", chosen["hyp"][:], chosen["ref"][:])
    assert scored["base_rougeL"][:] == expected["rougeL"]


def test_texts_stay_in_arrow(rows):
    table = rows.data.table
    batch = datasets.formatting.formatting.LazyBatch(table, datasets.formatting.PythonFormatter())
    made("rouge")(batch)
    assert batch.keys_to_format == set(ROWS)


def test_replaced_column(rows):
    table = rows.data.table.append_column("rougeL", pa.array([9.0] * 25))
    scored = made("rougeL")(table)
    assert scored.column("rougeL").to_pylist() == one_by_one("rougeL")["rougeL"]


def test_no_rows_give_no_scores():
    assert {k: v.tolist() for k, v in made("rouge")({"hyp": [], "ref": []}).items()} == dict.fromkeys(
        METRICS["rouge"][1], []
    )


@pytest.mark.parametrize(
    ("batch", "error", "words"),
    [
        ({"hyp": ["a"], "gold": ["a"]}, ValueError, "^reference_column: .*got 'ref'"),
        ({"hyp": ["a", None], "ref": ["a", "b"]}, TypeError, r"^batch\['hyp'\]\[1\]: .*got None"),
        ({"hyp": ["a"], "ref": [[]]}, ValueError, r"^batch\['ref'\]\[0\]: .*got an empty list"),
        ({"hyp": [1], "ref": ["a"]}, TypeError, r"^batch\['hyp'\]\[0\]: .*got 1"),
        ({"hyp": None, "ref": "a"}, TypeError, r"^batch\['hyp'\]\[0\]: .*got None"),
        (3, TypeError, "^batch: .*got 3"),
    ],
)
def test_bad_batches(batch, error, words):
    with pytest.raises(error, match=words):
        made("rouge")(batch)


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"metric": "blur"}, ValueError, "^metric: "),
        ({"metric": 3}, TypeError, "^metric: "),
        ({"colour": "red"}, TypeError, "colour"),
        ({"prediction_column": 0}, TypeError, "^prediction_column: .*got 0"),
    ],
)
def test_wrong_arguments(arguments, error, words):
    with pytest.raises(error, match=words):
        textgauge.scorer(**{"metric": "rouge", **ALWAYS, **arguments})


def test_a_scorer_is_small_and_pickles():
    data = pickle.dumps(made("rouge"))
    assert len(data) < 500
    assert pickle.loads(data) == made("rouge")


def test_lost_text():
    chinese = datasets.Dataset.from_dict({"hyp": ["猫"] * 9, "ref": ["狗"] * 9})
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        chinese.map(made("rougeL"), batched=True, batch_size=2)
    assert {str(w.message).split(";")[0] for w in caught} == {
        "some texts are not empty but have no token under the tokenizer 'rouge+porter' and score 0"
    }


SCORE = """
import json, sys
import datasets, textgauge.version

datasets.disable_progress_bars()
rows = datasets.load_from_disk(sys.argv[1])
for metric, version in json.loads(sys.argv[2]):
    textgauge.version.__version__ = version or textgauge.version.__version__
    add = textgauge.scorer(metric, prediction_column="hyp", reference_column="ref")
    print(datasets.fingerprint.Hasher.hash(add), rows.map(add, batched=True).cache_files[0]["filename"])
"""


def scored_in_a_process(folder, *runs):
    """Score in a new process; return fingerprint and cache file of every run."""
    command = [sys.executable, "-W", "ignore", "-c", SCORE, str(folder), json.dumps(runs)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.slow
def test_cache_of_datasets(rows, tmp_path):
    rows.save_to_disk(str(tmp_path))
    (first,) = scored_in_a_process(tmp_path, ("rouge(use_stemmer=True, beta=2.0)", None))
    (cached,) = tmp_path.glob("cache-*")
    written = cached.stat().st_mtime_ns
    same, other_options, other_version = scored_in_a_process(
        tmp_path,
        ("rouge(beta=2.0, use_stemmer=True)", None),
        ("rouge", None),
        ("rouge(use_stemmer=True, beta=2.0)", "99.0"),
    )
    assert same == first
    assert cached.stat().st_mtime_ns == written
    assert len({first, other_options, other_version}) == len(list(tmp_path.glob("cache-*"))) == 3


def test_scores_are_doubles(rows):
    scored = rows.map(made("rouge"), batched=True)
    assert scored.features["rouge1"].dtype == "float64"
    assert isinstance(made("rougeL")({"hyp": "a", "ref": "a"})["rougeL"], float)
    assert made("rougeL")({"hyp": ["a"], "ref": ["a"]})["rougeL"].dtype == np.float64


@pytest.mark.parametrize("way", ["map", "whole", "list"])
def test_columns_within_a_column_are_named(way):
    rows = datasets.Dataset.from_list([{"translation": {"de": "a cat", "en": "the cat"}, "output": "the cat"}])

    def scored(reference):
        columns = {"prediction_column": "output", "reference_column": reference}
        if way == "whole":
            return textgauge.score_dataset(rows, "chrf", **columns)
        batch = rows[:] if way == "list" else rows.with_format("arrow")[:]
        return textgauge.scorer("chrf", **columns)(batch)

    flat = r"`dataset.flatten\(\)` makes the columns 'translation.de' and 'translation.en'"
    with pytest.raises(TypeError, match=rf"\['translation'\]: .*{flat}.*got columns 'de', 'en'"):
        scored("translation")
    with pytest.raises(
        ValueError, match=r"; `dataset.flatten\(\)` makes columns of what is in 'translation', got 'translation.de"
    ):
        scored("translation.de")
    with pytest.raises(TypeError, match=r"\['translation'\]: .*got columns 'de', 'en' in it"):
        textgauge.scorer("chrf", prediction_column="translation", reference_column="output")(rows[:])
    columns = {"prediction_column": "output", "reference_column": "translation.en"}
    assert textgauge.score_dataset(rows.flatten(), "chrf", **columns)["chrf"] == 100


def test_references_in_several_columns():
    """As if every row had a list of them: by batch, row and corpus, also where rows are left out."""
    rows = {"out": ["a cat sat", "a dog", "x"], "r1": ["the cat", "a dog", "y"], "r2": ["a cat sat", "the dog", "z"]}
    listed = {"out": rows["out"], "refs": [[*both] for both in zip(rows["r1"], rows["r2"], strict=True)]}
    together = {"prediction_column": "out", "reference_column": "refs"}
    apart = {**together, "reference_column": ["r1", "r2"]}
    metric = ["bleu", "rougeL"]
    expected = textgauge.scorer(metric, **together)(listed)
    found = textgauge.scorer(metric, **apart)
    assert {name: column.tolist() for name, column in found(rows).items()} == {
        name: column.tolist() for name, column in expected.items()
    }
    assert found({name: column[0] for name, column in rows.items()})["rougeL"] == 1.0
    assert pickle.loads(pickle.dumps(found)) == found
    of_corpus = textgauge.score_dataset(datasets.Dataset.from_dict(rows), metric, **apart)
    assert of_corpus == textgauge.score_dataset(datasets.Dataset.from_dict(listed), metric, **together)
    rows["r2"][2] = None
    with pytest.warns(UserWarning, match="1 bad row"):
        skipped = textgauge.scorer("rougeL", **apart, skip_bad=True)(rows)["rougeL"]
    assert skipped[:2].tolist() == expected["rougeL"][:2].tolist()
    assert np.isnan(skipped[2])
    with pytest.raises(ValueError, match="^reference_column: .*got 'r3'"):
        textgauge.scorer("rougeL", **{**apart, "reference_column": ["r1", "r3"]})(rows)
    for wrong, error in (([], TypeError), ([1], TypeError), (["r1", "r1"], ValueError)):
        with pytest.raises(error, match=f"^reference_column: .*got {re.escape(repr(wrong))}"):
            textgauge.scorer("rougeL", prediction_column="out", reference_column=wrong)

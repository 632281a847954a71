"""The modules as `evaluate` runs them: batches, failures, options, combine."""

import json
from pathlib import Path

import evaluate
import numpy as np
import pandas as pd
import pytest
import textgauge
from filelock import FileLock

METRICS = Path(__file__).parent.parent.parent / "metrics"
HYPS = ["the cat sat on the mat", "a dog barks"]
REFS = [["the cat is on the mat", "a cat sat"], ["the dog barks"]]
OPTIONS = {
    "bleu": {"tokenizer": "character", "max_order": 2, "smooth": True, "reference_length": "closest",
             "weights": [0.9, 0.1], "per_segment": True},
    "rouge": {"rouge_types": ["rouge3", "rougeL"], "use_aggregator": False, "use_stemmer": True,
              "tokenizer": "whitespace", "detailed": True, "beta": 2.0, "split_summaries": True},
}  # fmt: skip


@pytest.fixture(params=OPTIONS)
def name(request):
    return request.param


@pytest.fixture
def metric(name, tmp_path):
    return evaluate.load(str(METRICS / name), cache_dir=str(tmp_path))


@pytest.fixture
def whole(name):
    return getattr(textgauge, name)(HYPS, REFS)


def is_clean(folder):
    for lock in folder.rglob("*.lock"):
        FileLock(lock).acquire(timeout=0).lock.release()
    return not list(folder.rglob("*.arrow"))


def test_one_call_is_the_function(metric, whole, tmp_path):
    assert metric.compute(predictions=HYPS, references=REFS) == whole
    assert metric.compute(predictions=HYPS, references=REFS) == whole
    assert is_clean(tmp_path)


def test_batches_are_scored_together_in_their_order(metric, name):
    metric.add(prediction=HYPS[0], reference=REFS[0])
    metric.add_batch(predictions=HYPS[1:], references=REFS[1:])
    metric.add(prediction="third", reference="third")
    metric.add_batch(predictions=[], references=[])
    assert len(metric) == 3
    hyps, refs = [*HYPS, "third", "a cat"], [*REFS, ["third"], ["the cat"]]
    options = {"per_segment": True} if name == "bleu" else {"use_aggregator": False}
    result = metric.compute(predictions=hyps[3:], references=refs[3:], **options)
    assert result == getattr(textgauge, name)(hyps, refs, **options)
    assert len(metric) == 0


def test_thousands_of_single_segments(metric, name):
    for i in range(2500):
        metric.add(prediction=HYPS[i % 2], reference=REFS[i % 2])
    assert metric.compute() == getattr(textgauge, name)(HYPS * 1250, REFS * 1250)


def test_single_segments_in_any_container(metric, whole):
    metric.add(prediction=np.str_(HYPS[0]), reference=np.array(REFS[0]))
    metric.add(prediction=HYPS[1], reference=pd.Series(REFS[1], index=[9]))
    assert metric.compute() == whole


def test_keep_in_memory_writes_no_file(name, whole, tmp_path):
    metric = evaluate.load(str(METRICS / name), cache_dir=str(tmp_path / "cache"), keep_in_memory=True)
    for _ in range(2):
        metric.add_batch(predictions=HYPS, references=REFS)
        assert metric.compute() == whole
    assert not (tmp_path / "cache").exists()


def test_results_are_plain_python(metric, name):
    def plain(value):
        if type(value) in (dict, list):
            return all(map(plain, value.values() if isinstance(value, dict) else value))
        return type(value) in (int, float)

    for options in ({}, OPTIONS[name]):
        result = metric.compute(predictions=HYPS, references=REFS, **options)
        assert plain(result)
        assert json.loads(json.dumps(result)) == result


@pytest.mark.parametrize(
    "batch", [(["a", None], ["a", "b"]), (["a"], ["a", "b"]), (["a", "b"], [["a"], []]), ("a", "a")]
)
def test_a_refused_batch_leaves_what_was_added_before(metric, whole, tmp_path, batch):
    metric.add_batch(predictions=HYPS, references=REFS)
    for call in (metric.add_batch, metric.compute):
        with pytest.raises((TypeError, ValueError), match="expected"):
            call(predictions=batch[0], references=batch[1])
        assert len(metric) == 2
    assert metric.compute() == whole
    assert is_clean(tmp_path)


def test_a_refused_single_segment_leaves_what_was_added_before(metric, whole):
    metric.add_batch(predictions=HYPS, references=REFS)
    for row, message in {
        (None, "a"): r"^prediction: expected a str, got None",
        (("a",), "a"): r"^prediction: expected a str, got \('a',\)",
        ("a", None): r"^reference: expected a str or a non-empty list of str, got None",
        ("a", ()): r"^reference: expected at least one reference",
        ("a", ("b", 3)): r"^reference\[1\]: expected a str, got 3",
        ("a\ud800", "b"): r"^prediction: expected text that UTF-8 can hold",
    }.items():
        with pytest.raises((TypeError, ValueError), match=message):
            metric.add(prediction=row[0], reference=row[1])
    assert metric.compute() == whole


def test_refused_options_leave_what_was_added_before(metric, whole):
    metric.add_batch(predictions=HYPS, references=REFS)
    with pytest.raises(TypeError, match="colour"):
        metric.compute(colour=1)
    with pytest.raises(ValueError, match="tokenizer"):
        metric.compute(tokenizer="14a")
    assert metric.compute() == whole


def test_nothing_added_is_an_error(metric, tmp_path):
    for call in (metric.compute, lambda: metric.compute(predictions=[], references=[])):
        with pytest.raises(ValueError, match="predictions: expected at least one segment, got none"):
            call()
    assert is_clean(tmp_path)


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt, SystemExit])
@pytest.mark.parametrize("in_memory", [False, True])
def test_a_failure_while_scoring_leaves_no_row_file_or_lock(name, whole, tmp_path, error, in_memory):
    def broken(text):
        raise error("broken")

    metric = evaluate.load(str(METRICS / name), cache_dir=str(tmp_path), keep_in_memory=in_memory)
    metric.add_batch(predictions=["left", "over"], references=["a", "b"])
    with pytest.raises(error, match="broken"):
        metric.compute(predictions=HYPS, references=REFS, tokenizer=broken)
    assert len(metric) == 0
    assert is_clean(tmp_path)
    assert metric.compute(predictions=HYPS, references=REFS) == whole


@pytest.mark.parametrize("step", ["finalize", "write_table"])
def test_a_failure_while_writing_leaves_no_row_file_or_lock(metric, whole, tmp_path, step):
    def full(*_):
        raise OSError("no space left")

    metric.add_batch(predictions=["left", "over"], references=["a", "b"])
    setattr(metric.writer, step, full)
    with pytest.raises(OSError, match="no space left"):
        metric.compute(predictions=HYPS, references=REFS)
    assert len(metric) == 0
    assert is_clean(tmp_path)
    assert metric.compute(predictions=HYPS, references=REFS) == whole


def test_a_folder_that_cannot_be_written_is_named(name, whole, tmp_path):
    (tmp_path / "file").write_text("in the way")
    folder = tmp_path / "file" / "cache"
    metric = evaluate.load(str(METRICS / name), cache_dir=str(folder))
    for _ in range(2):
        with pytest.raises(OSError, match="cache_dir: expected a folder that can be written, or keep_in_memory=True"):
            metric.compute(predictions=HYPS, references=REFS)
    in_memory = evaluate.load(str(METRICS / name), cache_dir=str(folder), keep_in_memory=True)
    assert in_memory.compute(predictions=HYPS, references=REFS) == whole


def test_two_instances_with_waiting_segments(name, whole, tmp_path):
    first, second = (evaluate.load(str(METRICS / name), cache_dir=str(tmp_path)) for _ in range(2))
    first.add_batch(predictions=HYPS, references=REFS)
    second.add_batch(predictions=["x"], references=["y"])
    assert first.cache_file_name != second.cache_file_name
    assert first.compute() == whole
    second.compute()
    assert is_clean(tmp_path)


def test_options_given_at_load_are_the_defaults(name, whole):
    metric = textgauge.load(name, **OPTIONS[name])
    changed = getattr(textgauge, name)(HYPS, REFS, **OPTIONS[name])
    assert changed != whole
    assert metric.compute(predictions=HYPS, references=REFS) == changed
    assert set(metric._option_names()) - {"aggregator"} == set(OPTIONS[name])
    option, value = next(iter(OPTIONS[name].items()))
    rest = {**OPTIONS[name], option: "unicode"} if name == "bleu" else {**OPTIONS[name], option: ["rouge1"]}
    overruled = metric.compute(predictions=HYPS, references=REFS, **{option: rest[option]})
    assert overruled == getattr(textgauge, name)(HYPS, REFS, **rest) != changed


@pytest.mark.parametrize(
    ("options", "message"),
    [({"colour": 1}, "^colour: expected an option of this metric"), ({"tokenizer": "14a"}, "^tokenizer: expected")],
)
def test_options_given_at_load_are_checked_there(name, options, message):
    with pytest.raises((TypeError, ValueError), match=message):
        evaluate.load(str(METRICS / name), **options)


def test_combine_takes_modules_with_options_of_their_own(tmp_path):
    modules = {
        "chars": textgauge.load("bleu", cache_dir=str(tmp_path), tokenizer="character"),
        "words": textgauge.load("bleu", cache_dir=str(tmp_path), max_order=2),
        "rouge": textgauge.load("rouge", cache_dir=str(tmp_path), rouge_types=["rouge1"]),
    }
    combined = evaluate.combine(modules)
    expected = {
        **{f"chars_{k}": v for k, v in textgauge.bleu(HYPS, REFS, tokenizer="character").items()},
        **{f"words_{k}": v for k, v in textgauge.bleu(HYPS, REFS, max_order=2).items()},
        **textgauge.rouge(HYPS, REFS, rouge_types=["rouge1"]),
    }
    assert combined.compute(predictions=HYPS, references=REFS) == expected
    combined.add(prediction=HYPS[0], reference=REFS[0])
    combined.add_batch(predictions=HYPS[1:], references=REFS[1:])
    assert combined.compute() == expected
    assert is_clean(tmp_path)


def test_combine_takes_paths():
    combined = evaluate.combine([str(METRICS / "bleu"), str(METRICS / "rouge")])
    result = combined.compute(predictions=HYPS, references=REFS)
    assert result == {**textgauge.bleu(HYPS, REFS), **textgauge.rouge(HYPS, REFS)}


def test_seed_gives_the_bootstrap_of_the_reference_module():
    hyps = [" ".join("abcdefgh"[: i + 1]) for i in range(8)]
    refs = ["a b c d"] * 8
    results = [
        textgauge.load("rouge", seed=seed).compute(predictions=hyps, references=refs, aggregator="bootstrap")
        for seed in (1, 1, 2)
    ]
    assert results[0] == results[1]
    assert results[0] == textgauge.rouge(hyps, refs, aggregator="bootstrap", seed=1)
    assert results[0] != results[2]

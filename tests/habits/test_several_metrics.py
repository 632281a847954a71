"""Several metrics in one pass over a data set; over Spark in `spark/test_corpus.py`."""

import datasets
import pytest
import textgauge

COLUMNS = {"prediction_column": "hyp", "reference_column": "ref"}
HYPS = ["a cat sat", "", "the dog", "we", "b c d e", "the cat"]
REFS = [["a cat sits"], ["x", "y"], ["a dog", "the dog"], ["b"], ["b c d"], ["cat"]]
SEVERAL = ["chrf(word_order=2)", "rouge(use_stemmer=True)", "exact_match"]


@pytest.fixture(scope="module")
def rows():
    return datasets.Dataset.from_dict({"hyp": HYPS, "ref": REFS})


def alone(function, **more):
    return {name: function(name, **COLUMNS, **more) for name in SEVERAL}


def test_a_data_set_is_read_once(rows, monkeypatch):
    expected = alone(lambda name, **more: textgauge.score_dataset(rows, name, **more), signature=True)
    read, one = [], datasets.Dataset.iter
    monkeypatch.setattr(datasets.Dataset, "iter", lambda self, n: read.append(n) or one(self, n))
    assert textgauge.score_dataset(rows, SEVERAL, batch_size=4, signature=True, **COLUMNS) == expected
    assert read == [4]
    splits = datasets.DatasetDict({"a": rows, "b": rows})
    of_splits = textgauge.score_dataset(splits, ["bleu"], **COLUMNS)
    assert of_splits["b"]["bleu"]["bleu"] == textgauge.bleu(HYPS, REFS)["bleu"]


def test_no_metric_has_the_option(rows):
    with pytest.raises(TypeError, match="^max_ordr: .*got an unknown keyword"):
        textgauge.score_dataset(rows, ["bleu", "chrf"], max_ordr=2, **COLUMNS)
    with pytest.raises(TypeError, match="^use_stemmer: .*use_stemmer.*got a keyword"):
        textgauge.score_dataset(rows, ["rougeL", "bleu"], use_stemmer=True, **COLUMNS)


def test_rows_get_the_columns_of_all(rows):
    batch = {"hyp": HYPS, "ref": REFS}
    found = textgauge.scorer(SEVERAL, prefix="x_", **COLUMNS)(batch)
    parts = alone(lambda name, **more: textgauge.scorer(name, **more)(batch))
    assert {key: column.tolist() for key, column in found.items()} == {
        f"x_{key}": column.tolist() for part in parts.values() for key, column in part.items()
    }
    mapped = rows.map(textgauge.scorer(SEVERAL, **COLUMNS), batched=True, batch_size=2)
    assert mapped["chrf"][:] == parts["chrf(word_order=2)"]["chrf"].tolist()
    assert textgauge.scorer(["bleu", "ter"], **COLUMNS)({"hyp": "a", "ref": "a"}) == {"bleu": 1.0, "ter": 0.0}


@pytest.mark.parametrize("metric", [[], ["bleu", "bleu"], 3, {}])
def test_metrics_are_names(rows, metric):
    with pytest.raises((TypeError, ValueError), match="metric: expected (a name, or a list of different names|text)"):
        textgauge.score_dataset(rows, metric, **COLUMNS)


def test_columns_of_two_metrics_have_different_names():
    with pytest.raises(ValueError, match="^metric: .*got f1 twice"):
        textgauge.scorer(["squad", "squad_v2"], **COLUMNS)
    with pytest.raises(TypeError, match="`reference_column` cannot be given, since perplexity uses no references"):
        textgauge.scorer(["perplexity"], **COLUMNS)

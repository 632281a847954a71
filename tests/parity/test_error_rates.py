"""WER and CER against recorded figures of the Hub's modules, jiwer, sclite and others: integers and rates equal."""

import gzip
import json
import math
import unicodedata
from functools import cache

import pytest
import textgauge
from textgauge.text import Tokenizer

pytestmark = pytest.mark.filterwarnings("ignore")
COUNTS = ("hits", "substitutions", "deletions", "insertions")


def read(path):
    return json.loads(gzip.decompress(path.read_bytes()))["cases"]


@pytest.fixture(scope="session")
def cases(shared):
    """Every recorded call, by file: predictions, references, figures."""

    @cache
    def rows_of(name):
        lines = gzip.decompress((shared / "data" / name).read_bytes()).splitlines()
        return [json.loads(line) if name.endswith("jsonl.gz") else line.decode() for line in lines]

    def sides(case):
        if "rows" not in case:
            return case["predictions"], case["references"]
        about = case["rows"]
        rows = [rows_of(about["file"])[number] for number in about["numbers"]]
        references = [
            row["references"][about["reference"]] if "references" in row else row["reference"] for row in rows
        ]
        return [row["prediction"] for row in rows], references

    def of(name):
        return [(*sides(case), case["expected"]) for case in read(shared / f"oracles/counting/{name}.json.gz")]

    return of


def lower_without_punctuation(text):
    return "".join(c for c in text.lower() if not unicodedata.category(c).startswith("P"))


JIWER = {
    "wer": {
        "jiwer": {}, "jiwer_standardize": {"normalizer": "jiwer"},
        "jiwer_lower_no_punctuation": {"normalizer": lower_without_punctuation},
    },
    "cer": {
        "jiwer": {}, "jiwer_no_space": {"whitespace": False}, "hub_jiwer3": {"preset": "jiwer-3"},
    },
}  # fmt: skip


def sendable(texts):
    """Whether no text has a lone surrogate, which is refused by name."""
    return all(text.isprintable() or max(text) <= "\ud7ff" or max(text) >= "\ue000" for text in texts if text)


@pytest.mark.parametrize("name", JIWER)
def test_figures_are_those_of_jiwer_and_of_the_hub(cases, name):
    n_compared, module = 0, textgauge.load(name)
    for predictions, references, expected in cases(name):
        if not sendable([*predictions, *references]):
            continue
        for kind, options in JIWER[name].items():
            if (name, kind) == ("cer", "jiwer_no_space") and not all(
                c in " \t\n\r\v\f" or not c.isspace() for text in (*predictions, *references) for c in text
            ):
                # jiwer drops the six of ASCII.
                continue
            result = getattr(textgauge, name)(predictions, references, **options)
            wanted = expected[kind]
            wanted = wanted if "exception" not in wanted else {}
            assert {key: result[key] for key in wanted if key != "chunks"} == {
                key: value for key, value in wanted.items() if key != "chunks"
            }, (predictions, references, kind)
            n_compared += 1
        hub, concatenated = expected["hub"], expected["hub_concatenate"]
        if not isinstance(hub, dict):
            assert module.compute(predictions=predictions, references=references) == hub
        assert module.compute(predictions=predictions, references=references, concatenate_texts=True) == concatenated
    assert n_compared > 400


def test_counts_are_those_of_sclite(cases):
    found = [(p, r, expected["sclite"]) for p, r, expected in cases("rivals_error_rates") if expected.get("sclite")]
    assert len(found) > 30
    for predictions, references, counts in found:
        result = textgauge.wer(predictions, references, aligner="sclite")
        assert [result[name] for name in COUNTS] == counts


def test_numbers_of_edits_are_those_of_other_tools(cases):
    """Of kaldialign on words of `str.split`; of torchmetrics, in single precision, where it does not go beyond 1."""
    words = Tokenizer("split", function=str.split)
    n_edits = n_rates = 0
    for predictions, references, expected in cases("rivals_error_rates"):
        of_kaldi = expected.get("kaldialign")
        if of_kaldi and "total" in of_kaldi:
            result = textgauge.wer(predictions, references, tokenizer=words)
            assert sum(result[name] for name in COUNTS[1:]) == of_kaldi["total"]
            n_edits += 1
    for predictions, references, expected in cases("rivals_torchmetrics"):
        if isinstance(expected["wer"], float) and math.isfinite(expected["wer"]):
            ours = textgauge.wer(predictions, references, tokenizer=words)["wer"]
            assert ours == pytest.approx(expected["wer"], rel=2**-23)
            n_rates += 1
    assert n_edits > 100
    assert n_rates > 100

"""The drop-in import of rouge_score against it: numbers and their types, text, errors."""

import gzip
import json
import pickle
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from quick import examples, first
from strategies import overlapping, text, words
from textgauge.compat.rouge_score import rouge_scorer, scoring

their_rouge = pytest.importorskip("rouge_score.rouge_scorer")
their_scoring = pytest.importorskip("rouge_score.scoring")

TYPES = ["rouge1", "rouge2", "rouge9", "rougeL", "rougeLsum"]
any_text = st.one_of(overlapping, text, words, st.text(st.sampled_from("aB \n\ud800\udfffK\u212a\u0130."), max_size=20))
slow = settings(max_examples=examples(60))


class Letters:
    """A tokenizer of a user's."""

    def tokenize(self, text):
        return list(text.upper())


def same(method, texts, types=TYPES, **options):
    """Numbers to the last bit, int where it is int, and the class of the scores."""
    found, expected = (
        getattr(kind.RougeScorer(types, **options), method)(*texts) for kind in (rouge_scorer, their_rouge)
    )
    assert repr(found) == repr(expected)
    assert all(type(score) is their_scoring.Score for score in found.values())


tokenizers = st.sampled_from([None, Letters()])


@slow
@given(any_text, any_text, st.lists(st.sampled_from(TYPES), max_size=4), st.booleans(), tokenizers)
def test_rouge_of_a_pair(target, prediction, types, stems, tokenizer):
    same("score", (target, prediction), types, use_stemmer=stems, tokenizer=tokenizer)


@slow
@given(st.lists(any_text, min_size=1, max_size=4), any_text, tokenizers)
def test_rouge_of_several_targets(targets, prediction, tokenizer):
    same("score_multi", (targets, prediction), tokenizer=tokenizer)


@pytest.mark.parametrize("n", [100, pytest.param(2000, marks=pytest.mark.slow)])
def test_rouge_of_real_pairs(shared, n):
    with gzip.open(shared / "data/xsum.jsonl.gz", "rt", encoding="utf-8") as rows:
        pairs = [json.loads(row) for row, _ in zip(rows, range(n), strict=False)]
    for pair in pairs:
        texts = pair["reference"], pair["prediction"]
        same("score", texts)
        same("score", texts, use_stemmer=True)


def split_at_semicolons(text):
    return [part.strip() for part in text.split(";")]


@pytest.mark.parametrize("tokenizer", [None, Letters()])
def test_sentences_are_those_of_nltk(monkeypatch, tokenizer):
    monkeypatch.setattr("nltk.sent_tokenize", split_at_semicolons)
    pairs = [
        ("A dog\nbarks; the Cat sat;; on a mat", "the cat sat; a dog barks on the\nmat"),
        # A line is no sentence, in which the words would stand in this order.
        ("a b\nc; d", "c a b"), ("c a b", "a b\nc; d"),
    ]  # fmt: skip
    for texts in pairs:
        for types in (["rougeLsum"], TYPES):
            same("score", texts, types, split_summaries=True, tokenizer=tokenizer)


BAD = [
    *(([name], ("a", "a")) for name in ("rougen", "rouge0", "rouge10", "rougeW", "ROUGE1", "")),
    *((["rouge1"], texts) for bad in (None, 5, ["a"]) for texts in ((bad, "a"), ("a", bad))),
    (["rougeLsum"], (None, "a")),
]


@pytest.mark.parametrize("splits", [False, True])
@pytest.mark.parametrize(("types", "texts"), BAD)
def test_bad_types_and_texts(monkeypatch, types, texts, splits):
    monkeypatch.setattr("nltk.sent_tokenize", split_at_semicolons)
    messages = []
    for kind in (rouge_scorer, their_rouge):
        with pytest.raises((ValueError, TypeError, AttributeError)) as raised:
            kind.RougeScorer(types, split_summaries=splits).score(*texts)
        messages.append((raised.type, str(raised.value)))
    assert messages[0] == messages[1]


def test_bytes_and_no_targets():
    same("score", (b"the Cat\nsat", "the cat"))
    for kind in (rouge_scorer, their_rouge):
        with pytest.raises(ValueError, match="empty"):
            kind.RougeScorer(["rouge1"]).score_multi([], "a")


@pytest.mark.slow
def test_too_old_tool():
    code = "import sys; sys.modules['rouge_score.tokenizers'] = None; import textgauge.compat.rouge_score.rouge_scorer"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    expected = "ImportError: rouge_score is older than 0.1.2, which has rouge_score.tokenizers: pip install"
    assert done.stderr.splitlines()[-1].startswith(expected)


def test_pickled_scorer():
    scorer = rouge_scorer.RougeScorer(["rouge1"], use_stemmer=True)
    before = scorer.score("the cats", "the cat")
    copy = pickle.loads(pickle.dumps(scorer))
    assert copy.score("the cats", "the cat") == before
    copy.rouge_types.append("rougeL")
    assert list(copy.score("the cats", "the cat")) == ["rouge1", "rougeL"]


def test_it_is_the_original():
    assert issubclass(rouge_scorer.RougeScorer, their_rouge.RougeScorer)
    assert rouge_scorer.lcs_ind is their_rouge.lcs_ind
    assert all(getattr(scoring, name) is getattr(their_scoring, name) for name in scoring.__all__)


ABSENT = """
import sys

class Absent:
    def find_spec(name, *args):
        if name == {tool!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Absent)
import textgauge.compat.{module}
"""


@pytest.mark.parametrize(
    ("module", "tool"),
    first(
        1,
        [
            ("rouge_score.rouge_scorer", "rouge_score"),
            ("rouge_score.scoring", "rouge_score"),
            ("sacrebleu", "sacrebleu"),
        ],
    ),
)
def test_absent_tool(module, tool):
    code = ABSENT.format(module=module, tool=tool)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert f'ImportError: {tool} is not installed: pip install "textgauge[compat]"' in done.stderr
    assert "During handling" not in done.stderr

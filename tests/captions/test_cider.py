"""CIDEr is the number of the tools, to the last bit."""

import gzip
import itertools
import json
import math
import pickle
import re
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
import textgauge
from hypothesis import example, given
from hypothesis import strategies as st
from kernel.material import few
from textgauge import engine, plain
from textgauge.input import columns
from textgauge.input.columns import text_column
from textgauge.measures.cider import _WITH_SPACES as WITH_SPACES
from textgauge.measures.cider import words_of
from textgauge.rewards import Reward
from textgauge.text import TOKENIZERS

RECORDED = Path(__file__).parents[2] / ".." / "shared" / "oracles" / "captions" / "coco.json.gz"
VARIANTS = {"D": "cider", "plain": "cider_plain", "R": "cider_r"}
KERNELS = [plain] if engine.kernel is plain else [engine.kernel, plain]
words = st.lists(st.sampled_from(["a", "b", "c", "d", "the", "é"]), max_size=7).map(" ".join)
corpora = st.lists(st.tuples(words, st.lists(words, min_size=1, max_size=3)), min_size=1, max_size=4)
REFERENCES = [["a man on a horse"], ["a brown dog runs", "a dog on grass"]]
pytestmark = pytest.mark.filterwarnings(
    "ignore:CIDEr", "ignore:.*ha[sv]e? no word", "ignore:.* tags of HTML", "ignore:.* has escapes on"
)


def recorded():
    if not RECORDED.exists():
        pytest.skip("no ../shared/oracles")
    cases = json.loads(gzip.decompress(RECORDED.read_bytes()))["cases"]
    return [case for case in cases if "tokens" in case["expected"]]


def segments(value):
    return [math.nan if one == "nan" else one for one in value["segments"]]


@pytest.mark.parametrize("variant", VARIANTS)
def test_scores_are_the_recorded_ones(variant):
    n = 0
    for case in recorded():
        expected = case["expected"][VARIANTS[variant]]
        if "exception" in expected:
            continue
        predictions, references = case["expected"]["tokens"]
        found = textgauge.cider(predictions, references, variant=variant, tokenizer="whitespace", per_segment=True)
        pairs = list(zip(found["segment_cider"], segments(expected), strict=True))
        if variant == "R":
            # scipy's mean of logarithms rounds otherwise; what is NaN there is 0 here.
            assert all(
                ours == (0 if math.isnan(tool) else pytest.approx(tool, rel=1e-14, abs=1e-15)) for ours, tool in pairs
            )
        else:
            assert all(ours == tool for ours, tool in pairs)
            assert found["cider"] == expected["corpus"]
        n += len(pairs)
    assert n > 50


def test_raw_captions_score_like_recorded_tokens():
    n = 0
    for case in recorded():
        expected = case["expected"]["cider"]
        if "exception" not in expected:
            assert textgauge.cider(case["predictions"], case["references"])["cider"] == expected["corpus"], case["id"]
            n += 1
    assert n > 20


@few
@given(corpora, st.sampled_from(sorted(VARIANTS)))
def test_kernel_and_twin_agree(corpus, variant):
    predictions, groups = [one for one, _ in corpus], [group for _, group in corpus]
    offsets = np.cumsum([0, *map(len, groups)])
    flat = [text for group in groups for text in group]
    factors = np.linspace(0, 1, len(flat)) if variant == "R" else ()
    found = []
    for kernel in KERNELS:
        sides = kernel.texts(predictions), kernel.texts(flat)
        table = kernel.DocumentFrequencies(sides[1], offsets)
        again = kernel.DocumentFrequencies.restored(
            kernel.texts(list(table.ngrams())), np.asarray(table.frequencies(), np.int64), table.n_documents
        )
        scores = [list(kernel.cider_scores(one, *sides, offsets, variant, 6.0, factors)) for one in (table, again)]
        assert scores[0] == scores[1]
        found.append((table.n_documents, list(table.ngrams()), list(map(int, table.frequencies())), scores[0]))
    assert all(one == found[0] for one in found)
    assert all(0 <= score <= 10.000001 for score in found[0][3])


@pytest.mark.parametrize("variant", sorted(VARIANTS))
def test_kernel_and_twin_agree_about_all_short_texts(variant):
    """Any two of up to four words, beside any share of repetitions."""
    texts = [" ".join(words) for n in range(5) for words in itertools.product("ab", repeat=n)]
    factors = np.linspace(0, 1, len(texts) ** 2) if variant == "R" else ()
    bounds = np.arange(len(texts) + 1) * len(texts)
    found = []
    for kernel in KERNELS:
        table = kernel.DocumentFrequencies(kernel.texts(["a b a", "b"]), np.arange(3))
        sides = kernel.texts(texts), kernel.texts(texts * len(texts))
        found.append(list(kernel.cider_scores(table, *sides, bounds, variant, 6.0, factors)))
    assert all(one == found[0] for one in found)
    assert max(found[0]) > 0


def test_weights_survive_storage_and_are_told_apart():
    weights = textgauge.CiderWeights(REFERENCES)
    again = textgauge.CiderWeights.from_arrow(weights.to_arrow())
    assert again == weights == pickle.loads(pickle.dumps(weights))
    assert (weights.count("a"), weights.count("dog"), weights.count("a dog on grass"), weights.count("cat")) == (
        2,
        1,
        1,
        0,
    )
    call = {"predictions": ["a man", "a dog"], "references": [["a man on a horse"], ["a dog"]]}
    assert textgauge.cider(**call, idf=again) == textgauge.cider(**call, idf=REFERENCES)
    other = textgauge.CiderWeights([*REFERENCES, ["a cat"]])
    assert other.name != weights.name
    assert f"idf:{weights.name}|" in textgauge.cider(**call, idf=weights, signature=True)["signature"]
    table = textgauge.Cider(idf=weights).update(**call).to_arrow()
    assert textgauge.Cider.from_arrow(table, idf=weights).score() == textgauge.cider(**call, idf=weights)
    with pytest.raises(ValueError, match="idf"):
        textgauge.Cider.from_arrow(table, idf=other)


def test_a_changed_table_of_weights_is_refused():
    table = textgauge.CiderWeights(REFERENCES).to_arrow()
    for wrong in (table.slice(1), table.drop_columns(["images"]), table.replace_schema_metadata({}), None):
        with pytest.raises(ValueError, match="^table: .*to_arrow.*got "):
            textgauge.CiderWeights.from_arrow(wrong)
    about = json.loads(table.schema.metadata[b"textgauge.cider"])
    many = {**table.to_pydict(), "images": [10**15] * len(table)}
    for wrong in (
        table.replace_schema_metadata({"textgauge.cider": json.dumps({**about, "images": 2**70})}),
        pa.table(many, schema=table.schema),
    ):
        with pytest.raises(ValueError, match="^table: .*to_arrow.*got "):
            textgauge.CiderWeights.from_arrow(wrong)


def whole(text):
    return [text]


def test_tokens_stay_apart_whatever_is_in_them():
    predictions, references = ["New York is big", "c"], [["York New is big"], ["c"]]
    found = textgauge.cider(predictions, references, tokenizer=whole, per_segment=True)
    assert found["segment_cider"] == [0, 2.5]
    one, two = (
        textgauge.cider([text, "b"], [["ab"], ["b"]], tokenizer="every-character")["cider"] for text in ("ab", "a b")
    )
    assert one > two
    for wrong in (lambda text: None, lambda text: [1]):  # noqa: ARG005
        with pytest.raises(TypeError, match="^tokenizer: result for text 0: expected (a list|tokens that)"):
            textgauge.cider(["a", "b"], [["a"], ["b"]], tokenizer=wrong)


@few
@given(st.text(max_size=20), st.sampled_from([name for name in TOKENIZERS if name not in ("ptb", "coco")]))
@example(r"a\u2028b" + "a\u2028b \xa0.\x1f", "spaces")
def test_words_between_white_space_are_the_tokens(text, name):
    [written] = words_of(TOKENIZERS[name], text_column([text], "texts")).tolist()
    words = written.split()
    if name in WITH_SPACES:
        words = [re.sub(r"\\u(....)", lambda code: chr(int(code[1], 16)), word) for word in words]
    assert words == list(TOKENIZERS[name](text))


def test_wrong_weights_are_refused():
    for wrong in ("a", 1, [["a"], "b"], [["a"], []], [[1]], {"a": 1}, {"a"}, [], Path("x"), iter([])):
        with pytest.raises((TypeError, ValueError), match=r"^idf: .*lists.*, got "):
            textgauge.Cider(idf=wrong)
        with pytest.raises((TypeError, ValueError), match=r"^idf: .*lists.*, got "):
            textgauge.CiderWeights(wrong)
    with pytest.raises(TypeError, match="^idf: .*image.*got None"):
        textgauge.CiderWeights(None)
    with pytest.raises(ValueError, match="tokenizer"):
        textgauge.Cider(idf=textgauge.CiderWeights(REFERENCES), tokenizer="13a")


def test_weights_are_of_one_case():
    # The tokenizer of the tool lower-cases itself.
    lower = textgauge.CiderWeights(REFERENCES, lowercase=True, tokenizer="13a")
    textgauge.Cider(idf=lower, lowercase=True, tokenizer="13a")
    with pytest.raises(ValueError, match="^idf: .*got '13a, lower case'"):
        textgauge.Cider(idf=lower, lowercase=False, tokenizer="13a")
    textgauge.Cider(idf=textgauge.CiderWeights(REFERENCES, lowercase=True))


def test_weights_name_the_references():
    signatures = {
        textgauge.cider(["a"] * 2, references, signature=True, tokenizer="whitespace")["signature"].split("|images:")[1]
        for references in ([["a", "b"], ["c"]], [["a"], ["b", "c"]], [["a", "b"], ["d"]], [["a", "bc"], [""]])
    }
    assert len(signatures) == 4


def test_batches_need_weights():
    batches = textgauge.Cider().update(["a"], [["a b"]])
    with pytest.raises(ValueError, match="^idf: .*got None$"):
        batches.update(["b"], [["c"]])
    both = textgauge.Cider(idf=REFERENCES).update(["a man"], [["a man"]]).update(["a dog"], [["a dog"]])
    assert both.score() == textgauge.cider(["a man", "a dog"], [["a man"], ["a dog"]], idf=REFERENCES)


def test_what_adds_up_takes_weights():
    rows = {"prediction": ["a man", "a dog"], "references": [["a man on a horse"], ["a dog"]]}
    alone = textgauge.cider(rows["prediction"], rows["references"], idf=REFERENCES)
    datasets = pytest.importorskip("datasets", reason="datasets is not installed")
    columns = {"prediction_column": "prediction", "reference_column": "references"}
    found = textgauge.score_dataset(datasets.Dataset.from_dict(rows), textgauge.Cider(idf=REFERENCES), **columns)
    assert found["cider"] == pytest.approx(alone["cider"], rel=1e-15)
    again = pickle.loads(pickle.dumps(textgauge.Cider(idf=REFERENCES)))
    assert again.update(rows["prediction"], rows["references"]).score() == alone


def test_rewards_need_weights():
    with pytest.raises(ValueError, match="idf"):
        Reward("cider")
    assert Reward(textgauge.Cider(idf=REFERENCES))(completions=["a man", ""], answer=["a man", "a dog"])[1] == 0


@pytest.mark.parametrize(
    ("predictions", "references", "variant", "expected"),
    [
        (["a cat"], [["a cat"]], "D", 0.0),
        (["a b", "c d"], [["a b"], ["c d"]], "D", 5.0),
        (["a b c d", "e f g h"], [["a b c d"], ["e f g h"]], "D", 10.0),
        (["a", "a"], [["a"], ["a"]], "D", 0.0),
        (["", "a"], [["b"], ["a"]], "R", 1.25),
        (["", ""], [[""], [""]], "R", 0.0),
        (["", ""], [[""], [""]], "plain", 0.0),
    ],
)  # fmt: skip
def test_undefined_cases_have_a_number(predictions, references, variant, expected):
    found = textgauge.cider(predictions, references, variant=variant)["cider"]
    assert found == pytest.approx(expected, abs=1e-12)


def test_what_cannot_score_is_said():
    with pytest.warns(UserWarning, match="CIDEr of one image is 0"):
        textgauge.cider(["a cat"], [["a cat"]])
    with pytest.warns(UserWarning, match="in all images of the call"):
        textgauge.cider(["a", "b"], [["a cat"], ["a cat"]])
    with pytest.warns(UserWarning, match="1 prediction has no word"):
        textgauge.cider(["", "b"], [["a cat"], ["a dog"]])


def test_empty_captions_of_all_chunks_are_counted(monkeypatch):
    monkeypatch.setattr(columns, "FEW", 0)
    monkeypatch.setattr(columns.Corpus.chunks, "__defaults__", (1, 0))
    with pytest.warns(UserWarning, match="^2 predictions have no word under the tokenizer 'coco'") as told:
        textgauge.cider(["", "a man", "."], [["a man"], ["a dog"], ["a cat"]])
    assert len(told) == 1

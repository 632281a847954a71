"""Wrong results of a callable tokenizer are refused with the position of the text."""

import re

import datasets
import pytest
import textgauge
from declared import APART, reads_sources
from quick import covering
from textgauge.accumulation.named_score import NamedScore
from textgauge.accumulation.registry import METRICS
from textgauge.options import options_of

TEXTS = [f"text number {i} in a row" for i in range(30_000)]
MEASURES = {"bleu": textgauge.bleu, "rouge": textgauge.rouge, "token_f1": textgauge.token_f1}


def refusing(marked, result=None):
    """A tokenizer that does not return a list for texts with a mark."""
    return lambda text: result if marked in text else text.split()


def marked(position):
    return [*TEXTS[:position], "a bad one", *TEXTS[position + 1 :]]


PLACES = {
    "predictions[3]": (marked(3), TEXTS),
    "predictions[29999]": (marked(29_999), TEXTS),
    "references[20000]": (TEXTS, marked(20_000)),
    "references[8][1]": (TEXTS[:9], [["x", "y"]] * 7 + [["z"], ["x", "bad"]]),
}


@pytest.mark.parametrize(("place", "name"), covering([*PLACES], ["token_f1", "bleu", "rouge"]))
def test_the_text_is_named_by_its_position(place, name):
    predictions, references = PLACES[place]
    with pytest.raises(TypeError) as caught:
        MEASURES[name](predictions, references, tokenizer=refusing("bad"))
    assert str(caught.value) == f"tokenizer: result for {place}: expected a list of tokens, got None (NoneType)"


def not_b(text):
    return None if text == "b" else [text]


def rouge_l(cut):
    return NamedScore("rougeL", {"tokenizer": cut})


GROUPS = {"groups": [0, 1, 0, 1]}
LINES = [["a\na"], ["c", "a\nb"]]
ELSEWHERE = [
    (lambda cut: textgauge.rouge(["a", "c"], LINES, tokenizer=cut), "a sentence of references[1][1]"),
    (lambda cut: textgauge.rouge(["a", "a"], ["a", "b"], tokenizer=cut, stopwords=["x"]), "references[1]"),
    (lambda cut: textgauge.pairwise(["a", "c", "b"], metric=rouge_l(cut)), "predictions[2]"),
    (lambda cut: textgauge.pairwise(["a", "c"], ["c", "b"], metric=rouge_l(cut)), "references[1]"),
    (lambda cut: textgauge.diversity(["a", "a", "b"], tokenizer=cut), "predictions[2]"),
    (lambda cut: textgauge.diversity([["a", "a"], ["a", "a", "b"]], tokenizer=cut), "predictions[1][2]"),
    (lambda cut: textgauge.diversity([["a", "a"], ["b", "a"]], tokenizer=cut), "predictions[1][0]"),
    (lambda cut: textgauge.diversity(["a", "a", "a", "b"], tokenizer=cut, **GROUPS), "predictions[3]"),
    (lambda cut: textgauge.diversity(["a", "b", "a", "a"], tokenizer=cut, **GROUPS), "predictions[1]"),
]


@pytest.mark.parametrize(("call", "place"), ELSEWHERE)
def test_position_in_errors(call, place):
    with pytest.raises(TypeError, match=re.escape(f"tokenizer: result for {place}: ")):
        call(not_b)


def test_positions_count_from_the_batch():
    scored = textgauge.Bleu(tokenizer=refusing("bad")).update(["fine"], ["fine"])
    with pytest.raises(TypeError, match=r"result for predictions\[1\]"):
        scored.update(["fine", "bad"], ["fine", "fine"])
    assert len(scored.statistics) == 1


OF_FUNCTIONS = [
    name for name in [*APART, *filter(reads_sources, ["sari"])]
    if any(one.name == "tokenizer" and "callable" in one.allowed for one in options_of(METRICS[name].options_type))
]  # fmt: skip


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("name", OF_FUNCTIONS)
def test_rows_of_a_data_set_are_named_by_column_and_row(name):
    """In whatever batch they stand, and where bad rows before them are left out."""
    named = NamedScore(name, {"tokenizer": refusing("bad")})
    sides = ("p", "r", "s") if reads_sources(name) else ("p", "r")
    columns = {"prediction_column": "p", "reference_column": "r"}
    columns |= {"source_column": "s"} if reads_sources(name) else {}
    for side in sides:
        rows = {column: [f"{'bad' if (column, i) == (side, 7) else 'fine'} {i}" for i in range(9)] for column in sides}
        for skipped in (False, True):
            rows["p"][5] = None if skipped else "fine"
            way = {**columns, "skip_bad": skipped}
            table = datasets.Dataset.from_dict(rows)
            for size, place in ((9, "dataset[0:]['{}'][7]"), (4, "dataset[4:]['{}'][3]"), (1, "dataset[7:]['{}'][0]")):
                with pytest.raises(TypeError, match=f"^tokenizer: .*{re.escape(place.format(side))}: "):
                    textgauge.score_dataset(table, named, **way, batch_size=size)
            with pytest.raises(TypeError, match=rf"^tokenizer: .*batch\['{side}'\]\[7\]: "):
                textgauge.scorer(named, **way)(rows)
    rows = {"p": ["a", "b"], "one": ["a", "b"], "two": ["a", "bad"], "r": [["a", "b"], ["a", "bad"]], "s": ["a", "b"]}
    for reference, place in ((["one", "two"], "['two'][1]"), ("r", "['r'][1][1]")):
        with pytest.raises(TypeError, match=f"^tokenizer: .*batch{re.escape(place)}: "):
            textgauge.scorer(named, **{**columns, "reference_column": reference})(rows)


class Incomparable:
    def __hash__(self):
        return 1

    def __eq__(self, other):
        raise TypeError("no")


def test_tokens_that_are_no_tokens():
    with pytest.raises(TypeError, match=r"result for references\[0\]: .*got \['b'\]"):
        textgauge.bleu(["a"], ["b"], tokenizer=lambda text: [text] if text == "a" else [["b"]])
    with pytest.raises(TypeError, match="^tokenizer: .*got tokens that cannot"):
        textgauge.bleu(["a"], ["b"], tokenizer=lambda text: [Incomparable()])


@pytest.mark.parametrize("lowercase", [False, True, "ascii"])
def test_tokens_of_any_type(lowercase):
    cut = {"tokenizer": lambda text: tuple(map(ord, text)), "lowercase": lowercase}
    assert textgauge.bleu(["a b c d e"], ["a b c d e"], **cut)["bleu"] == 1
    lowered = {False: ["A", "\u00c9"], True: ["a", "\u00e9"], "ascii": ["a", "\u00c9"]}[lowercase]
    assert textgauge.tokenize("A \u00c9", str.split, lowercase=lowercase) == lowered

"""Wrong results of a callable tokenizer are refused with the position of the text."""

import pytest
import textgauge

TEXTS = [f"text number {i} in a row" for i in range(30_000)]
MEASURES = {"bleu": textgauge.bleu, "rouge": textgauge.rouge, "token_f1": textgauge.token_f1}


def refusing(marked, result=None):
    """A tokenizer that does not return a list for texts with a mark."""
    return lambda text: result if marked in text else text.split()


def marked(position):
    return [*TEXTS[:position], "a bad one", *TEXTS[position + 1 :]]


@pytest.mark.parametrize("measure", MEASURES.values(), ids=MEASURES)
@pytest.mark.parametrize(
    ("predictions", "references", "place"),
    [
        (marked(3), TEXTS, "predictions[3]"),
        (marked(29_999), TEXTS, "predictions[29999]"),
        (TEXTS, marked(20_000), "references[20000]"),
        (TEXTS[:9], [["x", "y"]] * 7 + [["z"], ["x", "bad"]], "references[8][1]"),
    ],
)
def test_the_text_is_named_by_its_position(measure, predictions, references, place):
    with pytest.raises(TypeError) as caught:
        measure(predictions, references, tokenizer=refusing("bad"))
    assert str(caught.value) == f"tokenizer: result for {place}: expected a list of tokens, got None (NoneType)"


def test_positions_count_from_the_batch():
    scored = textgauge.Bleu(tokenizer=refusing("bad")).update(["fine"], ["fine"])
    with pytest.raises(TypeError, match=r"result for predictions\[1\]"):
        scored.update(["fine", "bad"], ["fine", "fine"])
    assert len(scored.statistics) == 1


def test_a_sentence_is_named_by_its_text():
    def alone(text):
        return None if text == "second" else text.split()

    with pytest.raises(TypeError, match=r"result for a sentence of references\[1\]\[1\]: expected a list of tokens"):
        textgauge.rouge(["a", "b"], [["a\nb"], ["c", "first\nsecond"]], tokenizer=alone)


def test_tokens_are_checked_before_stop_words_are_dropped():
    options = {"stopwords": ["x"], "tokenizer": refusing("bad")}
    with pytest.raises(TypeError, match=r"result for references\[1\]: expected a list of tokens"):
        textgauge.rouge(["a", "b"], ["a", "bad"], **options)


class Incomparable:
    def __hash__(self):
        return 1

    def __eq__(self, other):
        raise TypeError("no")


def test_tokens_that_are_no_tokens():
    with pytest.raises(TypeError, match=r"result for references\[0\]: expected tokens that are str or hashable"):
        textgauge.bleu(["a"], ["b"], tokenizer=lambda text: [text] if text == "a" else [["b"]])
    with pytest.raises(TypeError, match="tokenizer: expected tokens that can be compared, got tokens that cannot"):
        textgauge.bleu(["a"], ["b"], tokenizer=lambda text: [Incomparable()])


def test_tuples_and_tokens_of_any_type_are_fine():
    numbers = textgauge.bleu(["a b c d e"], ["a b c d e"], tokenizer=lambda text: tuple(map(ord, text)))
    assert numbers["bleu"] == 1

"""Arrow data that its own validation refuses: one error, and no process that ends."""

import struct
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
import textgauge
from declared import COUNTED, sources_of

OK = ["a b", "a b"]


def strings(data, *offsets, wide=False):
    """Two texts of bytes between offsets, unchecked."""
    kind, dtype = (pa.large_string(), np.int64) if wide else (pa.string(), np.int32)
    return pa.Array.from_buffers(kind, 2, [None, pa.py_buffer(np.array(offsets, dtype)), pa.py_buffer(data)])


def views(buffer):
    """Two views into a buffer of a number."""
    rows = struct.pack("<i4sii", 20, b"abcd", buffer, 0) * 2
    return pa.Array.from_buffers(pa.string_view(), 2, [None, pa.py_buffer(rows), pa.py_buffer(b"abcdefghijklmnopqrst")])


def dictionary(*indices, of=("a", "b")):
    texts = of if isinstance(of, pa.Array) else pa.array(of)
    return pa.DictionaryArray.from_arrays(pa.array(indices, pa.int32()), texts, safe=False)


def objects(*values):
    """An array of NumPy with objects."""
    array = np.empty(len(values), object)
    for i, value in enumerate(values):
        array[i] = value
    return array


def lists(texts, *offsets):
    return pa.Array.from_buffers(
        pa.list_(texts.type), 2, [None, pa.py_buffer(np.array(offsets, np.int32))], children=[texts]
    )


DECREASING, BYTE = strings(b"abcdef", 0, 3, 1), strings(b"\xc3a", 0, 1, 2)
COLUMNS = {
    "decreasing offsets": DECREASING,
    "decreasing wide offsets": strings(b"abcdef", 0, 3, 1, wide=True),
    "a lone byte C3": BYTE,
    # PyArrow 16 and newer.
    **({"a view of no buffer": views(7)} if hasattr(pa, "string_view") else {}),
    "an index out of range": dictionary(0, 9),
    "an index below 0": dictionary(0, -3),
    "a dictionary of bad texts": dictionary(0, 1, of=DECREASING),
    "a bad chunk": pa.chunked_array([pa.array(["x"]), DECREASING[:1], BYTE[:1]]),
    "lists of bad texts": lists(DECREASING, 0, 1, 2),
    "lists of a lone byte": lists(BYTE, 0, 1, 2),
    "lists out of range": lists(pa.array(["a", "b"]), 0, 9, 1),
    "lists of bad indices": lists(dictionary(0, 9), 0, 1, 2),
    "lists of wide texts": lists(strings(b"\xc3a", 0, 1, 2, wide=True), 0, 1, 2),
    "scalars": [BYTE[0], BYTE[1]],
    "scalars of bad indices": [dictionary(0, 9)[0], dictionary(0, 9)[1]],
    "lists of scalars": [[BYTE[0]], [BYTE[1]]],
    "scalars of lists": [*lists(BYTE, 0, 1, 2)],
    "arrays in a list": [BYTE, BYTE],
    "an array of arrays": objects(BYTE, BYTE),
    "rows of SQuAD": pa.StructArray.from_arrays([pa.array(["1", "2"]), BYTE], ["id", "prediction_text"]),
}  # fmt: skip


class Series:
    """A column of another library, which hands over an array of its own."""

    def __init__(self, array):
        self.array = array

    def __arrow_array__(self, type=None):
        return self.array

    def __len__(self):
        return len(self.array)

    def __iter__(self):
        raise AssertionError("an element was looked at")


def case(name):
    column = COLUMNS[name]
    pairs = [("predictions", column, OK)]
    if name == "rows of SQuAD":
        rows = [{"id": one, "answers": {"text": ["a"]}} for one in ("1", "2")]
        return textgauge.squad, [("predictions", column, rows)]
    return textgauge.chrf, [*pairs, ("references", OK[:1] * len(column), column)]


@pytest.mark.parametrize("name", COLUMNS)
def test_what_arrow_finds_invalid_is_refused_with_its_message(name):
    call, sides = case(name)
    for argument, predictions, references in sides:
        with pytest.raises(ValueError, match=r"validate\(full=True\)") as caught:
            call(predictions, references)
        assert type(caught.value) is ValueError
        assert str(caught.value).startswith(argument)
        assert "expected values that Arrow's `validate(full=True)` accepts, got" in str(caught.value)


def test_tables_of_judgements_and_lists_of_numbers_are_validated():
    table = pa.table({"system": DECREASING, "segment": [1, 2], "score": [1.0, 2.0], "m": [1.0, 2.0]})
    with pytest.raises(ValueError, match=r"^human: expected values that Arrow's .* got .*non-monotonic offset"):
        textgauge.agreement(table, {"m": None})
    with pytest.raises(ValueError, match=r"^probs: expected values that Arrow's .* got Offset invariant failure"):
        textgauge.perplexity(probs=lists(pa.array([0.5, 0.5]), 0, 9, 1))


@pytest.mark.parametrize("side", ["predictions", "references"])
def test_no_element_of_an_invalid_series_is_looked_at(side):
    with pytest.raises(ValueError, match=f"^{side}: expected values .* got Offset invariant failure"):
        textgauge.chrf(**{"predictions": OK, "references": OK, side: Series(DECREASING)})


def test_sources_are_validated():
    with pytest.raises(ValueError, match="^sources: expected values that Arrow"):
        textgauge.input.columns.sources_of(textgauge.input.columns.known_texts(OK), BYTE)


@pytest.mark.slow
def test_the_process_goes_on():
    code = (
        "import sys, pyarrow as pa\nsys.path[:0] = sys.argv[1:]\nimport test_arrow_input as cases\n"
        "for name in cases.COLUMNS:\n"
        "    call, sides = cases.case(name)\n"
        "    for _, predictions, references in sides:\n"
        "        try:\n            call(predictions, references)\n"
        "        except ValueError:\n            print(name)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *map(str, Path(__file__).resolve().parents[:2])],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (done.returncode, {*done.stdout.splitlines()}) == (0, {*COLUMNS}), done.stderr


@pytest.mark.parametrize("group", [{"a b", "c"}, frozenset({"a b"})], ids=type)
@pytest.mark.parametrize("others", [[], [["a b"]]])
def test_a_set_has_no_order_and_is_no_list_of_references(group, others):
    with pytest.raises(TypeError, match=rf"^references\[{len(others)}\]: expected a str or a non-empty list of str"):
        textgauge.bleu(["a b"] * (len(others) + 1), [*others, group])


def with_scalars(value, is_one):
    """A value whose texts are scalars of Arrow, all or those of places, in lists and dicts of any depth."""
    if isinstance(value, dict):
        return {key: with_scalars(one, is_one) for key, one in value.items()}
    if isinstance(value, list):
        return [with_scalars(one, is_one) for one in value]
    return pa.scalar(value, pa.large_string()) if is_one(value) else value


@pytest.mark.filterwarnings("ignore:no prediction is long enough")
@pytest.mark.parametrize("name", COUNTED)
def test_a_scalar_of_arrow_is_a_text_wherever_one_stands(name):
    call, hyps = getattr(textgauge, name), ["the cat", "a dog sat", "it rained"]
    columns = [(hyps, [["a cat", "the cat"], ["a dog"], ["it rains", "rain"]]), (hyps, hyps[::-1])]
    columns += [([{"x": text} for text in hyps], [{"A": text} for text in hyps])] * (name == "cpwer")
    for predictions, references in columns:
        expected = call(predictions, references, **sources_of(name, hyps))
        for is_one in (bool, lambda text: "c" in text, lambda text: "i" in text):
            given = {"predictions": predictions, "references": references, **sources_of(name, hyps)}
            assert call(**{side: with_scalars(texts, is_one) for side, texts in given.items()}) == expected
    with pytest.raises(TypeError, match=r"^references\[1\]\[1\]: expected a str"):
        call(hyps[:2], [["a", "b"], [pa.scalar("b"), 5]], **sources_of(name, hyps[:2]))


def test_texts_of_numpy_go_on_behind_a_nul():
    texts = ["a\0b", "c d e"]
    for columns in ((np.array(texts), texts), (texts, np.array(texts)), (texts, [np.array([text]) for text in texts])):
        assert textgauge.exact_match(*columns)["exact_match"] == 1


def test_a_scalar_of_arrow_is_what_its_value_is():
    reward = textgauge.rewards.Reward("exact_match", reference="answer")
    assert textgauge.cuad([pa.scalar("")], [["a"]]) == textgauge.cuad([""], [["a"]])
    assert textgauge.cpwer([{1: pa.scalar("a"), "1": "b"}], [{"A": "a b"}])["cpwer"] == 0
    assert textgauge.tokenize(pa.scalar(["a b", "c"])) == [["a", "b"], ["c"]]
    assert reward(completions=[pa.scalar("a"), pa.scalar("b")], answer=["a", "a"]) == [1.0, 0.0]
    in_bytes = pa.Array.from_buffers(pa.string(), 1, [None, pa.py_buffer(b"\0\0\0\0\1\0\0\0"), pa.py_buffer(b"\xff")])
    of_no_word = pa.DictionaryArray.from_arrays(pa.array([5], pa.int32()), ["a"], safe=False)
    for scalar in (in_bytes[0], of_no_word[0]):
        assert reward(completions=[scalar], answer=["a"]) == [0.0]
        for refused in (lambda one: textgauge.tokenize(one), lambda one: textgauge.cuad([one], [["a"]])):
            with pytest.raises(
                ValueError, match=r"^(texts|predictions\[0\]): expected (valid UTF-8|a value that Arrow)"
            ):
                refused(scalar)

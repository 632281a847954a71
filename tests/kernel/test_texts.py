"""Columns of texts: errors, rows."""

import gc
import itertools
import sys

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from oracles.rouge155 import first_bytes, first_bytes_of_long_line, first_words
from textgauge.plain.characters import KNOWN, bits_of, character_table, fill_page

from kernel.material import few, listed, many, text, texts


class OwnStr(str):
    """A subclass that lies about itself."""

    def __str__(self):
        return "no"

    def isascii(self):
        return False

    def encode(self, *_):
        return b"no"

    def lower(self):
        return "no"


@few
@given(texts)
def test_a_column_is_its_texts(kernel, texts):
    column = kernel.texts(texts)
    assert len(column) == len(texts)
    assert column.tolist() == list(column) == [column[row] for row in range(len(texts))] == texts
    assert [column[row - len(texts)] for row in range(len(texts))] == texts
    assert listed(column.lengths()) == [len(text.encode()) for text in texts]
    assert column.n_bytes == len("".join(texts).encode())
    assert listed(column.blank()) == [not text.strip() for text in texts]
    bounds, data = column.join()
    assert bytes(data) == "".join(texts).encode()
    assert listed(bounds) == [len("".join(texts[:n]).encode()) for n in range(len(texts) + 1)]


class Backwards(list):
    """A list that makes its items otherwise."""

    def __iter__(self):
        return reversed(list(super().__iter__()))


@pytest.mark.parametrize("made", [list, tuple, Backwards])
def test_a_column_holds_its_texts_alone(kernel, made):
    texts = made([f"text {i} " * 9 for i in range(40)])
    written, before = list(texts), [sys.getrefcount(text) for text in texts]
    column = kernel.texts(texts)
    nested, _ = kernel.nested_texts([texts[:3], texts[3:]])
    if made is not tuple:
        texts[:] = []
    gc.collect()
    assert column.tolist() == written
    texts = made(written)
    del column, nested
    assert [sys.getrefcount(text) for text in texts] == before
    for wrong in (7, "\ud800"):
        values = [*written, wrong]
        assert kernel.texts(values) == kernel.texts(tuple(values)) == len(written)
        assert kernel.nested_texts([written, [wrong]]) == 1
    del values
    assert [sys.getrefcount(text) for text in texts] == before


@few
@given(texts, st.data())
def test_rows(kernel, texts, data):
    column = kernel.texts(texts)
    rows = data.draw(st.lists(st.integers(0, len(texts) - 1), max_size=8)) if texts else []
    chosen = np.array(rows, np.int64)
    assert column.take(chosen).tolist() == [texts[row] for row in rows]
    start, stop = (data.draw(st.integers(-9, 9)) for _ in range(2))
    assert column.slice(start, stop).tolist() == texts[start:stop]
    assert kernel.stripped(column).tolist() == [text.rstrip() for text in texts]
    both = column.take(chosen) + column
    assert both.tolist() == [*(texts[row] for row in rows), *texts]
    assert both.take(np.arange(len(rows))).tolist() == [texts[row] for row in rows]
    bounds = np.linspace(0, len(both), len(texts) + 1).astype(int)
    segments = np.repeat(np.arange(len(texts)), np.diff(bounds)).tolist()
    assert listed(kernel.equal_pairs(column, both, bounds)) == [texts[s] == both[row] for row, s in enumerate(segments)]
    assert listed(kernel.equal_pairs(column, column, None)) == [1] * len(texts)
    with pytest.raises(TypeError):
        column + texts
    assert kernel.stripped(column.take(chosen).slice(1, 4)).tolist() == [texts[row].rstrip() for row in rows][1:4]


@few
@given(texts, st.integers(0, 5), st.integers(0, 12))
def test_beginnings_are_whole_characters(kernel, texts, n_texts, n_bytes):
    found = kernel.texts(texts).beginnings(n_texts, n_bytes)
    longest = [
        max((text[:n] for n in range(len(text) + 1) if len(text[:n].encode()) <= n_bytes), key=len) for text in texts
    ]
    assert found == "".join(text + "\n" for text in longest[:n_texts]).encode()


@pytest.mark.parametrize("row", [2, -3, 2**40])
def test_rows_beyond_the_column(kernel, row):
    column = kernel.texts(["a", "b"])
    with pytest.raises(IndexError):
        column[row]
    with pytest.raises(IndexError):
        column.take(np.array([row]))


FOLDS = {
    "none": None,
    "lower": str.lower,
    "casefold": str.casefold,
    # Characters of pages that the table may not know yet, and results of other lengths.
    "other": lambda word: word.lower().replace("\u0444", "\U00010414\u1e9e"),
}


def naive_folded(text, fold):
    def changed(word):
        return fold(word) if any(not c.isascii() and (c != c.lower() or c != c.casefold()) for c in word) else word

    return " ".join(map(changed, text.split(" "))) if fold else text


@pytest.mark.parametrize("fold", FOLDS.values(), ids=FOLDS)
@few
@given(texts)
def test_words_are_folded_and_their_characters_known(kernel, fold, texts):
    table = bytearray(0x110000)
    filled = []

    def fill_page(page):
        filled.append(page)
        table[page * 256 : page * 256 + 256] = bytes(
            KNOWN | bits_of(chr(c)) for c in range(page * 256, page * 256 + 256)
        )

    result = kernel.folded(kernel.texts(texts), table, fill_page, fold)
    assert result.tolist() == [naive_folded(text, fold) for text in texts]
    read, made = ({ord(c) >> 8 for text in column for c in text if ord(c) > 127} for column in (texts, result))
    # Behind a letter that folds its word, the kernel does not read the word as it was.
    assert made <= set(filled) <= read | made
    assert fold is not None or set(filled) == read
    assert len(filled) == len(set(filled))


@pytest.mark.parametrize(
    "text", ["\u039f\u03a3 \u03a3 '\u03a3\u03a3'\n\u03a3", "\u0130 \u0130\u0130", "A\u00c9A  \u00c9"], ids=ascii
)
def test_folded_words_are_lower_cased_as_in_their_text(kernel, text):
    folded = kernel.folded(kernel.texts([text, "a"]), character_table(), fill_page, str.lower)
    assert folded[0].lower() == text.lower()


def test_folding_passes_on_errors(kernel):
    def broken(_):
        raise RuntimeError("broken")

    column = kernel.texts(["a", "caf\u00c9"])
    with pytest.raises(RuntimeError, match="broken"):
        kernel.folded(column, character_table(), fill_page, broken)
    with pytest.raises(RuntimeError, match="broken"):
        kernel.folded(column, bytearray(0x110000), broken, None)


NO_TEXTS = [None, 1, 1.5, b"a", ["a"], "\ud800", "a\udfffb", float("nan"), pa.scalar("a")]


@pytest.mark.parametrize("value", NO_TEXTS, ids=repr)
def test_the_first_element_that_is_no_text_is_named(kernel, value):
    for before in range(3):
        given = ["a", "\u00e9"][:before] + [value, None, "b"]
        assert kernel.texts(given) == kernel.texts(tuple(given)) == before
        assert kernel.nested_texts([["x"]] * before + [["a", value], []]) == before


@pytest.mark.parametrize(
    "value", [[], (), "ab", None, {"a"}, iter("a"), np.array(["a"])], ids=lambda value: type(value).__name__
)
def test_the_first_segment_that_is_no_list_of_texts_is_named(kernel, value):
    assert kernel.nested_texts([["a"], ("b", "c"), value]) == 2


@few
@given(st.lists(texts.filter(bool), max_size=5))
def test_nested_texts(kernel, lists):
    column, bounds = kernel.nested_texts(lists)
    assert column.tolist() == sum(lists, [])
    assert listed(bounds) == [sum(map(len, lists[:n])) for n in range(len(lists) + 1)]
    assert kernel.nested_texts(list(map(tuple, lists)))[0].tolist() == sum(lists, [])


def test_subclasses_are_read_by_their_content(kernel):
    column = kernel.texts([OwnStr("The Cat"), np.str_("caf\u00e9")])
    assert column.tolist() == ["The Cat", "caf\u00e9"]
    assert all(type(text) is str for text in column)
    assert kernel.Cutter("rouge")(column[0]) == ["the", "cat"]


def buffers(array):
    """Offsets and bytes of an Arrow array, as the package hands them over."""
    width = np.int32 if pa.types.is_string(array.type) else np.int64
    _, raw_offsets, data = array.buffers()
    bounds = np.frombuffer(raw_offsets, width)[array.offset : array.offset + len(array) + 1]
    return bounds, np.frombuffer(data or b"", np.uint8)


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string()], ids=str)
@few
@given(texts.filter(bool), st.integers(0, 6), st.integers(0, 6))
def test_arrow_arrays_and_their_slices(kernel, kind, texts, start, n):
    array = pa.array(texts, kind)[start : start + n]
    assert kernel.arrow_texts(*buffers(array), array).tolist() == texts[start : start + n]


def test_the_bytes_of_an_arrow_array_live_as_long_as_the_column(kernel):
    column = kernel.arrow_texts(*buffers(array := pa.array(["caf\u00e9"] * 1000)), array)
    part = column.take(np.array([7])).slice(0, 1)
    del array, column
    pa.array(["x" * 10_000])
    assert part.tolist() == ["caf\u00e9"]


pieces = st.sampled_from(["a", "bc", " ", "  ", "\n", "\t", "\u00e9", "\u732b", "\x1c", "\u3000", "\r"])
limited = st.one_of(text, st.lists(pieces, max_size=14).map("".join))


@many
@given(st.lists(limited, max_size=6), st.one_of(st.integers(1, 9), st.integers(10, 40)))
@example(["a\nb"], 1)
def test_limits(kernel, texts, n):
    same_limits(kernel, texts, n)


def same_limits(kernel, texts, n):
    for limit in (first_words, first_bytes, first_bytes_of_long_line):
        found = getattr(kernel, limit.__name__)(kernel.texts(texts), n)
        assert found.tolist() == [limit(text, n) for text in texts]


@pytest.mark.parametrize("n", range(1, 6))
def test_limits_of_all_short_texts(kernel, n):
    """With lines at all places, and a character of two bytes."""
    letters = [*"a\n \u00e9"]
    same_limits(kernel, ["".join(text) for k in range(6) for text in itertools.product(letters, repeat=k)], n)

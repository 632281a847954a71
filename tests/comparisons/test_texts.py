"""The texts of the comparisons."""

import gzip
import re

import pytest
from small_texts import TWO

from comparisons.reference_modules import texts
from comparisons.reference_modules.texts import Library


def test_one_reference_as_text_several_as_lists(tmp_path):
    assert TWO.plain_references == ["a red fox", "the hen"]
    path = tmp_path / "x.jsonl.gz"
    path.write_bytes(
        gzip.compress(b'{"prediction": "a", "references": ["b"]}\n{"prediction": "c", "references": ["d", "e"]}\n')
    )
    read = texts.read(path)
    assert read.plain_references == [["b"], ["d", "e"]]
    assert read.description == "x.jsonl.gz: 2 segments, 1 to 2 references each, 2 words"
    path = tmp_path / "y.jsonl"
    path.write_text('{"prediction": "a", "reference": "b"}\n')
    assert texts.read(path).plain_references == ["b"]


def test_a_tool_for_single_references_says_so():
    corpus = texts.Corpus("several", TWO.predictions, [["a", "b"], ["c"]])
    with pytest.raises(texts.Unavailable, match="one reference per segment"):
        corpus.one_reference()


def test_lines_are_joined_to_longer_texts(tmp_path, monkeypatch):
    monkeypatch.setitem(texts.TEXTS, "two", lambda library: texts._joined(library, 2, "\n", 3))
    (tmp_path / "lines.txt").write_text("a  b c\nd e f\ng h\ni j\nk l\n")
    corpus = Library({"lines": tmp_path / "lines.txt"})["two"]
    assert corpus.plain_references == ["a b c\nd e f", "g h\ni j"]
    assert [len(text.split()) for text in corpus.predictions] == [6, 4]
    assert [text.count("\n") for text in corpus.predictions] == [1, 1]
    with pytest.raises(texts.Unavailable, match="no --lines FILE"):
        Library()["two"]


def test_made_up_texts():
    assert Library()["made up"] == Library()["made up"]
    assert re.fullmatch(r"made up here: 60 texts, [\d,]+ words", Library()["made up"].description)
    assert texts.random_texts(20, 50) == texts.random_texts(20, 50)

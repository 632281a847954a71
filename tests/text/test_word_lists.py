"""Stop words and irregular forms, from files, folders and lists."""

import re
import textwrap
from importlib import import_module

import pytest
from textgauge.text import irregular_forms, words_of
from textgauge.text.tokenizers import list_name


def test_irregular_forms(tmp_path, monkeypatch):
    """Of a form in several files the first base form of the last file counts; a line may be empty, bytes invalid."""
    (tmp_path / "verb.exc").write_bytes(b"axes axe_of_verbs other\n\nran run")
    (tmp_path / "noun.exc").write_bytes(b"axes ax axe\nmice mouse\n\xff bad\n")
    (tmp_path / "noun.txt").write_text("men man\n")
    wanted = (("axes", "axe_of_verbs"), ("mice", "mouse"), ("\ufffd", "bad"), ("ran", "run"))
    assert irregular_forms(tmp_path) == irregular_forms(str(tmp_path)) == wanted
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(tmp_path.parent))
    assert irregular_forms(f"~/{tmp_path.name}") == wanted
    (tmp_path / "verb.exc").write_text("\nran\n")
    with pytest.raises(ValueError, match=r"^exceptions: verb\.exc, line 2: .*got 'ran"):
        irregular_forms(tmp_path)


def test_what_is_no_folder_of_forms(tmp_path):
    for folder in (tmp_path, tmp_path / "none", "a\0b"):
        with pytest.raises(ValueError, match="^exceptions: .*folder"):
            irregular_forms(folder)
    with pytest.raises(TypeError, match="^forms: .*got 5"):
        irregular_forms(5, "forms")


def test_words(tmp_path, monkeypatch):
    (tmp_path / "stop.txt").write_text(textwrap.dedent(""" the
        a\t

        of"""))  # fmt: skip
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(tmp_path))
    wanted = frozenset(("the", "a", "of"))
    for given in (tmp_path / "stop.txt", str(tmp_path / "stop.txt"), "~/stop.txt", ["the", "a", "of"], wanted):
        assert words_of(given) == wanted
        assert isinstance(words_of(given), frozenset)


def test_what_is_no_list_of_words(tmp_path):
    (tmp_path / "latin").write_bytes(b"\xe9t\xe9\n")
    for path in (tmp_path / "none", tmp_path / "latin"):
        with pytest.raises(ValueError, match="^stopwords: .*got "):
            words_of(path)
    for given in (5, b"the", iter(["the"]), (word for word in ["the"])):
        with pytest.raises(TypeError, match="^words: .*got "):
            words_of(given, "words")
    with pytest.raises(TypeError, match=r"^stopwords\[1\]: .*got 5"):
        words_of(["the", 5])


# Lists of other tools, and of our own, with the number of entries and a checksum: whoever changes one compares again.
LISTS = {
    "text.latex": {"_COMMANDS": "36[a4bc16b6]", "_NAMES": "26[248a5f02]"},
    "text.math_rules": {"_UNITS": "26[8e5e7804]"},
    "text.meteor": {"_DETACHED": "18[ecfc7a1a]", "_NORMALIZED": "16[a8601b59]"},
    "text.sentences": {"_ABBREVIATION": "18[75919517]", "_ALONE": "1[0b92a5f2]"},
    "text.speech": {"_CONTRACTIONS": "11[000614b6]"},
    "text.tercom": {"_WESTERN": "12[94162fba]"},
    "text.vqa_rules": {"_OF_WORD": "129[fcef2d4f]", "_SIGNS": "1[f763d0bd]"},
    "text.whisper": {"_CURRENCIES": "8[d51d0760]", "_LETTERS": "16[8a9546f0]", "_MORE_FILLERS": "20[e5cffe10]",
                     "_NUMBER_WORDS": "139[19c777ab]", "_WRITTEN_OUT": "49[a2e85287]"},
    "plain.ptb": {"_BEFORE_NUMBERS": "9[010fb547]", "_BEGINNINGS": "44[f52bb5f2]", "_ENDING": "74[8c54d4be]",
                  "_ENDING_CAPITAL": "11[2dc64a62]", "_FILES": "34[d46954b8]", "_TITLES": "56[94dd9b3f]",
                  "PUNCTUATION": "17[43972785]"},
    "plain.snowball": {"_SPECIAL": "18[ad838c01]", "_STEP_2": "24[fa3e84e4]", "_STEP_3": "9[ad8c3b34]",
                       "_STEP_4": "18[778b1a6c]"},
}  # fmt: skip


def entries(table):
    if isinstance(table, (str, re.Pattern)):
        return getattr(table, "pattern", table).split("|" if isinstance(table, re.Pattern) else None)
    rows = [one if isinstance(one, tuple) else (one,) for one in (table.items() if isinstance(table, dict) else table)]
    return [ascii([getattr(cell, "pattern", cell) for cell in row]) for row in rows]


@pytest.mark.parametrize("name", LISTS)
def test_lists_are_as_they_were_compared(name):
    module = import_module(f"textgauge.{name}")
    assert {table: list_name(entries(getattr(module, table))) for table in LISTS[name]} == LISTS[name]

"""Stop words and irregular forms, from files, folders and lists."""

import textwrap

import pytest
from textgauge.text import irregular_forms, words_of


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

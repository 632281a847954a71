"""Stop words and irregular forms, from files or lists."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from ..checks import fail, has_elements, shown
from ..input.elements import check_text


def irregular_forms(folder: str | os.PathLike[str], argument: str = "exceptions") -> tuple[tuple[str, str], ...]:
    """Read WordNet's exception files: lines of an inflected form and its base forms.

    Reads all ``*.exc`` files of a folder in the order of their names (adj, adv, noun, verb). For a
    form that occurs in several, the first base form of the last file counts.

    Raises
    ------
    ValueError
        If there is no such folder, or no such file in it, or a line has a single word.
    """
    if not isinstance(folder, (str, os.PathLike)):
        fail(TypeError, argument, "the path of a folder with *.exc files", shown(folder))
    from pathlib import Path

    try:
        paths = sorted(Path(os.path.expanduser(folder)).glob("*.exc"))
    except (OSError, ValueError):
        paths = []
    if not paths:
        fail(ValueError, argument, "a folder with *.exc files, as WordNet has them", shown(os.fspath(folder)))
    forms: dict[str, str] = {}
    for path in paths:
        # Invalid UTF-8 is replaced: such a form equals no token.
        for number, line in enumerate(path.read_text("utf-8", "replace").splitlines(), 1):
            words = line.split()
            if len(words) == 1:
                fail(ValueError, f"{argument}: {path.name}, line {number}", "a form and its base forms", shown(line))
            if words:
                forms[words[0]] = words[1]
    return tuple(forms.items())


def words_of(stopwords: Any, argument: str = "stopwords") -> frozenset[str]:
    """Read stop words: a file with one word per line, or a collection of words.

    Raises
    ------
    TypeError, ValueError
        If `stopwords` is neither, has an element that is not text (the message names its position), or the
        file cannot be read.
    """
    if isinstance(stopwords, (str, os.PathLike)):
        from pathlib import Path

        # `Path.expanduser` would raise for an unknown user.
        path = Path(os.path.expanduser(stopwords))
        try:
            lines = path.read_text("utf-8").splitlines()
        except (OSError, ValueError) as error:
            fail(ValueError, argument, "a readable file of words, or a list of words", f"{path}: {error}")
        return frozenset(filter(None, (line.strip() for line in lines)))
    # A generator would be exhausted by the check of the options.
    if not has_elements(stopwords) or isinstance(stopwords, (bytes, Iterator)):
        fail(TypeError, argument, "the path of a file, or a list or set of words", shown(stopwords))
    words = list(stopwords)
    return frozenset(check_text(word, f"{argument}[{position}]") for position, word in enumerate(words))

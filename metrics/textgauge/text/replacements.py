"""Words and phrases that are written for others, from a file with two columns or a dict; numbers written as words."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

from ..checks import fail, line_to_install, shown
from ..input.elements import check_text
from ..lazy import lazy
from ..options import option
from .tokenizers import list_name

_SPACES = re.compile(r"(\s+)")
_ALLOWED = "the path of a file with two columns, or a dict, of words or phrases and what is written for them"


@dataclass(frozen=True)
class Replacements:
    """Words and phrases with what is written for them.

    Of several phrases that begin with a word the longest counts, from the left, and what is written is not replaced
    again. Words are what white space separates; the case counts. White space between other words stays.

    Examples
    --------
    >>> replaced = Replacements((("wi fi", "wifi"), ("kathryn", "catherine"), ("uh", "")))
    >>> replaced("kathryn has  uh wi fi uh")
    'catherine has  wifi'
    """

    pairs: tuple[tuple[str, str], ...]

    @property
    def signature(self) -> str:
        """The number of pairs and a checksum that does not depend on their order."""
        return list_name(f"{old}\t{new}" for old, new in self.pairs)

    @lazy
    def words(self) -> dict[str, str]:
        """What is written for single words."""
        return {old: new for old, new in self.pairs if " " not in old}

    @lazy
    def phrases(self) -> Replacements:
        """Those of several words alone."""
        return Replacements(tuple(pair for pair in self.pairs if " " in pair[0]))

    @lazy
    def _phrases(self) -> dict[str, list[tuple[list[str], str]]]:
        """By their first word, the longest first."""
        phrases: dict[str, list[tuple[list[str], str]]] = {}
        for old, new in sorted(self.pairs, key=lambda pair: -len(pair[0].split())):
            phrases.setdefault(old.split()[0], []).append((old.split(), new))
        return phrases

    def __call__(self, text: str) -> str:
        """Return a text with all of them replaced."""
        # Words stand at odd places where white space begins the text, else at even ones.
        parts = _SPACES.split(text)
        written: list[str] = []
        at = 0
        while at < len(parts):
            for words, new in self._phrases.get(parts[at], ()):
                end = at + 2 * len(words) - 1
                if parts[at:end:2] == words:
                    if not new:
                        # One of the two spaces around what goes is enough.
                        end += 1
                    written.append(new)
                    at = end
                    break
            else:
                written.append(parts[at])
                at += 1
        done = "".join(written)
        return done if text[-1:].isspace() else done.rstrip() if done[-1:].isspace() else done


NO_REPLACEMENTS = Replacements(())


def replacements_of(value: Any, argument: str = "replacements") -> Replacements | None:
    """Read replacements: a file, or a dict; None for None.

    A file has a phrase, a tab, and what is written for it, possibly nothing, on every line; JSON is one object.

    Raises
    ------
    TypeError, ValueError
        If `value` is neither, or the file cannot be read, or has a line without two columns, or two that differ for one
        phrase.
    """
    if value is None or isinstance(value, Replacements):
        return value
    if isinstance(value, Mapping):
        return _checked([(f"{argument}[{shown(old)}]", old, new) for old, new in value.items()], argument)
    if not isinstance(value, (str, os.PathLike)):
        fail(TypeError, argument, _ALLOWED, shown(value))
    from pathlib import Path

    path = Path(os.path.expanduser(value))
    try:
        text = path.read_text("utf-8-sig")
    except (OSError, ValueError) as error:
        fail(ValueError, argument, _ALLOWED, f"{path}: {error}")
    if path.suffix == ".json":
        try:
            pairs = json.loads(text)
        except ValueError as error:
            fail(ValueError, argument, "JSON that is an object of texts", f"{path}: {error}")
        if not isinstance(pairs, dict):
            fail(ValueError, argument, "JSON that is an object of texts", shown(pairs))
        return _checked([(f"{argument}: {path.name}, {shown(old)}", old, new) for old, new in pairs.items()], argument)
    rows: list[tuple[str, Any, Any]] = []
    for number, line in enumerate(text.split("\n"), 1):
        columns = line.rstrip("\r").split("\t")
        place = f"{argument}: {path.name}, line {number}"
        if columns == [""]:
            continue
        if len(columns) != 2:
            fail(ValueError, place, "a word or phrase, a tab, and what is written for it", shown(line))
        rows.append((place, columns[0], columns[1]))
    return _checked(rows, argument)


def _checked(rows: list[tuple[str, Any, Any]], argument: str) -> Replacements:
    known: dict[str, str] = {}
    for place, old, new in rows:
        phrase = " ".join(check_text(old, place).split())
        written = " ".join(check_text(new, place).split())
        if not phrase:
            fail(ValueError, place, "a word or phrase", shown(old))
        if known.setdefault(phrase, written) != written:
            fail(ValueError, place, f"{shown(known[phrase])}, as before for the same words", shown(new))
    if not known:
        fail(ValueError, argument, "at least one word or phrase", "none")
    return Replacements(tuple(sorted(known.items())))


def replacements_option() -> Any:
    """Declare the option of a metric whose value `replacements_of` reads."""
    return option(
        None, "A file with two columns, or a dict: words or phrases, and what is then written for them.",
        kind="replacements", none_means="none", is_quiet=True,
    )  # fmt: skip


def numbers_option() -> Any:
    """Declare the option of a metric whose value `numbers_of` reads."""
    return option(
        None, 'Writes numbers as words of a language, such as "de"; needs pip install "textgauge[numbers]".',
        kind="text", none_means="digits stay", is_quiet=True,
    )  # fmt: skip


# Groups of three digits with spaces between them, behind one to three: not two numbers in a row.
_GROUPED = re.compile(r"(?<!\d)(?<!\d\s)\d{1,3}(?:\s\d{3})+(?!\s?\d)")
# Parts of "3.5", "1,000" and "24.12." with a year are no whole numbers.
_DIGITS = re.compile(r"(?<!\d)(?<!\d[.,])\d+(?![.,]?\d)")
# Of a language in which num2words 0.5.14 never ends with most longer numbers.
_MOST_DIGITS = {"am": 6}


@cache
def _spelled(language: str) -> tuple[Callable[..., str], str]:
    """Return num2words' function, and its version."""
    try:
        num2words = import_module("num2words")
    except ImportError:
        fail(ValueError, "numbers", f"a language, with num2words: {line_to_install('numbers')}", "none installed")
    from importlib.metadata import version

    known = num2words.CONVERTER_CLASSES
    # num2words takes the first two letters of any other text: of "estonian" those of Spanish.
    if language not in known and not (language[:2] in known and re.fullmatch(r"[-_]\w+", language[2:])):
        fail(ValueError, "numbers", f"a language of num2words: {', '.join(sorted(known))}", shown(language))
    return num2words.num2words, version("num2words")


@dataclass(frozen=True)
class Numbers:
    """Writes whole numbers, also with spaces between groups of three digits, as words of a language, by num2words.

    Attributes
    ----------
    language : str
    """

    language: str

    @property
    def signature(self) -> str:
        """The language, and the version of num2words."""
        return f"{self.language}-num2words-{_spelled(self.language)[1]}"

    def __call__(self, text: str) -> str:
        """Return a text with words for whole numbers; those that num2words refuses stay, as do decimals."""
        return _DIGITS.sub(self._words, _GROUPED.sub(lambda found: re.sub(r"\s", "", found[0]), text))

    def _words(self, found: re.Match[str]) -> str:
        if len(found[0]) > _MOST_DIGITS.get(self.language, len(found[0])):
            return found[0]
        try:
            return _spelled(self.language)[0](int(found[0]), lang=self.language)
        except Exception:
            # Each language of num2words has errors of its own for numbers that it cannot write.
            return found[0]


def numbers_of(value: str | None) -> Numbers | None:
    """Return what writes numbers as words of a language; None for None."""
    if value is None:
        return None
    _spelled(check_text(value, "numbers"))
    return Numbers(value)


def with_numbers(settings: Mapping[str, Any], options: Any) -> dict[str, Any]:
    """Return settings whose language of numbers has the version of what writes them."""
    return {**settings, **({"numbers": numbers_of(options.numbers)} if "numbers" in settings else {})}

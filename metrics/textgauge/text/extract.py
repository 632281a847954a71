r"""The part of a text that counts, such as the answer in a completion."""

from __future__ import annotations

import re
import textwrap
from collections import deque
from collections.abc import Callable
from typing import Any

from ..checks import fail, shown

_BOXED, _BARE, _FRAMED = "\\boxed{", "\\boxed ", "\\fbox{"
_GAP = "..."
# A fence is at the beginning of a line, and ends with one that is at least as long.
_BLOCKS = re.compile(
    r"^[ \t]*(?P<fence>`{3,}|~{3,})[ \t]*(?P<language>[^\s`{]*)[^\n`]*\n(?P<code>.*?)(?:^[ \t]*(?P=fence)|\Z)",
    re.MULTILINE | re.DOTALL,
)
_TAG = re.compile(r"</?([\w-]+)>")
# A token of chat templates, which as a regular expression has alternatives.
_TOKEN = re.compile(r"<\|[\w-]+\|>")
# Without one of these, a regular expression matches one text alone.
_SPECIAL = re.compile(r"[\\.^$*+?\[\]|()]")
_ALLOWED = r"two marks with ... between them, '\boxed{}', a regular expression, a function from a str to a str or None"


def extractor(extract: Any) -> Callable[[str], str | None] | None:
    r"""Return the function that extracts the part of a text that counts; None if the whole text counts.

    The last match counts, without the white space around it; the function returns None without one.

    Parameters
    ----------
    extract : str, re.Pattern, callable or None
        ``"<answer>...</answer>"``: what is between two marks; ``"\\boxed{}"``: the braces of that command; any
        other str is a regular expression, of which the last match counts, or the first group in it that matched
        something, and a match of no text is none; or a function. A mark alone, such as "<answer>", is refused.

    Examples
    --------
    >>> extractor("<answer>...</answer>")("<answer> 4 </answer> no, <answer>5</answer>")
    '5'
    >>> extractor(r"\boxed{}")(r"so it is \boxed{\frac{1}{2}}.")
    '\\frac{1}{2}'
    >>> extractor(r"answer is (\w+)")("the answer is blue")
    'blue'
    """
    if extract is None or callable(extract):
        return extract
    if not isinstance(extract, (str, re.Pattern)) or not extract:
        fail(TypeError, "extract", _ALLOWED, shown(extract))
    if isinstance(extract, str):
        if is_boxed(extract):
            return _boxed
        _refuse_lone_mark(extract)
        before, gap, after = extract.partition(_GAP)
        if before and gap and after:
            return _Between(before, after)
    try:
        pattern = re.compile(extract)
    except re.error as error:
        fail(ValueError, "extract", _ALLOWED, f"{shown(extract)}: {error}")
    if not isinstance(pattern.pattern, str):
        fail(TypeError, "extract", _ALLOWED, shown(extract))
    return _Last(pattern)


def _refuse_lone_mark(extract: str) -> None:
    """Refuse a mark without a place for what it marks: as a regular expression it finds itself, and pays nothing."""
    bare, problem = extract.replace(_GAP, "").strip(), "which finds no other text"
    before, _, after = extract.partition(_GAP)
    if not bare:
        fail(ValueError, "extract", _ALLOWED, f"{shown(extract)}, without marks")
    if re.fullmatch(r"\\*boxed *(\{ *\}?)?", bare):
        meant = _BOXED + "}"
    elif _TOKEN.search(bare) and not (before and after):
        meant = _TOKEN.sub(lambda token: re.escape(token[0]), bare)
        meant, problem = meant + "(.*)" * (_TOKEN.fullmatch(bare) is not None), "in which | separates alternatives"
    elif _SPECIAL.search(bare) or (before and after):
        return
    elif tag := _TAG.match(bare):
        meant = f"<{tag[1]}>{_GAP}</{tag[1]}>"
    else:
        meant = f"{bare}(.*)"
    fail(ValueError, "extract", _ALLOWED, f"{shown(extract)}, {problem}; did you mean {meant!r}?")


class _Between:
    def __init__(self, before: str, after: str) -> None:
        self._before, self._after = before, after

    def __call__(self, text: str) -> str | None:
        end = text.rfind(self._after)
        start = text.rfind(self._before, 0, end) if end >= 0 else -1
        return text[start + len(self._before) :].partition(self._after)[0].strip() if start >= 0 else None


class _Last:
    def __init__(self, pattern: re.Pattern[str]) -> None:
        self._pattern = pattern

    def __call__(self, text: str) -> str | None:
        found = deque(self._pattern.finditer(text), maxlen=1)
        # Behind the last line, ".*" finds no text once more, in every text.
        if found and not (found[0][0] or any(found[0].groups())):
            found = deque((one for one in self._pattern.finditer(text) if one[0] or any(one.groups())), maxlen=1)
        if not found:
            return None
        last = found[0]
        # As lm-evaluation-harness: of alternatives, the one that matched.
        matched = [group for group in last.groups() if group is not None] if self._pattern.groups else [last[0]]
        return (next(filter(None, matched), "")).strip() if matched else None


def is_boxed(extract: Any) -> bool:
    r"""Return whether it is ``"\\boxed{}"``."""
    return isinstance(extract, str) and extract.replace(" ", "") in (_BOXED, _BOXED + "}")


def boxed(text: str) -> str | None:
    r"""Return what the last box holds, with the white space in it, as the code of the MATH data set does.

    That code raises where there is no box. Without braces, a box ends before the next dollar sign; where no text is
    boxed, a frame counts.

    Examples
    --------
    >>> boxed(r"\boxed{1}, no: \boxed{ \frac{1}{2}}."), boxed(r"$\boxed 7$"), boxed(r"\fbox{x}"), boxed(r"\boxed{1")
    (' \\frac{1}{2}', '7', 'x', None)
    """
    start = max(text.rfind(_BOXED), text.rfind(_BARE))
    if start < 0:
        start = text.rfind(_FRAMED)
    if start < 0:
        return None
    if text.startswith(_BARE, start):
        return text[start + len(_BARE) :].partition("$")[0]
    first, depth = text.index("{", start), 0
    for place in range(first, len(text)):
        depth += (text[place] == "{") - (text[place] == "}")
        if depth == 0:
            return text[first + 1 : place]
    return None


def boxed_or_all(text: str) -> str:
    """Return what the last box holds, or all of a text without one."""
    answer = boxed(text)
    return text if answer is None else answer


def answer_in(text: str) -> str | None:
    r"""Return what the last box holds, or all of a text without one; None if the box is empty.

    Examples
    --------
    >>> answer_in(r"\boxed{7}"), answer_in("7"), answer_in(r"\boxed{ }")
    ('7', '7', None)
    """
    answer = boxed(text)
    return text if answer is None else answer.strip() or None


_PYTHON = ("python", "python3", "py")


def code_in(text: str) -> str:
    r"""Return the last block of Python in an answer in Markdown, or the last block of any kind, or all of the text.

    A block whose end is missing, such as one that was cut off, ends with the text.

    Examples
    --------
    >>> code_in("So:\n```python\nx = 1\n```\nIt prints\n```\n1\n```")
    'x = 1\n'
    >>> code_in("```\nx = 1"), code_in("x = 1")
    ('x = 1', 'x = 1')
    """
    found: dict[bool, str] = {}
    for block in _BLOCKS.finditer(text):
        found[block["language"].lower() in _PYTHON] = textwrap.dedent(block["code"])
    return found.get(True, found.get(False, text))


def answer_finder(extract: Any, *, joins_boxes: bool) -> Callable[[str], str | None] | None:
    r"""Return the function that extracts an answer of mathematics: as `extractor`, and a box within is opened.

    With `joins_boxes`, a text with several boxes stays whole, for an engine that reads all of them.

    Examples
    --------
    >>> answer_finder("<a>...</a>", joins_boxes=False)(r"<a>It is \boxed{7}.</a>")
    '7'
    >>> answer_finder(r"\boxed{}", joins_boxes=True)(r"\boxed{1} or \boxed{2}")
    '\\boxed{1} or \\boxed{2}'
    """
    if extract is None:
        return None
    find = boxed if is_boxed(extract) else extractor(extract)
    if find in (boxed_or_all, boxed, answer_in):
        last, find = find, None
    else:
        last = boxed_or_all

    def answer(text: str) -> str | None:
        part = text if find is None else find(text)
        if part is None or (joins_boxes and part.count(_BOXED) + part.count(_BARE) > 1):
            return part
        return last(part)

    return answer


def _boxed(text: str) -> str | None:
    answer = boxed(text)
    return None if answer is None else answer.strip()

r"""The rules by which answers of mathematics are compared: each rewrites a text, step by step.

hendrycks   Hendrycks et al. (2021), Measuring Mathematical Problem Solving With the MATH Dataset: `is_equiv`
lm-eval     the copy of lm-evaluation-harness, `hendrycks_math`, which gives up on more texts
minerva     its `minerva_math`: Lewkowycz et al. (2022), Solving Quantitative Reasoning Problems with Language Models,
            appendix D, with what the harness changed in it
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple


class RuleStep(NamedTuple):
    """A step of a rule.

    Attributes
    ----------
    meaning : str
    mark : str
        What a text has that the step may change.
    change : str or callable
        What replaces the mark; or what returns the changed text, and raises `GaveUp` where the tool raises.
    """

    meaning: str
    mark: str
    change: str | Callable[[str], str] = ""


class GaveUp(Exception):  # noqa: N818
    """A rule cannot read a text, which then equals only itself."""


def _without_units(text: str) -> str:
    before, *others = text.split("\\text{ ")
    if len(others) > 1:
        raise GaveUp
    return before


def _with_zero(text: str) -> str:
    return "0" + text if text[0] == "." else text


def _right_side(text: str) -> str:
    sides = text.split("=")
    return sides[1] if len(sides) == 2 and len(sides[0]) <= 2 else text


def _with_roots(text: str) -> str:
    first, *roots = text.split("\\sqrt")
    if not all(roots):
        raise GaveUp
    return first + "".join(f"\\sqrt{root if root[0] == '{' else '{' + root[0] + '}' + root[1:]}" for root in roots)


def _with_fractions(text: str) -> str:
    first, *pieces = text.split("\\frac")
    parts = [first]
    for piece in pieces:
        if not piece:
            raise GaveUp
        if piece[0] == "{":
            parts.append(piece)
        elif len(piece) == 1:
            # The tool leaves the whole text as it is.
            return text
        else:
            below = piece[1:] if piece[1] == "{" else f"{{{piece[1]}}}{piece[2:]}"
            parts.append(f"{{{piece[0]}}}{below}")
    return "\\frac".join(parts)


def _half(text: str) -> str:
    return "\\frac{1}{2}" if text == "0.5" else text


def _as_fraction(text: str, *, gives_up: bool) -> str:
    parts = text.split("/")
    if len(parts) != 2:
        return text
    try:
        above, below = map(int, parts)
    except ValueError:
        # lm-eval catches another error here.
        if gives_up:
            raise GaveUp from None
        return text
    return f"\\frac{{{above}}}{{{below}}}" if text == f"{above}/{below}" else text


def _hendrycks(*, gives_up: bool) -> tuple[RuleStep, ...]:
    return (
        RuleStep("line breaks go", "\n"),
        RuleStep("narrow spaces go", "\\!"),
        RuleStep("two backslashes become one", "\\\\", "\\"),
        RuleStep("small fractions become fractions", "tfrac", "frac"),
        RuleStep("large fractions become fractions", "dfrac", "frac"),
        RuleStep("the sizes of brackets go", "\\left"),
        RuleStep("the sizes of brackets go", "\\right"),
        RuleStep("degrees go", "^{\\circ}"),
        RuleStep("degrees go", "^\\circ"),
        RuleStep("dollar signs go", "\\$"),
        RuleStep("units, and all behind them, go", "\\text{ ", _without_units),
        RuleStep("percent signs go", "\\%"),
        # Both tools do so twice, and the first time may bring two halves together.
        RuleStep("percent signs go", "\\%"),
        RuleStep("a decimal point gets a zero before it", " .", " 0."),
        RuleStep("a decimal point gets a zero before it", "{.", "{0."),
        RuleStep("a decimal point gets a zero before it", ".", _with_zero),
        RuleStep("the name before one equals sign goes", "=", _right_side),
        RuleStep("a root gets braces", "\\sqrt", _with_roots),
        RuleStep("spaces go", " "),
        RuleStep("a fraction gets braces", "\\frac", _with_fractions),
        RuleStep("0.5 becomes a half", "0.5", _half),
        RuleStep("a fraction of two integers is written as one", "/", partial(_as_fraction, gives_up=gives_up)),
    )


_SUBSTITUTED = (
    ("an ", ""), ("a ", ""), (".$", "$"), ("\\$", ""), ("\\ ", ""), (" ", ""), ("mbox", "text"),
    (",\\text{and}", ","), ("\\text{and}", ","), ("\\text{m}", "\\text{}"),
)  # fmt: skip
_UNITS = (
    "square", "ways", "integers", "dollars", "mph", "inches", "ft", "hours", "km", "units",
    "sue", "points", "feet", "minutes", "digits", "cents", "degrees", "cm", "gm", "pounds", "meters", "meals", "edges",
    "students", "childrentickets", "multiples",
)  # fmt: skip
_SIGNS = (
    "\\text{s}", "\\text{.}", "\\text{\ns}", "\\text{}^2", "\\text{}^3", "\\text{\n}", "\\text{}", "\\mathrm{th}",
    "^\\circ", "^{\\circ}", "\\;", ",\\!", "{,}", '"', "\\dots",
)  # fmt: skip
_COMMAND = re.compile(r"(\\[a-zA-Z]+)")
_THOUSANDS = re.compile(r"-?\d{1,3}(,\d{3})+")


def _without_outside_of_commands(text: str, unit: str) -> str:
    pieces = _COMMAND.split(text)
    pieces[::2] = [piece.replace(unit, "") for piece in pieces[::2]]
    return "".join(pieces)


def _between_dollars(text: str) -> str:
    # As re.sub(r"(.*?)(\$)(.*?)(\$)(.*)", r"$\3$"), which takes quadratic time where a line has one dollar sign.
    lines = (line.split("$", 2) for line in text.split("\n"))
    return "\n".join(f"${parts[1]}$" if len(parts) == 3 else "$".join(parts) for parts in lines)


def _opened(text: str, pattern: re.Pattern[str]) -> str:
    """Replace a command by what its braces hold."""
    # What stands behind the last brace of a line cannot match; to search it for one takes quadratic time.
    parts = (line.rpartition("}") for line in text.split("\n"))
    return "\n".join(pattern.sub(r"\1", before + brace) + behind for before, brace, behind in parts)


_INDEXED_ROOT = re.compile(r"sqrt(\[[^\]]*\])(\w?)")


def _with_indexed_roots(text: str) -> str:
    end = text.rfind("]") + 2
    return _INDEXED_ROOT.sub(lambda m: f"sqrt{m[1]}{{{m[2]}}}" if m[2] else m[0], text[:end]) + text[end:]


_MINERVA = (
    RuleStep("what stands behind the last equals sign counts", "=", lambda text: text.split("=")[-1]),
    *(RuleStep(f"{unit!r} goes", unit, partial(re.compile(rf"(?<!\\)\b{unit}\b").sub, "")) for unit in _UNITS),
    *(RuleStep(f"{old!r} becomes {new!r}" if new else f"{old!r} goes", old, new) for old, new in _SUBSTITUTED),
    *(RuleStep(f"{unit!r} goes", unit, partial(_without_outside_of_commands, unit=unit)) for unit in _UNITS[:10]),
    RuleStep("'\\\\ldots' goes", "\\ldots"),
    *(RuleStep(f"{unit!r} goes", unit, partial(_without_outside_of_commands, unit=unit)) for unit in _UNITS[10:]),
    *(RuleStep(f"{sign!r} goes", sign) for sign in _SIGNS),
    RuleStep("what stands between dollar signs counts", "$", _between_dollars),
    *(RuleStep(meaning, mark, partial(_opened, pattern=re.compile(pattern))) for meaning, mark, pattern in (
        ("text is plain", "\\text{", r"\\text\{(.*?)\}"),
        ("bold text is plain", "\\textbf{", r"\\textbf\{(.*?)\}"),
        ("a line above goes", "\\overline{", r"\\overline\{(.*?)\}"),
        ("a box is opened", "\\boxed{", r"\\boxed\{(.*)\}"),
    )),
    RuleStep("a fraction gets braces", "frac", partial(re.compile(r"(frac)([^{])(.)").sub, r"frac{\2}{\3}")),
    RuleStep("a root with an index gets braces", "sqrt[", _with_indexed_roots),
    RuleStep("a root gets braces", "sqrt", partial(re.compile(r"(sqrt)(?!\[)([^{])").sub, r"sqrt{\2}")),
    RuleStep("dollar signs go", "$"),
    RuleStep("commas between thousands go", ",",
             lambda text: text.replace(",", "") if _THOUSANDS.fullmatch(text) else text),
)  # fmt: skip
RULES = {
    "hendrycks": _hendrycks(gives_up=False), "lm-eval": _hendrycks(gives_up=True), "minerva": _MINERVA,
}  # fmt: skip
# Whose version each rule is that of: the harness changes its rules.
VERSIONS = {"hendrycks": "", "lm-eval": "0.4.13", "minerva": "lm-eval-0.4.13"}


# A text without a backslash, which no step brings before one that looks for it, skips the steps that look for one.
_SHORT: dict[str, tuple[list[Any], list[Any]]] = {
    name: ([step[1:] for step in steps], [step[1:] for step in steps if "\\" not in step.mark])
    for name, steps in RULES.items()
}


def rewritten(text: str, rule: str) -> str | None:
    r"""Return a text as a rule compares it; None where the rule gives up, and the text equals only itself.

    Examples
    --------
    >>> [rewritten(text, "hendrycks") for text in (r"x = \dfrac12", "0.5", r"\$10 \text{ cm}", "\\sqrt")]
    ['\\frac{1}{2}', '\\frac{1}{2}', '10', None]
    """
    try:
        for mark, change in _SHORT[rule]["\\" not in text]:
            if mark in text:
                text = text.replace(mark, change) if change.__class__ is str else change(text)
    except GaveUp:
        return None
    return text


def steps_of(text: str, rule: str) -> Iterator[tuple[str, str]]:
    """Yield the steps of a rule that change a text, each with the text behind it."""
    for meaning, mark, change in RULES[rule]:
        if mark in text:
            try:
                before, text = text, text.replace(mark, change) if isinstance(change, str) else change(text)
            except GaveUp:
                yield "the rule gives up: the text equals only itself", text
                return
            if text != before:
                yield meaning, text

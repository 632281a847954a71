r"""Answers of mathematics in LaTeX, as Math-Verify reads them: signs of Unicode as commands, words as words.

Math-Verify looks for LaTeX between marks, of which it reads letters as factors: CAB would equal ABC. Told to look for
numbers as well, it takes the first number of what it cannot parse.
"""

from __future__ import annotations

import re
import unicodedata

_COMMANDS = {
    "×": "\\times", "·": "\\cdot", "⋅": "\\cdot", "∙": "\\cdot", "÷": "\\div", "±": "\\pm", "∓": "\\mp", "∞": "\\infty",
    "≤": "\\le", "≥": "\\ge", "⩽": "\\le", "⩾": "\\ge", "≠": "\\ne", "≈": "\\approx", "∪": "\\cup", "∩": "\\cap",
    "∅": "\\emptyset", "∈": "\\in", "π": "\\pi", "α": "\\alpha", "β": "\\beta", "γ": "\\gamma", "δ": "\\delta",
    "ε": "\\epsilon", "θ": "\\theta", "λ": "\\lambda", "μ": "\\mu", "ρ": "\\rho", "σ": "\\sigma", "τ": "\\tau",
    "φ": "\\phi", "ω": "\\omega", "Γ": "\\Gamma", "Δ": "\\Delta", "Σ": "\\Sigma", "Ω": "\\Omega",
}  # fmt: skip
_SIGNS = str.maketrans({
    **{sign: f"{command} " for sign, command in _COMMANDS.items()},
    **dict.fromkeys("\u2212\u2013\u2010\u2011\ufe63\uff0d", "-"), **dict.fromkeys("\u2044\u2215", "/"),
    # Full-width letters, digits and signs.
    **{chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F) if code != 0xFF0D},
    "°": "^\\circ ",
})  # fmt: skip
_ROOT = re.compile(r"([√∛∜]) *(?:(\d+(?:\.\d+)?|[a-zA-Zα-ωΑ-Ω])|\(([^()]*)\)|(?=\{)|)")
_INDEX = {"√": "", "∛": "[3]", "∜": "[4]"}
_HIGH, _LOW = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎"
_RAISED = re.compile(f"([{_HIGH}]+)|([{_LOW}]+)|([¼-¾⅐-⅞])")
# A box without braces, and a full stop before the end of a formula, which cannot be parsed there.
_BARE_BOX = re.compile(r"\\boxed +([^\s{}$]*[^\s{}$.])")
_STOP = re.compile(r"(?<=\d)\.(?=\s?(?:\$|\}|\\\)|\\\]))")
_CURRENCY = re.compile(r"[€£¥₩₹₽] ?(?=[\d.])|(?<=\d) ?[€£¥₩₹₽]")
_ANSWER = re.compile(r"(?i:answer) ?(?:is:?|:)")
_WORD = re.compile(r"(?<![A-Za-z\d_])[A-Za-z]{3,}(?![A-Za-z\d(])")
_NAMES = frozenset((
    "sin", "cos", "tan", "cot", "sec", "csc", "log", "exp", "sqrt", "lim", "max", "min", "gcd", "lcm", "mod", "det",
    "arcsin", "arccos", "arctan", "sinh", "cosh", "tanh", "infinity", "percent", "percentage", "pct",
))  # fmt: skip
_OPERATOR = re.compile(r"[+*^=<>_{}|\\!%/-]")
# Words, letters in an order, such as those of choices: two small ones beside each other are factors.
_ANY_WORD, _LETTERS = re.compile("[A-Za-z]+"), re.compile(r"[A-Za-z]{2}|[A-Za-z] *[,;]|[A-Z] +[A-Z]\b")
_IS_NAME = re.compile(r"[A-Za-z]+\d[A-Za-z\d]*")
_NUMBER = re.compile(r"\d[\d./:]*")
_JOINED = re.compile(r"[+*^=<>_{}|,]|\b(?:and|or)\b")


def with_commands(text: str) -> str:
    r"""Return a text with the commands of LaTeX for mathematical signs of Unicode.

    Examples
    --------
    >>> with_commands("2√3 ÷ 4π² − ½")
    '2\\sqrt{3} \\div  4\\pi ^{2} - \\frac{1}{2}'
    """
    if text.isascii():
        return text
    return _RAISED.sub(_raised, _ROOT.sub(_root, text)).translate(_SIGNS)


def _root(match: re.Match[str]) -> str:
    inner = match[2] or match[3]
    return f"\\sqrt{_INDEX[match[1]]}" + ("" if inner is None else f"{{{inner}}}")


def _raised(match: re.Match[str]) -> str:
    high, low, fraction = match.groups()
    plain = unicodedata.normalize("NFKC", high or low or fraction).replace("\u2212", "-")
    if fraction:
        above, below = plain.split("\u2044")
        return f"\\frac{{{above}}}{{{below}}}"
    return f"{'^' if high else '_'}{{{plain}}}"


def as_latex(text: str) -> str:
    r"""Return a text as Math-Verify reads mathematics; what has marks of its own stays between them.

    Of a text without a box, what stands behind the last "answer is" counts.

    Examples
    --------
    >>> [as_latex(text) for text in ("2√3", "CAB", "5 apples", r"It is \boxed{7}.", "$7.$", "$100", "The answer is 7.")]
    ['$2\\sqrt{3}$', '$\\text{CAB}$', '$5 \\text{apples}$', 'It is \\boxed{7}.', '$7$', '$100$', '$7$']
    """
    text = with_commands(text)
    if "\\boxed" in text:
        return _STOP.sub("", _BARE_BOX.sub(r"\\boxed{\1}", text))
    # Minerva's answers end so.
    answer = _ANSWER.split(text)[-1].partition(". I hope it is correct")[0]
    text = answer if answer.strip() else text
    if "\\(" in text or "\\[" in text or text.count("$") - text.count("\\$") > 1:
        return _STOP.sub("", text)
    # Neither a backslash before a space or an end of line nor the signs of other currencies than dollars can be parsed.
    text = _CURRENCY.sub("", " ".join(text.replace("\\$", "").replace("$", "").split()).rstrip("\\ ")).removesuffix(".")
    is_words = _LETTERS.search(text) and not _NUMBER.search(text) and not _OPERATOR.search(text)
    if (is_words and _NAMES.isdisjoint(_ANY_WORD.findall(text.lower()))) or _IS_NAME.fullmatch(text):
        return f"$\\text{{{text}}}$"
    if "\\" not in text and _WORD.search(text):
        # Amounts of several units would be a product: 1 hour 30 minutes.
        is_sum = len(_NUMBER.findall(text)) > 1 and not _JOINED.search(text)
        text = f"\\text{{{text}}}" if is_sum else _WORD.sub(_word, text)
    return f"${text}$"


def _word(match: re.Match[str]) -> str:
    return match[0] if match[0].lower() in _NAMES | {"and"} else f"\\text{{{match[0]}}}"

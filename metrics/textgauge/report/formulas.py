"""Formulas of sums as MathML, which browsers draw without a library."""

from __future__ import annotations

import re
from collections.abc import Callable

from markupsafe import Markup

_TOKEN = re.compile(r"(\d[\d,]*(?:\.\d+)?(?:e-\d+)?|e)|( / | of | [×+−>] |[/^²()])")
_LABEL = re.compile(r"(?P<label>.*: )?(?P<formula>.*)")
_NUMBER, _OPERATOR, _WORD = Markup("<mn>{}</mn>"), Markup("<mo>{}</mo>"), Markup("<mtext>\u00a0{}\u00a0</mtext>")
_ROW, _FRACTION, _POWER = Markup("<mrow>{}</mrow>"), Markup("<mfrac>{}{}</mfrac>"), Markup("<msup>{}{}</msup>")
# A browser copies the parts of a fraction without its bar, so that what is copied is the line of text.
_DRAWN = Markup('{}<math displaystyle="true" alttext="{}">{}</math><span class="copied" aria-hidden="true">{}</span>')


def drawn(formula: str) -> Markup:
    """Return a formula as MathML, and hidden as text, which is copied; a formula in words stays as it is.

    A slash between spaces divides all factors before it, one without spaces its two neighbours.

    Examples
    --------
    >>> print(_Parser("2 × 3 / (4 + e^(1 − 7/6))").read())  # doctest: +NORMALIZE_WHITESPACE
    <mfrac><mrow><mn>2</mn><mo>×</mo><mn>3</mn></mrow><mrow><mn>4</mn><mo>+</mo><msup><mn>e</mn><mrow><mn>1</mn><mo>−</mo><mrow><mn>7</mn><mo>/</mo><mn>6</mn></mrow></mrow></msup></mrow></mfrac>
    """  # noqa: E501
    parts = _LABEL.fullmatch(formula)
    label, rest = (parts["label"] or "", parts["formula"]) if parts else ("", formula)
    math = _Parser(rest).read()
    return Markup.escape(formula) if math is None else _DRAWN.format(label, rest, math, rest)


class _Parser:
    """Reads a formula from left to right; `at` is the next of its tokens."""

    def __init__(self, formula: str) -> None:
        self.tokens: list[tuple[str, str]] = []
        self.at = self.n_raised = 0
        end = 0
        while token := _TOKEN.match(formula, end):
            self.tokens.append((token[1] or "", token[2] or ""))
            end = token.end()
        if end < len(formula):
            self.tokens = []

    def read(self) -> Markup | None:
        """Return the formula; None for one that is not understood, or has nothing to draw."""
        try:
            math = self._sum()
        except (IndexError, ValueError):
            return None
        is_drawn = any(operator not in ("", " of ") for _, operator in self.tokens)
        return math if is_drawn and self.at == len(self.tokens) else None

    def _operator(self) -> str:
        return self.tokens[self.at][1] if self.at < len(self.tokens) else ""

    def _sum(self) -> Markup:
        return self._chain((" + ", " − ", " > "), self._product)

    def _chain(self, operators: tuple[str, ...], part: Callable[[], Markup]) -> Markup:
        parts = [part()]
        while (operator := self._operator()) in operators:
            self.at += 1
            parts += [_OPERATOR.format(operator.strip()), part()]
        return parts[0] if len(parts) == 1 else _ROW.format(Markup("").join(parts))

    def _product(self) -> Markup:
        product = self._chain((" × ",), self._share)
        while self._operator() == " / ":
            self.at += 1
            product = self._fraction(product)
        return product

    def _share(self) -> Markup:
        first = self._power()
        while (operator := self._operator()) in ("/", " of "):
            self.at += 1
            if operator == "/":
                first = self._fraction(first)
            else:
                first = _ROW.format(first + _WORD.format("of") + self._power())
        return first

    def _fraction(self, above: Markup) -> Markup:
        # Too small to be read one above the other.
        if self.n_raised:
            return _ROW.format(above + _OPERATOR.format("/") + self._power())
        return _FRACTION.format(above, self._power(is_delimited=True))

    def _power(self, *, is_delimited: bool = False) -> Markup:
        """Read an atom with its exponents; parentheses are left out where a bar is in their place."""
        start, atom = self.at, self._atom(has_parentheses=True)
        if self._operator() not in ("^", "²") and is_delimited:
            self.at = start
            return self._atom(has_parentheses=False)
        while (operator := self._operator()) in ("^", "²"):
            self.at += 1
            self.n_raised += 1
            exponent = _NUMBER.format(2) if operator == "²" else self._atom(has_parentheses=False)
            self.n_raised -= 1
            atom = _POWER.format(atom, exponent)
        return atom

    def _atom(self, *, has_parentheses: bool) -> Markup:
        number, operator = self.tokens[self.at]
        self.at += 1
        if number:
            return _NUMBER.format(number)
        if operator != "(":
            raise ValueError(operator)
        inner = self._sum()
        if self._operator() != ")":
            raise ValueError(operator)
        self.at += 1
        return _ROW.format(_OPERATOR.format("(") + inner + _OPERATOR.format(")")) if has_parentheses else inner

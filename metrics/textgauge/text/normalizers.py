"""Normalizers by name: what is done to an answer before it is compared."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

from .. import engine
from ..checks import one_of, shown
from ..columns import known_texts
from ..elements import check_text
from ..lazy import lazy
from ..plain import Texts
from .tokenizers import Tokenizer

Function = Callable[[str], str]


@dataclass(frozen=True)
class Normalizer:
    """How a text is rewritten before it is cut into tokens.

    Attributes
    ----------
    name : str
        As signatures and messages have it.
    function : callable str -> str, optional
        What happens to one text, and nothing but that text may decide it.
    answers : tuple of (str, value)
        In place of a function the arguments of `plain.Cutter` for the rule "answers".

    Examples
    --------
    >>> NORMALIZERS["squad"]("The Eiffel Tower!")
    'eiffel tower'
    >>> NORMALIZERS["mlqa:de"]("Die „Zugspitze“")
    'zugspitze'
    """

    name: str
    function: Function | None = None
    answers: tuple[tuple[str, Any], ...] = ()

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the tokenizer of its words, which is made when it is asked for."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take the fields."""
        self.__dict__.update(state)

    def __call__(self, text: str) -> str:
        """Return one text normalized."""
        return " ".join(self.words(text)) if self.function is None else self.function(text)

    @property
    def is_ours(self) -> bool:
        """Whether no code of the user's runs here."""
        return self.function is None or self.function is unchanged or self.function is lower_case

    @lazy
    def words(self) -> Tokenizer:
        """What cuts a text into the words of its normalized form; for the rules of answers only."""
        return Tokenizer(self.name, "answers", answers=self.answers)

    def column(self, texts: Texts) -> Texts:
        """Return every text normalized."""
        if self.function is unchanged:
            return texts
        if self.function is None:
            return known_texts(engine.kernel.normalized(self.words.cutter, self.words.prepared(texts)))
        written = texts.tolist()
        results = {text: self.function(text) for text in dict.fromkeys(written)}
        for text, result in results.items():
            check_text(result, f"normalizer: result for {shown(text)}")
        return known_texts([results[text] for text in written])


def unchanged(text: str) -> str:
    """Leave a text as it is."""
    return text


def lower_case(text: str) -> str:
    """Lower-case as Python does."""
    return text.lower()


def _rules(name: str, **answers: Any) -> Normalizer:
    return Normalizer(name, answers=tuple(answers.items()))


def _mlqa(language: str, **answers: Any) -> Normalizer:
    # Unlike SQuAD's, MLQA's script drops every character of the Unicode categories P.
    return _rules(f"mlqa:{language}", drops_every_punctuation=True, **answers)


# What the official scripts drop: SQuAD evaluate-v1.1, MLQA mlqa_evaluation_v1.
NORMALIZERS = {
    normalizer.name: normalizer
    for normalizer in (
        _rules("squad", articles=("a", "an", "the")),
        Normalizer("lower", lower_case),
        Normalizer("none", unchanged),
        _mlqa("en", articles=("a", "an", "the")),
        _mlqa("es", articles=("un", "una", "unos", "unas", "el", "la", "los", "las")),
        _mlqa(
            "de",
            articles=(
                "ein", "eine", "einen", "einem", "eines", "einer", "der", "die", "das", "den", "dem", "des",
            ),
        ),
        # The article is written onto its word; like the script, drop these letters wherever they occur.
        _mlqa("ar", prefix="ال"),
        _mlqa("hi"),
        _mlqa("vi", articles=("của", "là", "cái", "chiếc", "những")),
        # Each Chinese character becomes a token.
        _mlqa("zh", splits_han=True),
    )
}  # fmt: skip


def normalizer_of(value: str | Function | Normalizer, argument: str = "normalizer") -> Normalizer:
    """Return the normalizer that a name or a callable stands for."""
    if isinstance(value, Normalizer):
        return value
    if callable(value):
        return Normalizer(getattr(value, "__name__", type(value).__name__), value)
    return NORMALIZERS[one_of(argument, value, NORMALIZERS)]

"""Normalizers of answers, by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Any

from .. import engine
from ..checks import one_of, shown
from ..input.columns import known_texts
from ..input.elements import check_text
from ..lazy import lazy
from ..plain import Texts
from .tokenizers import Tokenizer

Function = Callable[[str], str]


@dataclass(frozen=True)
class Normalizer:
    """A function that rewrites a text before it is tokenized.

    Attributes
    ----------
    name : str
        The name in signatures and messages.
    function : callable str -> str, optional
        Rewrites one text; the result must depend on that text only.
    answers : tuple of (str, value)
        Instead of a function, the arguments of `plain.Cutter` for the rule "answers".
    data : str
        A fingerprint of data that the function reads from an installed package.

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
    data: str = ""

    @property
    def signature(self) -> str:
        """The name, with a fingerprint of the data that it reads."""
        return f"{self.name}-{self.data}" if self.data else self.name

    def followed_by(self, *changes: Function | None) -> Normalizer:
        """Return a normalizer of the same name that goes on with other changes; itself without any."""
        kept = tuple(filter(None, changes))
        return replace(self, function=partial(_changed, self, kept), answers=()) if kept else self

    def __getstate__(self) -> dict[str, Any]:
        """Omit the cached tokenizer of its words."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Set the fields."""
        self.__dict__.update(state)

    def __call__(self, text: str) -> str:
        """Return one text normalized."""
        return " ".join(self.words(text)) if self.function is None else self.function(text)

    @property
    def is_ours(self) -> bool:
        """Whether the normalizer runs no code of the user."""
        return self.function is None or self.function is unchanged or self.function is lower_case

    @lazy
    def words(self) -> Tokenizer:
        """The tokenizer for the words of the normalized form; for the rules of answers only."""
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


def _changed(normalizer: Normalizer, changes: tuple[Function, ...], text: str) -> str:
    text = normalizer(text)
    for change in changes:
        text = change(text)
    return text


def unchanged(text: str) -> str:
    """Return a text as it is."""
    return text


def lower_case(text: str) -> str:
    """Lower-case as Python does."""
    return text.lower()


def _rules(name: str, **answers: Any) -> Normalizer:
    return Normalizer(name, answers=tuple(answers.items()))


def _mlqa(language: str, **answers: Any) -> Normalizer:
    # Unlike SQuAD's, MLQA's script drops every character of the Unicode categories P.
    return _rules(f"mlqa:{language}", drops_every_punctuation=True, **answers)


# The rules of the official scripts: SQuAD evaluate-v1.1, MLQA mlqa_evaluation_v1.
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
        # The article is a prefix of its word; like the script, drop these letters wherever they occur.
        _mlqa("ar", prefix="ال"),
        _mlqa("hi"),
        _mlqa("vi", articles=("của", "là", "cái", "chiếc", "những")),
        # Each Chinese character becomes a token.
        _mlqa("zh", splits_han=True),
    )
}  # fmt: skip


def normalizer_of(value: str | Function | Normalizer, argument: str = "normalizer") -> Normalizer:
    """Return the normalizer for a name or a callable."""
    if isinstance(value, Normalizer):
        return value
    if callable(value):
        return Normalizer(getattr(value, "__name__", type(value).__name__), value)
    return NORMALIZERS[one_of(argument, value, NORMALIZERS)]

"""Normalizers by name: what is done to an answer before it is compared."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from ..checks import one_of, shown
from ..elements import check_text
from .answers import AnswerRules
from .tokenizers import Tokenizer
from .wide_characters import python_rewritten

Definition = Callable[[str], str]


@dataclass(frozen=True)
class Normalizer:
    """How a text is rewritten before it is cut into tokens.

    Attributes
    ----------
    name : str
        As it stands in signatures and messages.
    definition : callable str -> str
        What happens to one text, and nothing but that text may decide it.

    Examples
    --------
    >>> NORMALIZERS["squad"]("The Eiffel Tower!")
    'eiffel tower'
    >>> NORMALIZERS["mlqa:de"]("Die „Zugspitze“")
    'zugspitze'
    """

    name: str
    definition: Definition

    def __call__(self, text: str) -> str:
        """Return one text normalized."""
        return self.definition(text)

    def column(self, column: pa.LargeStringArray) -> pa.LargeStringArray:
        """Return every text normalized."""
        if self.definition is unchanged:
            return column
        if self.definition is lower_case:
            # Arrow's own lower case differs for U+0130 and for a sigma at a word's end.
            return pc.ascii_lower(python_rewritten(column, pc.invert(pc.string_is_ascii(column)), str.lower))
        if isinstance(self.definition, AnswerRules):
            return self.definition.column(column)
        return self._each_distinct(column)

    @property
    def is_ours(self) -> bool:
        """Whether no code of the user's runs here."""
        return any(self.definition is rule for rule in (unchanged, lower_case)) or isinstance(
            self.definition, AnswerRules
        )

    @property
    def words(self) -> Tokenizer | None:
        """What cuts texts into the words of their normalized form at once; None where nothing does."""
        if not isinstance(self.definition, AnswerRules):
            return None
        return Tokenizer(self.name, lambda text: self.definition(text).split(), self.definition.cut)

    def _each_distinct(self, column: pa.LargeStringArray) -> pa.LargeStringArray:
        encoded = column.dictionary_encode()
        texts = encoded.dictionary.to_pylist()
        results = [self.definition(text) for text in texts]
        for text, result in zip(texts, results, strict=True):
            check_text(result, f"normalizer: result for {shown(text)}")
        return pa.array(results, pa.large_string()).take(encoded.indices)


def unchanged(text: str) -> str:
    """Leave a text as it is."""
    return text


def lower_case(text: str) -> str:
    """Lower-case as Python does."""
    return text.lower()


# What the official scripts drop: SQuAD evaluate-v1.1, MLQA mlqa_evaluation_v1.
_MLQA = {
    "en": AnswerRules(("a", "an", "the"), every_script=True),
    "es": AnswerRules(("un", "una", "unos", "unas", "el", "la", "los", "las"), every_script=True),
    "de": AnswerRules(
        ("ein", "eine", "einen", "einem", "eines", "einer", "der", "die", "das", "den", "dem", "des"),
        every_script=True,
    ),
    # The article is written onto its word; like the script, drop these letters wherever they stand.
    "ar": AnswerRules(prefix="ال", every_script=True),
    "hi": AnswerRules(every_script=True),
    "vi": AnswerRules(("của", "là", "cái", "chiếc", "những"), every_script=True),
    # Each Chinese character becomes a token.
    "zh": AnswerRules(splits_han=True, every_script=True),
}

NORMALIZERS = {
    normalizer.name: normalizer
    for normalizer in (
        Normalizer("squad", AnswerRules(("a", "an", "the"))),
        Normalizer("lower", lower_case),
        Normalizer("none", unchanged),
        *(Normalizer(f"mlqa:{language}", rules) for language, rules in _MLQA.items()),
    )
}


def normalizer_of(value: str | Definition | Normalizer, argument: str = "normalizer") -> Normalizer:
    """Return the normalizer that a name or a callable stands for."""
    if isinstance(value, Normalizer):
        return value
    if callable(value):
        return Normalizer(getattr(value, "__name__", type(value).__name__), value)
    return NORMALIZERS[one_of(argument, value, NORMALIZERS)]

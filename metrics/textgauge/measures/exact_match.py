"""Exact match of texts."""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import engine
from ..accumulation.accumulator import accumulator_of
from ..accumulation.functions import one_call
from ..checks import fail, shown
from ..explanation.derivation import Derivation, Step, texts_as
from ..explanation.explainer import Explainer
from ..input.columns import Corpus, known_texts
from ..metric import (
    About,
    CountedNote,
    Explanation,
    Field,
    Layout,
    Metric,
    Notes,
    Rows,
    Score,
    Scores,
    TwoForms,
)
from ..options import Options, option
from ..plain import Texts
from ..text import TOKENIZERS, Normalizer, Tokenizer, normalizer_of, replacements_of
from ..text.normalizers import unchanged
from ..text.replacements import replacements_option

_PUNCTUATION, _DIGITS = (str.maketrans("", "", signs) for signs in (string.punctuation, string.digits))


@dataclass(frozen=True)
class ExactMatchOptions(Options):
    """Both texts are changed in this order, then compared: regexes, case, punctuation, numbers, the normalizer.

    Of several references, one that is equal is enough. Punctuation and numbers are those of ASCII.

    References: the figures are those of the Hub's `exact_match`, but where it depends on the longest text of a column.
    """

    python_remarks = "A callable must return the same result whenever it gets the same text."
    regexes_to_ignore: str | Sequence[str] | None = option(
        None, "Regular expressions, one or a list: what they match is dropped first.", kind="names", none_means="none"
    )
    ignore_case: bool = option(False, "Lower-case both texts, as Python does.", on_page=True)
    ignore_punctuation: bool = option(False, "Drop ASCII punctuation.", on_page=True)
    ignore_numbers: bool = option(False, "Drop the digits 0 to 9.")
    normalizer: str | Normalizer | Callable[[str], str] = option(
        "none",
        'How both are normalized last: "none", "lower", "squad", "mlqa:en" (es, de, ar, hi, vi, zh) or your function.',
        kind="normalizer", on_page=True,
    )  # fmt: skip
    replacements: Any = replacements_option()

    def check(self) -> None:
        """Refuse what is no regular expression; read the replacements."""
        self._set("replacements", replacements_of(self.replacements))
        if not isinstance(self.regexes_to_ignore, (str, Sequence, type(None))):
            allowed = "a regular expression, or a list of them, as texts"
            fail(TypeError, "regexes_to_ignore", allowed, shown(self.regexes_to_ignore))
        for i, pattern in enumerate(self.patterns):
            argument = f"regexes_to_ignore[{i}]"
            if not isinstance(pattern, str):
                fail(TypeError, argument, "a regular expression", shown(pattern))
            try:
                re.compile(pattern)
            except (re.error, OverflowError, RecursionError) as error:
                fail(ValueError, argument, "a regular expression", f"{shown(pattern)}: {error}")

    @property
    def patterns(self) -> tuple[str, ...]:
        """The regular expressions."""
        patterns = self.regexes_to_ignore
        return (patterns,) if isinstance(patterns, str) else tuple(patterns or ())


class NothingLeft(CountedNote):
    """Counts segments whose texts differ, and are equal only because nothing is left of either."""

    about = "nothing left"

    def examine(self, corpus: Corpus, changed: Any) -> None:
        """Examine one chunk, and its changed texts."""
        is_left = [np.asarray(side.lengths(), np.int64) > 0 for side in (changed.hypotheses, changed.references)]
        if is_left[0].all() or is_left[1].all():
            return
        segment_of = np.repeat(np.arange(len(corpus)), np.diff(corpus.reference_offsets))
        pairs = np.flatnonzero(~(is_left[0][segment_of] | is_left[1]))
        # A reference that is equal as it stands makes a segment right, whatever becomes of both.
        segments = segment_of[pairs].tolist()
        written = zip(segments, corpus.references.take(pairs).tolist(), strict=True)
        same = {segment for segment, reference in written if corpus.hypotheses[segment] == reference}
        self.tell(
            len({*segments} - same),
            "[segment counts|segments count] as equal though the texts differ, since the options and the normalizer "
            "leave nothing of either, as in the Hub's module: drop less, or leave such segments out.",
        )


class ExactMatchMetric(Metric):
    """The share of texts that equal a reference.

    `statistics` has the field ``matches``, 0 or 1: int64.

    Examples
    --------
    >>> ExactMatch(ignore_case=True).update(["The cat", "a dog"], ["the cat", "the dog"]).score()
    {'exact_match': 0.5}
    """

    name = "exact_match"
    options_type = ExactMatchOptions
    about = About("Exact match", lambda _: _EXPLANATION)
    scores = Scores(Score("exact_match", is_binary=True))
    combine = "mean"

    layout = Layout([Field("matches")])
    options: ExactMatchOptions

    def prepare(self) -> None:
        """Choose what changes a text."""
        self._patterns = [*map(re.compile, self.options.patterns)]
        self.normalizer = normalizer_of(self.options.normalizer).followed_by(self.options.replacements)
        is_any = self.options.ignore_case or self.options.ignore_punctuation or self.options.ignore_numbers
        self._changes = bool(self._patterns) or is_any

    def notes(self) -> Notes:
        """Return a collector of texts of which nothing is left, and of letters in two forms."""
        compared = self._compared if self._changes else None
        always = [NothingLeft()] if self._changes or self.normalizer.function is not unchanged else []
        return Notes(
            *always, unusual=lambda: (TwoForms(None, self.normalizer, compared, is_whole=True),), reads_latin=False
        )

    def rows(self, corpus: Corpus, notes: Notes) -> Rows:
        """Compare the pairs of a chunk."""
        changed = corpus.rewritten(self.changed)
        notes.examine(corpus, changed)
        equal = engine.kernel.equal_pairs(changed.hypotheses, changed.references, changed.offsets)
        return Rows(self.layout, np.asarray(equal, np.int64).reshape(-1, 1))

    def changed(self, texts: Texts) -> Texts:
        """Return texts as they are compared."""
        if self._changes:
            texts = known_texts([self._without(text) for text in texts.tolist()])
        return self.normalizer.column(texts)

    def _without(self, text: str) -> str:
        for pattern in self._patterns:
            text = pattern.sub("", text)
        text = text.lower() if self.options.ignore_case else text
        text = text.translate(_PUNCTUATION) if self.options.ignore_punctuation else text
        return text.translate(_DIGITS) if self.options.ignore_numbers else text

    def _compared(self, text: str) -> str:
        return self.normalizer(self._without(text))

    def settings(self) -> dict[str, Any]:
        """Return every option, the normalizer whether given by name or not, one pattern as a list of one."""
        return {**super().settings(), "regexes_to_ignore": self.options.patterns, "normalizer": self.normalizer}

    def formula(self, rows: Rows) -> dict[str, Any]:
        """Return 1 for equal texts, else 0."""
        return {"exact_match": rows["matches"] * 1.0}

    def below(self, result: Mapping[str, Any]) -> list[str]:  # noqa: ARG002
        """Return how texts are compared."""
        return [f"normalizer {self.normalizer.name}"]


_EXPLANATION: Explanation = Explanation(
    "Exact match",
    "How many texts are exactly a reference?",
    (
        "What the options ignore is dropped from both texts; a segment then scores 1 if they are equal, else 0.",
        "The score on top is the mean over segments.",
    ),
    "A space at the end, or a right answer in other words, scores 0 like a wrong answer.",
)
ExactMatch = accumulator_of(ExactMatchMetric)
exact_match = one_call(ExactMatch)


class ExactMatchExplainer(Explainer, metric=ExactMatchMetric):
    """Explains the scores of `ExactMatchMetric`."""

    metric: ExactMatchMetric

    def as_cut(self, corpus: Corpus) -> tuple[Corpus, Tokenizer]:
        """Return the texts as they are compared, and the tokenizer of their words."""
        return corpus.rewritten(self.metric.changed), TOKENIZERS["whitespace"]

    def derivation(self, key: str, rows: Rows, segment: Corpus | None) -> Derivation:
        """Show the texts that are compared."""
        if segment is None:
            return super().derivation(key, rows, segment)
        title, score = self.metric.about.title, float(self.metric.formula(rows)[key])
        compared, _ = self.as_cut(segment)
        sides = (("prediction", compared.hypotheses.tolist()), ("reference", compared.references.tolist()))
        steps = texts_as("as compared", sides)
        return Derivation(title, (*steps, Step(title, formula="equal" if score else "not equal", value=score)))

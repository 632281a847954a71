"""Error rates of words, WER, MER, WIL and WIP, and of characters, CER."""

from __future__ import annotations

import re
from collections import Counter as Bag
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from .. import engine
from ..accumulation.accumulator import accumulator_of
from ..accumulation.functions import one_call
from ..all_pairs.counts import PairCounts, Roles, group_of
from ..arrays import Counts
from ..checks import fail, quantity, shown, warn_user
from ..explanation.alignment import (
    Alignment,
    Match,
    MatchedSides,
    PlacedText,
    aligned_with_best,
    best_pairs_of,
    pairs_of,
    placed_texts,
)
from ..explanation.derivation import Derivation, Edit, Step, aligned_lines, figure
from ..explanation.explainer import Explainer
from ..explanation.marks import Marks
from ..input.columns import Corpus, known_texts
from ..metric import (
    About,
    Explanation,
    Field,
    Layout,
    Line,
    Metric,
    Misfit,
    Note,
    Notes,
    Rows,
    Score,
    Scores,
    Summary,
    TwoForms,
    scores_of,
)
from ..options import Options, Reports, option
from ..text import (
    NORMALIZERS,
    NOWHERE,
    TOKENIZERS,
    Normalizer,
    Replacements,
    Tokenizer,
    prepared,
    replacements_of,
    tokenizer_of,
)
from ..text.replacements import numbers_of, numbers_option, replacements_option, with_numbers
from ..text.speech import (
    SPEECH_NORMALIZERS,
    TEARS_WORDS,
    may_tear,
    speech_normalizer_of,
    tears_words,
    with_replacements,
)

if TYPE_CHECKING:
    from ..plain import Cutter, Texts, Tokens

COUNTS = ("hits", "substitutions", "deletions", "insertions")
RETURNED = ", ".join(f"``{name}``" for name in COUNTS)
ALIGNERS = ("jiwer", "sclite", "kaldialign", "kaldialign-sclite")
JOINING = ALIGNERS[2:]
# Tokenizers that count spaces.
WITH_SPACES = ("every-character", "character-jiwer-3")
LONE_SPACES = (
    "a tab, newline, no-break or ideographic space that stands alone between two words does not separate them, as in "
    "jiwer: put a space in its place, or pass `tokenizer='whitespace'`."
)
SPOKEN = "`normalizer='basic'`, which lower-cases and drops punctuation"
SPOKEN_WITHOUT_SPACES = f"`whitespace=False` with {SPOKEN} and leaves spaces in its place"
UNSPLIT_BY_WER = (
    "words of text without spaces are whole sentences, so that one wrong character makes all of it wrong: use cer, "
    "the rate of characters, or `tokenizer='zh'` (Chinese), 'ja-mecab' (Japanese)."
)


@dataclass(frozen=True)
class WerOptions(Options):
    """The score is the number of edits divided by the number of words in the references, each summed over all segments.

    0 is best, and there is no upper bound: a prediction may have any number of words too many.

    An edit substitutes, deletes or inserts a word. Of several references, the one with the lowest rate counts. Of
    equally few edits those that jiwer finds count, which matters to ``mer``, ``wil`` and ``wip``; texts of more than
    about 2,000 words jiwer cuts in two, and may count others there. Memory grows with the length of the texts times
    the square root of that length, time with the product of both lengths, of which 64 words are one step.

    The words of a join are right, as many as the reference has: "to day" for "today" is one word, "today" for "to day"
    two.

    References: Morris et al. (2004), From WER and RIL to MER and WIL. The figures are those of jiwer 4.
    """

    tokenizer: str | Tokenizer | Callable[[str], list[str]] = option(
        "spaces", "What a word is.", kind="tokenizer", on_page=True
    )
    lowercase: bool = option(False, "Lower-case all text first.", on_page=True)
    normalizer: str | Normalizer | Callable[[str], str] | None = option(
        None,
        'Rewrites all text first, by name or a function; "whisper-english" needs pip install whisper_normalizer.',
        kind="normalizer", none_means="text stays as it is", named=SPEECH_NORMALIZERS,
    )  # fmt: skip
    numbers: str | None = numbers_option()
    replacements: Any = replacements_option()
    aligner: Literal["jiwer", "sclite", "kaldialign", "kaldialign-sclite"] = option(
        "jiwer",
        'Whose edits count: of "jiwer" and "kaldialign" the fewest; with "sclite" they have weights of 4, 3 and 3.',
    )
    join: bool = option(
        False,
        '"to day" for "today" costs nothing: one word against several with the same letters; for kaldialign\'s.',
        is_quiet=True,
    )

    def __post_init__(self) -> None:
        """Check them."""
        super().__post_init__()
        self._set("replacements", rewriting_checked(self))
        if self.join and self.aligner not in JOINING:
            fail(ValueError, "aligner", " or ".join(map(repr, JOINING)) + " with `join=True`", shown(self.aligner))
        if self.join and tokenizer_of(self.tokenizer).rule in WITH_SPACES:
            fail(ValueError, "tokenizer", "one of words with `join=True`", shown(self.tokenizer))


def rewriting_checked(options: Any) -> Replacements | None:
    """Raise for a normalizer, a language of numbers or replacements that there are not; return the last."""
    speech_normalizer_of(options.normalizer)
    numbers_of(options.numbers)
    return replacements_of(options.replacements)


def rewriting_of(options: Any) -> Normalizer | None:
    """Return what rewrites all text: the normalizer, numbers, then replacements; None if nothing does."""
    normalizer, numbers = speech_normalizer_of(options.normalizer), numbers_of(options.numbers)
    if normalizer is None and numbers is None and options.replacements is None:
        return None
    return with_replacements((normalizer or NORMALIZERS["none"]).followed_by(numbers), options.replacements)


class EditReports(Reports):
    """The counts of all segments are in the result; `per_segment` adds the rates of each."""


class LoneSpaces(Note):
    """Looks for white space that is part of jiwer's words."""

    about = "spaces"

    def examine(self, corpus: Corpus, tokens: Tokens) -> None:  # noqa: ARG002
        """Examine one chunk."""
        predictions, references = corpus.contents
        if predictions.n_lone_spaces or references.n_lone_spaces:
            self.warning = LONE_SPACES


class TornWords(Note):
    """Looks for words that a normalizer splits."""

    about = "marks"

    @classmethod
    def of(cls, normalizer: Normalizer | None) -> list[Note]:
        """Return one for the normalizer that splits words; nothing for others."""
        return [cls()] if normalizer is not None and normalizer.name == "whisper-basic" else []

    def examine(self, corpus: Corpus, tokens: Tokens) -> None:  # noqa: ARG002
        """Examine one chunk."""
        if self.warning:
            return
        for texts, side in zip((corpus.hypotheses, corpus.references), corpus.contents, strict=True):
            if may_tear(side.characters) and any(map(tears_words, texts.tolist())):
                self.warning = TEARS_WORDS


class EditMetric(Metric):
    """A rate of edits: hits, substitutions, deletions and insertions of tokens."""

    reports_type = EditReports
    layout = Layout([Field(name) for name in COUNTS])
    tokenizer: Tokenizer
    normalizer: Normalizer | None
    # Whose edits count, in the kernel: of jiwer the fewest.
    aligner = ALIGNERS.index("jiwer")
    # Whether words may be joined.
    joins = False
    # What is advised where one side alone has capitals or punctuation, and last where text has no spaces.
    spoken: Sequence[str] = (SPOKEN,)

    def notes(self) -> Notes:
        """Return what looks for white space in words, for unfit scripts, and for what a normalizer destroys."""
        always = TornWords.of(self.normalizer)
        if self.tokenizer.rule == "spaces" and self.normalizer is None:
            always = [LoneSpaces()]
        return Notes(*always, unusual=self._unusual, reads_latin=self.tokenizer.drops_letters)

    def _unusual(self) -> tuple[Note, ...]:
        notes: list[Note] = [TwoForms(self.tokenizer, self.normalizer, spoken=self.spoken)]
        if self.about.unit == "word":
            notes = [Misfit(self.tokenizer, self.normalizer, unsplit=UNSPLIT_BY_WER), *notes]
        return tuple(notes)

    def rewritten(self, corpus: Corpus) -> Corpus:
        """Return the texts that are cut."""
        return corpus if self.normalizer is None else corpus.rewritten(self.normalizer.column)

    def rows(self, corpus: Corpus, notes: Notes) -> Rows:
        """Count the pairs of a chunk."""
        texts = self.rewritten(corpus)
        if self.joins:
            columns = self._lettered(texts)
            tokens, counts = engine.kernel.joined_edits(*columns, texts.offsets, self.aligner, corpus.n_threads)
            notes.examine(corpus, tokens)
            return self.layout.counted(counts)
        tokens = self.tokenizer.cut(texts, given=corpus)
        notes.examine(corpus, tokens)
        return self.layout.counted(engine.kernel.levenshtein_edits(tokens, self.aligner, corpus.n_threads))

    def _lettered(self, texts: Corpus) -> tuple[Cutter, Texts, Texts]:
        """Return what cuts texts into words in the kernel, which sees their letters, and the texts."""
        if self.tokenizer.function is None:
            return self.tokenizer.cutter, *self.tokenizer.columns(texts)
        # Refuses what is no list of tokens, by its place.
        self.tokenizer.cut(texts)
        lettered = []
        for side in (texts.hypotheses, texts.references):
            rows = [[*map(str, self.tokenizer(text))] for text in side.tolist()]
            for word in chain.from_iterable(rows):
                if word.split() != [word]:
                    fail(ValueError, "tokenizer", "one of words without spaces, with `join=True`", shown(word))
            lettered.append(known_texts([" ".join(row) for row in rows]))
        return TOKENIZERS["whitespace"].cutter, lettered[0], lettered[1]

    def paths(self, texts: Corpus, placed: Sequence[Sequence[PlacedText]]) -> list[str]:
        """Return the edits of rewritten pairs as letters; see `plain.levenshtein_path` and `plain.joined_paths`."""
        if self.joins:
            return engine.kernel.joined_paths(*self._lettered(texts), self.aligner)
        return [engine.kernel.levenshtein_path(left.ids, right.ids, self.aligner) for left, right in placed]

    def all_pairs(self, texts: Texts, roles: Roles, notes: Notes) -> PairCounts | None:
        """Count the edits of any two texts, each cut once."""
        if roles.weights is not None or self.joins:
            return None
        group = group_of(texts, roles)
        tokens = self.tokenizer.cut(self.rewritten(group))
        notes.examine(group, tokens)
        index = engine.kernel.LevenshteinIndex(tokens, self.aligner)
        last: list[Any] = [None, None]

        def counts(predictions: slice, references: slice) -> Counts:
            ends = predictions.start, predictions.stop, references.start, references.stop
            if last[0] != ends:
                last[:] = ends, np.asarray(index.edits(*ends), np.int32)
            return last[1]

        def of(place: int) -> Callable[[slice, slice], Counts]:
            return lambda predictions, references: counts(predictions, references)[..., place]

        # The edits of two texts in each other's place may be others, of equally few.
        return PairCounts({name: of(i) for i, name in enumerate(COUNTS)}, {}, {}, is_symmetric=False)

    def settings(self) -> dict[str, Any]:
        """Return every option that determines the scores, the normalizer whether given by name or not."""
        settings = with_numbers(super().settings(), self.options)
        return {**settings, "normalizer": self.normalizer} if "normalizer" in settings else settings

    def result(self, accumulator: Any, reports: Any) -> dict[str, Any]:
        """Return the rates and the counts; warn where there is nothing that the edits could be a share of."""
        result = super().result(accumulator, reports)
        self.warn_of(accumulator, result)
        return result

    def warn_of(self, accumulator: Any, values: Mapping[str, Any]) -> None:  # noqa: ARG002
        """Warn where there is nothing that the edits could be a share of."""
        if not (values["hits"] or values["substitutions"] or values["deletions"]):
            key, unit = self.scores.headline, self.about.unit
            warn_user(
                f"no reference has a {unit}, so that {key} is no rate: it is the number of {unit}s of the predictions, "
                "as in jiwer 4."
            )

    def summary(self, result: Mapping[str, Any]) -> Summary:
        """Return the rates as a table, with the edits behind them."""
        lines = [
            Line(self.about.explain(key).title, (result[key],), key, is_headline=key == self.scores.headline, full=None)
            for key in self.scores.keys
        ]
        hits, *edits = (result[name] for name in COUNTS)
        n_reference = hits + edits[0] + edits[1]
        parts = ", ".join(quantity(n, name[:-1]) for n, name in zip(edits, COUNTS[1:], strict=True))
        below = f"{parts} for {quantity(n_reference, self.about.unit)} in the references; lower is better"
        return Summary(self.about.title, ("score",), lines, [below])


class WerMetric(EditMetric):
    """Word error rate (Morris et al. 2004).

    `statistics` has the fields ``hits``, ``substitutions``, ``deletions`` and ``insertions``: int64.

    Examples
    --------
    >>> result = Wer().update(["a slow red fox"], ["a quick fox"]).score()
    >>> result["wer"], result["substitutions"], result["insertions"], result["hits"]
    (0.6666666666666666, 1, 1, 2)
    """

    name = "wer"
    options_type = WerOptions
    about = About(
        "WER", lambda key: EXPLAINED[key], unit="word",
        returns=f"``wer``, ``mer``, ``wil``, ``wip``, {RETURNED}",
    )  # fmt: skip
    scores = Scores(
        Score("wer", higher_is_better=False, perfect=0.0, largest=float("inf")),
        Score("mer", "mer", higher_is_better=False, perfect=0.0),
        Score("wil", "wil", higher_is_better=False, perfect=0.0),
        Score("wip", "wip"),
        unscaled=COUNTS,
    )
    options: WerOptions

    def prepare(self) -> None:
        """Choose the tokenizer, the normalizer, and whose edits count."""
        o = self.options
        self.tokenizer = prepared(tokenizer_of(o.tokenizer), lowercase=o.lowercase, strip=False)
        self.normalizer, self.aligner = rewriting_of(o), ALIGNERS.index(o.aligner)
        self.joins = o.join

    def formula(self, rows: Rows) -> dict[str, Any]:
        """Return the rates, and the counts as they are."""
        rates = scores_of(engine.kernel.error_rates(rows.values), rows)
        counts = rows.values
        counts = counts.tolist() if counts.ndim == 1 else counts.transpose(-1, *range(counts.ndim - 1))
        return dict(zip(("wer", "mer", "wil", "wip", *COUNTS), (*rates, *counts), strict=True))


EXPLAINED: dict[str, Explanation] = {
    "wer": Explanation(
        "WER",
        "How many edits per word of the reference turn the reference into the prediction?",
        (
            "An edit substitutes a word, deletes one that was said, or inserts one that was not.",
            "WER is the number of edits divided by the number of words in the references, both summed over all "
            "segments. 0 means that every word is right; it can exceed 1. Lower is better.",
        ),
        "Case and punctuation count: normalize both sides in the same way, and say how.",
    ),
    "mer": Explanation(
        "MER",
        "Which share of the aligned words is wrong?",
        ("MER divides the edits by edits and hits together, so that it never exceeds 1. Lower is better.",),
        "It depends on which of equally few edits were found, and so on the tool.",
    ),
    "wil": Explanation(
        "WIL",
        "Which share of the information in words is lost?",
        ("WIL is 1 less WIP, the information preserved. Lower is better.",),
        "It depends on which of equally few edits were found, and so on the tool.",
    ),
    "wip": Explanation(
        "WIP",
        "Which share of the information in words is preserved?",
        ("WIP multiplies the share of the reference's words that are hits by that of the prediction's.",),
        "It depends on which of equally few edits were found, and so on the tool.",
    ),
}
Wer = accumulator_of(WerMetric)
wer = one_call(Wer)


@dataclass(frozen=True)
class CerOptions(Options):
    """The score is the number of edits divided by the number of characters in the references, summed over all segments.

    0 is best, and there is no upper bound.

    A character is a code point; white space inside a text counts, that at its ends does not. Of several references,
    the one with the lowest rate counts.

    References: Morris et al. (2004), From WER and RIL to MER and WIL. The figures are those of jiwer 4.
    """

    whitespace: bool = option(
        True, "White space inside a text counts; most papers on Chinese and Japanese drop it.", on_page=True
    )
    preset: Literal["jiwer-3"] | None = option(
        None,
        '"jiwer-3": runs of white space count as one space, as in jiwer 2.3 to 3.',
        none_means="every character counts",
    )
    lowercase: bool = option(False, "Lower-case all text first.", on_page=True)
    normalizer: str | Normalizer | Callable[[str], str] | None = option(
        None, "Rewrites all text first, as that of `wer`.", kind="normalizer", none_means="text stays as it is",
        named=SPEECH_NORMALIZERS,
    )  # fmt: skip
    numbers: str | None = numbers_option()
    replacements: Any = replacements_option()

    def __post_init__(self) -> None:
        """Check them."""
        super().__post_init__()
        if self.preset is not None and not self.whitespace:
            fail(ValueError, "preset", "None with `whitespace=False`, which drops what it is about", shown(self.preset))
        self._set("replacements", rewriting_checked(self))


class CerMetric(EditMetric):
    """Character error rate (Morris et al. 2004).

    `statistics` has the fields ``hits``, ``substitutions``, ``deletions`` and ``insertions``: int64.

    Examples
    --------
    >>> Cer().update(["slow fox"], ["a slow ox"]).score()
    {'cer': 0.3333333333333333, 'hits': 7, 'substitutions': 0, 'deletions': 2, 'insertions': 1}
    """

    name = "cer"
    options_type = CerOptions
    about = About(
        "CER",
        lambda _: _EXPLAINED_CER,
        returns=f"``cer``, {RETURNED}",
        unit="character",
    )
    scores = Scores(Score("cer", higher_is_better=False, perfect=0.0, largest=float("inf")), unscaled=COUNTS)
    options: CerOptions

    def prepare(self) -> None:
        """Choose the tokenizer and the normalizer."""
        o = self.options
        rule = "character-jiwer-3" if o.preset == "jiwer-3" else "every-character"
        self.tokenizer = prepared(TOKENIZERS[rule if o.whitespace else "character"], lowercase=o.lowercase, strip=False)
        self.normalizer = rewriting_of(o)
        if o.preset is None:
            self.spoken = SPOKEN, SPOKEN_WITHOUT_SPACES if o.whitespace else SPOKEN

    def formula(self, rows: Rows) -> dict[str, Any]:
        """Return the rate, and the counts as they are."""
        rate = scores_of(engine.kernel.error_rates(rows.values), rows)[0]
        return {"cer": rate, **{name: rows.shown(name) for name in COUNTS}}


_EXPLAINED_CER: Explanation = Explanation(
    "CER",
    "How many edits per character of the reference turn the reference into the prediction?",
    (
        "An edit substitutes, deletes or inserts a character.",
        "CER is the number of edits divided by the number of characters in the references, both summed over all "
        "segments. 0 means that every character is right; it can exceed 1. Lower is better.",
    ),
    "White space counts unless `whitespace=False`, and an accent written as a character of its own is one more edit.",
)
Cer = accumulator_of(CerMetric)
cer = one_call(Cer)


_KINDS: dict[str, Any] = {" ": "keep", "s": "substitute", "d": "delete", "i": "insert", "j": "join"}
# One edit each: a join is of several words of one side.
_EDIT = re.compile("[rh]*j|.", re.DOTALL)


def _places_of_edits(path: str) -> Iterator[tuple[str, range, range]]:
    """Yield the letter of every edit, and the places of its words in the reference and in the hypothesis."""
    i = j = 0
    for edit in _EDIT.findall(path):
        n_reference = sum(letter not in "ih" for letter in edit)
        n_hypothesis = sum(letter not in "dr" for letter in edit)
        yield edit[-1], range(i, i + n_reference), range(j, j + n_hypothesis)
        i, j = i + n_reference, j + n_hypothesis


_MEANINGS = {
    "hits": "{unit}s that are right",
    "substitutions": "another {unit} instead",
    "deletions": "{unit}s of the reference that the prediction lacks",
    "insertions": "{unit}s that the reference does not have",
}
# How each score comes from the counts: H, S, D, I and N, the length of the references, P, that of the predictions.
_FORMULAS = {
    "mer": "({S} + {D} + {I}) / ({H} + {S} + {D} + {I})",
    "wil": "1 - {H} / {N} × {H} / {P}",
    "wip": "{H} / {N} × {H} / {P}",
}


def _visible(token: str) -> str:
    """Return a token with white space that can be seen."""
    return token if token.strip() else repr(token)


class WerExplainer(Explainer, metric=EditMetric):
    """Explains the scores of `EditMetric`."""

    metric: EditMetric
    has_confusions = True

    def as_cut(self, corpus: Corpus) -> tuple[Corpus, Tokenizer]:
        """Return the normalized texts, and the tokenizer."""
        return self.metric.rewritten(corpus), self.metric.tokenizer

    def marks(self, key: str) -> Marks:
        """Mark the tokens that are right."""
        unit = self.metric.about.unit
        return Marks.of_common(
            f"right: the same {unit} in both texts", "", lambda corpus: self._align(corpus, key), other_counts=False
        )

    def derivation(self, key: str, rows: Rows, segment: Corpus | None) -> Derivation:
        """Show both texts of a segment one above the other, the counts, and the rate."""
        unit = self.metric.about.unit
        steps = [Step(name, (figure(rows[name]),), meaning=_MEANINGS[name].format(unit=unit)) for name in COUNTS]
        hits, substitutions, deletions, insertions = (float(rows[name]) for name in COUNTS)
        n_reference, n_prediction = hits + substitutions + deletions, hits + substitutions + insertions
        numbers = dict(zip("HSDINP", map(figure, (
            hits, substitutions, deletions, insertions, n_reference, n_prediction,
        )), strict=True))  # fmt: skip
        steps.append(Step(f"{unit}s", (numbers["N"],), meaning="of the reference: hits, substitutions and deletions"))
        formula = _FORMULAS.get(key, "({S} + {D} + {I}) / {N}").format(**numbers)
        # Insertions are a part of what MER divides by.
        divisors = {"mer": [n_reference + insertions], "wil": [n_reference, n_prediction]}
        divisors["wip"] = divisors["wil"]
        if not all(divisors.get(key, [n_reference])):
            formula = "there is nothing to divide by"
        score = float(self.metric.formula(rows)[key]) * self.metric.scores.scale
        title = self.metric.about.explain(key).title
        steps.append(Step(title, formula=formula, value=score))
        alignment = () if segment is None else self._alignment(segment, key)
        return Derivation(title, tuple(steps), alignment=alignment, is_joined=unit == "character")

    def confusions(self, corpus: Corpus) -> Mapping[str, Bag[str]]:
        """Return how often each token is substituted, by which other one, deleted or inserted."""
        confusions: dict[str, Bag[str]] = {name: Bag() for name in COUNTS[1:]}
        for segment in range(len(corpus)):
            for edit, before, after in self._alignment(corpus.slice(segment, segment + 1), self.metric.scores.headline):
                if edit not in ("keep", "join"):
                    written = " → ".join(map(_visible, filter(None, (before, after))))
                    confusions[f"{edit.removesuffix('e')}ions"][written] += 1
        return confusions

    def edit_lines(self, segment: Corpus, key: str) -> list[str]:
        """Return both texts of a segment, one above the other, and the edits, as lines."""
        return aligned_lines(self._alignment(segment, key), is_joined=self.metric.about.unit == "character")

    def _alignment(self, segment: Corpus, key: str) -> tuple[Edit, ...]:
        """Return every token of the reference with that of the prediction, of the best pair."""
        pairs = pairs_of(segment)
        [best] = best_pairs_of(self.metric, segment, key).tolist()
        texts, tokenizer = self.as_cut(pairs.slice(best, best + 1))
        hypothesis, reference = (
            tokenizer(text) for text in (texts.hypotheses.tolist()[0], texts.references.tolist()[0])
        )
        [(_, path)] = self._paths(pairs.slice(best, best + 1))
        return tuple(
            Edit(_KINDS[edit], " ".join(reference[i] for i in before), " ".join(hypothesis[j] for j in after))
            for edit, before, after in _places_of_edits(path)
        )

    def _paths(self, pairs: Corpus) -> Iterator[tuple[list[PlacedText], str]]:
        """Yield both texts of every pair, as they are cut to be counted, and the edits."""
        texts, tokenizer = self.as_cut(pairs)
        placed = list(placed_texts(pairs, tokenizer.cut(texts), tokenizer, texts))
        return zip(placed, self.metric.paths(texts, placed), strict=True)

    def _align(self, corpus: Corpus, key: str) -> list[Alignment]:
        """Match with the best reference."""
        sides: MatchedSides = ([], [])
        for (hypothesis, reference), path in self._paths(pairs_of(corpus)):
            right = [edit[1:] for edit in _places_of_edits(path) if edit[0] in " j"]
            for side, text in ((0, hypothesis), (1, reference)):
                placed = [text.places[place] for places in right for place in places[1 - side]]
                sides[side].append([Match(*place, 1, False, True) for place in placed if place != NOWHERE])
        return aligned_with_best(corpus, self.metric, key, sides)

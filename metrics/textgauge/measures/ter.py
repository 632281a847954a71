"""Translation edit rate of texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import engine
from ..arrays import Counts, FloatArray
from ..columns import Corpus, known_texts
from ..options import Options, Reports, option
from ..plain.ter import shifted
from ..scores.rouge import share
from ..signatures import yes_no
from ..text import NOWHERE, TOKENIZERS, Tokenizer, prepared
from ..text.tercom import Tercom
from .alignment import Alignment, Sides, pairs_of, placed_texts, with_best
from .contract import Rows
from .marks import Marking, Match
from .measure import Measure
from .one_call import one_call
from .summary import Line, Summary, Words
from .warnings import UNSPLIT_BY_TER, Misfit, Notes, TwoForms


@dataclass(frozen=True)
class TerOptions(Options):
    """The score is the number of edits divided by the average length of the references.

    0 is best, and there is no upper bound. sacreBLEU's score is 100 times as large.

    An edit inserts, deletes or substitutes a word, or shifts a run of words. Shifts are found
    greedily, with Tercom's limits: runs of at most 10 words over at most 50 words, and at most
    1,000 candidates per segment. Of several references, the one that needs the fewest edits counts.

    References: Snover et al. (2006), A Study of Translation Edit Rate with Targeted Human
    Annotation; Tercom. The figures are those of sacreBLEU.
    """

    normalized: bool = option(False, "Split off punctuation first, and decode entities such as &quot;.", on_page=True)
    no_punct: bool = option(False, "Drop punctuation first.", on_page=True)
    asian_support: bool = option(False, "Apply `normalized` and `no_punct` to Chinese and Japanese characters as well.")
    case_sensitive: bool = option(False, "Compare words without lower-casing them.", on_page=True)


@dataclass(frozen=True)
class TerReports(Reports):
    """`num_edits` and `ref_length` are summed over the segments; `per_segment` adds ``segment_ter``."""


class Ter(Measure):
    """TER, batch by batch: an accumulator that stores two numbers per segment, never text. Lower is better.

    `statistics` has edits and the average length of the references: float64, shape (n_segments, 2).

    Parameters
    ----------
    {options}

    Notes
    -----
    {notes}

    Examples
    --------
    >>> Ter().update(["the cat on the mat sat"], ["the cat sat on the mat"]).score()
    {'ter': 0.16666666666666666, 'num_edits': 1, 'ref_length': 6.0}
    """

    name, title = "ter", "TER"
    options_type, reports_type = TerOptions, TerReports
    returns = "``ter``, ``num_edits`` and ``ref_length`` (in words)"
    unscaled = frozenset(("num_edits", "ref_length"))
    higher_is_better = False
    perfect = 0.0
    largest = float("inf")
    options: TerOptions
    tokenizer: Tokenizer

    def _prepare(self) -> None:
        o = self.options
        if o.normalized or o.no_punct:
            cut = Tercom(o.normalized, o.no_punct, o.asian_support, o.case_sensitive)
            self.tokenizer = Tokenizer("tercom", function=cut)
        else:
            self.tokenizer = prepared(TOKENIZERS["whitespace"], lowercase=not o.case_sensitive, strip=False)

    def notes(self) -> Notes:
        """Return a collector of unfit scripts; an empty text has a score, since words can be inserted."""
        return Notes(Misfit(self.tokenizer, unsplit=UNSPLIT_BY_TER), TwoForms())

    @property
    def zero_row(self) -> Counts:
        """Edits, average length of the references."""
        return np.zeros(2)

    def described(self) -> dict[str, str]:
        """Return the fields of the signature, in sacreBLEU's form."""
        o = self.options
        return {
            "case": "mixed" if o.case_sensitive else "lc", "tok": "tercom", "norm": yes_no(o.normalized),
            "punct": yes_no(not o.no_punct), "asian": yes_no(o.asian_support),
        }  # fmt: skip

    def count(self, corpus: Corpus, notes: Notes) -> Rows:
        """Count the edits and the words of the references."""
        notes.look(corpus)
        tokens = self.tokenizer.cut(self._rewritten(corpus))
        found = engine.kernel.translation_edits(tokens, n_threads=corpus.n_threads)
        return Rows(np.column_stack([np.asarray(column, np.float64) for column in found]))

    def _rewritten(self, corpus: Corpus) -> Corpus:
        """Return the texts to tokenize: sacreBLEU normalizes references twice, which matters for leading dots."""
        if self.tokenizer.function is None:
            return corpus
        once = known_texts([" ".join(self.tokenizer(text)) for text in corpus.references.tolist()])
        return Corpus(corpus.hypotheses, once, corpus.reference_offsets, corpus.first)

    def scores(self, rows: Counts) -> FloatArray:
        """Edits per word of the references; without words, 1 if there is an edit, else 0."""
        edits, words = rows[..., 0], rows[..., 1]
        return np.where(words > 0, share(edits, words), np.asarray(edits > 0, np.float64))[..., None]

    def _result(self, asked: TerReports) -> dict[str, Any]:  # noqa: ARG002
        total = self.total()
        return {"ter": float(self.scores(total)[0]), "num_edits": int(total[0]), "ref_length": float(total[1])}

    def counts(self) -> dict[str, Any]:
        """Return the edits and the average number of words of the references."""
        total = self.total().tolist()
        return {"edits": int(total[0]), "reference": total[1]}

    def summary(self, result: Mapping[str, Any]) -> Summary:
        """Return the score and its edits as a table."""
        line = Line("TER", (result["ter"],), "ter", is_headline=True, is_share=False)
        note = f"{result['num_edits']:,} edits for {result['ref_length']:,.6g} words in the references; lower is better"
        return Summary(self.title, ("score",), [line], [note])

    @classmethod
    def words(cls, key: str) -> Words:  # noqa: ARG003
        """Explain TER."""
        return _WORDS

    def marking(self, key: str) -> Marking:  # noqa: ARG002
        """Mark words in place, and words that a shift moves."""
        return Marking.of_common(
            "stays: the same word in both texts", "moved by a shift (each shift is one edit, however long)",
            other_counts=True,
        )  # fmt: skip

    def alignments(self, corpus: Corpus, key: str) -> list[Alignment]:
        """Match with the reference that needs the fewest edits."""
        pairs = pairs_of(corpus)
        sides: Sides = ([], [])
        normal = self._rewritten(pairs)
        for hypothesis, reference in placed_texts(pairs, self.tokenizer.cut(normal), self.tokenizer, normal):
            shifts, path = engine.kernel.edit_operations(hypothesis.ids, reference.ids)
            kept = _kept(len(hypothesis.ids), shifts, path)
            for side, text, tokens in (
                (sides[0], hypothesis, sorted((i, is_moved) for i, _, is_moved in kept)),
                (sides[1], reference, [(j, is_moved) for _, j, is_moved in kept]),
            ):
                placed = [(text.places[i], is_moved) for i, is_moved in tokens]
                side.append([Match(*p, 1, False, not is_moved) for p, is_moved in placed if p != NOWHERE])
        return with_best(corpus, self, key, sides)


def _kept(n_tokens: int, shifts: Any, path: str) -> list[tuple[int, int, bool]]:
    """Return the matched tokens: position in the hypothesis, in the reference, and whether a shift moved them."""
    at = list(range(n_tokens))
    moved: set[int] = set()
    for start, length, target in np.asarray(shifts).reshape(-1, 3).tolist():
        moved |= set(at[start : start + length])
        at = shifted(at, (start, length, target))
    kept = []
    i = j = 0
    for edit in path:
        if edit == " ":
            kept.append((at[i], j, at[i] in moved))
        i += edit != "i"
        j += edit != "d"
    return kept


_WORDS = Words(
    "TER",
    "How many edits per word of the reference turn the prediction into the reference?",
    (
        "An edit inserts, deletes or substitutes a word, or shifts a run of words to another place.",
        "TER is the number of edits divided by the number of words of the references, both summed over all segments. 0 "
        "means that nothing has to be changed; it can exceed 1. Lower is better.",
    ),
    "Shifts are found greedily, so the number of edits is not always the smallest possible.",
)
ter = one_call(Ter)

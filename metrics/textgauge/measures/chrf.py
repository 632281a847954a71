"""chrF and chrF++ of texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import engine
from ..arrays import Counts, FloatArray
from ..checks import fail, shown
from ..columns import Corpus, known_texts
from ..options import Options, option
from ..scores.chrf import chrf_score
from ..scores.rouge_options import MAX_BETA
from ..signatures import yes_no
from ..text import TOKENIZERS, Tokenizer
from .alignment import Alignment, marked, pairs_of, with_best
from .contract import Rows
from .marks import Marking
from .measure import Measure
from .one_call import one_call
from .storage import refuse_rows
from .summary import Line, Summary, Words
from .warnings import Notes, TwoForms

# chrF stores three numbers per order and segment: 24 KB per segment at this order.
_MAX_ORDER = 1000


@dataclass(frozen=True)
class ChrfOptions(Options):
    """Scores are from 0 to 1; sacreBLEU's are 100 times as large.

    Of several references, the one with the best F counts, segment by segment.

    References: Popović (2015), chrF: character n-gram F-score for automatic MT evaluation;
    Popović (2017), chrF++: words helping character n-grams. The figures are those of sacreBLEU.
    """

    char_order: int = option(6, "Highest order of character n-grams.", at_least=0, at_most=_MAX_ORDER, on_page=True)
    word_order: int = option(
        0, "Highest order of word n-grams; 2 makes it chrF++.", at_least=0, at_most=_MAX_ORDER, on_page=True
    )
    beta: float = option(
        2.0, "In F, recall is beta times as important as precision.", at_least=0, at_most=MAX_BETA, on_page=True
    )
    lowercase: bool = option(False, "Lower-case all text first.", on_page=True)
    whitespace: bool = option(False, "Count white space among the characters.")
    eps_smoothing: bool = option(
        False,
        "Average F over all orders, as chrF++.py and nltk do, not precision and recall over the orders that occur.",
    )

    def check(self) -> None:
        """Refuse two orders of 0."""
        if not self.char_order + self.word_order:
            fail(ValueError, "char_order", "at least 1 with `word_order=0`", shown(0))


class Chrf(Measure):
    """chrF, batch by batch: an accumulator that stores integers per segment, never text.

    `statistics` has, for every order of characters and then of words, hypothesis n-grams,
    reference n-grams and matches: int64, shape (n_segments, 3 * (char_order + word_order)).

    Parameters
    ----------
    {options}

    Notes
    -----
    {notes}

    Examples
    --------
    >>> round(Chrf().update(["the cat sat"], ["the cat sits"]).score()["chrf"], 4)
    0.6103
    """

    name, title = "chrf", "chrF"
    options_type = ChrfOptions
    unit = "character"
    options: ChrfOptions

    @property
    def zero_row(self) -> Counts:
        """Three counts per order."""
        return np.zeros(3 * (self.options.char_order + self.options.word_order), np.int64)

    def described(self) -> dict[str, str]:
        """Return the fields of the signature, in sacreBLEU's form."""
        options = self.options
        beta = {} if options.beta == 2 else {"beta": f"{options.beta:g}"}
        return {
            "case": "lc" if options.lowercase else "mixed", "eff": yes_no(not options.eps_smoothing),
            "nc": str(options.char_order), "nw": str(options.word_order), "space": yes_no(options.whitespace), **beta,
        }  # fmt: skip

    def check_rows(self, rows: Counts) -> None:
        """Raise for rows that no text can have."""
        super().check_rows(rows)
        by_order = rows.reshape(len(rows), rows.shape[1] // 3, 3)
        is_right = (by_order[..., 2] <= by_order[..., 0]) & (by_order[..., 2] <= by_order[..., 1])
        refuse_rows(np.asarray(is_right.all(axis=1)), rows, "no more matches than either side has n-grams")

    def notes(self) -> Notes:
        """Return a collector of letters in two forms."""
        return Notes(TwoForms())

    def count(self, corpus: Corpus, notes: Notes) -> Rows:
        """Count the n-grams of both sides and their matches."""
        notes.look(corpus)
        options = self.options
        texts = self._lowered(corpus)
        return Rows(
            np.asarray(
                engine.kernel.character_matches(
                    texts.hypotheses, texts.references, texts.reference_offsets, options.char_order, options.word_order,
                    options.beta, whitespace=options.whitespace, eps_smoothing=options.eps_smoothing,
                    n_threads=corpus.n_threads,
                ),
                np.int64,
            )
        )  # fmt: skip

    def _lowered(self, corpus: Corpus) -> Corpus:
        if not self.options.lowercase:
            return corpus
        sides = corpus.hypotheses, corpus.references
        hypotheses, references = (known_texts([text.lower() for text in side.tolist()]) for side in sides)
        return Corpus(hypotheses, references, corpus.reference_offsets, corpus.first)

    def scores(self, rows: Counts) -> FloatArray:
        """Return chrF of pooled counts."""
        return chrf_score(rows, self.options.beta, eps_smoothing=self.options.eps_smoothing)[..., None]

    def counts(self) -> dict[str, Any]:
        """Return the n-grams of both sides and their matches, for every order of characters, then of words."""
        by_order = self.total().reshape(-1, 3).tolist()
        return {name: [row[i] for row in by_order] for i, name in enumerate(("prediction", "reference", "matches"))}

    def summary(self, result: Mapping[str, Any]) -> Summary:
        """Return the score and its orders as a table."""
        options = self.options
        label = "chrF" + "+" * min(options.word_order, 2)
        orders = f"orders of characters {options.char_order}, of words {options.word_order}; beta {options.beta:g}"
        return Summary(label, ("score",), [Line(label, (result["chrf"],), "chrf", is_headline=True)], [orders])

    @classmethod
    def words(cls, key: str) -> Words:  # noqa: ARG003
        """Explain chrF."""
        return _WORDS

    def marking(self, key: str) -> Marking:  # noqa: ARG002
        """Mark character n-grams, longer ones more strongly."""
        return Marking.of_orders(max(self.options.char_order, 1), "character")

    def as_cut(self, corpus: Corpus) -> tuple[Corpus, Tokenizer]:
        """Cut into characters."""
        return self._lowered(corpus), TOKENIZERS["character"]

    def alignments(self, corpus: Corpus, key: str) -> list[Alignment]:
        """Match characters with the reference that has the best F."""
        pairs = pairs_of(corpus)
        sides = marked(pairs, TOKENIZERS["character"], max(self.options.char_order, 1), normal=self._lowered(pairs))
        return with_best(corpus, self, key, sides)


_WORDS = Words(
    "chrF",
    "How many runs of characters do prediction and reference share?",
    (
        "Both texts are cut into characters, without white space. Runs of one to several characters that occur in both "
        "match, each at most as often as either text has it.",
        "Precision is the share of the prediction's runs that match, recall the share of the reference's; both are "
        "averaged over the lengths of the runs.",
        "chrF is F of the two, in which recall counts twice as much (beta). Counts are pooled over all segments first, "
        "so the score on top is not the mean of the segment scores.",
    ),
    "Unrelated texts of one language score well above 0: compare scores, do not read them as shares of what is right.",
)
chrf = one_call(Chrf)

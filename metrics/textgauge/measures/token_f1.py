"""Token F1 and exact match of short answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .. import engine
from ..arrays import FloatArray, IntArray
from ..checks import flag, one_of
from ..columns import Corpus
from ..scores.rouge import best_rows, precision_recall_f
from ..squad_rows import answer_corpus_of
from ..text import TOKENIZERS, Normalizer, Tokenizer, normalizer_of, tokenizer_of
from ..threads import threads_for
from .averages import AveragedScores
from .one_call import scored, with_options_of
from .storage import refuse_rows
from .warnings import LostAnswers

COUNTINGS = ("multiset", "set")
KEYS = ("precision", "recall", "f1", "exact_match")


class TokenF1(AveragedScores):
    """Token F1, batch by batch: holds integers per segment, never text.

    `update` takes both sides as `Bleu` does, or as rows of SQuAD, see `plain_columns`.
    `statistics` has matches, prediction tokens, reference tokens and exact match: int64, shape
    (n_segments, 4).

    Parameters
    ----------
    counting : "multiset" or "set"
        Whether a token that both sides have twice matches twice, as in SQuAD, or once.
    normalizer : str or callable str -> str
        "squad" lower-cases, drops ASCII punctuation and the words a, an, the; "mlqa:LANG"
        (en, es, de, ar, hi, vi, zh) does what the MLQA script does for that language;
        "lower" and "none" do no more than they say. A callable may be asked
        several times for the same text, and must answer the same. Exact match compares what the normalizer returns.
    tokenizer : str or callable str -> list
        Cuts the normalized text.

    References
    ----------
    Rajpurkar et al. (2016), SQuAD: 100,000+ Questions for Machine Comprehension of Text, section 6.1.

    Examples
    --------
    >>> answers = TokenF1().update(["in 1889"], [["1889", "the year 1889"]])
    >>> answers.score()
    {'precision': 0.5, 'recall': 1.0, 'f1': 0.6666666666666666, 'exact_match': 0.0}
    """

    corpus_of = staticmethod(answer_corpus_of)

    def __init__(
        self,
        *,
        counting: str = "multiset",
        normalizer: str | Normalizer | Callable[[str], str] = "squad",
        tokenizer: str | Tokenizer | Callable[[str], list[str]] = "whitespace",
    ) -> None:
        """Check and keep the options."""
        super().__init__()
        self.counting = one_of("counting", counting, COUNTINGS)
        self.normalizer = normalizer_of(normalizer)
        self.tokenizer = tokenizer_of(tokenizer)

    @property
    def _settings(self) -> dict[str, Any]:
        return {"counting": self.counting, "normalizer": self.normalizer, "tokenizer": self.tokenizer}

    def _lost(self) -> LostAnswers:
        return LostAnswers(self.normalizer, self.tokenizer)

    def _scored(self, batch: IntArray) -> FloatArray:
        """Precision, recall, F1 and exact match of every segment: shape (n_segments, 4)."""
        return np.column_stack((precision_recall_f(batch[:, :3]), batch[:, 3]))

    @property
    def score_names(self) -> tuple[str, ...]:
        """The keys of the result."""
        return KEYS

    def score_columns(self) -> FloatArray:
        """Return the scores of every segment: shape (n_segments, 4)."""
        return self.segment_scores()

    def score(
        self,
        *,
        per_segment: bool = False,
        signature: bool = False,
        confidence: float | None = None,
        n_resamples: int | None = None,
        seed: int | None = None,
    ) -> dict[str, Any]:
        """Return the means over the segments: precision, recall, f1, exact_match, each from 0 to 1.

        `per_segment` adds the lists segment_precision, segment_recall, segment_f1 and
        segment_exact_match; `signature` adds the line that says what was computed;
        `confidence` adds ``confidence_intervals`` by key, see `BootstrapOptions`.
        """
        bootstrap = self._bootstrap(confidence=confidence, n_resamples=n_resamples, seed=seed)
        result = self.by_name(self.mean_scores().tolist())
        if flag("per_segment", per_segment):
            scores = self.segment_scores()
            result |= {f"segment_{key}": scores[:, i].tolist() for i, key in enumerate(KEYS)}
        if flag("signature", signature):
            result["signature"] = self._signature()
        return result | self._intervals(bootstrap)

    def by_name(self, values: Any) -> dict[str, Any]:
        """Name what stands in the place of the four scores."""
        return dict(zip(KEYS, values, strict=True))

    @property
    def _described(self) -> dict[str, str]:
        return {"count": self.counting, "norm": self.normalizer.name, "tok": self.tokenizer.signature}

    @property
    def _zero_row(self) -> IntArray:
        return np.zeros(len(KEYS), np.int64)

    def _check_rows(self, rows: IntArray) -> None:
        super()._check_rows(rows)
        matches, exact = rows[:, 0], rows[:, 3]
        is_right = (matches <= rows[:, 1]) & (matches <= rows[:, 2]) & (exact <= 1)
        refuse_rows(is_right, rows, "no more matches than either side has, and 0 or 1 for exact match")

    def _counted(self, corpus: Corpus, lost: LostAnswers) -> IntArray:
        offsets = corpus.reference_offsets
        if self.normalizer.function is None and self.tokenizer == TOKENIZERS["whitespace"]:
            # The words of normalized answers: equal answers have equal words.
            tokens, equal = self.normalizer.words.cut(corpus), None
        else:
            normal = self.normalized(corpus)
            tokens, equal = self.tokenizer.cut(normal), _equal_texts(normal)
        lost.look(corpus, tokens)
        rows = np.array(engine.kernel.bag_matches(tokens, self.counting == "set", n_threads=threads_for(len(corpus))))
        counts, exact = rows[:, :3], rows[:, 3] if equal is None else equal
        if len(counts) == len(corpus):
            return np.column_stack((counts, exact))
        counts = best_rows(counts[:, None], precision_recall_f(counts)[:, None, 2], offsets)[:, 0]
        # As in SQuAD's script, exact match looks for its own best reference.
        return np.column_stack((counts, np.maximum.reduceat(exact, offsets[:-1])))

    def normalized(self, corpus: Corpus) -> Corpus:
        """Return the texts as the tokenizer gets them."""
        sides = self.normalizer.column(corpus.hypotheses), self.normalizer.column(corpus.references)
        return Corpus(*sides, corpus.reference_offsets, corpus.first)


def _equal_texts(corpus: Corpus) -> IntArray:
    """Say for every reference whether it equals its hypothesis: int64 of 0 and 1, shape (n_pairs,)."""
    hypotheses, offsets = corpus.hypotheses.tolist(), corpus.reference_offsets
    segment_of = np.repeat(np.arange(len(corpus)), np.diff(offsets)).tolist()
    pairs = zip(segment_of, corpus.references.tolist(), strict=True)
    return np.fromiter((hypotheses[segment] == text for segment, text in pairs), np.int64, len(segment_of))


@with_options_of(TokenF1, TokenF1.score)
def token_f1(predictions: Any, references: Any, **options: Any) -> dict[str, Any]:
    """Return token F1 of a corpus: `TokenF1` in one call.

    The options are those of `TokenF1` and of its `score`.

    Examples
    --------
    >>> token_f1(["red red blue"], ["red blue blue"], counting="set")["f1"]
    1.0
    """
    return scored(TokenF1, predictions, references, options)

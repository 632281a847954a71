"""The base classes of sacreBLEU's metrics, scores and signatures."""

from __future__ import annotations

import abc
import json
import logging
import os
import statistics
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

import numpy as np

from .... import engine
from ....arrays import Counts, IntArray, offsets_of
from ....checks import fail
from ....columns import Corpus, reference_column
from ....measures.measure import Measure
from ....plain import Texts
from ....version import __version__
from ...writable import column_of

sacrelogger = logging.getLogger("sacrebleu")
_TOKENIZED = (
    "That's 100 lines that end in a tokenized period ('.')",
    "It looks like you forgot to detokenize your test data, which may hurt your score.",
    "If you insist your data is detokenized, or don't care, you can suppress this message with the `force` parameter.",
)


class Score:
    """A score and its text.

    Attributes
    ----------
    name : str
    score : float
        From 0 to 100.
    """

    # Set by a bootstrap.
    _mean = -1.0
    _ci = -1.0
    # The text after the score.
    _verbose = ""

    def __init__(self, name: str, score: float) -> None:
        self.name = name
        self.score = score

    def format(self, width: int = 2, score_only: bool = False, signature: str = "", is_json: bool = False) -> str:
        """Return the score as text, or as JSON together with the fields of its signature.

        Parameters
        ----------
        width : int
            Number of decimals.
        score_only : bool
        signature : str
        is_json : bool
        """
        number = shown = f"{self.score:.{width}f}"
        found: dict[str, Any] = {"name": self.name, "score": float(number), "signature": signature}
        if self._mean > 0:
            mean, interval = f"{self._mean:.{width}f}", f"{self._ci:.{width}f}"
            confidence = f"\u03bc = {mean} \u00b1 {interval}"
            shown += f" ({confidence})"
            found |= {"confidence_mean": float(mean), "confidence_var": float(interval), "confidence": confidence}
        if self._verbose:
            found["verbose_score"] = self._verbose
        if score_only:
            return shown
        if is_json:
            found |= dict(part.split(":") for part in signature.split("|") if part)
            return json.dumps(found, indent=1, ensure_ascii=False)
        name = f"{self.name}|{signature}" if signature else self.name
        return " ".join(filter(None, (name, "=", shown, self._verbose)))

    def estimate_ci(self, scores: Sequence[Score]) -> None:
        """Set the mean of the resamples and half the width of their 95% interval."""
        ordered = sorted(one.score for one in scores)
        outside = len(ordered) // 40
        self._ci = 0.5 * (ordered[len(ordered) - outside - 1] - ordered[outside])
        # `statistics.mean` keeps single precision and fails on mixed types, as sacreBLEU then does: a score that is no
        # quotient is a Python float.
        is_mixed = len(set(map(type, ordered))) > 1
        self._mean = statistics.mean(map(float, ordered) if is_mixed else ordered)

    def __repr__(self) -> str:
        return self.format()


class Signature:
    """What was computed, in one line.

    Parameters
    ----------
    args : mapping
        The attributes of a metric.

    Raises
    ------
    ValueError
        If the metric has not scored yet.
    """

    _ABBREVIATIONS: ClassVar[Mapping[str, str]] = {
        "version": "v", "nrefs": "#", "test": "t", "lang": "l", "subset": "S", "origlang": "o", "bs": "bs", "ar": "ar",
        "seed": "rs",
    }  # fmt: skip

    def __init__(self, args: Mapping[str, Any]) -> None:
        if "num_refs" not in args:
            raise ValueError("Number of references unknown, please evaluate the metric first.")
        n_references = args["num_refs"]
        self.info: dict[str, Any] = {
            "version": f"textgauge-{__version__}",
            "nrefs": "var" if n_references == -1 else n_references,
            "bs": args.get("n_bootstrap"),
            "ar": None,
            "seed": args.get("seed"),
            "test": args.get("test_set"),
            "lang": args.get("langpair"),
            "origlang": args.get("origlang"),
            "subset": args.get("subset"),
        }

    def format(self, short: bool = False) -> str:
        """Return the line; `short` abbreviates the names."""
        names = [*(name for name in self.info if name != "version"), "version"]
        return "|".join(
            f"{self._ABBREVIATIONS.get(name, name) if short else name}:{_yes_or_no(self.info[name])}"
            for name in names
            if self.info[name] is not None
        )

    def update(self, key: str, value: Any) -> None:
        """Add or change a field."""
        self.info[key] = value

    def __str__(self) -> str:
        return self.format()

    def __repr__(self) -> str:
        return self.format()


def _yes_or_no(value: Any) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


class References(NamedTuple):
    """The references of all segments, checked once."""

    texts: Texts
    offsets: IntArray

    def __len__(self) -> int:
        return len(self.offsets) - 1


_Score = TypeVar("_Score", bound=Score)


class Metric(abc.ABC, Generic[_Score]):
    """A metric: one of our measures counts; sacreBLEU's formula scores, in its order of operations."""

    _SIGNATURE_TYPE: ClassVar[type[Signature]] = Signature
    _measure: Measure
    num_refs: int

    def __init__(self, references: Sequence[Sequence[str | None]] | None) -> None:
        engine.warn_if_plain()
        # Only BLEU warns of tokenized texts.
        self._force = getattr(self, "_force", True)
        self.n_bootstrap: int | None = None
        self.seed: str | None = None
        self._ref_cache = None if references is None else self._cache_references(references)

    @abc.abstractmethod
    def _compute_score_from_stats(self, stats: Sequence[Any]) -> _Score:
        """Score a row, or a sum of rows."""

    def _ordered(self, rows: Counts) -> Counts:
        """Reorder rows of the measure as sacreBLEU orders them."""
        return rows

    def sentence_score(self, hypothesis: str, references: Sequence[str]) -> _Score:
        """Return the score of one text.

        Parameters
        ----------
        hypothesis : str
        references : sequence of str
            None among them is skipped.
        """
        self._check_sentence(hypothesis, references)
        return self._compute_score_from_stats(self._sentence_row(hypothesis, references))

    def _sentence_row(self, hypothesis: str, references: Sequence[str]) -> Sequence[Any]:
        given = [reference for reference in references if reference is not None]
        if not given:
            fail(ValueError, "refs", "at least one reference", "none")
        self.num_refs = len(given)
        corpus = Corpus(column_of([hypothesis], "hyp"), column_of(given, "refs"), _bounds(len(given)))
        row: list[Any] = self._counted(corpus)[0].tolist()
        return row

    def corpus_score(
        self, hypotheses: Sequence[str], references: Sequence[Sequence[str | None]] | None, n_bootstrap: int = 1
    ) -> _Score:
        """Return the score of a corpus.

        Parameters
        ----------
        hypotheses : sequence of str
        references : sequence of sequences of str, or None
            One per reference, not one per segment; None in it is skipped. None: the references that the metric was
            made with.
        n_bootstrap : int
            Above 1, the number of resamples for the interval; the environment variable `SACREBLEU_SEED` seeds them.
        """
        self._check_corpus(hypotheses, references)
        rows = self._extract_corpus_statistics(hypotheses, references)
        score = self._aggregate_and_compute(rows)
        if n_bootstrap > 1:
            self.n_bootstrap = n_bootstrap
            score.estimate_ci(self._resampled(rows, n_bootstrap))
        return score

    def get_signature(self) -> Signature:
        """Return the signature of the metric."""
        return self._SIGNATURE_TYPE(self.__dict__)

    # ---- under the names that sacreBLEU's significance tests call

    def _extract_corpus_statistics(
        self, hypotheses: Sequence[str], references: Sequence[Sequence[str | None]] | None
    ) -> Counts:
        """Return a row per segment."""
        known = self._cache_references(references) if references else self._ref_cache
        if not known:
            raise RuntimeError("No references provided and the cache is empty.")
        # As in sacreBLEU: the surplus of the longer side is dropped.
        n_segments = min(len(hypotheses), len(known))
        texts = list(hypotheses[:n_segments])
        self._look_for_tokenized(texts)
        offsets = known.offsets[: n_segments + 1]
        return self._counted(Corpus(column_of(texts, "hyps"), known.texts.slice(0, int(offsets[-1])), offsets))

    def _cache_references(self, references: Sequence[Sequence[str | None]]) -> References:
        """Read streams of references; set `num_refs`."""
        segments = [[line for line in lines if line is not None] for lines in zip(*references, strict=False)]
        n_references = [len(lines) for lines in segments]
        self.num_refs = n_references[0] if len(set(n_references)) == 1 else -1
        if 0 in n_references:
            # Raises, with the position.
            reference_column(segments, "refs")
        flat = [line for lines in segments for line in lines]
        return References(column_of(flat, "refs"), offsets_of(np.array(n_references, np.int64)))

    def _aggregate_and_compute(self, stats: Any) -> _Score:
        """Score the sum of rows."""
        if len(stats) == 1:
            # Rows of resamples are scored in float32.
            row = stats[0]
            return self._compute_score_from_stats(row if getattr(row, "dtype", None) == np.float32 else list(row))
        # Sequential sums: np.sum adds pairwise.
        sums: list[Any] = np.cumsum(stats, axis=0)[-1].tolist()
        return self._compute_score_from_stats(sums)

    def _resampled(self, rows: Counts, n_samples: int) -> list[_Score]:
        """Score resamples, in single precision as sacreBLEU does."""
        self.seed = os.environ.get("SACREBLEU_SEED", "12345").lower()
        rng = np.random.default_rng(None if self.seed == "none" else int(self.seed))
        drawn = rng.choice(len(rows), size=(n_samples, len(rows)), replace=True)
        single = rows.astype(np.float32)
        return [self._compute_score_from_stats(single[one].sum(0)) for one in drawn]

    def _counted(self, corpus: Corpus) -> Counts:
        notes = self._measure.notes()
        parts = [self._measure.count(chunk, notes).values for chunk in corpus.chunks()]
        return self._ordered(parts[0] if len(parts) == 1 else np.concatenate(parts))

    def _look_for_tokenized(self, hypotheses: Sequence[str]) -> None:
        if not self._force and sum(text.endswith(" .") for text in hypotheses) >= 100:
            for line in _TOKENIZED:
                sacrelogger.warning(line)

    def _check_sentence(self, hypothesis: Any, references: Any) -> None:
        prefix = type(self).__name__
        if not isinstance(hypothesis, str):
            raise TypeError(f"{prefix}: The argument `hyp` should be a string.")
        if type(references) is not list and (isinstance(references, str) or not isinstance(references, Sequence)):
            raise TypeError(f"{prefix}: The argument `refs` should be a sequence of strings.")
        if not isinstance(references[0], str) and references[0] is not None:
            raise TypeError(f"{prefix}: Each element of `refs` should be a string.")

    def _check_corpus(self, hypotheses: Any, references: Any) -> None:
        wrong = ""
        if not isinstance(hypotheses, Sequence):
            wrong = "`hyps` should be a sequence of strings."
        elif not isinstance(hypotheses[0], str):
            wrong = "Each element of `hyps` should be a string."
        elif any(line is None for line in hypotheses):
            wrong = "Undefined line in hypotheses stream!"
        if references is not None:
            if not isinstance(references, Sequence):
                wrong = "`refs` should be a sequence of sequence of strings."
            elif not isinstance(references[0], Sequence):
                wrong = "Each element of `refs` should be a sequence of strings."
            elif not isinstance(references[0][0], str) and references[0][0] is not None:
                wrong = "`refs` should be a sequence of sequence of strings."
        if wrong:
            raise TypeError(f"{type(self).__name__}: {wrong}")


@lru_cache(maxsize=64)
def _bounds(n_references: int) -> IntArray:
    return np.array([0, n_references], np.int64)

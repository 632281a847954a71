"""What the page of `explain` says: scores with intervals, distributions, segments with their marks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ..arrays import FloatArray, IntArray, lengths_of
from ..checks import fail, positive_int
from ..columns import Corpus
from ..lazy import lazy
from ..measures.alignment import Alignment, aligned
from ..measures.bleu import Bleu
from ..measures.named import NamedScore
from ..measures.rouge import Rouge
from ..resampling import BootstrapOptions, bootstrap_interval
from ..text.tokenizers import text_lengths
from .charts import Histogram, Interval, Tick, interval_axis
from .marks import Marking, Piece

MOST_SEGMENTS = 5000


class Fact(NamedTuple):
    """A number beside the score; `share` is the same from 0 to 1 if it can be drawn."""

    name: str
    value: str
    share: float | None = None


@dataclass(frozen=True)
class System:
    """The texts of one system and their scores.

    Attributes
    ----------
    name : str
    corpus : Corpus
    named : NamedScore
    options : mapping
        Of the measure.
    measure : Any
        An accumulator that has counted `corpus`.
    interval : (float, float) or None
        Of the score; None where a single segment cannot vary.
    """

    name: str
    corpus: Corpus
    named: NamedScore
    options: Mapping[str, Any]
    measure: Any
    interval: tuple[float, float] | None

    @classmethod
    def of(
        cls, name: str, corpus: Corpus, named: NamedScore, options: Mapping[str, Any], bootstrap: BootstrapOptions
    ) -> System:
        """Score the texts."""
        measure = named.start(options)
        measure.update_corpus(corpus)
        interval = None
        if len(corpus) > 1 and bootstrap.confidence is not None:
            low, high = bootstrap_interval(measure.additive, lambda s: measure.corpus_scores(s)[named.key], bootstrap)
            interval = float(low), float(high)
        return cls(name, corpus, named, options, measure, interval)

    @lazy
    def score(self) -> float:
        """The score of the corpus."""
        return float(self.measure.observed_scores()[self.named.key])

    @lazy
    def segment_scores(self) -> FloatArray:
        """The score of every segment by itself: shape (n_segments,)."""
        scores: FloatArray = self.measure.corpus_scores(self.measure.additive)[self.named.key]
        return scores

    @lazy
    def lengths(self) -> tuple[IntArray, IntArray]:
        """Tokens of every prediction and of every reference."""
        read = self.measure.as_read(self.corpus)
        chunks = [text_lengths(self.measure.tokenizer.cut(chunk)) for chunk in read.chunks()]
        hypotheses, references = (np.concatenate(sides) for sides in zip(*chunks, strict=True))
        return hypotheses, references

    @lazy
    def facts(self) -> list[Fact]:
        """What the score is made of."""
        hypotheses, references = self.lengths
        sizes = [
            Fact("tokens per prediction", f"{hypotheses.mean():.1f}"),
            Fact("tokens per reference", f"{references.mean():.1f}"),
        ]
        if isinstance(self.measure, Bleu):
            result = self.measure.score()
            shares = {f"{n}-gram precision": p for n, p in enumerate(result["precisions"], 1)}
            shares["brevity penalty"] = result["brevity_penalty"]
        elif isinstance(self.measure, Rouge):
            precision, recall, _ = self.measure.segment_scores().mean(axis=0)[0].tolist()
            shares = {"precision": precision, "recall": recall}
        else:
            result = self.measure.score()
            shares = {name.replace("_", " "): result[name] for name in ("precision", "recall", "f1", "exact_match")}
        return [Fact(name, f"{value:.4f}", value) for name, value in shares.items()] + sizes

    @property
    def marking(self) -> Marking:
        """How matches are shown."""
        options = getattr(self.measure, "options", None)
        return Marking.of(self.named.key, getattr(options, "max_order", 1))

    def aligned(self, segments: IntArray) -> list[Alignment]:
        """Return the matches of some segments."""
        return aligned(self.corpus.take(segments), self.named, self.options)


@dataclass(frozen=True)
class Content:
    """Everything on the page.

    Attributes
    ----------
    key : str
        The name of the score.
    systems : sequence of System
    bootstrap : BootstrapOptions
        How the intervals were drawn.
    most_segments : int
        Of more segments than this, the worst and the best are listed.
    """

    key: str
    systems: Sequence[System]
    bootstrap: BootstrapOptions
    most_segments: int = MOST_SEGMENTS

    def __post_init__(self) -> None:
        """Check what cannot be shown."""
        positive_int("most_segments", self.most_segments)
        if not self.systems or self.n_segments == 0:
            fail(ValueError, "systems", "at least one system with at least one segment", "none")

    @property
    def n_segments(self) -> int:
        """How many segments there are."""
        return len(self.systems[0].corpus)

    @property
    def tokenizer(self) -> str:
        """The name of the tokenizer."""
        return str(self.systems[0].measure.tokenizer.name)

    @lazy
    def marking(self) -> Marking:
        """How matches are shown."""
        return self.systems[0].marking

    @lazy
    def axis(self) -> tuple[list[Interval], list[Tick]]:
        """The intervals of all systems on one axis."""
        return interval_axis([(system.score, system.interval) for system in self.systems])

    @lazy
    def histograms(self) -> dict[str, Histogram]:
        """The distributions of scores and lengths."""
        names = [system.name for system in self.systems]
        references = self.systems[0].lengths[1]
        return {
            "scores": Histogram.of_scores(names, [system.segment_scores for system in self.systems], "score"),
            "lengths": Histogram.of_lengths(
                [*names, None], [*(system.lengths[0] for system in self.systems), references], "tokens"
            ),
        }

    @lazy
    def listed(self) -> IntArray:
        """The segments that are listed, ascending."""
        if self.n_segments <= self.most_segments:
            return np.arange(self.n_segments)
        means = np.mean([system.segment_scores for system in self.systems], axis=0)
        order = np.argsort(means, kind="stable")
        n_best = self.most_segments // 2
        return np.sort(np.concatenate((order[: self.most_segments - n_best], order[len(order) - n_best :])))

    def segments(self) -> list[dict[str, Any]]:
        """Return the listed segments for the page's own program.

        Every text is a flat list: piece, mark, piece, mark, ...; a mark is 2 * level + 1 if
        the piece is underlined.
        """
        systems = [(system, system.aligned(self.listed)) for system in self.systems]
        corpus = self.systems[0].corpus
        n_references = lengths_of(corpus.reference_offsets)
        rows = []
        for row, segment in enumerate(self.listed.tolist()):
            first = int(corpus.reference_offsets[segment])
            texts = corpus.references.slice(first, first + int(n_references[segment])).tolist()
            of_systems = [self._shown(system, segment, alignments[row], texts) for system, alignments in systems]
            rows.append({"n": segment + 1, "systems": of_systems})
        return rows

    def _shown(self, system: System, segment: int, alignment: Alignment, references: Sequence[str]) -> dict[str, Any]:
        hypothesis = system.corpus.hypotheses[segment]
        return {
            "score": float(system.segment_scores[segment]),
            "tokens": int(system.lengths[0][segment]),
            "matched": sum(map(self.marking.counts, alignment.prediction)),
            "text": _flat(self.marking.pieces(hypothesis, alignment.prediction)),
            "references": [
                _flat(self.marking.pieces(text, matches))
                for text, matches in zip(references, alignment.references, strict=True)
            ],
            "best": alignment.best,
        }


def _flat(pieces: Sequence[Piece]) -> list[Any]:
    return [part for piece in pieces for part in (piece.text, 2 * piece.level + piece.is_common)]

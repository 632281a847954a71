"""The calculation of METEOR: what is joined and how, chunks, precision, recall, penalty."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import engine
from ..arrays import IntArray
from ..input.columns import Corpus, known_texts
from ..measures.meteor import MeteorMetric
from ..metric.layout import Rows
from ..text import NOWHERE
from .alignment import Alignment, Match, MatchedSides, aligned_with_best, best_pairs_of, pairs_of
from .derivation import Derivation, Step, figure
from .explainer import Explainer
from .marks import Mark, Marks

KINDS = ("exact", "stem", "synonym", "paraphrase")
_MEANINGS = ("equal words", "words of one stem", "synonyms", "runs of words that the table has as paraphrases")
_BRACKETS = ("[]", "{}", "<>", "()")
# Place and length in the reference, in the prediction, and which of `KINDS`.
Link = tuple[int, int, int, int, int]


class MeteorExplainer(Explainer):
    """Explains the scores of `MeteorMetric`."""

    metric: MeteorMetric
    kinds: tuple[str, ...] = KINDS[:3]

    def cut(self, texts: Sequence[str]) -> list[list[str]]:
        """Return the words of texts."""
        return [self.metric.counter.cut(text) for text in texts]

    def links(self, prediction: str, reference: str) -> list[Link]:
        """Return what is joined in a pair, by place in the reference."""
        call: Any = engine.kernel.meteor_matches
        texts = known_texts([prediction, reference])
        found = call(*self.metric.counter.arguments(texts, np.array([0]), np.array([1])))
        return sorted(tuple(link) for link in np.asarray(found).reshape(-1, 5).tolist())

    def marks(self, key: str) -> Marks:
        """Mark words by what joins them, in runs where they are one chunk."""

        def align(corpus: Corpus) -> list[Alignment]:
            sides: MatchedSides = ([], [])
            for prediction, reference in corpus_pairs(corpus):
                links = self.links(prediction, reference)
                for side, text, at in ((0, prediction, 2), (1, reference, 0)):
                    sides[side].append(self._matches(text, links, at))
            return aligned_with_best(corpus, self.metric, key, sides)

        legend = [Mark(4 - kind, False, _MEANINGS[kind], _BRACKETS[kind]) for kind in range(len(self.kinds))]
        return Marks(align, tuple((float(level), level) for level in range(1, 5)), 1, tuple(legend))

    def _matches(self, text: str, links: Sequence[Link], at: int) -> list[Match]:
        """Return the joined words of one side, where they stand in its text."""
        [words] = self.cut([text])
        places = _places(text, words)
        chunk_of, kind_of = {}, {}
        for number, chunk in enumerate(chunks_of(links)):
            for link in chunk:
                for word in range(link[at], link[at] + link[at + 1]):
                    chunk_of[word], kind_of[word] = number, link[4]
        return [
            Match(*places[word], 4 - kind_of[word], chunk_of.get(word + 1) == chunk_of[word], False)
            for word in sorted(kind_of)
            if places[word] != NOWHERE
        ]

    def sizes(self, corpus: Corpus) -> tuple[IntArray, IntArray]:
        """Return the number of words of every prediction and of every reference."""
        sides = (self.cut(texts.tolist()) for texts in (corpus.hypotheses, corpus.references))
        hypotheses, references = (np.array([*map(len, side)], np.int64) for side in sides)
        return hypotheses, references

    def derivation(self, key: str, rows: Rows, segment: Corpus | None) -> Derivation:
        """Show what is joined, the chunks, precision, recall, their mean, the penalty."""
        title = self.metric.about.title
        if segment is None:
            return super().derivation(key, rows, segment)
        steps = self.joined(key, segment)
        o = self.metric.options
        m, chunks, n_own, n = (int(rows[name]) for name in ("matches", "chunks", "prediction", "reference"))
        score = float(self.metric.formula(rows)[key]) * self.metric.scores.scale
        if not m:
            return Derivation(title, (*steps, Step(title, formula="no word matches", value=score)))
        p, r = m / n_own, m / n
        mean = p * r / (o.alpha * p + (1 - o.alpha) * r)
        penalty = o.gamma * (chunks / m) ** o.beta
        steps += [
            Step("precision", formula=f"{m} / {n_own}", value=p, meaning="matches per word of the prediction"),
            Step("recall", formula=f"{m} / {n}", value=r, meaning="matches per word of the reference"),
            Step("mean", formula=f"P R / ({o.alpha:g} P + {1 - o.alpha:.4g} R)", value=mean),
            Step("penalty", formula=f"{o.gamma:g} × ({chunks} / {m})^{o.beta:g}", value=penalty,
                 meaning="the more chunks for so many matches, the larger"),
            Step(title, formula=f"{mean:.4f} × (1 - {penalty:.4f})", value=score),
        ]  # fmt: skip
        return Derivation(title, tuple(steps))

    def joined(self, key: str, segment: Corpus) -> list[Step]:
        """Return the matches of every kind, and the chunks as boxes."""
        [best] = best_pairs_of(self.metric, segment, key).tolist()
        prediction, reference = corpus_pairs(segment)[best]
        own, other = self.cut([prediction, reference])
        links = self.links(prediction, reference)
        steps = []
        for kind, name in enumerate(self.kinds):
            found = [link for link in links if link[4] == kind]
            written = tuple(_written(link, own, other) for link in found)
            if found or not kind:
                steps.append(Step(name, (figure(len(found)),), examples=written, meaning=_MEANINGS[kind]))
        boxes = tuple(f"[{' '.join(_run(own, link, 2) for link in chunk)}]" for chunk in chunks_of(links))
        steps.append(Step("chunks", (figure(len(boxes)),), examples=boxes, meaning="runs of matches in the same order"))
        return steps


def corpus_pairs(corpus: Corpus) -> list[tuple[str, str]]:
    """Return every prediction with each of its references."""
    return pairs_of(corpus).pairs()


def chunks_of(links: Sequence[Link]) -> list[list[Link]]:
    """Cut links into runs that are adjacent in both texts."""
    chunks: list[list[Link]] = []
    end = (-1, -1)
    for link in links:
        if (link[0], link[2]) != end:
            chunks.append([])
        chunks[-1].append(link)
        end = (link[0] + link[1], link[2] + link[3])
    return chunks


def _run(words: Sequence[str], link: Link, at: int) -> str:
    return " ".join(words[link[at] : link[at] + link[at + 1]])


def _written(link: Link, own: Sequence[str], other: Sequence[str]) -> str:
    left, right = _run(own, link, 2), _run(other, link, 0)
    return left if left == right else f"{left} → {right}"


def _places(text: str, words: Sequence[str]) -> list[tuple[int, int]]:
    """Return where words stand in their text; `NOWHERE` for those that were rewritten."""
    lower = text.lower()
    lower = lower if len(lower) == len(text) else text
    at, places = 0, []
    for word in words:
        start = lower.find(word, at)
        if start < 0 and word in ("``", "''"):
            word, start = '"', lower.find('"', at)
        places.append(NOWHERE if start < 0 else (start, start + len(word)))
        at = at if start < 0 else start + len(word)
    return places

"""What consistency rests on: the sentences of a text, each with the part of its document that supports it best."""

from __future__ import annotations

import numpy as np

from ..checks import printable
from ..input.columns import Corpus
from ..measures.consistency import ConsistencyMetric
from ..metric.layout import Rows
from ..models.consistency import Support
from .alignment import Alignment, Match
from .derivation import Derivation, Step
from .explainer import Explainer
from .marks import Mark, Marks

# A sentence below it is not supported: of SummaC, more contradicted than entailed.
_LEAST, _LEAST_OF_SUMMAC = 0.5, 0.0
# Characters of a part of a document that are shown: its beginning and its end.
_SHOWN = 80


class ConsistencyExplainer(Explainer):
    """Explains the scores of `ConsistencyMetric`."""

    metric: ConsistencyMetric

    def marks(self, key: str) -> Marks:  # noqa: ARG002
        """Mark the sentences that the document does not support."""
        legend = (Mark(3, False, f"not supported by the document: below {self._least:g}"),)
        return Marks(self._align, ((1.0, 3),), 1.0, legend, "are not supported", are_errors=True)

    def derivation(self, key: str, rows: Rows, segment: Corpus | None) -> Derivation:
        """Show each sentence with its score and the best part of the document."""
        title, score = self.metric.about.explain(key).title, float(self.metric.formula(rows)[key])
        steps = []
        for i, one in enumerate(self._supports(segment)[0] if segment is not None else (), 1):
            verdict = "" if one.score >= self._least else ", not supported"
            steps += [
                Step(f"sentence {i}", (printable(one.piece),), value=one.score, meaning=f"its support{verdict}"),
                Step(
                    "", examples=(printable(_ends(one.part)),), meaning="the part of the document that supports it best"
                ),
            ]
        model = self.metric.counter.model()
        whole = "the whole text at once" if model.form == "minicheck" else "the mean over its sentences"
        return Derivation(title, (*steps, Step(title, value=score, meaning=f"what {model.name} says of {whole}")))

    @property
    def _least(self) -> float:
        return _LEAST_OF_SUMMAC if self.metric.options.form == "summac-zs" else _LEAST

    def _supports(self, corpus: Corpus) -> list[list[Support]]:
        model, size = self.metric.counter.model(), self.metric.options.batch_size
        documents = [""] * len(corpus) if corpus.sources is None else corpus.sources.tolist()
        return [model.supports(*sides, size) for sides in zip(documents, corpus.hypotheses.tolist(), strict=True)]

    def _align(self, corpus: Corpus) -> list[Alignment]:
        found = []
        sides = zip(corpus.hypotheses.tolist(), self._supports(corpus), np.diff(corpus.reference_offsets), strict=True)
        for text, supports, n_references in sides:
            matches, at = [], 0
            for one in supports:
                start = text.find(one.piece, at)
                at = start + len(one.piece)
                if one.score < self._least and one.piece:
                    matches.append(Match(start, at, 1.0, False, False))
            found.append(Alignment(matches, [[] for _ in range(n_references)], 0, is_alone=False))
        return found


def _ends(text: str) -> str:
    return text if len(text) <= 2 * _SHOWN else f"{text[:_SHOWN]} ... {text[-_SHOWN:]}"

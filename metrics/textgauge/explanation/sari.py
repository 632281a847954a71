"""The calculation of SARI; and the words that were kept, deleted and added, rightly and wrongly."""

from __future__ import annotations

from ..input.columns import Corpus
from ..measures.sari import PARTS, SariMetric
from ..metric.layout import Rows
from ..plain.scores import f_measure, ratio
from ..text import NOWHERE
from .alignment import Alignment, Match, placed_texts
from .derivation import Derivation, Step, figure
from .explainer import Explainer
from .marks import Marks

_MEANINGS = {
    "keep": "words of the source that the prediction has, too; right if a reference has them",
    "delete": "words of the source that the prediction lacks; right if a reference lacks them",
    "add": "words of the prediction that the source lacks; right if a reference has them",
}


class SariExplainer(Explainer):
    """Explains the scores of `SariMetric`."""

    metric: SariMetric

    def marks(self, key: str) -> Marks:  # noqa: ARG002
        """Mark words that were kept or added rightly."""
        return Marks.of_common("kept, as in a reference", "added, as in a reference", self._align, other_counts=True)

    def derivation(self, key: str, rows: Rows, segment: Corpus | None) -> Derivation:
        """Show the words of a segment by what became of them, the three parts, and their mean."""
        found, scale = self.metric.formula(rows), self.metric.scores.scale
        words = {} if segment is None else self._words(segment)
        steps = []
        for part, (right, wrong) in words.items():
            cells = (f"{len(right)} of {len(right) + len(wrong)} right",)
            steps.append(Step(f"to {part}", cells, examples=(*right,), unmatched=(*wrong,), meaning=_MEANINGS[part]))
        values = [float(found[part]) * scale for part in PARTS]
        steps += [self._part(part, value, rows) for part, value in zip(PARTS, values, strict=True)]
        formula = f"({' + '.join(map(figure, values))}) / 3"
        title = self.metric.about.title
        return Derivation(title, (*steps, Step(title, formula=formula, value=float(found[key]) * scale)))

    def _part(self, part: str, value: float, rows: Rows) -> Step:
        """Show a part as the mean of its shares, one for each length of n-grams."""
        options, scale = self.metric.options, self.metric.scores.scale
        is_f = part != "delete" or options.deletion == "f1"
        of_order = "F of precision and recall" if is_f else "the precision"
        if options.rules.shares is not None:
            shares = rows[part].tolist()
            of_order += ", or 1 without any, as in the Hub's" * (options.counting == "hub")
        else:
            right, own, wanted = (rows[f"{part}{which}"].tolist() for which in ("_right", "", "_wanted"))
            sides = [[*map(ratio, right, side)] for side in (own, wanted)]
            if options.rules.is_of_paper and is_f:
                means = [figure(sum(side) / len(side)) for side in sides]
                formula = f"{figure(scale)} × F of {means[0]} and {means[1]}"
                return Step(
                    part, (), formula, value, meaning="mean precision and mean recall of n-grams of 1 to 4 words"
                )
            shares = [*map(f_measure, *sides)] if is_f else sides[0]
        formula = f"{figure(scale)} × ({' + '.join(map(figure, shares))}) / {len(shares)}"
        return Step(part, (), formula, value, meaning=f"for n-grams of 1, 2, 3 and 4 words: {of_order}")

    def _words(self, segment: Corpus) -> dict[str, tuple[list[str], list[str]]]:
        """Return the different words of each part that are right, and those that are wrong."""
        cut = self.metric.counter.tokenizer
        source = self._source(segment, 0)
        prediction, *references = [*map(cut, (*segment.hypotheses.tolist(), *segment.references.tolist()))]
        anywhere = {word for reference in references for word in reference}
        everywhere = anywhere.intersection(*references)
        right = {
            "keep": [(word, word in anywhere) for word in source if word in prediction],
            "delete": [(word, word not in everywhere) for word in source if word not in prediction],
            "add": [(word, word in anywhere) for word in prediction if word not in source],
        }
        return {
            part: ([word for word, is_right in words.items() if is_right],
                   [word for word, is_right in words.items() if not is_right])
            for part, words in ((part, dict(pairs)) for part, pairs in right.items())
        }  # fmt: skip

    def _source(self, corpus: Corpus, segment: int) -> list[str]:
        """Return the words of a source."""
        texts, tokenizer = self.metric.counter.as_cut(corpus)
        return [] if texts.sources is None else tokenizer(texts.sources[segment])

    def _align(self, corpus: Corpus) -> list[Alignment]:
        """Match with all references together."""
        tokenizer, alignments = self.metric.counter.tokenizer, []
        for segment, texts in enumerate(placed_texts(corpus, tokenizer.cut(corpus), tokenizer)):
            source = {*self._source(corpus, segment)}
            prediction, references = {*texts[0].tokens}, {token for text in texts[1:] for token in text.tokens}
            sides = [
                [
                    Match(*place, 1, False, token in source)
                    for place, token in zip(text.places, text.tokens, strict=True)
                    if place != NOWHERE and token in (prediction if i else references)
                ]
                for i, text in enumerate(texts)
            ]
            alignments.append(Alignment(sides[0], sides[1:], 0, is_alone=False))
        return alignments

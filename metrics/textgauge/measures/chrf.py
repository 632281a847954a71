"""chrF and chrF++ of texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import numpy as np

from .. import engine
from ..accumulation.accumulator import accumulator_of
from ..accumulation.functions import one_call
from ..all_pairs.counts import PairCounts, Roles, group_of, n_ngrams, n_tokens, ngram_counts
from ..arrays import Counts
from ..checks import MAX_BETA, MAX_ORDER, fail, quantity, shown
from ..explanation.alignment import Alignment, aligned_with_best, matched, pairs_of
from ..explanation.derivation import NEITHER, Derivation, Step, f_formula, figure
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
    Notes,
    Rows,
    Score,
    Scores,
    Summary,
    TwoForms,
    scores_of,
)
from ..options import Options, option
from ..plain import Texts
from ..signatures import yes_no
from ..text import TOKENIZERS, Tokenizer


@dataclass(frozen=True)
class ChrfOptions(Options):
    """Scores are from 0 to 100, as sacreBLEU's.

    Of several references, the one with the best F counts, segment by segment.

    References: Popović (2015), chrF: character n-gram F-score for automatic MT evaluation;
    Popović (2017), chrF++: words helping character n-grams. The figures are those of sacreBLEU.
    """

    char_order: int = option(6, "Highest order of character n-grams.", at_least=0, at_most=MAX_ORDER, on_page=True)
    word_order: int = option(
        0, "Highest order of word n-grams; 2 makes it chrF++.", at_least=0, at_most=MAX_ORDER, on_page=True
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


_WORDS: Explanation = Explanation(
    "",
    "How many runs of characters do prediction and reference share?",
    (
        "Both texts are cut into characters, without white space. Runs of one to several characters that occur in both "
        "match, each at most as often as either text has it. chrF++ counts runs of one and two words, too.",
        "Precision is the share of the prediction's runs that match, recall the share of the reference's; both are "
        "averaged over the lengths of the runs.",
        "chrF is F of the two, in which recall counts beta times as much: twice in chrF2, which is the default. Counts "
        "are pooled over all segments first, so the score on top is not the mean of the segment scores.",
    ),
    "Unrelated English texts score 15 to 20, since they share letters: a chrF of 60 does not mean that 60 percent is "
    "right.",
)


def _explained(title: str, _: str) -> Explanation:
    return _WORDS._replace(title=title)


@cache
def _about(title: str) -> About:
    return About(title, partial(_explained, title), unit="character")


class ChrfMetric(Metric):
    """chrF and chrF++ (Popović 2015, 2017).

    `statistics` has the fields ``matches``, ``prediction`` and ``reference``: common n-grams, and those of either
    side, of every order of characters, then of words; int64.

    Examples
    --------
    >>> round(Chrf().update(["the cat sat"], ["the cat sits"]).score()["chrf"], 2)
    61.03
    """

    name = "chrf"
    options_type = ChrfOptions
    about = _about("chrF")
    # The formula makes percent as sacreBLEU does.
    scores = Scores(Score("chrf", perfect=100.0, largest=100.0))
    options: ChrfOptions

    def prepare(self) -> None:
        """Choose the layout and the title, which sacreBLEU and papers write with beta: chrF2, with words chrF2++."""
        self.about = _about(f"chrF{self.options.beta:g}{'+' * self.options.word_order}")
        n_orders = self.options.char_order + self.options.word_order
        self.layout = Layout([Field(name, n_orders) for name in ("prediction", "reference", "matches")])

    def notes(self) -> Notes:
        """Return a collector of letters in two forms."""
        options = self.options

        def compared(text: str) -> str:
            text = text.lower() if options.lowercase else text
            return text if options.whitespace else "".join(text.split())

        return Notes(unusual=lambda: (TwoForms(compared=compared),), reads_latin=False)

    def rows(self, corpus: Corpus, notes: Notes) -> Rows:
        """Count the n-grams of both sides and their matches."""
        notes.examine(corpus)
        options = self.options
        texts = self.lowered(corpus) if options.lowercase else corpus
        counts = engine.kernel.character_matches(
            texts.hypotheses, texts.references, texts.offsets, options.char_order, options.word_order,
            whitespace=options.whitespace, n_threads=corpus.n_threads,
        )  # fmt: skip
        return self.layout.counted(counts)

    def all_pairs(self, texts: Texts, roles: Roles, notes: Notes) -> PairCounts | None:
        """Count matches by an index of all texts, of characters and of words."""
        notes.examine(group_of(texts, roles))
        options = self.options
        texts = self.lowered_texts(texts)
        levels = []
        if options.char_order:
            levels.append((engine.kernel.character_tokens(texts, options.whitespace), options.char_order))
        if options.word_order:
            levels.append((engine.kernel.word_tokens(texts), options.word_order))
        totals = np.concatenate([n_ngrams(n_tokens(tokens), order) for tokens, order in levels], axis=1)
        counts = [ngram_counts(tokens, order, roles) for tokens, order in levels]

        def matches(predictions: slice, references: slice) -> Counts:
            by_level = [count(predictions, references) for count in counts]
            return by_level[0] if len(by_level) == 1 else np.concatenate(by_level, axis=-1)

        return PairCounts({"matches": matches}, {"prediction": totals}, {"reference": roles.of_references(totals)})

    def lowered(self, corpus: Corpus) -> Corpus:
        """Lower-case all texts, if asked for."""
        return corpus.rewritten(self.lowered_texts) if self.options.lowercase else corpus

    def lowered_texts(self, texts: Texts) -> Texts:
        """Lower-case texts, if asked for."""
        return known_texts([text.lower() for text in texts.tolist()]) if self.options.lowercase else texts

    def signature_fields(self, reports: Any = None) -> dict[str, str]:  # noqa: ARG002
        """Return the fields of the signature, in sacreBLEU's form."""
        options = self.options
        short = f"{options.beta:g}"
        beta = {} if options.beta == 2 else {"beta": short if float(short) == options.beta else repr(options.beta)}
        return {
            "case": "lc" if options.lowercase else "mixed", "eff": yes_no(not options.eps_smoothing),
            "nc": str(options.char_order), "nw": str(options.word_order), "space": yes_no(options.whitespace), **beta,
        }  # fmt: skip

    def formula(self, rows: Rows) -> dict[str, Any]:
        """Return chrF of pooled counts."""
        o = self.options
        scores = engine.kernel.chrf_scores(rows.values, o.beta, o.eps_smoothing, percent=self.scores.top != 1)
        return {self.name: scores_of(scores, rows)[0]}

    def summary(self, result: Mapping[str, Any]) -> Summary:
        """Return the score and its orders as a table."""
        options = self.options
        orders = f"orders of characters {options.char_order}, of words {options.word_order}; beta {options.beta:g}"
        line = Line(self.about.title, (result[self.name],), self.name, is_headline=True, full=self.scores.top)
        return Summary(self.about.title, ("score",), [line], [orders])


Chrf = accumulator_of(ChrfMetric)
chrf = one_call(Chrf)


_ORDERS = "runs of characters without the spaces: how many of either text are in both"


class ChrfExplainer(Explainer, metric=ChrfMetric):
    """Explains the scores of `ChrfMetric`."""

    metric: ChrfMetric

    def as_cut(self, corpus: Corpus) -> tuple[Corpus, Tokenizer]:
        """Return the texts, in lower case if asked for, and the tokenizer that cuts them into characters."""
        return self.metric.lowered(corpus), TOKENIZERS["character"]

    def marks(self, key: str) -> Marks:
        """Mark character n-grams, longer ones more strongly."""
        order = max(self.metric.options.char_order, 1)

        def align(corpus: Corpus) -> list[Alignment]:
            pairs = pairs_of(corpus)
            sides = matched(pairs, TOKENIZERS["character"], order, normal=self.metric.lowered(pairs))
            return aligned_with_best(corpus, self.metric, key, sides)

        return Marks.of_orders(order, align, "character")

    def derivation(self, key: str, rows: Rows, segment: Corpus | None) -> Derivation:  # noqa: ARG002
        """Show precision and recall of every order, their means, and F."""
        o = self.metric.options
        is_percent = self.metric.scores.top != 1
        parts = engine.kernel.chrf_scores(rows.values, o.beta, o.eps_smoothing, percent=is_percent, parts=True)
        (chrf, p, r), by_order = parts[:3], np.reshape(parts[3:], (3, -1)).tolist()
        orders = [f"runs of {n}" for n in range(1, o.char_order + 1)]
        orders += [quantity(n, "word") for n in range(1, o.word_order + 1)]
        steps, n = [], 0
        for i, label in enumerate(orders):
            cells = [
                f"{figure(rows['matches'][i])}/{figure(rows[side][i])} = {share[i]:.3f}"
                for side, share in zip(("prediction", "reference"), by_order, strict=False)
            ]
            has_both = rows["prediction"][i] > 0 and rows["reference"][i] > 0
            n += has_both
            cells = cells if has_both or o.eps_smoothing else ["left out:", "too short"]
            f = by_order[2][i] if o.eps_smoothing else None
            steps.append(Step(label, tuple(cells), value=f, meaning="" if i else _ORDERS))
        if o.eps_smoothing:
            return self._derived(steps, rows, f"{figure(self.metric.scores.top)} × mean of the {len(steps)} F", chrf)
        of = f"mean of the {quantity(n, 'order')}, " if n != 1 else ""
        steps += [
            Step("precision", (f"{p:.4f}", ""), meaning=f"{of}of what the prediction has"),
            Step("recall", ("", f"{r:.4f}"), meaning=f"{of}of what the reference has"),
        ]
        formula = f"{figure(self.metric.scores.top)} × {f_formula(p, r, o.beta)}" if p or r else NEITHER
        return self._derived(steps, rows, formula, chrf)

    def _derived(self, steps: list[Step], rows: Rows, formula: str, score: float) -> Derivation:
        beta = self.metric.options.beta
        balance = "equally" if beta == 1 else f"with recall counted {beta:g} times as much (beta)"
        meaning = f"F, which balances precision and recall, {balance}"
        last = Step(self.metric.about.title, formula=formula, value=score, meaning=meaning)
        # Beside a text without characters, neither side is counted.
        empty = [side for side in ("prediction", "reference") if not rows[side].any()]
        which = empty[0] if len(empty) == 1 else "prediction or the reference"
        why = f"the {which} has no characters" if empty else "no run of characters is in both texts"
        remarks = (f"{self.metric.about.title} is 0, since {why}.",) if score == 0 else ()
        return Derivation(self.metric.about.title, (*steps, last), ("of the prediction", "of the reference"), remarks)

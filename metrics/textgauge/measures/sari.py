"""SARI of rewritten texts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

import numpy as np

from .. import engine
from ..accumulation.accumulator import Accumulator, one_call
from ..checks import fail, shown
from ..input.columns import Corpus, known_texts
from ..metric import (
    About,
    Counter,
    Explanation,
    Field,
    Inputs,
    Layout,
    Metric,
    Notes,
    References,
    Rows,
    Score,
    Scores,
    Sums,
    each_score_of,
)
from ..options import Options, Reports, option
from ..plain import Texts
from ..plain.sari import HUB, TENSOR2TENSOR, XU
from ..scores.ordered_sums import one_by_one
from ..text import TOKENIZERS, Tokenizer, prepared, tokenizer_of

PARTS = ("keep", "delete", "add")
Counting = Literal["hub", "easse", "easse-paper", "easse-legacy", "xu", "tensor2tensor"]


def _single_spaces(text: str) -> list[str]:
    return text.split(" ")


class _Rules(NamedTuple):
    """What a tool does to a text unless it is told otherwise, and the code of its shares, None for summed counts."""

    shares: int | None
    tokenizer: str | Tokenizer = "13a"
    lowercase: bool = True
    is_of_paper: bool = False
    leaves_sources: bool = False


_RULES = {
    "hub": _Rules(HUB),
    "easse": _Rules(None),
    "easse-paper": _Rules(None, is_of_paper=True),
    "easse-legacy": _Rules(None, lowercase=False, leaves_sources=True),
    "xu": _Rules(XU, Tokenizer("single-spaces", function=_single_spaces)),
    "tensor2tensor": _Rules(TENSOR2TENSOR, "whitespace", lowercase=False),
}


@dataclass(frozen=True)
class SariOptions(Options):
    """The mean of three scores, from 0 to 100: of what is kept, deleted and added, in n-grams of 1 to 4 words.

    Each is F of precision and recall, that of deletion under "hub", "xu" and "tensor2tensor" precision alone. All
    references count together.

    The tools of this name differ by 7 to 24 points. "hub" is the Hub's `sari`, the mean over segments of Xu's with
    0/0 = 1; "easse" is what papers since 2019 mean, counts summed over the corpus; "easse-paper" takes F of mean
    precision and recall, as the paper writes it, "easse-legacy" the source as it is. "xu" is the script of the
    authors, "tensor2tensor" counts every n-gram of a text once.

    References: Xu et al. (2016), Optimizing Statistical Machine Translation for Text Simplification; Alva-Manchego et
    al. (2019), EASSE.
    """

    counting: Counting = option("hub", "Whose SARI.", on_page=True)
    deletion: Literal["f1", "precision"] | None = option(
        None, "How EASSE judges deletion.", none_means="f1 with EASSE; the others take precision"
    )
    tokenizer: str | Callable[[str], list[str]] | None = option(
        None, "How words are cut.", kind="tokenizer", none_means="13a, or spaces, as `counting` has it", on_page=True
    )
    lowercase: bool | None = option(None, "Lower-case all text first.", none_means="as `counting` has it")

    def check(self) -> None:
        """Refuse F of deletion where there is none, and another rule for a legacy."""
        if self.rules.shares is None:
            self._set("deletion", self.deletion or "f1")
        elif self.deletion == "f1":
            fail(ValueError, "deletion", f"'precision' or None with `counting={self.counting!r}`", "'f1'")
        else:
            self._set("deletion", "precision")
        if self.rules.leaves_sources and callable(self.tokenizer):
            fail(ValueError, "tokenizer", f"a name with `counting={self.counting!r}`", shown(self.tokenizer))

    @property
    def rules(self) -> _Rules:
        """What the tool of `counting` does."""
        return _RULES[self.counting]


@dataclass(frozen=True)
class SariReports(Reports):
    """`detailed` adds ``keep``, ``delete`` and ``add``, from 0 to 100."""

    detailed: bool = option(False, "Add the three parts of the score.")


class SariCounter(Counter):
    """Counts, or scores, the kept, deleted and added n-grams of a prediction, its source and all references."""

    references = References("union")
    tokenizer: Tokenizer

    def __init__(self, options: SariOptions) -> None:
        """Choose the tokenizer and the layout: shares of segments, or counts to be summed."""
        self._rules = rules = options.rules
        self.tokenizer = prepared(
            tokenizer_of(options.tokenizer or rules.tokenizer),
            lowercase=rules.lowercase if options.lowercase is None else options.lowercase, strip=False,
        )  # fmt: skip
        if rules.shares is None:
            names = [f"{part}{which}" for part in PARTS for which in ("_right", "", "_wanted")]
            self.layout = Layout([Field(name, 4) for name in names])
        else:
            self.layout = Layout([Field(part, 4, is_whole=False) for part in PARTS])

    def rows(self, corpus: Corpus, notes: Notes) -> Rows:
        """Count the segments of a chunk."""
        texts, tokenizer = self.as_cut(corpus)
        tokens = tokenizer.cut(texts, sources=True)
        notes.look(corpus, tokens)
        kernel, n_threads = engine.kernel, corpus.n_threads
        rows: Any = (
            kernel.sari_counts(tokens, n_threads=n_threads)
            if self._rules.shares is None
            else kernel.sari_shares(tokens, self._rules.shares, n_threads=n_threads)
        )
        return Rows(self.layout, np.asarray(rows, self.layout.dtype).reshape(-1, self.layout.n_columns))

    def as_cut(self, corpus: Corpus) -> tuple[Corpus, Tokenizer]:
        """Return the texts and what cuts them: EASSE's legacy cuts a source at white space alone."""
        if not self._rules.leaves_sources:
            return corpus, self.tokenizer

        def joined(texts: Texts) -> Texts:
            return known_texts([" ".join(self.tokenizer(text)) for text in texts.tolist()])

        cut = replace(corpus, hypotheses=joined(corpus.hypotheses), references=joined(corpus.references))
        return cut, TOKENIZERS["whitespace"]


class SariMetric(Metric):
    """SARI (Xu et al. 2016)."""

    name = "sari"
    options_type, reports_type = SariOptions, SariReports
    inputs = Inputs(("predictions", "references", "sources"))
    about = About("SARI", lambda _: _EXPLANATION, returns="``sari``")
    scores = Scores(Score("sari"), scale=100.0, details=PARTS)
    options: SariOptions
    counter: SariCounter

    def counted_by(self) -> SariCounter:
        """Return the counter, and choose how segments are combined."""
        is_pooled = self.options.rules.shares is None
        self.combine = "pool" if is_pooled else "mean"
        # The Hub's module adds one by one, and scales the mean.
        self.sums = Sums() if is_pooled else Sums(add=one_by_one, scales_mean=True)
        return SariCounter(self.options)

    def settings(self) -> dict[str, Any]:
        """Return every option, those that follow from `counting` as they are then."""
        return {**super().settings(), "lowercase": self.counter.tokenizer.lowercase}

    def formula(self, rows: Rows) -> dict[str, Any]:
        """Return SARI and its parts, from 0 to 1."""
        options = self.options
        is_f1, is_of_paper = options.deletion == "f1", options.rules.is_of_paper
        found = engine.kernel.sari_scores(rows.values, is_f1, is_of_paper, rows.n_threads)
        return dict(zip(("sari", *PARTS), each_score_of(found, rows), strict=True))


class Sari(Accumulator, metric=SariMetric):
    """SARI, batch by batch: an accumulator that stores numbers of every segment, never text.

    `statistics` has the fields ``keep``, ``delete`` and ``add``, shares of the orders 1 to 4: float64. With EASSE's
    countings, these are the n-grams that the prediction keeps, deletes and adds, beside ``keep_right``,
    ``keep_wanted`` and so on: int64.

    Parameters
    ----------
    {options}

    Notes
    -----
    {notes}

    Examples
    --------
    >>> sources, predictions = ["About 95 species are currently accepted."], ["About 95 you now get in."]
    >>> references = [["About 95 species are currently known.", "About 95 species are now accepted."]]
    >>> result = Sari(counting="easse").update(predictions, references, sources=sources).score(detailed=True)
    >>> {key: round(value, 2) for key, value in result.items()}
    {'sari': 31.73, 'keep': 26.67, 'delete': 60.18, 'add': 8.33}
    """


_EXPLANATION: Explanation = Explanation(
    "SARI",
    "How well does a rewritten text keep, delete and add words of its source?",
    (
        "Runs of one to four words are kept if source and prediction have them, deleted if the source alone has them, "
        "added if the prediction alone has them.",
        "Each is right as far as references did the same; precision is the share of what the prediction does that is "
        "right, recall the share of what should be done.",
        "SARI is the mean of the three: F of keeping, F of adding, and F or precision of deleting.",
    ),
    "The tools of this name differ by up to 24 points: scores of two of them cannot be compared. A copy of the "
    "source can score high.",
)
_EXAMPLE = """>>> sari(["the cat sat"], ["a cat sat"], sources=["the big cat sat"], counting="easse")
{'sari': 45.55555555555556}"""
sari = one_call(Sari, _EXAMPLE)

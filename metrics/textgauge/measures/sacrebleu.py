"""BLEU of texts as sacreBLEU computes it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Literal

from ..accumulation.accumulator import accumulator_of
from ..accumulation.functions import one_call
from ..input.columns import Corpus
from ..metric import CountedNote, Notes, Score, Scores
from ..metric.notes import notes_on_tokens
from ..options import fixed, option
from .bleu import TOOLS, BleuMetric, BleuOptions

if TYPE_CHECKING:
    from ..plain import Tokens


@dataclass(frozen=True)
class SacrebleuOptions(BleuOptions):
    """BLEU as sacreBLEU computes it, from 0 to 100.

    The other options are those of `Bleu`, which has notes on them.
    """

    none_means = {
        name: f'"{value}"' if isinstance(value, str) else str(value) for name, value in TOOLS["sacrebleu"].items()
    }
    preset: Literal["sacrebleu"] = fixed("sacrebleu")
    force: bool = option(
        False,
        "Leave out the warning that predictions seem to be tokenized, since many end in ' .'.",
        changes="warnings",
    )


class TokenizedTexts(CountedNote):
    """Counts predictions that end in a separate full stop; sacreBLEU warns of as many."""

    about = "tokenized"

    def examine(self, corpus: Corpus, tokens: Tokens) -> None:  # noqa: ARG002
        """Examine one chunk."""
        self.tell(
            corpus.contents[0].n_spaced_stops,
            "predictions end in ' .' and seem to be tokenized, which changes BLEU: detokenize them, or pass "
            "`force=True` if they are not.",
            at_least=100,
        )


class SacrebleuMetric(BleuMetric):
    """BLEU as sacreBLEU computes it, from 0 to 100.

    Examples
    --------
    >>> round(Sacrebleu().update(["the cat sat on the mat"], ["the cat is on the mat"]).score()["sacrebleu"], 2)
    37.99
    """

    name = "sacrebleu"
    about = replace(
        BleuMetric.about,
        returns=BleuMetric.about.returns.replace("``bleu``", "``sacrebleu``"),
        form="The BLEU that papers cite, as sacreBLEU has it.",
    )
    options_type: ClassVar[type[BleuOptions]] = SacrebleuOptions
    scores = Scores(Score("sacrebleu", perfect=100.0, largest=100.0))

    def notes(self) -> Notes:
        """Return what looks at tokens, and for texts that are tokenized."""
        more = [] if getattr(self.options, "force", False) else [TokenizedTexts()]
        return Notes(*more, unusual=lambda: notes_on_tokens(self.tokenizer), reads_latin=self.tokenizer.drops_letters)


Sacrebleu = accumulator_of(SacrebleuMetric)
sacrebleu = one_call(
    Sacrebleu,
    """\
>>> # As in sacreBLEU, exp(log(100)) is not quite 100.
>>> round(sacrebleu(["the cat sat on the mat"], ["the cat sat on the mat"])["sacrebleu"], 12)
100.0""",
)

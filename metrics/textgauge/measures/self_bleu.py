"""Self-BLEU: every text of a set is scored against the others."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from .. import engine
from ..accumulation.accumulator import accumulator_of
from ..arrays import FloatArray, IntArray, lengths_of
from ..checks import MAX_ORDER
from ..input.columns import Corpus
from ..input.groups import groups_of
from ..metric import About, Explanation, Field, Inputs, Layout, Metric, Rows, Score, Scores, Sums
from ..options import Options, documented, option
from ..text import Tokenizer, prepared, tokenizer_of
from .bleu import BleuMetric, BleuOptions

if TYPE_CHECKING:
    from ..plain import Tokens

# Self-BLEU by name: the options of BLEU; of several references the closest length counts.
VARIANTS: Mapping[str, Mapping[str, Any]] = {
    "nltk": {"preset": "nltk", "smoothing": "chen-cherry-1"},
    "sacrebleu": {"preset": "sacrebleu", "effective_order": True},
    "corpus": {"preset": "sacrebleu"},
}


@dataclass(frozen=True)
class SelfBleuOptions(Options):
    """The values of `variant`, each from 0 to 1, with all other texts as references.

    - "nltk": the mean of nltk's `sentence_bleu` with smoothing method 1, as Texygen computes it;
    - "sacrebleu": the mean of sacreBLEU's `sentence_bleu`: exponential smoothing, effective order;
    - "corpus": BLEU of pooled counts, as sacreBLEU's `corpus_bleu`.

    References: Zhu et al. (2018), Texygen. Papineni et al. (2002), BLEU, section 2.
    """

    variant: Literal["nltk", "sacrebleu", "corpus"] = option("nltk", "Which self-BLEU; see the notes.", on_page=True)
    max_order: int = option(4, "Highest n-gram order.", at_least=1, at_most=MAX_ORDER, on_page=True)
    tokenizer: str | Callable[[str], list[str]] = option(
        "whitespace", "Tokenizer: a name in `TOKENIZERS`, one of sacreBLEU's, or your own function.",
        kind="tokenizer", on_page=True,
    )  # fmt: skip
    lowercase: bool = option(False, "Lower-case all text first.", on_page=True)


def closest_others(lengths: IntArray, offsets: IntArray) -> IntArray:
    """Return for every text the closest length of another text of its group, of two the shorter.

    Parameters
    ----------
    lengths : int64, shape (n_texts,)
    offsets : int64, shape (n_groups + 1,)
        At least two texts each.

    Examples
    --------
    >>> closest_others(np.array([5, 9, 7, 7, 2, 3]), np.array([0, 4, 6])).tolist()
    [7, 7, 7, 7, 3, 2]
    """
    group_of = np.repeat(np.arange(len(offsets) - 1), lengths_of(offsets))
    order = np.lexsort((lengths, group_of))
    ascending = lengths[order]
    far = int(lengths.max(initial=0)) + 1
    steps = np.diff(ascending)
    steps[offsets[1:-1] - 1] = far
    below, above = np.append(far, steps), np.append(steps, far)
    closest = np.empty_like(lengths)
    closest[order] = np.where(below <= above, ascending - below, ascending + above)
    return closest


def self_bleus(tokens: Tokens, matches: Any, options: SelfBleuOptions) -> list[float]:
    """Return the self-BLEU of every group.

    Parameters
    ----------
    tokens : Tokens
        A segment for every group.
    matches : int64, shape (n_texts, max_order)
        Clipped by all other texts of the group.
    """
    bleu = BleuMetric(BleuOptions(**VARIANTS[options.variant], max_order=options.max_order))
    offsets = np.asarray(tokens.segments, np.int64)
    lengths = lengths_of(np.asarray(tokens.offsets, np.int64))
    rows = bleu.rows_with(matches, lengths, closest_others(lengths, offsets))
    if options.variant == "corpus":
        sums = Rows(rows.layout, np.add.reduceat(rows.values, offsets[:-1]))
        return bleu.formula(sums)[bleu.name].tolist()
    scores = bleu.formula(rows)[bleu.name]
    return [math.fsum(scores[start:stop]) / (stop - start) for start, stop in itertools.pairwise(offsets.tolist())]


def repeated(tokens: Tokens, max_order: int, n_threads: int) -> IntArray:
    """Return `repeated_ngrams` as an array, also where plain Python counts: int64, shape (n_texts, max_order, 3)."""
    return np.asarray(engine.kernel.repeated_ngrams(tokens, max_order, n_threads=n_threads), np.int64)


class SelfBleuMetric(Metric):
    """Self-BLEU (Zhu et al. 2018): the score of a set of texts; not available where segments are scored one by one.

    Its score is that of a whole set, so that it is no metric of the registry, whose faces score text by text.
    """

    name = "self_bleu"
    options_type: ClassVar[type[SelfBleuOptions]] = SelfBleuOptions
    about = About("Self-BLEU", lambda _: EXPLANATION)
    combine = "mean"
    inputs = Inputs(("predictions", "groups"), required=("predictions",), read=groups_of)
    # Lower is more diverse.
    scores = Scores(Score("self_bleu", higher_is_better=False, perfect=None))
    # Means of groups are rounded.
    sums = Sums("rounded")

    tokenizer: Tokenizer
    options: SelfBleuOptions

    def prepare(self) -> None:
        """Choose the tokenizer and the layout."""
        self.tokenizer = prepared(tokenizer_of(self.options.tokenizer), lowercase=self.options.lowercase, strip=False)
        self.layout = Layout([Field("self_bleu", is_whole=False)], references="union")

    def rows(self, corpus: Corpus, notes: Any) -> Rows:
        """Count the groups of a chunk."""
        tokens = self.tokenizer.cut(corpus)
        notes.examine(corpus, tokens)
        counts = repeated(tokens, self.options.max_order, corpus.n_threads)
        return self.layout.filled(len(corpus), **self.fields_of(corpus, tokens, counts))

    def fields_of(self, corpus: Corpus, tokens: Tokens, counts: IntArray) -> dict[str, Any]:  # noqa: ARG002
        """Return the fields of the rows; `counts` are those of `repeated_ngrams`."""
        return {"self_bleu": self_bleus(tokens, counts[:, :, 0], self.options)}

    def signature_fields(self, reports: Any = None) -> dict[str, str]:  # noqa: ARG002
        """Return the fields of the signature."""
        options = self.options
        case = "lc" if options.lowercase else "mixed"
        own = {"order": str(options.max_order), "selfbleu": options.variant}
        return {"case": case, "tok": self.tokenizer.signature, **own}

    def formula(self, rows: Rows) -> dict[str, FloatArray]:
        """Return the scores of groups."""
        return {"self_bleu": rows["self_bleu"]}


SelfBleu = accumulator_of(SelfBleuMetric)


def self_bleu(predictions: Any, *, groups: Any = None, **options: Any) -> float:
    """Return self-BLEU of a set of texts, from 0 to 1, or its mean over groups of texts.

    Each text is scored against all others of its set as references, never against itself. A low value says
    that the texts differ, not that they are good. The time grows with the tokens.

    Parameters
    ----------
    predictions : iterable of str, or of lists of str
        The texts of one set, at least 2; or a list of texts for every group.
    groups : iterable, optional
        The key of the group of every text, such as its prompt.
    {options}

    Raises
    ------
    TypeError, ValueError
        As `diversity`.

    Notes
    -----
    {notes}

    Examples
    --------
    >>> self_bleu(["the cat sat on the mat"] * 2)
    1.0
    """
    return float(SelfBleu(**options).update(predictions, groups=groups).score()["self_bleu"])


documented(self_bleu, self_bleu.__doc__ or "", SelfBleuOptions, first=SelfBleuMetric.inputs.parameters())
EXPLANATION: Explanation = Explanation(
    "Diversity",
    "How different are the texts of a set from each other?",
    (
        "distinct-n is the share of n-grams that are new; self-BLEU scores each text against all others; "
        "self-repetition counts n-grams that other texts have; compression is how much smaller gzip makes them all.",
    ),
    "Garbage is diverse: read these numbers beside one of quality.",
)

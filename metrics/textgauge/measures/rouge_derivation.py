"""The sum that makes a score of ROUGE."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..columns import Corpus
from .alignment import pairs_of, placed_texts
from .derivation import Derivation, Step, common_ngrams, f_formula, figure, steps_to_f
from .layout import Rows
from .rouge_counts import SIDES, as_read
from .rouge_types import RougeType

if TYPE_CHECKING:
    from .rouge import Rouge


def rouge_derivation(rouge: Rouge, key: str, rows: Rows, listed: tuple[str, ...] | None) -> Derivation:
    """Return the matches of a type, precision, recall and F of one row; `listed` are the matches."""
    options = rouge.options
    i = options.types.index(key)
    kind, title = options.kinds[i], rouge.about.explain(key).title
    counts, scores = [rows[side][i] for side in SIDES], rouge.scores(rows)
    p, r, f = (scores[name] for name in options.keys[i])
    unit, meaning = _unit_of(kind)
    matches = Step("matches", (figure(counts[0]),), examples=listed, meaning=meaning)
    weight = kind.weight if kind.kind == "W" else 1.0
    formula = f_formula(p, r, options.f_beta, options.alpha)
    steps, notes = steps_to_f(title, counts, (p, r, f), formula, rouge.scale, unit, weight)
    return Derivation(title, (matches, *steps), notes=notes)


def counted_texts(rouge: Rouge, key: str, segment: Corpus) -> tuple[str, ...] | None:
    """Return the n-grams, or the words of the common subsequence, that match the reference that is scored."""
    kind = rouge.options.kinds[rouge.options.types.index(key)]
    if kind.kind not in ("N", "L", "Lsum"):
        return None
    [alignment] = rouge.marks(key).align(segment)
    read = as_read(segment, rouge.options)
    if kind.kind != "N":
        text = read.hypotheses[0]
        return tuple(text[match.start : match.end] for match in alignment.prediction if match.is_common)
    pair = pairs_of(read).slice(alignment.best, alignment.best + 1)
    [[hypothesis, *references]] = placed_texts(pair, rouge.tokenizer.cut(pair), rouge.tokenizer)
    return common_ngrams(hypothesis, references, kind.order)


def _unit_of(kind: RougeType) -> tuple[str, str]:
    """Return what a type counts, and the meaning of its matches."""
    if kind.kind == "N":
        name = {1: "single words", 2: "pairs of words in a row"}.get(kind.order, f"runs of {kind.order} words")
        return "word" if kind.order == 1 else f"{kind.order}-gram", f"{name} in both texts"
    if kind.kind == "W":
        return "weight", f"the weight of common words, where a run of k words weighs k^{kind.weight:g}"
    if kind.kind in ("S", "SU"):
        also = " and single words" if kind.kind == "SU" else ""
        return "pair" if kind.kind == "S" else "unit", f"pairs of words in the same order{also}, in both texts"
    of = "sentence by sentence" if kind.kind == "Lsum" else "gaps allowed"
    return "word", f"the most words that both texts have in the same order, {of} (longest common subsequence)"

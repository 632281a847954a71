"""`easse.sari`: SARI of simplified texts, without EASSE."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...checks import fail, one_of, shown
from ...measures.sari import sari

__all__ = ["corpus_sari", "get_corpus_sari_operation_scores"]

# Those of sacremoses are not here.
_TOKENIZERS = ("13a", "intl", "none")


def get_corpus_sari_operation_scores(
    orig_sents: Sequence[str], sys_sents: Sequence[str], refs_sents: Sequence[Sequence[str]], lowercase: bool = True,
    tokenizer: str = "13a", legacy: bool = False, use_f1_for_deletion: bool = True, use_paper_version: bool = False,
) -> tuple[float, float, float]:  # fmt: skip
    """Return the scores of what is added, kept and deleted, from 0 to 100.

    They are the parts of `textgauge.sari` with ``counting="easse"``, ``"easse-paper"`` or ``"easse-legacy"``.

    Parameters
    ----------
    orig_sents, sys_sents : list of str
        The sources, and the predictions.
    refs_sents : list of lists of str, shape (n_references, n_segments)
        As many texts in each list as there are sources.
    lowercase : bool
        Lower-case all text first; without effect if `legacy`, which takes it as it is.
    tokenizer : "13a", "intl" or "none"
        EASSE's "moses" and "penn" are not here: cut the texts first, and pass "none".
    legacy : bool
        Cut sources at white space alone, as the first script did.
    use_f1_for_deletion : bool
        F of deletion; otherwise its precision.
    use_paper_version : bool
        F of mean precision and recall, as the paper writes it.

    Raises
    ------
    TypeError, ValueError
        As `textgauge.sari`; or if both `legacy` and `use_paper_version` are asked for, which have no common counting.

    Examples
    --------
    >>> sources, predictions = ["About 95 species are currently accepted."], ["About 95 you now get in."]
    >>> references = [["About 95 species are currently known."], ["About 95 species are now accepted."]]
    >>> [round(score, 2) for score in get_corpus_sari_operation_scores(sources, predictions, references)]
    [8.33, 26.67, 60.18]
    """
    result = _sari(
        orig_sents, sys_sents, refs_sents, lowercase, tokenizer, legacy, use_f1_for_deletion, use_paper_version
    )
    return result["add"], result["keep"], result["delete"]


def corpus_sari(
    orig_sents: Sequence[str], sys_sents: Sequence[str], refs_sents: Sequence[Sequence[str]], lowercase: bool = True,
    tokenizer: str = "13a", legacy: bool = False, use_f1_for_deletion: bool = True, use_paper_version: bool = False,
) -> float:  # fmt: skip
    """Return SARI of a corpus, from 0 to 100; see `get_corpus_sari_operation_scores`.

    Examples
    --------
    >>> sources, predictions = ["the big cat sat"], ["the cat sat"]
    >>> corpus_sari(orig_sents=sources, sys_sents=predictions, refs_sents=[["a cat sat"]])
    45.55555555555556
    """
    result = _sari(
        orig_sents, sys_sents, refs_sents, lowercase, tokenizer, legacy, use_f1_for_deletion, use_paper_version
    )
    return result["sari"]


def _sari(
    sources: Any, predictions: Any, references: Any, lowercase: bool, tokenizer: str, legacy: bool, is_f1: bool,
    is_of_paper: bool,
) -> dict[str, float]:  # fmt: skip
    one_of("tokenizer", tokenizer, _TOKENIZERS)
    if legacy and is_of_paper:
        fail(ValueError, "use_paper_version", "False with `legacy=True`", "True")
    if (
        isinstance(references, str)
        or not len(references)
        or any(isinstance(reference, str) for reference in references)
    ):
        fail(TypeError, "refs_sents", "lists of texts, each with one for every source", shown(references))
    for i, texts in enumerate(references):
        if len(texts) != len(sources):
            fail(ValueError, f"refs_sents[{i}]", f"as many texts as sources, {len(sources)}", str(len(texts)))
    return sari(
        predictions,
        [[*texts] for texts in zip(*references, strict=True)],
        sources=sources,
        counting="easse-legacy" if legacy else "easse-paper" if is_of_paper else "easse",
        deletion="f1" if is_f1 else "precision",
        tokenizer=tokenizer,
        lowercase=None if legacy else bool(lowercase),
        detailed=True,
    )

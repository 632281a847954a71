"""`pycocoevalcap` without Java: its tokenizer and its scores of captions, for dicts from images to texts.

The classes have the names and calls of the package, which need not be installed, and its scores to the last bit. What
differs: a caption never sees the next one, and a line break of any kind in a caption is a space. SPICE is not here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from .. import engine
from ..arrays import FloatArray
from ..checks import fail, shown
from ..input.columns import Corpus, TextColumn, corpus_of
from ..measures.cider import cider
from ..measures.meteor15 import meteor15
from ..plain.ngrams import CLOSEST
from ..plain.pairs import UNIT_LCS
from ..scores.ordered_sums import in_pairs
from ..text.tokenizers import Tokenizer, tokenizer_of

Captions = Mapping[Any, Sequence[str]]
# Added to matches and to totals, so that nothing is divided by 0.
TINY, SMALL = 1e-15, 1e-9
BETA = 1.2


class PTBTokenizer:
    """Stanford's tokens of captions in lower case, without punctuation, one space between two.

    Examples
    --------
    >>> PTBTokenizer().tokenize({1: [{"caption": "A man isn't there."}]})
    {1: ["a man is n't there"]}
    """

    def tokenize(self, captions_for_image: Mapping[Any, Sequence[Mapping[str, str]]]) -> dict[Any, list[str]]:
        """Return the tokens of every caption, ``{"caption": text}``, by image."""
        images = {image: [one["caption"] for one in captions] for image, captions in captions_for_image.items()}
        texts = [text for captions in images.values() for text in captions]
        spaced = iter(tokenizer_of("coco").spaced(corpus_of(texts, texts).hypotheses).tolist() if texts else ())
        return {image: [next(spaced) for _ in captions] for image, captions in images.items()}


class Bleu:
    """BLEU-1 to BLEU-n, with the closest reference length.

    Parameters
    ----------
    n : int
        The highest order.

    Examples
    --------
    >>> scores, by_image = Bleu(2).compute_score({1: ["a cat sat"]}, {1: ["a cat"]})
    >>> [round(score, 4) for score in scores]
    [0.6065, 0.6065]
    """

    def __init__(self, n: int = 4) -> None:
        self._n = n

    def compute_score(self, gts: Captions, res: Captions, verbose: int = 0) -> tuple[list[float], list[list[float]]]:  # noqa: ARG002
        """Return the scores of all images by order, and of each image: shapes (n,), (n, n_images)."""
        tokens = _cut(_corpus(gts, res), tokenizer_of("whitespace"))
        rows = np.asarray(engine.kernel.bleu_rows(tokens, self._n, 0, CLOSEST), np.int64)
        by_image = [_bleu(row, self._n) for row in rows.tolist()]
        return _bleu(rows.sum(axis=0).tolist(), self._n), [list(scores) for scores in zip(*by_image, strict=True)]

    def method(self) -> str:
        """Return "Bleu"."""
        return "Bleu"


def _bleu(row: Sequence[int], n: int) -> list[float]:
    """Return BLEU-1 to BLEU-n of matches, totals and two lengths, in the order of the tool's operations."""
    length, reference_length = row[2 * n :]
    scores, product = [], 1.0
    for k in range(n):
        product *= (float(row[k]) + TINY) / (float(row[n + k]) + SMALL)
        scores.append(product ** (1.0 / (k + 1)))
    ratio = (length + TINY) / (reference_length + SMALL)
    penalty = math.exp(1 - 1 / ratio) if ratio < 1 else 1.0
    return [score * penalty for score in scores]


class Rouge:
    """ROUGE-L with beta 1.2, of the largest precision and the largest recall over references, each on its own.

    Words are what single spaces separate, so that two empty captions score 1, as in the tool.

    Examples
    --------
    >>> Rouge().compute_score({1: ["a b c d e f", "a"]}, {1: ["a b"]})[0]
    1.0
    """

    def compute_score(self, gts: Captions, res: Captions) -> tuple[float, FloatArray]:
        """Return the mean over images, and the score of each: float64, shape (n_images,)."""
        corpus = _corpus(gts, res)
        tokens = _cut(corpus, tokenizer_of(_by_space))
        counts = np.asarray(engine.kernel.pair_counts(tokens, np.array([UNIT_LCS], np.int32)), np.int64)[:, 0]
        scores, offsets = [], corpus.reference_offsets.tolist()
        for first, last in zip(offsets[:-1], offsets[1:], strict=True):
            pairs = counts[first:last].tolist()
            p = max(matches / float(of_prediction) for matches, of_prediction, _ in pairs)
            r = max(matches / float(of_reference) for matches, _, of_reference in pairs)
            scores.append(((1 + BETA**2) * p * r) / float(r + BETA**2 * p) if p and r else 0.0)
        found = np.array(scores)
        return in_pairs(found) / len(found), found

    def method(self) -> str:
        """Return "Rouge"."""
        return "Rouge"


def _by_space(text: str) -> list[str]:
    return text.split(" ")


class Cider:
    """CIDEr-D, which the package calls CIDEr.

    Parameters
    ----------
    n : int
        4; the tool counts n-grams up to 4 and fails for less.
    sigma : float

    Examples
    --------
    >>> Cider().compute_score({1: ["a cat"], 2: ["a dog"]}, {1: ["a cat"], 2: ["a bird"]})[0]
    2.5
    """

    def __init__(self, n: int = 4, sigma: float = 6.0) -> None:
        if n != 4:
            fail(ValueError, "n", "4", shown(n))
        self._sigma = sigma

    def compute_score(self, gts: Captions, res: Captions) -> tuple[float, FloatArray]:
        """Return the mean over images, and the score of each: float64, shape (n_images,)."""
        predictions, references = _columns(gts, res)
        found = cider(predictions, references, sigma=self._sigma, tokenizer="whitespace", per_segment=True)
        return found["cider"], np.array(found["segment_cider"])

    def method(self) -> str:
        """Return "CIDEr"."""
        return "CIDEr"


class Meteor:
    """METEOR 1.5 as the package calls it, without Java; its data are read out of an installed pycocoevalcap.

    Examples
    --------
    >>> Meteor().method()
    'METEOR'
    """

    def compute_score(self, gts: Captions, res: Captions) -> tuple[float, list[float]]:
        """Return the score of all images, from sums of their counts, and of each image.

        Raises
        ------
        FileNotFoundError
            Where the data are not found; the message says how to get them.
        """
        found = meteor15(*_columns(gts, res), per_segment=True)
        return found["meteor15"], found["segment_meteor15"]

    def method(self) -> str:
        """Return "METEOR"."""
        return "METEOR"


def coco(predictions: TextColumn, references: Any, *, meteor: bool = True) -> dict[str, float]:
    """Return the table of the evaluation of MS COCO's captions but for SPICE.

    Parameters
    ----------
    predictions : list of str
        One caption for each image.
    references : list of lists of str
        The captions of people for each image.
    meteor : bool
        Whether METEOR 1.5 is in the table; its data come with ``pip install textgauge[meteor]``.

    Returns
    -------
    dict
        ``Bleu_1`` to ``Bleu_4``, ``METEOR`` and ``ROUGE_L``, from 0 to 1, and ``CIDEr``, which is CIDEr-D, from 0 to
        10: those of pycocoevalcap to the last bit, of METEOR to 1e-15.

    Raises
    ------
    FileNotFoundError
        Where the data of METEOR are not found, unless `meteor` is False.
    TypeError, ValueError
        As every metric, for columns that are no texts.

    Examples
    --------
    >>> captions, people = ["A man on a horse.", "a dog"], [["a man on a horse"], ["a dog on grass", "the dog"]]
    >>> found = coco(captions, people, meteor=False)
    >>> [f"{name} {score:.3f}" for name, score in found.items()]
    ['Bleu_1 1.000', 'Bleu_2 1.000', 'Bleu_3 1.000', 'Bleu_4 1.000', 'ROUGE_L 0.814', 'CIDEr 6.201']
    """
    corpus = corpus_of(predictions, references)
    cut = tokenizer_of("coco")
    hypotheses, flat = cut.spaced(corpus.hypotheses).tolist(), cut.spaced(corpus.references).tolist()
    offsets = corpus.reference_offsets.tolist()
    res = {i: [text] for i, text in enumerate(hypotheses)}
    gts = {i: flat[first:last] for i, (first, last) in enumerate(zip(offsets[:-1], offsets[1:], strict=True))}
    bleu, _ = Bleu().compute_score(gts, res)
    of_orders = {f"Bleu_{k}": score for k, score in enumerate(bleu, 1)}
    of_meteor = {"METEOR": Meteor().compute_score(gts, res)[0]} if meteor else {}
    others = {"ROUGE_L": Rouge().compute_score(gts, res)[0], "CIDEr": Cider().compute_score(gts, res)[0]}
    return {**of_orders, **of_meteor, **others}


def _columns(gts: Captions, res: Captions) -> tuple[list[str], list[list[str]]]:
    if gts.keys() != res.keys():
        fail(ValueError, "res", "a caption for each image of gts", shown([*res.keys() ^ gts.keys()][:3]))
    for image in gts:
        if not isinstance(res[image], list) or len(res[image]) != 1:
            fail(ValueError, f"res[{image!r}]", "a list of one caption", shown(res[image]))
    return [res[image][0] for image in gts], [list(gts[image]) for image in gts]


def _corpus(gts: Captions, res: Captions) -> Corpus:
    return corpus_of(*_columns(gts, res))


def _cut(corpus: Corpus, tokenizer: Tokenizer | Callable[[str], list[str]]) -> Any:
    return tokenizer_of(tokenizer).cut(corpus)

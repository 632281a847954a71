"""`pycocoevalcap` without Java: its tokenizer and its scores of captions, for dicts from images to texts.

The classes have the names and calls of the package, which need not be installed, and its scores to the last bit. What
differs: a caption never sees the next one, and a line break of any kind in a caption is a space. SPICE is not here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..arrays import FloatArray
from ..checks import Tally, fail, shown, warn_user
from ..input.columns import TextColumn, corpus_of
from ..measures.bleu import bleu
from ..measures.cider import cider
from ..measures.meteor15 import meteor15
from ..measures.rouge import COCO_BETA, rouge
from ..scores.ordered_sums import in_pairs
from ..text.tokenizers import Tokenizer, tokenizer_of

Captions = Mapping[Any, Sequence[str]]
# The words of captions that the tokenizer "coco" has cut.
_CUT = Tokenizer("coco", "whitespace")


class PTBTokenizer:
    """Stanford's tokens of captions in lower case, without punctuation, one space between two.

    Examples
    --------
    >>> PTBTokenizer().tokenize({1: [{"caption": "A man isn't there."}]})
    {1: ["a man is n't there"]}
    """

    def tokenize(self, captions_for_image: Mapping[Any, Sequence[Mapping[str, str]]]) -> dict[Any, list[str]]:
        """Return the tokens of every caption, ``{"caption": text}``, by image."""
        try:
            images = {image: [one["caption"] for one in captions] for image, captions in captions_for_image.items()}
        except (AttributeError, KeyError, TypeError):
            fail(TypeError, "captions_for_image", 'lists of {"caption": text} by image', shown(captions_for_image))
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
        found = bleu(*_columns(gts, res), preset="coco", tokenizer=_CUT, max_order=self._n, per_segment=True)
        keys = [f"bleu{k}" for k in range(1, self._n + 1)]
        return [found[key] for key in keys], [found[f"segment_{key}"] for key in keys]

    def method(self) -> str:
        """Return "Bleu"."""
        return "Bleu"


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
        columns, options = _columns(gts, res), {"multi_reference": "largest", "beta": COCO_BETA, "tokenizer": _by_space}
        scores = np.array(rouge(*columns, rouge_types=["rougeL"], per_segment=True, **options)["segment_rougeL"])
        return in_pairs(scores) / len(scores), scores

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
        found = cider(predictions, references, sigma=self._sigma, tokenizer=_CUT, per_segment=True)
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
    measures: dict[str, Any] = {"BLEU": Bleu(), "METEOR": Meteor(), "ROUGE_L": Rouge(), "CIDEr": Cider()}
    if not meteor:
        del measures["METEOR"]
    found: dict[str, float] = {}
    told: dict[str, None] = {}
    for name, measure in measures.items():
        tally = Tally()
        with tally.collecting():
            score = measure.compute_score(gts, res)[0]
        found |= {f"Bleu_{k}": one for k, one in enumerate(score, 1)} if isinstance(score, list) else {name: score}
        # What several find is one warning.
        told |= dict.fromkeys(tally.texts())
    for text in told:
        warn_user(text)
    return found


def _columns(gts: Captions, res: Captions) -> tuple[list[str], list[list[str]]]:
    for name, captions in (("gts", gts), ("res", res)):
        if not isinstance(captions, Mapping):
            fail(TypeError, name, "lists of captions by image", shown(captions))
    if gts.keys() != res.keys():
        fail(ValueError, "res", "a caption for each image of gts", shown([*res.keys() ^ gts.keys()][:3]))
    for image in gts:
        if not isinstance(res[image], list) or len(res[image]) != 1:
            fail(ValueError, f"res[{image!r}]", "a list of one caption", shown(res[image]))
        if not isinstance(gts[image], list) or not gts[image]:
            fail(ValueError, f"gts[{image!r}]", "a list of captions", shown(gts[image]))
    return [res[image][0] for image in gts], [list(gts[image]) for image in gts]

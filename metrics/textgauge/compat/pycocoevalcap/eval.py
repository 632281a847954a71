"""`pycocoevalcap.eval`: the table of the evaluation of MS COCO's captions."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from ...checks import Tally, flag, warn_user
from ...input.columns import TextColumn, corpus_of
from ...notebook import ScoreTable
from ...text.tokenizers import tokenizer_of
from .. import rest_when_asked
from .bleu.bleu import Bleu
from .cider.cider import Cider
from .meteor.meteor import Meteor
from .rouge.rouge import Rouge
from .spice.spice import REMEDY
from .tokenizer.ptbtokenizer import Captions, PTBTokenizer


def _scored(
    gts: Captions, res: Captions, *, meteor: bool = True, prints: bool = False
) -> Iterator[tuple[str, float, Any]]:
    """Yield the name, the score of all images and the score of each image; then warn, once for all scores."""
    scorers: dict[tuple[str, ...], Callable[..., tuple[Any, Any]]] = {
        tuple(f"Bleu_{k}" for k in range(1, 5)): partial(Bleu(4).compute_score, verbose=int(prints)),
        ("METEOR",): Meteor().compute_score,
        ("ROUGE_L",): Rouge().compute_score,
        ("CIDEr",): Cider().compute_score,
    }
    told: dict[str, None] = {}
    for names, compute_score in scorers.items():
        if names == ("METEOR",) and not meteor:
            continue
        tally = Tally()
        with tally.collecting():
            score, scores = compute_score(gts, res)
        yield from zip(names, score, scores, strict=True) if len(names) > 1 else [(*names, score, scores)]
        told |= dict.fromkeys(tally.texts())
    for text in told:
        warn_user(text)


class COCOEvalCap:
    """All scores of captions but SPICE, printed and kept, for two objects of pycocotools.

    Parameters
    ----------
    coco : pycocotools.coco.COCO
        The captions of people; all that is used of it is ``getImgIds()`` and ``imgToAnns``.
    cocoRes : pycocotools.coco.COCO
        One caption for each image, from ``coco.loadRes``.

    Attributes
    ----------
    params : dict
        ``image_id``: the images that are scored, all of `coco` unless it is set before `evaluate`.
    eval : dict
        ``Bleu_1`` to ``Bleu_4``, ``METEOR``, ``ROUGE_L`` and ``CIDEr`` of all images.
    imgToEval : dict
        The scores of every image with its ``image_id``, by image.
    evalImgs : list
        The same as a list.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> people = {7: [{"caption": "A dog on grass."}, {"caption": "the dog"}], 8: [{"caption": "Two cats."}]}
    >>> coco = SimpleNamespace(getImgIds=lambda: [*people], imgToAnns=people)
    >>> results = SimpleNamespace(imgToAnns={7: [{"caption": "a dog"}], 8: [{"caption": "two cats"}]})
    >>> evaluated = COCOEvalCap(coco, results)
    >>> evaluated.evaluate()  # doctest: +SKIP
    >>> evaluated.eval["CIDEr"]  # doctest: +SKIP
    3.5719026932546223
    """

    def __init__(self, coco: Any, cocoRes: Any) -> None:  # noqa: N803
        self.coco, self.cocoRes = coco, cocoRes
        self.params = {"image_id": coco.getImgIds()}
        self.eval: dict[str, float] = {}
        self.imgToEval: dict[Any, dict[str, Any]] = {}
        self.evalImgs: list[dict[str, Any]] = []

    def evaluate(self) -> None:
        """Score the images of `params`, print every score, and keep it; one warning says that SPICE is left out.

        Raises
        ------
        FileNotFoundError
            Where the data of METEOR are not found; the message says how to get them.
        ValueError
            If an image has no caption, or more than one in `cocoRes`.
        """
        images = self.params["image_id"]
        gts, res = (
            PTBTokenizer().tokenize({image: side.imgToAnns[image] for image in images})
            for side in (self.coco, self.cocoRes)
        )
        for name, score, scores in _scored(gts, res, prints=True):
            self.eval[name] = score
            for image, own in zip(gts, scores, strict=True):
                self.imgToEval.setdefault(image, {"image_id": image})[name] = own
            sys.stdout.write(f"{name}: {score:.3f}\n")
        self.evalImgs = [*self.imgToEval.values()]
        warn_user(f"SPICE is not among the scores. {REMEDY}.")


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
    flag("meteor", meteor)
    corpus = corpus_of(predictions, references)
    cut = tokenizer_of("coco")
    hypotheses, flat = cut.spaced(corpus.hypotheses).tolist(), cut.spaced(corpus.references).tolist()
    offsets = corpus.reference_offsets.tolist()
    res = {i: [text] for i, text in enumerate(hypotheses)}
    gts = {i: flat[first:last] for i, (first, last) in enumerate(zip(offsets[:-1], offsets[1:], strict=True))}
    return ScoreTable({name: score for name, score, _ in _scored(gts, res, meteor=meteor)})


__getattr__ = rest_when_asked("pycocoevalcap.eval")

"""`pycocoevalcap.tokenizer.ptbtokenizer`, and captions by image, as its scores take them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ....checks import fail, shown
from ....input.columns import corpus_of
from ....text import Tokenizer, tokenizer_of
from ... import rest_when_asked

Captions = Mapping[Any, Sequence[str]]
# Splits captions that the tokenizer "coco" has cut.
CUT = Tokenizer("coco", "whitespace")


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
            images = {
                image: [caption["caption"] for caption in captions] for image, captions in captions_for_image.items()
            }
        except (AttributeError, KeyError, TypeError):
            fail(TypeError, "captions_for_image", 'lists of {"caption": text} by image', shown(captions_for_image))
        texts = [text for captions in images.values() for text in captions]
        spaced = iter(tokenizer_of("coco").spaced(corpus_of(texts, texts).hypotheses).tolist() if texts else ())
        return {image: [next(spaced) for _ in captions] for image, captions in images.items()}


def columns_of(gts: Captions, res: Captions) -> tuple[list[str], list[list[str]]]:
    """Return the caption of every image, and the captions that people wrote for it, in the order of `gts`."""
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


__getattr__ = rest_when_asked("pycocoevalcap.tokenizer.ptbtokenizer")

"""`pycocoevalcap.tokenizer.ptbtokenizer`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ....checks import fail, shown
from ....input.columns import corpus_of
from ....text.tokenizers import tokenizer_of


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

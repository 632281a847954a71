"""Captions by image."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...checks import fail, shown
from ...text import Tokenizer

Captions = Mapping[Any, Sequence[str]]
# Splits captions that the tokenizer "coco" has cut.
CUT = Tokenizer("coco", "whitespace")


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

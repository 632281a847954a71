"""Pasted or uploaded text as predictions and references."""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import click

from ..checks import fail

SEVERAL = "\t"


def pasted(predictions: str, references: str) -> tuple[list[str], list[list[str]]]:
    r"""Split pasted text into segments, one per line; tabs separate several references of a segment.

    Examples
    --------
    >>> pasted("a cat\na dog\n", "the cat\tone cat\nthe dog")
    (['a cat', 'a dog'], [['the cat', 'one cat'], ['the dog']])
    """
    hypotheses, lines = _lines(predictions), _lines(references)
    for argument, found in (("predictions", hypotheses), ("references", lines)):
        if not found:
            fail(ValueError, argument, "at least one line of text", "none")
    return hypotheses, [line.split(SEVERAL) for line in lines]


def two_columns(
    predictions: str, references: str, prediction_file: Any, reference_files: Any
) -> tuple[list[str], list[str]]:
    """Return the lines of both sides, whose numbers may differ; a file takes precedence over pasted text."""
    files = [reference_files] if isinstance(reference_files, str) else list(reference_files or [])
    texts = _file_lines([prediction_file]) if prediction_file else _lines(predictions)
    if not texts:
        fail(ValueError, "texts", "at least one line of text", "none")
    return texts, _file_lines(files) if files else _lines(references)


def _file_lines(paths: Sequence[str]) -> list[str]:
    from ..cli.reading import read_lines

    lines: list[str] = []
    for path in paths:
        try:
            lines += read_lines(path).tolist()
        except click.ClickException as error:
            raise ValueError(error.format_message().replace(path, os.path.basename(path))) from None
    return lines


def _lines(text: str) -> list[str]:
    text = text.replace("\r\n", "\n").removesuffix("\n")
    return text.split("\n") if text else []


def uploaded(predictions: str, references: Sequence[str]) -> tuple[list[str], list[list[str]]]:
    """Read files as the command line does, by their suffixes.

    Raises
    ------
    ValueError
        If they cannot be scored; the message names a file without its folder.
    """
    from ..cli.segments import Sides

    sides = Sides([predictions], references)
    try:
        sides.check()
        [corpus] = sides.read().corpora
    except click.ClickException as error:
        message = error.format_message()
        for path in (predictions, *references):
            message = message.replace(path, os.path.basename(path))
        raise ValueError(message) from None
    texts, offsets = corpus.references.tolist(), corpus.reference_offsets.tolist()
    return corpus.hypotheses.tolist(), [texts[first:last] for first, last in pairwise(offsets)]


def texts_of(
    predictions: str, references: str, prediction_file: Any, reference_files: Any
) -> tuple[list[str], list[list[str]]]:
    """Return the texts of the files if predictions were uploaded, else the pasted texts."""
    files = [reference_files] if isinstance(reference_files, str) else list(reference_files or [])
    if prediction_file:
        return uploaded(prediction_file, files)
    if files:
        fail(ValueError, "references", "a file of predictions with the file of references", "none")
    return pasted(predictions, references)

"""`textgauge demo`: score the sample that comes with textgauge."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
from rich.console import RenderableType
from rich.text import Text

from .. import sample
from ..checks import fail, printable
from ..columns import corpus_of
from ..measures.ngram_model import NgramModel
from .files import InputError, write_whole
from .notices import notices
from .registry import METRICS
from .tables import Numbers, perplexities_table
from .terminal import show

_EPILOG = """\b
Examples:
  textgauge demo
  textgauge demo --save sample
  textgauge score -m bleu -p sample/translations.jsonl
"""
_ABOUT_BLEU = (
    "BLEU: how many word sequences of each length also stand in a reference (precision), their "
    "geometric mean, times a penalty if the translations are shorter than the references."
)
_ABOUT_ROUGE = (
    "ROUGE: single words, pairs of words, and the longest common sequence of words (whole text; "
    "sentence by sentence), as a share of the summary (precision) and of its reference (recall)."
)
_ABOUT_PERPLEXITY = (
    "Perplexity: how many equally likely words would surprise a language model as much as the words of "
    "a text do. Lower is better. The model here counts pairs of words in the references."
)
_NEXT = """\
Score files of your own, one text per line:
  textgauge score -m bleu -m rouge -p predictions.txt -r references.txt
See the texts of this sample, as files to score:
  textgauge demo --save sample"""


@click.command(epilog=_EPILOG, short_help="Score an embedded sample.")
@click.option("--save", "folder", type=click.Path(), metavar="FOLDER", help="Write the sample as JSON Lines instead.")
def demo(folder: str | None) -> None:
    """Score an embedded sample: 24 translations with BLEU and perplexity, 10 summaries with ROUGE."""
    if folder is None:
        with notices():
            show(*_page())
    else:
        _save(Path(folder))


def _page() -> list[RenderableType]:
    return [
        Text(_ABOUT_BLEU, "italic"),
        _scored("bleu", "translations", {}),
        "",
        Text(_ABOUT_ROUGE, "italic"),
        _scored("rouge", "summaries", {"detailed": True}),
        "",
        Text(_ABOUT_PERPLEXITY, "italic"),
        _perplexity(),
        "",
        Text(_NEXT),
    ]


def _scored(name: str, part: str, flags: Mapping[str, Any]) -> RenderableType:
    metric = METRICS[name]
    accumulator = metric.start(flags)
    metric.add(accumulator, corpus_of(*sample.columns(part)), None)
    return metric.table(metric.report(accumulator, flags, 1), accumulator, Numbers(scale=1, width=4))


def _perplexity() -> RenderableType:
    translations, references = sample.columns("translations")
    model = NgramModel(2).fit([text for texts in references for text in texts])
    backwards = [" ".join(reversed(text.split())) for text in translations]
    results = {"translations": model.score(translations), "the same, words backwards": model.score(backwards)}
    note = f"{len(translations)} segments, tokenizer {model.tokenizer.name}, 2-grams with Kneser-Ney smoothing"
    return perplexities_table(results, note)


def _save(folder: Path) -> None:
    paths = [folder / f"{part}.jsonl" for part in sample.PARTS]
    for path in paths:
        if path.exists():
            fail(InputError, "--save", "a folder without a sample", f"one with {path.name}")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path, part in zip(paths, sample.PARTS, strict=True):
            lines = [json.dumps(segment, ensure_ascii=False) + "\n" for segment in sample.segments(part)]
            write_whole(path, "".join(lines))
    except OSError as error:
        fail(InputError, "--save", "a folder to write to", f"{folder}: {os.strerror(error.errno or 0).lower()}")
    for path, metric in zip(paths, ("bleu", "rouge"), strict=True):
        click.echo(f"textgauge score -m {metric} -p {printable(str(path))}")

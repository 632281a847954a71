"""`textgauge demo`: score the sample that comes with textgauge."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from .. import sample
from ..checks import printable
from ..measures.registry import METRICS
from . import table
from .command import show
from .files import write_whole, writing
from .interrupts import quiet_imports
from .messages import InputError, notices
from .score import table_text

_EPILOG = """\b
Examples:
  textgauge demo
  textgauge demo --save sample
  textgauge score sample/translations.jsonl -m bleu
"""
_ABOUT_BLEU = (
    "BLEU: how many word sequences of each length also occur in a reference (precision), their "
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
  textgauge score predictions.txt -r references.txt -m bleu rouge
See the texts of this sample, as files to score:
  textgauge demo --save sample"""


@click.command(epilog=_EPILOG)
@click.option("--save", "folder", type=click.Path(), metavar="FOLDER", help="Write the sample as JSON Lines instead.")
def demo(folder: str | None) -> None:
    """Score an embedded sample: 24 translations with BLEU and perplexity, 10 summaries with ROUGE."""
    if folder is not None:
        _save(Path(folder))
        return
    with notices():
        show("\n\n".join(_page()), None)


def _page() -> list[str]:
    return [
        _paragraph(_ABOUT_BLEU), _scored("bleu", "translations"),
        _paragraph(_ABOUT_ROUGE), _scored("rouge", "summaries", detailed=True),
        _paragraph(_ABOUT_PERPLEXITY), _perplexity(), _NEXT,
    ]  # fmt: skip


def _paragraph(text: str) -> str:
    return click.style(click.wrap_text(text, 80), italic=True)


def _scored(name: str, part: str, **reports: Any) -> str:
    measure = METRICS[name]().update(*sample.columns(part))
    return table_text(measure, measure.score(**reports), table.Numbers(scale=1, width=4))


def _perplexity() -> str:
    # Imported here: it loads Arrow.
    with quiet_imports():
        from ..measures.ngram_model import NgramModel

    translations, references = sample.columns("translations")
    model = NgramModel(2).fit([text for texts in references for text in texts])
    backwards = [" ".join(reversed(text.split())) for text in translations]
    shown = table.Table("PERPLEXITY", ("per token", "bits per byte"))
    for name, texts in (("translations", translations), ("the same, words backwards", backwards)):
        result = model.score(texts)
        shown.add(name, f"{result['corpus_perplexity']:.1f}", f"{result['bits_per_byte']:.2f}")
    note = f"{len(translations)} segments, tokenizer {model.tokenizer.name}, 2-grams with Kneser-Ney smoothing"
    return "\n".join([shown.text(table.room()), click.style(note, dim=True)])


def _save(folder: Path) -> None:
    paths = [folder / f"{part}.jsonl" for part in sample.PARTS]
    for path in paths:
        if path.exists():
            raise InputError(f"--save: {printable(str(folder))} already has {path.name}; name another folder")
    with writing("--save", str(folder)):
        folder.mkdir(parents=True, exist_ok=True)
        for path, part in zip(paths, sample.PARTS, strict=True):
            lines = [json.dumps(segment, ensure_ascii=False) + "\n" for segment in sample.segments(part)]
            write_whole(path, "".join(lines))
    for path, metric in zip(paths, ("bleu", "rouge"), strict=True):
        click.echo(f"textgauge score -m {metric} -p {printable(str(path))}")

"""`textgauge demo`: score the sample that comes with textgauge."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from .. import sample
from ..checks import printable
from .command import show
from .files import write_whole, writing
from .interrupts import quiet_imports
from .messages import InputError, notices
from .metric import Metric, metrics
from .score import table_text
from .table import Numbers, Table, room

_EPILOG = """\b
Examples:
  textgauge demo
  textgauge demo --save sample
  textgauge score sample/translations.jsonl
"""
_NEXT = """\
Score files of your own, one text per line:
  textgauge score predictions.txt -r references.txt
See the texts of this sample, as files to score:
  textgauge demo --save sample"""


@click.command(epilog=_EPILOG)
@click.option("--save", "folder", type=click.Path(), metavar="FOLDER", help="Write the sample as JSON Lines instead.")
def demo(folder: str | None) -> None:
    """Score an embedded sample: 24 translations and 10 summaries, each with a metric for it, and perplexity."""
    if folder is not None:
        _save(Path(folder))
        return
    with notices():
        pages = [part for name in sample.PARTS for part in _scored(name)]
        pages += [part for metric in metrics() for part in _learned(metric)]
        show("\n\n".join([*pages, _NEXT]), None)


def _metric_for(part: str) -> Metric:
    """Return the first metric for a part of the sample."""
    return next(metric for metric in metrics() if metric.measure.about.sample == part)


def _about(metric: Metric, more: str = "") -> str:
    return click.style(click.wrap_text(f"{metric.measure.about.title}: {metric.question}{more}", 80), italic=True)


def _scored(part: str) -> list[str]:
    metric = _metric_for(part)
    measure = metric.measure().update(*sample.columns(part))
    result = metric.result(measure, metric.measure.about.page_reports)
    return [_about(metric), table_text(measure, result, Numbers.of(measure.scale, None))]


def _learned(metric: Metric) -> list[str]:
    """Score translations, and the same with their words backwards, by a model that learned the references."""
    learning = [one.name for one in metric.options().values() if one.kind == "texts"]
    if not learning:
        return []
    translations, references = sample.columns("translations")
    options = {name: [text for texts in references for text in texts] for name in learning}
    backwards = [" ".join(reversed(text.split())) for text in translations]
    summaries = []
    for texts in (translations, backwards):
        with quiet_imports():
            measure: Any = metric.measure(**options)
        summaries.append(measure.summary(measure.update_texts(texts).score()))
    lines_of = [summary.lines[:3] for summary in summaries]
    shown = Table(summaries[0].title, [line.label for line in lines_of[0]])
    for name, own in zip(("translations", "the same, words backwards"), lines_of, strict=True):
        shown.add(name, *(f"{line.values[-1]:.2f}" for line in own))
    note = click.style(f"{len(translations)} segments, {summaries[0].notes[0]}", dim=True)
    about = _about(metric, " The model here learned the references; lower is better.")
    return [about, f"{shown.text(room())}\n{note}"]


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
    for path, part in zip(paths, sample.PARTS, strict=True):
        name = printable(str(path))
        click.echo(f"wrote {name}; score it by: textgauge score -m {_metric_for(part).name} -p {name}")

"""`textgauge demo`: score the sample that comes with textgauge."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from .. import sample
from ..accumulation.accumulator import accumulator_of, summary_of
from ..checks import printable
from ..metric.metric import Metric
from ..options import options_of
from .command import metrics, question_of
from .messages import InputError, notices
from .output import show, write_whole, writing
from .process import quiet_imports
from .score import result_of, table_of
from .sheet import Numbers, Table

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
        pages = [part for name in sample.PARTS for part in _score_of_sample(name)]
        pages += [part for metric in metrics() for part in _learned(metric)]
        show("\n\n".join([*pages, _NEXT]), None)


def _metric_for(part: str) -> type[Metric]:
    """Return the first metric for a part of the sample."""
    return next(metric for metric in metrics() if metric.about.sample == part)


def _about(metric: type[Metric], more: str = "") -> str:
    return click.style(click.wrap_text(f"{metric.about.title}: {question_of(metric)}{more}", 80), italic=True)


def _score_of_sample(part: str) -> list[str]:
    metric = _metric_for(part)
    accumulator = accumulator_of(metric)().update(*sample.columns(part))
    result = result_of(accumulator, metric.reports_type.defaults_for.get("summary", {}))
    return [_about(metric), table_of(accumulator, result, Numbers.of(accumulator.metric.scores.top, None)).text()]


def _learned(metric: type[Metric]) -> list[str]:
    """Score translations, and the same with their words backwards, by a model that learned the references."""
    learning = [option.name for option in options_of(metric.options_type) if option.kind == "texts"]
    if not learning or metric.inputs.has_references:
        return []
    translations, references = sample.columns("translations")
    options = {name: [text for texts in references for text in texts] for name in learning}
    backwards = [" ".join(reversed(text.split())) for text in translations]
    summaries = {}
    for name, texts in (("translations", translations), ("the same, words backwards", backwards)):
        with quiet_imports():
            accumulator: Any = accumulator_of(metric)(**options)
        summaries[name] = summary_of(accumulator, accumulator.update_texts(texts).score())
    first = summaries["translations"]
    below = [f"{len(translations)} segments, {first.below[0]}"]
    table = Table(first.title, [line.label for line in first.lines[:3]], below=below)
    for name, summary in summaries.items():
        table.add(name, *(f"{line.values[-1]:.2f}" for line in summary.lines[:3]))
    about = _about(metric, " The model here learned the references; lower is better.")
    return [about, table.text()]


def _save(folder: Path) -> None:
    paths = {part: folder / f"{part}.jsonl" for part in sample.PARTS}
    if existing := [path.name for path in paths.values() if path.exists()]:
        raise InputError(f"--save: {printable(str(folder))} already has {existing[0]}; name another folder")
    with writing("--save", str(folder)):
        folder.mkdir(parents=True, exist_ok=True)
        for part, path in paths.items():
            lines = [json.dumps(segment, ensure_ascii=False) + "\n" for segment in sample.segments(part)]
            write_whole(path, "".join(lines))
    for part, path in paths.items():
        name = printable(str(path))
        click.echo(f"wrote {name}; score it by: textgauge score -m {_metric_for(part).name} -p {name}")

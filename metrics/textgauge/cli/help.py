"""`textgauge help`: the metrics, the options of one as its card has them, or the help of a command."""

from __future__ import annotations

import re
from math import inf, isinf
from typing import TYPE_CHECKING, Any

import click

from ..locations import OF_METRICS, OF_SETS, TABLES
from ..metric.metric import with_defaults
from ..options import meaning, remarks_on
from ..plain.tokenizers import TOKENIZERS as DEFINITIONS
from ..text import NORMALIZERS, TOKENIZERS
from ..text.sacrebleu_tokenizers import NAMES as SACREBLEU_TOKENIZERS
from ..text.speech import SPEECH_NORMALIZERS
from .command import find_metric, metric_names, metrics, module_alone, question_of, typed_options
from .messages import WIDTH, suggestion, wrapped

if TYPE_CHECKING:
    from ..metric.metric import Metric


# The names that an option of a kind takes, unless it says which.
_NAMES = {"tokenizer": (*TOKENIZERS, *SACREBLEU_TOKENIZERS), "normalizer": (*NORMALIZERS,)}
# What else has a page of help: all names of a kind.
_LISTS = {"tokenizers": _NAMES["tokenizer"], "normalizers": (*SPEECH_NORMALIZERS, *NORMALIZERS)}
# Of options that are a file here, a list in Python.
_FILES = {"texts": "file of texts", "groups": "file of references"}


@click.command("help")
@click.argument("topic", required=False)
@click.pass_context
def help(context: click.Context, topic: str | None) -> None:  # noqa: A001
    """List the metrics, or show the options of one (textgauge help chrf), or the help of a command.

    textgauge help tokenizers, or normalizers, lists those that options name.
    """
    parent: Any = context.parent
    command = None if topic is None else parent.command.get_command(parent, topic)
    if command is not None:
        click.echo(command.get_help(click.Context(command, info_name=topic, parent=parent)))
        return
    formatter = click.HelpFormatter(width=WIDTH, max_width=WIDTH)
    from ..accumulation.registry import OF_PAPERS, metric_of_samples

    if topic in _LISTS:
        click.echo(listed_with_meanings(topic))
        return
    if topic is None:
        _write_all(formatter)
    elif metric := find_metric(topic) or metric_of_samples(topic):
        _write_one(formatter, metric)
    elif topic in OF_METRICS:
        context.fail(module_alone(topic))
    elif ours := OF_PAPERS.get(topic.lower()):
        context.fail(f"there is no help about {topic!r}; it is {ours} here: textgauge help {ours.partition('(')[0]}")
    else:
        near = suggestion(topic, [*parent.command.list_commands(parent), *metric_names(), *_LISTS])
        context.fail(f"there is no help about {topic!r}; {near}")
    click.echo(formatter.getvalue().rstrip("\n"))


def listed_with_meanings(topic: str) -> str:
    """Return the names of all tokenizers, or normalizers, with what they do."""
    formatter = click.HelpFormatter(width=WIDTH, max_width=WIDTH)
    about = _of_tokenizer if topic == "tokenizers" else _of_normalizer
    formatter.write_dl([(name, about(name)) for name in _LISTS[topic]])
    return formatter.getvalue().rstrip("\n")


def _of_tokenizer(name: str) -> str:
    if name not in TOKENIZERS:
        return "As sacreBLEU's tokenizer of that name, with its extras installed."
    rule = TOKENIZERS[name].rule
    if name != rule:
        return f"sacreBLEU's name of {rule}."
    sentence = _sentence(DEFINITIONS[rule])
    # Names that users have for others.
    return re.sub(r"\btokens_(\w+)", lambda mention: mention[1].replace("_", "-"), sentence)


def _of_normalizer(name: str) -> str:
    function = SPEECH_NORMALIZERS.get(name) or NORMALIZERS[name].function
    return "The rules for answers of that official script." if function is None else _sentence(function)


def _sentence(function: Any) -> str:
    return (function.__doc__ or "").splitlines()[0].replace("`", "")


def _write_all(formatter: click.HelpFormatter) -> None:
    """List the metrics with their range and the question that they answer."""
    from ..accumulation.registry import metric_of_samples

    with formatter.section("Metrics, as -m takes them"):
        formatter.write_dl(
            [
                (metric.name, " ".join(filter(None, [question_of(metric), metric.about.form])) + _range(metric))
                for metric in (*metrics(), *filter(None, map(metric_of_samples, OF_SETS)))
            ]
        )
    formatter.write_paragraph()
    scores = [name for metric in metrics() for name in metric_names(metric)[1:]]
    formatter.write_text(f"-m also takes a single score: {', '.join(scores)}, ...")
    for table, names in TABLES.items():
        formatter.write_paragraph()
        formatter.write_text(f"-m {table} is one table: it stands for -m {' '.join(names)}.")
    formatter.write_paragraph()
    formatter.write_text("Options of a metric: textgauge help NAME. Those of a command: textgauge COMMAND --help.")


def _range(metric: type[Metric]) -> str:
    scores = with_defaults(metric).scores
    score = scores.of(scores.headline)
    if score.perfect is None and score.largest in (1.0, inf):
        # A model has no bounds, or says none.
        return ""
    best = (
        ""
        if score.higher_is_better
        else ", lower is better"
        if score.perfect is None
        else f", {score.perfect:g} is best"
    )
    end = "or more" if isinf(score.largest) else f"to {score.largest * scores.scale:g}"
    return f" [0 {end}{best}]"


def _write_one(formatter: click.HelpFormatter, metric: type[Metric]) -> None:
    """Write the table of the card as plain text, and the remarks below it."""
    formatter.write(wrapped(f"{metric.about.title}: -m {metric.name}{_range(metric)}", ""))
    formatter.write(wrapped(question_of(metric), ""))
    formatter.write("\nOptions:\n")
    for option in typed_options(metric).values():
        type_name = _FILES.get(option.kind, option.type_name)
        formatter.write(wrapped(f"{option.name}: {type_name}, default {option.shown_default}", "  ", "      "))
        formatter.write(wrapped(meaning(option), "    "))
        if names := option.named or _NAMES.get(option.kind):
            formatter.write(wrapped(f"Names: {', '.join(names)}; see textgauge help {option.kind}s.", "    "))
    remarks = remarks_on(metric.options_type, metric.reports_type, for_python=False)
    if not remarks:
        return
    formatter.write("\nNotes:\n")
    for paragraph in remarks.replace("\n- ", "\n\n- ").split("\n\n"):
        is_item = paragraph.startswith("- ")
        formatter.write(("" if is_item else "\n") + wrapped(paragraph, "  ", "    " if is_item else "  "))

"""`textgauge rouge155`: the command line of the ROUGE-1.5.5 script."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from functools import cache, cmp_to_key
from pathlib import Path
from typing import Any

import click

from ..checks import MAX_ORDER, MAX_RESAMPLES, fail, printable
from ..measures.rouge import Rouge
from ..measures.script_averages import average_of_counts, average_of_scores
from ..resampling.script import N_RESAMPLES, Interval
from ..scores.rouge_options import SCRIPT
from ..scores.rouge_types import DEFAULT_WEIGHT, type_of
from .messages import InputError, notices
from .settings155 import DEFAULT_SYSTEM, FORMATS, read_list, read_settings, read_text, systems_of

_HOMES = ("ROUGE_EVAL_HOME", "RED_EVAL_HOME")
_STOP_WORDS = "smart_common_words.txt"
# One of several folders in the release; its database WordNet-2.0.exc.db is made from this one.
_EXCEPTIONS = "WordNet-2.0-Exceptions"
_EPILOG = """\b
Examples:
  textgauge rouge155 -a -n 4 -w 1.2 -m -2 4 -U -e data settings.xml
  textgauge rouge155 -d -n 2 -x -z SPL pairs.txt

\b
Files:
  SETTINGS is the script's XML, or with -z a list: a peer and its models per
  line.
  -m reads the *.exc files of WordNet, -s smart_common_words.txt: both in the
  folder that -e or ROUGE_EVAL_HOME names. The script's release has them.

\b
Not supported: -3 (basic elements), -M, -v and -H. Without -a and SYSTEM all
systems are scored. A reference without words scores 0; the script's ROUGE-W
stops at one.
"""


_option = click.option


@click.command(epilog=_EPILOG)
@click.argument("settings", type=click.Path())
@click.argument("system", required=False)
@_option("-a", "all_systems", is_flag=True, help="Score all systems.")
@_option("-n", "max_order", type=click.IntRange(max=MAX_ORDER), metavar="N", help="ROUGE-1 to ROUGE-N.")
@_option("-x", "no_lcs", is_flag=True, help="No ROUGE-L.")
@_option("-w", "weight", metavar="W", help="ROUGE-W with this weight, 1.2 for instance.")
@_option("-2", "gap", type=int, metavar="GAP", help="ROUGE-S with at most GAP words between; below 0 any number.")
@_option("-u", "with_unigrams", is_flag=True, help="ROUGE-SU instead of ROUGE-S.")
@_option("-U", "both_skips", is_flag=True, help="ROUGE-SU as well as ROUGE-S.")
@_option("-m", "stems", is_flag=True, help="Porter stems.")
@_option("-s", "stops", is_flag=True, help="Without stop words.")
@_option("-l", "max_words", type=click.IntRange(min=0), metavar="N", help="Only the first words of a text.")
@_option("-b", "max_bytes", type=click.IntRange(min=0), metavar="N", help="Only the first bytes of a text.")
@_option("-f", "formula", type=click.Choice(["A", "B"]), default="A", help="A pools the references, B takes the best.")
@_option("-p", "alpha", type=click.FloatRange(0, 1), default=0.5, metavar="A", help="F: 1 is precision, 0 recall.")
@_option(
    "-t", "unit", type=click.IntRange(0, 2), default=0, metavar="N", help="Average 0 scores, 1 counts; 2 sums counts."
)
@_option(
    "-c", "confidence", type=click.FloatRange(0, 100), default=95, metavar="PERCENT", help="Level of the intervals."
)
@_option(
    "-r",
    "n_resamples",
    type=click.IntRange(1, MAX_RESAMPLES),
    default=N_RESAMPLES,
    metavar="N",
    help="Resamples of the bootstrap.",
)
@_option("-d", "each", is_flag=True, help="Print every evaluation.")
@_option("-e", "home", type=click.Path(), metavar="FOLDER", help="Where the data files are.")
@_option("-z", "kind", type=click.Choice(FORMATS), help="SETTINGS is a list of files in this format.")
def rouge155(settings: str, system: str | None, kind: str | None, **options: Any) -> None:
    """Score the texts that SETTINGS names, and print what the ROUGE-1.5.5 script prints."""
    labels = _labels(options)
    keywords = _keywords(list(labels.values()), options)
    if kind:
        system = system or DEFAULT_SYSTEM
        evaluations = read_list(settings, kind, system)
    else:
        evaluations = read_settings(settings)
    systems = systems_of(evaluations)
    if system and (kind or not options["all_systems"]):
        if system not in systems:
            fail(InputError, "SYSTEM", f"one of {', '.join(map(repr, systems))}", repr(system))
        systems = [system]
    text_of = cache(read_text)
    pages = []
    with notices():
        for peer in systems:
            chosen = [evaluation for evaluation in evaluations if peer in evaluation.peers]
            predictions = [text_of(e.peer_root + e.peers[peer], e.kind) for e in chosen]
            references = [[text_of(path, e.kind) for path in e.model_paths()] for e in chosen]
            scored = Rouge(**keywords).update(predictions, references)
            pages.append(_page(list(labels), options, peer, [f"{e.name}.{peer}" for e in chosen], scored))
    for peer in systems:
        for missing in (e for e in evaluations if peer not in e.peers):
            warning = printable(f"system {peer} has no text for evaluation {missing.name}")
            click.echo(f"textgauge: warning: {warning}", err=True)
    click.echo("".join(pages), nl=False)


def _labels(options: Mapping[str, Any]) -> dict[str, str]:
    """Return our type for every label that the script prints, in the script's order."""
    labels = {f"ROUGE-{n}": f"rouge{n}" for n in range(1, (options["max_order"] or 0) + 1)}
    if not options["no_lcs"]:
        labels["ROUGE-L"] = "rougeL"
    weight, gap = options["weight"], options["gap"]
    if weight is not None:
        try:
            labels[f"ROUGE-W-{weight}"] = type_of(f"rougeW-{weight}", DEFAULT_WEIGHT, "-w").name
        except ValueError as error:
            raise click.UsageError(str(error)) from error
    if gap is None and (options["with_unigrams"] or options["both_skips"]):
        raise click.UsageError("-u and -U need -2")
    if gap is not None:
        shown_gap, own_gap = ("*", "") if gap < 0 else (gap, gap)
        kinds = ["SU"] if options["with_unigrams"] else ["S", "SU"] if options["both_skips"] else ["S"]
        labels |= {f"ROUGE-{kind}{shown_gap}": f"rouge{kind}{own_gap}" for kind in kinds}
    if not labels:
        raise click.UsageError("-x leaves no type of ROUGE; add -n, -w or -2")
    return labels


def _keywords(types: Sequence[str], options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the equivalent keywords of `Rouge`, checked."""
    home = options["home"] or next((os.environ[name] for name in _HOMES if name in os.environ), None)
    keywords = {
        "preset": SCRIPT, "rouge_types": types, "use_stemmer": options["stems"], "alpha": options["alpha"],
        "max_words": options["max_words"] or None, "max_bytes": options["max_bytes"] or None,
        "multi_reference": "best" if options["formula"] == "B" else "pooled",
    }  # fmt: skip
    if options["stops"]:
        keywords["stopwords"] = Path(home or ".", _STOP_WORDS)
    if options["stems"]:
        keywords["exceptions"] = _exceptions(home)
    try:
        Rouge(**keywords)
    except (TypeError, ValueError) as error:
        raise click.UsageError(str(error)) from error
    return keywords


def _exceptions(home: str | None) -> Path | None:
    """Find the folder of WordNet's exception files: the data folder, or the script's folder inside it."""
    folder = Path(home or ".")
    for path in (folder, folder / _EXCEPTIONS):
        if any(path.glob("*.exc")):
            return path
    if home:
        fail(InputError, "-e", f"a folder with *.exc files, or with a folder {_EXCEPTIONS}, for -m", repr(home))
    click.echo(
        "textgauge: warning: no *.exc files: -m stems irregular forms by rule; name their folder by -e", err=True
    )
    return None


_RULE, _DOTS = "-" * 45, "." * 45
# The script prints recall first; our scores have precision first.
_COLUMNS = {"R": 1, "P": 0, "F": 2}
_COUNTS = {"R": 2, "P": 1, "F": 0}


def _page(labels: Sequence[str], options: Mapping[str, Any], system: str, names: Sequence[str], scored: Rouge) -> str:
    """Format all lines of a system; `names` are those of its evaluations."""
    order = sorted(range(len(names)), key=lambda i: names[i])
    scores, counts = scored.segment_scores()[order], scored.statistics[order]
    names = [names[i] for i in order]
    unit, drawn = options["unit"], (options["n_resamples"], options["confidence"])
    average: Interval | None = None
    if unit == 0:
        average = average_of_scores(scores, *drawn)
    elif unit == 1:
        average = average_of_counts(counts, scored.options.f_alpha, *drawn)
    lines = []
    for i, label in enumerate(labels):
        tag = f"{system} {label}"
        lines.append(_RULE)
        if average is None:
            matches, peer, model = (int(total) for total in counts[:, i].sum(axis=0))
            lines.append(f"{tag} M_count: {model} P_count: {peer} H_count: {matches}")
        else:
            value, low, high = (part[i] for part in average)
            lines += [
                f"{tag} Average_{part}: {value[k]:.5f} ({drawn[1]:g}%-conf.int. {low[k]:.5f} - {high[k]:.5f})"
                for part, k in _COLUMNS.items()
            ]
        if options["each"]:
            columns, rows, form = (_COLUMNS, scores, ".5f") if unit == 0 else (_COUNTS, counts, ".15g")
            lines.append(_DOTS)
            for j in sorted(range(len(names)), key=lambda j: cmp_to_key(_by_number)(names[j])):
                values = " ".join(f"{part}:{rows[j, i, k]:{form}}" for part, k in columns.items())
                lines.append(f"{tag} Eval {names[j]} {values}")
    return "".join(f"{printable(line)}\n" for line in lines)


def _by_number(left: str, right: str) -> int:
    """Compare by leading numbers if both have one, else as strings."""
    a, b = (re.match("[0-9]+", name) for name in (left, right))
    if a and b:
        return int(a[0]) - int(b[0])
    return (left > right) - (left < right)

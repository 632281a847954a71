"""`textgauge explain`: a page with a score, its distribution, and the texts with what matches."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from typing import Any

import click
import numpy as np
import pyarrow as pa
from rich.console import Console

from ..arrays import lengths_of, offsets_of
from ..arrow import text_array, texts_of
from ..checks import LARGEST, MAX_RESAMPLES, fail, printable
from ..columns import Corpus
from .combinations import check_flags
from .files import InputError, shown_name, write_whole
from .help import OptionsByMetric
from .notices import notices
from .options import given
from .progress import LateProgress
from .reading import FORMATS
from .score import score as score_command
from .scores import MOVING, keywords, named, owner, start
from .segments import corpora, open_sides
from .squad import SQUAD
from .systems import open_systems, system_corpora

_EPILOG = """\b
Examples:
  textgauge explain -m rouge2 -p hyp.txt -r ref.txt -o report.html
  textgauge explain -m bleu -p a.txt -p b.txt --name old --name new -r ref.txt -o report.html
  textgauge explain -m rougeL -p scored.jsonl --stem -o report.html

\b
The page is one file that needs no network: open it in a browser, send it, print it.

\b
Exit code: 0, or 2 with one line on stderr for what cannot be scored.
"""


@click.command(cls=OptionsByMetric, epilog=_EPILOG, short_help="Write a page that shows where a score comes from.")
@click.option(
    "-m", "--metric", "metric", metavar="SCORE", required=True,
    help="bleu, rouge1, rouge2, ..., rougeL, rougeLsum, token_f1 or exact_match.",
)  # fmt: skip
@click.option(
    "-p", "--predictions", "systems", type=click.Path(), multiple=True, required=True,
    help="File to score; '-' is standard input. Give it once per system.",
)  # fmt: skip
@click.option(
    "-r", "--references", type=click.Path(), multiple=True,
    help="File of references. Give it again for more references per segment; leave it out if the one "
    "file of predictions holds them.",
)  # fmt: skip
@click.option("-o", "--output", type=click.Path(), required=True, help="The page to write, replacing what is there.")
@click.option(
    "--name", "names", multiple=True, metavar="TEXT", show_default="of the files",
    help="What the page calls a system. Give it once per system.",
)  # fmt: skip
@click.option(
    "--confidence", type=click.FloatRange(0, 1, min_open=True, max_open=True), metavar="C", default=0.95,
    show_default=True, help="Of the bootstrap interval.",
)  # fmt: skip
@click.option(
    "-n", "--n-resamples", type=click.IntRange(1, MAX_RESAMPLES), metavar="N", default=1000, show_default=True,
    help="Bootstrap resamples.",
)  # fmt: skip
@click.option("--seed", "draw_seed", type=click.IntRange(min=0), default=12345, show_default=True, help="Of chance.")
@click.option(
    "--segments", "most_segments", type=click.IntRange(1, LARGEST), metavar="N", default=5000, show_default=True,
    help="Of more segments, only the worst and the best are listed; all of them are scored.",
)  # fmt: skip
@click.pass_context
def explain(context: click.Context, /, metric: str, systems: Sequence[str], **options: Any) -> None:
    """Write a page that shows where a score comes from.

    It has the score with its interval, the distribution over segments, and every segment
    with the matching words marked in prediction and reference.
    """
    on_line = given(context, options)
    score = named(metric)
    flags = {name: value for name, value in on_line.items() if name in MOVING}
    check_flags([owner(score)], flags)
    start(score, flags)
    names = _names(systems, options["names"])
    _check_output(options["output"], [*systems, *options["references"]])
    fields: dict[str, Any] = {
        name: on_line[name] for name in ("prediction_field", "reference_field") if name in on_line
    }
    with notices(), ExitStack() as stack:
        corpora_of = _read(stack, systems, options["references"], options["kind"], fields)
        page = _page(names, corpora_of, score, keywords(score, flags), options)
    try:
        write_whole(options["output"], page)
    except OSError as error:
        reason = os.strerror(error.errno or 0).lower()
        fail(InputError, "--output", "a file to write", f"{options['output']}: {reason}")


_SHARED = {parameter.name: parameter for parameter in score_command.params}
explain.params.append(
    click.Option(
        ["--format", "kind"],
        type=click.Choice([*FORMATS, SQUAD]),
        show_default="by suffix, else text",
        help="Format of all files.",
    )
)
explain.params += [_SHARED[name] for name in ("prediction_field", "reference_field", "max_unpacked", *sorted(MOVING))]


def _page(
    names: Sequence[str], texts: Sequence[Corpus], score: Any, chosen: Mapping[str, Any], options: Mapping[str, Any]
) -> str:
    from ..report.content import Content, System
    from ..report.pages import explain_page
    from ..resampling import BootstrapOptions

    bootstrap = BootstrapOptions(options["confidence"], options["n_resamples"], options["draw_seed"])
    systems = [System.of(name, corpus, score, chosen, bootstrap) for name, corpus in zip(names, texts, strict=True)]
    return explain_page(Content(score.key, systems, bootstrap, options["most_segments"]))


def _names(systems: Sequence[str], names: Sequence[str]) -> list[str]:
    """Return what the systems are called: their files without folders, where that tells them apart."""
    if names:
        if len(names) != len(systems):
            fail(click.UsageError, "--name", f"as many as --predictions ({len(systems)})", str(len(names)))
        return list(map(printable, names))
    short = [shown_name(os.path.basename(path)) for path in systems]
    return short if len(set(short)) == len(short) else list(map(shown_name, systems))


def _check_output(output: str, inputs: Sequence[str]) -> None:
    for path in inputs:
        if os.path.exists(output) and os.path.exists(path) and os.path.samefile(output, path):
            fail(click.UsageError, "--output", "a file of its own", f"{path}, which is read")


def _read(
    stack: ExitStack, systems: Sequence[str], references: Sequence[str], kind: str | None, fields: Mapping[str, Any]
) -> list[Corpus]:
    if not references and len(systems) > 1:
        fail(click.UsageError, "--references", "a file beside several files of predictions", "none")
    if references:
        sources = open_systems(stack, systems, references, None, kind, fields)
        batches = (texts for texts, _ in system_corpora(sources, len(systems), has_documents=False))
    else:
        sources = open_sides(stack, systems[0], [], kind, fields)
        batches = ([corpus] for corpus in corpora(sources))
    read: list[list[Corpus]] = [[] for _ in systems]
    with LateProgress(Console(stderr=True)) as progress:
        n_segments = 0
        for texts in batches:
            for of_system, corpus in zip(read, texts, strict=True):
                of_system.append(corpus)
            n_segments += len(texts[0])
            progress.show(sources[0].done(), n_segments)
    return [_joined(parts) for parts in read]


def _joined(parts: Sequence[Corpus]) -> Corpus:
    n_references = np.concatenate([lengths_of(part.reference_offsets) for part in parts])
    sides = [part.hypotheses for part in parts], [part.references for part in parts]
    hypotheses, references = (texts_of(pa.concat_arrays(list(map(text_array, side)))) for side in sides)
    return Corpus(hypotheses, references, offsets_of(n_references))

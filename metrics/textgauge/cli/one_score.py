"""What commands ask for that need one score and files of texts, which need not be parallel."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import click

from .command import chosen_of
from .files import shown_name
from .messages import listed, refuse
from .reading import format_of
from .request import check_files
from .segments import SQUAD

_FIELDS = {"prediction_field": "prediction", "reference_field": "reference"}


@dataclass(frozen=True)
class OneScore:
    """A score, and the files to read.

    Attributes
    ----------
    name : str
        As `segment_scores` takes it.
    options : mapping
        Of the metric.
    scale : float
    higher_is_better : bool
    texts, others : str, str or None
        The file of texts, and that of references if there is one.
    field, other_field : str
        Their columns.
    kind : str or None
        Their format; None for those of their suffixes.
    """

    name: str
    options: Mapping[str, Any]
    scale: float
    higher_is_better: bool
    texts: str
    others: str | None
    field: str
    other_field: str
    kind: str | None

    def format(self, path: str) -> str:
        """Return the format of a file."""
        return self.kind or format_of(path)


def one_score(context: click.Context, options: Mapping[str, Any]) -> OneScore:
    """Return what a command line asks for, checked before any file is opened."""
    name = context.command.name
    chosen, files, references = chosen_of(context, options)
    names = [one for scoring in chosen for one in scoring.names]
    if len(names) > 1:
        refuse(f"{name} takes one score, got {listed(names)}")
    for what, paths in (("file", files), ("file of references", references)):
        if len(paths) > 1:
            refuse(f"{name} takes one {what}, got {listed([*map(shown_name, paths)])}")
    for flag, key in (("--table", "paper"), ("--name", "names"), ("--skip-bad", "skip_bad")):
        if options[key]:
            refuse(f"{flag} has no effect with {name}")
    if options["kind"] == SQUAD:
        refuse(f"--format {SQUAD} is not for {name}")
    fields = {key: options[key] or default for key, default in _FIELDS.items()}
    other_field = fields["reference_field"]
    if not isinstance(other_field, str):
        if len(other_field) > 1:
            refuse(f"{name} takes one --reference-field")
        (other_field,) = other_field
    check_files([*files, *references], options["output"])
    measure = chosen[0].metric.measure
    if not measure.has_references:
        refuse(f"{name} needs a metric that compares texts with others, not {names[0]}")
    beside = {option.name for option in measure.columns}
    given = {key: value for key, value in chosen[0].given.items() if key not in beside}
    about = measure.scale, measure.about.higher_is_better
    both = files[0], references[0] if references else None
    return OneScore(names[0], given, *about, *both, fields["prediction_field"], other_field, options["kind"])


def suffix_of(path: str, allowed: tuple[str, ...], flag: str) -> str:
    """Return the suffix of a file to write; refuse another than those that are allowed."""
    suffix = os.path.splitext(path)[1].lower()
    if suffix not in allowed:
        refuse(f"{flag} needs a name that ends in {listed(allowed, 'or')}, not {path!r}")
    return suffix

"""What a command line asks for: metrics with their options, the files to read; and the counting of both."""

from __future__ import annotations

import os
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import click
import numpy as np

from ..accumulation.accumulator import accumulator_of, in_documents
from ..checks import fail, in_number, listed, printable, refuse_without_effect
from ..files.delimited import DELIMITERS
from ..files.file import OF_SESSIONS, InputFile
from ..files.joined import name_of_segments, names_of_other_columns
from ..files.lines import STDIN, FileError, has_wildcards, shown_name
from ..files.long_table import shares_ids, systems_in
from ..files.parallel import ROLES, SQUAD, ParallelFiles, Segments, columns_of, fields_of, flag_of
from ..files.plain_text import TIMES_TO_TEXT
from ..files.rows import KEY, BadRows, TextLists, columns_like
from ..input.columns import Corpus, known_texts, without_references
from ..input.documents import Documents
from ..input.sessions import OfUtterances, usual_session, usual_speaker
from ..locations import DEFAULT
from ..metric.inputs import refuse_unused
from ..metric.metric import refuse_beside_scores, reports_without_effect, with_defaults
from ..options import kinds_of
from ..plain import Texts
from ..resampling.units import USUAL, Units, units_of, warn_of_unused
from .command import (
    OF_UTTERANCES,
    Scoring,
    find_metric,
    limits_of,
    scorings_of,
)
from .messages import InputError, bars_on_terminals, refusals, refuse
from .output import check_suffix
from .process import quiet_imports

if TYPE_CHECKING:
    from ..accumulation.accumulator import Accumulator
    from ..accumulation.named_score import NamedScore
    from ..accumulation.running import RunningScore
    from ..metric.metric import Metric

# Of these forms of the output, one can be asked for.
_ONE_FORM = {"brief": "--brief", "as_json": "--json", "paper": "--table"}
# What ends the name of a file but not that of a system: "hyp.txt.gz", not "model-1.5".
_SUFFIXES = re.compile(r"(?<=.)(\.[a-z]\w*)(\.gz)?$", re.IGNORECASE)


# The roles of columns that metrics read.
_TEXTS = ("prediction", "reference", "source", "prefix")
# Where files of what a model reads are given.
_FLAGS = {"references": "-r FILE", "sources": "-s FILE, or --source-field NAME"}
# The usual name of the column of systems of a long table.
_SYSTEM = "system"


class Request(NamedTuple):
    """The metrics, files and options that a command line names, checked.

    Attributes
    ----------
    chosen : sequence of Scoring
    names : sequence of str
        One for every system.
    files : ParallelFiles
        The files to read.
    typed : sequence of str
        The requested scores in the order of the line.
    columns : sequence of str
        Those of the systems, if each has a column of one file.
    """

    chosen: Sequence[Scoring]
    names: Sequence[str]
    files: ParallelFiles
    typed: Sequence[str] = ()
    columns: Sequence[str] = ()

    @property
    def systems(self) -> Sequence[str]:
        """The file or the column of each system."""
        return self.columns or self.files.systems

    def options(self) -> list[dict[str, Any]]:
        """Return the options of every metric; options that are texts or references are read from files."""
        every = []
        for scoring in self.chosen:
            options, kinds = {**scoring.options}, kinds_of(scoring.metric.options_type)  # type: ignore[arg-type]
            for name in scoring.files:
                if name in options:
                    with refusals(scoring.metric.name):
                        options[name] = self._read(options[name], are_groups=kinds[name] == "groups")
            every.append({**options, **scoring.fixed})
        return every

    def _read(self, path: str, *, are_groups: bool) -> Any:
        """Return the texts of a file, or its references row by row."""
        fields = fields_of(self.files.fields, "reference_field" if are_groups else "prediction_field")
        columns = InputFile(path, fields, self.files.file_format, self.files.limits, self.files.quoting).columns()
        if not are_groups:
            return columns[0].texts
        return [[*chain(*row)] for row in zip(*(column.lists() for column in columns), strict=True)]

    @property
    def in_documents(self) -> bool:
        """Whether a column has the documents whose texts are the context of others."""
        return "context_field" in self.files.fields

    def start(self, every_options: Sequence[Mapping[str, Any]], *, only_scores: bool = True) -> list[list[Accumulator]]:
        """Return an empty accumulator of every metric for every system; checks the result of `options`."""
        every = []
        for scoring, options in zip(self.chosen, every_options, strict=True):
            with refusals(scoring.metric.name), quiet_imports():
                if only_scores:
                    refuse_beside_scores(scoring.metric, options)
                first = accumulator_of(scoring.metric)(**options)
                if self.in_documents:
                    if (option := first.metric.inputs.context) and options.get(option) is not None:
                        refuse(f"--context-field cannot be given with {option}, which it replaces")
                    first = in_documents(first)
                first.metric.check_ready()
                every.append([first, *[first.without_segments() for _ in self.names[1:]]])
        return every

    def reports(self) -> list[dict[str, Any]]:
        """Return the options of every metric's report; refuse those that have no effect for any of them."""
        if not any([scoring.reports for scoring in self.chosen]):
            return [{}] * len(self.chosen)
        every_unused = []
        for scoring in self.chosen:
            with refusals(scoring.metric.name):
                every_unused.append(reports_without_effect(scoring.metric, scoring.reports))
        of_scorings = list(zip(self.chosen, every_unused, strict=True))
        needed = {name for scoring, unused in of_scorings for name in scoring.reports if name not in unused}
        for scoring, unused in of_scorings:
            with refusals(scoring.metric.name):
                refuse_without_effect(
                    scoring.reports, {name: why for name, why in unused.items() if name not in needed}
                )
        return [
            {name: scoring.reports[name] for name in scoring.reports if name not in unused}
            for scoring, unused in of_scorings
        ]


def asked_by(context: click.Context, options: Mapping[str, Any]) -> tuple[list[Scoring], list[str]]:
    """Return the scores that a command line asks for in one form, as `scorings_of` does."""
    forms = [*filter(options.get, _ONE_FORM)]
    if len(forms) > 1:
        refuse(f"{_ONE_FORM[forms[0]]} cannot be given with {_ONE_FORM[forms[1]]}")
    return scorings_of(context, options["metrics"] or [DEFAULT])


def request_of(
    context: click.Context,
    options: Mapping[str, Any],
    n_systems: int | None = None,
    *,
    asked: tuple[Sequence[Scoring], Sequence[str]] | None = None,
    needs_references: bool = True,
    of_lists: bool | None = None,
) -> Request:
    """Return what a command line asks for, checked.

    `n_systems` is the most that the command takes; `asked` is what `asked_by` returns, if it was called before.
    Unless it needs references, a file may go without. `of_lists` says which columns may hold lists: by default those
    of references.
    """
    name = context.command.name or ""
    chosen, typed = asked or asked_by(context, options)
    systems, references = systems_of(options, context.command)
    if len(systems) > 1 and not (options["predictions"] or options.get("texts")):
        _refuse_words(systems)
    if n_systems is not None and len(systems) > n_systems:
        shown = ", ".join(map(shown_name, systems))
        refuse(f"{name} takes one file, got {shown}: give the file of references a -r; "
               "parts of one file are a folder, or a quoted pattern")  # fmt: skip
    given, metrics = {**options}, [scoring.metric for scoring in chosen]
    for scoring in chosen:
        given |= scoring.columns
    extras = {"source": given.get("sources"), "document": given.get("documents"), "prefix": given.get("prefixes"),
              "unit": given.get("units")}  # fmt: skip
    texts = options.get("texts", ())
    has_references = any([metric.inputs.has_references for metric in metrics])
    if not (references or options["reference_field"] or options.get("against")):
        # A model says whether it needs any.
        has_references &= needs_references and any("references" in metric.inputs.needed for metric in metrics)
    columns: dict[str, str] = {}
    fields = {name: given[name] for name in ROLES if given.get(name)}
    if texts:
        _check_typed(options, given, metrics, has_references=has_references)
    bad = BadRows(is_skipped=options.get("skip_bad", False), way_out="--skip-bad scores the others")
    files = (_TypedTexts if texts else ParallelFiles)(
        texts or systems, options["against"] if texts else references, options["file_format"],
        fields, has_references=has_references, of_lists=of_lists,
        extras={name: path for name, path in extras.items() if path is not None},
        metrics=metrics, bad=bad, keep=[*dict.fromkeys(options.get("keep", ()))],
        limits=limits_of(options), quoting=options["quoting"], key=options["id_field"],
        by_position=options["by_position"], utterances=_of_utterances(options, chosen),
    )  # fmt: skip
    of_options = [path for scoring in chosen for path in scoring.files.values()]
    extra_files = map(files.extras.get, ("source", "document", "unit"))
    check_files([*([] if texts else systems), *references, *extra_files, *of_options], options["output"])
    if fields and not texts and files.file_format != SQUAD:
        patterned, columns = _of_patterns(files)
        files = files if patterned == fields else replace(files, fields=patterned)
        if files.utterances is not None and columns:
            refuse("--speaker-field is for one column to score")
        if n_systems is not None and len(columns) > n_systems:
            refuse(f"{name} takes one column of texts, got {listed([*columns.values()])}")
    if n_systems is None:
        files = _with_systems(files, options.get("system_field"), has_columns=bool(columns))
        columns |= {} if files.table is None else {name: name for name in files.table.names}
    if not texts:
        _check_parallel(files)
    if options["output"] is not None:
        check_suffix(name, options)
    names = names_of(systems, options.get("names", ()), [*columns], without_suffix=bool(options.get("paper")))
    return Request(chosen, names, files, typed, [*columns.values()])


def _with_systems(files: ParallelFiles, typed: str | None, *, has_columns: bool) -> ParallelFiles:
    """Return files with the systems of a long table: one whose column of systems is named, or has its usual name."""
    field = typed or _SYSTEM
    if files.utterances is not None and not typed:
        return files
    if len(files.systems) > 1 or has_columns or isinstance(files, _TypedTexts) or files.file_format == SQUAD:
        if typed:
            refuse(f"--system-field {typed} is for one file with one column to score, in which all systems stand")
        return files
    file = files.inputs[0]
    if typed and not file.has_columns:
        refuse("--system-field has no effect: plain text has no columns")
    if typed and file.is_read_once:
        refuse(f"--system-field needs a file that can be read twice, not {shown_name(file.path)}")
    existing: list[str] = []
    with nullcontext() if typed else suppress(FileError):
        existing = file.names() if file.has_columns and not file.is_read_once else []
    if not typed and field not in existing:
        return files
    used = {column.name for column in file.fields if column.flag != "--keep"}
    if not typed and field in used:
        return files
    key = files.key or name_of_segments(existing, {*used, field})
    if not typed and (key is None or not shares_ids(file, field, key)):
        return files
    table = systems_in(file, field, skips_bad=files.bad.is_skipped and not files.by_position)
    if key is None and not files.by_position and len(table.names) > 1:
        refuse(
            f"--system-field {field}: {shown_name(file.path)} has no column of ids, by which the rows of its systems "
            f"are joined, only {', '.join(map(repr, existing))}; name it with --id-field, or give --by-position"
        )
    return replace(files, table=table)


def _of_patterns(files: ParallelFiles) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the fields with the columns that patterns with * match, and the columns of systems by name, if any.

    A column of references is none of a system; a lone * leaves out ids, units, sources and the like, too.
    """
    fields = dict(files.fields)
    of_predictions, of_references = _listed(fields.get("prediction_field")), _listed(fields.get("reference_field"))
    if len(of_predictions) < 2 and "*" not in "".join((*of_predictions, *of_references)):
        return fields, {}
    known = [*(name for option in fields for name in _listed(fields[option])), *files.keep, files.key or KEY]
    single = {name for name in known if "*" not in name}
    references: dict[str, str] = {}
    for name in of_references:
        references |= _like(name, files.references or files.systems, files, single) if "*" in name else {name: name}
    if references:
        fields["reference_field"] = tuple(references.values())
    if len(of_predictions) < 2 and "*" not in "".join(of_predictions):
        return fields, {}
    columns: dict[str, str] = {}
    single -= {*of_predictions}
    for name in of_predictions:
        own = _like(name, files.systems, files, single | {*references.values()}) if "*" in name else {name: name}
        columns |= {label: column for label, column in own.items() if column not in columns.values()}
    if len(files.systems) > 1:
        refuse(f"--prediction-field names several columns of one file, got {listed([*map(shown_name, files.systems)])}")
    return {**fields, "prediction_field": tuple(columns.values())}, columns


def _listed(names: str | Sequence[str] | None) -> Sequence[str]:
    return [names] if isinstance(names, str) else names or []


def _like(pattern: str, paths: Sequence[str], files: ParallelFiles, single: Collection[str]) -> dict[str, str]:
    """Return the columns of a file that match a pattern with *, by the text in place of *."""
    if len(paths) > 1:
        refuse(f"{pattern!r} stands for several columns of one file, got {listed([*map(shown_name, paths)])}")
    file = InputFile(paths[0], (), files.file_format, files.limits, files.quoting)
    if file.is_read_once:
        refuse(f"{pattern!r} needs a file that can be read twice, not {shown_name(paths[0])}")
    existing = file.names()
    if pattern == "*":
        single = {*single, *of_all_systems(existing)}
    columns = {pattern: pattern} if pattern in existing else columns_like(pattern, existing, single)
    if not columns:
        fail(InputError, shown_name(paths[0]), f"columns as {pattern!r}", f"only {', '.join(map(repr, existing))}")
    return columns


def of_all_systems(existing: Sequence[str]) -> set[str]:
    """Return the columns that a lone * leaves out: ids, units, sources, references and the like, by their names."""
    others = names_of_other_columns()
    return {name for name in existing if name.lower() in others or USUAL.fullmatch(name)}


class _TypedTexts(ParallelFiles):
    """Texts of the command line instead of files: one of every system, and the references of the one segment."""

    def blocks(self) -> Iterator[Segments]:
        """Yield the one segment."""
        references = known_texts([*self.references]), np.array([0, len(self.references)])
        yield Segments([Corpus(known_texts([text]), *references) for text in self.systems])


def _check_typed(
    options: Mapping[str, Any], values: Mapping[str, Any], metrics: Sequence[type[Metric]], *, has_references: bool
) -> None:
    """Refuse flags that have no effect on typed texts, and texts without what they are compared with."""
    of_sources = [
        flag for name, flag in (("sources", "--sources"), ("source_field", "--source-field")) if values.get(name)
    ]
    if of_sources:
        refuse(f"{of_sources[0]} has no effect with --text, whose source is --source TEXT")
    if options.get("source") is None:
        _refuse_without_sources(metrics, "--source")
    of_format = ["--format"] if options["file_format"] is not None else []
    if of_files := [*of_format, *(flag_of(name) for name in ROLES if values.get(name))]:
        refuse(f"{of_files[0]} has no effect with --text")
    if has_references and not options["against"]:
        refuse("--text needs a reference to be compared with: give --against")
    if options["against"] and not has_references:
        refuse("--against has no effect: none of these metrics uses references")


def _check_parallel(files: ParallelFiles) -> None:
    """Refuse a wrong combination of files and flags, before any file is opened."""
    if not files.has_references and (files.references or "reference_field" in files.fields):
        name = "--references" if files.references else "--reference-field"
        refuse(f"{name} has no effect: none of these metrics uses references")
    flag = _sources_flag(files)
    if flag and not any("sources" in metric.inputs.names for metric in files.metrics):
        names = list(dict.fromkeys(metric.name for metric in files.metrics))
        # sacreBLEU's -s is the method of smoothing.
        is_method = files.extras.get("source") in ("exp", "floor", "add-k", "none")
        hint = "; smoothing is --smoothing" if is_method else ""
        uses = in_number(len(names), "[uses|use]")
        refuse(f"{flag} has no effect: {listed(names)} {uses} no sources{hint}")
    if not flag:
        _refuse_without_sources(files.metrics, "--sources, or --source-field")
    if files.file_format == SQUAD:
        _check_squad(files)
        return
    if files.utterances is not None:
        _check_utterances(files)
    if files.has_references and not files.references:
        _check_one_file(files)
    if any([file.format in OF_SESSIONS for file in files.inputs]):
        _refuse_sessions(files.metrics)
    _refuse_speakers(files)
    check_columns([*map(flag_of, files.fields), *["--keep"] * bool(files.keep)], files.inputs)
    check_quoting(files.quoting, files.inputs)
    if files.key is not None and files.by_position:
        refuse("--id-field cannot be given with --by-position, which leaves ids alone")
    if files.key is not None and not any(file.key is not None for file in files.inputs):
        refuse("--id-field has no effect: it joins the rows of several files that have columns")


def _refuse_sessions(metrics: Sequence[type[Metric]]) -> None:
    if names := list(dict.fromkeys(metric.name for metric in metrics if not metric.inputs.are_sessions)):
        refuse(
            f"files of sessions (--format {listed(OF_SESSIONS, 'or')}) have the names of speakers beside the words, "
            f"which {listed(names)} would score: {TIMES_TO_TEXT}"
        )


def _refuse_speakers(files: ParallelFiles) -> None:
    """Refuse a table of utterances for a metric of sessions, of which each row would be a session of one speaker."""
    names = [metric.name for metric in files.metrics if metric.inputs.are_sessions]
    for file in files.inputs if names else ():
        with suppress(FileError):
            if not file.has_columns or file.is_read_once:
                continue
            columns = file.names()
            if files.utterances is None and (speaker := usual_speaker(columns)):
                refuse(
                    f"{file.title} has a speaker for each row, and {listed(names)} takes a session for each: "
                    f"give --speaker-field {speaker}, and --session-field NAME for rows of several sessions"
                )
            if files.utterances is not None and files.utterances.session is None and (name := usual_session(columns)):
                refuse(
                    f"--speaker-field without --session-field reads all rows as one session, and {file.title} has "
                    f"the column {name!r}: give --session-field {name}"
                )


def _of_utterances(options: Mapping[str, Any], chosen: Sequence[Scoring]) -> OfUtterances | None:
    """Return the columns of a table of utterances that are given, None for none."""
    if not any(map(options.get, OF_UTTERANCES)):
        return None
    given = {name: options[name] for name in OF_UTTERANCES if options.get(name)}
    if names := list(dict.fromkeys(one.metric.name for one in chosen if not one.metric.inputs.are_sessions)):
        uses = in_number(len(names), "[takes|take]")
        refuse(f"{flag_of([*given][0])} has no effect: {listed(names)} {uses} no sessions of several speakers")
    if "speaker_field" not in given:
        refuse(f"{flag_of([*given][0])} needs --speaker-field, the column of who speaks")
    for name, columns in given.items():
        if name != "session_field" and len(columns) > 2:
            refuse(f"{flag_of(name)} is given at most twice, for predictions and for references")
    starts, ends = (given.get(name, ()) for name in OF_UTTERANCES[2:])
    return OfUtterances(given["speaker_field"], given.get("session_field"), starts, ends)


def _check_utterances(files: ParallelFiles) -> None:
    """Refuse what does not go with tables of utterances, whose segments are sessions."""
    for file in files.inputs:
        if not file.has_columns:
            refuse(f"--speaker-field names a column, and {file.title} has none")
    if files.bad.is_skipped:
        refuse("--skip-bad cannot be given with --speaker-field: a session without one of its rows is another")
    others = [*(name for name in files.fields if name not in ("prediction_field", "reference_field")), *files.extras]
    if others or files.keep or files.key is not None or files.by_position:
        flags = [flag_of(name) if name.endswith("_field") else f"--{name}s" for name in others]
        flags += ["--keep"] * bool(files.keep) + ["--id-field"] * (files.key is not None)
        refuse(f"{[*flags, '--by-position'][0]} is of rows, and --speaker-field makes sessions of them")


def _refuse_without_sources(metrics: Sequence[type[Metric]], flags: str) -> None:
    """Refuse metrics that need sources if there are none; the message names the `flags` for sources."""
    if names := [metric.name for metric in metrics if "sources" in metric.inputs.needed]:
        needs = in_number(len(names), "[needs|need]")
        refuse(f"{listed(names)} {needs} sources: give {flags}")


def _sources_flag(files: ParallelFiles) -> str:
    """Return the typed flag of sources; empty if there is none."""
    return "--sources" if "source" in files.extras else "--source-field" * ("source_field" in files.fields)


def _check_squad(files: ParallelFiles) -> None:
    if not all(metric.inputs.has_references for metric in files.metrics):
        refuse("--format squad is for metrics with references")
    if files.bad.is_skipped:
        refuse("--skip-bad has no effect with --format squad, whose rows are matched by their ids")
    for name in files.fields:
        refuse(f"{flag_of(name)} has no effect with --format squad, whose columns have fixed names")
    if files.keep:
        refuse("--keep has no effect with --format squad, whose ids are written")
    for name in ("document", "source", "unit"):
        if name in files.extras:
            refuse(f"--{name}s cannot be used with --format squad, whose rows are matched by their ids")
    if len(files.references) > 1:
        refuse("--format squad takes one file of references, whose rows hold all answers")


def _check_one_file(files: ParallelFiles) -> None:
    if len(files.systems) > 1:
        *others, last = map(shown_name, files.systems)
        program = click.get_current_context().command_path
        refuse(
            f"{listed([*others, last])} are systems, and there are no references: a file of references needs -r, as in "
            f"{program} {' '.join(others)} -r {last}; -r {others[0]} takes the references in its own columns; "
            "parts of one system are a folder, or a quoted pattern"
        )
    file = files.inputs[0]
    if not file.has_columns:
        refuse(
            f"no references: {shown_name(file.path)} is plain text, which has no column for them; "
            "give --references, or -i - to score standard input against it"
        )
    names = [field.name for field in file.fields if field.flag not in ("--keep", "--context-field")]
    if len(set(names)) < len(names):
        fields = "--reference-field" + " or --source-field" * (_sources_flag(files) == "--source-field")
        refuse(f"--prediction-field and {fields} name the same column: {', '.join(map(repr, names))}")


def check_columns(flags: Sequence[str], inputs: Sequence[InputFile]) -> None:
    """Refuse flags of columns for files that have none."""
    for flag in flags:
        have_columns = [file.has_columns for file in inputs if flag in [field.flag for field in file.fields]]
        if not have_columns:
            refuse(f"{flag} has no effect without --prefixes")
        if not any(have_columns) and (role := flag[2:].removesuffix("-field")) in ("unit", "document"):
            refuse(f"{flag} names a column, and plain text has none: --{role}s FILE has a {role} a line")
        if not any(have_columns) and flag == "--context-field":
            refuse(f"{flag} names a column, and plain text has none: context_from=FILE has a document a line")
        if not any(have_columns):
            refuse(f"{flag} has no effect: plain text has no columns")


def check_quoting(quoting: str | None, inputs: Sequence[InputFile]) -> None:
    """Refuse a way to read quotation marks where no file is CSV or TSV."""
    if quoting is not None and not any(file.format in DELIMITERS for file in inputs):
        refuse("--quoting has no effect: it is for CSV and TSV")


def _refuse_words(paths: Sequence[str]) -> None:
    """Refuse words among several files that look like misspelt metrics."""
    for path in paths:
        if path != STDIN and not os.path.splitext(path)[1] and not os.path.exists(path) and not has_wildcards(path):
            if find_metric(path) is not None:
                refuse(f"{shown_name(path)} is a metric: name it behind -m, before other options")
            refuse(f"{shown_name(path)} is neither a file nor a metric")


def systems_of(options: Mapping[str, Any], command: Any) -> tuple[list[str], list[str]]:
    """Return the files of the systems and those of the references, however they were given."""
    files, named = list(options["files"]), list(options["predictions"])
    inputs, references = list(options["inputs"]), list(options["references"])
    if options.get("texts") or options.get("against"):
        return _typed_systems(options, [*files, *named, *inputs, *references])
    if inputs and named:
        refuse("--input and --predictions are the same; use one of them")
    if inputs:
        # As in sacreBLEU, other files are references.
        return inputs, [*files, *references]
    if files and named:
        first, other = shown_name(files[0]), shown_name(named[0])
        refuse(f"{first} has no flag beside -p {other}: give each file its own -p or -r")
    if not files and not named:
        name = command.name
        if references and not sys.stdin.isatty():
            refuse(f"{name} needs a file; '-' is standard input, as in textgauge {name} - -r {references[0]}")
        refuse(f"{name} needs a file, as in {command.example}")
    return files or named, references


def _typed_systems(options: Mapping[str, Any], files: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return names for the texts of the command line, which stand beside no files."""
    texts = options["texts"]
    if files:
        refuse(f"--text and --against are used without files, got {shown_name(files[0])}")
    if not texts:
        refuse("--against needs a text to compare: give --text")
    return [f"text {number}" for number in range(1, len(texts) + 1)] if len(texts) > 1 else ["text"], []


def names_of(
    systems: Sequence[str], names: Sequence[str], columns: Sequence[str] = (), *, without_suffix: bool = False
) -> list[str]:
    """Return the names of the systems: their files, without folders, and suffixes, if that keeps them distinct.

    Those of `columns` are what makes them different.
    """
    if names:
        if len(names) != (n_systems := len(columns or systems)):
            refuse(f"--name must be given once per system, {n_systems} in all")
        return list(map(printable, names))
    if columns:
        return list(map(printable, columns))
    short = [shown_name(os.path.basename(path.rstrip("/" + os.sep))) for path in systems]
    if without_suffix and len(set(stems := [_SUFFIXES.sub("", name) for name in short])) == len(set(systems)):
        return stems
    return short if len(set(short)) == len(set(systems)) else list(map(shown_name, systems))


def check_files(paths: Sequence[str | None], output: str | None) -> None:
    """Refuse standard input for two files, and an output that is standard input or one of the files to read."""
    if paths.count(STDIN) > 1:
        refuse("standard input ('-') can be read for one file only")
    if output == STDIN:
        refuse("--output: expected the name of a file, got '-'")
    for path in filter(None, paths):
        if output and os.path.exists(output) and os.path.exists(path) and os.path.samefile(output, path):
            refuse(f"--output would overwrite {path}, which is an input")


class OneScore(NamedTuple):
    """A score, and the texts to read.

    Attributes
    ----------
    score : NamedScore
    name : str
        As it is typed.
    metric : class
    files : sequence of InputFile
        The file of texts, then those of references and of sources if they are in files of their own.
    """

    score: NamedScore
    name: str
    metric: type[Metric]
    files: Sequence[InputFile]

    @property
    def higher_is_better(self) -> bool:
        """The direction of the score."""
        scores = with_defaults(self.metric).scores
        return scores.of(scores.headline).higher_is_better

    @property
    def shown_name(self) -> str:
        """The name of the file of texts."""
        return shown_name(self.files[0].path)

    def columns(self, *, in_rows: bool) -> dict[str, TextLists]:
        """Read the files: columns by the flag that names them.

        The rows of all files belong together, or unless `in_rows` those of references do not.
        """
        is_apart = [not in_rows and file.fields[0].flag == "--reference-field" for file in self.files]
        paired = iter(columns_of([file for file, apart in zip(self.files, is_apart, strict=True) if not apart]))
        columns = [
            replace(file, key=None).columns() if apart else next(paired)
            for file, apart in zip(self.files, is_apart, strict=True)
        ]
        flags = [field.flag for file in self.files for field in file.fields]
        return dict(zip(flags, chain(*columns), strict=True))


def one_score(context: click.Context, options: Mapping[str, Any], *, of_lists: bool = False) -> OneScore:
    """Return what a command line asks for, checked before any file is opened; `of_lists` if rows may hold lists."""
    name = context.command.name
    request = request_of(context, options, n_systems=1, needs_references=False, of_lists=of_lists)
    names = [label for scoring in request.chosen for label in scoring.labels]
    if len(names) > 1:
        refuse(f"{name} takes one score, got {listed(names)}")
    refuse_documents(request, name)
    metric, files = request.chosen[0].metric, request.files.inputs
    if not metric.inputs.has_references:
        refuse(f"{name} needs a metric that compares texts with others, not {names[0]}")
    if [field.flag for file in files for field in file.fields].count("--reference-field") > 1:
        refuse(f"{name} takes one file of references, with one --reference-field")
    return OneScore(request.chosen[0].scores[0], names[0], metric, files)


def refuse_documents(request: Request, command: str | None) -> None:
    """Refuse a column of documents for a command that does not score the rows of a table in their order."""
    if request.in_documents:
        refuse(f"--context-field is for rows in their order, which {command} does not score")


class Extras(NamedTuple):
    """The columns of files other than texts: documents, ids and units.

    `blank` counts the predictions of each system that are empty or only white space, and with the first system the
    segments whose references all are, by the name of the side; `texts` are the segments, if they are kept.
    """

    documents: list[str]
    ids: list[Any]
    units: list[str]
    blank: defaultdict[int, Counter[str]]
    texts: list[Segments]

    def unit(self, request: Request) -> Units | None:
        """Return the units of the segments, None if there are none."""
        return units_in(request, self.units, self.documents)


def units_in(request: Request, labels: Sequence[str], documents: Sequence[str] = ()) -> Units | None:
    """Return the units that labels of segments make; None without labels, and a warning if files seem to have units.

    Documents of one segment each are none.
    """
    if labels:
        file = os.path.basename(request.files.extras.get("unit", ""))
        return units_of(labels, request.files.fields.get("unit_field") or shown_name(file))
    files = request.files
    if files.file_format == SQUAD or files.utterances is not None:
        return None
    # What is scored or read says nothing of units, such as documents that are summarized.
    used = {field.name for file in files.inputs for field in file.fields if field.role in _TEXTS}
    every = [name for path in dict.fromkeys([*files.systems, *files.references]) for name in files.names(path)]
    names = [name for name in every if name not in used]
    if len({*documents}) < len(documents):
        names.append("document")
    warn_of_unused(names, "--unit-field NAME, or --units FILE, draws them as a whole")
    return None


def count(
    request: Request, accumulators: Sequence[Sequence[Accumulator | RunningScore]], *, keeps_texts: bool = False,
    after: Callable[[Segments], None] | None = None,
) -> Extras:  # fmt: skip
    """Add the segments of every system to its accumulators; return the other columns of the files.

    What is called `after` every block gets its segments, with their kept columns.

    Block by block, unless one of the metrics has no references or needs all segments at once: a language model
    batches texts by their length, and shows a bar of its own.
    """
    extras = Extras([], [], [], defaultdict(Counter), [])
    files, of_options = request.files, [first.metric for first, *_ in accumulators]
    documents: list[Documents] = []
    if request.in_documents:
        n_before = max(used.inputs.n_before for used in of_options)
        documents = [Documents(n_before) for _ in request.names]
    is_by_block = all([metric.inputs.has_references and metric.sums.kind != "whole" for metric in of_options])
    for segments in with_progress(files) if is_by_block else [files.read()]:
        if any([used.inputs.model is not None for used in of_options]):
            for used in of_options:
                with refusals(used.name):
                    lacking = [name for name in used.inputs.lacking([*segments.corpora[0].given]) if name in _FLAGS]
                    who = used.inputs.reader(used.name)
                if lacking:
                    instead = "".join(
                        f", not {name}" for name in segments.corpora[0].given if not used.inputs.used([name])
                    )
                    flags = " and ".join(map(_FLAGS.__getitem__, lacking))
                    refuse(f"{used.name}: {who} needs {listed(lacking)}{instead}: give {flags}")
            with refusals(", ".join(used.name for used in of_options)):
                refuse_unused(of_options, segments.corpora[0].given)
        corpora = segments.corpora
        if documents:
            names = segments.extras["context"].tolist()
            with refusals("--context-field"):
                corpora = [own.of(corpus, names) for own, corpus in zip(documents, corpora, strict=True)]
        for scoring, of_systems in zip(request.chosen, accumulators, strict=True):
            for accumulator, corpus in zip(of_systems, corpora, strict=True):
                with refusals(scoring.metric.name), bars_on_terminals():
                    _add(accumulator, scoring.metric, corpus, segments.extras.get("prefix"))
        if keeps_texts:
            extras.texts.append(segments)
        for i, corpus in enumerate(segments.corpora):
            extras.blank[i]["prediction"] += int(np.sum(corpus.hypotheses.blank()))
            if i == 0 and len(corpus.references):
                # Those of every system are the same.
                is_blank = np.asarray(corpus.references.blank())
                if corpus.offsets is not None:
                    is_blank = np.logical_and.reduceat(is_blank, corpus.offsets[:-1])
                extras.blank[i]["reference"] += int(np.sum(is_blank))
        extras.documents.extend(segments.extras.get("document", ()))
        extras.units.extend(segments.extras.get("unit", ()))
        extras.ids.extend(segments.ids)
        if after is not None:
            after(segments)
    if documents:
        documents[0].warn("--context-field")
    if files.bad.skipped:
        click.echo(f"textgauge: {files.bad.notice()}", err=True)
    return extras


def _add(accumulator: Any, metric: type[Metric], corpus: Corpus, prefixes: Texts | None) -> None:
    if metric.inputs.has_references:
        accumulator.update_corpus(corpus)
    elif prefixes is None:
        accumulator.update_corpus(without_references(corpus.hypotheses))
    else:
        accumulator.update_texts(corpus.hypotheses, prefixes=prefixes)


def with_progress(files: ParallelFiles) -> Iterator[Segments]:
    """Yield the blocks of all files; where there are several, a terminal shows how much is read and counted."""
    progress, blocks = files.progress, files.blocks()
    yield next(blocks)
    if not progress.done < progress.size or not sys.stderr.isatty():
        yield from blocks
        return
    with click.progressbar(length=progress.size, label="scoring", file=sys.stderr) as bar:
        for segments in blocks:
            bar.update(int(progress.done) - bar.pos)
            yield segments
        bar.update(progress.size - bar.pos)

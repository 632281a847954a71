"""`textgauge rouge155`: the command line of the ROUGE-1.5.5 script, its settings, its page."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cmp_to_key
from pathlib import Path
from typing import Any
from xml.parsers import expat

import click

from ..checks import MAX_ORDER, MAX_RESAMPLES, fail, printable
from ..cli.messages import Number, Whole, notices
from ..files.lines import FileError, damaged, open_binary, shown_name
from ..measures.rouge import Rouge
from ..measures.rouge_options import SCRIPT
from ..measures.rouge_types import DEFAULT_WEIGHT, type_of
from ..resampling.intervals import N_RESAMPLES
from ..resampling.rouge_programs import Interval, average_of_counts, average_of_scores

_FORMATS = ("SEE", "SPL", "ISI")
_DEFAULT_SYSTEM = "X"
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


@click.command(epilog=_EPILOG)
@click.argument("settings", type=click.Path())
@click.argument("system", required=False)
@click.option("-a", "all_systems", is_flag=True, help="Score all systems.")
@click.option("-n", "max_order", type=Whole(max=MAX_ORDER), metavar="N", help="ROUGE-1 to ROUGE-N.")
@click.option("-x", "no_lcs", is_flag=True, help="No ROUGE-L.")
@click.option("-w", "weight", metavar="W", help="ROUGE-W with this weight, 1.2 for instance.")
@click.option("-2", "gap", type=int, metavar="GAP", help="ROUGE-S with at most GAP words between; below 0 any number.")
@click.option("-u", "with_unigrams", is_flag=True, help="ROUGE-SU instead of ROUGE-S.")
@click.option("-U", "both_skips", is_flag=True, help="ROUGE-SU as well as ROUGE-S.")
@click.option("-m", "stems", is_flag=True, help="Porter stems.")
@click.option("-s", "stops", is_flag=True, help="Without stop words.")
@click.option("-l", "max_words", type=Whole(min=0), metavar="N", help="Only the first words of a text.")
@click.option("-b", "max_bytes", type=Whole(min=0), metavar="N", help="Only the first bytes of a text.")
@click.option("-f", "formula", type=click.Choice(["A", "B"]), default="A", help="A pools references, B takes the best.")
@click.option("-p", "alpha", type=Number(0, 1), default=0.5, metavar="A", help="F: 1 precision, 0 recall.")
@click.option("-t", "unit", type=Whole(0, 2), default=0, metavar="N",
              help="Average 0 scores, 1 counts; 2 sums counts.")  # fmt: skip
@click.option("-c", "confidence", type=Number(0, 100), default=95, metavar="PERCENT",
              help="Level of the intervals.")  # fmt: skip
@click.option("-r", "n_resamples", type=Whole(1, MAX_RESAMPLES), default=N_RESAMPLES, metavar="N",
              help="Resamples of the bootstrap.")  # fmt: skip
@click.option("-d", "each", is_flag=True, help="Print every evaluation.")
@click.option("-e", "home", type=click.Path(), metavar="FOLDER", help="Where the data files are.")
@click.option("-z", "text_format", type=click.Choice(_FORMATS), help="SETTINGS is a list of files in this format.")
def rouge155(settings: str, system: str | None, text_format: str | None, **options: Any) -> None:
    """Score the texts that SETTINGS names, and print what the ROUGE-1.5.5 script prints."""
    labels = _labels(options)
    keywords = _keywords(list(labels.values()), options)
    system = system or (_DEFAULT_SYSTEM if text_format else None)
    evaluations = read_list(settings, text_format, system or "") if text_format else read_settings(settings)
    systems = _systems_of(evaluations)
    if system and (text_format or not options["all_systems"]):
        if system not in systems:
            fail(FileError, "SYSTEM", f"one of {', '.join(map(repr, systems))}", repr(system))
        systems = [system]
    text_of = cache(read_text)
    pages = []
    with notices():
        for peer in systems:
            chosen = [evaluation for evaluation in evaluations if peer in evaluation.peers]
            predictions = [text_of(e.peer_root + e.peers[peer], e.text_format) for e in chosen]
            references = [[text_of(e.model_root + e.models[i], e.text_format) for i in e.model_ids] for e in chosen]
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
        families = ["SU"] if options["with_unigrams"] else ["S", "SU"] if options["both_skips"] else ["S"]
        labels |= {f"ROUGE-{family}{shown_gap}": f"rouge{family}{own_gap}" for family in families}
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
        fail(FileError, "-e", f"a folder with *.exc files, or with a folder {_EXCEPTIONS}, for -m", repr(home))
    warning = "no *.exc files: -m stems irregular forms by rule; name their folder by -e"
    click.echo(f"textgauge: warning: {warning}", err=True)
    return None


_RULE, _DOTS = "-" * 45, "." * 45
# The script prints recall first; our scores have precision first.
_COLUMNS = {"R": 1, "P": 0, "F": 2}
_COUNTS = {"R": 2, "P": 1, "F": 0}


def _page(labels: Sequence[str], options: Mapping[str, Any], system: str, names: Sequence[str], scored: Any) -> str:
    """Format all lines of a system; `names` are those of its evaluations."""
    order = sorted(range(len(names)), key=lambda i: names[i])
    metric = scored.metric
    scores, counts = metric.parts_by_type(scored)[order], metric.counts_by_type(scored)[order]
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
    return int(a[0]) - int(b[0]) if a and b else (left > right) - (left < right)


@dataclass
class Evaluation:
    """One text per system, and the models to compare them with.

    Attributes
    ----------
    name : str
        The ID.
    text_format : str
        One of the formats, empty until it is known.
    peer_root, model_root : str
        Folders of the paths.
    peers, models : dict
        Paths by ID.
    model_ids : list of str
        In order; an ID that occurs twice counts twice, both times with its last path.
    """

    name: str
    text_format: str = ""
    peer_root: str = ""
    model_root: str = ""
    peers: dict[str, str] = field(default_factory=dict)
    models: dict[str, str] = field(default_factory=dict)
    model_ids: list[str] = field(default_factory=list)


def _systems_of(evaluations: Sequence[Evaluation]) -> list[str]:
    """Return the IDs of all systems, sorted as the script does."""
    return sorted({system for evaluation in evaluations for system in evaluation.peers})


def read_settings(path: str) -> list[Evaluation]:
    """Read the settings of ROUGE-1.5.5 in XML; element names are case-insensitive.

    Raises
    ------
    FileError
        If the file is missing or not well-formed, or has a document type: entities are never expanded.
    """
    reader = _SettingsReader(shown_name(path))
    with open_binary(path) as file:
        try:
            reader.parser.ParseFile(file)
        except expat.ExpatError as error:
            fail(FileError, f"{reader.name}, line {error.lineno}", "well-formed XML", expat.ErrorString(error.code))
        except OSError as error:
            raise damaged(reader.name, error) from error
    evaluations = list(reader.evaluations.values())
    for there, wanted in ((evaluations, "EVAL element"), (_systems_of(evaluations), "peer")):
        if not there:
            fail(FileError, reader.name, f"at least one {wanted}", "none")
    for evaluation in evaluations:
        place = f"{reader.name}, EVAL {evaluation.name!r}"
        if not evaluation.text_format:
            fail(FileError, place, f"an INPUT-FORMAT with TYPE {', '.join(_FORMATS)}", "none")
        if not evaluation.model_ids:
            fail(FileError, place, "at least one model", "none")
    return evaluations


class _SettingsReader:
    """Collects evaluations while expat reads."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.evaluations: dict[str, Evaluation] = {}
        self.current: Evaluation | None = None
        self.open: list[tuple[str, dict[str, str]]] = []
        self.text: list[str] = []
        self.parser = expat.ParserCreate()
        self.parser.StartDoctypeDeclHandler = self._refuse_doctype
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        # A list: expat passes every line separately, and adding to a string would copy it.
        self.parser.CharacterDataHandler = self.text.append

    @property
    def place(self) -> str:
        return f"{self.name}, line {self.parser.CurrentLineNumber}"

    def _refuse_doctype(self, *_: Any) -> None:
        fail(FileError, self.place, "XML without a document type", "a DOCTYPE, which may define entities")

    def _attribute(self, element: str, attributes: dict[str, str], name: str) -> str:
        if name not in attributes:
            fail(FileError, self.place, f"{element} with an attribute {name}", "none")
        return attributes[name]

    def _evaluation(self, element: str) -> Evaluation:
        if self.current is None:
            raise FileError(f"{self.place}: {printable(element)} is outside of EVAL")
        return self.current

    def _start(self, element: str, attributes: dict[str, str]) -> None:
        name = element.upper()
        self.open.append((name, attributes))
        self.text.clear()
        if name == "EVAL":
            key = self._attribute(element, attributes, "ID")
            self.current = self.evaluations.setdefault(key, Evaluation(key))
        elif name == "INPUT-FORMAT":
            text_format = self._attribute(element, attributes, "TYPE")
            if text_format.upper() not in _FORMATS:
                fail(FileError, self.place, f"a TYPE of {', '.join(_FORMATS)}", repr(text_format))
            self._evaluation(element).text_format = text_format.upper()

    def _end(self, element: str) -> None:
        name, attributes = self.open.pop()
        outside = [outer for outer, _ in self.open]
        text = "".join(self.text).strip()
        self.text.clear()
        if name == "EVAL":
            self.current = None
        elif name == "PEER-ROOT":
            self._evaluation(element).peer_root = text + "/"
        elif name == "MODEL-ROOT":
            self._evaluation(element).model_root = text + "/"
        elif name == "P" and "PEERS" in outside:
            self._evaluation(element).peers[self._attribute(element, attributes, "ID")] = text
        elif name == "M" and "MODELS" in outside:
            key = self._attribute(element, attributes, "ID")
            self._evaluation(element).models[key] = text
            self._evaluation(element).model_ids.append(key)


def read_list(path: str, text_format: str, system: str) -> list[Evaluation]:
    """Read a list of files: per line a peer and its models; lines that start with # are comments."""
    with open_binary(path) as file:
        lines = file.read().decode("utf-8", "surrogateescape").split("\n")
    evaluations: list[Evaluation] = []
    for number, line in enumerate(lines, 1):
        files = line.split()
        if not files or line.startswith("#"):
            continue
        if len(files) < 2:
            allowed = "the path of a peer and those of its models"
            fail(FileError, f"{shown_name(path)}, line {number}", allowed, repr(line))
        models = {f"M.{i}": model for i, model in enumerate(files[1:], 1)}
        name = str(len(evaluations) + 1)
        evaluations.append(Evaluation(name, text_format, "", "", {system: files[0]}, models, list(models)))
    if not evaluations:
        fail(FileError, shown_name(path), "at least one line with a peer and its models", "none")
    return evaluations


_SEE = re.compile(rb'<a (?:size="[0-9]+" )?name="[0-9]+">\[[0-9]+\]</a>\s+<a href="#[0-9]+" id=[0-9]+>([^<]+)')
_ISI = re.compile(rb'<S SNTNO="[0-9a-z,]+">([^<]+)</S>')
# Byte for byte, so that limits count the same; U+0001 is neither white space nor part of a word.
_ASCII = bytes(range(128)) + b"\x01" * 128


def read_text(path: str, text_format: str) -> str:
    """Read the sentences of a text, one per line, as the script does; bytes outside ASCII become U+0001.

    Raises
    ------
    FileError
        If the file cannot be read.
    """
    with open_binary(path) as file:
        try:
            data = file.read().translate(_ASCII)
        except OSError as error:
            raise damaged(shown_name(path), error) from error
    lines = data.split(b"\n")
    if text_format != "SPL":
        pattern = _SEE if text_format == "SEE" else _ISI
        # A sentence without an end tag includes the newline, which counts as a byte.
        ended = [line + b"\n" for line in lines[:-1]] + lines[-1:]
        lines = [match[1].replace(b"\n", b" ") for match in map(pattern.match, ended) if match]
    return b"\n".join(filter(None, lines)).decode("ascii")

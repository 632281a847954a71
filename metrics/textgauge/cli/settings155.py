"""The input of ROUGE-1.5.5: its settings in XML, or a list of files."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from xml.parsers import expat

from ..checks import fail, printable
from .files import damaged, open_binary, shown_name
from .messages import InputError

FORMATS = ("SEE", "SPL", "ISI")
DEFAULT_SYSTEM = "X"


@dataclass
class Evaluation:
    """One text per system, and the models to compare them with.

    Attributes
    ----------
    name : str
        The ID.
    kind : str
        One of `FORMATS`, empty until it is known.
    peer_root, model_root : str
        Folders of the paths.
    peers, models : dict
        Paths by ID.
    model_ids : list of str
        In order; an ID that occurs twice counts twice, both times with its last path.
    """

    name: str
    kind: str = ""
    peer_root: str = ""
    model_root: str = ""
    peers: dict[str, str] = field(default_factory=dict)
    models: dict[str, str] = field(default_factory=dict)
    model_ids: list[str] = field(default_factory=list)

    def model_paths(self) -> list[str]:
        """Return the paths of all models."""
        return [self.model_root + self.models[name] for name in self.model_ids]


def read_settings(path: str) -> list[Evaluation]:
    """Read the settings of ROUGE-1.5.5 in XML; element names are case-insensitive.

    Raises
    ------
    InputError
        If the file is missing or not well-formed, or has a document type: entities are never expanded.
    """
    reader = _SettingsReader(shown_name(path))
    with open_binary(path) as file:
        try:
            reader.parser.ParseFile(file)
        except expat.ExpatError as error:
            fail(InputError, f"{reader.name}, line {error.lineno}", "well-formed XML", expat.ErrorString(error.code))
        except OSError as error:
            raise damaged(reader.name, error) from error
    if not reader.evaluations:
        fail(InputError, reader.name, "at least one EVAL element", "none")
    if not systems_of(list(reader.evaluations.values())):
        fail(InputError, reader.name, "at least one peer", "none")
    for evaluation in reader.evaluations.values():
        _check(reader.name, evaluation)
    return list(reader.evaluations.values())


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
        fail(InputError, self.place, "XML without a document type", "a DOCTYPE, which may define entities")

    def _attribute(self, element: str, attributes: dict[str, str], name: str) -> str:
        if name not in attributes:
            fail(InputError, self.place, f"{element} with an attribute {name}", "none")
        return attributes[name]

    def _evaluation(self, element: str) -> Evaluation:
        if self.current is None:
            raise InputError(f"{self.place}: {printable(element)} is outside of EVAL")
        return self.current

    def _start(self, element: str, attributes: dict[str, str]) -> None:
        name = element.upper()
        self.open.append((name, attributes))
        self.text.clear()
        if name == "EVAL":
            key = self._attribute(element, attributes, "ID")
            self.current = self.evaluations.setdefault(key, Evaluation(key))
        elif name == "INPUT-FORMAT":
            kind = self._attribute(element, attributes, "TYPE")
            if kind.upper() not in FORMATS:
                fail(InputError, self.place, f"a TYPE of {', '.join(FORMATS)}", repr(kind))
            self._evaluation(element).kind = kind.upper()

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


def _check(name: str, evaluation: Evaluation) -> None:
    place = f"{name}, EVAL {evaluation.name!r}"
    if not evaluation.kind:
        fail(InputError, place, f"an INPUT-FORMAT with TYPE {', '.join(FORMATS)}", "none")
    if not evaluation.model_ids:
        fail(InputError, place, "at least one model", "none")


def read_list(path: str, kind: str, system: str) -> list[Evaluation]:
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
            fail(InputError, f"{shown_name(path)}, line {number}", allowed, repr(line))
        models = {f"M.{i}": model for i, model in enumerate(files[1:], 1)}
        name = str(len(evaluations) + 1)
        evaluations.append(Evaluation(name, kind, "", "", {system: files[0]}, models, list(models)))
    if not evaluations:
        fail(InputError, shown_name(path), "at least one line with a peer and its models", "none")
    return evaluations


_SEE = re.compile(rb'<a (?:size="[0-9]+" )?name="[0-9]+">\[[0-9]+\]</a>\s+<a href="#[0-9]+" id=[0-9]+>([^<]+)')
_ISI = re.compile(rb'<S SNTNO="[0-9a-z,]+">([^<]+)</S>')
# Byte for byte, so that limits count the same; U+0001 is neither white space nor part of a word.
_ASCII = bytes(range(128)) + b"\x01" * 128


def read_text(path: str, kind: str) -> str:
    """Read the sentences of a text, one per line, as the script does; bytes outside ASCII become U+0001.

    Raises
    ------
    InputError
        If the file cannot be read.
    """
    with open_binary(path) as file:
        try:
            data = file.read().translate(_ASCII)
        except OSError as error:
            raise damaged(shown_name(path), error) from error
    lines = data.split(b"\n")
    if kind != "SPL":
        pattern = _SEE if kind == "SEE" else _ISI
        # A sentence without an end tag includes the newline, which counts as a byte.
        ended = [line + b"\n" for line in lines[:-1]] + lines[-1:]
        lines = [match[1].replace(b"\n", b" ") for match in map(pattern.match, ended) if match]
    return b"\n".join(filter(None, lines)).decode("ascii")


def systems_of(evaluations: Sequence[Evaluation]) -> list[str]:
    """Return the IDs of all systems, sorted as the script does."""
    return sorted({system for evaluation in evaluations for system in evaluation.peers})

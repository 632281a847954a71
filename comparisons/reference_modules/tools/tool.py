"""What every adapter has."""

from __future__ import annotations

from collections.abc import Callable
from importlib import metadata
from typing import Any, ClassVar

from ..corpora import Corpus

Scores = dict[str, list[float]]


class Unavailable(Exception):  # noqa: N818 - it says a state of the machine, not a mistake
    """A tool cannot be measured here; the message says why, in the words of the page."""


class Tool:
    """One way to call one tool.

    Subclasses are frozen dataclasses whose fields are the options: equal ones are measured
    once, and they pickle, so that a fresh process can run them.

    Attributes
    ----------
    name : str
        What the page calls the tool.
    distribution : str
        The installed package whose version the page states.
    is_ours : bool
        An exception of ours ends the measurement, one of theirs is a state on the page.
    has_own_process : bool
        It runs outside this process, where nobody counts its memory.
    """

    name: ClassVar[str]
    distribution: ClassVar[str]
    is_ours: ClassVar[bool] = False
    has_own_process: ClassVar[bool] = False

    def prepare(self, corpus: Corpus) -> Callable[[], Any]:
        """Return the call that is timed, from lists of strings to scores.

        Imports, loading and objects that a user makes once belong in here, before the call.

        Raises
        ------
        Unavailable
            If the tool cannot do this here.
        ImportError
            If it is not installed.
        """
        raise NotImplementedError

    def read(self, result: Any) -> Scores:
        """Return the figures of what the call gave, by the names textgauge uses, 0 to 1."""
        raise NotImplementedError

    @property
    def version(self) -> str | None:
        """The installed version, None where the tool is not installed."""
        try:
            return metadata.version(self.distribution)
        except metadata.PackageNotFoundError:
            return None


def needs_one_reference(corpus: Corpus) -> list[str]:
    """Return the references of a corpus that has one per segment, for tools that take no more."""
    if corpus.max_references > 1:
        raise Unavailable("takes one reference per segment")
    return [references[0] for references in corpus.references]

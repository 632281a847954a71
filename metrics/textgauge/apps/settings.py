"""The settings of a metric's page: its options as inputs, made from their declarations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..checks import fail
from ..measures.measure import Measure
from ..options import Option, Options, options_of
from ..text import NORMALIZERS, TOKENIZERS

# How an input shows None, and the two values of a flag.
DEFAULT, YES, NO = "default", "yes", "no"
_NAMED: Mapping[str, Sequence[str]] = {"tokenizer": tuple(TOKENIZERS), "normalizer": tuple(NORMALIZERS)}
# The other kinds are Python objects and files on the server, for which a page has no input.
_KINDS = {"flag", "choice", "whole", "number", "numbers", "names", "text", "model", *_NAMED}


@dataclass(frozen=True)
class Input:
    """An option as an input of a page.

    Attributes
    ----------
    name : str
        The keyword of the module.
    option : Option
    """

    name: str
    option: Option

    @property
    def label(self) -> str:
        """The label: the keyword in words."""
        return self.name[0].upper() + self.name[1:].replace("_", " ")

    @property
    def hint(self) -> str:
        """The help of the option, and the meaning of its default."""
        means = self.option.none_means
        help_ = self.option.help
        for only_in_python in ("; see the notes", ", or your own function"):
            help_ = help_.replace(only_in_python, "")
        return help_ + (f" {DEFAULT.capitalize()}: {means}." if means else "")

    @property
    def widget(self) -> str:
        """The kind of input: "checkbox", "number", "dropdown" or "text"."""
        option = self.option
        if option.kind == "flag" and not self.choices:
            return "checkbox"
        if option.kind in ("whole", "number") and not option.may_be_none:
            return "number"
        return "dropdown" if self.choices else "text"

    @property
    def placeholder(self) -> str:
        """The text in an empty box."""
        return {"names": "names, with commas between", "numbers": "numbers, with commas between"}.get(
            self.option.kind, DEFAULT if self.option.may_be_none else ""
        )

    @property
    def choices(self) -> list[str]:
        """The choices of a dropdown."""
        option = self.option
        named = list(_NAMED.get(option.kind, option.choices))
        if option.kind == "flag":
            if not named and not option.may_be_none:
                return []
            named = [YES, NO, *named]
        return [DEFAULT, *named] if named and option.may_be_none else named

    @property
    def default(self) -> Any:
        """The initial value of the input."""
        value = self.option.default
        if self.widget == "dropdown":
            return {None: DEFAULT, True: YES, False: NO}.get(value, value)
        return ("" if value is None else value) if self.widget == "text" else value

    def value(self, shown: Any) -> Any:
        """Return the value of the option for the content of the input."""
        option = self.option
        if self.widget == "dropdown":
            names = {DEFAULT: None, YES: True, NO: False} if option.kind == "flag" else {DEFAULT: None}
            return names.get(shown, shown)
        if self.widget == "text":
            return self._from_text((shown or "").strip())
        if shown is None:
            fail(ValueError, self.label, option.allowed, "nothing")
        return _whole(shown) if option.kind == "whole" else shown

    def _from_text(self, shown: str) -> Any:
        kind = self.option.kind
        if not shown:
            return None if self.option.may_be_none else ""
        parts = [part.strip() for part in shown.split(",") if part.strip()]
        try:
            if kind == "numbers":
                return [float(part) for part in parts]
            if kind in ("whole", "number"):
                return _whole(float(shown)) if kind == "whole" else float(shown)
        except ValueError:
            fail(ValueError, self.label, self.option.allowed, repr(shown))
        return parts if kind == "names" else shown


def _whole(value: float) -> float:
    return int(value) if value == int(value) else value


@dataclass(frozen=True)
class Settings:
    """The settings of a metric's page.

    Attributes
    ----------
    title, intro : str
    inputs : list of Input
        The common options first.
    card : str
        The card in Markdown, without front matter; empty if there is none.
    sample : str
        The part of the sample that the page offers as an example.
    sides : two pairs of str
        Label and hint of each text box.
    """

    title: str
    intro: str
    inputs: list[Input]
    card: str
    sample: str
    sides: tuple[tuple[str, str], tuple[str, str]] = (
        ("Predictions", "One segment per line."),
        ("References", "One segment per line; several references of a segment on one line, with tabs between them."),
    )

    def chosen(self, shown: Sequence[Any]) -> dict[str, Any]:
        """Return the options whose inputs differ from their defaults."""
        values = {one.name: one.value(value) for one, value in zip(self.inputs, shown, strict=True)}
        return {one.name: values[one.name] for one in self.inputs if values[one.name] != one.option.default}


def inputs_of(kind: type[Options], renamed: Mapping[str, str | None] | None = None) -> list[Input]:
    """Return the inputs for the options of a class, the common options first.

    Parameters
    ----------
    kind : class
    renamed : mapping
        The module's keyword for each option that it renames; None leaves the option out.
    """
    keywords = {} if renamed is None else renamed
    inputs = [
        Input(keyword, one)
        for one in options_of(kind)
        if one.kind in _KINDS and (keyword := keywords.get(one.name, one.name)) is not None
    ]
    return sorted(inputs, key=lambda one: not one.option.on_page)


def settings_of(face: Any, folder: Path) -> Settings:
    """Return the settings of a loaded module's page."""
    measure: type[Measure] = face.measure
    renamed: dict[str, str | None] = {ours: theirs for theirs, ours in face.keywords.items() if ours}
    renamed |= dict.fromkeys(face.chosen)
    front, card = _card(folder)
    question = measure.question or measure.words(measure.headline or measure.name).question
    intro = f"{question} {_range(measure, face.scale)}"
    return Settings(
        front.get("title", measure.title), intro, inputs_of(measure.options_type, renamed), card, measure.sample_part
    )


def _range(measure: type[Measure], scale: float) -> str:
    better = "Higher is better." if measure.higher_is_better else "Lower is better."
    ends = sorted((measure.perfect or 0.0, 0.0 if measure.perfect else measure.largest))
    return f"From {ends[0] * scale:g} to {ends[1] * scale:g}. {better}" if ends[1] < float("inf") else better


def _card(folder: Path) -> tuple[dict[str, str], str]:
    """Return the front matter and the body of the card."""
    path = folder / "README.md"
    if not path.is_file():
        return {}, ""
    _, front, body = path.read_text("utf-8").split("---\n", 2)
    pairs = (line.split(": ", 1) for line in front.splitlines() if ": " in line)
    return {key: value for key, value in pairs}, body.strip()  # noqa: C416

"""Declared options as inputs of a page, and the texts of a page as corpora."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from ..checks import fail
from ..files.lines import FileError
from ..files.parallel import ParallelFiles
from ..input.columns import Corpus, corpus_of, text_column, without_references
from ..options import Option, Options, options_of
from ..resampling.compare import same_references
from ..text import NORMALIZERS, TOKENIZERS

# The others are objects of Python and files of the server.
_KINDS = ("flag", "choice", "whole", "number", "numbers", "names", "text", "texts", "model", "tokenizer", "normalizer")


def inputs_of(options_type: type[Options]) -> list[Option]:
    """Return the options of a class that a page can have, the common ones first."""
    offered = [option for option in options_of(options_type) if option.kind in _KINDS and option.changes != "machine"]
    return sorted(offered, key=lambda option: not option.on_page)


def choices_of(option: Option) -> dict[str, Any]:
    """Return the values of a dropdown by their labels; empty if the option has none.

    Examples
    --------
    >>> choices_of(Option("smooth", None, "", "flag", ("exp",), True))
    {'default': None, 'yes': True, 'no': False, 'exp': 'exp'}
    """
    of_all = {"tokenizer": (*TOKENIZERS,), "normalizer": (*NORMALIZERS,)}
    choices: dict[str, Any] = {name: name for name in option.named or of_all.get(option.kind, option.choices)}
    if option.kind == "flag" and (choices or option.may_be_none):
        choices = {"yes": True, "no": False, **choices}
    may_be_none = option.may_be_none or option.default is None
    return {"default": None, **choices} if choices and may_be_none else choices


def widget(gradio: Any, option: Option) -> Any:
    """Return the input of an option."""
    means = f" Default: {option.none_means}." if option.none_means else ""
    # A page takes no functions, and has no notes.
    help_ = option.help.replace(", or your own function", "").replace("; see the notes", "")
    common = {"label": option.name, "info": help_ + means, "elem_id": option.name}
    choices = choices_of(option)
    if choices:
        label = next(label for label, value in choices.items() if value == option.default)
        return gradio.Dropdown(list(choices), value=label, **common)
    if option.kind == "flag":
        return gradio.Checkbox(option.default, **common)
    # Gradio shows a number of None as 0.
    if option.kind in ("whole", "number") and not option.may_be_none:
        return gradio.Number(option.default, precision=0 if option.kind == "whole" else None, **common)
    hint = "with commas between" if option.kind in ("names", "numbers") else "default"
    return gradio.Textbox(option.default, placeholder=hint, **common)


def value_of(option: Option, shown: Any) -> Any:
    """Return the checked value of an option for the content of its input."""
    choices = choices_of(option)
    if choices:
        return option.checked(choices.get(shown, shown))
    if not isinstance(shown, str):
        return option.default if shown is None else option.checked(shown)
    if not shown.strip(" ,"):
        return option.default
    value = option.value_of([shown.strip()])
    if isinstance(value, str) and option.kind in ("whole", "number", "numbers"):
        fail(ValueError, option.name, option.allowed, repr(shown))
    return value if isinstance(value, list) else option.checked(value)


def corpora_of(
    systems: Sequence[str], texts: Mapping[str, str], files: Mapping[str, Any], *, has_references: bool
) -> Sequence[Corpus]:
    """Return the texts of every system with the references: from files if there are any, else pasted.

    In pasted references, tabs separate those of one segment.
    """
    sides = [name for name in (*systems, "references") if name in texts]
    if any(files[name] for name in sides):
        paths = [path for name in systems for path in _paths(files[name])]
        if len(paths) != len(systems):
            fail(ValueError, "predictions", "one file of every system", f"{len(paths)} for {len(systems)}")
        return _read(paths, _paths(files.get("references")), has_references=has_references)
    columns = {name: _lines(name, texts[name]) for name in sides}
    if has_references:
        first = corpus_of(columns[systems[0]], [line.split("\t") for line in columns["references"]])
    else:
        first = without_references(text_column(columns[systems[0]], systems[0]))
    return [first, *(same_references(first, columns[name], name) for name in systems[1:])]


def texts_of_option(name: str, texts: Mapping[str, str], files: Mapping[str, Any]) -> list[str] | None:
    """Return the texts of an option, None without any."""
    if paths := _paths(files[name]):
        return [text for path in paths for text in _read([path], [], has_references=False)[0].hypotheses.tolist()]
    return _lines(name, texts[name]) if texts[name] else None


def _lines(name: str, text: str) -> list[str]:
    if not text:
        fail(ValueError, name, "at least one line of text, or a file", "none")
    return text.replace("\r\n", "\n").removesuffix("\n").split("\n")


def _paths(upload: Any) -> list[str]:
    return [upload] if isinstance(upload, str) else list(upload or [])


def _read(systems: Sequence[str], references: Sequence[str], *, has_references: bool) -> Sequence[Corpus]:
    """Read files as the command line does, by their suffixes; an error names a file without its folder."""
    try:
        return ParallelFiles(systems, references, has_references=has_references).read().corpora
    except FileError as error:
        message = str(error)
        for path in (*systems, *references):
            message = message.replace(path, os.path.basename(path))
        raise ValueError(message) from None

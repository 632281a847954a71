"""From what a trainer passes to checked texts: completions, and the references of every row."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from .. import engine
from ..arrays import IntArray
from ..checks import fail, nearest, shown
from ..input.columns import known_texts, text_column
from ..input.elements import check_reference, check_text, is_arrow_scalar, is_group, plain_of
from ..plain import Texts

# What trainers pass beside the columns of the data.
_NO_COLUMNS = frozenset(("trainer_state", "log_extra", "log_metric", "environments"))


def text_of(completion: Any, tokenizer: Any = None) -> str | None:
    """Return the text of a completion; None if it has none.

    Parameters
    ----------
    completion : str, messages or token ids
        Of messages the last text of the assistant counts; ids need a `tokenizer`.

    Examples
    --------
    >>> text_of([{"role": "assistant", "content": "a cat"}, {"role": "tool", "content": "meow"}])
    'a cat'
    >>> text_of([{"role": "assistant", "content": [{"type": "text", "text": "a "}, {"type": "text", "text": "dog"}]}])
    'a dog'
    >>> text_of([{"role": "assistant"}]) is None
    True
    """
    try:
        completion = plain_of(completion) if is_arrow_scalar(completion) else completion
    except (IndexError, ValueError):
        # What the model wrote must not stop the training.
        return None
    if isinstance(completion, str):
        return completion
    if isinstance(completion, Mapping):
        completion = [completion]
    if not is_group(completion):
        return None
    messages = [message for message in completion if isinstance(message, Mapping)]
    if messages:
        contents = [
            _content(message.get("content")) for message in messages if message.get("role", "assistant") == "assistant"
        ]
        said = [text for text in contents if text is not None]
        return next(filter(None, reversed(said)), "") if said else None
    return _decoded(completion, tokenizer) if tokenizer is not None else None


def are_ids(completion: Any) -> bool:
    """Return whether a completion is a list of token ids."""
    ids = completion.tolist() if hasattr(completion, "tolist") else completion
    return is_group(ids) and len(ids) > 0 and all(type(one) is int or isinstance(one, np.integer) for one in ids)


def _content(content: Any) -> str | None:
    if not isinstance(content, (list, tuple)):
        return content if isinstance(content, str) else None
    parts = [part.get("text") for part in content if isinstance(part, Mapping)]
    texts = [part for part in parts if isinstance(part, str)]
    return "".join(texts) if texts else None


def _decoded(ids: Any, tokenizer: Any) -> str | None:
    try:
        text = tokenizer.decode(ids, skip_special_tokens=True)
    except Exception:
        # What the model wrote must not stop the training.
        return None
    return text if isinstance(text, str) else None


def encoded(texts: list[str]) -> tuple[Texts, int]:
    """Return a column of texts, and the number of those that UTF-8 cannot encode, which become "" in `texts`."""
    column = engine.kernel.texts(texts)
    if not isinstance(column, int):
        return column, 0
    places = [place for place, text in enumerate(texts) if isinstance(engine.kernel.texts([text]), int)]
    for place in places:
        texts[place] = ""
    return known_texts(texts), len(places)


def column_of(columns: Mapping[str, Any], name: str, n_completions: int, argument: str = "reference") -> list[Any]:
    """Return the column that an argument names; raise by its name if there is none, or it has another length."""
    if name not in columns:
        names = [column for column in columns if column not in _NO_COLUMNS]
        meant = nearest(name, names) or names * (len(names) == 1)
        allowed = f"one of the columns {', '.join(map(repr, names))}" if names else "a column that was passed; none was"
        call = f"; to take column {meant[0]!r}, pass {argument}={meant[0]!r}" if meant else ""
        fail(ValueError, argument, allowed, shown(name) + call)
    return checked_column(columns[name], name, n_completions)


def checked_column(values: Any, name: str, n_completions: int) -> list[Any]:
    """Return a column as a list of as many elements as there are completions."""
    if type(values) is not list:
        if not is_group(values):
            fail(TypeError, name, "a list with an element for every completion", shown(values))
        # Elements of NumPy and Arrow become Python's.
        listed = getattr(values, "to_pylist", getattr(values, "tolist", None))
        values = list(values) if listed is None else listed()
    if len(values) != n_completions:
        fail(ValueError, name, f"as many elements as completions ({n_completions})", str(len(values)))
    return values


def references_of(column: list[Any], name: str) -> tuple[Texts, IntArray, list[int]]:
    """Return all references in one column, the offsets of the rows, and the rows without a reference.

    A row is a text, texts, None, or texts and None. One without a reference stands as an empty text.
    """
    texts = engine.kernel.texts(column)
    if not isinstance(texts, int):
        return texts, np.arange(len(column) + 1, dtype=np.int64), []
    rows = [_references(value, f"{name}[{place}]") for place, value in enumerate(column)]
    nested = engine.kernel.nested_texts([row or [""] for row in rows])
    if isinstance(nested, int):
        fail(ValueError, f"{name}[{nested}]", "texts that UTF-8 can encode", shown(column[nested]))
    return nested[0], np.asarray(nested[1], np.int64), [place for place, row in enumerate(rows) if not row]


def sources_of(column: list[Any], name: str) -> tuple[Texts, list[int]]:
    """Return the sources in a column, and the rows without one, which is None, and stands as an empty text."""
    texts = engine.kernel.texts(column)
    if not isinstance(texts, int):
        return texts, []
    rows = ["" if value is None else check_text(value, f"{name}[{place}]") for place, value in enumerate(column)]
    return text_column(rows, name), [place for place, value in enumerate(column) if value is None]


def _references(value: Any, where: str) -> list[str]:
    if isinstance(value, np.ndarray):
        value = value.tolist()
    some = [reference for reference in value if reference is not None] if is_group(value) else value
    # A number of NumPy, compared with a list, is an array.
    is_missing = some is None or (isinstance(some, list) and not some)
    return [] if is_missing else check_reference(some, where)

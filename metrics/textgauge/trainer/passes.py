"""How an evaluation runs: its passes over the data, to which batches belong, and the processes that share it."""

from __future__ import annotations

import sys
import weakref
from typing import Any, TypeVar

from ..arrays import IntArray
from ..checks import warn_user

Part = TypeVar("Part")


class Pass:
    """One pass of an accelerate data loader, as the Trainer's evaluation loop makes it.

    An exception outside of our code, for example in the model, silently leaves an evaluation
    unfinished; the next evaluation is another pass.
    """

    def __init__(self) -> None:
        """Record the current pass, if there is one."""
        state = sys.modules.get("accelerate.state")
        loaders: list[Any] = state.GradientState().dataloader_references if state is not None else [None]
        self._depth = len(loaders)
        self._loader = None if loaders[-1] is None else weakref.ref(loaders[-1])
        self._is_at_end = bool(getattr(loaders[-1], "end_of_dataloader", False))
        self._last_batch = (loaders[-1].total_batch_size, loaders[-1].remainder) if self._is_at_end else (0, 0)

    def own_rows(self, n_rows: int) -> int:
        """Return the number of gathered rows of a batch that are not padding.

        Several processes get batches of equal size: the last ones are padded with the first rows
        of the set, which `Trainer` drops and `Seq2SeqTrainer` does not.
        """
        size, remainder = self._last_batch
        return remainder if n_rows == size and remainder > 0 else n_rows

    def broke_off_before(self, now: Pass) -> bool:
        """Return whether `now` is another pass and this one did not finish.

        A reused loader is the same object, but accelerate's list then also has the unfinished
        pass.
        """
        if self._loader is None or now._loader is None or self._is_at_end:
            return False
        return not self.goes_on_in(now)

    def goes_on_in(self, now: Pass) -> bool:
        """Return whether `now` is the same pass; False without a data loader."""
        if self._loader is None or now._loader is None:
            return False
        return self._loader() is now._loader() and self._depth == now._depth


class OncePerPass:
    """A warning that is raised once per evaluation."""

    def __init__(self, text: str) -> None:
        """Store the text of the warning."""
        self.text = text
        self._last: Pass | None = None

    def warn(self) -> None:
        """Warn, unless this pass already has."""
        now = Pass()
        if self._last is None or not self._last.goes_on_in(now):
            warn_user(self.text)
        self._last = now


def _group() -> Any:
    """Return torch.distributed if several processes run, else None."""
    torch = sys.modules.get("torch")
    group = None if torch is None else torch.distributed
    return group if group is not None and group.is_available() and group.is_initialized() else None


def share_of(rows: IntArray) -> IntArray:
    """Return the consecutive rows that this process scores; all processes together score all rows."""
    import numpy as np

    group = _group()
    return rows if group is None else np.array_split(rows, group.get_world_size())[group.get_rank()]


def in_order_of_rows(parts: list[Part]) -> list[Part]:
    """Gather the parts of all processes, in the order of the rows: for each call one part per process.

    Every process must call this, with the same number of parts.
    """
    group = _group()
    if group is None:
        return parts
    of_all: list[Any] = [None] * group.get_world_size()
    group.all_gather_object(of_all, parts)
    return [part for call in zip(*of_all, strict=True) for part in call]

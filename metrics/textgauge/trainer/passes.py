"""Which pass over the data a batch belongs to."""

from __future__ import annotations

import sys
import warnings
import weakref
from typing import Any


class Pass:
    """One pass of an accelerate data loader, as the Trainer's evaluation loop makes it.

    An exception outside of our own code, in the model say, leaves an evaluation half done
    without a word; the next one starts another pass.
    """

    def __init__(self) -> None:
        """Look at the pass under way, if there is one."""
        state = sys.modules.get("accelerate.state")
        loaders: list[Any] = state.GradientState().dataloader_references if state is not None else [None]
        self._depth = len(loaders)
        self._loader = None if loaders[-1] is None else weakref.ref(loaders[-1])
        self._is_at_end = bool(getattr(loaders[-1], "end_of_dataloader", False))
        self._last_batch = (loaders[-1].total_batch_size, loaders[-1].remainder) if self._is_at_end else (0, 0)

    def own_rows(self, n_rows: int) -> int:
        """Return how many of the gathered rows of a batch are no repetition.

        Several processes get batches of the same size: the last ones are filled up with the
        first rows of the set. `Trainer` drops them again, `Seq2SeqTrainer` does not.
        """
        size, remainder = self._last_batch
        return remainder if n_rows == size and remainder > 0 else n_rows

    def broke_off_before(self, now: Pass) -> bool:
        """Say whether `now` is another pass, and this one never came to its end.

        A loader that is kept for the next evaluation is the same object then, but accelerate
        holds the broken-off pass in its list too.
        """
        if self._loader is None or now._loader is None or self._is_at_end:
            return False
        return not self.goes_on_in(now)

    def goes_on_in(self, now: Pass) -> bool:
        """Say whether `now` is the same pass; False where no data loader tells."""
        if self._loader is None or now._loader is None:
            return False
        return self._loader() is now._loader() and self._depth == now._depth


class OncePerPass:
    """A warning that comes once in an evaluation, however many batches it has."""

    def __init__(self, text: str) -> None:
        """Keep the text."""
        self.text = text
        self._last: Pass | None = None

    def warn(self) -> None:
        """Warn, unless this pass was warned of."""
        now = Pass()
        if self._last is None or not self._last.goes_on_in(now):
            warnings.warn(self.text, stacklevel=3)
        self._last = now

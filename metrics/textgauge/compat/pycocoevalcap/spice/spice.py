"""`pycocoevalcap.spice.spice`, which has no counterpart here."""

from __future__ import annotations

from typing import NoReturn

from ....checks import fail

# For the error, and for the warning of what is left out of a table.
REMEDY = "SPICE is a program of Java, and downloads its models: take it from pycocoevalcap.spice.spice"


class Spice:
    """What imports SPICE can be imported; to make one is an error."""

    def __init__(self) -> None:
        """Say where SPICE is."""
        _refuse()


def _refuse() -> NoReturn:
    fail(NotImplementedError, "Spice", f"one of Bleu, Cider, Meteor and Rouge ({REMEDY})", "Spice()")

"""The examples of the page of rewards."""

import re

from conftest import ROOT


def example(text):
    """Return the only block of the page that contains a text."""
    page = (ROOT / "metrics/REWARDS.md").read_text(encoding="utf-8")
    (found,) = (block for block in re.findall(r"^```python\n(.*?)^```$", page, re.M | re.S) if text in block)
    return found

"""Runs the code of `metrics/NOTEBOOKS.md` as a notebook and writes it, with what its cells display, as a page."""

import re
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbconvert import HTMLExporter

SOURCE = Path(__file__).parents[2] / "metrics/NOTEBOOKS.md"


def notebook_of(text):
    """Return a notebook: blocks of Python as cells of code, what stands between them as cells of text."""
    parts = re.split(r"^```python\n(.*?)^```\n", text, flags=re.MULTILINE | re.DOTALL)
    cells = [nbformat.v4.new_markdown_cell(part) if i % 2 == 0 else nbformat.v4.new_code_cell(part.strip())
             for i, part in enumerate(parts) if part.strip()]  # fmt: skip
    return nbformat.v4.new_notebook(cells=cells)


def executed(text):
    """Return the notebook of a document with what its cells display; a cell that fails raises."""
    notebook = notebook_of(text)
    return NotebookClient(notebook, timeout=300, kernel_name="python3").execute()


# The template with scripts of its own asks a network for them.
PAGE = """\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>textgauge in notebooks</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ max-width: 60rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; }}
pre {{ padding: .6rem; overflow-x: auto; background: color-mix(in srgb, currentColor 8%, transparent); }}
</style>
{body}
</html>
"""


def page_of(notebook):
    """Return a notebook as one page that needs no network."""
    body, _ = HTMLExporter(template_name="basic").from_notebook_node(notebook)
    return PAGE.format(body=body)


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(page_of(executed(SOURCE.read_text("utf-8"))), "utf-8")

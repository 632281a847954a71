"""Pages of the metrics and comparisons in a browser: paste or upload texts, score them, see what matches.

settings  declared options -> inputs of a page
inputs    pasted lines and uploaded files -> predictions and references
scoring   texts and options -> HTML, by the module that `evaluate.load` returns
surprise  the same for perplexity
blocks    all of that as a Gradio application
comparison the page of a comparison: two systems, their references, a paired test

`page` and `comparison_page` need Gradio, which comes with ``pip install "textgauge[app]"``, in a clone with
``pip install -e ".[app]"``.
"""

from .blocks import launch, page
from .comparison import comparison_page

__all__ = ["comparison_page", "launch", "page"]

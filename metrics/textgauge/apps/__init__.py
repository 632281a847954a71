"""Pages of the metrics in a browser: paste or upload texts, score them, see what matches.

settings  declared options -> inputs of a page
inputs    pasted lines and uploaded files -> predictions and references
scoring   texts and options -> HTML, by the module that `evaluate.load` gives
surprise  the same for perplexity
blocks    all of that as a Gradio application

`page` needs Gradio, which comes with ``pip install 'textgauge[app]'``.
"""

from .blocks import launch, page

__all__ = ["launch", "page"]

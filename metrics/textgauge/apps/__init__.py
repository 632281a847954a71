"""Pages of the metrics and comparisons in a browser: paste or upload texts, and see the page of `explain`.

inputs  declared options -> inputs of a page -> values; pasted lines and uploaded files -> texts
tasks   what the page of a metric or comparison asks for, and the scores that answer it
page    all of that as a Gradio application
space   the folder of a Space that shows it

``python -m textgauge.apps rouge`` opens the page of a module, and with ``--space FOLDER`` writes its Space.

`page` needs Gradio, which comes with ``pip install "textgauge[app]"``, in a clone with ``pip install -e ".[app]"``.
"""

from .page import launch, page

__all__ = ["launch", "page"]

"""The page of a metric or of a comparison as a Gradio application."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import Any

from markupsafe import Markup

from ..checks import Tally, line_to_install, one_of
from ..locations import COMPARISONS, MODULES, OF_METRICS, OF_SETS
from .inputs import widget
from .tasks import ComparisonTask, MetricTask, ModuleTask, SetTask, Task

_FILES = [".txt", ".jsonl", ".json", ".csv", ".tsv", ".parquet", ".gz"]
_COLUMNS = (
    "Plain text, JSON Lines, CSV, TSV or Parquet; columns are called `prediction` and `reference`, and one file may "
    "hold both."
)
_MESSAGE = Markup('<p class="message" role="{}">{}</p>')
# Greys with a contrast of at least 4.5 to 1 to their background (WCAG 2.2, criterion 1.4.3).
_SOFT, _SOFT_ON_DARK = "#4b5563", "#c4c9d4"
# Side by side where there is room, one column on a phone. Gradio puts adjacent inputs in a form.
_STYLE = """
.columns, .columns > .form { display: grid !important; grid-template-columns: repeat(auto-fit, minmax(min(17rem, 100%), 1fr)); }
.columns > .form { grid-column: 1 / -1; background: none; }
.columns .block { min-width: 0 !important; }
#result .html-container { padding: 0; }
iframe.textgauge { display: block; width: 100%; height: 90vh; border: 1px solid var(--border-color-primary); border-radius: 12px; }
.message { padding: .7rem 1rem; border: 1px solid #b4480b; border-radius: 8px; margin: 0 0 .8rem; }
"""  # noqa: E501


def gradio_module() -> Any:
    """Return Gradio; if it is missing, raise ImportError with the line that installs it."""
    try:
        import gradio
    except ImportError as error:
        raise ImportError(f"Gradio is not installed ({line_to_install('app')}): {error}") from error
    return gradio


def page(folder: str | os.PathLike[str]) -> Any:
    """Return the page of the module in `folder` as Gradio blocks; `launch` shows them.

    Raises
    ------
    ImportError
        If Gradio is not installed, with the line that installs it.
    ValueError
        If the folder is not that of a module.
    """
    where = Path(folder).resolve()
    one_of("folder", where.name, MODULES)
    gradio = gradio_module()
    from huggingface_hub import metadata_load

    task_types = dict.fromkeys(COMPARISONS, ComparisonTask) | dict.fromkeys(OF_SETS, SetTask)
    task_types |= dict.fromkeys(OF_METRICS, ModuleTask)
    task: Task = task_types.get(where.name, MetricTask)(where)
    front = metadata_load(where / "README.md") or {}
    card = (where / "README.md").read_text("utf-8").split("---\n", 2)[2]
    with gradio.Blocks(title=f"{front['title']} · textgauge", analytics_enabled=False) as blocks:
        gradio.Markdown(f"# {front['title']}\n{front['description']}")
        with gradio.Accordion("The card", open=False, elem_id="card"):
            gradio.Markdown(card)
        boxes, files, widgets = _inputs(gradio, task)
        score = gradio.Radio(
            task.scores, value=task.scores[0], label="score", visible=len(task.scores) > 1, elem_id="shown"
        )
        with gradio.Row(elem_classes="columns"):
            button = gradio.Button("Score", variant="primary", elem_id="score")
            example = gradio.Button("Fill in an example", elem_id="example")
        result = gradio.HTML("<p>Press <strong>Score</strong>: the result appears here.</p>", elem_id="result")
        with gradio.Accordion("All figures", open=False):
            figures = gradio.JSON(elem_id="figures")

        inputs, run = [score, *boxes, *files, *widgets], partial(_answer, gradio, task)
        button.click(run, inputs, [result, figures, score], api_name="score")
        score.input(run, inputs, [result, figures, score], api_name=False)
        example.click(lambda: [*task.example(), *[None] * len(files)], None, [*boxes, *files], api_name=False)
    return blocks


def _inputs(gradio: Any, task: Task) -> tuple[list[Any], list[Any], list[Any]]:
    """Return a text box and a file upload for every column of texts, and an input for every option."""
    with gradio.Row(elem_classes="columns"):
        boxes = [
            gradio.Textbox(label=name, info=hint, elem_id=name, lines=8, max_lines=16)
            for name, hint in task.texts.items()
        ]
    with gradio.Accordion("Upload files instead", open=False, elem_id="files"):
        with gradio.Row(elem_classes="columns"):
            files = [
                gradio.File(label=name, file_types=_FILES, file_count="multiple", elem_id=f"{name}_file")
                for name in task.texts
            ]
        gradio.Markdown(_COLUMNS)
    widgets = []
    for title, is_common in (("Options", True), ("More options", False)):
        if own := [option for option in task.settings if option.on_page == is_common]:
            with gradio.Accordion(title, open=False), gradio.Row(elem_classes="columns"):
                widgets += [widget(gradio, option) for option in own]
    return boxes, files, widgets


def _answer(gradio: Any, task: Task, name: str, *values: Any) -> tuple[Any, ...]:
    """Return the page of the result, its figures, and the scores to choose from; or why there is none."""
    n = len(task.texts)
    texts, files = (dict(zip(task.texts, part, strict=True)) for part in (values[:n], values[n : 2 * n]))
    tally = Tally()
    try:
        with tally.collecting():
            report, names, key = task.report(name, texts, files, values[2 * n :])
            shown = task.shown(report)
    except (TypeError, ValueError, ImportError, OSError) as error:
        return _MESSAGE.format("alert", str(error)), gradio.skip(), gradio.skip()
    html = Markup("").join([*(_MESSAGE.format("status", note) for note in tally.texts()), shown])
    return html, report.figures(), gradio.update(choices=names, value=key, visible=len(names) > 1)


def launch(blocks: Any, **options: Any) -> Any:
    """Show a page, with system fonts instead of fonts from a network."""
    themes = gradio_module().themes
    fonts = ["system-ui", "sans-serif"]
    theme = themes.Default(primary_hue="blue", font=fonts, font_mono=["ui-monospace", "monospace"]).set(
        block_info_text_color=_SOFT, block_info_text_color_dark=_SOFT_ON_DARK,
        block_title_text_color="*body_text_color", block_title_text_color_dark="*body_text_color",
        body_text_color_subdued=_SOFT, body_text_color_subdued_dark=_SOFT_ON_DARK,
        input_placeholder_color=_SOFT, input_placeholder_color_dark=_SOFT_ON_DARK,
    )  # fmt: skip
    return blocks.launch(**{"theme": theme, "css": _STYLE, "footer_links": [], **options})

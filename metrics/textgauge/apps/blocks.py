"""The page of a metric as a Gradio application."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from .. import sample
from ..checks import fail, line_to_install
from ..locations import METRICS, load
from ..report.pages import refusal_part
from .inputs import texts_of, two_columns
from .scoring import result_of, scores_of
from .settings import Input, Settings, settings_of
from .surprise import settings_of_surprise, surprise_of

_FILES = [".txt", ".jsonl", ".json", ".csv", ".tsv", ".parquet", ".gz"]
_FILES_WITH_COLUMNS = (
    "Plain text, JSON Lines, CSV, TSV or Parquet; columns are called `prediction` and `reference`, and one file may "
    "hold both."
)
_WAITING = "<p>Press <strong>Score</strong>: the result appears here.</p>"
# Greys with a contrast of at least 4.5 to 1 to their background (WCAG 2.2, criterion 1.4.3).
_SOFT, _SOFT_ON_DARK = "#4b5563", "#c4c9d4"
# Side by side where there is room, one column on a phone. Gradio puts adjacent inputs in a form.
_STYLE = """
.columns, .columns > .form { display: grid !important; grid-template-columns: repeat(auto-fit, minmax(min(17rem, 100%), 1fr)); }
.columns > .form { grid-column: 1 / -1; background: none; }
.columns .block { min-width: 0 !important; }
"""  # noqa: E501


def gradio_module() -> Any:
    """Return Gradio; if it is missing, raise ImportError with the line that installs it."""
    try:
        import gradio
    except ImportError as error:
        raise ImportError(f"Gradio is not installed ({line_to_install('app')}): {error}") from None
    return gradio


def page(folder: str | os.PathLike[str]) -> Any:
    """Return the page of the module in `folder` as Gradio blocks; `launch` shows them.

    Raises
    ------
    ImportError
        If Gradio is not installed, with the line that installs it.
    ValueError
        If the folder is not that of a metric.
    """
    where = Path(folder).resolve()
    if where.name not in METRICS:
        fail(ValueError, "folder", f"one of {', '.join(METRICS)}", where.name)
    gradio, face = gradio_module(), load(folder)
    settings = (settings_of if face.measure.is_paired else settings_of_surprise)(face, where)
    with gradio.Blocks(title=f"{settings.title} · textgauge", analytics_enabled=False) as blocks:
        gradio.Markdown(f"# {settings.title}\n{settings.intro}")
        if settings.card:
            with gradio.Accordion("About this metric: its card", open=False, elem_id="card"):
                gradio.Markdown(settings.card)
        texts = _texts(gradio, settings, is_paired=face.measure.is_paired)
        options = _options(gradio, settings)
        scores = scores_of(face.measure()) if face.measure.is_paired else []
        score = gradio.Radio(
            scores, value=scores[0] if scores else None, label="Show", visible=len(scores) > 1, elem_id="shown"
        )
        with gradio.Row(elem_classes="columns"):
            button = gradio.Button("Score", variant="primary", elem_id="score")
            example = gradio.Button("Fill in an example", elem_id="example")
        shown = gradio.HTML(_WAITING, elem_id="result")

        def run(*values: Any) -> tuple[str, Any]:
            columns, wanted, chosen = values[: len(texts)], values[len(texts)], values[len(texts) + 1 :]
            try:
                by_name = settings.chosen(chosen)
                if not face.measure.is_paired:
                    return surprise_of(face, *two_columns(*columns), by_name), gradio.skip()
                html, known, key = result_of(face, texts_of(*columns), by_name, wanted)
                return html, gradio.update(choices=known, value=key, visible=len(known) > 1)
            except (TypeError, ValueError, ImportError, OSError) as error:
                return refusal_part(str(error)), gradio.skip()

        # A module of `evaluate` serves one thread at a time.
        one_thread = {"concurrency_limit": 1, "concurrency_id": "score"}
        button.click(run, [*texts, score, *options], [shown, score], api_name="score", **one_thread)
        score.input(run, [*texts, score, *options], [shown, score], api_name=False, **one_thread)
        example.click(lambda: _sample(settings, is_paired=face.measure.is_paired), None, texts, api_name=False)
    return blocks


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


def _texts(gradio: Any, settings: Settings, *, is_paired: bool) -> list[Any]:
    """Return the text boxes and the file uploads of both sides."""
    (left, left_hint), (right, right_hint) = settings.sides
    size = {"lines": 8, "max_lines": 16}
    with gradio.Row(elem_classes="columns"):
        predictions = gradio.Textbox(label=left, info=left_hint, elem_id="predictions", **size)
        references = gradio.Textbox(label=right, info=right_hint, elem_id="references", **size)
    with gradio.Accordion("Upload files instead", open=False, elem_id="files"):
        with gradio.Row(elem_classes="columns"):
            prediction_file = gradio.File(label=left, file_types=_FILES, elem_id="prediction_file")
            reference_files = gradio.File(
                label=right, file_types=_FILES, file_count="multiple", elem_id="reference_files"
            )
        gradio.Markdown(_FILES_WITH_COLUMNS if is_paired else "Plain text, one text per line.")
    return [predictions, references, prediction_file, reference_files]


def _options(gradio: Any, settings: Settings) -> list[Any]:
    """Return one input per option, the common options first."""
    inputs = []
    for title, is_common in (("Options", True), ("More options", False)):
        some = [one for one in settings.inputs if one.option.on_page == is_common]
        if some:
            with gradio.Accordion(title, open=False), gradio.Row(elem_classes="columns"):
                inputs += [widget(gradio, one) for one in some]
    return inputs


def widget(gradio: Any, one: Input) -> Any:
    """Return the Gradio input for an option."""
    common = {"label": one.label, "info": one.hint, "value": one.default, "elem_id": one.name}
    if one.widget == "checkbox":
        return gradio.Checkbox(**common)
    if one.widget == "number":
        step = {"precision": 0, "step": 1} if one.option.kind == "whole" else {"step": 0.1}
        return gradio.Number(**common, **step)
    if one.widget == "dropdown":
        return gradio.Dropdown(one.choices, **common)
    return gradio.Textbox(**common, placeholder=one.placeholder)


def _sample(settings: Settings, *, is_paired: bool) -> tuple[str, str, None, None]:
    """Return the sample as lines, and no files."""
    predictions, references = sample.columns(settings.sample)
    sides = [" ".join(text.split()) for text in predictions], [[" ".join(t.split()) for t in ts] for ts in references]
    lines = ["\t".join(several) for several in sides[1]] if is_paired else [text for ts in sides[1] for text in ts]
    return "\n".join(sides[0]), "\n".join(lines), None, None

"""The page of a metric as a Gradio application."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from .. import sample
from ..checks import fail, line_to_install
from ..locations import load
from ..report.pages import refusal_part
from .inputs import texts_of, two_columns
from .scoring import result_of
from .settings import SETTINGS, Choice, Settings
from .surprise import surprise_of

_FILES = [".txt", ".jsonl", ".json", ".csv", ".tsv", ".parquet", ".gz"]
_FILES_WITH_COLUMNS = (
    "Plain text, JSON Lines, CSV, TSV or Parquet; columns are called `prediction` and `reference`, and one file may "
    "hold both."
)
_WAITING = "<p>Press <strong>Score</strong>: the result comes here.</p>"


def _gradio() -> Any:
    try:
        import gradio
    except ImportError as error:
        fail(ImportError, "gradio", f"Gradio to be installed ({line_to_install('app')})", str(error))
    return gradio


def page(folder: str | os.PathLike[str]) -> Any:
    """Return the page of the module in `folder` as Gradio blocks; `launch` shows them.

    Raises
    ------
    ImportError
        If Gradio is not installed, with the line that installs it.
    ValueError
        If there is no page for a module of that name.
    """
    name = Path(folder).resolve().name
    if name not in SETTINGS:
        fail(ValueError, "folder", f"one of {', '.join(SETTINGS)}", name)
    gradio, settings, face = _gradio(), SETTINGS[name], load(folder)
    with gradio.Blocks(title=f"{settings.title} · textgauge", analytics_enabled=False) as blocks:
        gradio.Markdown(f"# {settings.title}\n{settings.intro}")
        texts = _texts(gradio, settings)
        score, options = _options(gradio, settings)
        with gradio.Row():
            button = gradio.Button("Score", variant="primary", elem_id="score")
            example = gradio.Button("Fill in an example", elem_id="example")
        shown = gradio.HTML(_WAITING, elem_id="result")

        def run(*values: Any) -> str:
            columns, shown_score, chosen = values[: len(texts)], values[len(texts)], values[len(texts) + 1 :]
            by_name = dict(zip(settings.options, chosen, strict=True))
            try:
                if not settings.is_paired:
                    return surprise_of(face, *two_columns(*columns), by_name)
                return result_of(face, settings, shown_score, texts_of(*columns), by_name)
            except (TypeError, ValueError, ImportError, OSError) as error:
                return refusal_part(str(error))

        # A module of `evaluate` is for one thread at a time.
        alone = {"concurrency_limit": 1, "concurrency_id": "score"}
        button.click(run, [*texts, score, *options], shown, api_name="score", **alone)
        score.input(run, [*texts, score, *options], shown, api_name=False, **alone)
        example.click(lambda: _sample(settings), None, texts, api_name=False)
    return blocks


def launch(blocks: Any, **options: Any) -> Any:
    """Show a page with fonts of the system instead of some from a network."""
    themes = _gradio().themes
    fonts = ["system-ui", "sans-serif"]
    theme = themes.Default(primary_hue="blue", font=fonts, font_mono=["ui-monospace", "monospace"])
    return blocks.launch(**{"theme": theme, "footer_links": [], **options})


def _texts(gradio: Any, settings: Settings) -> list[Any]:
    """Return the boxes for both texts and the places for files."""
    (left, left_hint), (right, right_hint) = settings.sides
    size = {"lines": 8, "max_lines": 16}
    with gradio.Row():
        predictions = gradio.Textbox(label=left, info=left_hint, elem_id="predictions", **size)
        references = gradio.Textbox(label=right, info=right_hint, elem_id="references", **size)
    with gradio.Accordion("Upload files instead", open=False), gradio.Row():
        prediction_file = gradio.File(label=left, file_types=_FILES, elem_id="prediction_file")
        reference_files = gradio.File(label=right, file_types=_FILES, file_count="multiple", elem_id="reference_files")
        gradio.Markdown(_FILES_WITH_COLUMNS if settings.is_paired else "Plain text, one segment per line.")
    return [predictions, references, prediction_file, reference_files]


def _options(gradio: Any, settings: Settings) -> tuple[Any, list[Any]]:
    """Return the choice of the score to show, and one input per option."""
    with gradio.Accordion("Options", open=False), gradio.Row():
        options = [_input(gradio, name, choice) for name, choice in settings.options.items()]
    several = len(settings.scores) > 1
    score = gradio.Radio(
        list(settings.scores), value=settings.scores[0], label="Show the matches of", visible=several, elem_id="shown"
    )
    return score, options


def _input(gradio: Any, name: str, choice: Choice) -> Any:
    common = {"label": choice.label, "info": choice.hint, "value": choice.default, "elem_id": name}
    if isinstance(choice.default, bool):
        return gradio.Checkbox(**common)
    if not choice.choices:
        return gradio.Textbox(**common)
    if isinstance(choice.default, int):
        low, high = choice.choices
        return gradio.Slider(low, high, step=1, **common)
    return gradio.Dropdown(list(choice.choices), **common)


def _sample(settings: Settings) -> tuple[str, str, None, None]:
    """Return the sample as lines, and no files."""
    predictions, references = sample.columns(settings.sample)
    if not settings.is_paired:
        learned = [" ".join(text.split()) for texts in references for text in texts]
        return "\n".join(predictions), "\n".join(learned), None, None
    lines = ["\t".join(" ".join(text.split()) for text in texts) for texts in references]
    return "\n".join(" ".join(text.split()) for text in predictions), "\n".join(lines), None, None

"""The page of a comparison as a Gradio application: two systems, their references, one paired test."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .. import sample
from ..checks import fail
from ..locations import COMPARISONS, load
from ..measures.registry import METRICS, score_named
from ..options import Option
from ..report.charts import interval_axis
from ..report.pages import comparison_part, refusal_part
from ..resampling.comparison import BOOTSTRAP, N_RESAMPLES, PERMUTATION
from ..resampling.p_values import P_VALUES, SACREBLEU
from .blocks import gradio_module, widget
from .inputs import _lines, pasted
from .scoring import noted
from .settings import DEFAULT, Input

# The named scores of all metrics that use references.
SCORES = tuple(name for one in METRICS.values() if one.is_paired for name in one.named_scores() if name != "...")
TITLES = {"paired_bootstrap": "Paired bootstrap", "paired_permutation": "Paired permutation"}
INTROS = {
    "paired_bootstrap": "Is the second system really better than the first? Segments are resampled, the same ones for "
    "both systems, and p says how often a difference this large would occur if the systems did not differ.",
    "paired_permutation": "Is the second system really better than the first? The two outputs of randomly chosen "
    "segments are exchanged, many times, and p says how often the difference is then this large.",
}
SIDES = {
    "predictions1": ("First system", "The baseline, one segment per line."),
    "predictions2": ("Second system", "One segment per line."),
    "references": (
        "References", "One segment per line; several references of a segment on one line, with tabs between them.",
    ),
}  # fmt: skip
_WAITING = "<p>Press <strong>Compare</strong>: the result appears here.</p>"


def inputs_of_test(name: str) -> dict[str, Input]:
    """Return the inputs of a comparison's page other than the score, by keyword."""
    test = BOOTSTRAP if name == "paired_bootstrap" else PERMUTATION
    p_values = tuple(p for p in P_VALUES if test == BOOTSTRAP or p != SACREBLEU)
    options = [
        Option("n_resamples", N_RESAMPLES[test], "How many resamples to draw.", "whole", (), False, 100, 20_000),
        Option("seed", 12345, "The same seed gives the same numbers.", "whole", (), False, 0, 99_999),
        Option("p_value", "two-sided", "one-sided: decide before you see the scores.", "choice", p_values, False),
        Option("tokenizer", None, "For scores that use one: unicode or character if text is not Latin.", "tokenizer",
               (), True, none_means="the score's own"),
    ]  # fmt: skip
    return {one.name: Input(one.name, one) for one in options}


def comparison_page(folder: str | os.PathLike[str]) -> Any:
    """Return the page of the comparison in `folder` as Gradio blocks; `launch` shows them.

    Raises
    ------
    ImportError
        If Gradio is not installed, with the line that installs it.
    ValueError
        If the folder is not that of a comparison.
    """
    name = Path(folder).resolve().name
    if name not in COMPARISONS:
        fail(ValueError, "folder", f"one of {', '.join(COMPARISONS)}", name)
    gradio, options, face = gradio_module(), inputs_of_test(name), load(folder, module_type="comparison")
    with gradio.Blocks(title=f"{TITLES[name]} · textgauge", analytics_enabled=False) as blocks:
        gradio.Markdown(f"# {TITLES[name]}\n{INTROS[name]}")
        with gradio.Row(elem_classes="columns"):
            texts = [
                gradio.Textbox(label=label, info=hint, lines=8, max_lines=16, elem_id=side)
                for side, (label, hint) in SIDES.items()
            ]
        metric = gradio.Radio(list(SCORES), value=SCORES[0], label="Score", elem_id="metric")
        with gradio.Accordion("Options", open=False), gradio.Row(elem_classes="columns"):
            inputs = [widget(gradio, one) for one in options.values()]
        with gradio.Row(elem_classes="columns"):
            button = gradio.Button("Compare", variant="primary", elem_id="score")
            example = gradio.Button("Fill in an example", elem_id="example")
        shown = gradio.HTML(_WAITING, elem_id="result")

        def run(first: str, second: str, references: str, metric: str, *chosen: Any) -> str:
            try:
                return comparison_of(face, (first, second, references), metric, dict(zip(options, chosen, strict=True)))
            except (TypeError, ValueError, OSError) as error:
                return refusal_part(str(error))

        # A module of `evaluate` serves one thread at a time.
        one_thread = {"concurrency_limit": 1, "concurrency_id": "score"}
        button.click(run, [*texts, metric, *inputs], shown, api_name="score", **one_thread)
        metric.input(run, [*texts, metric, *inputs], shown, api_name=False, **one_thread)
        example.click(_example, None, texts, api_name=False)
    return blocks


def comparison_of(face: Any, texts: tuple[str, str, str], metric: str, options: Mapping[str, Any]) -> str:
    """Compare pasted texts with a loaded module and return the result as HTML."""
    first, second, written = texts
    for side, text in (("predictions1", first), ("predictions2", second)):
        if not _lines(text):
            fail(ValueError, SIDES[side][0], "at least one line of text", "none")
    predictions, references = pasted(first, written)
    keywords = dict(options)
    tokenizer = keywords.pop("tokenizer")
    keywords["metric_options"] = {} if tokenizer == DEFAULT else {"tokenizer": tokenizer}
    columns = {"predictions1": predictions, "predictions2": _lines(second), "references": references}
    result, notes = noted(lambda: face.compute(**columns, metric=metric, **keywords))
    systems = [(SIDES[f"predictions{i}"][0], result[f"score{i}"], result[f"confidence_interval{i}"]) for i in (1, 2)]
    measure = score_named(metric).measure
    rows, ticks, _ = interval_axis([(score, bounds) for _, score, bounds in systems], 0.0, measure.largest)
    # As many decimals as the number of resamples supports, as on the command line.
    p = f"{result['p']:.{len(str(options['n_resamples']))}f}"
    return comparison_part(
        metric=metric, is_higher_better=measure.higher_is_better, result=result, p=p, systems=systems, rows=rows,
        ticks=ticks, notes=notes, n_segments=len(predictions),
        **{name: options[name] for name in ("n_resamples", "seed", "p_value")},
    )  # fmt: skip


def _example() -> tuple[str, str, str]:
    """Return a worse version of the sample's translations, the translations, and their references."""
    predictions, references = sample.columns("translations")
    better = [" ".join(text.split()) for text in predictions]
    # Every second segment loses its last word.
    worse = [text if i % 2 else text.rpartition(" ")[0] for i, text in enumerate(better)]
    lines = ["\t".join(" ".join(text.split()) for text in texts) for texts in references]
    return "\n".join(worse), "\n".join(better), "\n".join(lines)

"""The page of a comparison as a Gradio application: two systems, their references, one paired test."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from .. import sample
from ..checks import fail
from ..locations import COMPARISONS, load
from ..measures.registry import METRICS
from ..options import Options, option, options_of
from ..report.charts import interval_axis
from ..report.pages import comparison_part, refusal_part
from ..resampling.comparing import BOOTSTRAP, N_RESAMPLES, PERMUTATION
from .blocks import _gradio, _widget
from .inputs import _lines, pasted
from .scoring import noted
from .settings import Input

SCORES = [name for measure in METRICS.values() if measure.is_paired for name in measure.named_scores() if name != "..."]
TITLES = {"paired_bootstrap": "Paired bootstrap", "paired_permutation": "Paired permutation"}
INTROS = {
    "paired_bootstrap": "Is the second system really better than the first? Segments are drawn again and again, the "
    "same for both, and p says how rarely a difference this large would come out if the systems did not differ.",
    "paired_permutation": "Is the second system really better than the first? A coin exchanges the two outputs of "
    "every segment, again and again, and p says how rarely a difference this large comes out by that.",
}
SIDES = {
    "predictions1": ("First system", "The baseline, one segment per line."),
    "predictions2": ("Second system", "One segment per line."),
    "references": (
        "References", "One segment per line; several references of a segment on one line, with tabs between them.",
    ),
}  # fmt: skip
_WAITING = "<p>Press <strong>Compare</strong>: the result comes here.</p>"


@dataclass(frozen=True)
class BootstrapPage(Options):
    """What the page of the paired bootstrap offers."""

    n_resamples: int = option(N_RESAMPLES[BOOTSTRAP], "How many resamples p and the intervals come from.", at_least=100)
    seed: int = option(12345, "The same seed gives the same numbers.", at_least=0)
    p_value: Literal["two-sided", "one-sided", "sacrebleu"] = option(
        "two-sided", "Decide for one-sided before you see the scores; sacrebleu is what its --paired-bs reports."
    )
    tokenizer: str | None = option(
        None, "unicode or character for scripts beyond a-z.", kind="tokenizer", none_means="that of the score"
    )


@dataclass(frozen=True)
class PermutationPage(BootstrapPage):
    """What the page of the paired permutation test offers."""

    n_resamples: int = option(N_RESAMPLES[PERMUTATION], "How many exchanges p comes from.", at_least=100)
    p_value: Literal["two-sided", "one-sided"] = option("two-sided", "Decide for one-sided before you see the scores.")


PAGES: dict[str, type[Options]] = {"paired_bootstrap": BootstrapPage, "paired_permutation": PermutationPage}


def comparison_page(folder: str | os.PathLike[str]) -> Any:
    """Return the page of the comparison in `folder` as Gradio blocks; `launch` shows them.

    Raises
    ------
    ImportError
        If Gradio is not installed, with the line that installs it.
    ValueError
        If there is no page for a comparison of that name.
    """
    name = Path(folder).resolve().name
    if name not in COMPARISONS:
        fail(ValueError, "folder", f"one of {', '.join(COMPARISONS)}", name)
    gradio, face = _gradio(), load(folder, module_type="comparison")
    options = [Input(one.name, one) for one in options_of(PAGES[name])]
    with gradio.Blocks(title=f"{TITLES[name]} · textgauge", analytics_enabled=False) as blocks:
        gradio.Markdown(f"# {TITLES[name]}\n{INTROS[name]}")
        with gradio.Row():
            texts = [
                gradio.Textbox(label=label, info=hint, lines=8, max_lines=16, elem_id=side)
                for side, (label, hint) in SIDES.items()
            ]
        metric = gradio.Radio(SCORES, value=SCORES[0], label="Score", elem_id="metric")
        with gradio.Accordion("Options", open=False), gradio.Row():
            inputs = [_widget(gradio, one) for one in options]
        with gradio.Row():
            button = gradio.Button("Compare", variant="primary", elem_id="score")
            example = gradio.Button("Fill in an example", elem_id="example")
        shown = gradio.HTML(_WAITING, elem_id="result")

        def run(first: str, second: str, references: str, metric: str, *chosen: Any) -> str:
            try:
                values = {one.name: one.value(shown) for one, shown in zip(options, chosen, strict=True)}
                return comparison_of(face, (first, second, references), metric, values)
            except (TypeError, ValueError, OSError) as error:
                return refusal_part(str(error))

        # A module of `evaluate` is for one thread at a time.
        alone = {"concurrency_limit": 1, "concurrency_id": "score"}
        button.click(run, [*texts, metric, *inputs], shown, api_name="score", **alone)
        metric.input(run, [*texts, metric, *inputs], shown, api_name=False, **alone)
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
    keywords["metric_options"] = {} if tokenizer is None else {"tokenizer": tokenizer}
    columns = {"predictions1": predictions, "predictions2": _lines(second), "references": references}
    result, notes = noted(lambda: face.compute(**columns, metric=metric, **keywords))
    systems = [(SIDES[f"predictions{i}"][0], result[f"score{i}"], result[f"confidence_interval{i}"]) for i in (1, 2)]
    rows, ticks, _ = interval_axis([(score, (low, high)) for _, score, (low, high) in systems])
    # No more digits than the resamples give, as the command line has it.
    p = f"{result['p']:.{len(str(options['n_resamples']))}f}"
    return comparison_part(
        metric=metric, result=result, p=p, systems=systems, rows=rows, ticks=ticks, notes=notes,
        n_segments=len(predictions), **{name: options[name] for name in ("n_resamples", "seed", "p_value")},
    )  # fmt: skip


def _example() -> tuple[str, str, str]:
    """Return two systems and the references: the sample's translations, and the same with some made worse."""
    predictions, references = sample.columns("translations")
    better = [" ".join(text.split()) for text in predictions]
    # Every second segment loses its last word.
    worse = [text if i % 2 else text.rpartition(" ")[0] for i, text in enumerate(better)]
    lines = ["\t".join(" ".join(text.split()) for text in texts) for texts in references]
    return "\n".join(worse), "\n".join(better), "\n".join(lines)

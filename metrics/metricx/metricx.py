"""MetricX for `evaluate.load`."""

import evaluate
import textgauge
from textgauge import modules

_DESCRIPTION = """\
MetricX says how bad the errors of a translation are, from 0 to 25, by a model that learned from human
judgements: it reads the translation with its source, its reference or both. Lower is better. The figures
are those of google-research/metricx.
"""

_CITATION = """\
@inproceedings{juraska-etal-2024-metricx,
    title = "{M}etric{X}-24: The {G}oogle Submission to the {WMT} 2024 Metrics Shared Task",
    author = "Juraska, Juraj and Deutsch, Daniel and Finkelstein, Mara and Freitag, Markus",
    booktitle = "Proceedings of the Ninth Conference on Machine Translation",
    year = "2024",
    pages = "492--504",
}
"""

_KWARGS_DESCRIPTION = modules.arguments(
    textgauge.Metricx,
    """
sources: list of str, what each prediction translates, if the model uses sources.
predictions: list of str, one hypothesis per segment.
references: list of str, or list of lists of str, if the model uses references; others leave them out.
The model is the configuration of evaluate.load, or model_id.
""",
    "metricx (from 0 to 25; lower is better)",
    """
>>> import evaluate
>>> import textgauge
>>> metricx = evaluate.load(textgauge.path("metricx"), "./no-such")
>>> metricx.compute(sources=["le chat"], predictions=["the cat"], references=["a cat"])
Traceback (most recent call last):
    ...
FileNotFoundError: model_id: expected the path of a folder that exists, or the name of a model, got './no-such' (str)
""",
)


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _KWARGS_DESCRIPTION)
class Metricx(modules.TranslationMetric):
    measure = textgauge.Metricx

    def _info(self):
        return modules.info(
            _DESCRIPTION,
            _CITATION,
            _KWARGS_DESCRIPTION,
            "https://aclanthology.org/2024.wmt-1.35",
            "https://github.com/google-research/metricx",
            has_sources=True,
        )

"""The metrics and their scores by name, for every face."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, MutableMapping
from importlib import import_module

from ..checks import did_you_mean
from ..locations import HOMES, OF_SETS
from ..metric.metric import Metric
from .accumulator import ACCUMULATORS


class _Metrics(MutableMapping[str, type[Metric]]):
    """The classes of all metrics by name; each module is imported on first use, so that a program starts quickly."""

    def __init__(self, homes: Mapping[str, str]) -> None:
        """Take the table of `locations`."""
        self._classes = dict[str, type[Metric] | str]({name: home for name, home in homes.items() if "." in home})

    def __getitem__(self, name: str) -> type[Metric]:
        metric_type = self._classes[name]
        if isinstance(metric_type, str):
            module, _, class_name = metric_type.partition(".")
            accumulator = getattr(import_module(f"..measures.{module}", __package__), class_name)
            metric_type = self._classes[name] = accumulator.metric_type
        return metric_type

    def __setitem__(self, name: str, metric_type: type[Metric]) -> None:
        self._classes[name] = metric_type

    def __delitem__(self, name: str) -> None:
        del self._classes[name]

    def __contains__(self, name: object) -> bool:
        return name in self._classes

    def __iter__(self) -> Iterator[str]:
        return iter(self._classes)

    def __len__(self) -> int:
        return len(self._classes)


METRICS = _Metrics(HOMES)


def metric_of_samples(name: str) -> type[Metric] | None:
    """Return the metric of two samples of texts that has a name; None for any other name."""
    if name not in OF_SETS:
        return None
    import_module(f"..measures.{HOMES[name]}", __package__)
    return next((metric for metric in ACCUMULATORS if metric.name == name and not metric.inputs.is_paired), None)


# What papers and other tools give a name of its own is here a metric, some with an option.
OF_PAPERS: Mapping[str, str] = {
    "chrf+": "chrf(word_order=1)", "chrf++": "chrf(word_order=2)", "chrf1": "chrf(beta=1)", "chrf2": "chrf",
    "chrf2+": "chrf(word_order=1)", "chrf2++": "chrf(word_order=2)", "chrf3": "chrf(beta=3)", "gleu": "google_bleu",
    "em": "exact_match", "f1": "token_f1", "cider-d": "cider",
    "bert": "bertscore", "bert-f1": "bertscore", "spbleu": "sacrebleu(tokenizer='flores200')",
    "nist": "nist_mt", "meteor-1.5": "meteor15", "competition_math": "math_answer",
    "accuracy": "exact_match", "rouge_score": "rouge", "jiwer": "wer", "easse": "sari",
}  # fmt: skip


def name_here(name: str, names: Collection[str]) -> str:
    """Return what is called by a name elsewhere, or a question with the nearest of our names; empty if none is near.

    Examples
    --------
    >>> name_here("chrF++", ["chrf"]), name_here("blue", ["bleu"])
    ("it is 'chrf(word_order=2)' here", "did you mean 'bleu'?")
    """
    ours = OF_PAPERS.get(name.lower())
    return f"it is {ours!r} here" if ours else did_you_mean(name, names, before="")


def names_of_scores(metrics: Iterable[type[Metric]] | None = None) -> str:
    """List the names that `NamedScore` accepts, of some metrics or of all, for messages and help."""
    names = [name for metric in metrics or METRICS.values() for name in metric.scores.names]
    return ", ".join(repr(name) if name != "..." else name for name in names)

"""The names that -m takes: measures with the options and the scale of each name, and n-grams in place of a model.

No other file of the program knows a single metric.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from ..options import Option, options_of
from .interrupts import quiet_imports
from .messages import refusals, refuse, suggestion

if TYPE_CHECKING:
    from ..measures.measure import Measure
    from ..measures.registry import NamedScore
    from ..plain import Texts

DEFAULT = "sacrebleu"
# The class of each measure; its module has the name of the metric, and is imported alone.
_CLASSES = {
    "bleu": "Bleu", "rouge": "Rouge", "chrf": "Chrf", "ter": "Ter", "token_f1": "TokenF1", "perplexity": "Perplexity",
}  # fmt: skip
_PRESETS: Mapping[str, tuple[str, dict[str, Any]]] = {"sacrebleu": ("bleu", {"preset": "sacrebleu"}),
                                                      "squad": ("token_f1", {})}  # fmt: skip
_PERCENT = ("sacrebleu", "squad", "chrf", "ter")
_ELSEWHERE = {"chrf+": "chrf word_order=1", "chrf++": "chrf word_order=2"}
_NGRAM_ORDER, _NGRAM_TOKENIZER = 3, "13a"
# Of a metric with a model of language, in place of its options that take Python objects.
_OF_TEXTS = (
    Option("ngram_train", None, "Instead of `model_id`: train an n-gram model on this file of texts.", "words", (),
           True),
    Option("order", _NGRAM_ORDER, "Order of the n-gram model.", "whole", (), False, at_least=1),
    Option("tokenizer", None, "Tokenizer of the n-gram model.", "tokenizer", (), True,
           none_means=f'"{_NGRAM_TOKENIZER}"'),
    Option("dtype", None, "Number type that the model computes with.", "choice",
           ("auto", "float32", "bfloat16", "float16"), True, none_means="that of transformers"),
    Option("prefixes", None, "A file with a context before each text: the model sees it, but it is not scored.",
           "words", (), True),
    Option("prefix_field", None, "Column of `prefixes`.", "text", (), True, none_means="prefix"),
)  # fmt: skip


class Metric(NamedTuple):
    """What a name stands for.

    Attributes
    ----------
    name : str
    measure : class
    fixed : mapping
        The options that the name implies.
    scale : float
        What a score of the measure is multiplied by.
    """

    name: str
    measure: type[Measure]
    fixed: Mapping[str, Any]
    scale: float

    def options(self, *, with_reports: bool = True) -> dict[str, Option]:
        """Return the options that can be typed, by name; without those of its report on demand."""
        kinds = (self.measure.options_type, *((self.measure.reports_type,) if with_reports else ()))
        own = [one for kind in kinds for one in options_of(kind) if one.kind != "python" and one.name not in self.fixed]
        return {one.name: one for one in (*own, *(_OF_TEXTS if self.has_model else ()))}

    @property
    def has_model(self) -> bool:
        """Whether it scores texts by a model, which Python has as an object."""
        kinds = {one.name: one.kind for one in options_of(self.measure.options_type)}
        return kinds.get("model") == "python"

    def names(self) -> list[str]:
        """Return its own name, then the names of its scores, without open families."""
        own = [name for name in self.measure.named_scores() if name not in ("...", self.measure.name)]
        return [self.name, *(() if self.fixed or self.name != self.measure.name else own)]

    @property
    def question(self) -> str:
        """The question that it answers."""
        measure = self.measure
        key = measure.headline or (measure.name if measure.find(measure.name) else measure().score_names[0])
        return measure.question or measure.words(key).question

    def find(self, name: str) -> tuple[str, dict[str, Any]] | None:
        """Return the key of a score and the options that its name implies; None if it is not a single one."""
        own = self.measure.name if name == self.name else "" if name == self.measure.name else name
        return self.measure.find(own)

    def score_named(self, name: str) -> NamedScore:
        """Return a score for pages, which are not scaled."""
        from ..measures.registry import NamedScore

        key, fixed = self.find(name) or (name, {})
        return NamedScore(name, self.measure, key, {**self.fixed, **fixed})

    def check(self, given: Mapping[str, Any]) -> None:
        """Refuse a missing or a second model, and options of n-grams without n-grams."""
        if not self.has_model:
            return
        if "ngram_train" in given and "model_id" in given:
            refuse("ngram_train and model_id both name a model; give one of them")
        if "ngram_train" not in given and "model_id" not in given:
            refuse(f"{self.name} needs a model: ngram_train with a file of texts, or model_id")
        with refusals(self.name):
            for one in _OF_TEXTS:
                one.checked(given.get(one.name, one.default))
        for name in ("order", "tokenizer"):
            if name in given and "ngram_train" not in given:
                refuse(f"{name} has no effect without ngram_train")

    def with_objects(self, given: Mapping[str, Any], texts_of: Callable[[str], Texts | list[str]]) -> dict[str, Any]:
        """Return the options of the measure: a file of texts becomes a model, files of other texts are left out."""
        if not self.has_model:
            return {**given, **self.fixed}
        options = {name: value for name, value in given.items() if name not in {one.name for one in _OF_TEXTS}}
        if "ngram_train" in given:
            with quiet_imports():
                from ..measures.ngram_model import NgramModel

            model = NgramModel(given.get("order", _NGRAM_ORDER), tokenizer=given.get("tokenizer", _NGRAM_TOKENIZER))
            options["model"] = model.fit(texts_of(given["ngram_train"]))
        if "dtype" in given:
            options["model_kwargs"] = {"dtype": given["dtype"]}
        return {**options, **self.fixed}

    def result(self, measure: Measure, reports: Mapping[str, Any]) -> dict[str, Any]:
        """Score; values per segment have keys that start with `SEGMENT`, and are there only on request."""
        result = measure.score(**reports)
        for key, new in measure.of_segments.items():
            values = result.pop(key, None)
            if reports.get("per_segment") and values is not None:
                result[new] = values
        lists = [key for key in measure.score_names if _is_list(result.get(key))]
        return {SEGMENT + key if key in lists else key: value for key, value in result.items()}

    def scaled(self, result: Mapping[str, Any]) -> dict[str, Any]:
        """Return a result on the scale of the name, under the name."""
        from ..measures.summary import scaled

        old = {prefix + self.measure.name: prefix + self.name for prefix in ("", SEGMENT)}
        return {old.get(key, key): value for key, value in scaled(result, self.scale, self.measure.unscaled).items()}


SEGMENT = "segment_"


def _is_list(value: Any) -> bool:
    return isinstance(next(iter(value.values())) if isinstance(value, dict) else value, list)


def metric_named(name: str) -> Metric | None:
    """Return a metric; None if it has another name, or is a score of one."""
    own, fixed = _PRESETS.get(name, (name, {}))
    if own in _CLASSES:
        measure = getattr(import_module(f"...measures.{own}", __name__), _CLASSES[own])
    else:
        from ..measures.registry import METRICS

        measure = METRICS.get(own)
    return None if measure is None else Metric(name, measure, fixed, 100 if name in _PERCENT else 1)


def is_named(name: str) -> bool:
    """Return whether a name is that of a metric of the library, without an import of any."""
    return name in _CLASSES or name in _PRESETS


def metrics() -> Iterator[Metric]:
    """Yield all metrics, the default first."""
    from ..measures.registry import METRICS

    yield from filter(None, map(metric_named, dict.fromkeys([DEFAULT, *METRICS, *_PRESETS])))


def find_metric(name: str) -> Metric | None:
    """Return the metric of a name, its own or that of one of its scores."""
    return metric_named(name) or next((one for one in metrics() if one.find(name)), None)


def metric_of(name: str) -> Metric:
    """Return the metric of a name; refuse an unknown one with the nearest."""
    found = find_metric(name)
    if found is None:
        if ours := _ELSEWHERE.get(name.lower()):
            refuse(f"there is no metric {name!r}; it is -m {ours} here")
        refuse(f"there is no metric {name!r}; {suggestion(name, metric_names())}")
    return found


def metric_names() -> list[str]:
    """Return the names of all metrics and of their scores."""
    return [name for one in metrics() for name in one.names()]

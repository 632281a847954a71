"""The options of BERTScore."""

from __future__ import annotations

import csv
import math
import os
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from ..arrays import FloatArray
from ..checks import fail, shown
from ..models.layers import LANGUAGES, LAYERS, OTHER_LANGUAGE, published_name
from ..models.options import LoadingOptions
from ..options import Option, option

_HEADER = ["LAYER", "P", "R", "F"]


@dataclass(frozen=True)
class BertScoreOptions(LoadingOptions):
    """Without `model_id` the model is the one that bert-score has for `lang`.

    They are roberta-large for "en", bert-base-chinese for "zh", dbmdz/bert-base-turkish-cased for "tr",
    allenai/scibert_scivocab_uncased for "en-sci", and bert-base-multilingual-cased for others.

    A text is stripped, and GPT-2 and RoBERTa get it with a leading space, as bert-score does under transformers 4. A
    longer text than the model takes is truncated; one warning counts such texts. Tokens that match are all tokens;
    those that mark the start and the end weigh nothing. The weight of a token is 1, or with `idf`
    log((n + 1) / (d + 1)) if d of n texts have it. With several references each part has its own best one.

    A batch has at most 32 x `batch_size` tokens, padding included, and on a processor at most 320. Texts are encoded
    once, and forgotten after their last pair.

    References: Zhang et al. (2020), BERTScore: Evaluating Text Generation with BERT, section 3.
    """

    auto_class, extra = "AutoModel", "bertscore"
    sources = "a model name or path, or `lang` (or `model`)"

    lang: str | None = option(
        None, 'Language of the texts, such as "en": chooses the model, and the baseline.', kind="text", on_page=True,
        none_means="`model_id` is given",
    )  # fmt: skip
    num_layers: int | None = option(
        None, "Layer of the embeddings, 0 for the input of the first.", at_least=0, on_page=True,
        none_means="that of bert-score for a model of its table",
    )  # fmt: skip
    idf: Any = option(
        False, "Weight tokens by idf in the references; in Python also a list of texts to count in, or a table by id.",
        kind="flag", on_page=True,
    )  # fmt: skip
    rescale_with_baseline: bool = option(
        False, "Rescale (x - b) / (1 - b), with b the mean score of unrelated texts.", on_page=True
    )
    baseline_path: str | None = option(
        None, "A file with lines LAYER,P,R,F instead of the one that bert-score has.", kind="text",
        none_means="the file of an installed bert-score for `lang` and the model",
    )  # fmt: skip
    use_fast_tokenizer: bool = option(
        False, "Leave out the leading space for GPT-2 and RoBERTa, as bert-score's fast tokenizers do."
    )
    batch_size: int = option(64, "Number of texts of 32 tokens per forward pass; fewer longer ones.", at_least=1)
    verbose: bool = option(False, "Show the progress bar from the start, not only after three seconds.")

    def checked_value(self, one: Option, value: Any) -> Any:
        """Return an option in plain form: `idf` may also be texts or a table."""
        return value if one.name == "idf" and not isinstance(value, (bool, str)) else one.checked(value)

    def check(self) -> None:
        """Check options against each other."""
        self.check_model()
        if self.lang is not None and not isinstance(self.lang, str):
            fail(TypeError, "lang", "a str such as 'en'", shown(self.lang))
        if self.baseline_path is not None and not self.rescale_with_baseline:
            fail(ValueError, "baseline_path", "None without `rescale_with_baseline`", shown(self.baseline_path))
        if self.rescale_with_baseline and self.baseline_path is None and self.lang is None and self.has_model:
            fail(ValueError, "lang", "the language of the baseline, or a `baseline_path`", "None")
        if self.model_id is None and self.model is None and self.lang is not None:
            self._set("model_id", LANGUAGES.get(self.lang.lower(), OTHER_LANGUAGE))
        if isinstance(self.idf, Mapping):
            _check_table(self.idf)
        if self.has_model:
            self._set("num_layers", self._layer())

    @property
    def has_model(self) -> bool:
        """Whether there is a model to encode with."""
        return not (self.model_id is None and self.model is None)

    @property
    def model_name(self) -> str:
        """The name of the model."""
        config = getattr(self.model, "config", None)
        name = getattr(config, "name_or_path", "") or type(self.model).__name__
        return name if self.model_id is None else os.fspath(self.model_id)

    def _layer(self) -> int:
        name = published_name(self.model_name)
        if self.num_layers is None and name not in LAYERS:
            fail(ValueError, "num_layers", f"a layer of {name}, for which bert-score chooses none", "None")
        return LAYERS[name] if self.num_layers is None else self.num_layers

    def baseline(self) -> FloatArray | None:
        """Return the baselines of precision, recall and F1, shape (3,); None without rescaling."""
        if not self.rescale_with_baseline:
            return None
        path = self.baseline_path or _published(str(self.lang).lower(), published_name(self.model_name))
        if not os.path.isfile(path):
            fail(FileNotFoundError, "baseline_path", f"a file with lines {','.join(_HEADER)}", shown(os.fspath(path)))
        with open(path, encoding="utf-8", newline="") as file:
            header, *rows = csv.reader(file)
        try:
            found = {int(row[0]): [float(cell) for cell in row[1:]] for row in rows if row}
        except ValueError:
            found = {}
        if header != _HEADER or any(len(row) != 3 or not all(value < 1 for value in row) for row in found.values()):
            fail(ValueError, "baseline_path", f"a file with lines {','.join(_HEADER)} of numbers below 1", shown(path))
        if self.num_layers not in found:
            fail(ValueError, "baseline_path", f"a file with a line for layer {self.num_layers}", shown(path))
        return np.array(found[self.num_layers])


def _published(lang: str, name: str) -> str:
    """Return the file of the installed package bert-score for a language and a model."""
    package = find_spec("bert_score")
    if package is None or package.origin is None:
        needed = "the baselines of bert-score (pip install --no-deps bert-score), or `baseline_path`"
        fail(ValueError, "rescale_with_baseline", needed, "no installed bert-score")
    folder = Path(package.origin).parent / "rescale_baseline" / lang
    if not (folder / f"{name}.tsv").is_file():
        names = ", ".join(sorted(path.stem for path in folder.glob("**/*.tsv"))) or "no model"
        fail(ValueError, "rescale_with_baseline", f"a model of {lang!r} with a baseline ({names})", shown(name))
    return str(folder / f"{name}.tsv")


def _check_table(table: Mapping[Any, Any]) -> None:
    for token, weight in table.items():
        is_token = isinstance(token, (int, np.integer)) and token >= 0
        if not (is_token and isinstance(weight, (int, float, np.number)) and 0 <= weight < math.inf):
            fail(ValueError, "idf", "weights of at least 0 by token id", f"{shown(token)}: {shown(weight)}")


def dense(table: Mapping[int, float], n_words: int) -> FloatArray:
    """Return the weights of a table, float64, shape (n_words,).

    A token that it lacks has the weight that a `defaultdict` gives, or else the largest weight.
    """
    factory = table.default_factory if isinstance(table, defaultdict) else None
    rest = factory() if factory is not None else max(table.values(), default=0.0)
    weights = np.full(n_words, float(rest))
    for token, weight in table.items():
        if token >= n_words:
            fail(ValueError, "idf", f"weights of token ids below {n_words}", shown(token))
        weights[token] = weight
    return weights

"""`bert_score`: BERTScore in tensors, without bert-score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from ..checks import fail, shown, warn_user, whole_number
from ..measures.bertscore import BertScore, bertscore

__all__ = ["BERTScorer", "plot_example", "score"]

# Its other modules are found below it.
__path__: list[str] = []
_N_THREADS = 4
_PARTS = ("precision", "recall", "f1")


def score(
    cands: Sequence[str], refs: Sequence[str] | Sequence[Sequence[str]], model_type: str | None = None,
    num_layers: int | None = None, verbose: bool = False, idf: bool | Mapping[int, float] = False, device: Any = None,
    batch_size: int = 64, nthreads: int = _N_THREADS, all_layers: bool = False, lang: str | None = None,
    return_hash: bool = False, rescale_with_baseline: bool = False, baseline_path: str | None = None,
    use_fast_tokenizer: bool = False,
) -> Any:  # fmt: skip
    """Return BERTScore of every candidate, `textgauge.bertscore` per segment.

    Parameters
    ----------
    cands : list of str
    refs : list of str, or of lists of str
        Of several references each part has its own best one.
    model_type, num_layers, idf, device, lang, rescale_with_baseline, baseline_path, use_fast_tokenizer
        As in `textgauge.bertscore`, where `model_type` is `model_id`; one of `model_type` and `lang` is needed.
    verbose : bool
        Show a bar.
    batch_size : int
        How many tokens are encoded at once: 32 times as many.
    nthreads : int
        The processes with which bert-score counts for `idf`. There are none here: a number other than 4 is warned of.
    all_layers : bool
        False: scores are of one layer.
    return_hash : bool
        Return the code of the settings as well.

    Returns
    -------
    (P, R, F) : tensors of float32, shape (n_candidates,)
        With `return_hash` a pair of these and the code.

    Raises
    ------
    ImportError
        Without torch and transformers; the message says how to install them.
    TypeError, ValueError
        As `textgauge.bertscore`; for `all_layers`; if there is no baseline, where bert-score only prints it.

    Examples
    --------
    >>> score(["the cat sat"], ["a cat sat"], lang="en", all_layers=True)
    Traceback (most recent call last):
        ...
    ValueError: all_layers: expected False, with one layer as `num_layers`, got True (bool)
    """
    options = _options(
        model_type, num_layers, batch_size, nthreads, all_layers, idf, device, lang, rescale_with_baseline,
        baseline_path, use_fast_tokenizer,
    )  # fmt: skip
    return _scored(options, cands, refs, verbose, return_hash)


class BERTScorer:
    """BERTScore with the same options in several calls; the model is loaded once.

    Parameters
    ----------
    model_type, num_layers, batch_size, nthreads, all_layers, idf, device, lang, rescale_with_baseline, baseline_path, \
use_fast_tokenizer
        As in `score`.
    idf_sents : list of str, optional
        The texts in which tokens are counted, where `idf` is True; see `compute_idf`.

    Examples
    --------
    >>> BERTScorer()
    Traceback (most recent call last):
        ...
    ValueError: model_type: expected a model, or `lang`, got None
    """

    def __init__(
        self, model_type: str | None = None, num_layers: int | None = None, batch_size: int = 64,
        nthreads: int = _N_THREADS, all_layers: bool = False, idf: bool = False,
        idf_sents: Sequence[str] | None = None, device: Any = None, lang: str | None = None,
        rescale_with_baseline: bool = False, baseline_path: str | None = None, use_fast_tokenizer: bool = False,
    ) -> None:  # fmt: skip
        self._options = _options(
            model_type, num_layers, batch_size, nthreads, all_layers, False, device, lang, rescale_with_baseline,
            baseline_path, use_fast_tokenizer,
        )  # fmt: skip
        self.idf, self.batch_size, self.nthreads, self.all_layers = idf, batch_size, nthreads, all_layers
        self._checked = BertScore(**self._options)
        if idf_sents is not None:
            self.compute_idf(idf_sents)

    def compute_idf(self, sents: Sequence[str]) -> None:
        """Weight tokens by how many of these texts have them, from now on."""
        self._options["idf"] = [*sents]

    @property
    def lang(self) -> str | None:
        """The language."""
        return self._checked.options.lang

    @property
    def model_type(self) -> str:
        """The model."""
        return self._checked.options.model_name

    @property
    def num_layers(self) -> int:
        """The layer."""
        return int(self._checked.options.num_layers)

    @property
    def rescale_with_baseline(self) -> bool:
        """Whether scores are rescaled."""
        return bool(self._checked.options.rescale_with_baseline)

    @property
    def baseline_vals(self) -> Any:
        """The baselines of precision, recall and F: float32, shape (3,)."""
        baseline = self._checked.options.baseline()
        if baseline is None:
            fail(ValueError, "baseline_vals", "`rescale_with_baseline=True`", "False")
        return _tensor(baseline.tolist())

    @property
    def use_fast_tokenizer(self) -> bool:
        """Whether the tokenizer is the fast one of bert-score."""
        return bool(self._checked.options.use_fast_tokenizer)

    @property
    def hash(self) -> str:
        """The code of the settings."""
        return BertScore(**{**self._options, "idf": bool(self.idf)}).hashcode()

    def score(
        self, cands: Sequence[str], refs: Sequence[str] | Sequence[Sequence[str]], verbose: bool = False,
        batch_size: int = 64, return_hash: bool = False,
    ) -> Any:  # fmt: skip
        """Return BERTScore of every candidate, as the function `score` does.

        Raises
        ------
        ValueError
            With `idf`, before there are texts to count in.
        """
        if self.idf and "idf" not in self._options:
            fail(ValueError, "idf", "texts to count in, as `idf_sents` or by compute_idf(sents)", "none")
        options = {**self._options, "batch_size": batch_size}
        if not self.idf:
            options.pop("idf", None)
        scores = _scored(options, cands, refs, verbose, False)
        return (scores, self.hash) if return_hash else scores

    def plot_example(self, candidate: str, reference: str, fname: str = "") -> NoReturn:  # noqa: ARG002
        """Raise NotImplementedError: see `textgauge.explain`."""
        _refuse_to_plot()

    def __repr__(self) -> str:
        return f"{type(self).__name__}(hash={self.hash}, batch_size={self.batch_size}, nthreads={self.nthreads})"


def plot_example(*args: Any, **options: Any) -> NoReturn:  # noqa: ARG001
    """Raise NotImplementedError: see `textgauge.explain`."""
    _refuse_to_plot()


def _refuse_to_plot() -> NoReturn:
    allowed = 'textgauge.explain([candidate], [reference], metric="bertscore"), which shows what matches what'
    fail(NotImplementedError, "plot_example", allowed, "a call")


def _options(
    model_type: str | None, num_layers: int | None, batch_size: int, nthreads: int, all_layers: bool, idf: Any,
    device: Any, lang: str | None, rescales: bool, baseline_path: str | None, is_fast: bool,
) -> dict[str, Any]:  # fmt: skip
    """Return our options."""
    if model_type is None and lang is None:
        fail(ValueError, "model_type", "a model, or `lang`", "None")
    if all_layers:
        fail(ValueError, "all_layers", "False, with one layer as `num_layers`", shown(all_layers))
    if whole_number("nthreads", nthreads) != _N_THREADS:
        warn_user("`nthreads` changes nothing here: tokens are counted for idf in this process.")
    arguments = {
        "model_id": model_type, "num_layers": num_layers, "lang": lang, "baseline_path": baseline_path,
        "device": None if device is None else str(device),
    }  # fmt: skip
    flags = {"rescale_with_baseline": rescales, "use_fast_tokenizer": is_fast, "batch_size": batch_size}
    return (
        {name: value for name, value in arguments.items() if value is not None} | flags | ({"idf": idf} if idf else {})
    )


def _scored(options: dict[str, Any], cands: Any, refs: Any, verbose: bool, hashes: bool) -> Any:
    result = bertscore(cands, refs, **options, verbose=verbose, per_segment=True)
    scores = tuple(_tensor(result[f"segment_{part}"]) for part in _PARTS)
    return (scores, BertScore(**options).hashcode()) if hashes else scores


def _tensor(values: Any) -> Any:
    # By now `bertscore` has imported torch, or said how to install it.
    import torch

    return torch.tensor(values, dtype=torch.float32)

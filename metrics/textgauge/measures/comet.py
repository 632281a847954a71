"""COMET: a model that learned from human judgements scores translations, with their sources and references."""

from __future__ import annotations

import inspect
import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from ..accumulation.accumulator import Accumulator, call_of
from ..accumulation.warnings import Note, Notes
from ..all_pairs.crossing import CrossedRows
from ..arrays import FloatArray
from ..checks import CountWarning, fail, shown
from ..input.columns import Corpus, ReferenceColumn, TextColumn, corpus_with_sources, without_references
from ..metric.layout import Field, Layout, Rows
from ..metric.metric import About, CountedSegments, Counter, Metric, Score, Sums
from ..metric.summary import Explanation
from ..models.options import check_devices
from ..options import Options, Reports, documented, option
from ..plain import Texts
from ..signatures import yes_no

if TYPE_CHECKING:
    from ..all_pairs.crossing import Sides
    from ..models.apart import ApartRegressor, Embedded
    from ..models.regressors import Judged, Regressor

# Options that change the speed alone, or add to a result.
_NOT_OF_SCORES = ("device", "device_map", "batch_size", "spans", "verbose")

_EXPLANATION = Explanation(
    "COMET",
    "How good would people say that a translation is?",
    (
        "A language model turns prediction, source and reference into vectors, and a small network turns these into "
        "a score. Both were trained on human judgements of translations.",
        "The score of a corpus is the mean over its segments.",
    ),
    "Scores are comparable only under the same model; a difference that looks small may be large, and the other way "
    "round. Empty, untranslated and foreign text may score high.",
)


@dataclass(frozen=True)
class CometOptions(Options):
    """The model says which texts it needs.

    wmt22-comet-da needs sources and references, wmt22-cometkiwi-da sources alone, XCOMET sources, references or both.
    With several references a segment has the score of its best one.

    Scores are on the model's own scale, which has no fixed ends; the score of a corpus is the mean. Only scores of the
    same model, checkpoint and precision are comparable.

    Checkpoints are read as plain tensors and values: nothing that they contain is run. Of the encoder that a checkpoint
    names, the configuration and the tokenizer are loaded, not the weights. A text is cut at the limit of the encoder,
    usually 510 tokens; one warning counts such texts.

    A batch has at most 32 x `batch_size` tokens, padding included, and on a processor at most 320, of texts of one
    length. Every distinct text, or segment of a model that reads its texts as one, is encoded once; the vectors of
    the texts that were encoded last, 64 MB at most, stay in memory for further calls. What stands beside a text in
    its batch moves a score by 1e-6 at most, and a vector that is remembered is the one computed first.

    References: Rei et al. (2020), COMET: A Neural Framework for MT Evaluation; Rei et al. (2022), COMET-22;
    Guerreiro et al. (2024), xCOMET.
    """

    python_notes = """\
The last model stays in memory and is reused while `model_id`, `revision`, `encoder`, `dtype`, `device`, `device_map`
and the files of a local folder are the same. `textgauge.models.clear_models` drops it."""

    model_id: str | os.PathLike[str] = option(
        "Unbabel/wmt22-comet-da", "A COMET model on the Hub, or the path of a folder with the same files.",
        kind="model", on_page=True,
    )  # fmt: skip
    encoder: str | os.PathLike[str] | None = option(
        None, "Where the configuration and the tokenizer of the encoder are, on the Hub or in a folder.", kind="model",
        none_means="under the name in the checkpoint",
    )  # fmt: skip
    revision: str | None = option(
        None, "Branch, tag or commit of the model on the Hub.", kind="text", none_means="the newest"
    )
    dtype: Literal["float32", "bfloat16", "float16"] = option("float32", "Number type that the encoder computes with.")
    device: str | None = option(
        None, 'A torch device such as "cpu" or "cuda:1".', kind="text", none_means='"cuda" if there is one, else "cpu"'
    )
    device_map: Any = option(
        None, "Distributes the encoder over devices, as in `from_pretrained`; instead of `device`.", kind="python"
    )
    batch_size: int = option(64, "Number of texts of 32 tokens per forward pass; fewer longer ones.", at_least=1)
    spans: bool = option(
        False, "Add `error_spans`, a list per segment: what a model that marks errors, such as XCOMET, found wrong.",
        of_result=True,
    )  # fmt: skip
    verbose: bool = option(False, "Show the progress bar from the start, not only after three seconds.")

    def check(self) -> None:
        """Check that models are named."""
        for name in ("model_id", "encoder"):
            value = getattr(self, name)
            if not isinstance(value, (str, os.PathLike)) and not (name == "encoder" and value is None):
                fail(TypeError, name, "a name or a path", shown(value))
        check_devices(self.device, self.device_map)


class CometCounter(Counter):
    """Scores every prediction with each of its references, or once without any."""

    layout = Layout([Field("comet", is_whole=False)])

    def __init__(self, options: CometOptions, used: Sequence[str] | None = None) -> None:
        """Start without the model, which is loaded with the first segments; `used` are columns, see `fitted`."""
        self.options, self._used = options, used

    def regressor(self) -> Regressor:
        """Return the loaded model."""
        from ..models.comet import load_comet

        o = self.options
        return load_comet(o.model_id, o.encoder, o.revision, o.dtype, o.device, o.device_map)

    def fitted(self, corpus: Corpus) -> CometCounter:
        """Return the counter for texts with these columns; raise for those that the model lacks."""
        if not len(corpus):
            return self
        return CometCounter(self.options, self.regressor().used(corpus.given))

    @property
    def identity(self) -> Mapping[str, str]:  # type: ignore[override]
        """Which model, from which file, and whether it read sources."""
        used = {} if self._used is None else {"src": yes_no("sources" in self._used)}
        return {**self.regressor().identity, **used}

    def chunks(self, corpus: Corpus) -> Iterable[Corpus]:
        """Return all texts: the model sorts them by length."""
        return [corpus] if len(corpus) else []

    def read(self, corpus: Corpus) -> Corpus:
        """Leave out columns that the model does not use."""
        used = self._used or ()
        if "sources" not in used:
            corpus = replace(corpus, sources=None)
        if "references" not in used:
            corpus = replace(without_references(corpus.hypotheses), sources=corpus.sources, first=corpus.first)
        return corpus

    def notes(self) -> Notes:
        """Return a collector of reasons to warn."""
        return Notes(_Empty(), _Copies(), _LongTexts(), _SpecialTokens())

    def crossing(self, texts: Texts, sides: Sides, notes: Any) -> Any:
        """Embed texts and sources, each once; None for a model that reads the texts of a segment as one."""
        from ..models.apart import ApartRegressor

        regressor = self.regressor()
        if sides.weights is not None or sides.sources is None or not isinstance(regressor, ApartRegressor):
            return None
        embedded = regressor.embedded([*texts.tolist(), *sides.sources.tolist()], self.options.batch_size)
        # The notes of `rows` look at predictions, sources and what was cut.
        n_predictions = len(sides.sources)
        corpus = without_references(texts.slice(0, n_predictions), sides.sources)
        notes.look(corpus, _Look(embedded, regressor))
        return _Crossed(regressor, embedded, len(texts))

    def rows(self, corpus: Corpus, notes: Any) -> Rows:
        """Score the pairs; error spans stand beside the rows."""
        from ..models.progress import bar_of

        regressor = self.regressor()
        if self.options.spans and not regressor.marks_errors:
            fail(ValueError, "spans", f"False, since {regressor.name} marks no errors", "True")
        predictions, columns, segment_of = corpus.hypotheses, {}, np.arange(len(corpus))
        if len(corpus.references):
            segment_of = np.repeat(segment_of, np.diff(corpus.reference_offsets))
            predictions, columns["references"] = predictions.take(segment_of), corpus.references.tolist()
        if corpus.sources is not None:
            columns["sources"] = corpus.sources.take(segment_of).tolist()
        with bar_of(len(segment_of), "comet", 0 if self.options.verbose else None) as bar:
            scored = regressor.score(predictions.tolist(), columns, self.options.batch_size, bar)
        wrong = np.flatnonzero(~np.isfinite(scored.scores))
        if len(wrong):
            allowed = "a finite score from the model (dtype float32 or bfloat16 may help)"
            fail(ValueError, f"predictions[{corpus.first + segment_of[wrong[0]]}]", allowed, "NaN or infinity")
        notes.look(corpus, _Look(scored, regressor))
        return Rows(self.layout, scored.scores[:, None], beside=scored.spans if self.options.spans else None)


class CometMetric(Metric):
    """COMET (Rei et al. 2020, 2022; Guerreiro et al. 2024)."""

    name = "comet"
    options_type = CometOptions
    inputs = ("predictions", "references", "sources")
    optional = ("references", "sources")
    about = About("COMET", lambda _: _EXPLANATION)
    combine = "mean"
    mixes_counters = True
    corpus_of = staticmethod(corpus_with_sources)
    scores = (Score("comet", perfect=None, largest=float("inf")),)
    options: CometOptions
    counter: CometCounter

    def counted_by(self) -> CometCounter:
        """Return the counter."""
        return CometCounter(self.options)

    def settings(self) -> dict[str, Any]:
        """Return every option that determines the scores."""
        return {name: value for name, value in self.options.chosen().items() if name not in _NOT_OF_SCORES}

    def described(self, asked: Any = None) -> dict[str, str]:  # noqa: ARG002
        """Return nothing about the options: what made the segments names its model."""
        return {}

    def sums(self, asked: Any = None) -> Sums:
        """Refuse error spans where no segments are kept."""
        if asked is None or not self.options.spans:
            return Sums()
        return Sums("all", ("spans", "False where segments are added up", "True"))

    def unused(self, given: Collection[str]) -> dict[str, str]:
        """Return the columns that the model was not trained with."""
        regressor = self.counter.regressor()
        return {column: regressor.name for column in given if column not in regressor.takes}

    def lacking(self, given: Collection[str]) -> dict[str, str]:
        """Return the columns without which the model cannot score."""
        regressor = self.counter.regressor()
        return dict.fromkeys(regressor.lacking(given), regressor.name)

    def formula(self, rows: Rows) -> dict[str, Any]:
        """Return the scores of the model."""
        return {"comet": np.asarray(rows["comet"])}

    def result(self, counted: CountedSegments, asked: Any) -> dict[str, Any]:
        """Return the mean score, and the error spans if they were asked for."""
        result = super().result(counted, asked)
        if not self.options.spans:
            return result
        spans = counted.statistics.beside
        if spans is None:
            fail(ValueError, "spans", "False for stored scores, which have no error spans", "True")
        return {**result, "error_spans": spans}


class Comet(Accumulator, metric=CometMetric):
    """COMET, batch by batch: an accumulator that stores one number per segment, never text.

    `statistics` has the field ``comet``: float64, on the model's own scale.

    Parameters
    ----------
    {options}

    Notes
    -----
    {notes}
    """


class _Crossed(NamedTuple):
    """Texts and what they translate, embedded once, with the methods of `Crossing`."""

    regressor: ApartRegressor
    embedded: Embedded
    n_texts: int

    def block(self, predictions: slice, references: slice) -> _CrossedBlock:
        return _CrossedBlock(self, predictions, references)

    def scores(self, predictions: slice, references: slice) -> FloatArray:
        texts, sources = np.split(self.embedded.places, [self.n_texts])
        return self.regressor.crossed(
            self.embedded.vectors, texts[predictions], sources[predictions], texts[references]
        )


class _CrossedBlock(NamedTuple):
    crossed: _Crossed
    predictions: slice
    references: slice

    def rows(self, layout: Layout) -> CrossedRows:
        return CrossedRows(layout, {"comet": self.crossed.scores(self.predictions, self.references)})

    def swapped(self, layout: Layout) -> CrossedRows:
        """No score follows from that of the pair the other way round: only the vectors are the same."""
        return CrossedRows(layout, {"comet": self.crossed.scores(self.references, self.predictions)})


class _Look(NamedTuple):
    scored: Judged | Embedded
    regressor: Regressor


class _CountedNote(Note):
    """Counts something over the chunks of a call, and tells it."""

    count = 0

    def tell(self, found: int, text: str) -> None:
        """Add to the count."""
        self.count += found
        if self.count:
            self.advice = CountWarning(self.count, text)


class _Empty(_CountedNote):
    about = "empty"

    def look(self, corpus: Corpus, tokens: Any) -> None:  # noqa: ARG002
        found = sum(not text or text.isspace() for text in corpus.hypotheses.tolist())
        self.tell(found, "[prediction is|predictions are] empty; COMET scores such a text like any other.")


class _Copies(_CountedNote):
    about = "copies"

    def look(self, corpus: Corpus, tokens: Any) -> None:  # noqa: ARG002
        if corpus.sources is None:
            return
        sides = (corpus.hypotheses.tolist(), corpus.sources.tolist())
        found = sum(own == source and own.strip() != "" for own, source in zip(*sides, strict=True))
        text = "[prediction equals its source|predictions equal their sources]: untranslated text may score high."
        self.tell(found, text)


class _LongTexts(_CountedNote):
    about = "length"

    def look(self, corpus: Corpus, tokens: Any) -> None:  # noqa: ARG002
        model = tokens.regressor
        about = f"[{model.unit} is|{model.unit}s are] longer than the {model.limit} tokens that {model.name} takes"
        self.tell(tokens.scored.n_cut, f"{about}, and [was|were] cut.")


class _SpecialTokens(_CountedNote):
    about = "special"

    def look(self, corpus: Corpus, tokens: Any) -> None:  # noqa: ARG002
        text = "[text names|texts name] special tokens such as </s>, which the model does not take for text."
        self.tell(tokens.scored.n_special, text)


def comet(
    predictions: TextColumn, references: ReferenceColumn | None = None, *, sources: TextColumn | None = None,
    **options: Any,
) -> dict[str, Any]:  # fmt: skip
    """Return COMET of a corpus: `Comet` in one call.

    Parameters
    ----------
    predictions : iterable of str
        A list, tuple, generator, NumPy or Arrow array, pandas Series or datasets column.
    references : iterable of str, or of sequences of str, optional
        One text, or a non-empty sequence of texts, for every prediction, if the model uses references.
    sources : iterable of str, optional
        What every prediction translates, if the model uses sources; most do.
    {options}

    Returns
    -------
    dict
        Python numbers by key: ``comet``; and the additions that the options ask for. ``error_spans`` has for every
        segment a list of dicts with ``text``, ``start`` and ``end`` (characters of the prediction), ``severity`` and
        ``confidence``.

    Raises
    ------
    TypeError
        If an element is not text, or an option is unknown or of a wrong type; the message names it.
    ValueError
        If there are no segments, the lengths differ, the model lacks sources or references or does not use those
        that are given, an option is out of range, or the checkpoint is damaged or unknown.
    OSError
        If the model is not found, or may not be loaded.
    ImportError
        If torch, transformers or PyYAML is missing.

    Notes
    -----
    {notes}

    Examples
    --------
    >>> comet(["the cat"], ["a cat"], sources=["le chat"], dtype="int8")
    Traceback (most recent call last):
        ...
    ValueError: dtype: expected one of 'float32', 'bfloat16', 'float16', got 'int8' (str)
    """
    return call_of(Comet, "Comet", options, CometMetric.inputs).score(predictions, references, sources=sources)


_OWN = [p for p in inspect.signature(comet).parameters.values() if p.kind is not p.VAR_KEYWORD]
documented(comet, comet.__doc__ or "", CometOptions, Reports, first=_OWN)

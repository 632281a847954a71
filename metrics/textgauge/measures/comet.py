"""COMET: a model that learned from human judgements scores translations, with their sources and references."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from ..accumulation.accumulator import Accumulator, one_call
from ..all_pairs.crossing import CrossedRows
from ..arrays import FloatArray
from ..checks import CountWarning, fail, shown
from ..input.columns import Corpus, without_references
from ..metric import (
    About,
    CountedSegments,
    Counter,
    Explanation,
    Field,
    Inputs,
    Layout,
    Metric,
    Note,
    Notes,
    Rows,
    Score,
    Scores,
    Sums,
)
from ..options import Options, option
from ..plain import Texts
from ..signatures import yes_no

if TYPE_CHECKING:
    from ..all_pairs.crossing import Sides
    from ..models.regressors import Embedded, Regressor, Scored

# Options that change the speed alone, or add to a result.
_NOT_OF_SCORES = ("device", "batch_size", "spans", "verbose")

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
The last model stays in memory and is reused while `model_id`, `revision`, `encoder`, `dtype`, `device` and the files of
a local folder are the same. `textgauge.models.clear_models` drops it."""

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


class CometCounter(Counter):
    """Scores every prediction with each of its references, or once without any."""

    layout = Layout([Field("comet", is_whole=False)])

    def __init__(self, options: CometOptions, used: Sequence[str] | None = None) -> None:
        """Start without the model, which is loaded with the first segments; `used` are columns, see `fitted`."""
        self.options, self._used = options, used

    def regressor(self) -> Regressor:
        """Return the loaded model."""
        from ..models.regressors import load_regressor

        options = self.options
        return load_regressor(options.model_id, options.encoder, options.revision, options.dtype, options.device)

    def fitted(self, corpus: Corpus) -> CometCounter:
        """Return the counter for texts with these columns; raise for those that the model lacks."""
        if not len(corpus):
            return self
        return CometCounter(self.options, self.regressor().used(corpus.given))

    @property
    def identity(self) -> Mapping[str, str]:  # type: ignore[override]
        """Which model, from which file, and whether it read sources."""
        checkpoint = self.regressor().checkpoint
        return {
            "model": checkpoint.name,
            "revision" if checkpoint.revision else "sha256": checkpoint.mark,
            "dtype": self.options.dtype,
            "layers": checkpoint.settings["layer_transformation"],
            **({} if self._used is None else {"src": yes_no("sources" in self._used)}),
        }

    def chunks(self, corpus: Corpus) -> Iterable[Corpus]:
        """Return all texts: the model sorts them by length."""
        return [corpus] if len(corpus) else []

    def notes(self) -> Notes:
        """Return a collector of reasons to warn."""
        return Notes(_Empty(), _Copies(), _LongTexts(), _SpecialTokens())

    def crossing(self, texts: Texts, sides: Sides, notes: Any) -> Any:
        """Embed texts and sources, each once; None for a model that reads the texts of a segment as one."""
        regressor = self.regressor()
        if sides.weights is not None or sides.sources is None or regressor.is_joint:
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
    inputs = Inputs(("predictions", "references", "sources"), required=("predictions",))
    about = About(
        "COMET", lambda _: _EXPLANATION,
        returns="``comet``; with `spans` also ``error_spans``, for every segment a list of dicts with ``text``, "
        "``start`` and ``end`` (characters of the prediction), ``severity`` and ``confidence``",
    )  # fmt: skip
    combine = "mean"
    scores = Scores(Score("comet", perfect=None, largest=float("inf")))
    options: CometOptions
    counter: CometCounter

    def counted_by(self) -> CometCounter:
        """Return the counter; a model says which columns it reads, and error spans need all segments."""
        counter = CometCounter(self.options)
        self.inputs = self.inputs.with_model(counter.regressor)
        spans = ("spans", "False where segments are added up", "True")
        self.sums = Sums("whole", spans, mixes=True) if self.options.spans else Sums(mixes=True)
        return counter

    def settings(self) -> dict[str, Any]:
        """Return every option that determines the scores."""
        return {name: value for name, value in self.options.chosen().items() if name not in _NOT_OF_SCORES}

    def signature_fields(self, asked: Any = None) -> dict[str, str]:  # noqa: ARG002
        """Return nothing about the options: what made the segments names its model."""
        return {}

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

    regressor: Regressor
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
    scored: Scored | Embedded
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
        regressor, encoder = tokens.regressor, tokens.regressor.encoder
        what, limit = ("text", encoder.text_limit)
        if regressor.is_joint:
            what, limit = "segment", encoder.limit
        about = f"[{what} is|{what}s are] longer than the {limit} tokens that {regressor.name} takes"
        self.tell(tokens.scored.n_cut, f"{about}, and [was|were] cut.")


class _SpecialTokens(_CountedNote):
    about = "special"

    def look(self, corpus: Corpus, tokens: Any) -> None:  # noqa: ARG002
        text = "[text names|texts name] special tokens such as </s>, which the model does not take for text."
        self.tell(tokens.scored.n_special, text)


comet = one_call(
    Comet,
    """\
>>> comet(["the cat"], ["a cat"], sources=["le chat"], dtype="int8")
Traceback (most recent call last):
    ...
ValueError: dtype: expected one of 'float32', 'bfloat16', 'float16', got 'int8' (str)""",
)

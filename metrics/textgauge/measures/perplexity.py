"""Perplexity of texts: from probabilities, from a language model, from an n-gram model."""

from __future__ import annotations

import inspect
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..accumulation.accumulator import Accumulator, add_rows, scored
from ..accumulation.functions import call_of
from ..arrays import Counts, FloatArray, IntArray
from ..checks import CountWarning, fail, in_number, quantity, refuse_unknown, shown, warn_user
from ..explanation.alignment import Alignment, Match
from ..explanation.derivation import Derivation, Step, figure
from ..explanation.explainer import Explainer
from ..explanation.marks import Mark, Marks
from ..input.columns import Corpus, TextColumn, text_column
from ..metric import (
    About,
    Explanation,
    Field,
    Inputs,
    Layout,
    Line,
    Metric,
    Rows,
    Score,
    Scores,
    Summary,
    Sums,
)
from ..models.options import ModelOptions, changed
from ..models.text_models import TextModel, negative_logs
from ..options import Reports, documented, options_of
from ..plain import Texts


class PerplexityScore(NamedTuple):
    """Perplexity and bits, each with the leading axes of the statistics; NaN is undefined."""

    perplexity: FloatArray
    bits_per_token: FloatArray
    bits_per_byte: FloatArray
    bits_per_word: FloatArray


def perplexity_score(statistics: npt.NDArray[np.float64]) -> PerplexityScore:
    """Compute perplexity, exp(nll / n_tokens), and bits per unit, nll / (n_units ln 2).

    At least 1, unbounded, lower is better. Without tokens the perplexity is undefined, without
    bytes or words the bits per byte or word are: NaN. A token of probability 0 makes both
    infinite.

    Parameters
    ----------
    statistics : float64, shape (..., 4)
        Negative log-likelihood in nats, then the numbers of tokens, bytes and words; bytes and
        words are NaN if the texts are unknown. Additive: the sum over a corpus yields the corpus
        perplexity.

    References
    ----------
    Jelinek et al. (1977), Perplexity: a measure of the difficulty of speech recognition
    tasks.

    Examples
    --------
    >>> statistics = np.array([-np.log(1/2 * 1/4 * 1/8), 3, 8, 2])
    >>> score = perplexity_score(statistics)
    >>> float(score.perplexity), float(score.bits_per_token), float(score.bits_per_word)
    (4.0, 2.0, 3.0)
    """
    nll = statistics[..., :1]
    units = statistics[..., 1:]
    per_unit = nats_per_unit(np.broadcast_to(nll, units.shape), units)
    bits = per_unit / np.log(2)
    with np.errstate(over="ignore"):
        perplexity = np.exp(per_unit[..., 0])
    return PerplexityScore(perplexity, bits[..., 0], bits[..., 1], bits[..., 2])


def nats_per_unit(nll: FloatArray, n_units: npt.NDArray[np.number]) -> FloatArray:
    """Divide nats by numbers of units of the same shape; NaN without units."""
    return np.divide(nll, n_units, out=np.full(np.shape(nll), np.nan), where=np.asarray(n_units) > 0)


def plain_result(statistics: FloatArray, pooled: FloatArray, *, is_sum: bool = False) -> dict[str, Any]:
    """Return the figures of every result, as Python numbers."""
    by_segment, corpus = perplexity_score(statistics).perplexity, perplexity_score(pooled)
    has_tokens = statistics[:, 1] > 0
    if not has_tokens.all() and not is_sum:
        about = (
            "[text has|texts have] no token to score: [its|their] perplexity is None and mean_perplexity excludes "
            "[it|them]; remove empty texts, or score with a start token."
        )
        warn_user(CountWarning(int(np.count_nonzero(~has_tokens)), about))
    result: dict[str, Any] = {
        "perplexities": [
            value if known else None for value, known in zip(by_segment.tolist(), has_tokens, strict=True)
        ],
        "mean_perplexity": float(by_segment[has_tokens].mean()),
        "corpus_perplexity": float(corpus.perplexity),
        "nll": float(pooled[0]),
        "n_tokens": int(pooled[1]),
        "bits_per_token": float(corpus.bits_per_token),
    }
    if pooled[2] > 0:
        result["bits_per_byte"] = float(corpus.bits_per_byte)
    if pooled[3] > 0:
        result["bits_per_word"] = float(corpus.bits_per_word)
    return result


def resampled_segments(statistics: FloatArray) -> FloatArray:
    """Return the nll and the tokens of the segments with tokens: shape (n_segments, 2)."""
    columns = statistics[statistics[:, 1] > 0, :2]
    endless = int(np.count_nonzero(np.isinf(columns[:, 0])))
    if endless:
        got = f"{quantity(endless, 'segment')} with such tokens"
        fail(ValueError, "confidence", "None with tokens of probability 0", got)
    return columns


_LABELS = {
    "corpus_perplexity": "perplexity",
    "mean_perplexity": "mean of texts",
    "bits_per_token": "bits per token",
    "bits_per_byte": "bits per byte",
    "bits_per_word": "bits per word",
}


@dataclass(frozen=True)
class PerplexityReports(Reports):
    """`perplexities` has one value per segment, None for a segment without tokens.

    `mean_perplexity` is the mean of the others. `corpus_perplexity` is exp(nll / n_tokens), with `nll` in nats and
    `n_tokens` summed over all segments. `bits_per_token`, `bits_per_byte` and `bits_per_word` use the same sums; the
    last two need the texts of all segments. `per_segment` adds ``segment_nll`` and ``segment_n_tokens``, `confidence`
    adds ``confidence_interval``, the bounds of `corpus_perplexity` under resampling of the segments with tokens.
    """


# Bytes and words are NaN where the texts are unknown; a token of probability 0 makes nll infinite.
_LAYOUT = Layout(
    [Field("nll", is_whole=False, is_finite=False), Field("n_tokens"),
     *(Field(name, is_whole=False, is_finite=False, told=0) for name in ("n_bytes", "n_words"))],
    references="union",
)  # fmt: skip


class _PerplexityScores(Scores):
    """Every result has the perplexities of segments: `per_segment` adds what they are made of."""

    lists = {"perplexities": "segment_perplexity"}

    def of_segments(self, *, are_averaged: bool) -> tuple[str, ...]:  # noqa: ARG002
        return "nll", "n_tokens"


class PerplexityMetric(Metric):
    """Perplexity: from probabilities, from a language model, from an n-gram model."""

    name = "perplexity"
    options_type, reports_type = ModelOptions, PerplexityReports
    about = About(
        "Perplexity", lambda _: _EXPLANATION
    )  # fmt: skip
    inputs = Inputs(("predictions", "prefixes"), required=("predictions",), at_once=True)
    scores = _PerplexityScores(
        Score("corpus_perplexity", "perplexity", higher_is_better=False, perfect=None, largest=float("inf"), least=1.0)
    )
    # Sums of logarithms are rounded.
    sums = Sums("rounded", mixes=True)

    layout = _LAYOUT
    options: ModelOptions

    def prepare(self) -> None:
        """Learn n-grams, once."""
        self.options = self.options.trained()

    @property
    def identity(self) -> Mapping[str, str]:  # type: ignore[override]
        """The model and its input."""
        return self.identity_with(None)

    def identity_with(self, prefixes: Any) -> Mapping[str, str]:
        """Return the identity of the model for texts with prefixes."""
        if isinstance(self.options.model, TextModel):
            return self.options.model.signature
        from ..models import model_signature

        return model_signature(self.options, has_prefixes=prefixes is not None)

    def check_ready(self) -> None:
        """Raise without a model, or with an `NgramModel` that has learned nothing."""
        if isinstance(self.options.model, TextModel):
            self.options.model.statistics([])
        elif self.options.model is None and self.options.model_id is None:
            fail(ValueError, "model_id", "the name of a model, or `ngram_train` with texts to learn from", "None")

    def rows(self, corpus: Corpus, notes: Any) -> Rows:  # noqa: ARG002
        """Score texts."""
        return self.scored(corpus.hypotheses, None)

    def scored(self, column: Texts, prefixes: Any) -> Rows:
        """Score texts, which prefixes may precede."""
        if isinstance(self.options.model, TextModel):
            others = [name for name in changed(self.options) if name != "model"]
            if others or prefixes is not None:
                fail(ValueError, (others or ["prefixes"])[0], "its default with an NgramModel", "another value")
            return Rows(_LAYOUT, self.options.model.statistics(column))
        before = None if prefixes is None else text_column(prefixes, "prefixes")
        if before is not None and len(before) != len(column):
            fail(ValueError, "prefixes", f"as many as predictions ({len(column)})", str(len(before)))
        from ..models import text_statistics

        return Rows(_LAYOUT, text_statistics(column, self.options, before))

    def surprises(self, corpus: Corpus) -> list[list[tuple[int, int, float]]]:
        """Return start, end and surprise in bits of the tokens of every text."""
        if isinstance(self.options.model, TextModel):
            return self.options.model.surprises(corpus.hypotheses.tolist())
        from ..models import text_surprises

        return text_surprises(corpus.hypotheses, self.options)

    def settings(self) -> dict[str, Any]:
        """Return nothing: rows of any models may be added, and their signature says so."""
        return {}

    def signature_fields(self, reports: Any = None) -> dict[str, str]:  # noqa: ARG002
        """Return nothing about the options: what made the segments names its model."""
        return {"model": "var"}

    def formula(self, rows: Rows) -> dict[str, Any]:
        """Perplexity of pooled counts."""
        nll, n_tokens = rows["nll"], rows["n_tokens"]
        per_token = nats_per_unit(nll, n_tokens)
        with np.errstate(over="ignore"):
            perplexity = np.exp(per_token)
        return {"corpus_perplexity": perplexity, "nats_per_token": per_token, "nll": nll, "n_tokens": n_tokens}

    def result(self, accumulator: Any, reports: PerplexityReports) -> dict[str, Any]:  # noqa: ARG002
        """Return the figures of the corpus by key, and the perplexity of every segment if they are there."""
        statistics, pooled = (
            np.asarray(rows.values, np.float64) for rows in (accumulator.statistics, accumulator.total())
        )
        if pooled[1] == 0:
            where = (
                "" if accumulator.n_summed else f" in {in_number(len(statistics), f'{len(statistics)} segment[|s]')}"
            )
            fail(ValueError, "predictions", "at least one token to score", f"none{where}")
        result = plain_result(statistics, pooled, is_sum=accumulator.n_summed > 0)
        if accumulator.n_summed:
            del result["perplexities"], result["mean_perplexity"]
        return result

    def summary(self, result: Mapping[str, Any]) -> Summary:
        """Return the perplexity of all tokens, the mean over texts, and the bits as a table."""
        lines = [
            Line(label, (result[key],), key, is_headline=key == self.scores.headline, full=None)
            for key, label in _LABELS.items() if key in result
        ]  # fmt: skip
        return Summary(self.about.title, ("value",), lines, [quantity(result["n_tokens"], "token")])


class Perplexity(Accumulator, metric=PerplexityMetric):
    """Perplexity, batch by batch: an accumulator that stores four numbers per segment, never text.

    `statistics` has the fields ``nll``, in nats, ``n_tokens``, ``n_bytes`` and ``n_words``: float64; bytes
    and words are NaN for segments without text. The options are those of the language model
    of `update_texts`; `update` takes probabilities and needs no model.

    Parameters
    ----------
    {options}

    Notes
    -----
    {notes}

    Examples
    --------
    >>> first = Perplexity().update(probs=[[1/2, 1/4, 1/8]])
    >>> second = Perplexity().update(log_probs=[[-1.0, -3.0], [-2.0]], base=2)
    >>> (first + second).score()["perplexities"]
    [4.0, 4.0, 4.0]
    """

    metric: PerplexityMetric

    def _drawn_rows(self, rows: Counts) -> Counts:
        return resampled_segments(np.asarray(rows, np.float64))

    def _drawn_scores(self, sums: FloatArray) -> dict[str, FloatArray]:
        # Always finite, and exp is monotone, so that percentiles stay percentiles.
        return {"corpus_perplexity": self.metric.formula(Rows(self.metric.layout, sums))["nats_per_token"]}

    def _ends(self, percentiles: FloatArray) -> FloatArray:
        with np.errstate(over="ignore"):
            return np.exp(percentiles)

    def update(
        self,
        *,
        log_probs: Any = None,
        probs: Any = None,
        base: str | int = "e",
        texts: TextColumn | None = None,
    ) -> Perplexity:
        """Add segments; after an error the accumulator is unchanged.

        Parameters
        ----------
        log_probs : sequence of sequences of float
            The logarithms of the token probabilities of every segment, at most 0 each.
        probs : sequence of sequences of float
            The probabilities themselves, in (0, 1]; give one of the two.
        base : "e", 2 or 10
            The base of `log_probs`.
        texts : sequence of str, optional
            The texts of the segments, for bits per byte and per word. Words are separated by white
            space; bytes are those of UTF-8.
        """
        # Imported here: it loads Arrow, which takes 0.1 s.
        from ..text.vocabulary import text_sizes

        nll, offsets = negative_logs(log_probs, probs, base)
        n_tokens = np.diff(offsets)
        sums = np.bincount(np.repeat(np.arange(len(n_tokens)), n_tokens), nll, minlength=len(n_tokens))
        sizes = np.full((len(n_tokens), 2), np.nan)
        if texts is not None:
            sizes = text_sizes(text_column(texts, "texts"))
            if len(sizes) != len(n_tokens):
                fail(ValueError, "texts", f"as many as rows of probabilities ({len(n_tokens)})", str(len(sizes)))
        rows = Rows(self.metric.layout, np.column_stack((sums, n_tokens, sizes)))
        return add_rows(self, rows, {"model": "probabilities"})

    def update_texts(self, texts: TextColumn, *, prefixes: TextColumn | None = None, **options: Any) -> Perplexity:
        """Add texts scored by a model.

        Parameters
        ----------
        texts : sequence of str
        prefixes : sequence of str, optional
            A context before every text, whose tokens are not scored.
        **options
            Options of the class, which replace its own. `model` may be an `NgramModel`, which takes none
            of the other options.
        """
        refuse_unknown(options, [one.name for one in options_of(ModelOptions)], "a model")
        metric = PerplexityMetric(replace(self.options, **options)) if options else self.metric
        column = text_column(texts, "predictions")
        return add_rows(self, metric.scored(column, prefixes), metric.identity_with(prefixes))


def perplexity(
    predictions: TextColumn | None = None, *, log_probs: Any = None, probs: Any = None, base: str | int = "e",
    prefixes: TextColumn | None = None, texts: TextColumn | None = None, **options: Any,
) -> dict[str, Any]:  # fmt: skip
    """Return the perplexity of a corpus: `Perplexity` in one call.

    Parameters
    ----------
    predictions : sequence of str, optional
        The texts; optional with `log_probs` or `probs`. `texts` is another name for it.
    log_probs, probs, base
        Probabilities instead of a model: see `Perplexity.update`.
    prefixes : sequence of str, optional
        A context before every text, whose tokens are not scored.
    {options}

    Returns
    -------
    dict
        Python numbers by key: ``corpus_perplexity``, ``mean_perplexity``, ``perplexities`` (one per segment),
        ``nll`` (in nats), ``n_tokens``, ``bits_per_token``, ``bits_per_byte`` and ``bits_per_word``.

    Raises
    ------
    TypeError
        If an element is not text or not a number, or an option is unknown or of a wrong type; the message names it.
    ValueError
        If there is no token to score, a probability or option is out of range, or a text exceeds the context.
    ImportError
        If a language model is named and torch or transformers is missing.

    Notes
    -----
    {notes}

    Examples
    --------
    >>> perplexity(probs=[[1/2, 1/4, 1/8]])["corpus_perplexity"]
    4.0
    """
    if texts is not None:
        if predictions is not None:
            fail(ValueError, "texts", "None with predictions, which are the same", shown(texts))
        predictions = texts
    own = ("base", "log_probs", "predictions", "prefixes", "probs", "texts")
    call = call_of(Perplexity, "perplexity", options, own)
    accumulator: Any = call.empty.without_segments()
    if log_probs is None and probs is None and predictions is not None:
        if base != "e":
            fail(ValueError, "base", "'e' without log_probs", shown(base))
        accumulator.update_texts(predictions, prefixes=prefixes)
    else:
        others = {name: getattr(accumulator.options, name) for name in changed(accumulator.options)}
        for name, value in (others | ({} if prefixes is None else {"prefixes": prefixes})).items():
            fail(ValueError, name, "its default with log_probs or probs, which need no model", shown(value))
        accumulator.update(log_probs=log_probs, probs=probs, base=base, texts=predictions)
    return scored(accumulator, call.reports, call.bootstrap)


_OWN = [p for p in inspect.signature(perplexity).parameters.values() if p.kind is not p.VAR_KEYWORD]
documented(perplexity, perplexity.__doc__ or "", ModelOptions, PerplexityReports, first=_OWN)
_EXPLANATION: Explanation = Explanation(
    "Perplexity",
    "How surprised is a language model by a text?",
    (
        "The model gives every token a probability, given the tokens before it.",
        "Perplexity is exp of the mean negative log-probability of all tokens: the number of equally likely tokens "
        "that would surprise as much. It is at least 1; lower is better.",
    ),
    "Perplexities are comparable only under the same model and the same tokenizer.",
)


def _surprises_of(text: str, surprises: Sequence[tuple[int, int, float]], nll: float) -> tuple[str, ...]:
    """Return the tokens of a text with their bits; what is left of the sum is of those without a place in it."""
    listed = [f"{text[start:end] or '(end of the text)'} {bits:.1f}" for start, end, bits in surprises]
    rest = nll / math.log(2) - math.fsum(bits for *_, bits in surprises)
    return (*listed, *([f"(not in the text) {rest:.1f}"] if rest >= 0.05 else []))


def _steps_to(
    title: str, nll: float, n_tokens: float, score: float, surprises: tuple[str, ...] | None
) -> tuple[Step, ...]:
    """Return the calculation of a perplexity; `surprises` are the tokens with their bits, None for several texts."""
    steps = [] if surprises is None else [Step("surprise", examples=surprises, meaning=_BITS_MEANING)]
    bits = nll / math.log(2)
    mean = bits / n_tokens if n_tokens else math.nan
    return (
        *steps,
        Step(
            "sum",
            (f"{figure(bits)} bit{'' if bits == 1 else 's'}",),
            meaning=f"{figure(nll)} nats, which are bits × ln 2",
        ),
        Step("tokens", (figure(n_tokens),), meaning="those that the model scores, such as the end of the text, too"),
        Step("mean", (), f"{figure(bits)} / {figure(n_tokens)}", mean, meaning="bits per token"),
        Step(title, (), f"2^{figure(mean)}", score, meaning=_MEANING),
    )


_BITS_MEANING = (
    "bits of every token, −log2 of the probability that the model gave it: 1 bit is a toss of a coin, 10 bits one in "
    "a thousand"
)
_MEANING = "so many equally likely tokens would surprise as much: lower is better"
# A token is marked one level stronger from each of these bits of surprise on.
_BITS = (3, 6, 9, 12)
_LEGEND = tuple(Mark(level, False, f"{bits} bits of surprise or more") for level, bits in enumerate(_BITS, 1))


class PerplexityExplainer(Explainer, metric=PerplexityMetric):
    """Explains the scores of `PerplexityMetric`."""

    metric: PerplexityMetric

    def marks(self, key: str) -> Marks:  # noqa: ARG002
        """Mark tokens by their surprise in bits."""
        levels = tuple((float(bits), level) for level, bits in enumerate(_BITS, 1))
        verb = f"surprise by {_BITS[0]} bits or more"
        return Marks(self._align, levels, _BITS[0], _LEGEND, verb)

    def sizes(self, corpus: Corpus) -> tuple[IntArray, IntArray]:
        """Return the number of the model's tokens of every prediction; references have none."""
        return self.metric.rows(corpus, None)["n_tokens"], np.zeros(0, np.int64)

    def derivation(self, key: str, rows: Rows, segment: Corpus | None) -> Derivation:
        """Show the surprise of every token, their sum, and exp of their mean."""
        title, score = self.metric.about.explain(key).title, float(self.metric.formula(rows)[key])
        nll, listed = float(rows["nll"]), None
        if segment is not None:
            listed = _surprises_of(segment.hypotheses[0], self.metric.surprises(segment)[0], nll)
        return Derivation(title, _steps_to(title, nll, float(rows["n_tokens"]), score, listed))

    def _align(self, corpus: Corpus) -> list[Alignment]:
        """Return the surprising tokens as matches."""
        return [
            Alignment([Match(start, end, bits, False, False) for start, end, bits in tokens if bits >= _BITS[0]],
                      [], 0, is_alone=False)
            for tokens in self.metric.surprises(corpus)
        ]  # fmt: skip

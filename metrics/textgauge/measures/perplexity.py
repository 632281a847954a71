"""Perplexity of texts: from probabilities, from a language model, from an n-gram model."""

from __future__ import annotations

import abc
import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..arrays import FloatArray, IntArray
from ..checks import counted, fail, refuse_unknown, shown
from ..columns import Corpus, TextColumn, text_column
from ..models.options import ModelOptions, changed
from ..options import Option, Reports, documented, options_of
from ..plain import Texts
from ..resampling import BootstrapOptions
from ..scores.perplexity import perplexity_score
from .alignment import Alignment
from .derivation import Derivation
from .layout import Field, Layout, Rows
from .marks import Mark, Marks, Match
from .measure import Measure
from .metric import About
from .one_call import measure_and_reports
from .perplexity_result import corpus_interval, plain_result, steps_to, surprises_of
from .references import References
from .summary import Explanation, Line, Summary

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


# A token is marked one level stronger from each of these bits of surprise on.
_BITS = (3, 6, 9, 12)
_LEGEND = tuple(Mark(level, False, f"{bits} bits of surprise or more") for level, bits in enumerate(_BITS, 1))


class TextModel(abc.ABC):
    """A model that computes its own statistics of texts, such as `NgramModel`."""

    @abc.abstractmethod
    def statistics(self, texts: Any) -> FloatArray:
        """Return nll, tokens, bytes and words per text, see `Perplexity.statistics`."""

    @abc.abstractmethod
    def surprises(self, texts: Sequence[str]) -> list[list[tuple[int, int, float]]]:
        """Return start, end and surprise in bits of every token with a place; the end of a text is an empty one."""

    @property
    @abc.abstractmethod
    def signature(self) -> dict[str, str]:
        """The fields of a signature for the model."""


class Perplexity(Measure):
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

    name = "perplexity"
    options_type, reports_type = ModelOptions, PerplexityReports
    about = About(
        "Perplexity", lambda _: _EXPLANATION, scores={"perplexity": "corpus_perplexity"}, higher_is_better=False,
        perfect=None, largest=float("inf"), lists={"perplexities": "segment_perplexity"},
    )  # fmt: skip
    has_references = is_exact = False
    references = References("union")
    # Bytes and words are NaN where the texts are unknown; a token of probability 0 makes nll infinite.
    layout = Layout(
        [Field("nll", is_whole=False, is_finite=False), Field("n_tokens"),
         Field("n_bytes", is_whole=False, is_finite=False), Field("n_words", is_whole=False, is_finite=False)]
    )  # fmt: skip
    columns = (
        Option("prefixes", None, "A file with a context before each text: the model sees it, but it is not scored.",
               "words", (), True),
        Option("prefix_field", None, "Column of `prefixes`.", "text", (), True, none_means="prefix"),
    )  # fmt: skip
    options: ModelOptions

    def setup(self) -> None:
        """Start without a source of probabilities."""
        self._sources: frozenset[tuple[tuple[str, str], ...]] = frozenset()
        self.options = self.options.trained()

    @property
    def score_names(self) -> tuple[str, ...]:
        """The key of the score of the corpus."""
        return ("corpus_perplexity",)

    def without_segments(self) -> Perplexity:
        """Return an accumulator with the same options and no segments."""
        empty = super().without_segments()
        empty._sources = frozenset()
        return empty

    def update(  # type: ignore[override]
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
        # Imported here: they load Arrow, which takes 0.1 s to import.
        from ..text.vocabulary import text_sizes
        from .probabilities import negative_logs

        nll, offsets = negative_logs(log_probs, probs, base)
        n_tokens = np.diff(offsets)
        sums = np.bincount(np.repeat(np.arange(len(n_tokens)), n_tokens), nll, minlength=len(n_tokens))
        sizes = np.full((len(n_tokens), 2), np.nan)
        if texts is not None:
            sizes = text_sizes(text_column(texts, "texts"))
            if len(sizes) != len(n_tokens):
                fail(ValueError, "texts", f"as many as rows of probabilities ({len(n_tokens)})", str(len(sizes)))
        return self._add(np.column_stack((sums, n_tokens, sizes)), {"model": "probabilities"})

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
        chosen = replace(self.options, **options).trained() if options else self.options
        return self._add(*_model_statistics(text_column(texts, "predictions"), prefixes, chosen))

    def check_ready(self) -> None:
        """Raise without a model, or with an `NgramModel` that has learned nothing."""
        if isinstance(self.options.model, TextModel):
            self.options.model.statistics([])
        elif self.options.model is None and self.options.model_id is None:
            fail(ValueError, "model_id", "the name of a model, or `ngram_train` with texts to learn from", "None")

    def pairs(self, corpus: Corpus, notes: Any) -> Rows:  # noqa: ARG002
        """Score the predictions with the model; references are not used."""
        statistics, source = _model_statistics(corpus.hypotheses, None, self.options)
        self._sources |= {tuple(source.items())}
        return Rows(self.layout, statistics)

    def update_corpus(self, corpus: Corpus, *, keeps_segments: bool = True) -> Perplexity:  # noqa: ARG002
        """Add checked texts, which the model scores together."""
        if len(corpus):
            self._batches.append(self.pairs(corpus, None))
        return self

    def __add__(self, other: Perplexity) -> Perplexity:
        """Merge two sets of segments."""
        merged = super().__add__(other)
        merged._sources = self._sources | other._sources
        return merged

    def settings(self) -> dict[str, Any]:
        """Return nothing: the source of each segment names its model."""
        return {}

    def described(self) -> dict[str, str]:
        """Return the fields of the signature: the model and its input, "var" if segments differ in these."""
        return dict(*self._sources) if len(self._sources) == 1 else {"model": "var"}

    def stored_options(self) -> dict[str, str]:
        """Return nothing: the source of the segments is stored beside them."""
        return {}

    def origin(self) -> list[Any]:
        """Return the models that scored the segments."""
        return sorted(self._sources)

    def take_origin(self, origin: list[Any]) -> bool:
        """Set the result of `origin`; return whether it is valid."""
        self._sources = frozenset(tuple((key, value) for key, value in source) for source in origin)
        return all(isinstance(text, str) for source in self._sources for part in source for text in part)

    def total(self) -> Rows:
        """Return the sum of all rows."""
        return Rows(self.layout, self.statistics.values.sum(axis=0))

    def scores(self, rows: Rows) -> dict[str, Any]:
        """Perplexity of pooled counts."""
        return {"corpus_perplexity": perplexity_score(np.asarray(rows.values, np.float64)).perplexity}

    def _values(self, asked: PerplexityReports) -> dict[str, Any]:  # noqa: ARG002
        statistics, pooled = (np.asarray(rows.values, np.float64) for rows in (self.statistics, self.total()))
        if pooled[1] == 0:
            where = "" if self.n_summed else f" in {counted(len(self), 'segment')}"
            fail(ValueError, "predictions", "at least one token to score", f"none{where}")
        result = plain_result(statistics, pooled, is_sum=self.n_summed > 0)
        if self.n_summed:
            del result["perplexities"], result["mean_perplexity"]
        return result

    def score(self, **reports: Any) -> dict[str, Any]:
        """Return the figures of the corpus by key."""
        asked, bootstrap = self.read_reports(reports)
        result = self._values(asked)
        statistics = self.statistics
        if asked.per_segment:
            result["segment_nll"] = statistics["nll"].tolist()
            result["segment_n_tokens"] = statistics["n_tokens"].tolist()
        if asked.counts:
            result["counts"] = self.counts_of(self.total())
        if asked.signature:
            result["signature"] = self.signed(bootstrap)
        if bootstrap.confidence is not None:
            result["confidence_interval"] = [*self.interval(self.headline, bootstrap)]
        return result

    def counts_of(self, total: Rows) -> dict[str, Any]:
        """Return the negative log-likelihood in nats and the number of tokens."""
        return {"nll": float(total["nll"]), "n_tokens": int(total["n_tokens"])}

    def shown_segments(self) -> dict[str, FloatArray]:
        """Return the perplexity of every text; refuse infinite and undefined ones."""
        columns = self.segment_columns()
        wrong = np.flatnonzero(~np.isfinite(columns[self.headline]))
        if len(wrong):
            allowed = "a text with tokens, none of probability 0, where segments are shown"
            fail(ValueError, f"predictions[{wrong[0]}]", allowed, f"perplexity {columns[self.headline][wrong[0]]}")
        return columns

    def interval(self, key: str, bootstrap: BootstrapOptions) -> tuple[float, float]:  # noqa: ARG002
        """Return the bounds of the confidence interval of the perplexity of all tokens."""
        low, high = corpus_interval(np.asarray(self.statistics.values, np.float64), bootstrap)
        return low, high

    def sizes(self, corpus: Corpus) -> tuple[IntArray, IntArray]:  # noqa: ARG002
        """Return the number of the model's tokens of every prediction; references have none."""
        return self.statistics["n_tokens"], np.zeros(0, np.int64)

    def marks(self, key: str) -> Marks:  # noqa: ARG002
        """Mark tokens by their surprise in bits."""
        levels = tuple((float(bits), level) for level, bits in enumerate(_BITS, 1))
        verb = f"surprise by {_BITS[0]} bits or more"
        return Marks(self._align, levels, _BITS[0], _LEGEND, verb)

    def derivation(self, key: str, rows: Rows, segment: Corpus | None) -> Derivation:
        """Show the surprise of every token, their sum, their mean, and 2 to the power of it."""
        title, score = self.about.explain(key).title, float(self.scores(rows)[key])
        nll, listed = float(rows["nll"]), None
        if segment is not None:
            listed = surprises_of(segment.hypotheses[0], self._surprises(segment)[0], nll)
        return Derivation(title, steps_to(title, nll, float(rows["n_tokens"]), score, listed))

    def _surprises(self, corpus: Corpus) -> list[list[tuple[int, int, float]]]:
        if isinstance(self.options.model, TextModel):
            return self.options.model.surprises(corpus.hypotheses.tolist())
        from ..models import text_surprises

        return text_surprises(corpus.hypotheses, self.options)

    def _align(self, corpus: Corpus) -> list[Alignment]:
        """Return the surprising tokens as matches."""
        return [
            Alignment([Match(start, end, bits, False, False) for start, end, bits in tokens
                       if bits >= _BITS[0] and start < end], [], 0, is_alone=False)
            for tokens in self._surprises(corpus)
        ]  # fmt: skip

    def summary(self, result: Mapping[str, Any]) -> Summary:
        """Return the perplexity of all tokens, the mean over texts, and the bits as a table."""
        lines = [
            Line(label, (result[key],), key, is_headline=key == self.headline, full=None)
            for key, label in _LABELS.items() if key in result
        ]  # fmt: skip
        about = " ".join(f"{key} {value}" for key, value in list(self.described().items())[:1])
        return Summary(self.about.title, ("value",), lines, [f"{counted(result['n_tokens'], 'token')}, {about}"])

    def _add(self, statistics: FloatArray, source: dict[str, str]) -> Perplexity:
        if len(statistics):
            self._batches.append(Rows(self.layout, statistics))
            self._sources |= {tuple(source.items())}
        return self


def _model_statistics(column: Texts, prefixes: Any, options: ModelOptions) -> tuple[FloatArray, dict[str, str]]:
    if isinstance(options.model, TextModel):
        others = [name for name in changed(options) if name != "model"]
        if others or prefixes is not None:
            fail(ValueError, (others or ["prefixes"])[0], "its default with an NgramModel", "another value")
        return options.model.statistics(column), options.model.signature
    before = None if prefixes is None else text_column(prefixes, "prefixes")
    if before is not None and len(before) != len(column):
        fail(ValueError, "prefixes", f"as many as predictions ({len(column)})", str(len(before)))
    from ..models import model_signature, text_statistics

    statistics = text_statistics(column, options, before)
    return statistics, model_signature(options, has_prefixes=before is not None)


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
    own = {"predictions", "log_probs", "probs", "base", "prefixes", "texts"}
    refuse_unknown(options, [*sorted(own), *Perplexity.option_names()], "perplexity")
    measure, reports = measure_and_reports(Perplexity, options, "perplexity")
    measure.read_reports(reports)
    if log_probs is None and probs is None and predictions is not None:
        if base != "e":
            fail(ValueError, "base", "'e' without log_probs", shown(base))
        measure.update_texts(predictions, prefixes=prefixes)
    else:
        others = changed(measure.options) + (["prefixes"] if prefixes is not None else [])
        if others:
            fail(ValueError, others[0], "its default with log_probs or probs, which need no model", "another value")
        measure.update(log_probs=log_probs, probs=probs, base=base, texts=predictions)
    return measure.score(**reports)


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

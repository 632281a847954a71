"""COMET: a model that learned from human judgements scores translations, with their sources and references."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from ..accumulation.accumulator import accumulator_of, rows_of, with_metric
from ..accumulation.functions import one_call
from ..all_pairs.counts import PairRows
from ..arrays import FloatArray
from ..checks import fail, in_number
from ..explanation.alignment import Alignment, Match
from ..explanation.derivation import Derivation, Step
from ..explanation.explainer import Explainer
from ..explanation.marks import Mark, Marks
from ..input.columns import Corpus, known_texts, without_references
from ..input.documents import OF_ROWS, InDocuments, in_context
from ..metric import About, CountedNote, Explanation, Field, Layout, Note, Notes, Rows, Score, Scores, Sums
from ..models.options import LearnedOptions
from ..models.spans import COSTS
from ..options import option
from ..plain import Texts
from .learned import EmptyPredictions, LearnedMetric, LongInputs, ModelOutput

if TYPE_CHECKING:
    from ..all_pairs.counts import Roles
    from ..models.comet import Embedded, RegressionMetric, Regressor
    from ..models.learned import ModelFamily

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
class CometOptions(LearnedOptions):
    """The model says which texts it needs.

    wmt22-comet-da needs sources and references, wmt22-cometkiwi-da sources alone, XCOMET sources, references or both.
    With several references a segment has the score of its best one.

    Scores are on the model's own scale, which has no fixed ends; the score of a corpus is the mean. Only scores of the
    same model, checkpoint and precision are comparable.

    Checkpoints are read as plain tensors and values: nothing that they contain is run. Of the encoder that a checkpoint
    names, the configuration and the tokenizer are loaded, not the weights. A text is cut at the limit of the encoder,
    usually 510 tokens; one warning counts such texts.

    A batch fills at most a quarter of the free memory of an accelerator, and has at most 65,536 tokens there and 640
    on a processor, of texts of one length; `batch_size` lowers that to 32 x `batch_size` tokens. Out of memory halves
    the batches, with one warning. Every distinct text, or segment of a model that reads its texts as one, is encoded
    once; the vectors of the texts that were encoded last, 64 MB at most, stay in memory for further calls. What stands
    beside a text in its batch moves a score by 1e-6 at most on a processor, by 1e-5 on an accelerator, and a vector
    that is remembered is the one computed first.

    References: Rei et al. (2020), COMET: A Neural Framework for MT Evaluation; Rei et al. (2022), COMET-22;
    Guerreiro et al. (2024), xCOMET.
    """

    model_id: str | os.PathLike[str] = option(
        "Unbabel/wmt22-comet-da", "A COMET model on the Hub, or the path of a folder with the same files.",
        kind="model", on_page=True,
    )  # fmt: skip
    encoder: str | os.PathLike[str] | None = option(
        None, "Where the configuration and the tokenizer of the encoder are, on the Hub or in a folder.", kind="model",
        none_means="under the name in the checkpoint",
    )  # fmt: skip
    dtype: Literal["float32", "bfloat16", "float16"] = option("float32", "Number type that the encoder computes with.")
    spans: bool = option(
        False, "Add `error_spans`, a list per segment: what a model that marks errors, such as XCOMET, found wrong.",
        changes="result",
    )  # fmt: skip
    enable_context: bool = option(
        False, "Score the last sentence of each text alone; those before it, with </s> between, are its context."
    )

    context_from: Sequence[str] | None = option(
        None, "The document of every segment: its last sentences before a text become the context of the text.",
        kind="texts", changes="options", none_means="texts bring their context",
    )  # fmt: skip
    context_size: int = option(2, "Most sentences before a text that `context_from` gives it.", at_least=1)

    def check(self) -> None:
        """Check options against each other; documents imply that texts have a context."""
        super().check()
        if self.context_from is not None:
            object.__setattr__(self, "enable_context", True)
        elif self.enable_context:
            self.refuse_size()

    def refuse_size(self) -> None:
        """Refuse a number of sentences where no documents give any."""
        if self.context_from is None and self.context_size != 2:
            fail(ValueError, "context_size", "2 without documents, such as `context_from`", str(self.context_size))

    def loading(self) -> dict[str, Any]:
        """Leave out what changes no weight: the model stays loaded."""
        return {name: value for name, value in super().loading().items() if "context" not in name}


class CometMetric(LearnedMetric["Regressor"]):
    """COMET (Rei et al. 2020, 2022; Guerreiro et al. 2024).

    `statistics` has the field ``comet``: float64, on the model's own scale.
    """

    name = "comet"
    options_type = CometOptions
    about = About(
        "COMET", lambda _: _EXPLANATION,
        returns="``comet``; with `spans` also ``error_spans``, for every segment a list of dicts with ``text``, "
        "``start`` and ``end`` (characters of the prediction), ``severity`` and ``confidence``",
    )  # fmt: skip
    scores = Scores(Score("comet", perfect=None, largest=float("inf")))

    layout = Layout([Field("comet", is_whole=False)])
    inputs = replace(LearnedMetric.inputs, context="context_from")
    options: CometOptions

    def prepare(self) -> None:
        """Say that error spans need all segments."""
        super().prepare()
        if self.options.spans:
            self.sums = Sums("whole", ("spans", "False where segments are added up", "True"), mixes=True)
        if self.options.context_from is OF_ROWS:
            self.inputs = replace(self.inputs, n_before=self.options.context_size)
        elif self.options.context_from is not None:
            allowed = "None where segments come batch by batch (score_dataset takes a column, context_column)"
            self.sums = Sums("whole", ("context_from", allowed, "documents"), mixes=True)

    @property
    def identity(self) -> Mapping[str, str]:  # type: ignore[override]
        """Which model, and how many sentences of context a text has that does not bring its own."""
        context = {} if self.options.context_from is None else {"context": str(self.options.context_size)}
        return {**super().identity, **context}

    @staticmethod
    def family() -> ModelFamily[Regressor]:
        """Return the models of COMET."""
        from ..models.comet import COMET

        return COMET

    def model(self) -> Regressor:
        """Return the loaded model, in the form for texts in context if that is asked for."""
        model = super().model()
        return model.without_context() if self.options.enable_context else model

    def notes(self) -> Notes:
        """Return a collector of reasons to warn."""
        if self.options.enable_context:
            of_sentences = map(_OfSentences, (EmptyPredictions("COMET"), _Copies()))
            # Of rows that come in batches, one batch may have no context.
            without = [] if self.options.context_from is OF_ROWS else [_NoContext()]
            return Notes(*of_sentences, _LongContexts(), *without, _SpecialTokens())
        return Notes(EmptyPredictions("COMET"), _Copies(), LongInputs(), _SpecialTokens())

    def all_pairs(self, texts: Texts, roles: Roles, notes: Any) -> Any:
        """Embed texts and sources, each once; None for a model that reads the texts of a segment as one."""
        from ..models.comet import RegressionMetric

        model = self.model()
        self.options.refuse_size()
        if self.options.context_from is not None:
            fail(ValueError, "context_from", "None for all pairs of texts, which have no order", "documents")
        if roles.weights is not None or roles.sources is None or not isinstance(model, RegressionMetric):
            return None
        embedded = model.embedded([*texts.tolist(), *roles.sources.tolist()], self.options.batch_size)
        # The notes of `rows` look at predictions, sources and what was cut.
        n_predictions = len(roles.sources)
        corpus = without_references(texts.slice(0, n_predictions), roles.sources)
        notes.examine(corpus, ModelOutput(embedded, model))
        return _EmbeddedTranslations(model, embedded, len(texts))

    def rows(self, corpus: Corpus, notes: Any) -> Rows:
        """Score the pairs; error spans stand beside the rows."""
        self.options.refuse_size()
        model = self.model()
        if self.options.spans and not model.marks_errors:
            fail(ValueError, "spans", f"False, since {model.name} marks no errors", "True")
        scored: Any = self.scored(self._in_context(corpus), notes)
        return Rows(self.layout, scored.scores[:, None], extras=scored.spans if self.options.spans else None)

    def _in_context(self, corpus: Corpus) -> Corpus:
        """Return the texts behind the last sentences before them in their documents, if these are given."""
        given: Any = self.options.context_from
        if given is None:
            return corpus
        size, separator = self.options.context_size, f" {self.model().separator} "
        if isinstance(corpus, InDocuments):
            return corpus.in_context(size, separator)
        documents = [*getattr(given, "tolist", lambda: given)()]
        if len(documents) != len(corpus):
            allowed = f"the document of each of the {len(corpus)} segments, which are scored together"
            fail(ValueError, "context_from", allowed, in_number(len(documents), f"{len(documents)} document[|s]"))
        return in_context(corpus, documents, size, separator)

    def result(self, accumulator: Any, reports: Any) -> dict[str, Any]:
        """Return the mean score, and the error spans if they were asked for."""
        result = super().result(accumulator, reports)
        if not self.options.spans:
            return result
        spans = accumulator.statistics.extras
        if spans is None:
            fail(ValueError, "spans", "False for stored scores, which have no error spans", "True")
        return {**result, "error_spans": spans}


class _EmbeddedTranslations(NamedTuple):
    """Texts and what they translate, embedded once, with the methods of `PairCounts`."""

    model: RegressionMetric
    embedded: Embedded
    n_texts: int

    def block(self, predictions: slice, references: slice) -> _TranslationBlock:
        return _TranslationBlock(self, predictions, references)

    def scores(self, predictions: slice, references: slice) -> FloatArray:
        texts, sources = np.split(self.embedded.places, [self.n_texts])
        return self.model.crossed(self.embedded.vectors, texts[predictions], sources[predictions], texts[references])


class _TranslationBlock(NamedTuple):
    embedded_texts: _EmbeddedTranslations
    predictions: slice
    references: slice

    def rows(self, layout: Layout) -> PairRows:
        return PairRows(layout, {"comet": self.embedded_texts.scores(self.predictions, self.references)})

    def swapped(self, layout: Layout) -> PairRows:
        """No score follows from that of the pair the other way round: only the vectors are the same."""
        return PairRows(layout, {"comet": self.embedded_texts.scores(self.references, self.predictions)})


class _Copies(CountedNote):
    about = "copies"

    def examine(self, corpus: Corpus, tokens: Any) -> None:  # noqa: ARG002
        if corpus.sources is None:
            return
        sides = (corpus.hypotheses.tolist(), corpus.sources.tolist())
        found = sum(own == source and own.strip() != "" for own, source in zip(*sides, strict=True))
        text = "[prediction equals its source|predictions equal their sources]: untranslated text may score high."
        self.tell(found, text)


class _OfSentences(Note):
    """A note on the last sentences of texts in context."""

    def __init__(self, note: Note) -> None:
        self._note, self.about = note, note.about

    def examine(self, corpus: Corpus, tokens: Any) -> None:
        separator = tokens.model.separator
        self._note.examine(
            corpus.rewritten(lambda texts: known_texts([text.rpartition(separator)[2] for text in texts.tolist()])),
            tokens,
        )

    def told(self) -> Iterable[Any]:
        return self._note.told()


class _LongContexts(CountedNote):
    about = "length"

    def examine(self, corpus: Corpus, tokens: Any) -> None:  # noqa: ARG002
        model = tokens.model
        about = (
            f"[text is|texts are] longer with [its|their] context than the {model.limit} tokens that {model.name} takes"
        )
        self.tell(
            tokens.scored.n_cut,
            f"{about}: the end was cut, and with it the sentence itself; give fewer sentences before.",
        )


class _NoContext(Note):
    about = "context"

    def examine(self, corpus: Corpus, tokens: Any) -> None:
        separator = tokens.model.separator
        # The first sentence of a document has none.
        if len(corpus) > 1 and not any(separator in text for text in corpus.hypotheses.tolist()):
            self.warning = (
                f"enable_context=True changes nothing: no prediction has a context before it, with {separator} between."
            )


class _SpecialTokens(CountedNote):
    about = "special"

    def examine(self, corpus: Corpus, tokens: Any) -> None:  # noqa: ARG002
        text = "[text names|texts name] special tokens such as </s>, which the model does not take for text."
        self.tell(tokens.scored.n_special, text)


Comet = accumulator_of(CometMetric)
comet = one_call(
    Comet,
    """\
>>> comet(["the cat"], ["a cat"], sources=["le chat"], dtype="int8")
Traceback (most recent call last):
    ...
ValueError: dtype: expected one of 'float32', 'bfloat16', 'float16', got 'int8' (str)""",
)


# A token in an error span is marked by its severity.
_LEVELS = tuple((float(cost), level) for level, cost in enumerate(COSTS.values(), 1))
_BRACKETS = ("{}", "[]", "<>")
_LEGEND = tuple(
    Mark(level, False, f"{severity} error", brackets)
    for level, (severity, brackets) in enumerate(zip(COSTS, _BRACKETS, strict=True), 1)
)


class CometExplainer(Explainer, metric=CometMetric):
    """Explains the scores of `CometMetric`."""

    metric: CometMetric

    def marks(self, key: str) -> Marks:  # noqa: ARG002
        """Mark the error spans of models that find any."""
        if not self.metric.model().marks_errors:
            return Marks(self._align, _LEVELS, _LEVELS[0][0], (), "")
        return Marks(self._align, _LEVELS, _LEVELS[0][0], _LEGEND, "are in an error span", are_errors=True)

    def derivation(self, key: str, rows: Rows, segment: Corpus | None) -> Derivation:  # noqa: ARG002
        """Say what the model makes of a segment: a network has no steps that could be shown."""
        title, score = self.metric.about.explain(key).title, float(self.metric.formula(rows)[key])
        columns = {} if segment is None else {"source": segment.sources, "reference": segment.references}
        sides = ["prediction", *(name for name, texts in columns.items() if texts is not None and len(texts))]
        read = " and ".join(", ".join(sides).rsplit(", ", 1))
        model = self.metric.model().name
        return Derivation(
            title,
            (
                Step("vectors", (f"of {read}",), meaning=f"what the encoder of {model} makes of them"),
                Step(title, value=score, meaning="what its last layers estimate from these vectors"),
            ),
        )

    def _align(self, corpus: Corpus) -> list[Alignment]:
        spans: Sequence[Any] = [[]] * len(corpus)
        if self.metric.model().marks_errors:
            marking = CometMetric(replace(self.metric.options, spans=True))
            [rows] = rows_of(with_metric(accumulator_of(CometMetric)(), marking), corpus, Notes())
            spans = rows.extras or spans
        return [
            Alignment(
                [
                    Match(one["start"], one["end"], COSTS.get(one["severity"], 1), False, False)
                    for one in found if one["start"] < one["end"]
                ],
                [[] for _ in range(n_references)], 0, is_alone=False,
            )
            for found, n_references in zip(spans, np.diff(corpus.reference_offsets), strict=True)
        ]  # fmt: skip

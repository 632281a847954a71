"""BERTScore: greedy matching of contextual embeddings."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..arrays import FloatArray, IntArray
from ..checks import CountWarning, fail
from ..columns import Corpus, text_column
from ..plain import Texts
from ..scores.ratios import ratio
from ..signatures import yes_no
from ..text import NOWHERE
from .alignment import Alignment, pairs_of
from .bertscore_derivation import bertscore_derivation
from .bertscore_options import BertScoreOptions, dense
from .crossing import CrossedRows
from .derivation import Derivation
from .layout import Field, Layout, Rows
from .marks import Mark, Marks, Match
from .measure import Measure
from .metric import About
from .one_call import one_call
from .references import best_pairs
from .summary import Explanation, Line, Summary
from .warnings import Note, Notes

if TYPE_CHECKING:
    from ..models.encoder import Encoder
    from ..models.matching import Matcher
    from .crossing import Sides

_LABELS = {"precision": "precision", "recall": "recall", "f1": "F1"}
# Texts that are cut at once where only their tokens count.
_N_TEXTS = 1000
# Options that change the speed alone.
_OF_SPEED = ("device", "device_map", "batch_size", "verbose")
# A token is marked one level stronger from each of these similarities on.
_COUNTED = 0.7
_LEVELS = ((float("-inf"), 1), (0.5, 2), (_COUNTED, 3), (0.85, 4))
_LEGEND = (
    Mark(1, False, "best match below 0.5: weak", ""), Mark(2, False, "best match from 0.5", ""),
    Mark(3, False, "best match from 0.7"), Mark(4, False, "best match from 0.85"),
)  # fmt: skip
_VERB = "have a match of similarity 0.7 or more"


class BertScore(Measure):
    """BERTScore, batch by batch: an accumulator that stores three numbers per segment, never text.

    `statistics` has the fields ``precision``, ``recall`` and ``f1``: float64, rescaled if that is asked for. With
    ``idf=True`` all segments are added in one call, whose references count.

    Parameters
    ----------
    {options}

    Notes
    -----
    {notes}
    """

    name = "bertscore"
    options_type = BertScoreOptions
    about = About(
        "BERTScore", lambda key: _EXPLANATIONS[key if key in _LABELS else "f1"],
        returns="``precision``, ``recall`` and ``f1``, means over segments",
        scores={"bertscore": "f1"},
    )  # fmt: skip
    average = needs_all = True
    # As in bert-score each part has its own best reference.
    layout = Layout([Field(name, is_whole=False, over="max") for name in _LABELS])
    options: BertScoreOptions

    def setup(self) -> None:
        """Start without weights, which need the tokenizer of the model."""
        self._weights: FloatArray | None = None

    @property
    def score_names(self) -> tuple[str, ...]:
        """The keys of the result."""
        return tuple(_LABELS)

    def check_ready(self) -> None:
        """Raise without a model."""
        if not self.options.has_model:
            fail(ValueError, "model_id", self.options.sources, "None")

    def encoder(self) -> Encoder:
        """Return the loaded model as an encoder."""
        self.check_ready()
        from ..models.encoder import Encoder
        from ..models.loading import load

        layer = self.options.num_layers or 0
        return Encoder(load(self.options), layer, is_spaced=not self.options.use_fast_tokenizer)

    def prepare(self, corpus: Corpus) -> None:
        """Count in how many references of a call each token is."""
        if self.options.idf is not True:
            return
        weights = _idf(self.encoder(), corpus.references)
        if self._batches and self._weights is not None and not np.array_equal(weights, self._weights):
            allowed = "texts or a table where segments are added in several calls: `idf=True` counts in all references"
            fail(ValueError, "idf", allowed, "True")
        self._weights = weights

    def _weights_of(self, encoder: Encoder, corpus: Corpus) -> FloatArray:
        """Return the weight of every token: float64, shape (n_words,)."""
        idf = self.options.idf
        if self._weights is not None and len(self._weights) == encoder.n_words:
            return self._weights
        if idf is False:
            self._weights = np.ones(encoder.n_words)
            self._weights[[*encoder.special]] = 0
        elif isinstance(idf, Mapping):
            self._weights = dense(idf, encoder.n_words)
        else:
            self._weights = _idf(encoder, corpus.references if idf is True else text_column(idf, "idf"))
        return self._weights

    def check_sums(self, asked: Any = None) -> None:
        """Refuse idf of the references where they are not in one call."""
        if asked is not None and self.options.idf is True:
            allowed = "texts or a table where rows come batch by batch: `idf=True` counts in all references"
            fail(ValueError, "idf", allowed, "True")

    def notes(self) -> Notes:
        """Return a collector of truncated texts."""
        return Notes(_LongTexts())

    def pairs(self, corpus: Corpus, notes: Any) -> Rows:
        """Match the embeddings of every pair."""
        encoder = self.encoder()
        from ..models.matching import Matcher
        from ..models.progress import bar_of

        matcher = Matcher(encoder, self._weights_of(encoder, corpus), self.options.batch_size)
        with bar_of(len(corpus), self.name, 0 if self.options.verbose else None) as bar:
            scores = matcher.scores(corpus, bar)
        wrong = np.flatnonzero(~np.isfinite(scores).all(axis=1))
        if len(wrong):
            segment = int(np.searchsorted(corpus.reference_offsets, wrong[0], side="right")) - 1
            allowed = "finite embeddings from the model (dtype float32 or bfloat16 may help)"
            fail(ValueError, f"predictions[{corpus.first + segment}]", allowed, "NaN or infinity")
        notes.look(corpus, matcher)
        return self.layout.filled(len(scores), **self.parts_of(scores))

    def crossing(self, texts: Texts, sides: Sides, notes: Any) -> Any:
        """Embed texts, each once; None for what sums up references, which have no common embedding."""
        if sides.weights is not None:
            return None
        if self.options.idf is True:
            fail(ValueError, "idf", "texts or a table where all texts are compared with all", "True")
        from ..models.loading import one_thread
        from ..models.matching import Matcher

        # Their own weights come from the tokenizer, so any corpus will do.
        corpus = Corpus(texts, texts, np.arange(len(texts) + 1))
        with one_thread():
            encoder = self.encoder()
            matcher = Matcher(encoder, self._weights_of(encoder, corpus), self.options.batch_size)
            numbers = matcher.hold(texts.tolist())
        notes.look(corpus, matcher)
        return _Crossed(self, matcher, numbers)

    def parts_of(self, scores: FloatArray) -> dict[str, FloatArray]:
        """Return precision, recall and F1 by key, rescaled if asked for, of scores with a last axis of length 2."""
        precision, recall = scores[..., 0], scores[..., 1]
        parts = dict(zip(_LABELS, (precision, recall, ratio(2 * precision * recall, precision + recall)), strict=True))
        baseline = self.options.baseline()
        if baseline is None:
            return parts
        return {name: (part - low) / (1 - low) for (name, part), low in zip(parts.items(), baseline, strict=True)}

    def scores(self, rows: Rows) -> dict[str, Any]:
        """Precision, recall and F1."""
        return {name: np.asarray(rows[name]) for name in _LABELS}

    def settings(self) -> dict[str, Any]:
        """Return every option that determines the scores, and the references that weights come from."""
        chosen = {name: value for name, value in self.options.chosen().items() if name not in _OF_SPEED}
        if not isinstance(self.options.idf, bool) or (self.options.idf and self._batches):
            chosen["idf"] = self._idf_name()
        return chosen

    def described(self) -> dict[str, str]:
        """Return the fields of the signature: what the hash of bert-score says, and more."""
        options = self.options
        rescale = "custom" if options.baseline_path is not None else options.lang or "yes"
        dtype = options.dtype or (options.model_kwargs or {}).get("dtype")
        return {
            "model": options.model_name if options.has_model else "none",
            "layer": str(options.num_layers),
            "idf": self._idf_name(),
            "rescale": rescale if options.rescale_with_baseline else "no",
            **({"fast": yes_no(True)} if options.use_fast_tokenizer else {}),
            **({"dtype": str(dtype)} if dtype is not None else {}),
            "hf": _hugging_face(),
        }

    def stored_options(self) -> dict[str, str]:
        """Return the description but for the version of transformers, and of references that are not stored."""
        stored = {name: value for name, value in self.described().items() if name != "hf"}
        return stored | ({"idf": "refs"} if self.options.idf is True else {})

    def hashcode(self) -> str:
        """Return the settings in the form of bert-score's hash code."""
        from ..version import __version__

        options = self.options
        idf = "no-idf" if options.idf is False else "idf"
        code = f"{options.model_name}_L{options.num_layers}_{idf}_version=textgauge-{__version__}"
        code += f"(hug_trans={_hugging_face()})"
        if options.rescale_with_baseline:
            code += "-rescaled" if options.baseline_path is None else "-custom-rescaled"
        return code + "_fast-tokenizer" * options.use_fast_tokenizer

    def _idf_name(self) -> str:
        idf = self.options.idf
        if idf is False:
            return "no"
        if isinstance(idf, Mapping):
            return f"table-{zlib.crc32(repr(sorted(idf.items())).encode()):08x}"
        if idf is not True:
            return f"texts-{zlib.crc32(repr(text_column(idf, 'idf').tolist()).encode()):08x}"
        return "refs" if self._weights is None else f"refs-{zlib.crc32(self._weights.tobytes()):08x}"

    def sizes(self, corpus: Corpus) -> tuple[IntArray, IntArray]:
        """Return the number of the model's tokens of every text."""
        encoder = self.encoder()
        sides = (_cut(encoder, side) for side in (corpus.hypotheses, corpus.references))
        hypotheses, references = (np.array([len(row) - encoder.n_empty for row in side]) for side in sides)
        return hypotheses, references

    def derivation(self, key: str, rows: Rows, segment: Corpus | None) -> Derivation:
        """Show every token with its best match, whose similarities precision and recall are the means of."""
        return bertscore_derivation(self, key, rows, segment)

    def marks(self, key: str) -> Marks:
        """Mark all tokens by the similarity of their best matches, to which they are joined."""
        return Marks(lambda corpus: self._aligned(corpus, key), _LEVELS, _COUNTED, _LEGEND, _VERB)

    def _aligned(self, corpus: Corpus, key: str) -> list[Alignment]:
        """Join every token with its best match."""
        encoder = self.encoder()
        from ..models.matching import Matcher
        from ..models.progress import bar_of

        matcher = Matcher(encoder, self._weights_of(encoder, corpus), self.options.batch_size)
        with bar_of(len(corpus), self.name) as bar:
            every = matcher.best(corpus, bar)
        hypotheses, references = (_Placed(encoder, side.tolist()) for side in (corpus.hypotheses, corpus.references))
        baseline = self.options.baseline()
        low = np.zeros(3) if baseline is None else baseline
        offsets = corpus.reference_offsets
        chosen = offsets[:-1] if len(every) == len(corpus) else self.best_pairs(pairs_of(corpus), offsets, key)
        alignments = []
        for segment, (first, last) in enumerate(pairwise(offsets.tolist())):
            best, own = int(chosen[segment]), hypotheses[segment]
            others = [references[row] for row in range(first, last)]
            sides = [
                ([], [])
                if one is None
                else (_joined(own, other, one[:2], low[0]), _joined(other, own, one[2:], low[1]))
                for one, other in zip(every[first:last], others, strict=True)
            ]
            alignments.append(Alignment(sides[best - first][0], [matches for _, matches in sides], best - first))
        return alignments

    def best_pairs(self, pairs: Corpus, offsets: IntArray, key: str) -> IntArray:
        """Return the pair with the best part `key` of every segment."""
        return best_pairs(self.pairs(pairs, self.notes()), offsets, lambda rows: np.asarray(rows[key]))[:, 0]

    def summary(self, result: Mapping[str, Any]) -> Summary:
        """Return precision, recall and F1 as a table."""
        full = None if self.options.rescale_with_baseline else self.scale
        lines = [
            Line(label, (result[key],), key, is_headline=key == "f1", full=full)
            for key, label in _LABELS.items() if key in result
        ]  # fmt: skip
        about = " ".join(f"{key} {value}" for key, value in [*self.described().items()][:4])
        return Summary(self.about.title, ("score",), lines, [about])


class _Crossed:
    """The scores of texts that are embedded once, with the methods of `Crossing`: both sides of a pair in one go."""

    def __init__(self, measure: BertScore, matcher: Matcher, numbers: IntArray) -> None:
        self._measure, self._matcher, self._numbers = measure, matcher, numbers

    def block(self, predictions: slice, references: slice) -> _CrossedBlock:
        from ..models.loading import one_thread

        with one_thread():
            scores = self._matcher.block(self._numbers[predictions], self._numbers[references])
        return _CrossedBlock(self._measure, scores)


class _CrossedBlock(NamedTuple):
    measure: BertScore
    scores: FloatArray

    def rows(self, layout: Layout) -> CrossedRows:
        return CrossedRows(layout, self.measure.parts_of(self.scores))

    def swapped(self, layout: Layout) -> CrossedRows:
        """Precision is the recall of the pair the other way round."""
        return CrossedRows(layout, self.measure.parts_of(np.swapaxes(self.scores, 0, 1)[..., ::-1]))


class _Placed:
    """Texts with the ids and the characters of their tokens."""

    def __init__(self, encoder: Encoder, texts: list[str]) -> None:
        self._special, self._ids, self._places = encoder.special, encoder.cut(texts).ids, encoder.places(texts)

    def __getitem__(self, text: int) -> list[tuple[int, int] | None]:
        """Return the characters of every token, None for one without, or one that weighs nothing."""
        rows = zip(self._ids[text].tolist(), self._places[text], strict=True)
        return [None if place == NOWHERE or token in self._special else place for token, place in rows]


def _joined(
    places: list[tuple[int, int] | None], others: list[tuple[int, int] | None], best: Any, baseline: float
) -> list[Match]:
    """Return the tokens of a text as matches; of the tokens of one character, only the first."""
    similarities, partners = best
    found: list[Match] = []
    for place, similarity, partner in zip(places, similarities.tolist(), partners.tolist(), strict=True):
        if place is not None and not (found and place[0] < found[-1].end):
            weight = float((similarity - baseline) / (1 - baseline))
            found.append(Match(*place, weight, joins=False, is_common=False, partner=others[partner]))
    return found


def _hugging_face() -> str:
    try:
        return version("transformers")
    except PackageNotFoundError:
        return "none"


def _cut(encoder: Encoder, texts: Texts) -> list[Any]:
    rows = (texts.slice(at, min(at + _N_TEXTS, len(texts))) for at in range(0, len(texts), _N_TEXTS))
    return [ids for part in rows for ids in encoder.cut(part.tolist()).ids]


def _idf(encoder: Encoder, texts: Texts) -> FloatArray:
    """Return the inverse document frequency of every token: float64, shape (n_words,)."""
    found = np.zeros(encoder.n_words, np.int64)
    for at in range(0, len(texts), _N_TEXTS):
        found += encoder.frequencies(texts.slice(at, min(at + _N_TEXTS, len(texts))).tolist())
    return np.asarray(np.log((len(texts) + 1) / (found + 1)))


class _LongTexts(Note):
    """Counts texts that were truncated."""

    about = "length"
    _count = 0

    def look(self, corpus: Corpus, tokens: Any) -> None:  # noqa: ARG002
        """Add those of a matcher."""
        self._count += tokens.n_long
        if self._count:
            encoder = tokens.encoder
            limit = f"the {encoder.limit} tokens that {encoder.name} takes"
            about = f"[text is|texts are] longer than {limit}, and [was|were] truncated."
            self.advice = CountWarning(self._count, about)


_CAUTION = (
    "Unrelated texts score far above 0, and opposites such as yes and no close to 1. Scores are comparable only "
    "under the same model and layer."
)
_MATCHING = (
    "A model gives every token a vector that depends on the text around it.",
    "Every token is matched with the most similar token of the other text, whatever others match with; similarity "
    "is the cosine of the two vectors.",
)
_EXPLANATIONS: dict[str, Explanation] = {
    key: Explanation(f"BERTScore {label}", question, (*_MATCHING, step), _CAUTION)
    for key, label, question, step in (
        ("precision", "precision", "How much of the prediction means something that a reference means?",
         "Precision is the mean similarity of the prediction's tokens; the score is the mean over segments."),
        ("recall", "recall", "How much of the reference's meaning does the prediction have?",
         "Recall is the mean similarity of the reference's tokens; the score is the mean over segments."),
        ("f1", "F1", "How close are prediction and reference in meaning, token by token?",
         "Precision is the mean similarity of the prediction's tokens, recall that of the reference's, F1 their "
         "harmonic mean; the score is the mean over segments."),
    )
}  # fmt: skip
bertscore = one_call(
    BertScore,
    """\
>>> bertscore(["the cat sat"], ["a cat sat"])
Traceback (most recent call last):
    ...
ValueError: model_id: expected a model name or path, or `lang` (or `model`), got None""",
)

"""MAUVE: how far apart two samples of texts are, such as those of a model and of people."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..accumulation.accumulator import Accumulator, add_rows, replace_rows, scored
from ..accumulation.functions import call_of
from ..accumulation.storage import Stored
from ..arrays import FloatArray, IntArray
from ..checks import CountWarning, fail, has_elements, quantity, shown, warn_user
from ..input.columns import Corpus, TextColumn, samples_of, text_column
from ..metric import About, Explanation, Field, Inputs, Layout, Metric, Rows, Score, Scores, Sums
from ..models.buckets import Clustering, in_buckets, packages, versions
from ..models.options import LoadingOptions, shows_bar, tokens_at_once
from ..options import Reports, documented, fixed, option, options_of
from ..signatures import fields_of, signature

# The model of the paper.
MODEL = "openai-community/gpt2-large"
# From so many texts of a side on the score is hardly moved by their number.
FEW_TEXTS = 500
# Mean lengths of the two sides that differ by more than this factor, and a larger share of empty texts, are told.
LENGTHS, EMPTY = 1.2, 0.01
# The columns of features, by the columns of texts that they stand for.
FEATURES = {"predictions": "predictions_features", "references": "references_features"}
_SIDES = tuple(FEATURES)
_KEYS = ("mauve", "frontier_integral", "mauve_star", "frontier_integral_star")
# Probabilities that differ by less have no integral of their own.
_SAME = 1e-8
# The weights of mixtures begin, and end before 1, with it.
_EDGE = 1e-6


@dataclass(frozen=True)
class MauveOptions(LoadingOptions):
    """The features of a text are the states of its last token in the last layer of a model.

    Features are scaled to length 1, PCA keeps their first components, and k-means puts those of both sides together
    into buckets. The two histograms are compared with every mixture of them. PCA is that of scikit-learn, k-means that
    of faiss on one thread: both versions are in the signature, and may move the score.

    Texts are cut at `max_length` tokens, or where the model ends; texts without a token are left out, with a warning if
    they are many. Every distinct text is read once, the last 64 MB of features are remembered as long as the model is
    in memory.

    References: Pillutla et al. (2021), MAUVE: Measuring the Gap Between Neural Text and Human Text using Divergence
    Frontiers. Pillutla et al. (2023), MAUVE Scores for Generative Models: Theory and Practice.
    """

    auto_class, extra, title = "AutoModel", "mauve", "a causal language model or an encoder of transformers"
    example, is_sped_up = MODEL, True
    sources = "a model name or path (or `model`, or features of both sides)"

    model_id: Any = option(
        None, "Name or path of a model of transformers, causal or an encoder; it stays in memory.", kind="model",
        none_means=MODEL, on_page=True,
    )  # fmt: skip
    batch_size: int | None = tokens_at_once()
    max_length: int = option(1024, "Most tokens of a text; the rest is not read.", at_least=1)
    num_buckets: int | None = option(
        None, "Number of buckets, of clusters of both sides together.", at_least=2, on_page=True,
        none_means="a tenth of the texts of the smaller side, at least 2",
    )  # fmt: skip
    kmeans_explained_var: float = option(
        0.9, "The share of the variance that the components of PCA keep.", at_least=0, at_most=1
    )
    kmeans_num_redo: int = option(5, "Runs of k-means, of which the best one counts.", at_least=1)
    kmeans_max_iter: int = option(500, "Most rounds of a run.", at_least=1)
    mauve_scaling_factor: float = option(
        5, "c of the paper: divergences are multiplied by it; a larger one gives lower scores.", at_least=0,
        is_open=True,
    )  # fmt: skip
    divergence_curve_discretization_size: int = option(25, "Points on the divergence curve.", at_least=1)
    seed: int = option(25, "Seed of k-means, which moves the score.", at_least=0, at_most=10**9, on_page=True)
    n_seeds: int = option(
        1, "Seeds, from `seed` on: with several the scores are means, and the result has their spread.", at_least=1,
        at_most=1000, on_page=True,
    )  # fmt: skip
    verbose: bool = shows_bar()

    def check(self) -> None:
        """Check options against each other."""
        self.check_model()
        if self.model_id is None and self.model is None:
            self._set("model_id", MODEL)

    @property
    def clustering(self) -> Clustering:
        """How features are put into buckets."""
        seeds = range(self.seed, self.seed + self.n_seeds)
        return Clustering(self.kmeans_explained_var, self.kmeans_num_redo, self.kmeans_max_iter, seeds)


# Options that say which features there are, not what is made of them.
OF_FEATURES = (*(one.name for one in options_of(LoadingOptions)), "batch_size", "max_length", "verbose")


@dataclass(frozen=True)
class MauveReports(Reports):
    """`p_hist` and `q_hist` are the shares of predictions, and of references, in every bucket.

    `divergence_curve` has the points between which the area is `mauve`. `mauve_star` and `frontier_integral_star` are
    the scores of histograms with half a text more in every bucket. With several seeds `std` has the standard deviation
    of every score over them, and `by_seed` its values; histograms and curve are those of the first.
    """

    per_segment: bool = fixed(False)
    counts: bool = fixed(False)
    n_resamples: int | None = fixed(None)
    seed: int | None = fixed(None)
    unit: Any = fixed(None)
    confidence: float | None = option(
        None, "None: there are no intervals, since a resample repeats texts, which moves the score.",
    )  # fmt: skip

    def check(self) -> None:
        """Refuse intervals, with the reason."""
        if self.confidence is not None:
            allowed = (
                "None, since a resample repeats texts, and repeated texts lower MAUVE: an interval of resamples lies "
                "beside the score; `n_seeds` says how far the clusters move it"
            )
            fail(ValueError, "confidence", allowed, shown(self.confidence))

    def without_effect(self) -> dict[str, str]:
        """Return nothing: the seed is an option of the metric."""
        return {}


# ---- from histograms to scores


def relative_entropy(p: FloatArray, q: FloatArray) -> float:
    """Return the Kullback-Leibler divergence of p from q in nats; q has probability wherever p has.

    Examples
    --------
    >>> round(relative_entropy(np.array([0.5, 0.5, 0.0]), np.array([0.25, 0.25, 0.5])), 4)
    0.6931
    """
    # The logarithm of NumPy differs between processors in the last bit.
    terms = [a * math.log(ratio) for a, ratio in zip(p[p > 0], p[p > 0] / q[p > 0], strict=True)]
    return float(np.sum(terms))


def divergence_curve(p: FloatArray, q: FloatArray, n_points: int = 25, factor: float = 5) -> FloatArray:
    """Return the points exp(-c KL(q, r)), exp(-c KL(p, r)) of mixtures r of two histograms, with the two ends.

    Returns
    -------
    float64, shape (n_points + 2, 2)
        From (1, 0) to (0, 1).

    References
    ----------
    Pillutla et al. (2021), equation 2.

    Examples
    --------
    >>> divergence_curve(np.array([1.0, 0.0]), np.array([0.5, 0.5]), n_points=3, factor=1).round(3).tolist()
    [[1.0, 0.0], [1.0, 0.5], [0.866, 0.75], [0.001, 1.0], [0.0, 1.0]]
    """
    points = [(1.0, 0.0)]
    for weight in np.linspace(_EDGE, 1 - _EDGE, n_points):
        mixed = weight * p + (1 - weight) * q
        points.append((math.exp(-factor * relative_entropy(q, mixed)), math.exp(-factor * relative_entropy(p, mixed))))
    return np.array([*points, (0.0, 1.0)])


def area_under(curve: FloatArray) -> float:
    """Return the area under a divergence curve: the mean of the areas by trapezoids along either axis.

    Examples
    --------
    >>> area_under(np.array([[1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]))
    1.0
    """
    areas = []
    for x, y in (curve.T, curve.T[::-1]):
        # Of points with one x the highest comes first, as on the curve: mauve-text may have 0.75 for equal histograms.
        order = np.lexsort((-y, x))
        width, height = np.diff(x[order]), y[order]
        areas.append(abs(float(np.sum(width * (height[1:] + height[:-1]) / 2.0))))
    # Of equal histograms rounding leaves a little more.
    return min(0.5 * (areas[0] + areas[1]), 1.0)


def frontier_integral(p: FloatArray, q: FloatArray) -> float:
    """Return the frontier integral of two histograms, from 0 for equal ones to 1 for those that share no bucket.

    References
    ----------
    Liu, Pillutla, Welleck, Oh, Choi and Harchaoui (2021), Divergence Frontiers for Generative Models, definition 2.

    Examples
    --------
    >>> frontier_integral(np.array([1.0, 0.0]), np.array([0.0, 1.0]))
    1.0
    """
    total = 0.0
    for a, b in zip(p.tolist(), q.tolist(), strict=True):
        if a == 0 or b == 0:
            total += (a + b) / 4
        elif abs(a - b) > _SAME:
            total += (a + b) / 4 - a * b * (math.log(a) - math.log(b)) / (a - b) / 2
    return 2 * total


class Histograms(NamedTuple):
    """How many predictions, and how many references, are in every bucket: int64, shape (n_buckets,) each."""

    predictions: IntArray
    references: IntArray

    def shares(self, more: float = 0.0) -> tuple[FloatArray, FloatArray]:
        """Return the shares of texts in buckets, with so many texts more in each."""
        p, q = ((counts + more) / (counts + more).sum() for counts in self)
        return p, q

    def scores(self, n_points: int, factor: float) -> dict[str, float]:
        """Return the scores by key; those that end in star have half a text more in every bucket.

        Examples
        --------
        >>> few, doubled = (Histograms(np.array(p), np.array(q)) for p, q in (([3, 0], [1, 2]), ([7, 1], [3, 5])))
        >>> stars, scores = few.scores(25, 5.0), doubled.scores(25, 5.0)
        >>> [stars[f"{key}_star"] == scores[key] for key in ("mauve", "frontier_integral")]
        [True, True]
        """
        scores = {}
        for ending, more in (("", 0.0), ("_star", 0.5)):
            p, q = self.shares(more)
            scores["mauve" + ending] = area_under(divergence_curve(p, q, n_points, factor))
            scores["frontier_integral" + ending] = frontier_integral(p, q)
        return {key: scores[key] for key in _KEYS}


# ---- the metric


class MauveResult(dict[str, Any]):
    """A result of MAUVE, whose keys are attributes too.

    Examples
    --------
    >>> MauveResult(mauve=0.5).mauve
    0.5
    """

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"this result has no {name!r}, but {', '.join(self)}") from None


_TITLES = dict(zip(_KEYS, ("MAUVE", "frontier integral", "MAUVE*", "frontier integral*"), strict=True))


def _explanation(key: str) -> Explanation:
    is_integral = key.startswith("frontier_integral")
    last = (
        "The frontier integral adds up what either histogram loses by the mixtures: 0 for equal ones, 1 for such as "
        "share no bucket."
        if is_integral
        else "Each mixture of the histograms is a point: how well it covers the references, and the predictions. "
        "MAUVE is the area under these points: 1 for equal histograms, near 0 for such as share no bucket."
    )
    star = ("Half a text is added to every bucket of both sides.",) if key.endswith("_star") else ()
    return Explanation(
        _TITLES.get(key, "MAUVE"),
        "How close are texts of a model, as a whole, to texts of people?",
        (
            "A language model makes one vector of each text; k-means puts those of both sides into buckets.",
            "Two histograms say which share of either side is in each bucket.",
            *star,
            last,
        ),
        "It compares two samples, not pairs: no text has a score. It moves with the seed, the model, the number and "
        "the length of the texts: compare only what has all of them in common.",
    )


class MauveMetric(Metric):
    """MAUVE (Pillutla et al. 2021).

    `statistics` has a row for every text, with the fields ``side``, 0 for predictions and 1 for references,
    ``n_tokens``, 0 where only features are known, and ``features``: float64.
    """

    name = "mauve"
    options_type, reports_type = MauveOptions, MauveReports
    about = About(
        "MAUVE", _explanation,
        returns="``mauve``, ``frontier_integral``, ``mauve_star``, ``frontier_integral_star``, ``num_buckets``, "
        "``p_hist``, ``q_hist``, ``divergence_curve``; with several seeds ``std`` and ``by_seed``",
        sample="summaries",
    )  # fmt: skip
    inputs = Inputs(read=samples_of, at_once=True, is_paired=False)
    scores = Scores(
        Score("mauve"), Score("frontier_integral", higher_is_better=False, perfect=0.0),
        Score("mauve_star"), Score("frontier_integral_star", higher_is_better=False, perfect=0.0),
    )  # fmt: skip
    sums = Sums("whole")
    layout = Layout([Field("side"), Field("n_tokens"), Field("features", is_whole=False, told=0)], references="union")
    options: MauveOptions

    def sized(self, size: int) -> MauveMetric:
        """Return the same metric with a layout for features of a size."""
        other = type(self)(self.options)
        features = Field("features", size, is_whole=False, told=0)
        other.layout = Layout([Field("side"), Field("n_tokens"), features], references="union")
        return other

    def settings(self) -> dict[str, Any]:
        """Return the options of what is made of features; what made these is told with the rows."""
        return {name: value for name, value in self.options.chosen().items() if name not in OF_FEATURES}

    def signature_fields(self, reports: Any = None) -> dict[str, str]:  # noqa: ARG002
        """Return the fields of the signature, with the versions of the packages that compute."""
        shown_as = {
            "num_buckets": "buckets", "kmeans_explained_var": "var", "kmeans_num_redo": "redo",
            "kmeans_max_iter": "iter", "mauve_scaling_factor": "c", "divergence_curve_discretization_size": "points",
            "n_seeds": "seeds",
        }  # fmt: skip
        named = {shown_as.get(name, name): value for name, value in self.settings().items()}
        named["buckets"] = named["buckets"] or "auto"
        return fields_of({**named, **versions()})

    def formula(self, rows: Rows) -> dict[str, Any]:
        """Return the scores of all texts together."""
        found = self.found(rows, np.dtype(np.float64))
        return {key: np.float64(found[key]) for key in _KEYS}

    def found(self, rows: Rows, dtype: np.dtype[Any]) -> dict[str, Any]:
        """Return the scores, histograms and the curve of all texts; features are computed with as `dtype`."""
        options = self.options
        features = rows["features"].reshape(len(rows), -1)
        sides = [features[rows["side"] == side].astype(dtype) for side in range(2)]
        sizes = [*map(len, sides)]
        for name, size in zip(_SIDES, sizes, strict=True):
            if not size:
                fail(ValueError, name, "at least one text with a token", "none")
        n_buckets = options.num_buckets or max(2, round(min(sizes) / 10))
        if n_buckets > sum(sizes):
            allowed = f"at most as many buckets as there are texts on both sides ({sum(sizes)})"
            fail(ValueError, "num_buckets", allowed, str(n_buckets))
        n_points, factor = options.divergence_curve_discretization_size, options.mauve_scaling_factor
        every = [Histograms(*counts) for counts in in_buckets(sides[0], sides[1], n_buckets, options.clustering)]
        of_seeds = [histograms.scores(n_points, factor) for histograms in every]
        by_seed = {key: [scores[key] for scores in of_seeds] for key in _KEYS}
        p, q = every[0].shares()
        found = {
            **{key: math.fsum(values) / len(values) for key, values in by_seed.items()}, "num_buckets": n_buckets,
            "p_hist": p, "q_hist": q, "divergence_curve": divergence_curve(p, q, n_points, factor),
        }  # fmt: skip
        if options.n_seeds > 1:
            found["std"] = {key: float(np.std(values, ddof=1)) for key, values in by_seed.items()}
            found["by_seed"] = by_seed
        return found

    def below(self, result: Mapping[str, Any]) -> list[str]:
        """Return the lines below the table of a result."""
        lines = [f"two samples in {quantity(result['num_buckets'], 'bucket')}"]
        if "std" in result:
            n_seeds, deviation = len(result["by_seed"]["mauve"]), result["std"]["mauve"]
            lines.append(f"means of {n_seeds} seeds, between which MAUVE has a standard deviation of {deviation:.4f}")
        return lines


class Mauve(Accumulator, metric=MauveMetric):
    """MAUVE, batch by batch: an accumulator that stores the features of every text, never text.

    Predictions and references are two samples, of any two sizes. A higher score is better; `statistics` has a row for
    every text, with the fields ``side``, 0 for predictions and 1 for references, ``n_tokens``, 0 where only features
    are known, and ``features``: float64.

    Parameters
    ----------
    {options}

    Notes
    -----
    {notes}

    Examples
    --------
    >>> features = np.random.default_rng(0).normal(size=(600, 8))
    >>> mauve = Mauve(num_buckets=5).update(predictions_features=features[:300])
    >>> mauve = mauve.update(references_features=features[300:])
    >>> len(mauve)
    600
    """

    metric: MauveMetric
    _found: tuple[int, dict[str, Any]] | None = None

    def update(
        self, predictions: TextColumn | None = None, references: TextColumn | None = None, *,
        predictions_features: Any = None, references_features: Any = None,
    ) -> Mauve:  # fmt: skip
        """Add texts to one of the two samples or to both; after an error the accumulator is unchanged.

        Parameters
        ----------
        predictions, references : iterable of str, optional
            Texts of either sample; they are no pairs.
        predictions_features, references_features : array, shape (n_texts, size), optional
            A vector of every text instead of the texts.
        """
        texts = {"predictions": predictions, "references": references}
        features = {"predictions": predictions_features, "references": references_features}
        for side, argument in FEATURES.items():
            if texts[side] is not None and features[side] is not None:
                fail(ValueError, argument, f"None with `{side}`, of which they would be", shown(features[side]))
        if all(value is None for value in (*texts.values(), *features.values())):
            fail(TypeError, "predictions", "a column of texts, or `predictions_features`", "None")
        columns = {side: text_column(column, side) for side, column in texts.items() if column is not None}
        given = {
            side: checked_features(values, FEATURES[side]) for side, values in features.items() if values is not None
        }
        self._refuse_idle(columns)
        vectors, lengths, identity = self._embedded(columns) if columns else ({}, {}, {"model": "none"})
        vectors |= given
        dtype = np.result_type(*vectors.values())
        origin = "texts" if not given else "given" if not columns else "both"
        return self._added(vectors, lengths, {**identity, "features": origin, "dtype": dtype.name})

    def update_corpus(self, corpus: Corpus, *, keeps_segments: bool = True) -> Mauve:  # noqa: ARG002
        """Add the texts of both sides of a corpus, whose pairs do not matter."""
        sides = corpus.hypotheses, corpus.references
        return self.update(*(side if len(side) else None for side in sides)) if any(map(len, sides)) else self

    def _refuse_idle(self, columns: Mapping[str, Any]) -> None:
        """Refuse options of models where there are no texts to read."""
        if not columns:
            for name in OF_FEATURES:
                if self._given.get(name) is not None and not len(self):
                    fail(ValueError, name, "its default with features, which need no model", shown(self._given[name]))

    def _embedded(self, columns: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, IntArray], dict[str, str]]:
        """Return the vectors of texts and the numbers of their tokens by side, and what made them."""
        from ..models.features import FeatureModel

        # What is missing is told before a model reads thousands of texts.
        packages()
        options = self.metric.options
        model = FeatureModel(options, options.max_length, options.batch_size)
        vectors, lengths = {}, {}
        for side, column in columns.items():
            found = model.features(column.tolist(), side, verbose=options.verbose)
            if found.n_empty and found.n_empty >= EMPTY * len(column):
                one, many = (f"{side.removesuffix('s')} has", f"{side} have")
                about = f"[{one}|{many}] no token and [was|were] left out, so that the score says nothing of [it|them]."
                warn_user(CountWarning(found.n_empty, about))
            vectors[side], lengths[side] = found.vectors, found.n_tokens
        return vectors, lengths, {**model.identity, "computed": model.dtype, "max": str(model.limit)}

    def _added(
        self, vectors: Mapping[str, npt.NDArray[Any]], lengths: Mapping[str, IntArray], identity: dict[str, str]
    ) -> Mauve:
        """Add the vectors of texts by side."""
        sizes = {vector.shape[1] for vector in vectors.values()}
        before = self.metric.layout.fields[-1].size if len(self) else 0
        size = sizes.pop()
        if sizes or (before and before != size):
            other = before if before and before != size else sizes.pop()
            named = FEATURES[next(side for side, vector in vectors.items() if vector.shape[1] == size)]
            fail(ValueError, named, f"vectors of {quantity(other, 'number')}, as those of the other texts", str(size))
        known = self._identity()
        for name in ("model", "revision", "sha256", "computed", "max"):
            # Features of one side may stand beside texts of the other.
            ours, theirs = known.get(name, "none"), identity.get(name, "none")
            if len(self) and ours != theirs and "none" not in (known.get("model"), identity["model"]):
                fail(ValueError, "model_id", f"the same {name} for all texts, {ours}", theirs)
        metric = self.metric.sized(size)
        n_by_side = [len(vectors[side]) if side in vectors else 0 for side in _SIDES]
        n_tokens = [lengths.get(side, np.zeros(n, np.int64)) for side, n in zip(_SIDES, n_by_side, strict=True)]
        rows = metric.layout.filled(
            sum(n_by_side), side=np.repeat([0, 1], n_by_side), n_tokens=np.concatenate(n_tokens),
            features=np.concatenate([vectors[side] for side in _SIDES if side in vectors]).astype(np.float64),
        )  # fmt: skip
        if len(rows):
            self.metric = self._unfitted = metric
            add_rows(self, rows, identity)
        return self

    @classmethod
    def from_arrow(cls, table: Any, **options: Any) -> Mauve:
        """Return the accumulator with the texts of a table that `to_arrow` made.

        Parameters
        ----------
        table : pyarrow.Table
        **options
            The options that the features were made with; see the other accumulators.
        """
        stored = Stored(table, cls.__name__)
        empty = cls(**(options or stored.options(cls.metric_type.options_type)))
        if "features" in table.column_names and hasattr(table.schema.field("features").type, "list_size"):
            empty.metric = empty._unfitted = empty.metric.sized(table.schema.field("features").type.list_size)
        replace_rows(empty, *stored.rows(empty.metric, options))
        return empty

    def _signed(self, reports: Any = None) -> str:
        """Return the signature, which has no numbers of references."""
        return signature(None, {**self._identity(), **self.metric.signature_fields(reports)})

    def found(self) -> dict[str, Any]:
        """Return the scores with all that belongs to them, as arrays; computed once for the same texts."""
        if self._found is None or self._found[0] != len(self):
            rows = self.statistics
            dtypes = {dict(identity).get("dtype", "float32") for identity in self._identities}
            found = self.metric.found(rows, np.result_type(*map(np.dtype, sorted(dtypes))))
            self._found = len(self), found
            _warn(rows)
        return self._found[1]

    def _observed(self) -> dict[str, FloatArray]:
        """Return the scores by key: shape () each."""
        found = self.found()
        return {key: np.float64(found[key]) for key in _KEYS}  # type: ignore[misc]

    def _result(self, reports: Any, bootstrap: Any) -> dict[str, Any]:  # noqa: ARG002
        """Return the scores, histograms and the curve as Python numbers, whose keys are attributes too."""
        result = {
            key: value.tolist() if isinstance(value, np.ndarray) else value for key, value in self.found().items()
        }
        return MauveResult(result, **({"signature": self._signed(reports)} if reports.signature else {}))


def checked_features(values: Any, argument: str) -> npt.NDArray[Any]:
    """Return vectors as an array of float32 or float64, shape (n_texts, size); refuse anything else."""
    allowed = "an array of numbers, shape (n_texts, size), a vector of every text"
    if isinstance(values, (str, bytes, Mapping)) or not (has_elements(values) or hasattr(values, "__array__")):
        fail(TypeError, argument, allowed, shown(values))
    if hasattr(values, "detach"):
        values = values.detach().cpu()
        values = values.float() if values.element_size() < 4 and values.is_floating_point() else values
    try:
        array = np.asarray(values if hasattr(values, "__array__") else [*values])
    except (TypeError, ValueError) as error:
        fail(ValueError, argument, allowed, str(error))
    if array.dtype.kind not in "fiu" or array.ndim != 2 or 0 in array.shape:
        fail(ValueError, argument, allowed, f"shape {array.shape} of {array.dtype}")
    array = array.astype(np.float64 if array.dtype.kind in "iu" else max(array.dtype, np.dtype(np.float32)))
    array = array.astype(np.float64) if array.dtype.itemsize > 8 else array
    wrong = np.argwhere(~np.isfinite(array))
    if len(wrong):
        row, column = wrong[0].tolist()
        fail(ValueError, f"{argument}[{row}][{column}]", "finite numbers", shown(float(array[row, column])))
    return array


def _warn(rows: Rows) -> None:
    """Warn of samples whose score means something else."""
    sides, lengths = rows["side"], rows["n_tokens"]
    few = {name: n for side, name in enumerate(_SIDES) if (n := int(np.count_nonzero(sides == side))) < FEW_TEXTS}
    if few:
        numbers = " and ".join(f"{n:,} {name}" for name, n in few.items())
        warn_user(
            f"MAUVE of {numbers} moves with every text: give at least {FEW_TEXTS} of each, better thousands, and "
            "compare only scores of as many texts."
        )
    means = [float(lengths[sides == side].mean()) for side in range(2)]
    if min(means) > 0 and max(means) > LENGTHS * min(means):
        warn_user(
            f"predictions have {means[0]:.0f} tokens on average, references {means[1]:.0f}: MAUVE says that they "
            "differ for their lengths alone; cut both alike, or generate as many tokens."
        )


def mauve(
    predictions: TextColumn | None = None, references: TextColumn | None = None, *, predictions_features: Any = None,
    references_features: Any = None, **options: Any,
) -> dict[str, Any]:  # fmt: skip
    """Return MAUVE of two samples of texts: `Mauve` in one call.

    Parameters
    ----------
    predictions, references : iterable of str
        Two samples of texts, of any two sizes: they are no pairs.
    predictions_features, references_features : array, shape (n_texts, size), optional
        A vector of every text, instead of the texts.
    {options}

    Returns
    -------
    dict
        Python numbers by key, which are attributes too: ``mauve``, ``frontier_integral``, ``mauve_star``,
        ``frontier_integral_star``, ``num_buckets``, and the lists ``p_hist``, ``q_hist`` and ``divergence_curve``.

    Raises
    ------
    TypeError
        If an element is not text or not a number, or an option is unknown or of a wrong type; the message names it.
    ValueError
        If a side has no text, features have different sizes, or an option is out of range.
    ImportError
        If faiss, scikit-learn, or for texts torch or transformers, is missing.

    Notes
    -----
    {notes}

    Examples
    --------
    >>> features = np.random.default_rng(0).normal(size=(1200, 8))
    >>> result = mauve(predictions_features=features[:600], references_features=features[600:])  # doctest: +SKIP
    >>> round(result["mauve"], 2), result.num_buckets  # doctest: +SKIP
    (0.99, 60)
    """
    call = call_of(Mauve, "mauve", options, ("predictions", "references", *FEATURES.values()))
    accumulator: Any = call.empty.without_segments()
    given = {
        "predictions": predictions, "references": references, "predictions_features": predictions_features,
        "references_features": references_features,
    }  # fmt: skip
    for side, argument in FEATURES.items():
        if given[side] is None and given[argument] is None:
            fail(TypeError, side, f"a sample of texts, or `{argument}`", "None")
    accumulator.update(**given)
    return scored(accumulator, call.reports, call.bootstrap)


def _documented() -> None:
    import inspect

    own = [one for one in inspect.signature(mauve).parameters.values() if one.kind is not one.VAR_KEYWORD]
    documented(mauve, mauve.__doc__ or "", MauveOptions, MauveReports, first=own)


_documented()

"""CIDEr, CIDEr-D and CIDEr-R of captions."""

from __future__ import annotations

import copy
import json
import math
import os
import re
import zlib
from collections import Counter as Bag
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from .. import engine
from ..accumulation.accumulator import accumulator_of
from ..accumulation.functions import one_call
from ..arrays import FloatArray, IntArray
from ..checks import fail, has_elements, quantity, shown, warn_user
from ..explanation.alignment import aligned_with_all
from ..explanation.derivation import Derivation, Step, figure
from ..explanation.explainer import Explainer
from ..explanation.marks import Marks
from ..input.columns import Corpus, corpus_of, known_texts
from ..metric import (
    About,
    CountedNote,
    Explanation,
    Field,
    Layout,
    Metric,
    Misfit,
    Notes,
    Rows,
    Score,
    Scores,
    Sums,
    TwoForms,
)
from ..options import Option, Options, option
from ..plain.cider import ORDERS, ngram_counts
from ..sums import in_pairs
from ..text import TOKENIZERS, Tokenizer
from ..text.tokenizers import prepared, tokenizer_of, tokens_at

if TYPE_CHECKING:
    import pyarrow as pa

    from ..plain import DocumentFrequencies, Texts

_KEY, _FORMAT = b"textgauge.cider", 1
_WORDS = re.compile(r"\w+")
_IMAGES = "the references of every image, a list of lists of texts"
# Rules whose tokens may have white space within, other than the tool's own.
_WITH_SPACES = ("ascii-whitespace", "spaces", "every-character", "character-jiwer-3")
_ESCAPED = re.compile(r"[\\\s]")


class CiderWeights:
    """How many images have each n-gram in their references: what CIDEr weighs n-grams by, frozen.

    Weights of a training set make the score of one caption comparable with that of another, whatever else is in the
    call. They are stored as n-grams and counts, never as hashes.

    Parameters
    ----------
    references : list of lists of str
        The references of every image.
    tokenizer : str or callable str -> list
        As of the metric, which must have the same.
    lowercase : bool
        Lower-case all text first.

    Attributes
    ----------
    n_images : int
    n_ngrams : int
    name : str
        The number of images and a checksum: what signatures and storage tell weights by.

    Examples
    --------
    >>> weights = CiderWeights([["a man on a horse"], ["a dog", "a brown dog"]])
    >>> weights.n_images, weights.count("a"), weights.count("a dog")
    (2, 2, 1)
    >>> CiderWeights.from_arrow(weights.to_arrow()).name == weights.name
    True
    """

    def __init__(
        self,
        references: Sequence[Sequence[str]],
        *,
        tokenizer: str | Callable[[str], list[str]] = "coco",
        lowercase: bool = False,
    ) -> None:
        """Count."""
        wrong = (str, bytes, Mapping, Set, os.PathLike)
        groups: Any = references
        if not isinstance(references, wrong) and has_elements(references):
            groups = list(references)
        if not isinstance(groups, list) or not groups:
            fail(ValueError if isinstance(groups, list) else TypeError, "idf", _IMAGES, shown(references))
        try:
            corpus = corpus_of([""] * len(groups), groups)
        except (TypeError, ValueError) as error:
            fail(type(error), "idf", _IMAGES, str(error))
        cut = prepared(tokenizer_of(tokenizer), lowercase=lowercase, strip=False)
        self._set(_frequencies(words_of(cut, corpus.references), corpus), _way_of_cutting(cut))

    def _set(self, frequencies: DocumentFrequencies, tokenizer: str) -> None:
        self._made, self.tokenizer = (engine.kernel, frequencies), tokenizer
        ngrams, counts = frequencies.ngrams(), np.asarray(frequencies.frequencies(), np.int64)
        self.n_images, self.n_ngrams = int(frequencies.n_documents), len(ngrams)
        # In any order of the same images, and on either kernel, the same.
        order = sorted(range(len(ngrams)), key=ngrams.__getitem__)
        self._ngrams, self._counts = [ngrams[i] for i in order], counts[order]
        total = zlib.crc32("\n".join(self._ngrams).encode())
        total = zlib.crc32(self._counts.astype("<i8").tobytes(), total)
        self.name = f"{self.n_images}-{zlib.crc32(f'{self.n_images} {tokenizer}'.encode(), total):08x}"

    @property
    def frequencies(self) -> DocumentFrequencies:
        """The kernel's object."""
        if self._made[0] is not engine.kernel:
            self._made = engine.kernel, _restored(self._ngrams, self._counts, self.n_images)
        return self._made[1]

    def __repr__(self) -> str:
        return f"<CiderWeights {self.name}: {self.n_ngrams} n-grams of {self.n_images} images>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CiderWeights) and self.to_arrow().equals(other.to_arrow(), check_metadata=True)

    def __hash__(self) -> int:
        return hash(self.name)

    def __reduce__(self) -> Any:
        return CiderWeights.from_arrow, (self.to_arrow(),)

    def count(self, ngram: str) -> int:
        """Return how many images have an n-gram, its words with one space between two."""
        from bisect import bisect_left

        at = bisect_left(self._ngrams, ngram)
        return int(self._counts[at]) if at < len(self._ngrams) and self._ngrams[at] == ngram else 0

    def to_arrow(self) -> pa.Table:
        """Return a table with the columns ``ngram`` and ``images``; a checksum is in its schema."""
        import pyarrow as pa

        about = {"format": _FORMAT, "images": self.n_images, "tokenizer": self.tokenizer, "name": self.name}
        table = pa.table({"ngram": pa.array(self._ngrams, pa.string()), "images": pa.array(self._counts)})
        return table.replace_schema_metadata({_KEY: json.dumps(about)})

    @classmethod
    def from_arrow(cls, table: pa.Table) -> CiderWeights:
        """Return the weights that `to_arrow` stored.

        Raises
        ------
        ValueError
            If the table is not one of `to_arrow`, or was changed since.
        """
        try:
            about = json.loads((table.schema.metadata or {})[_KEY])
            ngrams, counts = table.column("ngram").to_pylist(), table.column("images").to_numpy()
            n_images, tokenizer, name = about["images"], about["tokenizer"], about["name"]
            is_known = about["format"] == _FORMAT and counts.dtype == np.int64 and type(n_images) is int
            is_known = is_known and 0 < n_images < 1 << 31 and bool(((counts > 0) & (counts <= n_images)).all())
            is_known = is_known and all(isinstance(one, str) for one in (*ngrams, tokenizer, name))
        except (AttributeError, KeyError, TypeError, ValueError, RecursionError):
            is_known = False
        if not is_known:
            fail(ValueError, "table", "a table of CiderWeights.to_arrow", shown(table))
        made = cls.__new__(cls)
        made._set(_restored(ngrams, np.array(counts), n_images), tokenizer)
        if made.name != name or len(made._ngrams) != len(ngrams):
            fail(ValueError, "table", "the weights that to_arrow stored", "others, with another checksum")
        return made


def words_of(tokenizer: Tokenizer, texts: Texts) -> Texts:
    """Return every text as its tokens with one space between two; white space within a token is written as an escape.

    That in a token of "ptb" and "coco", such as a telephone number, stays: it is two words, as in the tool.
    """
    if tokenizer.function is None and tokenizer.rule not in _WITH_SPACES:
        return tokenizer.spaced(texts)
    return known_texts([" ".join(_escaped_tokens(tokenizer, text, i)) for i, text in enumerate(texts.tolist())])


def _escaped_tokens(tokenizer: Tokenizer, text: str, i: int) -> Iterator[str]:
    tokens = tokens_at(tokenizer, text, lambda: f"text {i}")
    if not isinstance(tokens, (list, tuple)):
        fail(TypeError, f"tokenizer: result for text {i}", "a list of tokens", shown(tokens))
    for token in tokens:
        if not isinstance(token, str):
            fail(TypeError, f"tokenizer: result for text {i}", "tokens that are str", shown(token))
        yield _ESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", token) or "\\"


def _way_of_cutting(tokenizer: Tokenizer) -> str:
    """Return the tokenizer, and whether text is lower-cased before, unless the tokenizer does that itself."""
    keeps_case = tokenizer.function is not None or [*TOKENIZERS[tokenizer.rule]("A")] == ["A"]
    return f"{tokenizer.signature}{', lower case' if tokenizer.lowercase and keeps_case else ''}"


def _frequencies(spaced: Texts, corpus: Corpus) -> DocumentFrequencies:
    return engine.kernel.DocumentFrequencies(spaced, corpus.reference_offsets)


def _restored(ngrams: list[str], counts: IntArray, n_images: int) -> DocumentFrequencies:
    return engine.kernel.DocumentFrequencies.restored(known_texts(ngrams), counts, n_images)


@dataclass(frozen=True)
class CiderOptions(Options):
    """A score is from 0 to 10.

    Texts are cut into n-grams of one to four words; an n-gram weighs the more, the fewer images have it in their
    references. For each length of n-grams a caption and a reference are compared by the cosine
    of their weights; the score is ten times the mean over lengths and references.

    With ``idf=None`` the references of the call are the images, so that the score of a caption depends on the others
    of the call, and all segments are added in one call.

    References: Vedantam, Zitnick and Parikh (2015), CIDEr: Consensus-based Image Description Evaluation; de Oliveira
    dos Santos, Colombini and Avila (2021), CIDEr-R: Robust Consensus-based Image Description Evaluation. The figures
    are those of pycocoevalcap, whose "CIDEr" is CIDEr-D.
    """

    variant: Literal["D", "plain", "R"] = option(
        "D", 'CIDEr-D, which papers print as "CIDEr"; "plain" CIDEr; or CIDEr-R.', on_page=True
    )
    sigma: float = option(6.0, "Of CIDEr-D: how much a difference of length is forgiven.", at_least=1e-3)
    tokenizer: str | Callable[[str], list[str]] = option("coco", "How words are cut.", kind="tokenizer", on_page=True)
    lowercase: bool = option(False, "Lower-case all text first.")
    idf: Any = option(
        None, "Images whose references weigh n-grams: lists of texts, or a `textgauge.CiderWeights`.", kind="groups",
        none_means="the references of the call",
    )  # fmt: skip

    def checked_value(self, option: Option, value: Any) -> Any:
        """Return an option in plain form; `idf` becomes weights in `check`."""
        return value if option.name == "idf" else option.checked(value)

    def check(self) -> None:
        """Count the weights of lists of texts; refuse those of another tokenizer."""
        if self.idf is None:
            return
        if not isinstance(self.idf, CiderWeights):
            self._set("idf", CiderWeights(self.idf, tokenizer=self.tokenizer, lowercase=self.lowercase))
        wanted = _way_of_cutting(prepared(tokenizer_of(self.tokenizer), lowercase=self.lowercase, strip=False))
        if self.idf.tokenizer != wanted:
            fail(
                ValueError, "idf", f"weights that were counted with the tokenizer {wanted!r}", shown(self.idf.tokenizer)
            )


class _Empty(CountedNote):
    """Counts captions without a word."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer

    def examine(self, corpus: Corpus, tokens: Any) -> None:  # noqa: ARG002
        """Count the texts without words of one chunk; its predictions come as words with spaces between."""
        found = int(np.count_nonzero(np.asarray(tokens.blank())))
        self.tell(
            found, f"prediction[ has|s have] no word under the tokenizer {self._tokenizer.name!r}, and score[s|] 0."
        )


def repetitions(hypotheses: Texts, references: Texts, corpus: Corpus) -> FloatArray:
    """Return the repetition penalty of CIDEr-R for every pair: float64, shape (n_pairs,).

    The geometric mean, over the different words of the caption, of 1 / (1 + the difference of how often both texts
    have it), or of how often it is repeated where the reference lacks it. A caption without words has 0, where the
    tool has NaN.
    """
    offsets = corpus.reference_offsets.tolist()
    penalties = []
    for segment, (first, last) in enumerate(zip(offsets[:-1], offsets[1:], strict=True)):
        words = Bag(_WORDS.findall(hypotheses[segment]))
        for row in range(first, last):
            other = Bag(_WORDS.findall(references[row]))
            logs = [math.log(1 / (1 + (abs(other[w] - n) if w in other else n - 1))) for w, n in words.items()]
            penalties.append(math.exp(sum(logs) / len(logs)) if logs else 0.0)
    return np.array(penalties, np.float64)


class CiderMetric(Metric):
    """CIDEr, CIDEr-D and CIDEr-R (Vedantam et al. 2015).

    `statistics` has the field ``cider``: float64. Without `idf` all segments are added in one call, whose references
    weigh n-grams.

    Examples
    --------
    >>> references = [["a man on a horse"], ["a brown dog runs", "a dog on grass"]]
    >>> round(Cider().update(["a man on a horse", "a dog"], references).score()["cider"], 3)
    6.101
    """

    name = "cider"
    options_type = CiderOptions
    about = About("CIDEr", lambda _: _EXPLAINED, returns="``cider``, from 0 to 10")
    scores = Scores(Score("cider", perfect=None, largest=10.0))
    combine = "mean"

    layout = Layout([Field("cider", is_whole=False)], references="union")
    options: CiderOptions
    # The weights of the references of a call.
    _fitted: DocumentFrequencies | None = None

    def prepare(self) -> None:
        """Choose the tokenizer; without weights of its own it needs all references in one call."""
        title = {"D": "CIDEr-D", "plain": "CIDEr", "R": "CIDEr-R"}[self.options.variant]
        self.scores = Scores(self.scores[0]._replace(in_papers=title))
        if self.options.idf is None:
            allowed = "a list of references, or CiderWeights, for cider where segments are not all counted in one call"
            self.sums = Sums("whole", ("idf", allowed, "None"), add=in_pairs)
        else:
            self.sums = Sums(add=in_pairs)
        self.tokenizer: Tokenizer = prepared(
            tokenizer_of(self.options.tokenizer), lowercase=self.options.lowercase, strip=False
        )

    @property
    def _weights(self) -> DocumentFrequencies | None:
        return self._fitted if self.options.idf is None else self.options.idf.frequencies

    def fitted(self, corpus: Corpus) -> CiderMetric:
        """Return the metric with the document frequencies of the references of a call."""
        if self.options.idf is not None:
            return self
        spaced = words_of(self.tokenizer, corpus.references)
        frequencies = _frequencies(spaced, corpus)
        if len(corpus) == 1:
            warn_user(
                "CIDEr of one image is 0: every n-gram of its references is in all images of the call and weighs "
                "nothing; pass more images, or to `textgauge.cider` also `idf=` with the references of a training set."
            )
        elif len(corpus) and not np.any(np.asarray(frequencies.frequencies()) < len(corpus)):
            warn_user(
                "CIDEr is 0: every n-gram of the references is in all images of the call and weighs nothing; pass "
                "other images as well, or to `textgauge.cider` also `idf=` with the references of a training set."
            )
        fitted = copy.copy(self)
        fitted._fitted = frequencies
        offsets, data = spaced.join()
        total = zlib.crc32(np.asarray(corpus.reference_offsets, "<i8").tobytes())
        total = zlib.crc32(np.asarray(offsets, "<i8").tobytes(), total)
        fitted.identity = {"images": f"{zlib.crc32(data, total):08x}"}
        return fitted

    def document_counts(self) -> tuple[int, dict[str, int]]:
        """Return the number of images, and of those whose references have an n-gram, for explanations."""
        weights = self._weights
        if weights is None:
            return 1, {}
        counts = map(int, weights.frequencies())
        return int(weights.n_documents), dict(zip(weights.ngrams(), counts, strict=True))

    def notes(self) -> Notes:
        """Return a collector of empty captions, and of scripts that the tokenizer does not fit."""
        return Notes(_Empty(self.tokenizer), Misfit(self.tokenizer), TwoForms(self.tokenizer))

    def rows(self, corpus: Corpus, notes: Notes) -> Rows:
        """Score the segments of a chunk."""
        weights = self._weights
        if weights is None:
            return self.fitted(corpus).rows(corpus, notes)
        hypotheses, references = (words_of(self.tokenizer, side) for side in (corpus.hypotheses, corpus.references))
        notes.examine(corpus, hypotheses)
        o = self.options
        factors = repetitions(hypotheses, references, corpus) if o.variant == "R" else ()
        scores = engine.kernel.cider_scores(
            weights, hypotheses, references, corpus.offsets, o.variant, o.sigma, factors, n_threads=corpus.n_threads
        )
        return self.layout.filled(len(corpus), cider=np.asarray(scores, np.float64))

    def formula(self, rows: Rows) -> dict[str, Any]:
        """Return the scores of segments, which are what is stored."""
        return {"cider": np.asarray(rows["cider"])}

    def below(self, result: Mapping[str, Any]) -> list[str]:  # noqa: ARG002
        """Return the bounds of the score."""
        return ["from 0 to 10"]

    def settings(self) -> dict[str, Any]:
        """Return the options, weights by their name."""
        idf = self.options.idf
        return {**self.options.chosen(), "idf": "refs" if idf is None else idf.name}


_EXPLAINED: Explanation = Explanation(
    "CIDEr",
    "Does the caption say what people say of this image, and not of every image?",
    (
        "Caption and references are cut into n-grams of one to four words. An n-gram weighs its count times the "
        "logarithm of how rare it is: of how many images, few have it in their references.",
        "For each length of n-grams the caption and a reference are compared by the cosine of their weights. In "
        "CIDEr-D no n-gram counts more often than the reference has it, and a caption of another length loses.",
        "The score is ten times the mean over lengths and references.",
    ),
    "It is no percentage: good captions of MS COCO score about 1.2 of 10. The score of a caption depends on all images "
    "of the call, so that scores of different data sets do not compare.",
)

Cider = accumulator_of(CiderMetric)
cider = one_call(
    Cider,
    example="""
>>> cider(["a man on a horse", "a dog"], [["a man on a horse"], ["a dog"]])
{'cider': 7.5}
""",
)


class CiderExplainer(Explainer, metric=CiderMetric):
    """Explains the scores of `CiderMetric`."""

    metric: CiderMetric

    def marks(self, key: str) -> Marks:  # noqa: ARG002
        """Mark n-grams that a reference has too, longer ones more strongly."""
        return Marks.of_orders(ORDERS, partial(aligned_with_all, tokenizer=self.metric.tokenizer, orders=ORDERS))

    def derivation(self, key: str, rows: Rows, segment: Corpus | None) -> Derivation:
        """Show for every reference the shared n-grams with their weights, cosines and the length penalty."""
        if segment is None:
            return super().derivation(key, rows, segment)
        metric, options = self.metric, self.metric.options
        images, frequencies = metric.document_counts()
        sides = words_of(metric.tokenizer, segment.hypotheses), words_of(metric.tokenizer, segment.references)
        caption, *references = (text.split() for side in sides for text in side.tolist())
        repeated = repetitions(*sides, segment).tolist()

        def weights_of(words: list[str]) -> list[dict[str, tuple[int, float]]]:
            found: list[dict[str, tuple[int, float]]] = [{} for _ in range(ORDERS)]
            for gram, count in ngram_counts(words).items():
                rarity = math.log(max(1, images)) - math.log(max(1.0, frequencies.get(" ".join(gram), 0)))
                found[len(gram) - 1][" ".join(gram)] = count, count * rarity
            return found

        own, of_references = weights_of(caption), []
        steps: list[Step] = []
        for r, words in enumerate(references):
            name = "" if len(references) == 1 else f" of reference {r + 1}"
            other, values = weights_of(words), []
            for n in range(ORDERS):
                step, value = self._order(n, name, own[n], other[n], images, frequencies)
                steps.append(step._replace(meaning="" if n or r else self._meaning()))
                values.append(value)
            factor = 1.0
            if options.variant != "plain":
                delta = max(0, len(caption) - 1) - max(0, len(words) - 1)
                if options.variant == "D":
                    factor = math.exp(-(delta**2) / (2 * options.sigma**2))
                    formula = f"exp(-{abs(delta)}² / (2 × {figure(options.sigma)}²))"
                else:
                    near = math.exp(-(delta**2) / max(1, len(words)) ** 2)
                    factor = repeated[r] ** 0.8 * near**0.2
                    formula = f"{figure(repeated[r])}^0.8 × {figure(near)}^0.2, of repetition and length"
                steps.append(Step(f"penalty{name}", formula=formula, value=factor, meaning="for another length"))
            mean = sum(values) / ORDERS * factor
            of_references.append(mean)
            shown = " + ".join(map(figure, values))
            formula = f"({shown}) / {ORDERS}" + ("" if options.variant == "plain" else f" × {figure(factor)}")
            steps.append(Step(f"mean{name}", formula=formula, value=mean))
        score = float(rows["cider"])
        shown = " + ".join(map(figure, of_references))
        formula = f"10 × {shown}" if len(references) == 1 else f"10 × ({shown}) / {len(references)}"
        steps.append(Step("CIDEr", formula=formula, value=score, meaning="from 0 to 10"))
        remarks = []
        if not caption:
            remarks.append("CIDEr is 0, since the caption has no words.")
        elif images == 1:
            remarks.append("CIDEr is 0, since the weights are those of one image, where no n-gram is rare.")
        return Derivation("CIDEr", tuple(steps), (), tuple(remarks))

    def _meaning(self) -> str:
        clipped = "" if self.metric.options.variant == "plain" else "clipped, "
        return f"cosine of the weights, {clipped}of what both have; a weight is count × log(images / images with it)"

    def _order(
        self, n: int, name: str, own: dict[str, tuple[int, float]], other: dict[str, tuple[int, float]], images: int,
        frequencies: dict[str, int],
    ) -> tuple[Step, float]:  # fmt: skip
        is_clipped = self.metric.options.variant != "plain"
        shared = []
        for gram, (count, weight) in own.items():
            if gram in other:
                reached = min(weight, other[gram][1]) if is_clipped else weight
                shared.append((reached * other[gram][1], gram, count, reached, other[gram][1]))
        product = sum(row[0] for row in shared)
        norms = [math.sqrt(sum(weight**2 for _, weight in side.values())) for side in (own, other)]
        value = product / (norms[0] * norms[1]) if all(norms) else product
        examples = tuple(
            f"{gram} ({quantity(count, 'time')}, in {frequencies.get(gram, 0):,} of {quantity(images, 'image')}): "
            f"{figure(reached)} × {figure(weight)}"
            for _, gram, count, reached, weight in sorted(shared, key=lambda row: -row[0])
        )
        formula = f"{figure(product)} / ({figure(norms[0])} × {figure(norms[1])})" if all(norms) else "no weights"
        label = f"{n + 1} word{'s' * (n > 0)}{name}"
        return Step(label, (f"{len(shared)} shared",), formula, value, examples), value

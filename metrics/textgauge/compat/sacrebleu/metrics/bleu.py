"""sacreBLEU's BLEU: Papineni et al. (2002)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from ....arrays import Counts
from ....checks import fail
from ....lazy import lazy
from ....measures.bleu import Bleu
from ....text import Tokenizer
from ....text.sacrebleu_tokenizers import NAMES
from .base import Metric, Score, Signature, sacrelogger

# The tokenizers of languages that do not use 13a, and the names of the languages.
_OF_LANGUAGES = {
    "zh": ("zh", "Chinese"),
    "ja": ("ja-mecab", "Japanese"),
    "ko": ("ko-mecab", "Korean"),
}
_LOG_OF_0 = -9999999999


class BLEUSignature(Signature):
    """The signature of BLEU."""

    _ABBREVIATIONS: ClassVar[Mapping[str, str]] = {
        **Signature._ABBREVIATIONS, "case": "c", "eff": "e", "tok": "tok", "smooth": "s",
    }  # fmt: skip

    def __init__(self, args: Mapping[str, Any]) -> None:
        super().__init__(args)
        smoothing = args["smooth_method"]
        default = BLEU.SMOOTH_DEFAULTS[smoothing]
        if default is not None:
            value = default if args["smooth_value"] is None else args["smooth_value"]
            smoothing += f"[{value:.2f}]"
        self.info |= {
            "case": "lc" if args["lowercase"] else "mixed",
            "eff": "yes" if args["effective_order"] else "no",
            "tok": args["tokenizer_signature"],
            "smooth": smoothing,
        }


class BLEUScore(Score):
    """BLEU and its components.

    Attributes
    ----------
    counts, totals : list
        Matches and n-grams of every order; with "add-k", after its addition.
    precisions : list of float
        From 0 to 100.
    bp : float
        The brevity penalty.
    sys_len, ref_len : int
    ratio : float
        `sys_len` over `ref_len`.
    prec_str : str
    """

    def __init__(
        self,
        score: float,
        counts: list[Any],
        totals: list[Any],
        precisions: list[float],
        bp: float,
        sys_len: int,
        ref_len: int,
    ) -> None:
        self.name = "BLEU"
        self.score = score
        self.bp = bp
        self.counts = counts
        self.totals = totals
        self.sys_len = sys_len
        self.ref_len = ref_len
        self.precisions = precisions

    @lazy
    def ratio(self) -> float:
        """The length of the hypotheses over that of the references; 0 if the latter is 0."""
        return self.sys_len / self.ref_len if self.ref_len else 0

    @lazy
    def prec_str(self) -> str:
        """The precisions as text."""
        return "/".join([f"{precision:.1f}" for precision in self.precisions])

    @lazy
    def _verbose(self) -> str:
        lengths = f"hyp_len = {self.sys_len:d} ref_len = {self.ref_len:d}"
        return f"{self.prec_str} (BP = {self.bp:.3f} ratio = {self.ratio:.3f} {lengths})"


class BLEU(Metric[BLEUScore]):
    """BLEU.

    Parameters
    ----------
    lowercase : bool
    force : bool
        Do not warn of hypotheses that look tokenized.
    tokenize : str, optional
        One of `TOKENIZERS`; None: that of the language, or "13a".
    smooth_method : "exp", "floor", "add-k" or "none"
    smooth_value : float, optional
        For "floor" and "add-k".
    max_ngram_order : int
    effective_order : bool
        Leave out orders without n-grams, as short single texts need.
    trg_lang : str
        "zh", "ja" and "ko" have default tokenizers other than "13a".
    references : sequence of sequences of str, optional
        Read and checked once, for calls of `corpus_score` with None as references.

    Examples
    --------
    >>> bleu = BLEU()
    >>> bleu.corpus_score(["The dog bit the man.", "It was odd."], [["The dog bit the man.", "It was not."]]).score
    76.21991222319218
    >>> str(bleu.get_signature()).rpartition("|")[0]
    'nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp'
    """

    SMOOTH_DEFAULTS: ClassVar[Mapping[str, float | None]] = {"none": None, "floor": 0.1, "add-k": 1, "exp": None}
    TOKENIZERS = ("none", "zh", "13a", "intl", "char", *NAMES)
    TOKENIZER_DEFAULT = "13a"
    _SIGNATURE_TYPE = BLEUSignature
    _measure: Bleu

    def __init__(
        self,
        lowercase: bool = False,
        force: bool = False,
        tokenize: str | None = None,
        smooth_method: str = "exp",
        smooth_value: float | None = None,
        max_ngram_order: int = 4,
        effective_order: bool = False,
        trg_lang: str = "",
        references: Sequence[Sequence[str | None]] | None = None,
    ) -> None:
        _check_smoothing(smooth_method)
        self._force = force
        self.trg_lang = trg_lang
        self.lowercase = lowercase
        self.smooth_value = smooth_value
        self.smooth_method = smooth_method
        self.max_ngram_order = max_ngram_order
        self.effective_order = effective_order
        name = _tokenizer_for(tokenize, trg_lang)
        if name not in self.TOKENIZERS:
            fail(KeyError, "tokenize", f"one of {', '.join(self.TOKENIZERS)}", repr(name))
        value = self.SMOOTH_DEFAULTS[smooth_method] if smooth_value is None else smooth_value
        self._smoothing = smooth_method, value or 0.0
        self._order = max_ngram_order if effective_order else -max_ngram_order
        self._measure = Bleu(preset="sacrebleu", tokenizer=name, lowercase=bool(lowercase), max_order=max_ngram_order)
        self._cut: Tokenizer = self._measure.tokenizer
        self.tokenizer_signature = self._cut.signature
        super().__init__(references)

    @staticmethod
    def compute_bleu(
        correct: Sequence[Any],
        total: Sequence[Any],
        sys_len: int,
        ref_len: int,
        smooth_method: str = "none",
        smooth_value: float | None = None,
        effective_order: bool = False,
        max_ngram_order: int = 4,
    ) -> BLEUScore:
        """Return BLEU from the matches and n-grams of every order and both lengths; the input is not changed."""
        _check_smoothing(smooth_method)
        value = BLEU.SMOOTH_DEFAULTS[smooth_method] if smooth_value is None else smooth_value
        smoothing = smooth_method, value or 0.0
        order = max_ngram_order if effective_order else -max_ngram_order
        return _score(list(correct), list(total), sys_len, ref_len, smoothing, order)

    def sentence_score(self, hypothesis: str, references: Sequence[str]) -> BLEUScore:
        """Return BLEU of one text.

        Parameters
        ----------
        hypothesis : str
        references : sequence of str
            None among them is skipped.
        """
        if not self.effective_order:
            sacrelogger.warning("It is recommended to enable `effective_order` for sentence-level BLEU.")
        self._check_sentence(hypothesis, references)
        return self._compute_score_from_stats(self._sentence_row(hypothesis, references))

    def _compute_score_from_stats(self, stats: Sequence[Any]) -> BLEUScore:
        end = 2 + self.max_ngram_order
        return _score(list(stats[2:end]), list(stats[end:]), int(stats[0]), int(stats[1]), self._smoothing, self._order)

    def _ordered(self, rows: Counts) -> Counts:
        return np.roll(rows, 2, axis=1)


def _score(
    counts: list[Any], totals: list[Any], sys_len: int, ref_len: int, smoothing: tuple[str, float], order: int
) -> BLEUScore:
    """Score counts, which are changed in place; `order` is negative without effective order."""
    penalty = 1.0
    if sys_len < ref_len:
        penalty = math.exp(1 - ref_len / sys_len) if sys_len > 0 else 0.0
    precisions = [0.0] * abs(order)
    if not any(counts):
        return BLEUScore(0.0, counts, totals, precisions, penalty, sys_len, ref_len)
    method, value = smoothing
    n_orders, halving = abs(order), 1.0
    for i in range(n_orders):
        if method == "add-k" and i > 0:
            counts[i] += value
            totals[i] += value
        matches, total = counts[i], totals[i]
        if total == 0:
            break
        if order > 0:
            n_orders = i + 1
        if matches != 0:
            precisions[i] = 100.0 * matches / total
        elif method == "exp":
            halving *= 2
            precisions[i] = 100.0 / (halving * total)
        elif method == "floor":
            precisions[i] = 100.0 * value / total
    logs = [math.log(precision) if precision else _LOG_OF_0 for precision in precisions[:n_orders]]
    score = penalty * math.exp(sum(logs) / n_orders)
    return BLEUScore(score, counts, totals, precisions, penalty, sys_len, ref_len)


def _check_smoothing(name: str) -> None:
    if name not in BLEU.SMOOTH_DEFAULTS:
        fail(AssertionError, "smooth_method", f"one of {', '.join(BLEU.SMOOTH_DEFAULTS)}", repr(name))


def _tokenizer_for(name: str | None, language: str) -> str:
    """Return the requested tokenizer, or that of the language."""
    best, called = _OF_LANGUAGES.get(language, (BLEU.TOKENIZER_DEFAULT, ""))
    if name is None:
        return best
    if called and name != best:
        sacrelogger.warning(f"Consider using the {best!r} or 'spm' tokenizer for {called}.")
    return name

"""From rows of counts to scores: BLEU, F, chrF, TER, WER, SARI, NIST.

Each tool's own order of operations is repeated, so that its figures come out to the last bit: the tools call
Python's `sum`, `math.log` and `math.exp`, and so do the functions here. From Python 3.12 on `sum` is more exact,
which moves the last bit of some figures of the tools, and of ours with them.

What rows of any leading axes give comes score by score, with those axes behind: a metric wants one array for each key.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

# The codes of smoothings and of countings; the compiled kernel has the same order.
NONE, ADD_ONE, ADD_K, FLOOR, EXP, EPSILON, METHOD_4, METHOD_5, METHOD_6, METHOD_7 = range(10)
PLAIN, SACREBLEU, MTEVAL, NLTK, MOSES, COCO = range(6)
# pycocoevalcap adds these to matches and to totals, and to the lengths, so that nothing is divided by 0.
COCO_TINY, COCO_SMALL = 1e-15, 1e-9
# The order that nltk's methods 5 and 7 use as the next after the highest, whatever that is.
NLTK_NEXT_ORDER = 5
# sacreBLEU's replacement of 0 / 0 in chrF.
CHRF_EPSILON = 1e-16
# Rows of an array of any dimensions, or nested lists of them.
Rows = Any
# A smoothed precision that is not yet divided.
Share = tuple[float, float]


def ratio(part: float, whole: float) -> float:
    """Divide, 0 where the whole is 0: for all scores of overlap.

    Examples
    --------
    >>> ratio(1, 2), ratio(3, 0)
    (0.5, 0.0)
    """
    return part / whole if whole else 0.0


def f_measure(precision: float, recall: float, beta: float = 1.0) -> float:
    """Return (1 + beta^2) P R / (R + beta^2 P), 0 where both are 0.

    Lin (2004), ROUGE, equation 4; Popović (2015), chrF, equation 1.

    Examples
    --------
    >>> f_measure(0.5, 1.0)
    0.6666666666666666
    """
    return ratio((1 + beta**2) * precision * recall, beta**2 * precision + recall)


def weighted_f(precision: float, recall: float, alpha: float) -> float:
    """Return P R / ((1 - alpha) P + alpha R), 0 where that is 0 / 0.

    Equal to `f_measure` with beta^2 = (1 - alpha) / alpha: P for alpha 1, R for alpha 0. ROUGE-1.5.5.pl, option -p.

    Examples
    --------
    >>> weighted_f(0.5, 1.0, 0.5)
    0.6666666666666666
    """
    return ratio(precision * recall, (1 - alpha) * precision + alpha * recall)


def five_decimals(values: Rows) -> list[float]:
    """Round as C's printf with "%.5f" does: by the exact value of the double.

    Parameters
    ----------
    values : float64, shape (n,)

    Examples
    --------
    >>> five_decimals([1 / 3, 1 / 320])
    [0.33333, 0.00313]
    """
    return [_rounded(value) for value in (values.tolist() if hasattr(values, "tolist") else values)]


def _rounded(value: float) -> float:
    return float(f"{value:.5f}")


def bleu_scores(
    rows: Rows,
    max_order: int,
    smoothing: int = NONE,
    value: float = 0.0,
    *,
    weights: Sequence[float] = (),
    effective_order: bool = False,
    counting: int = PLAIN,
    percent: bool = False,
    last: Sequence[float] = (),
) -> Any:
    """Compute BLEU from matches and totals per order and the two lengths.

    BLEU = BP exp(sum of w_n log p_n), 0 if any p_n with w_n > 0 is 0. BP is 1 for a hypothesis longer than its
    reference, else exp(1 - reference length / hypothesis length), and 0 for a hypothesis without tokens.

    Parameters
    ----------
    rows : int64 or float64, shape (..., 2 n_orders + 2)
        Matches, then totals of every order, at least `max_order` of them; the hypothesis's length, the reference's.
    max_order : int
    smoothing, value : int, float
        What replaces a precision of 0: `NONE` to `METHOD_7`, and its parameter.
    weights : max_order floats, optional
        By default 1 / max_order each. Those that are 0 leave out their order.
    effective_order : bool
        Leave out orders without n-grams, and distribute their weight over the others.
    counting : int
        Whose rules for orders without n-grams and empty references, and whose order of operations:
        `PLAIN`, the `bleu` module of `evaluate`, to `COCO`, which has neither weights nor smoothing.
    percent : bool
        BLEU and precisions from 0 to 100, as sacreBLEU makes them.
    last : numbers of one row, optional
        The last segment of a corpus, for nltk's methods 5 to 7; by default every row is its own.

    Returns
    -------
    float64, shape (4 + 2 max_order, ...); a list for a single row
        BLEU, brevity penalty, ratio of the lengths, geometric mean of the precisions (from 0 to 1); then the
        precisions, and the weights of the orders.

    References
    ----------
    Papineni et al. (2002), BLEU, section 2.3; Chen and Cherry (2014), A systematic comparison of smoothing
    techniques for sentence-level BLEU, section 2.

    Examples
    --------
    >>> row = [6, 3, 6, 5, 6, 6]
    >>> [round(score, 3) for score in bleu_scores(row, 2)]
    [0.775, 1.0, 1.0, 0.775, 1.0, 0.6, 0.5, 0.5]
    """
    check_rows(rows, last, max_order, smoothing, weights, counting)
    smoothed = (max_order, smoothing, value, counting)
    return _each(
        rows, 4 + 2 * max_order, lambda row: _bleu(row, [*last] or row, smoothed, [*weights], effective_order, percent)
    )


def f_scores(
    rows: Rows, weights: Sequence[float] = (1.0,), beta: float = 1.0, alpha: float = -1.0, rounded: bool = False,
    n_threads: int = 1,  # noqa: ARG001
) -> Any:  # fmt: skip
    """Compute precision, recall and F of every type.

    Parameters
    ----------
    rows : int64 or float64, shape (..., 3 n_types + n_more)
        For every type matches, units of the hypothesis, units of the reference; numbers beyond stay as they are.
    weights : n_types floats
        The weights of ROUGE-W, whose counts are sums of k^weight: its shares are raised to 1 / weight; else 1.
    beta : float
        Recall is beta times as important as precision.
    alpha : float
        The weight of ROUGE-1.5.5 instead of `beta`, if it is at least 0; see `weighted_f`.
    rounded : bool
        Round precision and recall to five decimals, compute F from these and round F, as ROUGE-1.5.5 does.

    Returns
    -------
    float64, shape (3 n_types + n_more, ...); a list for a single row
        Precision, recall and F of every type.

    References
    ----------
    Lin (2004), ROUGE, sections 2 to 5; Rajpurkar et al. (2016), SQuAD, section 6.1.

    Examples
    --------
    >>> f_scores([1, 2, 1])
    [0.5, 1.0, 0.6666666666666666]
    """
    if n_columns(rows) < 3 * len(weights) or not all(weights):
        raise ValueError("weights: expected one that is not 0 for every three columns of the rows")

    def score(row: Sequence[float]) -> list[float]:
        scores: list[float] = []
        for i, weight in enumerate(weights):
            matches, hypothesis, reference = row[3 * i : 3 * i + 3]
            precision, recall = ratio(matches, hypothesis), ratio(matches, reference)
            if weight != 1:
                # A share that is exactly 1 may exceed 1 in its last bit.
                precision, recall = min(precision ** (1 / weight), 1.0), min(recall ** (1 / weight), 1.0)
            if rounded:
                precision, recall = _rounded(precision), _rounded(recall)
            f = f_measure(precision, recall, beta) if alpha < 0 else weighted_f(precision, recall, alpha)
            scores += precision, recall, _rounded(f) if rounded else f
        return [*scores, *map(float, row[3 * len(weights) :])]

    return _each(rows, n_columns(rows), score)


def chrf_scores(
    rows: Rows, beta: float = 2.0, eps_smoothing: bool = False, percent: bool = False, parts: bool = False
) -> Any:
    """Compute chrF: F of the mean precision and the mean recall over all orders.

    Parameters
    ----------
    rows : int64 or float64, shape (..., 3 n_orders)
        The hypothesis's n-grams of every order, then the reference's, then the common ones.
    beta : float
        Recall is beta times as important as precision.
    eps_smoothing : bool
        Average F over all orders, instead of precision and recall over the orders that both sides have.
    percent : bool
        chrF from 0 to 100, as sacreBLEU makes it.
    parts : bool
        Return what the score is made of as well, from 0 to 1.

    Returns
    -------
    float64, shape (1, ...), or (3 + 3 n_orders, ...) with `parts`; a list for a single row
        chrF; then mean precision and mean recall without `eps_smoothing`; precision, recall and F of every order.

    References
    ----------
    Popović (2015), chrF: character n-gram F-score for automatic MT evaluation, section 2; sacreBLEU, `chrf.py`.

    Examples
    --------
    >>> chrf_scores([4, 2, 4, 2, 2, 1], parts=True)[:3]
    [0.5, 0.5, 0.5]
    """
    if n_columns(rows) % 3 or not n_columns(rows):
        raise ValueError("rows: expected three numbers for every order")

    def score(row: Sequence[float]) -> list[float]:
        n_orders = len(row) // 3
        precisions, recalls, fs, both = [], [], [], []
        for hypothesis, reference, matches in zip(
            row[:n_orders], row[n_orders : 2 * n_orders], row[2 * n_orders :], strict=True
        ):
            # In sacreBLEU hypotheses have no n-grams of an order that the reference lacks.
            both.append(hypothesis > 0 and reference > 0)
            precision, recall = ratio(matches, hypothesis), ratio(matches, reference)
            if eps_smoothing:
                precision = precision if both[-1] else CHRF_EPSILON
                recall = recall if reference > 0 else CHRF_EPSILON
            precisions.append(precision)
            recalls.append(recall)
            has_f = beta**2 * precision + recall > 0
            fs.append(f_measure(precision, recall, beta) if has_f else CHRF_EPSILON)
        means = [ratio(_in_order(side, both), sum(both)) for side in (precisions, recalls)]
        whole = 100 if percent else 1
        if eps_smoothing:
            chrf = whole * _in_order(fs, [True] * n_orders) / n_orders
        else:
            chrf = whole * f_measure(means[0], means[1], beta)
        return [chrf, *means, *precisions, *recalls, *fs] if parts else [chrf]

    return _each(rows, 3 + n_columns(rows) if parts else 1, score)


def ter_scores(rows: Rows) -> Any:
    """Divide edits by words of the references; without words, 1 if there is an edit, else 0.

    Parameters
    ----------
    rows : int64 or float64, shape (..., 2)

    Returns
    -------
    float64, shape (1, ...); a list for a single row

    References
    ----------
    Snover et al. (2006), A Study of Translation Edit Rate with Targeted Human Annotation, section 2.

    Examples
    --------
    >>> ter_scores([[4, 13], [2, 0], [0, 0]])
    [[0.3076923076923077, 1.0, 0.0]]
    """
    if n_columns(rows) != 2:
        raise ValueError("rows: expected two numbers each")
    return _each(rows, 1, lambda row: [row[0] / row[1] if row[1] > 0 else float(row[0] > 0)])


def meteor_scores(
    rows: Rows, alpha: float = 0.9, beta: float = 3.0, gamma: float = 0.5,
    n_threads: int = 1,  # noqa: ARG001
) -> Any:  # fmt: skip
    """Compute METEOR: nltk's operations in nltk's order, so that it has nltk's bits.

    Parameters
    ----------
    rows : int64 or float64, shape (..., 4)
        Matches, chunks, words of the hypothesis and of the reference.
    alpha, beta, gamma : float
        The weight of recall in the mean, the power of the penalty and its largest value.

    Returns
    -------
    float64, shape (1, ...); a list for a single row
        0 without a match, or without words on one side.

    References
    ----------
    Banerjee and Lavie (2005), METEOR, section 2; Lavie and Agarwal (2007), section 2.

    Examples
    --------
    >>> meteor_scores([3, 1, 3, 3])
    [0.9814814814814815]
    """
    if n_columns(rows) != 4:
        raise ValueError("rows: expected four numbers each")

    def score(matches: float, chunks: float, n_hypothesis: float, n_reference: float) -> float:
        if not (matches and n_hypothesis and n_reference):
            return 0.0
        precision, recall = matches / n_hypothesis, matches / n_reference
        # Where alpha is 0 or 1 nothing divides by zero: with a match neither share is 0.
        mean = (precision * recall) / (alpha * precision + (1 - alpha) * recall)
        return float((1 - gamma * (chunks / matches) ** beta) * mean)

    return _each(rows, 1, lambda row: [score(*row)])


def error_rates(rows: Rows) -> Any:
    """Return word error rate, match error rate, word information lost and preserved, of words or characters.

    Parameters
    ----------
    rows : int64 or float64, shape (..., 4)
        Hits, substitutions, deletions, insertions.

    Returns
    -------
    float64, shape (4, ...); a list for a single row
        (S + D + I) / (H + S + D), (S + D + I) / (H + S + D + I), 1 - P and P, which is H / (H + S + D) times
        H / (H + S + I). Without a token of the references the first is I, and P is 1 if nothing was said: as jiwer 4.

    References
    ----------
    Morris, Maier and Green (2004), From WER and RIL to MER and WIL, section 2.

    Examples
    --------
    >>> error_rates([[2, 1, 0, 1], [0, 0, 0, 0], [0, 0, 0, 3]])
    [[0.6666666666666666, 0.0, 3.0], [0.5, 0.0, 1.0], [0.6666666666666667, 0.0, 1.0], [0.3333333333333333, 1.0, 0.0]]
    """
    if n_columns(rows) != 4:
        raise ValueError("rows: expected four numbers each")
    return _each(rows, 4, _error_rates)


def _error_rates(row: Sequence[float]) -> list[float]:
    hits, substitutions, deletions, insertions = row
    reference, hypothesis = hits + substitutions + deletions, hits + substitutions + insertions
    edits = substitutions + deletions + insertions
    preserved = ratio(hits, reference) * ratio(hits, hypothesis) if reference > 0 else float(not hypothesis > 0)
    return [
        edits / reference if reference > 0 else float(insertions),
        ratio(edits, hits + edits), 1 - preserved, preserved,
    ]  # fmt: skip


def sari_scores(
    rows: Rows, f_of_deletion: bool = True, mean_first: bool = False,
    n_threads: int = 1,  # noqa: ARG001
) -> Any:  # fmt: skip
    """Compute SARI: the mean of how well n-grams are kept, deleted and added.

    Parameters
    ----------
    rows : int64 or float64, shape (..., 12) or (..., 36)
        Those of `sari_shares`, or sums of those of `sari_counts`.
    f_of_deletion : bool
        Of counts, judge deletion by F as the others, not by precision alone.
    mean_first : bool
        Of counts, take F of the mean precision and the mean recall over the orders, as the paper writes it, not the
        mean of F over the orders.

    Returns
    -------
    float64, shape (4, ...); a list for a single row
        SARI, and its parts: keep, delete, add. Of counts, nothing to judge is 0.

    References
    ----------
    Xu et al. (2016), section 4; Alva-Manchego et al. (2019), EASSE, section 3.

    Examples
    --------
    >>> [round(score, 3) for score in sari_scores([1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.0])]
    [0.5, 0.25, 0.75, 0.5]
    """
    if n_columns(rows) not in (12, 36):
        raise ValueError("rows: expected 12 or 36 numbers each")

    def score(row: Sequence[float]) -> list[float]:
        if len(row) == 12:
            keep, delete, add = (_mean_of_orders(row[i : i + 4]) for i in (0, 4, 8))
        else:
            by_part = [(row[i : i + 4], row[i + 4 : i + 8], row[i + 8 : i + 12]) for i in (0, 12, 24)]
            keep, delete, add = (
                _part(*counts, is_f=f_of_deletion or i != 1, mean_first=mean_first) for i, counts in enumerate(by_part)
            )
        return [(keep + delete + add) / 3, keep, delete, add]

    return _each(rows, 4, score)


def _part(
    right: Sequence[float], own: Sequence[float], wanted: Sequence[float], *, is_f: bool, mean_first: bool
) -> float:
    precisions, recalls = ([*map(ratio, right, side)] for side in (own, wanted))
    if mean_first:
        precision = _mean_of_orders(precisions)
        return _f1(precision, _mean_of_orders(recalls)) if is_f else precision
    return _mean_of_orders([*map(_f1, precisions, recalls)] if is_f else precisions)


def _mean_of_orders(values: Sequence[float]) -> float:
    return _in_order(values, [True] * 4) / 4


def _f1(precision: float, recall: float) -> float:
    return ratio(2 * precision * recall, precision + recall)


def nist_scores(rows: Rows) -> Any:
    """Compute NIST: the information per n-gram, summed over the orders, less for short hypotheses.

    Parameters
    ----------
    rows : float64, shape (..., 2 n_orders + 2)
        Those of `NgramInformation.rows`, or their sums.

    Returns
    -------
    float64, shape (n_orders + 2, ...); a list for a single row
        NIST, the factor for the length, and the information per n-gram of every order. An order without n-grams, and
        references without words, give 0.

    References
    ----------
    Doddington (2002), section 3, equation 3; nltk, `nist_score.py`.

    Examples
    --------
    >>> [round(score, 3) for score in nist_scores([3.0, 1.0, 2.0, 1.0, 4.0, 8.0])]
    [0.33, 0.132, 1.5, 1.0]
    """
    size = n_columns(rows)
    if size < 4 or size % 2:
        raise ValueError("rows: expected two numbers for every order, and two lengths")
    n = size // 2 - 1

    def score(row: Sequence[float]) -> list[float]:
        shares = [*map(ratio, row[:n], row[n : 2 * n])]
        penalty = _length_penalty(ratio(row[-2], row[-1]))
        return [_in_order(shares, [True] * n) * penalty, penalty, *shares]

    return _each(rows, n + 2, score)


def _length_penalty(lengths: float) -> float:
    """Return 1/2 where the hypotheses have two thirds of the words of the references."""
    if not 0 < lengths < 1:
        return min(lengths, 1.0)
    return math.exp(math.log(0.5) / math.log(1.5) ** 2 * math.log(lengths) ** 2)


def check_rows(
    rows: Rows, last: Sequence[float], max_order: int, smoothing: int, weights: Sequence[float], counting: int
) -> None:
    """Raise for arguments of `bleu_scores` that do not fit each other."""
    if not NONE <= smoothing <= METHOD_7:
        raise ValueError(f"smoothing: expected {NONE} to {METHOD_7}")
    if not PLAIN <= counting <= COCO:
        raise ValueError(f"counting: expected {PLAIN} to {COCO}")
    needed = max_order
    if smoothing in (METHOD_5, METHOD_7):
        needed = max(max_order, NLTK_NEXT_ORDER) if counting == NLTK else max_order + 1
    size = n_columns(rows)
    if max_order < 1 or size % 2 or size < 2 * needed + 2 or len(last) not in (0, size):
        raise ValueError(f"rows: expected two numbers for each of at least {needed} orders, and two lengths")
    if len(weights) not in (0, max_order):
        raise ValueError("weights: expected one for every order")


def n_columns(rows: Rows) -> int:
    """Return the number of columns of an array, or of nested lists."""
    if hasattr(rows, "shape"):
        return int(rows.shape[-1])
    while rows and isinstance(rows[0], list):
        rows = rows[0]
    return len(rows)


def _each(rows: Rows, n_scores: int, score: Callable[[Sequence[float]], list[float]]) -> Any:
    """Return the scores of every row, score by score, whatever the leading axes."""
    values = rows.tolist() if hasattr(rows, "tolist") else rows
    if getattr(rows, "ndim", 1) > 1 or (values and isinstance(values[0], list)):
        parts = [_each(row, n_scores, score) for row in values]
        return [[part[i] for part in parts] for i in range(n_scores)]
    return score(values)


def _parts(row: Sequence[float]) -> tuple[Sequence[float], Sequence[float], float, float]:
    """Return matches, totals and both lengths."""
    n_orders = (len(row) - 2) // 2
    return row[:n_orders], row[n_orders : 2 * n_orders], row[-2], row[-1]


def _bleu(
    row: Sequence[float],
    last: Sequence[float],
    smoothed: tuple[int, int, float, int],
    weights: Sequence[float],
    effective_order: bool,
    percent: bool,
) -> list[float]:
    """Return the scores of a row; `smoothed` are the arguments of `_smoothed`."""
    max_order, smoothing, value, counting = smoothed
    matches, totals, length, reference = _parts(row)
    shares = _smoothed(row, last, *smoothed)
    if counting == COCO:
        shares = [(match + COCO_TINY, total + COCO_SMALL) for match, total in shares]
    if counting == MTEVAL:
        shares = [share if total > 0 else (1, 1) for share, total in zip(shares, totals, strict=False)]
    elif smoothing not in (NONE, ADD_ONE) and not matches[0] > 0:
        # As in sacreBLEU and nltk, before smoothing.
        shares = [(0, 1)] * max_order
    # Where nltk's method 6 fails, there is nothing that it interpolates.
    is_zero = counting == NLTK and (
        not matches[0] > 0 or (smoothing == METHOD_6 and not matches[min(max_order, 3) - 1])
    )
    adds = smoothing == ADD_ONE or (smoothing == ADD_K and value != 0)
    is_left_out = [effective_order and not adds and not total > 0 for total in totals[:max_order]]
    used = _weights([*weights] or [1 / max_order] * max_order, is_left_out)
    precisions = [ratio(*share) for share in shares]
    percents = [ratio(100 * part, whole) for part, whole in shares]
    # With weights of any sum, a mean of percents is no percent.
    is_percent = counting == SACREBLEU and not weights
    mean = _geometric_mean(percents if is_percent else precisions, used, counting, has_weights=bool(weights))
    mean = 0.0 if is_zero else mean
    penalty = _brevity_penalty(length, reference, counting)
    bleu = penalty * mean
    if counting not in (SACREBLEU, NLTK, COCO) and reference == 0:
        # Else smoothing would credit a match with nothing.
        bleu = 0.0
    if percent != is_percent:
        bleu = bleu * 100 if percent else bleu / 100
    mean = mean / 100 if is_percent else mean
    return [bleu, penalty, ratio(length, reference), mean, *(percents if percent else precisions), *used]


def _smoothed(
    row: Sequence[float], last: Sequence[float], max_order: int, smoothing: int, value: float, counting: int
) -> list[Share]:
    """Return the smoothed precisions."""
    matches, totals, length, _ = _parts(row)
    plain: list[Share] = [*zip(matches, totals, strict=True)][:max_order]
    of_last, totals_of_last, length_of_last, _ = _parts(last)
    if smoothing == ADD_ONE:
        return [(match + 1, total + 1) for match, total in plain]
    if smoothing == ADD_K and (value or counting != NLTK):
        return [plain[0], *((match + value, total + value) for match, total in plain[1:])]
    if smoothing == FLOOR:
        return [(match or value, total) for match, total in plain]
    if smoothing == EPSILON:
        return [(match, total) if match else (value, 1) for match, total in plain]
    if smoothing == EXP:
        return _halved(plain, 0.0, length)
    if smoothing == METHOD_6:
        if counting == NLTK:
            return _interpolated_by_nltk(plain, length_of_last, value)
        return _interpolated(plain, totals, value)
    if smoothing in (METHOD_4, METHOD_7):
        plain = _halved(plain, value, length)
    if smoothing in (METHOD_5, METHOD_7):
        if counting == NLTK:
            following = _fraction(of_last[NLTK_NEXT_ORDER - 1], totals_of_last[NLTK_NEXT_ORDER - 1])
            return _averaged(
                [_fraction(*share) if match or share[0] == 0 else ratio(*share)
                 for match, share in zip(matches, plain, strict=False)], following,
            )  # fmt: skip
        return _averaged([ratio(*share) for share in plain], ratio(matches[max_order], totals[max_order]))
    if counting == NLTK and (smoothing == NONE or (smoothing == ADD_K and value == 0)):
        # As nltk does without smoothing.
        return [(match, total) if match else (sys.float_info.min, 1) for match, total in plain]
    return plain


def _fraction(part: float, whole: float) -> Fraction:
    """Return a precision as nltk has it, which computes with fractions until a float is among the numbers."""
    return Fraction(part) / Fraction(whole) if whole else Fraction(0)


def _halved(plain: list[Share], k: float, length: float) -> list[Share]:
    """Count half a match for the first order without a match, a quarter for the second, ...; with `k` as method 4."""
    halved: list[Share] = []
    power = 1
    for match, total in plain:
        share: Share = (match, total)
        if match == 0:
            power *= 2
            if not k:
                share = 1, power * total
            elif length > 1:
                # As in nltk; the paper multiplies by K / ln(length) at each order without matches.
                share = 1 / (power * k / math.log(length)), total
        halved.append(share)
    return halved


def _averaged(precisions: Sequence[Any], following: Any) -> list[Share]:
    """Average each precision with its smoothed lower and its unsmoothed higher neighbour."""
    averaged: list[Share] = []
    below = precisions[0] + 1
    for precision, above in zip(precisions, [*precisions[1:], following], strict=True):
        below = (below + precision + above) / 3
        averaged.append((float(below), 1))
    return averaged


def _interpolated_by_nltk(plain: list[Share], length: float, alpha: float) -> list[Share]:
    """Mix each precision from order 3 on with p(n-1)^2 / p(n-2), in fractions where `alpha` is whole."""
    weight: Any = int(alpha) if alpha == int(alpha) else alpha
    precisions: list[Any] = [_fraction(*share) for share in plain[:2]]
    for i in range(2, len(plain)):
        lower, lowest = precisions[i - 1], precisions[i - 2]
        prior = lower**2 / lowest if lowest else 0
        total = max(Fraction(length) - i, 0) + weight
        # Of nothing, with a weight of 0: nltk divides by 0.
        precisions.append((Fraction(plain[i][0]) + weight * prior) / total if total else 0)
    return [(float(precision), 1) for precision in precisions]


def _interpolated(plain: list[Share], totals: Sequence[float], alpha: float) -> list[Share]:
    """Mix each precision from order 3 on with p(n-1)^2 / p(n-2)."""
    shares = plain[:2]
    for i in range(2, len(plain)):
        lower, lowest = ratio(*shares[i - 1]), ratio(*shares[i - 2])
        shares.append((plain[i][0] + alpha * ratio(lower * lower, lowest), totals[i] + alpha))
    return shares


def _weights(weights: list[float], is_left_out: list[bool]) -> list[float]:
    """Distribute the weights of orders that are left out over the others."""
    kept = [0.0 if is_out else weight for weight, is_out in zip(weights, is_left_out, strict=True)]
    sums = [_in_order(side, [True] * len(side)) for side in (weights, kept)]
    return kept if sums[0] == sums[1] else [ratio(weight * sums[0], sums[1]) for weight in kept]


def _geometric_mean(precisions: list[float], weights: list[float], counting: int, *, has_weights: bool) -> float:
    """Return the weighted geometric mean, 0 if one of the precisions is 0 unless nltk skips it."""
    if counting == COCO:
        return _product(precisions) ** (1 / len(precisions))
    used = [(p, weight) for p, weight in zip(precisions, weights, strict=True) if weight > 0]
    if counting == NLTK:
        used = [(p, weight) for p, weight in used if p > 0]
        return math.exp(math.fsum(weight * math.log(p) for p, weight in used))
    if not used or not all(p for p, _ in used):
        return 0.0
    if has_weights or counting == PLAIN:
        return math.exp(sum([weight * math.log(p) for p, weight in used]))
    logs = [math.log(p) for p, _ in used]
    # Perl adds without compensation.
    return math.exp((sum(logs) if counting == SACREBLEU else _in_order(logs, [True] * len(logs))) / len(logs))


def _product(factors: list[float]) -> float:
    product = 1.0
    for factor in factors:
        product *= factor
    return product


def _brevity_penalty(length: float, reference: float, counting: int) -> float:
    if counting == COCO:
        lengths = (length + COCO_TINY) / (reference + COCO_SMALL)
        return math.exp(1 - 1 / lengths) if lengths < 1 else 1.0
    if length == 0:
        return 0.0
    if counting != PLAIN:
        return math.exp(1 - reference / length) if length < reference else 1.0
    # The `bleu` module divides 1 by the ratio.
    lengths = ratio(length, reference)
    return 1.0 if reference == 0 or lengths > 1 else math.exp(1 - 1 / lengths)


def _in_order(values: Sequence[float], is_counted: Sequence[bool]) -> float:
    """Add one number after the other, each sum rounded: Python's `sum` may be more exact."""
    total = 0.0
    for value, counts in zip(values, is_counted, strict=True):
        if counts:
            total += value
    return total

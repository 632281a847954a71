"""Counts for the recorded figures of ROUGE-1.5.5.pl: limits, sentences, unions, skip-bigrams together."""

import json
from pathlib import Path

import numpy as np
import pytest

from kernel.material import listed, offsets

RECORDED = json.loads((Path(__file__).parent.parent / "data" / "rouge155_own.json").read_text(encoding="utf-8"))
# Its other options choose among references and weigh precision and recall, which no kernel does.
OPTION_SETS = ["base", "l10", "b75", "w2_skip0"]
TOLERANCE = 1.1e-5


def tokens_of(kernel, columns, bounds, options):
    """Limit and cut texts as the script does."""
    lines = columns
    if n := options["limit_words"]:
        columns = lines = tuple(kernel.first_words(column, n) for column in columns)
    elif n := options["limit_bytes"]:
        lines = tuple(kernel.first_bytes_of_long_line(column, n) for column in columns)
        columns = tuple(kernel.first_bytes(column, n) for column in columns)
    return kernel.cut(kernel.Cutter("rouge-1.5.5"), *columns, bounds, sentences=True, lines=lines)


def skip_pairs(n, gap):
    return sum(min(n - i - 1, n if gap < 0 else gap + 1) for i in range(n))


def units(order):
    return np.array([order], np.int32)


def counts(kernel, tokens, label):
    """Matches and units of both sides, pair by pair."""
    ends, first = listed(tokens.offsets), listed(tokens.sentence_offsets)
    texts = np.array(listed(tokens.text_sentences))
    left, *rights = np.diff(ends).tolist()
    sentences = [np.diff(first[start : stop + 1]).tolist() for start, stop in zip(texts[1:-1], texts[2:], strict=True)]
    kind = label.removeprefix("ROUGE-")
    if kind.isdigit():
        return list(zip(*(row[0] for row in listed(kernel.pair_counts(tokens, units(kind)))), strict=True))
    if kind == "L":
        return listed(kernel.union_lcs(tokens, "texts")), [left] * len(rights), list(map(sum, sentences))
    if kind.startswith("W-"):
        weight = float(kind[2:])
        totals = [sum(n**weight for n in lengths) ** weight for lengths in sentences]
        return listed(kernel.union_weighted_lcs(tokens, weight, "texts")), [left**weight] * len(rights), totals
    gap = -1 if kind.endswith("*") else int(kind.lstrip("SU"))
    lengths = [left] * len(rights), rights
    sides = [listed(kernel.skip_bigram_matches(tokens, gap)), *([skip_pairs(n, gap) for n in side] for side in lengths)]
    if kind.startswith("SU"):
        unigrams = zip(*(row[0] for row in listed(kernel.pair_counts(tokens, units(1), drops_last=True))), strict=True)
        sides = [[a + b for a, b in zip(*pair, strict=True)] for pair in zip(sides, unigrams, strict=True)]
    return sides


@pytest.mark.parametrize("name", OPTION_SETS)
def test_recall_and_precision(kernel, name):
    options, n_figures, differing = RECORDED["option_sets"][name], 0, []
    for case in RECORDED["cases"]:
        columns = kernel.texts(["\n".join(case["predictions"])]), kernel.texts(list(map("\n".join, case["references"])))
        tokens = tokens_of(kernel, columns, offsets([len(columns[1])]), options)
        for label, figures in case["expected"].get(name, {}).items():
            root = 1 / float(label[8:]) if label.startswith("ROUGE-W") else 1
            matches, *totals = map(sum, counts(kernel, tokens, label))
            found = [(matches / total) ** root if total else 0.0 for total in reversed(totals)]
            if any(abs(a - b) > TOLERANCE for a, b in zip(found, figures, strict=False)):
                differing.append((case["id"], label, found, figures))
            n_figures += 1
    assert n_figures >= 200
    assert differing == []

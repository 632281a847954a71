"""SARI as the Hub's module computes it: a loop over segments, with counters of n-grams as strings."""

from collections import Counter

from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a


def corpus_sari(sources, predictions, references):
    """Return SARI from 0 to 100: the mean over segments."""
    # A new tokenizer per call, since it caches lines.
    cut = Tokenizer13a()
    total = 0
    for source, prediction, group in zip(sources, predictions, references, strict=True):
        total += segment_sari(*(cut(text.lower()).split(" ") for text in (source, prediction, *group)))
    return 100 * (total / len(predictions))


def segment_sari(source, prediction, *references):
    """Return the mean of keep, delete and add, from 0 to 1."""
    by_order = [
        parts(ngrams(source, n), ngrams(prediction, n), [gram for text in references for gram in ngrams(text, n)],
              len(references))
        for n in range(1, 5)
    ]  # fmt: skip
    means = [sum(scores) / 4 for scores in zip(*by_order, strict=True)]
    return sum(means) / 3


def ngrams(words, n):
    return [" ".join(words[i : i + n]) for i in range(len(words) - n + 1)]


def f1(precision, recall):
    return 2 * precision * recall / (precision + recall) if precision > 0 or recall > 0 else 0


def parts(source, prediction, references, n_references):
    """Return keep, delete and add of one order; 0/0 is 1."""
    wanted = Counter(references)
    of_source, of_prediction = (
        Counter({gram: count * n_references for gram, count in Counter(side).items()}) for side in (source, prediction)
    )
    kept, to_keep = of_source & of_prediction, of_source & wanted
    right = kept & wanted
    precision = sum(right[gram] / kept[gram] for gram in right) / len(kept) if kept else 1
    recall = sum(right.values()) / sum(to_keep.values()) if to_keep else 1
    gone = of_source - of_prediction
    rightly = gone - wanted
    delete = sum(rightly[gram] / gone[gram] for gram in rightly) / len(gone) if gone else 1
    added, new = of_prediction.keys() - of_source.keys(), wanted.keys() - of_source.keys()
    n = len(added & new)
    return f1(precision, recall), delete, f1(n / len(added) if added else 1, n / len(new) if new else 1)

"""A valid call of every function, by its name, and the values that the calls of the record of behaviour name."""

from functools import partial, wraps
from math import nan

import numpy as np
import textgauge
import toys

VERBS = ("sat", "ran", "sang and ate", "is")
REFS = [f"the {noun} {verb} here" for noun in ("cat", "dog", "old man") for verb in VERBS]
A = [text.replace("the", "a") if i % 3 else text for i, text in enumerate(REFS)]
B = [text.replace("here", "there") if i % 4 else text for i, text in enumerate(REFS)]
C = [text if i % 5 else "" for i, text in enumerate(REFS)]
DOCS = [f"d{i // 3}" for i in range(12)]
PEOPLE = {"a": [1, 2, 3, 3, None, 0], "b": [2, 2, 3, 1, 2, 1], "c": [0, 1, 3, nan, 3, 0]}
OURS = {"a": [0.1, 0.2, 0.3, 0.3, 0.4, 0.1], "b": [0.3, 0.2, 0.5, 0.1, 0.1, 0.2], "c": [0.0, 0.3, 0.3, 0.1, 0.2, 0.0]}
THEIRS = {name: scores[::-1] for name, scores in OURS.items()}
CLASSES = {name: [int(score or 0) % 2 for score in scores] for name, scores in THEIRS.items()}
RATED = [
    {"system": name, "segment": i, "score": score, "judge": OURS[name][i], "prediction": A[i], "reference": REFS[i],
     "doc": i // 2}
    for name, scores in PEOPLE.items() for i, score in enumerate(scores)
]  # fmt: skip
RATINGS = {"x": [1, 2, 3, 3, None, 1, 2], "y": [1, 2, 2, 3, 1, None, 2], "z": [1, 3, 3, 3, 1, 1, nan]}
TWO = {name: RATINGS[name] for name in "xy"}
WORDS = {"x": ["yes", "no", "", "yes", "no"], "y": ["yes", "no", "yes", "no", None]}
VERDICTS = {
    "first": ["a", "b", "a", "b", "a", "c"], "second": ["b", "a", "b", "a", "c", "a"],
    "winner": ["a", "b", "tie", None, "c", "tie"], "item": [1, 1, 2, 2, 3, 3], "first_length": [3, 4, 5, 6, 2, None],
    "second_length": [4, 4, 1, 7, 9, 1],
}  # fmt: skip
SAMPLES = {"p": [1, 0, 1, 1], "q": [0, 0, 1], "r": [1, True, 1, 0, 0]}
ROWS = {"summary": A, "gold": REFS, "doc": DOCS, "empty": [None, *A[1:]]}
SENTENCES = ["It's 3.5%, isn't it?", "Gr\u00f6\u00dfe\u00a05 km\u2026 \U0001f44d\U0001f3fd \u732b\u304c"]
IDS = [[1, 2, 3, 0], [4, 5, 0, 0]], [[1, 2, 3, -100], [1, 5, 6, -100]]
TOKENS = toys.Words("the", "cat", "sat", "a", "dog", "mat")


@wraps(textgauge.score_dataset)
def score_dataset(dataset, metric, **options):
    import datasets

    datasets.disable_progress_bars()
    is_right = isinstance(dataset, dict) and all(isinstance(column, list) for column in dataset.values())
    return textgauge.score_dataset(datasets.Dataset.from_dict(dataset) if is_right else dataset, metric, **options)


@wraps(textgauge.explain)
def explain(predictions, references, **options):
    return str(textgauge.explain(predictions, references, **options))


@wraps(textgauge.scorer)
def scorer(metric, dataset=ROWS, **options):
    return textgauge.scorer(metric, **options)(dataset)


@wraps(textgauge.rewards.Reward)
def reward(metric, completions=A[:4], answer=REFS[:4], **options):
    made = textgauge.rewards.Reward(metric, **options)
    return made(completions=completions, answer=answer, source=A[:4], prompts=["p", "p", "q", "q"])


@wraps(textgauge.trainer.compute_metrics)
def compute_metrics(tokenizer, metrics, ids=IDS, **options):
    return textgauge.trainer.compute_metrics(tokenizer, metrics, **options)(tuple(map(np.array, ids)))


CALLS = {
    "compare": partial(
        textgauge.compare, systems={"a": A, "b": B, "c": C}, references=REFS, metric="rougeL", n_resamples=60,
        test=None, seed=None, confidence=0.95, p_value="two-sided", unit=None,
    ),
    "plan": partial(textgauge.plan, system1=A, system2=B, references=REFS, metric="rougeL", n_resamples=60),
    "agreement": partial(textgauge.agreement, human=PEOPLE, metrics={"ours": OURS}, n_resamples=30),
    "raters": partial(textgauge.raters, ratings=TWO, confidence=None, n_resamples=30),
    "win_rates": partial(textgauge.win_rates, verdicts=VERDICTS, n_resamples=30),
    "pass_at_k": partial(textgauge.pass_at_k, scores=SAMPLES),
    "pairwise": partial(textgauge.pairwise, predictions=A[:4], references=B[:3], metric="chrf"),
    "mbr": partial(textgauge.mbr, candidates=A[:4], metric="chrf"),
    "segment_scores": partial(textgauge.segment_scores, metric="chrf", predictions=A[:3], references=REFS[:3]),
    "explain": partial(explain, predictions=A[:1], references=REFS[:1], metric="rouge1"),
    "matches": partial(textgauge.matches, predictions=A[:1], references=REFS[:1], metric="rouge1"),
    "scorer": partial(scorer, metric="chrf", prediction_column="summary", reference_column="gold"),
    "score_dataset": partial(
        score_dataset, dataset=ROWS, metric="chrf", prediction_column="summary", reference_column="gold", batch_size=5
    ),
    "Reward": partial(reward, metric="chrf"),
    "compute_metrics": partial(compute_metrics, tokenizer=TOKENS, metrics=("rougeL", "chrf")),
    "tokenize": partial(textgauge.tokenize, texts=SENTENCES, tokenizer="13a"),
    "self_bleu": partial(textgauge.self_bleu, predictions=A),
    "diversity": partial(textgauge.diversity, predictions=A),
    "perplexity": partial(textgauge.perplexity, probs=[[0.5, 0.25], [0.1]]),
    "path": partial(textgauge.path, name="rewards/verl"),
    "set_num_threads": partial(textgauge.set_num_threads, n_threads=None),
}  # fmt: skip

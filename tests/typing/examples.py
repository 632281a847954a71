"""What type checkers say of calls, checked by mypy and pyright, never run: a line with `type: ignore` must be an error.

Both report an ignored error that does not occur: `warn_unused_ignores`, `reportUnnecessaryTypeIgnoreComment`.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import textgauge
from typing_extensions import assert_type

texts = ["a cat"]


def one_call(generated: Iterator[str], array: np.ndarray[Any, np.dtype[np.str_]]) -> None:
    assert_type(textgauge.bleu(texts, texts, max_order=3, smoothing="exp", weights=[1, 0.5, 0.5]), dict[str, Any])
    assert_type(textgauge.sacrebleu(tuple(texts), [texts], tokenizer="13a", lowercase="ascii"), dict[str, Any])
    assert_type(textgauge.rouge(generated, (texts,), rouge_types=("rougeL",), detailed=True), dict[str, Any])
    assert_type(textgauge.rouge(texts, texts, stopwords=Path("words"), aggregator=None), dict[str, Any])
    assert_type(textgauge.chrf(array, [array], beta=3, confidence=0.95, seed=1), dict[str, Any])
    assert_type(textgauge.ter(texts, (one for one in texts), case_sensitive=True), dict[str, Any])
    assert_type(textgauge.token_f1(texts, texts, normalizer=str.lower, tokenizer=str.split), dict[str, Any])
    rows = [{"id": 1, "prediction_text": "a"}], [{"id": 1, "answers": {"text": ["a"]}}]
    assert_type(textgauge.squad(*rows, per_segment=True), dict[str, Any])
    assert_type(textgauge.perplexity(texts, model_id=Path("model"), prefixes=texts, stride=8), dict[str, Any])
    assert_type(textgauge.perplexity(log_probs=[[-1.0]], base=2, texts=texts), dict[str, Any])


def options_are_known() -> None:
    textgauge.bleu(["a"], ["b"], max_ordr=3)  # type: ignore[call-arg]
    textgauge.bleu(["a"], ["b"], None)  # type: ignore
    textgauge.bleu(["a"], ["b"], detailed=True)  # type: ignore[call-arg]
    textgauge.sacrebleu(["a"], ["b"], preset="nltk")  # type: ignore[call-arg]
    textgauge.Ter(word_order=2)  # type: ignore[call-arg]
    textgauge.Ter().score(normalized=True)  # type: ignore[call-arg]
    textgauge.Perplexity().update_texts(texts, bath_size=2)  # type: ignore[call-arg]


def options_have_types() -> None:
    textgauge.bleu(["a"], ["b"], max_order="3")  # type: ignore[arg-type]
    textgauge.bleu(["a"], ["b"], smoothing="expo")  # type: ignore[arg-type]
    textgauge.bleu(["a"], ["b"], lowercase="unicode")  # type: ignore[arg-type]
    textgauge.chrf(["a"], ["b"], beta=None)  # type: ignore[arg-type]
    textgauge.Rouge(multi_reference="worst")  # type: ignore[arg-type]
    textgauge.TokenF1(tokenizer=len)  # type: ignore[arg-type]


def texts_have_types(nested: list[list[str]]) -> None:
    textgauge.bleu(["a"])  # type: ignore[call-arg]
    textgauge.bleu([1], ["a"])  # type: ignore[list-item]
    textgauge.rouge(nested, ["a"])  # type: ignore[arg-type]
    textgauge.rouge(["a"], [nested])  # type: ignore[list-item]
    textgauge.Ter().update(["a"], None)  # type: ignore[arg-type]


class Own(textgauge.Rouge):
    """A class of a user."""


def accumulators(table: Any) -> None:
    first = textgauge.Bleu(preset="nltk", smooth_value=None).update(texts, texts)
    assert_type(first + textgauge.Bleu().update(texts, [texts]), textgauge.Bleu)
    assert_type(first.score(all_orders=True), dict[str, Any])
    assert_type(first.signature, str)
    assert_type(len(first), int)
    # PyArrow has no types.
    again = textgauge.Chrf.from_arrow(table, word_order=2)  # pyright: ignore[reportUnknownMemberType]
    assert_type(again, textgauge.Chrf)
    assert_type(textgauge.Perplexity().update(probs=[[0.5]]), textgauge.Perplexity)
    assert_type(textgauge.Perplexity().update_texts(texts, batch_size=2), textgauge.Perplexity)
    assert_type(Own(rouge_types=["rouge1"]).update(texts, texts), Own)


def others() -> None:
    assert_type(textgauge.__version__, str)
    assert_type(textgauge.tokenize("a cat", tokenizer="13a"), list[Any])
    assert_type(textgauge.get_num_threads(), int)
    assert_type(textgauge.path("bleu"), str)
    assert_type(textgauge.NgramModel(2).fit(texts), textgauge.NgramModel)
    assert_type(textgauge.compare([texts, texts], texts, metric="chrf")[0].score1, float)
    assert_type(textgauge.matches(texts, texts, metric="bleu")[0].best, int)
    textgauge.compare([texts, texts], texts, "chrf")  # type: ignore
    assert_type(textgauge.segment_scores("chrf", texts, texts), npt.NDArray[np.float64])
    assert_type(textgauge.pairwise(texts, metric="chrf", top=1)[1], npt.NDArray[np.int64])
    assert_type(textgauge.mbr(texts, metric="chrf").best, int)
    assert_type(textgauge.mbr([texts], metric="chrf", references=[texts]).best, npt.NDArray[np.int64])
    textgauge.pairwise(texts, texts)  # type: ignore
    textgauge.blur(texts, texts)  # type: ignore[attr-defined]

"""ROUGE for `evaluate.load`."""

import datasets
import evaluate
from textgauge import modules
from textgauge.measures.rouge import Rouge as RougeStatistics

_DESCRIPTION = """\
ROUGE measures how much of a reference summary, in n-grams and longest common subsequences,
also stands in a generated one.
"""

_CITATION = """\
@inproceedings{lin-2004-rouge,
    title = "{ROUGE}: A Package for Automatic Evaluation of Summaries",
    author = "Lin, Chin-Yew",
    booktitle = "Text Summarization Branches Out",
    year = "2004",
    pages = "74--81",
}
"""

_KWARGS_DESCRIPTION = """
Args:
    predictions: list of str, one summary per segment.
    references: list of str, or list of lists of str (best F counts).
    rouge_types: list of "rouge1", "rouge2", ..., "rougeL", "rougeLsum".
    use_aggregator: True gives the mean over segments, False lists.
    use_stemmer: Porter stems instead of tokens.
    tokenizer: None, a name, or a callable str -> list.
    aggregator: "mean", or "bootstrap" for the reference module's number at the same seed.
    detailed: True gives precision, recall and fmeasure per type.
    beta: weight of recall against precision in F.
    split_summaries: True splits sentences for rougeLsum at end marks, not only at newlines.
    signature: True adds `signature`, the line that says what was computed.
    confidence: adds `confidence_intervals`, [low, high] per type; 0.95 for 95 percent.
    n_resamples: of the bootstrap behind it.
    seed: of that bootstrap and of aggregator="bootstrap"; None is 12345.
Returns:
    one F per type
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _KWARGS_DESCRIPTION)
class Rouge(modules.TextMetric):
    def _info(self):
        text = datasets.Value("string")
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_KWARGS_DESCRIPTION,
            features=[
                datasets.Features({"predictions": text, "references": datasets.Sequence(text)}),
                datasets.Features({"predictions": text, "references": text}),
            ],
            reference_urls=["https://aclanthology.org/W04-1013"],
        )

    def _check(
        self, use_aggregator=True, aggregator="mean", detailed=False, signature=False, confidence=None,
        n_resamples=1000, seed=None, **options,
    ):  # fmt: skip
        modules.flag("use_aggregator", use_aggregator)
        modules.flag("detailed", detailed)
        modules.flag("signature", signature)
        modules.one_of("aggregator", aggregator, ("mean", "bootstrap"))
        modules.BootstrapOptions(confidence, n_resamples, seed)
        RougeStatistics(**options)

    def _score(
        self, corpus, *, rouge_types=None, use_aggregator=True, use_stemmer=False, tokenizer=None,
        aggregator="mean", detailed=False, beta=1.0, split_summaries=False, confidence=None,
        n_resamples=1000, seed=None, signature=False,
    ):  # fmt: skip
        statistics = RougeStatistics(
            rouge_types=rouge_types, use_stemmer=use_stemmer, tokenizer=tokenizer, beta=beta,
            split_summaries=split_summaries,
        )  # fmt: skip
        return statistics.update_corpus(corpus).score(
            use_aggregator=use_aggregator, aggregator=aggregator, detailed=detailed, confidence=confidence,
            n_resamples=n_resamples, seed=seed, signature=signature,
        )  # fmt: skip

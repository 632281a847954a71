"""ROUGE for `evaluate.load`."""

import datasets
import evaluate
import textgauge
from textgauge import modules

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
    references: list of str, or list of lists of str.
    rouge_types: list of "rouge1", "rouge2", ..., "rougeL", "rougeLsum", "rougeW", "rougeW-1.5",
        "rougeS", "rougeS4", "rougeSU", "rougeSU4".
    use_aggregator: True gives the mean over segments, False lists.
    use_stemmer: Porter stems instead of tokens.
    tokenizer: None, a name, or a callable str -> list.
    aggregator: "mean", "bootstrap" for the reference module's number at the same seed, or
        "rouge-1.5.5" for the average that the script prints.
    detailed: True gives precision, recall and fmeasure per type.
    beta: weight of recall against precision in F.
    alpha: the same in place of beta, 1 / (1 + beta^2): 0.5 is F1, 1 precision, 0 recall.
    weight: exponent of run lengths in "rougeW".
    split_summaries: True splits sentences for rougeLsum at end marks, not only at newlines.
    multi_reference: "best" F counts, "average" over references, or counts "pooled" over them.
    jackknife: True leaves out each reference in turn and averages the scores.
    stopwords: tokens to leave out: a file with one a line, or a list.
    exceptions: folder with WordNet's *.exc files, irregular forms for use_stemmer.
    max_words: read only so many words of every text.
    max_bytes: read only so many bytes of every text.
    signature: True adds `signature`, the line that says what was computed.
    preset: "rouge-1.5.5" to do all as the ROUGE-1.5.5 script does.
    confidence: adds `confidence_intervals`, [low, high] per type; 0.95 for 95 percent.
    n_resamples: of the bootstrap behind it.
    seed: of that bootstrap and of aggregator="bootstrap"; None is 12345.
Returns:
    one F per type
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _KWARGS_DESCRIPTION)
class Rouge(modules.TextMetric):
    measure = textgauge.Rouge

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

"""Diversity of a set of texts for `evaluate.load`."""

import evaluate
import textgauge
from textgauge import modules
from textgauge.measures import diversity

_DESCRIPTION = """\
How different the texts of a set are from each other: distinct-n, n-gram diversity, self-BLEU,
self-repetition, compression ratio, homogenization. Garbage is diverse: read them beside a score of quality.
"""

_CITATION = """\
@inproceedings{zhu-etal-2018-texygen,
    title = "{T}exygen: A Benchmarking Platform for Text Generation Models",
    author = "Zhu, Yaoming and Lu, Sidi and Zheng, Lei and Guo, Jiaxian and Zhang, Weinan and Wang, Jun and Yu, Yong",
    booktitle = "The 41st International ACM SIGIR Conference on Research and Development in Information Retrieval",
    year = "2018",
    pages = "1097--1100",
}
@inproceedings{li-etal-2016-diversity,
    title = "A Diversity-Promoting Objective Function for Neural Conversation Models",
    author = "Li, Jiwei and Galley, Michel and Brockett, Chris and Gao, Jianfeng and Dolan, Bill",
    booktitle = "Proceedings of NAACL-HLT",
    year = "2016",
    pages = "110--119",
}
@article{shaib-etal-2024-standardizing,
    title = "Standardizing the Measurement of Text Diversity: A Tool and a Comparative Analysis of Scores",
    author = "Shaib, Chantal and Barrow, Joe and Sun, Jiuding and Siu, Alexa F. and Wallace, Byron C. and Nenkova, Ani",
    journal = "arXiv preprint arXiv:2403.00553",
    year = "2024",
}
"""

_KWARGS_DESCRIPTION = modules.arguments(
    diversity.Diversity,
    """
predictions: list of str, the texts of the set, at least 2.
groups (a list with a key per text, default None): score the texts of each key apart, and return means.
""",
    "distinct_1 to distinct_N, ngram_diversity, compression_ratio, self_bleu, self_repetition (nats), homogenization",
    """
>>> import evaluate
>>> import textgauge
>>> diversity = evaluate.load(textgauge.path("diversity"))
>>> result = diversity.compute(predictions=["one two three four five", "one two three four six"])
>>> result["distinct_1"], round(result["self_bleu"], 4)
(0.6, 0.6687)
""",
)


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _KWARGS_DESCRIPTION)
class Diversity(modules.UnpairedTextMetric):
    measure = diversity.Diversity
    function = textgauge.diversity

    def _info(self):
        return modules.info(
            _DESCRIPTION, _CITATION, _KWARGS_DESCRIPTION, "https://arxiv.org/abs/2403.00553", has_references=False
        )

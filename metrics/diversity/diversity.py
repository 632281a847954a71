"""Diversity of a set of texts for `evaluate.load`."""

import textgauge
from textgauge import modules
from textgauge.measures import diversity


class Diversity(modules.UnpairedTextMetric):
    """How different the texts of a set are from each other: distinct-n, n-gram diversity, self-BLEU,
    self-repetition, compression ratio, homogenization. Garbage is diverse: read them beside a score of quality.
    """

    accumulator = diversity.Diversity
    function = textgauge.diversity
    citation = """
    @inproceedings{zhu-etal-2018-texygen,
        title = "{T}exygen: A Benchmarking Platform for Text Generation Models",
        author = "Zhu, Yaoming and Lu, Sidi and Zheng, Lei and Guo, Jiaxian and Zhang, Weinan and Wang, Jun
            and Yu, Yong",
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
        author = "Shaib, Chantal and Barrow, Joe and Sun, Jiuding and Siu, Alexa F. and Wallace, Byron C.
            and Nenkova, Ani",
        journal = "arXiv preprint arXiv:2403.00553",
        year = "2024",
    }
    """
    urls = ("https://arxiv.org/abs/2403.00553",)
    inputs = """
    predictions: list of str, the texts of the set, at least 2.
    groups (a list with a key per text, default None): score the texts of each key apart, and return means.
    """
    returns = """
    distinct_1 to distinct_N, ngram_diversity, compression_ratio, self_bleu, self_repetition (nats), homogenization
    """
    examples = """
    >>> import evaluate
    >>> import textgauge
    >>> diversity = evaluate.load(textgauge.path("diversity"))
    >>> result = diversity.compute(predictions=["one two three four five", "one two three four six"])
    >>> result["distinct_1"], round(result["self_bleu"], 4)
    (0.6, 0.6687)
    """

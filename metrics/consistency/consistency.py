"""Consistency for `evaluate.load`."""

import textgauge
from textgauge import modules


class Consistency(modules.TranslationMetric):
    """Consistency says whether a document supports a text, such as its summary or an answer that was made from it, by a
    model of entailment. The figures are those of MiniCheck, AlignScore or SummaC-ZS, from 0 to 1, of SummaC from -1.
    """

    accumulator = textgauge.Consistency
    extra = "consistency"
    citation = """
    @inproceedings{tang-etal-2024-minicheck,
        title = "{M}ini{C}heck: Efficient Fact-Checking of {LLM}s on Grounding Documents",
        author = "Tang, Liyan and Laban, Philippe and Durrett, Greg",
        booktitle = "Proceedings of the 2024 Conference on Empirical Methods in Natural Language Processing",
        year = "2024",
    }
    @inproceedings{zha-etal-2023-alignscore,
        title = "{A}lign{S}core: Evaluating Factual Consistency with A Unified Alignment Function",
        author = "Zha, Yuheng and Yang, Yichi and Li, Ruichen and Hu, Zhiting",
        booktitle = "Proceedings of the 61st Annual Meeting of the Association for Computational Linguistics",
        year = "2023",
    }
    @article{laban-etal-2022-summac,
        title = "{S}umma{C}: Re-Visiting {NLI}-based Models for Inconsistency Detection in Summarization",
        author = "Laban, Philippe and Schnabel, Tobias and Bennett, Paul N. and Hearst, Marti A.",
        journal = "Transactions of the Association for Computational Linguistics",
        year = "2022",
    }
    """
    urls = (
        "https://aclanthology.org/2024.emnlp-main.499",
        "https://aclanthology.org/2023.acl-long.634",
        "https://aclanthology.org/2022.tacl-1.10",
    )
    inputs = """
    sources: list of str, the document that should support each prediction.
    predictions: list of str, one text per segment.
    The model is the configuration of evaluate.load, or model_id. References, if any, are left out.
    """
    returns = "consistency (from 0 to 1, of summac-zs from -1; higher is better)"
    examples = """
    >>> import evaluate
    >>> import textgauge
    >>> consistency = evaluate.load(textgauge.path("consistency"), "./none")
    >>> consistency.compute(sources=["It rained all day."], predictions=["It rained."])
    Traceback (most recent call last):
        ...
    FileNotFoundError: model_id: expected the path of a folder that exists, or the name of a model, got './none' (str)
    """

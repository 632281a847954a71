"""Paired bootstrap for `evaluate.load`."""

from textgauge import modules


class PairedBootstrap(modules.TextComparison):
    """The paired bootstrap tests whether one of two systems is really better: it resamples the segments and
    estimates how often a difference this large would occur if the systems did not differ.
    """

    test = "bootstrap"
    citation = """
    @inproceedings{koehn-2004-statistical,
        title = "Statistical Significance Tests for Machine Translation Evaluation",
        author = "Koehn, Philipp",
        booktitle = "Proceedings of the 2004 Conference on Empirical Methods in Natural Language Processing",
        year = "2004",
        pages = "388--395",
    }
    """
    urls = ("https://aclanthology.org/W04-3250",)
    p_values = '"two-sided", "one-sided" (the second is better) or "sacrebleu" (as its --paired-bs)'

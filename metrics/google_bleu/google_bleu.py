"""Google BLEU for `evaluate.load`."""

import textgauge
from textgauge import modules


class GoogleBleu(modules.TextMetric):
    """Google BLEU, or GLEU, is the smaller of n-gram precision and recall. The figures are nltk's, from 0 to 1."""

    accumulator = textgauge.GoogleBleu
    citation = """
    @article{wu-etal-2016-google,
        title = "Google's Neural Machine Translation System: Bridging the Gap between Human and Machine Translation",
        author = "Wu, Yonghui and Schuster, Mike and Chen, Zhifeng and Le, Quoc V. and Norouzi, Mohammad and others",
        journal = "arXiv preprint arXiv:1609.08144",
        year = "2016",
    }
    """
    urls = ("https://arxiv.org/abs/1609.08144",)
    examples = """
    >>> import evaluate
    >>> import textgauge
    >>> google_bleu = evaluate.load(textgauge.path("google_bleu"))
    >>> result = google_bleu.compute(predictions=["the cat sat"], references=[["the cat sits", "a cat sat"]])
    >>> round(result["google_bleu"], 4)
    0.5
    """

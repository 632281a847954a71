"""CpWER for `evaluate.load`."""

import textgauge
from textgauge import modules


class Cpwer(modules.TextMetric):
    """CpWER is the word error rate of transcripts of several speakers, whose names need not be those of the reference:
    speakers are assigned in the way that needs the fewest edits. 0 and above; lower is better.
    """

    accumulator = textgauge.Cpwer
    citation = """
    @inproceedings{watanabe20b_chime,
        title = "CHiME-6 Challenge: Tackling Multispeaker Speech Recognition for Unsegmented Recordings",
        author = "Watanabe, Shinji and Mandel, Michael and Barker, Jon and Vincent, Emmanuel and others",
        booktitle = "6th International Workshop on Speech Processing in Everyday Environments (CHiME 2020)",
        year = "2020",
        pages = "1--7",
    }
    """
    urls = ("https://arxiv.org/abs/2004.09249", "https://github.com/fgnt/meeteval")
    examples = r"""
    >>> import evaluate
    >>> import textgauge
    >>> cpwer = evaluate.load(textgauge.path("cpwer"))
    >>> result = cpwer.compute(predictions=["x\thow are you\ny\tfine"], references=["A\thow are you\nB\tfine thanks"])
    >>> result["cpwer"]
    0.2
    """

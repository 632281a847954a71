"""The sections of `metrics/FRAMEWORKS.md`, and what they score."""

import re

import numpy as np
import pytest
import textgauge
from conftest import ROOT
from textgauge.frameworks.corpus_score import CorpusScore
from textgauge.resampling import resampled_sums

PAGE = (ROOT / "metrics/FRAMEWORKS.md").read_text(encoding="utf-8")
PREDICTIONS = {"eins": "the cat sat on a mat", "zwei": "a dog barks at night"}
REFERENCES = {"eins": ["the cat sat on the mat", "a cat sat on a mat"], "zwei": ["the dog barks at night"]}
ROWS = [{"source": source, "references": texts} for source, texts in REFERENCES.items()]
TEXTS = [*PREDICTIONS.values()], [*REFERENCES.values()]


def blocks(section, language="python"):
    """The examples of a section."""
    text = PAGE.partition(f"\n## {section}\n")[2].partition("\n## ")[0]
    found = re.findall(rf"^```{language}\n(.*?)^```$", text, re.M | re.S)
    assert found
    return found


def needed(package, extra):
    """Skip where a package is missing, and say how it is installed."""
    return pytest.importorskip(package, reason=f'{package} is missing: pip install -e ".[{extra}]"')


def corpus(metric, **options):
    """The score of all texts in one call."""
    return getattr(textgauge, metric)(*TEXTS, **options)[metric]


def standard_error(metric, texts=TEXTS, groups=None):
    """Half the central 68.27% of the scores of resamples of groups, a number for each sample."""
    score, groups = CorpusScore(metric), np.arange(len(texts[0])) if groups is None else np.array(groups)
    n = len({*groups.tolist()})
    samples = [score.statistics(*pair) for pair in zip(*texts, strict=True)]
    weights = np.concatenate([*resampled_sums(np.eye(n, dtype=int), 1000, None)]).astype(int)
    drawn = [score.of_corpus([samples[i] for i in np.repeat(np.arange(len(samples)), row[groups])]) for row in weights]
    low, high = np.quantile(drawn, (0.15865, 0.84135))
    return (high - low) / 2

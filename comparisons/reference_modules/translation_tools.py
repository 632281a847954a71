"""BLEU, chrF and TER of other packages, and BLEU of scripts and modules that our tests restate."""

from __future__ import annotations

import logging
from functools import partial
from importlib import import_module
from itertools import zip_longest
from typing import Any

from .texts import Corpus
from .tool import Prepared, Scores, Tool, figures, of_tests

logging.getLogger("sacrebleu").setLevel(logging.ERROR)


def corpus_call(corpus: Corpus, module: str, metric: str, **options: Any) -> Prepared:
    """Call sacreBLEU's `corpus_bleu`, `corpus_chrf` or `corpus_ter`, or those of a package that follows it."""
    if module != "sacrebleu":
        corpus.one_reference()
    # A stream has one reference of every segment, and None for those that have fewer.
    streams = [list(stream) for stream in zip_longest(*corpus.references)]
    score = getattr(import_module(module), f"corpus_{metric}")
    read = _bleu_figures if metric == "bleu" else lambda result: {metric: [result.score]}
    return partial(score, corpus.predictions, streams, **options), read


def _bleu_figures(result: Any) -> Scores:
    return {
        "bleu": [result.score / 100],
        "precisions": [precision / 100 for precision in result.precisions],
        "brevity_penalty": [result.bp],
        "translation_length": [result.sys_len],
        "reference_length": [result.ref_len],
    }


def sentence_loop(corpus: Corpus, metric: str, **options: Any) -> Prepared:
    """Loop over segments with sacreBLEU's `sentence_score`, with one scorer per call, since it caches lines."""
    kind = getattr(import_module("sacrebleu"), metric.upper())
    rows = list(zip(corpus.predictions, corpus.references, strict=True))

    def call() -> list[float]:
        scorer = kind(**options)
        return [scorer.sentence_score(prediction, references).score for prediction, references in rows]

    # `textgauge.bleu` is from 0 to 1, `chrf` and `ter` from 0 to 100.
    scale = 100 if metric == "bleu" else 1
    return call, lambda result: {f"segment_{metric}": [score / scale for score in result]}


def nltk_corpus(corpus: Corpus, method: int | None = None) -> Prepared:
    """Call nltk's `corpus_bleu` on words between white space; `method` is a smoothing of Chen and Cherry (2014)."""
    from nltk.translate.bleu_score import SmoothingFunction, corpus_bleu

    smoothing = None if method is None else getattr(SmoothingFunction(), f"method{method}")

    def call() -> float:
        # Includes the split into words, as our call does.
        references = [[reference.split() for reference in texts] for texts in corpus.references]
        return corpus_bleu(references, [text.split() for text in corpus.predictions], smoothing_function=smoothing)

    return call, _one_figure


def rust_corpus(corpus: Corpus, smooth: bool = False) -> Prepared:
    """Call bleuscore: the reference `bleu` module in Rust."""
    texts = {"references": corpus.references, "predictions": corpus.predictions}
    return partial(import_module("bleuscore").compute, **texts, max_order=4, smooth=smooth), figures


def restated_script(corpus: Corpus, twin: str) -> Prepared:
    """Score as a Perl script does, by its version in our tests."""
    return partial(getattr(of_tests("oracles.bleu_tools"), twin), corpus.predictions, corpus.references), _one_figure


def nmt_loop(corpus: Corpus) -> Prepared:
    """Run the loop of the reference `bleu` module, tensorflow/nmt's, after the tokenizer 13a."""
    from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

    score = of_tests("oracles.bleu").corpus_bleu

    def call() -> float:
        # A new tokenizer per call, since it caches lines.
        cut = Tokenizer13a()
        predictions = [cut(text).split() for text in corpus.predictions]
        references = [[cut(text).split() for text in texts] for texts in corpus.references]
        return score(predictions, references, 4)

    return call, _one_figure


def nltk_gleu(corpus: Corpus) -> Prepared:
    """Call nltk's `corpus_gleu` behind the tokenizer 13a, as the reference `google_bleu` module does."""
    from nltk.translate.gleu_score import corpus_gleu
    from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

    def call() -> float:
        cut = Tokenizer13a()
        references = [[cut(text).split() for text in texts] for texts in corpus.references]
        return float(corpus_gleu(references, [cut(text).split() for text in corpus.predictions]))

    return call, lambda result: {"google_bleu": [result]}


def nltk_nist(corpus: Corpus) -> Prepared:
    """Call nltk's `corpus_nist` behind its own tokenizer, as the reference `nist_mt` module does."""
    from nltk.translate.nist_score import corpus_nist

    cut = of_tests("oracles.nist").NISTTokenizer().tokenize

    def call() -> float:
        references = [[cut(text) for text in texts] for texts in corpus.references]
        return float(corpus_nist(references, [cut(text) for text in corpus.predictions]))

    return call, lambda result: {"nist_mt": [result]}


def sari_loop(corpus: Corpus) -> Prepared:
    """Run the loop of the reference `sari` module; a source is the prediction of the next segment."""
    score = of_tests("oracles.sari").corpus_sari
    sources = [*corpus.predictions[1:], corpus.predictions[0]]
    return partial(score, sources, corpus.predictions, corpus.references), lambda result: {"sari": [result]}


def our_sari(corpus: Corpus, **options: Any) -> Prepared:
    """Call our SARI with the same sources."""
    import textgauge

    sources = [*corpus.predictions[1:], corpus.predictions[0]]
    texts = corpus.predictions, corpus.references
    return partial(textgauge.sari, *texts, sources=sources, **options), figures


def _one_figure(result: float) -> Scores:
    return {"bleu": [result]}


SACREBLEU = Tool("sacrebleu", "sacrebleu", corpus_call, (("module", "sacrebleu"),))
SACREBLEU_MOJO = Tool("sacrebleu-mojo", "sacrebleu-mojo", corpus_call, (("module", "sacrebleu_mojo"),))
SACREBLEU_LOOP = Tool("sacrebleu, a loop", "sacrebleu", sentence_loop)
NLTK = Tool("nltk", "nltk", nltk_corpus)
BLEUSCORE = Tool("bleuscore", "bleuscore", rust_corpus)
MTEVAL = Tool("mteval-v13a.pl, restated", "textgauge", restated_script, (("twin", "mteval_bleu"),))
MULTI_BLEU = Tool("multi-bleu.perl, restated", "textgauge", restated_script, (("twin", "multi_bleu"),))
NLTK_GLEU = Tool("nltk", "nltk", nltk_gleu)
NLTK_NIST = Tool("nltk", "nltk", nltk_nist)
OUR_SARI = Tool("textgauge", "textgauge", our_sari)
SARI_LOOP = Tool("the loop of sari", "sacrebleu", sari_loop)
NMT_LOOP = Tool("the loop of bleu", "sacrebleu", nmt_loop)

"""Official scores of whole WMT22 systems, if their folder is next to the project."""

import gzip

import pytest
import textgauge
from nltk.translate.bleu_score import SmoothingFunction, corpus_bleu
from oracles.bleu_tools import mteval_bleu, multi_bleu
from sacrebleu.metrics import BLEU

pytestmark = pytest.mark.slow

TOKENIZERS = {"de-en": "13a", "en-zh": "zh", "en-ja": "ja-mecab"}
SYSTEMS = [
    "de-en.LT22", "de-en.Online-A", "de-en.PROMT", "en-zh.Online-A", "en-zh.Online-G", "en-ja.Online-A",
    "en-ja.Online-G",
]  # fmt: skip


def lines(path):
    return gzip.decompress(path.read_bytes()).decode().split("\n")[:-1]


@pytest.fixture
def system(request, shared):
    folder = shared / "data" / "wmt22"
    pair = request.param.partition(".")[0]
    streams = [lines(path) for path in sorted(folder.glob(f"{pair}.ref*"))]
    return pair, lines(folder / f"{request.param}.txt.gz"), streams


@pytest.mark.parametrize("system", SYSTEMS, indirect=True)
def test_sacrebleu(system):
    pair, hyps, streams = system
    metric = BLEU(tokenize=TOKENIZERS[pair], references=streams)
    official = metric.corpus_score(hyps, None)
    refs = [list(group) for group in zip(*streams, strict=True)]
    scored = textgauge.Bleu(preset="sacrebleu", tokenizer=TOKENIZERS[pair]).update(hyps, refs)
    result = scored.score(per_segment=True, signature=True)
    assert result["bleu"] * 100 == pytest.approx(official.score, abs=1e-9)
    assert scored.statistics.values.sum(axis=0).tolist() == [
        *official.counts, *official.totals, official.sys_len, official.ref_len,
    ]  # fmt: skip
    assert result["signature"].rpartition("|version")[0] == str(metric.get_signature()).rpartition("|version")[0]
    of_sentences = BLEU(tokenize=TOKENIZERS[pair], effective_order=True)
    per_segment = metric._extract_corpus_statistics(hyps, None)
    expected = [of_sentences._compute_score_from_stats(row).score for row in per_segment]
    assert [100 * score for score in result["segment_bleu"]] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("system", ["de-en.PROMT"], indirect=True)
def test_the_other_tools(system):
    _, hyps, streams = system
    hyps, refs = hyps[:400], [list(group) for group in zip(*streams, strict=True)][:400]

    def ours(preset, **options):
        return textgauge.bleu(hyps, refs, preset=preset, **options)["bleu"]

    assert ours("mteval-v13a") == pytest.approx(mteval_bleu(hyps, refs), abs=1e-11)
    assert ours("moses") == pytest.approx(multi_bleu(hyps, refs), abs=1e-11)
    tokens = [[ref.split() for ref in group] for group in refs], [hyp.split() for hyp in hyps]
    assert ours("nltk") == pytest.approx(corpus_bleu(*tokens), abs=1e-11)
    method_5 = corpus_bleu(*tokens, smoothing_function=SmoothingFunction().method5)
    assert ours("nltk", smoothing="chen-cherry-5") == pytest.approx(float(method_5), abs=1e-11)

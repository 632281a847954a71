"""The command behind the speed of perplexity in the documents."""

import gzip

import pytest

from comparisons.reference_modules import perplexity


def test_ngrams_of_a_file(tmp_path, capsys):
    path = tmp_path / "texts.txt.gz"
    path.write_bytes(gzip.compress(b"the cat sat\nthe dog sat\n"))
    assert perplexity.main(["--only", "ngrams", "--texts", str(path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == "2 texts, 6 words"
    assert [line.partition(":")[0] for line in lines[2:]] == [
        f"{tokenizer}, order {order}, {smoothing}"
        for tokenizer in ("whitespace", "13a")
        for order, smoothing in perplexity.NGRAM_MODELS
    ]


def test_the_model_agrees_with_the_reference_loop(capsys, monkeypatch):
    torch = pytest.importorskip("torch")
    threads = torch.get_num_threads()
    monkeypatch.setattr(perplexity, "N_TEXTS", 20)
    with torch.random.fork_rng(devices=[]):
        assert perplexity.main(["--only", "model", "--vocabulary", "300", "--rounds", "1"]) == 0
    torch.set_num_threads(threads)
    _, texts, apart, times = capsys.readouterr().out.splitlines()
    assert texts.startswith("20 texts of ")
    assert float(apart.split()[-1]) < 1e-5
    assert times.endswith("times faster")


def test_texts_are_the_same_every_time():
    assert perplexity.mixed_texts() == perplexity.mixed_texts()
    assert perplexity.random_texts(1000) == perplexity.random_texts(1000)

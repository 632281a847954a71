import evaluate
import pytest
import textgauge

HYPS = ["the cat sat on the mat", "a dog barks"]
REFS = [["the cat is on the mat", "a cat sat"], ["the dog barks"]]


@pytest.fixture(params=["bleu", "rouge", "token_f1"])
def name(request):
    return request.param


@pytest.fixture
def metric(name, tmp_path):
    return evaluate.load(textgauge.path(name), cache_dir=str(tmp_path))


@pytest.fixture
def whole(name):
    return getattr(textgauge, name)(HYPS, REFS)

import pytest
from tiny_models import save_model, save_tokenizer

INSTALL = 'needs torch and transformers: pip install -e ".[perplexity]"'


@pytest.fixture(autouse=True, scope="session")
def torch():
    return pytest.importorskip("torch", reason=INSTALL)


@pytest.fixture(autouse=True, scope="session")
def transformers():
    return pytest.importorskip("transformers", reason=INSTALL)


@pytest.fixture(scope="module", params=["gpt2", "llama"])
def folder(request, tmp_path_factory):
    from textgauge.models import clear_models

    path = str(tmp_path_factory.mktemp(request.param))
    save_model(path, request.param, len(save_tokenizer(path)))
    yield path
    clear_models()


@pytest.fixture
def model(transformers, folder):
    return transformers.AutoModelForCausalLM.from_pretrained(folder)


@pytest.fixture
def tokenizer(transformers, folder):
    return transformers.AutoTokenizer.from_pretrained(folder)

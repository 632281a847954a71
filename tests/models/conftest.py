import copy

import pytest
from quick import first
from tiny_models import save_model, save_tokenizer

INSTALL = 'needs torch and transformers: pip install -e ".[perplexity]"'


@pytest.fixture(autouse=True, scope="session")
def torch():
    return pytest.importorskip("torch", reason=INSTALL)


@pytest.fixture(autouse=True, scope="session")
def transformers():
    return pytest.importorskip("transformers", reason=INSTALL)


@pytest.fixture(scope="module", params=first(1, ["gpt2", "llama"]))
def folder(request, tmp_path_factory):
    from textgauge.models import clear_models

    path = str(tmp_path_factory.mktemp(request.param))
    save_model(path, request.param, len(save_tokenizer(path)))
    yield path
    clear_models()


@pytest.fixture(scope="module")
def loaded(transformers, folder):
    return [getattr(transformers, f"Auto{kind}").from_pretrained(folder) for kind in ("ModelForCausalLM", "Tokenizer")]


@pytest.fixture
def model(loaded):
    return copy.deepcopy(loaded[0])


@pytest.fixture
def tokenizer(loaded):
    return copy.deepcopy(loaded[1])

import pytest
from tiny_models import save_model, save_tokenizer


@pytest.fixture(autouse=True, scope="session")
def one_thread():
    """Two threads only wait for each other over matrices of 16 columns."""
    torch = pytest.importorskip("torch")
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module", params=["gpt2", "llama"])
def folder(request, tmp_path_factory):
    from textgauge.language_model import clear_models

    path = str(tmp_path_factory.mktemp(request.param))
    save_model(path, request.param, len(save_tokenizer(path)))
    yield path
    clear_models()


@pytest.fixture
def model(folder):
    from transformers import AutoModelForCausalLM

    return AutoModelForCausalLM.from_pretrained(folder)


@pytest.fixture
def tokenizer(folder):
    from transformers import AutoTokenizer

    return AutoTokenizer.from_pretrained(folder)

import pytest
import textgauge
from tiny_models import save_bleurt

INSTALL = 'needs torch, transformers and sentencepiece: pip install -e ".[bleurt]"'


@pytest.fixture(autouse=True, scope="session")
def one_thread():
    """Two threads only wait for each other over small matrices."""
    torch = pytest.importorskip("torch", reason=INSTALL)
    for name in ("transformers", "sentencepiece"):
        pytest.importorskip(name, reason=INSTALL)
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)
    textgauge.models.clear_models()


@pytest.fixture(scope="session")
def saved(tmp_path_factory):
    """A function that saves a checkpoint, each once, and returns its folder and its weights."""
    place, made = tmp_path_factory.mktemp("bleurt"), {}

    def save(*given):
        if given not in made:
            folder = place / f"tiny-{'-'.join(given)}"
            made[given] = folder, save_bleurt(folder, *given)
        return made[given]

    yield save
    textgauge.models.clear_models()

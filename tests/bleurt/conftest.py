import pytest
import textgauge
from tiny_models import on_one_thread, save_bleurt

INSTALL = 'needs torch, transformers and sentencepiece: pip install -e ".[bleurt]"'
one_thread = on_one_thread(INSTALL, "transformers", "sentencepiece")


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

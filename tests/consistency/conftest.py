import pytest
from tiny_models import on_one_thread, save_align, save_pair_model

INSTALL = 'needs torch and transformers: pip install -e ".[consistency]"'
one_thread = on_one_thread(INSTALL, "transformers")


@pytest.fixture(scope="session")
def forms(tmp_path_factory):
    """The options of a tiny model of each form."""
    folder = tmp_path_factory.mktemp("consistency")
    save_pair_model(folder / "minicheck-tiny")
    save_pair_model(folder / "nli", 3, ("contradiction", "neutral", "entailment"))
    file, encoder = save_align(folder)
    return {
        "minicheck": {"form": "minicheck", "model_id": str(folder / "minicheck-tiny")},
        "alignscore": {"form": "alignscore", "model_id": str(file), "encoder": str(encoder)},
        "summac-zs": {"form": "summac-zs", "model_id": str(folder / "nli")},
    }


@pytest.fixture(params=["minicheck", "alignscore", "summac-zs"])
def options(request, forms):
    return forms[request.param]


@pytest.fixture
def minicheck(forms):
    return forms["minicheck"]

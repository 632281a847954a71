"""Checkpoints of every learned metric: malicious, truncated, missing, written again."""

import pickle
import shutil
from pathlib import Path

import pytest
from tiny_models import Malicious, refused, save_metricx

from models.test_learned_faces import CASES, learned, nothing_remembered, saved  # noqa: F401

PICKLED = {
    **{name: CASES[name] for name in ("bleurt", "comet", "alignscore")},
    "metricx": ("metricx", lambda folder: {"model_id": save_metricx(folder, file="bin")[0], "encoder": folder / "mt5"}),
}


def weights_in(place):
    """The file with the weights of a model."""
    files = [place] if place.is_file() else [*place.rglob("*")]
    return max(
        (file for file in files if file.suffix in (".ckpt", ".bin", ".safetensors")), key=lambda f: f.stat().st_size
    )


@pytest.mark.parametrize("is_zip", [True, False])
@pytest.mark.parametrize("name", PICKLED)
def test_a_malicious_file_runs_nothing(torch, name, tmp_path, is_zip):
    options, sign = saved(PICKLED[name], tmp_path), tmp_path / "sign"
    file = weights_in(Path(options["model_id"]))
    if is_zip:
        torch.save({**torch.load(file, weights_only=True), "more": Malicious(sign)}, file)
    else:
        file.write_bytes(pickle.dumps(Malicious(sign)))
    refused(PICKLED[name][0], message=f"^model_id: .*(complete|nothing|with tensors).*{file.name}", **options)
    assert not sign.exists()


@pytest.fixture
def copied(learned, tmp_path):  # noqa: F811
    """A copy of a model, and its file of weights."""
    place = Path(learned.options["model_id"])
    (shutil.copy if place.is_file() else shutil.copytree)(place, tmp_path / place.name)
    options = {**learned.options, "model_id": str(tmp_path / place.name)}
    return learned._replace(options=options), weights_in(tmp_path / place.name)


@pytest.mark.parametrize("share", [0.0, 0.0001, 0.3, 0.9, 0.999])
def test_a_truncated_file(copied, share):
    model, file = copied
    whole = file.read_bytes()
    file.write_bytes(whole[: int(len(whole) * share)])
    with pytest.raises((ValueError, OSError), match="^model_id: ") as caught:
        model.of()
    assert "\n" not in str(caught.value)


def test_a_checkpoint_written_again_is_read_again(torch, copied):
    model, file = copied
    before = model.of(signature=True)
    assert model.of(signature=True) == before
    if file.suffix == ".safetensors":
        from safetensors.torch import load_file, save_file
    else:
        save_file, load_file = torch.save, lambda path: torch.load(path, weights_only=True)
    stored = load_file(file)
    weights = stored.get("state_dict", stored)
    weights |= {key: value * 1.5 for key, value in weights.items() if value.is_floating_point()}
    save_file(stored, file)
    after = model.of(signature=True)
    assert after[model.key] != pytest.approx(before[model.key], abs=1e-4)
    assert after["signature"] != before["signature"]


def test_missing_folders(learned):  # noqa: F811
    options = {**learned.options, "revision": "main"}
    with pytest.raises(ValueError, match="^`revision` cannot be given with a local"):
        learned._replace(options=options).of()
    with pytest.raises(FileNotFoundError, match="^model_id: .*got './no-such'"):
        learned._replace(options={**learned.options, "model_id": "./no-such"}).of()

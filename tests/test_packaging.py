"""What a wheel carries, and that it works where nothing of the source tree is."""

import importlib.metadata
import os
import shutil
import subprocess
import sys
import zipfile

import pytest
from conftest import ROOT
from textgauge.locations import MODULES

pytestmark = pytest.mark.slow

INSTALLED = """
import importlib.machinery, os, sys
import textgauge, evaluate
site = os.path.realpath(sys.argv[1])
for name in sys.argv[2:]:
    assert os.path.realpath(textgauge.path(name)).startswith(site), textgauge.path(name)
    assert importlib.machinery.PathFinder.find_spec(name, [site]) is None, name
for name in ("bleu", "rouge"):
    metric = evaluate.load(textgauge.path(name))
    print(*metric.compute(predictions=["the cat sat down"], references=["the cat sat down"]).values())
print(sys.modules["textgauge.modules"].__file__)
"""


def run(*command, **options):
    done = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    if int(importlib.metadata.version("setuptools").partition(".")[0]) < 77:
        pytest.skip("building without a network needs setuptools 77 in this environment")
    folder = tmp_path_factory.mktemp("wheel")
    ignored = shutil.ignore_patterns(".*", "build", "dist", "*.egg-info", "__pycache__")
    shutil.copytree(ROOT, folder / "tree", ignore=ignored)
    run(sys.executable, "-m", "pip", "wheel", ".", "--no-deps", "--no-build-isolation", "--no-index", "-q",
        "-w", "..", cwd=folder / "tree")  # fmt: skip
    (path,) = folder.glob("*.whl")
    return path


def test_wheel_carries_the_package_and_the_modules_with_their_cards(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    package = {
        f"textgauge/{path.relative_to(ROOT / 'metrics' / 'textgauge').as_posix()}"
        for path in (ROOT / "metrics" / "textgauge").rglob("*")
        if path.suffix in {".py", ".jinja", ".css", ".js"} or path.name == "py.typed"
    }
    modules = {
        f"textgauge/modules_for_load/{name}/{file}"
        for name in MODULES
        for file in (f"{name}.py", "README.md", "requirements.txt")
    }
    assert package | modules <= names
    extra = {name for name in names - package - modules if ".dist-info/" not in name}
    assert all(name.startswith("textgauge/") for name in extra)
    assert {name.partition("/")[0] for name in names if ".dist-info/" not in name} == {"textgauge"}


def test_wheel_states_licence_and_what_it_needs(wheel):
    with zipfile.ZipFile(wheel) as archive:
        name = next(name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        metadata = archive.read(name).decode()
        assert any("LICENSE" in name for name in archive.namelist())
    assert "License-Expression: Apache-2.0" in metadata
    needed = {line.split()[1].partition(">")[0] for line in metadata.splitlines() if line.startswith("Requires-Dist")}
    assert {"numpy", "pyarrow", "evaluate", "datasets"} <= needed


def test_installed_wheel_loads_from_its_own_folder(wheel, tmp_path):
    site = tmp_path / "site"
    run(sys.executable, "-m", "pip", "install", "--no-deps", "--no-index", "-q", "--target", str(site), str(wheel))
    environment = {**os.environ, "PYTHONPATH": str(site)}
    out = run(sys.executable, "-c", INSTALLED, str(site), *MODULES, cwd=tmp_path, env=environment).splitlines()
    assert [line.split()[0] for line in out[:2]] == ["1.0", "1.0"]
    assert out[2].startswith(str(site))

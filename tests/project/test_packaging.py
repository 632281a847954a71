"""The contents of sdist and wheel, with a C++ compiler and without, and that they work without the source tree."""

import json
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from importlib.machinery import EXTENSION_SUFFIXES

import pytest
import textgauge
from conftest import ROOT
from textgauge.locations import COMPARISONS, MODULES

pytestmark = pytest.mark.slow

PACKAGE = ROOT / "metrics" / "textgauge"
COMPILERS = (os.environ.get("CXX") or "c++", "g++", "clang++", "cl")
NO_COMPILER = {"CC": "/bin/false", "CXX": "/bin/false"}

INSTALLED = """
import importlib.machinery, os, sys
# Without evaluate's evaluators, which are not called, and whose libraries take seconds to import.
sys.modules["transformers"] = None
import textgauge, evaluate
site = os.path.realpath(sys.argv[1])
for name in sys.argv[2:]:
    assert os.path.realpath(textgauge.path(name)).startswith(site), textgauge.path(name)
    assert importlib.machinery.PathFinder.find_spec(name, [site]) is None, name
for name in ("rewards/verl", "rewards/openrlhf"):
    assert os.path.isfile(textgauge.path(name)) and os.path.realpath(textgauge.path(name)).startswith(site), name
for name in ("bleu", "rouge"):
    metric = evaluate.load(textgauge.path(name))
    print(*metric.compute(predictions=["the cat sat down"], references=["the cat sat down"]).values())
print(sys.modules["textgauge.modules"].__file__)
print(textgauge.kernel_in_use())
"""


def run(*command, **options):
    done = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def hook(name, folder, tree, **environment):
    """Call what pip calls of the build backend; the name of what it built lies in the folder."""
    call = f"import sys, scikit_build_core.build as backend; backend.{name}(sys.argv[1])"
    run(sys.executable, "-c", call, str(folder), cwd=tree, env={**os.environ, **environment})
    (path,) = folder.iterdir()
    return path


def wheel_of(source, folder, **environment):
    run(sys.executable, "-m", "pip", "wheel", str(source), "--no-deps", "--no-build-isolation", "--no-index", "-q",
        "-w", str(folder), cwd=folder, env={**os.environ, **environment})  # fmt: skip
    (path,) = folder.glob("*.whl")
    return path


def installed(wheel, site):
    run(sys.executable, "-m", "pip", "install", "--no-deps", "--no-index", "--no-compile", "-q",
        "--target", str(site), str(wheel))  # fmt: skip
    return site


def python(site, program, *arguments):
    # -S: the finder of an editable textgauge precedes every path.
    path = os.pathsep.join([str(site), *(entry for entry in sys.path if entry.endswith("site-packages"))])
    command = [sys.executable, "-S", "-W", "ignore", "-c", program, *arguments]
    return run(*command, cwd=site.parent, env={**os.environ, "PYTHONPATH": path}).splitlines()


def carried(path):
    """Names in a wheel but for its metadata."""
    return {name for name in zipfile.ZipFile(path).namelist() if ".dist-info/" not in name}


def extensions(path):
    return {name for name in carried(path) if name.endswith(tuple(EXTENSION_SUFFIXES))}


@pytest.fixture(scope="module")
def sdist(tmp_path_factory):
    return hook("build_sdist", tmp_path_factory.mktemp("sdist"), ROOT)


@pytest.fixture(scope="module")
def tree(sdist, tmp_path_factory):
    """The source tree as the sdist carries it."""
    folder = tmp_path_factory.mktemp("tree")
    with tarfile.open(sdist) as archive:
        archive.extractall(folder, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))
    (path,) = folder.iterdir()
    return path


@pytest.fixture(scope="module")
def compiled(sdist, tmp_path_factory):
    """The wheel of the sdist, where there is a compiler."""
    if not any(map(shutil.which, COMPILERS)):
        pytest.skip("no C++ compiler here")
    # Optimized, which takes most of the time, it is the one that other tests use.
    return wheel_of(sdist, tmp_path_factory.mktemp("compiled"), SKBUILD_CMAKE_BUILD_TYPE="Debug", CXXFLAGS="-O0 -g0")


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    """The wheel of the source tree without a compiler."""
    return wheel_of(ROOT, tmp_path_factory.mktemp("plain"), **NO_COMPILER)


def test_wheel_carries_the_package_and_the_modules_with_their_cards(plain):
    names = carried(plain)
    package = {
        f"textgauge/{path.relative_to(PACKAGE).as_posix()}"
        for path in PACKAGE.rglob("*")
        if path.suffix in {".py", ".pyi", ".jinja", ".css", ".js"} or path.name == "py.typed"
    }
    modules = {
        f"textgauge/{'comparisons' if name in COMPARISONS else 'metrics'}/{name}/{file}"
        for name in MODULES
        for file in (f"{name}.py", "README.md")
    }
    assert package | modules <= names
    assert all(name.startswith("textgauge/") for name in names)
    assert not {name for name in names if name.startswith("textgauge/kernel/") or name.endswith((".cpp", ".hpp"))}


def test_wheel_holds_the_command_and_the_sample(plain):
    with zipfile.ZipFile(plain) as archive:
        assert json.loads(archive.read("textgauge/sample/sample.json")).keys() == {
            "translations",
            "summaries",
            "tables",
        }
        (entry,) = [name for name in archive.namelist() if name.endswith("entry_points.txt")]
        assert b"textgauge = textgauge.__main__:run" in archive.read(entry)


def test_wheel_states_version_licence_and_what_it_needs(plain):
    with zipfile.ZipFile(plain) as archive:
        name = next(name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        metadata = archive.read(name).decode()
        assert any("LICENSE" in name for name in archive.namelist())
    assert f"Version: {textgauge.__version__}" in metadata
    assert "License-Expression: Apache-2.0" in metadata
    lines = [line for line in metadata.splitlines() if line.startswith("Requires-Dist") and "extra ==" not in line]
    needed = {line.split()[1].partition(">")[0] for line in lines}
    assert {"numpy", "pyarrow", "evaluate", "datasets"} <= needed
    assert not {"nanobind", "scikit-build-core"} & needed


def test_sdist_has_the_sources_of_the_kernel_and_nothing_that_was_built(tree):
    kernel = {path.name for path in (PACKAGE / "kernel").iterdir() if path.is_file()}
    assert kernel == {path.name for path in (tree / "metrics/textgauge/kernel").iterdir()}
    assert {"LICENSE", "README.md", "pyproject.toml", "tests"} <= {path.name for path in tree.iterdir()}
    built = (".pyc", ".so", ".pyd", ".o", ".egg-info")
    assert not [path for path in tree.rglob("*") if path.name.endswith(built)]


def test_an_editable_install_leaves_the_tree_as_it_was(tree, tmp_path):
    before = sorted(tree.rglob("*"))
    hook("build_editable", tmp_path, tree, **NO_COMPILER)
    assert sorted(tree.rglob("*")) == before


def test_wheel_of_the_sdist_has_the_kernel_beside_what_the_tree_gives(compiled, plain):
    (extension,) = extensions(compiled)
    assert extension.startswith("textgauge/_kernel.")
    assert carried(compiled) - {extension} == carried(plain)
    assert not extensions(plain)


def test_a_wheel_is_for_the_pythons_that_can_run_it(compiled, plain):
    this = f"cp{sys.version_info.major}{sys.version_info.minor}"
    python_tag, abi, platform = compiled.stem.split("-")[2:]
    # From 3.12 on one wheel serves every later Python, but for those without the GIL.
    assert (python_tag, abi) in ([("cp312", "abi3"), (this, f"{this}t")] if this >= "cp312" else [(this, this)])
    assert platform != "any"
    assert plain.name.endswith("-py3-none-any.whl")


@pytest.mark.parametrize(("wheel", "kernel"), [("compiled", "compiled"), ("plain", "plain Python")])
def test_installed_wheel_loads_from_its_own_folder_with_the_kernel_that_it_has(wheel, kernel, request, tmp_path):
    site = installed(request.getfixturevalue(wheel), tmp_path / "site")
    out = python(site, INSTALLED, str(site), *MODULES)
    assert [line.split()[0] for line in out[:2]] == ["1.0", "1.0"]
    assert out[2].startswith(str(site))
    assert out[3].startswith(kernel)

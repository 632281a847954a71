"""Versions: ours, the oldest dependencies tested and declared, the build requirements in tests."""

import ast
import re
import subprocess
import sys

import pytest
import textgauge
from conftest import ROOT


def test_the_oldest_environment_has_the_declared_lower_bounds():
    declared = re.search(r"^dependencies = \[(.*?)\]", (ROOT / "pyproject.toml").read_text(), re.M | re.S)[1]
    bounds = dict(re.findall(r'"([a-z0-9]+)>=([0-9.]+)"', declared))
    pins = dict(re.findall(r"^([a-z0-9]+)==([0-9.]+)$", (ROOT / ".ci/oldest.txt").read_text(), re.M))
    assert {name: re.sub(r"(\.0)+$", "", pin) for name, pin in pins.items()} == {
        name: re.sub(r"(\.0)+$", "", bound) for name, bound in bounds.items()
    }


def test_the_test_extra_has_what_builds_a_wheel():
    text = (ROOT / "pyproject.toml").read_text()
    build = re.search(r"^requires = \[(.*?)\]", text, re.M | re.S)[1]
    extra = re.search(r"^test = \[(.*?)^\]", text, re.M | re.S)[1]
    assert set(re.findall(r'"([^"]+)"', build)) <= set(re.findall(r'"([^"]+)"', extra))


def imported(path):
    """The outside libraries that a file imports."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield (node.module or "").partition(".")[0]


@pytest.mark.slow
def test_types_need_no_library_that_the_test_extra_leaves_out():
    """What mypy may not find has an exception, so that `mypy` passes in the environment of the guide."""
    text = (ROOT / "pyproject.toml").read_text()
    installed = re.findall(r'"([a-zA-Z0-9_-]+)(?:\[[^"]*\])?>=', re.search(r"^test = \[(.*?)^\]", text, re.M | re.S)[1])
    installed += re.findall(r'"([a-z0-9]+)>=', re.search(r"^dependencies = \[(.*?)\]", text, re.M | re.S)[1])
    lists = re.findall(r"^module = \[(.*?)\]\nignore_missing", text, re.M | re.S)
    excepted = [name for one in lists for name in re.findall(r'"(\w+)(?:\.\*)?"', one)]
    files = (ROOT / "metrics/textgauge").rglob("*.py")
    outside = {name for path in files for name in imported(path)} - {*sys.stdlib_module_names, "textgauge"}
    # Jinja and datasets bring these.
    assert outside - {*installed, *excepted} <= {"markupsafe", "huggingface_hub"}


def commit(name):
    """The commit of that name in this checkout; None where there is none, or no checkout."""
    command = ["git", "rev-parse", "--quiet", "--verify", f"{name}^{{commit}}"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip() if (ROOT / ".git").exists() and done.returncode == 0 else None


def test_only_the_commit_of_a_release_has_its_plain_version():
    released, plus, suffix = textgauge.__version__.partition("+")
    assert re.fullmatch(r"\d+\.\d+\.\d+", released)
    assert (plus, suffix) in {("", ""), ("+", "dev")}
    tagged = commit(f"v{released}")
    if tagged is None:
        pytest.skip(f"no tag v{released} here")
    assert (suffix == "") == (commit("HEAD") == tagged)


def test_the_version_is_defined_in_one_place():
    project = (ROOT / "pyproject.toml").read_text()
    assert not re.search(r"^version\s*=", project, re.M)
    [stated] = re.findall('^__version__ = "(.*)"$', (ROOT / "metrics/textgauge/version.py").read_text(), re.M)
    assert stated == textgauge.__version__

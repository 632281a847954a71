"""The oldest dependencies that are tried are the oldest that are declared; the tests have what builds a wheel."""

import re

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

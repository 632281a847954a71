"""The files for GitHub and Zenodo: they parse, and what they run is pinned and there."""

import json
import re
import subprocess
import sys

import pytest
import textgauge
import yaml
from conftest import ROOT
from textgauge.accumulation.accumulator import accumulator_of
from textgauge.accumulation.registry import METRICS
from textgauge.options import options_of

WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
FORMS = sorted((ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml"))
PINNED = re.compile(r"[\w.-]+/[\w.-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+")


def steps(path):
    return [step for job in yaml.safe_load(path.read_text())["jobs"].values() for step in job["steps"]]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_may_only_read_and_its_actions_are_pinned(path):
    workflow = yaml.safe_load(path.read_text())
    assert workflow["permissions"] == {"contents": "read"}
    used = re.findall(r"uses: (.*)", path.read_text())
    assert len(used) == sum("uses" in step for step in steps(path))
    assert [action for action in used if not PINNED.fullmatch(action)] == []


def test_an_action_has_one_version_and_keeps_no_credentials():
    used = {action for path in WORKFLOWS for action in re.findall(r"uses: (.*)", path.read_text())}
    assert len(used) == len({action.partition("@")[0] for action in used})
    checkouts = [step for path in WORKFLOWS for step in steps(path) if "checkout@" in step.get("uses", "")]
    assert all(step["with"]["persist-credentials"] is False for step in checkouts)


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_what_a_workflow_runs_of_ours_is_there(path):
    commands = " ".join(step.get("run", "") for step in steps(path))
    ours = re.findall(r"(?<!\S)((?:\.ci|comparisons|metrics)/[\w/.]+)", commands)
    assert [name for name in ours if not (ROOT / name).exists()] == []


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.name)
def test_an_issue_form_asks_with_a_label(path):
    form = yaml.safe_load(path.read_text())
    if path.name == "config.yml":
        assert form == {"blank_issues_enabled": True}
        return
    assert form.keys() == {"name", "description", "labels", "body"}
    assert len({question["id"] for question in form["body"]}) == len(form["body"])
    assert all(question["attributes"]["label"] for question in form["body"])
    assert any(question.get("validations", {}).get("required") for question in form["body"])


def test_zenodo_says_of_the_project_what_pyproject_says():
    about = json.loads((ROOT / ".zenodo.json").read_text())
    project = (ROOT / "pyproject.toml").read_text()
    assert about.keys() == {
        "title", "description", "upload_type", "access_right", "license", "creators", "keywords"
    }  # fmt: skip
    assert (about["upload_type"], about["access_right"]) == ("software", "open")
    assert f'license = "{about["license"]}"' in project
    assert [f'authors = [{{ name = "{one["name"]}" }}]' in project for one in about["creators"]] == [True]
    assert f"keywords = {json.dumps(about['keywords'])}" in project
    assert f'title = "{about["title"]}"' in (ROOT / "README.md").read_text()


def sections(page):
    """The parts of a page of the reference by public name, as HTML."""
    parts = re.split(r'<section id="([\w.]+)">', page.read_text())[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


@pytest.mark.slow
def test_the_reference_has_every_public_name_with_its_options(tmp_path):
    pytest.importorskip("pdoc", reason="pdoc is missing: pip install -e '.[test]'")
    folder = ROOT / ".ci/reference"
    options = ["--docformat", "numpy", "--no-show-source", "--template-directory", folder]
    subprocess.run(
        [sys.executable, folder / "names.py", *options, "--output-directory", tmp_path, "textgauge"], check=True
    )
    shown = sections(tmp_path / "textgauge.html")
    folders = ("trainer", "rewards")
    assert {*textgauge.__all__} == {*shown} | {"__version__", *folders}
    for name in folders:
        assert {*getattr(textgauge, name).__all__} == {*sections(tmp_path / f"textgauge/{name}.html")}
    for metric_type in METRICS.values():
        options = {one.name for one in options_of(metric_type.options_type)}
        reports = {one.name for one in options_of(metric_type.reports_type)}
        for name in (metric_type.name, accumulator_of(metric_type).__name__):
            assert {*re.findall(r"<strong>(\w+)</strong>", shown[name])} >= options | reports
        # The call with its defaults stands above the docstring.
        call = re.sub("<[^>]*>", "", shown[accumulator_of(metric_type).__name__].partition('class="docstring"')[0])
        assert {*re.findall(r"(\w+)=", call)} == options

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from textgauge import sample
from textgauge.accumulation.named_score import NamedScore
from textgauge.input.columns import corpus_of, text_column, without_references
from textgauge.locations import COMPARISONS, HOMES
from textgauge.report import Report, explain_page
from textgauge.resampling import PairedOptions

PAGES = {"metrics": HOMES, "comparisons": COMPARISONS}
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage", "--hide-scrollbars",
)  # fmt: skip


def start(profile):
    """A headless Chromium with an empty profile."""
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or shutil.which("chromium-browser")
    for flag in (*FLAGS, f"--user-data-dir={profile}", "--window-size=1280,1000"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))


@pytest.fixture(scope="session")
def chromium(tmp_path_factory):
    if not (shutil.which("chromium") or shutil.which("chromium-browser")) or not shutil.which("chromedriver"):
        pytest.skip("no browser: apt-get install chromium chromium-driver")
    driver = start(tmp_path_factory.mktemp("profile"))
    yield driver
    driver.quit()


@pytest.fixture(scope="module")
def addresses(chromium):
    """Every page on a port of its own, all in one process, since Gradio takes seconds to import.

    While it lives the process takes two thirds of a processor: so many servers look for work without end.
    """
    names = [name for names in PAGES.values() for name in names]
    environment = {**os.environ, "GRADIO_ANALYTICS_ENABLED": "False", "HF_HUB_OFFLINE": "1"}
    command = [sys.executable, Path(__file__).parent / "apps.py", *names]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    with subprocess.Popen(command, env=environment, **pipes) as process:
        try:
            said = []
            for line in process.stdout:
                if line.startswith("["):
                    break
                said.append(line)
            else:
                pytest.fail("".join(said))
            yield dict(zip(names, json.loads(line), strict=True))
        finally:
            process.terminate()


@pytest.fixture
def browser(chromium):
    """The browser with an empty page, a wide window and a light theme."""
    chromium.get("about:blank")
    chromium.get_log("browser")
    chromium.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    light = {"name": "prefers-color-scheme", "value": "light"}
    chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": [light]})
    return chromium


@pytest.fixture
def window(browser):
    """Set the width of the window."""

    def call(width, *, mobile=False):
        sizes = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": mobile}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", sizes)

    return call


@pytest.fixture
def theme(browser):
    """Set the theme of the system."""

    def call(value):
        feature = {"name": "prefers-color-scheme", "value": value}
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": [feature]})

    return call


@pytest.fixture
def page(browser, tmp_path):
    """Write a page and open it."""

    def call(systems, references, *metrics, names=None, confidence=0.95, **options):
        names = names or [f"{i}.txt" for i in range(len(systems))]
        corpora = [
            without_references(text_column(list(lines), "texts")) if references is None
            else corpus_of(list(lines), list(references))
            for lines in systems
        ]  # fmt: skip
        scores = [(NamedScore(metric, options).start(), NamedScore.of(metric).key) for metric in metrics]
        report = Report.of(names, corpora, scores, PairedOptions(confidence=confidence))
        (tmp_path / "report.html").write_text(explain_page(report), "utf-8")
        browser.get((tmp_path / "report.html").as_uri())
        return browser

    return call


@pytest.fixture
def translations():
    hyps, refs = sample.columns("translations")
    return hyps, [texts[0] for texts in refs]

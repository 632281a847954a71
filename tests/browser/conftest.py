import shutil

import pytest
from textgauge import sample
from textgauge.columns import corpus_of, text_column, without_references
from textgauge.measures.registry import score_named
from textgauge.report.content import Content
from textgauge.report.pages import explain_page
from textgauge.resampling import BootstrapOptions

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


@pytest.fixture
def browser(chromium):
    """The browser with an empty page, a wide window and a light theme."""
    chromium.get("about:blank")
    chromium.get_log("browser")
    chromium.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    chromium.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"media": "", "features": [{"name": "prefers-color-scheme", "value": "light"}]}
    )
    return chromium


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
        scores = [(score_named(metric), options) for metric in metrics]
        content = Content.of(names, corpora, scores, BootstrapOptions(confidence))
        (tmp_path / "report.html").write_text(explain_page(content), "utf-8")
        browser.get((tmp_path / "report.html").as_uri())
        return browser

    return call


@pytest.fixture
def translations():
    hyps, refs = sample.columns("translations")
    return hyps, [texts[0] for texts in refs]

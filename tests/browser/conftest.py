import shutil

import pytest
from click.testing import CliRunner
from textgauge import sample
from textgauge.cli.main import main

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


def write(path, lines):
    path.write_text("".join(line + "\n" for line in lines), "utf-8")
    return path


@pytest.fixture
def page(browser, tmp_path):
    """Write a page and open it."""

    def call(systems, references, *flags):
        files = [flag for i, lines in enumerate(systems) for flag in ("-p", write(tmp_path / f"{i}.txt", lines))]
        arguments = [*files, "-r", write(tmp_path / "ref.txt", references), "-o", tmp_path / "report.html", *flags]
        done = CliRunner().invoke(main, ["explain", *map(str, arguments)], catch_exceptions=False)
        assert done.exit_code == 0, done.output
        browser.get((tmp_path / "report.html").as_uri())
        return browser

    return call


@pytest.fixture
def translations():
    hyps, refs = sample.columns("translations")
    return hyps, [texts[0] for texts in refs]

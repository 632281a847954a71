"""Results as a notebook displays them: a notebook is run, and its cells are looked at in a browser."""

import importlib.util

import pytest
from conftest import ROOT

from .finding import CONTRAST, all_of, one, texts

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def program():
    for name in ("nbclient", "nbconvert", "ipykernel"):
        pytest.importorskip(name, reason="no notebooks: pip install -e '.[notebook]'")
    spec = importlib.util.spec_from_file_location("notebook", ROOT / ".ci/reference/notebook.py")
    program = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(program)
    return program


@pytest.fixture(scope="module")
def notebook(program):
    return program.executed((ROOT / "metrics/NOTEBOOKS.md").read_text("utf-8"))


def test_cells_of_notebook(notebook):
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    shown = [output.data for cell in cells for output in cell.outputs if output.output_type == "execute_result"]
    assert len(shown) == len(cells) >= 4
    for data in shown:
        assert {"text/html", "text/plain"} <= {*data}
        assert ("<script" in data["text/html"], "://" in data["text/html"]) == (False, False)


@pytest.mark.parametrize("value", ["light", "dark"])
def test_the_page_of_the_notebook(program, notebook, browser, theme, tmp_path, value):
    theme(value)
    (tmp_path / "notebook.html").write_text(program.page_of(notebook), "utf-8")
    browser.get((tmp_path / "notebook.html").as_uri())
    assert len(all_of(browser, "div.textgauge table")) >= 3
    assert {"chrf", "ter", "token_f1: f1"} <= {*texts(browser, "div.textgauge th")}
    body = one(browser, "body").value_of_css_property("color")
    assert {cell.value_of_css_property("color") for cell in all_of(browser, "div.textgauge td")} == {body}
    frame = one(browser, "iframe.textgauge")
    browser.switch_to.frame(frame)
    assert one(browser, ".score").text == "65.00"
    assert browser.execute_script(CONTRAST) >= 4.5
    browser.switch_to.default_content()
    assert [entry["message"] for entry in browser.get_log("browser") if "favicon" not in entry["message"]] == []


def test_texts_cannot_leave_their_cells(program, browser, tmp_path):
    code = """```python
import textgauge
textgauge.explain(["</iframe><script>document.title='x'</script><b>"], ["<img src=x onerror=alert(1)>"], metric="chrf")
```
"""
    (tmp_path / "notebook.html").write_text(program.page_of(program.executed(code)), "utf-8")
    browser.get((tmp_path / "notebook.html").as_uri())
    assert browser.title == "textgauge in notebooks"
    assert all_of(browser, "img, body > script") == []

"""TEDS: the figures of PubTabNet's script, what HTML of language models is read as, and what is defined."""

import gzip
import html
import json
import sys

import pytest
import textgauge
from conftest import ROOT
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("lxml", reason="lxml is not installed")
from textgauge.measures import teds as module
from textgauge.text.tables import table_of

RECORDED = ROOT.parent / "shared/oracles/tables/tables-given.json.gz"
OPTIONS = {"teds": {}, "structure": {"structure_only": True}, "no_bold": {"ignored_tags": ["b"]}}
TWO = "<table><tr><td>k</td><td>q</td></tr></table>"


def score(prediction, reference=TWO, **options):
    return textgauge.teds([prediction], [reference], **options)["teds"]


def whole(table):
    return f"<html><body>{table}</body></html>"


@pytest.mark.skipif(not RECORDED.exists(), reason="no ../shared/oracles")
@pytest.mark.parametrize("key", OPTIONS)
@pytest.mark.parametrize("headers", ["tags", "text"])
def test_figures_of_the_script(key, headers):
    rows = json.loads(gzip.decompress(RECORDED.read_bytes()))
    columns = [row["prediction"] for row in rows], [row["reference"] for row in rows]
    found = textgauge.teds(*columns, headers=headers, **OPTIONS[key], per_segment=True)["segment_teds"]
    compared = 0
    for row, value in zip(rows, found, strict=True):
        figure = row["official"][key]
        # The script raises for a span that is no number, and for two tables without elements.
        if isinstance(figure, str) or (headers == "text" and "<th" in row["prediction"] and key != "structure"):
            continue
        assert value == pytest.approx(figure, abs=1e-15)
        compared += 1
    assert compared > (30 if headers == "tags" or key == "structure" else 15)


inline = st.sampled_from(
    [
        "", "a", "12.5", "A&amp;B", "<b>x</b>", "a<br>b", "<i>y</i> z", "<b>a", "<!--c-->x",
        "<table><tr><td>n</td>t</table>",
    ]
)  # fmt: skip
cells = st.tuples(st.sampled_from(["td", "td", "th"]), st.sampled_from(["", " colspan=2", " rowspan=3"]), inline)
tables = st.lists(st.lists(cells, max_size=4), max_size=4)


def written(rows):
    body = "".join(f"<tr>{''.join(f'<{tag}{spans}>{text}</{tag}>' for tag, spans, text in row)}</tr>" for row in rows)
    return whole(f"<table>{body}</table>")


@settings(max_examples=60)
@given(tables, tables)
def test_apted_finds_the_same(left, right):
    pytest.importorskip("apted", reason="apted is not installed")
    from comparisons.tables_cost import by_script

    if not left and not right:
        return
    texts = written(left), written(right)
    assert score(*texts, headers="tags") == pytest.approx(by_script(*texts), abs=1e-15)


@given(tables, tables)
def test_laws(left, right):
    texts = written(left), written(right)
    for headers in ("text", "cells", "tags"):
        there, back = score(*texts, headers=headers), score(*texts[::-1], headers=headers)
        assert there == pytest.approx(back, abs=1e-12)
        assert -1 <= there <= 1
        assert score(texts[0], texts[0], headers=headers) == 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (whole(TWO), 1), (f"<div>{TWO}</div>", 1), (f"```html\n{TWO}\n```", 1), (f"Here it is:\n\n{TWO}\nDone.", 1),
        (TWO.removesuffix("</td></tr></table>") + "\n```", 1), (TWO.replace("</td>", ""), 1),
        (TWO.replace("k", "&#107;"), 1), (TWO.replace("k", "<!-- x -->k"), 1), (TWO.replace("k", "k\0"), 1),
        ('<?xml version="1.0" encoding="latin-1"?>' + TWO, 1), (TWO + TWO.replace("k", "x"), 1),
        (TWO.replace("<td>", "<td colspan=x>"), 1), (TWO.replace("<td>", "<td colspan=2>"), 1 - 2 / 3),
        (TWO.replace("<td>", "<td colspan=0>"), 1 - 2 / 3), (TWO.replace("<td>", "<td rowspan=-1>"), 1 - 2 / 3),
        (TWO.replace("<td>", '<td colspan="">'), 1), (f"<div>{TWO.replace('k', 'x')}</div>{TWO}", 1),
        (f"<div>{TWO}</div><div>{TWO.replace('k', 'x')}</div>", 1),
        (TWO.replace("k", "c"), 1 - 1 / 3), (TWO.replace("k", "k "), 1 - 1 / 6),
        (TWO.replace("k", TWO), 1 - 0.9 / 7), ("<table></table>", 0), (TWO.upper(), 1 - 2 / 3),
    ],
)  # fmt: skip
def test_what_is_read(text, expected):
    assert score(text) == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize("text", ["", " ", "no table", "<p>no</p>", "<", "<!doctype html>", "<table"])
def test_texts_without_a_table(text):
    with pytest.warns(UserWarning, match="^1 prediction has no table as HTML, and scores 0") as told:
        assert score(text) == 0
    assert len(told) == 1
    with pytest.warns(UserWarning, match="^1 reference has no table as HTML"):
        assert score(TWO, text) == 0


def test_tables_without_rows_are_equal():
    assert score("<table></table>", whole("<table></table>")) == 1


def test_tags_in_cells_are_read_as_the_script_reads_them():
    # The script has no end of `unk`, the tag of an unknown token.
    for inside, tokens in (
        ("a<unk>b</unk>c", ["a", "<unk>", "b", "c"]), ("a<i>b</i>c", ["a", "<i>", "b", "</i>", "c"]),
        ("a<br>c", ["a", "<br>", "</br>", "c"]), ("<i><u>b</u></i>", ["<i>", "<u>", "b", "</u>", "</i>"]),
    ):  # fmt: skip
        assert [*table_of(TWO.replace("k", inside)).nodes[0].tokens] == tokens


def test_headers():
    right, wrong, wide = (
        f"<table><tr><th{span}>{text}</th></tr></table>"
        for text, span in (("xy", ""), ("xz", ""), ("xy", " colspan=2"))
    )
    assert [score(wrong, right, headers=headers) for headers in ("text", "cells", "tags")] == [0.75, 0.75, 1]
    assert [score(wide, right, headers=headers) for headers in ("text", "cells", "tags")] == [1, 0.5, 1]
    assert score(wrong, right, structure_only=True) == 1
    bold, nested = right.replace("xy", "<b>xy</b>"), right.replace("xy", f"xy{TWO}")
    assert [score(bold, right, headers=headers) for headers in ("text", "cells", "tags")] == pytest.approx(
        [2 / 3, 5 / 6, 2 / 3]
    )
    assert table_of(nested, headers="text").nodes[-3].tokens == ("x", "y")


def test_best_reference_and_signature():
    result = textgauge.teds([TWO], [["<table><tr><td>k</td></tr></table>", TWO]], signature=True)
    assert result["teds"] == 1
    assert "headers:text" in result["signature"]
    assert textgauge.teds([TWO], [TWO], counts=True)["counts"] == {"edits": 0.0, "elements": 3}


def test_pairs_that_are_too_large(monkeypatch):
    monkeypatch.setattr(module, "MOST_PAIRS", 15)
    with pytest.warns(UserWarning, match="^1 pair of tables is too large, and scores 0"):
        assert textgauge.teds([TWO, "<table></table>"], [TWO + " ", "<table></table>"])["teds"] == 0.5
    assert score(TWO) == 1


def test_tags_within_cells_are_no_elements_if_asked():
    padded = TWO.replace("k", 98 * "<i></i>")
    assert score(padded) == 1 - 1 / 101
    assert score(padded, inner_tags=False) == 1 - 1 / 3
    assert score(TWO, inner_tags=False) == 1


def test_tags_are_checked():
    with pytest.raises(ValueError, match=r"^ignored_tags\[1\]: .*got '<i>'"):
        score(TWO, ignored_tags=["b", "<i>"])


def test_lxml_is_asked_for(monkeypatch):
    monkeypatch.setitem(sys.modules, "lxml", None)
    with pytest.raises(ImportError, match=r'lxml is not installed \(pip install "textgauge\[tables\]"'):
        score(TWO)


def test_the_tables_are_shown():
    prediction = TWO.replace("k", "x").replace("<td>q</td>", "")
    explained = textgauge.explain([prediction], [["<table></table>", TWO]], metric="teds")
    kinds = [[cell.kind for row in table.rows for cell in row] for table in explained.tables]
    assert kinds == [["changed"], ["changed", "missing"]]
    counts = [cells for label, cells, *_ in explained.steps if label == "cells"]
    assert counts == [("1 changed",), ("1 missing",)]
    shown = str(explained)
    assert "prediction  ~x" in shown
    assert "reference   ~k | -q" in shown
    assert "1 - 2.0000 / 3" in shown
    assert "no table in the prediction" in str(textgauge.explain([TWO, "x"], [TWO, TWO], metric="teds"))


def test_the_page_has_the_tables():
    prediction = TWO.replace("k", "x").replace("<td>q</td>", "<th colspan=9999>1 &lt; 2</th>")
    page = textgauge.explain([prediction], [TWO], metric="teds")._repr_html_()
    shown = html.unescape(page)
    assert shown.count('<table class="given"') == 2
    assert '<td class="cell changed" title="changed" dir="auto">x</td>' in shown
    assert '<th colspan="1000" class="cell changed" title="changed" dir="auto">1 &lt; 2</th>' in shown
    many = textgauge.explain([prediction] * 30, [TWO] * 30, metric="teds")._repr_html_()
    assert "~x | ~1" in html.unescape(many)

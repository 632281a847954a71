"""From a report to HTML, by Jinja templates that escape everything.

Texts reach a page in two ways only: escaped by the template, or as JSON in which characters that could end
a script are escaped. A content security policy lists the hashes of the page's style and script, so nothing else runs
and nothing is fetched.
"""

from __future__ import annotations

import base64
import hashlib
import json
from functools import cache
from importlib.resources import files
from typing import Any

import jinja2
from markupsafe import Markup

from .. import __version__
from ..explanation.derivation import written
from .formulas import drawn
from .results import Report

_ESCAPED = {ord(character): f"\\u{ord(character):04x}" for character in "<>&'\u2028\u2029"}


def explain_page(report: Report) -> str:
    """Return the page of `textgauge explain`: one file, no network."""
    style, program = Markup(_packaged("style.css")), Markup(_packaged("program.js"))
    name, scripts = ("short", "") if report.is_short else ("explain", f"script-src {_hash(program)}; img-src data:; ")
    policy = f"default-src 'none'; style-src {_hash(style)}; {scripts}base-uri 'none'; form-action 'none'"
    template = _environment().get_template(f"{name}.html.jinja")
    return template.render(report=report, style=style, program=program, policy=policy, version=__version__)


def drawings() -> Any:
    """Return the templates that draw, as functions."""
    return _environment().get_template("drawings.html.jinja").module


def embedded(page: str, style: str = "") -> Markup:
    """Return a page as part of another one, whose scripts, cookies and storage it cannot reach."""
    frame = '<iframe class="textgauge" title="Result" sandbox="allow-scripts"{} srcdoc="{}"></iframe>'
    return Markup(frame).format(Markup(' style="{}"').format(style) if style else "", page)


def script_json(value: Any) -> Markup:
    r"""Return JSON that is safe inside a script element.

    Examples
    --------
    >>> script_json(["</script>"])
    Markup('["\\u003c/script\\u003e"]')
    """
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return Markup(text.translate(_ESCAPED))


@cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FunctionLoader(_packaged),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        score=written, visible=_visible, unbroken=_unbroken, signed=_signed, drawn=drawn,
        count="{:,}".format, script=script_json,
    )  # fmt: skip
    return environment


@cache
def _packaged(name: str) -> str:
    return (files(__package__) / "page" / name).read_text("utf-8")


def _visible(text: str) -> str:
    # A browser drops this character.
    return text.replace("\0", "\ufffd")


def _unbroken(text: str) -> Markup:
    """Keep a name such as ROUGE-L on one line."""
    return Markup(" ").join(Markup('<span class="whole">{}</span>').format(word) for word in text.split())


def _signed(value: float, scale: float) -> str:
    shown = written(abs(value), scale)
    sign = "\u2212" if value < 0 else "+"
    return sign + shown if shown.strip("0.") else shown


def _hash(text: str) -> str:
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{digest}'"

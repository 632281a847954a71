"""From content to HTML, by Jinja templates that escape everything.

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
from .content import Content

_ESCAPED = {ord(character): f"\\u{ord(character):04x}" for character in "<>&'\u2028\u2029"}


def explain_page(content: Content) -> str:
    """Return the page of `textgauge explain`: one file, no network."""
    style = "".join(map(_packaged, ("colours.css", "shared.css", "style.css")))
    program = _packaged("program.js")
    return (
        _environment()
        .get_template("explain.html.jinja")
        .render(
            content=content,
            script_names=script_json([system.name for system in content.systems]),
            about=script_json(content.about()),
            data=script_json(content.segments()),
            style=Markup(style),
            program=Markup(program),
            policy=f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(program)}; img-src data:; "
            "base-uri 'none'; form-action 'none'",
            version=__version__,
        )
    )


def result_part(**shown: Any) -> str:
    """Return a module's result as HTML: a score, a drawing, the worst segments with their marks."""
    return _environment().get_template("result.html.jinja").render(style=_part_style(), **shown)


def comparison_part(**shown: Any) -> str:
    """Return a comparison's result as HTML: the difference, p, both scores with their intervals."""
    return _environment().get_template("comparison.html.jinja").render(style=_part_style(), **shown)


def refusal_part(message: str) -> str:
    """Return an error message as HTML."""
    return _environment().get_template("refusal.html.jinja").render(style=_part_style(), message=message)


def _part_style() -> Markup:
    # Nested, so that the rules apply to this part of the page only.
    rules = _packaged("shared.css")
    return Markup(f"{_packaged('colours.css')}.textgauge {{ {rules} }}{_packaged('result.css')}")


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
    environment.filters["score"] = "{:.4f}".format
    environment.filters["signed"] = _signed
    environment.filters["p"] = _p
    environment.filters["count"] = "{:,}".format
    return environment


@cache
def _packaged(name: str) -> str:
    return (files(__package__) / "page" / name).read_text("utf-8")


def _signed(value: float) -> str:
    written = f"{value:+.4f}".replace("-", "\u2212")
    return written if written.strip("+\u22120.") else written[1:]


def _p(value: float) -> str:
    return f"{value:.4f}" if value >= 0.0001 else "below 0.0001"


def _hash(text: str) -> str:
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{digest}'"

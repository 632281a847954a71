"""The checks of evaluate's own tests for every metric in its repository."""

import doctest
import inspect
import sys

import evaluate
import pytest
import textgauge
from textgauge.locations import MODULES


@pytest.mark.parametrize("name", MODULES)
def test_a_module_has_the_form_that_evaluate_expects(name):
    module = evaluate.load(textgauge.path(name))
    parameters = inspect.signature(type(module)._compute).parameters.values()
    assert [p.name for p in parameters if p.kind is p.VAR_KEYWORD] == []
    found = doctest.testmod(sys.modules[type(module).__module__], raise_on_error=True)
    assert (found.failed, found.attempted > 1) == (0, True)
    for text in (module.description, module.citation, module.inputs_description):
        assert len(text) > 80

"""The two kernels have the same functions with the same arguments, and one module chooses between them."""

import ast
import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest
import textgauge
from textgauge import engine, plain

FUNCTIONS = [name for name in plain.__all__ if inspect.isfunction(getattr(plain, name))]
METHODS = {
    "Texts": ["tolist", "slice", "take", "lengths", "join", "blank"],
    "Cutter": ["__call__", "__init__"],
    "Tokens": ["__init__"],
    "NgramIndex": ["__init__", "matches"],
    "LcsIndex": ["__init__", "lengths"],
    "SwappedGains": ["__init__", "most"],
    "NgramInformation": ["__init__", "rows"],
}


def parameters(function):
    """Names, kinds and defaults of a function in Python or of nanobind."""
    if hasattr(function, "__nb_signature__"):
        ((signature, _, defaults),) = function.__nb_signature__
        while "[" in signature:
            signature = re.sub(r"\[[^][]*\]", "", signature)
        for i in reversed(range(len(defaults or ()))):
            signature = signature.replace(f"\\{i}", repr(defaults[i]))
        namespace = {}
        exec(f"from __future__ import annotations\n{signature}: pass", namespace)
        function = namespace[function.__name__]
    found = inspect.signature(function).parameters.values()
    return [(p.name, p.kind, p.default) for p in found if p.name != "self"]


def names(function):
    return [(name, kind == inspect.Parameter.KEYWORD_ONLY) for name, kind, _ in parameters(function)]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_have_the_same_arguments(compiled, name):
    ours, twins = (getattr(kernel, name) for kernel in (compiled, plain))
    assert names(ours) == names(twins)
    assert [default for *_, default in parameters(ours)] == [default for *_, default in parameters(twins)]


@pytest.mark.parametrize(("owner", "method"), [(owner, method) for owner in METHODS for method in METHODS[owner]])
def test_methods_have_the_same_arguments(compiled, owner, method):
    ours, twins = (getattr(getattr(kernel, owner), method) for kernel in (compiled, plain))
    assert names(ours) == names(twins)


def test_the_kernel_has_no_function_without_a_twin(compiled):
    public = {name for name in dir(compiled) if not name.startswith("_")}
    assert public - {"build_info"} == set(plain.__all__)


STUB = ast.parse((Path(textgauge.__file__).parent / "_kernel.pyi").read_text(encoding="utf-8"))
STUB_FUNCTIONS = {node.name: node for node in STUB.body if isinstance(node, ast.FunctionDef)}


def test_the_stub_names_what_the_kernel_has(compiled):
    from_twin = [node for node in STUB.body if isinstance(node, ast.ImportFrom) and node.module == "plain"]
    classes = [alias.asname for node in from_twin for alias in node.names]
    assert sorted([*STUB_FUNCTIONS, *classes]) == sorted(name for name in dir(compiled) if not name.startswith("_"))
    assert all(node.returns is not None for node in STUB_FUNCTIONS.values())


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_stub_has_the_same_arguments(name):
    arguments = STUB_FUNCTIONS[name].args
    both = [*((one, False) for one in arguments.args), *((one, True) for one in arguments.kwonlyargs)]
    assert [(one.arg, is_keyword) for one, is_keyword in both] == names(getattr(plain, name))
    assert all(one.annotation is not None for one, _ in both)
    given = [ast.literal_eval(value) for value in (*arguments.defaults, *arguments.kw_defaults)]
    defaults = [default for *_, default in parameters(getattr(plain, name))]
    assert given == [default for default in defaults if default is not inspect.Parameter.empty]


def test_the_compiled_kernel_is_used_where_it_is_built(compiled, recwarn):
    assert engine.kernel is compiled
    assert re.search(r"\d.*, (release|debug)", compiled.build_info())
    assert engine.kernel_in_use() == f"compiled ({compiled.build_info()})"
    engine.warn_if_plain()
    assert not recwarn.list


def test_beside_the_compiled_kernel_the_twin_is_not_imported(compiled):  # noqa: ARG001
    code = "import sys, textgauge; textgauge.chrf(['a b'], ['a c']); print(*sorted(sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {f"textgauge.plain.{name}" for name in ("chrf", "cutter", "scores", "ter")} & {*run.stdout.split()}


def test_plain_needs_neither_numpy_nor_arrow():
    code = (
        "import sys, types; package = types.ModuleType('textgauge'); "
        f"package.__path__ = {list(textgauge.__path__)!r}; sys.modules['textgauge'] = package; "
        "import textgauge.plain as p; t = p.cut(p.Cutter('13a'), p.Texts(['a b']), p.Texts(['a c']), [0, 1]); "
        "assert p.bleu_rows(t, 2)[0][:2] == [1, 0]; print(*sorted({'numpy', 'pyarrow'} & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == ""

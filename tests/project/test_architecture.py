"""The parts of the package and their permitted imports; no paths of a machine."""

import ast
import inspect
import re
import subprocess
import sys
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
import textgauge
from click.testing import CliRunner
from conftest import ROOT
from programs import docstrings, nodes_of
from textgauge import plain
from textgauge.accumulation import registry
from textgauge.cli.main import main
from textgauge.metric.metric import option_names

METRICS = ROOT / "metrics"
PACKAGE = METRICS / "textgauge"
STANDARD = sys.stdlib_module_names

CONTRIBUTING = (ROOT / ".github/CONTRIBUTING.md").read_text("utf-8")
# Of the kernel, only files of this name may include others than the standard library.
KERNEL = PACKAGE / "kernel"
OF_PYTHON = "bindings"
OF_COMPILERS = re.compile(r"\b(__builtin_\w+|__u?int128|__attribute__|_M_\w+|_umul128|_BitScan\w+|\w*intrin\.h)\b")
NEVER_AT_IMPORT = {"evaluate", "datasets", "torch", "transformers", "pyspark", "pandas", "gradio", "lxml", "num2words"}
# What rooms may import beside their own files and the standard library; models of language may import more.
OF_ROOMS = {"numpy", "pyarrow", "orjson"}
# What one of their files imports on first use, and an extra installs.
OF_EXTRAS = {"lxml", "num2words"}
HEAVY_AT_IMPORT = {"modules": {"evaluate", "datasets"}}
IN_A_MODULE = {"evaluate", "datasets", "textgauge"}


def sources(*folders):
    return sorted(path for folder in folders for path in folder.rglob("*.py") if "build" not in path.parts)


@cache
def text_of(path):
    return path.read_text(encoding="utf-8")


@cache
def tree_of(path):
    return ast.parse(text_of(path))


def found_in(paths, rule):
    """What a rule finds in files, by file, where it finds anything."""
    found = {path.relative_to(ROOT).as_posix(): rule(path) for path in paths}
    assert found
    return {path: wrong for path, wrong in found.items() if wrong}


def part_of(path):
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


def imports(path, *, everywhere):
    """Names of imported packages; modules of ours as `.part`."""
    tree = tree_of(path)
    depth = len(path.relative_to(METRICS).parts) - 1
    nodes = nodes_of(tree) if everywhere else iter(at_import(tree))
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield node.module.partition(".")[0]
        elif isinstance(node, ast.ImportFrom):
            # As many dots as folders below `metrics` lead to the package itself.
            outside = node.level == depth
            first = (node.module or "").partition(".")[0]
            names = [first] if first else [alias.name for alias in node.names]
            yield from (f".{name}" if outside else f".{part_of(path)}" for name in names)


def at_import(tree):
    """Statements that run when the module is imported."""
    for node in ast.iter_child_nodes(tree):
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            yield node
            yield from at_import(node)


def listed_below(title):
    """The names in the first column of the table of CONTRIBUTING that begins with a title."""
    table = CONTRIBUTING.partition(f"\n| {title} |")[2].partition("\n\n")[0]
    return [
        name
        for row in table.splitlines()
        if row.startswith("| `")
        for name in re.findall(r"`(\w+)`", row.split("|")[1])
    ]


ROOMS, FACES = listed_below("room"), listed_below("face")


def test_rooms_are_told():
    folders = {path.name for path in PACKAGE.iterdir() if path.is_dir() and any(path.rglob("*.[cp][py]*"))}
    told = [*ROOMS, *FACES]
    assert (folders - {*told} - {"__pycache__"}, [name for name in told if told.count(name) > 1]) == (set(), [])
    assert [name for name in told if not any(PACKAGE.glob(f"{name}*"))] == []


def below_faces():
    """The files of the rooms, and those beside them that these import, over any number of files."""
    todo, seen = [path for room in ROOMS for path in sources(PACKAGE / room)], set()
    while todo:
        if (path := todo.pop()) not in seen:
            seen.add(path)
            todo += files_imported(path)
    return sorted(seen - {PACKAGE / "__init__.py"})


def test_no_room_imports_a_face():
    def faces(path):
        return {part_of(one) for one in files_imported(path)} & {*FACES}

    assert found_in(below_faces(), faces) == {}


def test_rooms_import_those_above_them_in_the_table():
    """The calls `compare` and `plan`, which score texts, stand beside the tests that they make."""
    graph = {room: {(room, part_of(file)) for path in sources(PACKAGE / room) for file in files_imported(path)}
             for room in ROOMS}  # fmt: skip
    upward = {
        (room, other)
        for room, arrows in graph.items()
        for _, other in arrows
        if other in ROOMS and ROOMS.index(other) > ROOMS.index(room)
    }
    assert upward == {("resampling", "accumulation")}
    callers = {
        path.stem
        for path in sources(PACKAGE / "resampling")
        if "accumulation" in {part_of(file) for file in files_imported(path)}
    }
    assert callers == {"compare", "plan"}


def test_the_twin_imports_nothing():
    def others(path):
        return {*imports(path, everywhere=True)} - STANDARD - {".plain"}

    assert found_in(sources(PACKAGE / "plain"), others) == {}


def test_rooms_need_no_heavy_library():
    def heavy(path):
        named = {name for name in imports(path, everywhere=True) if name[0] != "."}
        return named - STANDARD - OF_ROOMS - OF_EXTRAS - {"textgauge"}

    assert found_in([path for path in below_faces() if part_of(path) != "models"], heavy) == {}


@cache
def files_imported(path):
    """The files of the package that a file imports, wherever it does, also for types alone."""
    folder, files = path.parent, set()
    for node in nodes_of(tree_of(path)):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = [folder, *folder.parents][node.level - 1]
            home = base.joinpath(*(node.module or "").split("."))
            for alias in node.names:
                found = (home / f"{alias.name}.py", home / alias.name / "__init__.py", home.with_suffix(".py"))
                files.add(next((one for one in found if one.is_file()), home / "__init__.py"))
    return files


def circles(graph):
    """Groups of files of which each is imported by each other, over any number of files."""
    reached = {}
    for start in graph:
        seen, todo = set(), [*graph[start]]
        while todo:
            one = todo.pop()
            if one not in seen:
                seen.add(one)
                todo += graph.get(one, ())
        reached[start] = seen
    of_each = {one: frozenset(other for other in reached[one] if one in reached.get(other, ())) for one in graph}
    return sorted({tuple(sorted(group)) for group in of_each.values() if len(group) > 1})


def test_no_files_import_each_other_in_a_circle():
    graph = {path: {*files_imported(path)} - {path} for path in sources(PACKAGE)}
    named = {path.relative_to(PACKAGE).as_posix(): {one.relative_to(PACKAGE).as_posix() for one in found}
             for path, found in graph.items()}  # fmt: skip
    # The package itself is imported for its version alone.
    named.pop("__init__.py")
    assert circles(named) == []


def test_a_circle_is_found():
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"a"}}) == [("b", "c")]


@pytest.fixture
def kernel_sources():
    return sorted(KERNEL.glob("*.[ch]pp")) or pytest.skip("the sources of the kernel are not here")


def code_of(source):
    """C++ without its comments."""
    return re.sub(r"//[^\n]*|/\*.*?\*/", " ", source, flags=re.DOTALL)


def test_only_the_bindings_of_the_kernel_include_python(kernel_sources):
    def wrong(path):
        code = code_of(text_of(path))
        included = {*re.findall(r"#include <([^>]+)>", code)}
        of_python = {name for name in included if name == "Python.h" or name.startswith("nanobind/")}
        found = [] if path.name.startswith(OF_PYTHON) else [*of_python, *re.findall(r"\bPy[A-Z_]\w+|\bnb::", code)]
        if path.name != "platform.hpp":
            found += [name for name in included - of_python if not re.fullmatch("[a-z_]+", name)]
            found += OF_COMPILERS.findall(code)
        return found

    assert found_in(kernel_sources, wrong) == {}


def parameters(kind):
    """Names of the parameters of a function, or of a class and its methods."""
    found = [kind, *vars(kind).values()] if isinstance(kind, type) else [kind]
    return {name for part in found if callable(part) for name in inspect.signature(part).parameters}


@cache
def names_of_options():
    """All options of metrics but what the kernel's own functions take by the same name."""
    own = set().union(*(parameters(getattr(plain, name)) for name in plain.__all__))
    # "join" and "strip" are methods of str; "strip" is a part of a long text; a "form" that of normalized text; "n" is
    # any number.
    names = {name for kind in registry.METRICS.values() for name in option_names(kind)}
    return names - own - {"join", "strip", "form", "normalized", "stride", "counts", "n", "numbers", "unit"}


def words_of_python(tree):
    """Names and words of strings, without docstrings."""
    documented = docstrings(tree)
    for node in nodes_of(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documented:
            yield from re.findall(r"\w+", node.value)
        for part in ("id", "attr", "arg", "name"):
            if isinstance(getattr(node, part, None), str):
                yield getattr(node, part)


def test_the_twin_knows_no_option():
    found = found_in(sources(PACKAGE / "plain"), lambda path: {*words_of_python(tree_of(path))} & names_of_options())
    assert found == {}


def test_the_kernel_uses_no_option_names(kernel_sources):
    def named(path):
        strings = re.findall(r'"((?:[^"\\]|\\.)*)"', code_of(text_of(path)))
        return {word for string in strings for word in re.findall(r"\w+", string)} & names_of_options()

    assert found_in(kernel_sources, named) == {}


def test_scores_use_no_random_numbers():
    drawn = {"random", "default_rng", "RandomState"}
    rooms = [PACKAGE / name for name in ("plain", "metric", "accumulation", "measures")]
    assert found_in(sources(*rooms), lambda path: drawn & {*words_of_python(tree_of(path))}) == {}


def test_nothing_heavy_is_imported_with_the_package():
    def heavy(path):
        return {*imports(path, everywhere=False)} & (NEVER_AT_IMPORT - HEAVY_AT_IMPORT.get(part_of(path), set()))

    assert found_in(sources(PACKAGE), heavy) == {}


SCRIPTS = [p for p in sources(METRICS) if PACKAGE not in p.parents]


def test_a_module_knows_no_arithmetic():
    modules = [path for path in SCRIPTS if path.stem == path.parent.name]
    assert found_in(modules, lambda path: {*imports(path, everywhere=True)} - STANDARD - IN_A_MODULE) == {}


@pytest.mark.parametrize("folder", sorted({p.parent for p in SCRIPTS}), ids=str)
def test_files_of_a_module(folder):
    own = {p.name for p in folder.iterdir()} - {"__pycache__"}
    assert {f"{folder.name}.py", "README.md"} <= own
    assert {name for name in own if not name.endswith(".md")} == {f"{folder.name}.py"}
    assert not (folder / "__init__.py").exists()


def test_oracles_are_definitions_of_their_own():
    oracles = sorted((ROOT / "tests/oracles").glob("*.py"))
    assert len(oracles) > 5
    assert not [path.name for path in oracles if re.search(r"^\s*(from|import) textgauge", path.read_text(), re.M)]


def test_nothing_prints():
    def prints(path):
        calls = [n.func for n in nodes_of(tree_of(path)) if isinstance(n, ast.Call)]
        return [one.lineno for one in calls if isinstance(one, ast.Name) and one.id == "print"]

    assert found_in(sources(PACKAGE, *{p.parent for p in SCRIPTS}), prints) == {}


def way(call):
    """The file of every function of the package that a call enters, in order; what is built once is built before.

    Of the kernel, which may be plain Python, nothing is told.
    """
    call()
    files = []

    def note(frame, event, _):
        file = frame.f_code.co_filename
        if event == "call" and file.startswith(str(METRICS)) and not file.startswith(str(METRICS / "textgauge/plain")):
            files.append(file)

    sys.setprofile(note)
    try:
        call()
    finally:
        sys.setprofile(None)
    return files


@pytest.mark.parametrize(
    ("face", "most_files", "most_switches"),
    [("textgauge.bleu", 10, 60), ("compute of evaluate", 18, 100), ("the command line", 40, 450)],
)
def test_the_way_to_a_score_is_short(face, most_files, most_switches, tmp_path):
    hypotheses, references = ["the cat sat on the mat", "a dog barks"], [["the cat is on the mat"], ["the dog barks"]]
    if face == "the command line":
        paths = [str(tmp_path / name) for name in ("hyp.txt", "ref.txt")]
        for path, texts in zip(paths, (hypotheses, [one for (one,) in references]), strict=True):
            Path(path).write_text("\n".join(texts) + "\n", encoding="utf-8")
        words = ["score", paths[0], "-r", paths[1], "-m", "bleu"]
        files = way(lambda: CliRunner().invoke(main, words, catch_exceptions=False))
    else:
        call = textgauge.bleu if face == "textgauge.bleu" else textgauge.load("bleu").compute
        files = way(lambda: call(predictions=hypotheses, references=references))
    switches = sum(one != following for one, following in pairwise(files))
    assert (len({*files}) <= most_files, switches <= most_switches) == (True, True), (len({*files}), switches)


def test_contributing_tells_the_way():
    told = re.findall(r"^\| `([\w/]+\.py)` \|", CONTRIBUTING, re.MULTILINE)
    files = way(lambda: textgauge.bleu(["the cat sat on the mat"], ["the cat sat on the mats"]))
    assert told == [*dict.fromkeys(str(Path(file).relative_to(METRICS / "textgauge")) for file in files)]


def test_a_long_way_is_seen():
    assert {Path(file).name for file in way(textgauge.kernel_in_use)} == {"engine.py"}
    assert len(way(lambda: textgauge.tokenize("a", tokenizer="13a"))) > 1


def tracked():
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("not a git checkout: no list of what belongs to the project")
    return [ROOT / line for line in listed.stdout.splitlines() if (ROOT / line).is_file()]


OF_A_MACHINE = re.compile(
    "|".join((r"(?<![\w.])/(root|work|home|Users)/\w", r"[A-Z]:\\Users", r"https?://(localhost|127\.|10\.|192\.168\.)"))
)


def test_no_tracked_file_names_a_path_or_host_of_a_machine():
    texts = {path: path.read_bytes().decode("utf-8", "replace") for path in tracked() if path != Path(__file__)}
    assert [path for path, text in texts.items() if OF_A_MACHINE.search(text)] == []


@pytest.mark.parametrize("text", ["see /home/ann/x", "C:\\Users\\ann", "http://10.1.2.3/simple", "(/home/ann)"])
def test_paths_of_a_machine_are_recognised(text):
    assert OF_A_MACHINE.search(text)


def test_the_rules_detect_violations(tmp_path, monkeypatch):
    monkeypatch.setattr(sys.modules[__name__], "METRICS", tmp_path)
    monkeypatch.setattr(sys.modules[__name__], "PACKAGE", tmp_path / "textgauge")
    path = tmp_path / "textgauge" / "counts" / "bad.py"
    path.parent.mkdir(parents=True)
    path.write_text("from ..text import x\nfrom . import y\nif 1:\n    import torch\ndef f():\n    import evaluate\n")
    assert set(imports(path, everywhere=True)) == {".text", ".counts", "torch", "evaluate"}
    assert set(imports(path, everywhere=False)) == {".text", ".counts", "torch"}
    assert {"max_words", "jackknife", "preset"} <= names_of_options()
    words = {*words_of_python(ast.parse("def f(preset):\n    'x'\n    return a['no jackknife']"))}
    assert ({"preset", "jackknife", "a"} <= words, "x" in words) == (True, False)
    assert code_of("int a; // preset\n/* jack\nknife */ b").split() == ["int", "a;", "b"]
    found = OF_COMPILERS.findall("__builtin_popcount(x) + _umul128(a) + std::popcount")
    assert found == ["__builtin_popcount", "_umul128"]


@pytest.mark.parametrize(
    "room", sorted(path.parent for path in PACKAGE.glob("*/__init__.py")), ids=lambda path: path.name
)
def test_a_room_names_files_that_are_there(room):
    text = ast.get_docstring(tree_of(room / "__init__.py")) or ""
    # The first column of a map: names, and wide space before what they are.
    named = [
        name for row in re.findall(r"^ *([a-z_0-9]+(?:, [a-z_0-9]+)*)  +\S", text, re.M) for name in row.split(", ")
    ]
    assert [name for name in named if not any(room.glob(f"{name}*"))] == []

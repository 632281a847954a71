import doctest
import functools
import gc
import importlib
import os
import re
import sys
import warnings
from collections import Counter
from contextlib import suppress
from itertools import count
from pathlib import Path

# Each worker has one processor, and matrices here are small: NumPy's threads wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import pytest
from _pytest.doctest import DoctestModule
from hypothesis import is_hypothesis_test, settings
from quick import first
from textgauge import engine, plain

ROOT, NUMBERS = Path(__file__).parent.parent, count()
# Recorded figures in bfloat16 are those of processors without AMX, whose tiles add up in another order: `==` holds
# where oneDNN leaves the tiles unused. It reads this once, when torch first computes.
os.environ.setdefault("ONEDNN_MAX_CPU_ISA", "AVX512_CORE_BF16")
sys.path[:0] = [str(Path(__file__).parent), str(ROOT)]
# Imports atheris, which the test extra does not bring; `python tests/fuzz` and its test start it.
collect_ignore = ["fuzz/guided.py"]
# What is imported and collected stays, so the collector of garbage looks for none in it, neither now nor in a test.
gc.disable()

# The package that a test was skipped for.
ABSENT = re.compile(
    r"could not import '([\w.]+)'|(?:the package )?([\w.-]+) is (?:missing|not installed)"
    r"|Skipped: needs (?:the package )?([\w.-]+).*: pip install"
)

# What is costly to start: a browser, Spark, wheels, torch with training and processes of a launcher.
STARTED_ONCE = {
    "browser": ("browser/",),
    "spark": ("spark/",),
    "wheels": ("project/test_packaging.py",),
    # And the folders of metrics with a model.
    "torch": (
        "cli/test_help.py", "cli/test_perplexity_score.py", "comparisons/test_costs.py",
        "comparisons/test_reference_modules.py", "compat/test_drop_in_page.py", "dataset/",
        "frameworks/test_corpus_score.py", "fuzz/", "models/", "measures/test_laws.py", "measures/test_mauve",
        "modules/test_perplexity_face.py",
        "parity/test_recorded.py", "project/test_documents.py", "robustness/test_threads.py", "trainer/",
    ),
}  # fmt: skip


def pytest_addoption(parser):
    parser.addoption("--all", action="store_true", help="run the slow tests too, and more examples of each property")
    parser.addoption("--plain", action="store_true", help="run on the kernel in plain Python, not on the compiled one")


def pytest_configure(config):
    # Hypothesis would draw from the constants of all imported modules, which it parses for seconds.
    with suppress(ImportError):
        from hypothesis.internal.conjecture import providers

        providers._get_local_constants = lambda: providers._local_constants
    # A busy machine takes its time, so no example has a deadline.
    # The quick run draws the same examples everywhere; `--all` and the fuzzer draw new ones.
    settings.register_profile("all", deadline=None, max_examples=40)
    settings.register_profile("quick", deadline=None, max_examples=6, derandomize=True)
    settings.load_profile("all" if config.getoption("--all") else "quick")
    if config.getoption("--plain"):
        engine.kernel = plain
    from tiny_meteor import supply

    supply()
    # Warnings are errors; the warning of a missing kernel, once per process, has its own test.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        engine.warn_if_plain()
    # For tests of all metrics, where the programs of `code_eval` are sentences. Without bubblewrap it warns.
    os.environ.setdefault("HF_ALLOW_CODE_EVAL", "1")
    config.addinivalue_line("filterwarnings", "ignore:programs run without a sandbox:UserWarning")


def pytest_collection():
    """Import `evaluate` without its evaluators, which no test uses: torch and transformers take seconds a worker."""
    if not {"evaluate", "transformers"} & sys.modules.keys():
        sys.modules["transformers"] = None
        importlib.import_module("evaluate")
        del sys.modules["transformers"]


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path):
    """Look for examples only where some are: else each module is imported, and each of its functions looked at."""
    found = yield
    if file_path.suffix == ".py" and ">>>" not in file_path.read_text("utf-8"):
        found = [one for one in found if not isinstance(one, DoctestModule)]
    return found


def pytest_collection_modifyitems(config, items):
    """Skip slow tests unless requested: by `--all`, or by the name of their file or folder."""
    # Drawn texts may deserve any advice, rarely; which one they get is asked by tests of their own.
    for item in items:
        if is_hypothesis_test(getattr(item, "obj", None)):
            item.add_marker(pytest.mark.filterwarnings("ignore::UserWarning"), append=False)
    if config.getoption("--all") or config.args_source is not pytest.Config.ArgsSource.TESTPATHS:
        return
    slow = [item for item in items if item.get_closest_marker("slow")]
    config.hook.pytest_deselected(items=slow)
    items[:] = [item for item in items if not item.get_closest_marker("slow")]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Let one worker run all that needs the same costly start, and whole files: their fixtures are made once."""
    if config.getvalue("dist") != "load":
        return None
    from xdist.scheduler import LoadScopeScheduling

    # By what the module names, since to import all metrics takes seconds.
    modules = {path.stem: path.read_text("utf-8") for path in ROOT.glob("metrics/*/*.py")}
    with_a_model = [f"{name}/" for name, text in modules.items() if re.search(r"^    extra = ", text, re.MULTILINE)]
    started_once = {**STARTED_ONCE, "torch": (*STARTED_ONCE["torch"], *with_a_model)}

    class Together(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            file = nodeid.partition("::")[0].removeprefix("tests/")
            return next((start for start, places in started_once.items() if file.startswith(places)), file)

        def remove_node(self, node):
            """Give what a worker that died left to the others, without the test that it died in.

            The inherited method gives away that test and finished files, too; a worker that gets a finished file alone
            waits forever.
            """
            left = [
                (scope, {test: False for test, is_done in tests.items() if not is_done})
                for scope, tests in self.assigned_work.pop(node).items()
            ]
            left = [(scope, tests) for scope, tests in left if tests]
            if not left:
                return None
            crashed = next(iter(left[0][1]))
            del left[0][1][crashed]
            self.workqueue.update((scope, tests) for scope, tests in left if tests)
            for other in self.nodes:
                self._reschedule(other)
            return crashed

    # In the order of collection, which begins with torch and ends with short files.
    config.option.loadscopereorder = False
    return Together(config, log)


def pytest_collection_finish():
    gc.freeze()
    # Seldom: libraries that tests import make many objects, and each search goes through all of them.
    gc.set_threshold(50_000, 20, 50)
    gc.enable()


def pytest_terminal_summary(terminalreporter):
    """Say in one line what was skipped for want of a package, such as learned metrics without torch."""
    reasons = [str(report.longrepr[2]) for report in terminalreporter.stats.get("skipped", ())]
    absent = Counter(found[1] or found[2] or found[3] for found in map(ABSENT.search, reasons) if found)
    if absent:
        packages = ", ".join(f"{n} for {name}" for name, n in absent.most_common())
        terminalreporter.write_line(f"skipped for want of packages (pytest -rs says more): {packages}")


def pytest_report_header():
    return f"kernel: {engine.kernel_in_use()}"


@pytest.fixture
def tmp_path(tmp_path_factory):
    """A new folder: that of pytest searches all others for its number, and has a link to it made anew."""
    folder = tmp_path_factory.getbasetemp() / str(next(NUMBERS))
    folder.mkdir()
    return folder


@pytest.fixture(autouse=True, scope="session")
def models_stay_loaded():
    """Keep the last model of each folder, where the product keeps one per class."""
    from textgauge.models.loading import ModelCache

    get = ModelCache.get

    @functools.wraps(get)
    def get_one_of_many(self, family, key, load):
        with self._lock:
            if len(self._loaded) > 40:
                self._loaded.clear()
        return get(self, f"{family} {key[0]}", key, load)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ModelCache, "get", get_one_of_many)
        yield


@pytest.fixture(autouse=True, scope="session")
def evaluate_and_datasets_are_quick():
    """`evaluate` copies a module at each load, those of the project here once, and `datasets` pickles each table."""
    from evaluate import config
    from evaluate.loading import LocalEvaluationModuleFactory as Factory

    get, copied, names = Factory.get_module, {}, count()

    def get_once(self):
        key = self.path, config.HF_MODULES_CACHE
        if key not in copied or not Path(self.path).is_relative_to(ROOT):
            copied[key] = get(self)
        return copied[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Factory, "get_module", get_once)
        patch.setattr("datasets.arrow_dataset.generate_fingerprint", lambda _: f"{next(names):016x}")
        yield


@pytest.fixture
def nothing_is_collected(monkeypatch):
    """The garbage of all tests before takes longer than a short call that is timed, as does what was frozen."""
    monkeypatch.setattr(gc, "collect", lambda *_: 0)
    monkeypatch.setattr(gc, "get_freeze_count", lambda: 1)


@pytest.fixture(scope="session")
def shared():
    folder = ROOT.parent / "shared"
    if not folder.is_dir():
        pytest.skip("the folder with recorded figures is not beside the project")
    return folder


@pytest.fixture
def run_card(tmp_path, monkeypatch):
    """A function that runs the examples of a card where the folders of models have the names in it.

    It returns the number of blocks.
    """

    def run(metric, places):
        monkeypatch.chdir(tmp_path)
        for name, place in {"metrics": ROOT / "metrics", **places}.items():
            (tmp_path / name).symlink_to(place)
        blocks = re.findall(r"```python\n(.*?)```", (ROOT / f"metrics/{metric}/README.md").read_text(), re.DOTALL)
        examples = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, "card", "README.md", 0)
        assert doctest.DocTestRunner().run(examples).failed == 0
        return len(blocks)

    return run


@pytest.fixture
def hub(monkeypatch):
    """A function that lets the Hub answer with a folder or an error, and returns the list of questions."""
    import huggingface_hub
    from textgauge.models import clear_models

    asked = []

    def answer(found):
        def download(name, *, revision=None, allow_patterns):
            asked.append((name, revision, allow_patterns))
            if isinstance(found, Exception):
                raise found
            return str(found)

        monkeypatch.setattr(huggingface_hub, "snapshot_download", download)
        clear_models()
        return asked

    return answer


@pytest.fixture
def block_bytes(monkeypatch):
    """A function that sets how many bytes of a file are read at once: few of them cut any text."""
    return lambda n: monkeypatch.setattr("textgauge.files.lines.BLOCK_BYTES", n)


@pytest.fixture(params=first(1, [3, 1, 64]))
def padding(request, monkeypatch):
    """A function that has texts of all lengths padded on a processor, as on an accelerator; it returns `batch_size`.

    The test fails if larger batches have no padding, or if a tensor is taken as an array without a copy.
    """
    from textgauge.models import batching

    n_padded, on, was_called = [], batching.Padded.on, []

    def counted(self, device):
        n_padded.append(int((self.mask == 0).sum()))
        return on(self, device)

    def switch_on():
        import torch

        class Copied(torch.Tensor):
            numpy, __torch_function__ = torch.Tensor.numpy, torch._C._disabled_torch_function_impl

        def refused(self, *_):
            raise TypeError("a tensor of a device")

        for name in ("numpy", "__array__"):
            monkeypatch.setattr(torch.Tensor, name, refused)
        monkeypatch.setattr(torch.Tensor, "cpu", lambda self: self.as_subclass(Copied))
        was_called.append(True)
        monkeypatch.setattr(batching, "pads", lambda device: True)
        monkeypatch.setattr(batching, "FEW_ON_PROCESSOR", 1 << 30)
        monkeypatch.setattr(batching.Padded, "on", counted)
        return request.param

    yield switch_on
    assert was_called
    assert sum(n_padded) > 0 or request.param == 1

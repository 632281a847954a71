"""Tools with their options; the calls of textgauge and of the reference modules."""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
import weakref
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib import import_module, metadata, util
from pathlib import Path
from types import ModuleType
from typing import Any

from .child import Child
from .texts import Corpus, Unavailable

Scores = dict[str, list[float]]
# The call that is timed, and a function that reads the figures from its result.
Prepared = tuple[Callable[[], Any], Callable[[Any], Scores]]
TESTS = Path(__file__).parents[2] / "tests"


@dataclass(frozen=True)
class Tool:
    """A call of a tool. Equal ones are measured once; they can be pickled for a child process.

    Attributes
    ----------
    name : str
        The name of the tool on the page.
    package : str
        The installed package whose version the page states.
    adapter : callable
        Takes a corpus and the options. Returns the call that is timed, from lists of strings to
        scores (after imports, loading and one-time preparation), and a reader of figures from its
        result, by textgauge's names, from 0 to 1. Raises `Unavailable` or ImportError if the call is
        not possible here.
    options : tuple of (str, value)
    is_ours : bool
        Whether an exception ends the measurement; an exception of other tools is shown on the page.
    asks_hub : bool
        Whether it is loaded from the Hub.
    has_own_process : bool
        Whether it runs in another process, whose memory is not measured.
    """

    name: str
    package: str
    adapter: Callable[..., Prepared]
    options: tuple[tuple[str, Any], ...] = ()
    is_ours: bool = False
    asks_hub: bool = False
    has_own_process: bool = False

    def using(self, **options: Any) -> Tool:
        """Return the tool with more options."""
        return replace(self, options=(*self.options, *options.items()))

    def in_folder(self, folder: Path) -> Tool:
        """Return a reference module as its copy in a folder, and any other tool unchanged."""
        return replace(self.using(folder=str(folder)), asks_hub=False) if self.asks_hub else self

    def prepare(self, corpus: Corpus) -> Prepared:
        """Return the result of `adapter`."""
        return self.adapter(corpus, **dict(self.options))

    @property
    def version(self) -> str | None:
        """The installed version, None if the tool is not installed."""
        if self.package == "textgauge":
            # That of this tree, installed or not.
            return str(import_module("textgauge").__version__)
        try:
            return metadata.version(self.package)
        except metadata.PackageNotFoundError:
            return None


def figures(result: Any) -> Scores:
    """Return every figure of a dict as a list; figures of nested dicts have keys "key.part"."""
    parts = {key: value if isinstance(value, dict) else {"": value} for key, value in result.items()}
    return {
        f"{key}.{part}" if part else key: list(value) if isinstance(value, (list, tuple)) else [value]
        for key, named in parts.items()
        for part, value in named.items()
    }


def of_tests(module: str) -> ModuleType:
    """Import a module of the folder `tests`: versions of tools without a Python package."""
    if not TESTS.is_dir():
        raise Unavailable("outside the project's tree")
    # At the end: a folder there may have the name of a package.
    if str(TESTS) not in sys.path:
        sys.path.append(str(TESTS))
    return import_module(module)


def function(corpus: Corpus, metric: str, **options: Any) -> Prepared:
    """Call the one-call function."""
    import textgauge

    score = getattr(textgauge, metric, None)
    if score is None:
        raise Unavailable(f"this version has no {metric}")
    return lambda: score(corpus.predictions, corpus.plain_references, **options), figures


def face(corpus: Corpus, metric: str, **options: Any) -> Prepared:
    """Call `evaluate.load(path).compute`, with the module loaded once."""
    import textgauge

    module = textgauge.load(metric, **options)
    return lambda: module.compute(predictions=corpus.predictions, references=corpus.plain_references), figures


def prepared(corpus: Corpus, metric: str, **options: Any) -> Prepared:  # noqa: ARG001
    """Call a prepared scorer pair by pair, as rouge_score's is called."""
    from textgauge.compat import rouge_scorer

    scorer = rouge_scorer.RougeScorer(["rouge1", "rouge2", "rougeL", "rougeLsum"], **options)
    pairs = list(zip(corpus.plain_references, corpus.predictions, strict=True))

    def read(results: list[dict[str, Any]]) -> Scores:
        return {key: [result[key].fmeasure for result in results] for key in results[0]}

    return lambda: [scorer.score(*pair) for pair in pairs], read


def without_kernel(corpus: Corpus, metric: str, **options: Any) -> Prepared:
    """Call the one-call function in a process that cannot import the compiled kernel."""
    if util.find_spec("textgauge.plain") is None:
        raise Unavailable("this version has no plain-Python kernel")
    child = Child(ours(metric, **options), corpus, without=("textgauge._kernel",))
    weakref.finalize(corpus, child.close)
    return lambda: child.ask("call"), lambda _: figures(child.ask("result"))


def reference_module(corpus: Corpus, module: str, folder: str | None = None, **options: Any) -> Prepared:
    """Call `evaluate.load(module).compute` of the Hub's module, or of its copy in a folder."""
    loaded = loaded_module(module, folder)
    return lambda: loaded.compute(
        predictions=corpus.predictions, references=corpus.plain_references, **options
    ), figures


def squad_module(corpus: Corpus, module: str = "squad", folder: str | None = None) -> Prepared:
    """Call the reference `squad` module, which takes rows of SQuAD and scores from 0 to 100."""
    loaded = loaded_module(module, folder)
    predictions = [{"id": str(i), "prediction_text": text} for i, text in enumerate(corpus.predictions)]
    references = [
        {"id": str(i), "answers": {"text": answers, "answer_start": [0] * len(answers)}}
        for i, answers in enumerate(corpus.references)
    ]
    return lambda: loaded.compute(predictions=predictions, references=references), percentages


def percentages(result: dict[str, float]) -> Scores:
    """Scale figures from 0 to 100 to 0 to 1."""
    return {key: [value / 100] for key, value in result.items()}


def squad_loop(corpus: Corpus) -> Prepared:
    """Run the loop of the reference `squad` module, in the version of our tests."""
    score = of_tests("oracles.token_f1").squad_scores
    return lambda: score(corpus.predictions, corpus.references), figures


def loaded_module(name: str, folder: str | None = None) -> Any:
    """Return the module of a folder, else that of the Hub or of its cache; never one of ours."""
    import evaluate
    from textgauge.modules import TextMetric

    if folder is not None:
        return copied_module(name, Path(folder))
    try:
        module = evaluate.load(name)
    except OSError as error:
        raise Unavailable("the Hub was not reached") from error
    # evaluate prefers a folder of that name in the working directory.
    if isinstance(module, TextMetric):
        raise Unavailable("a local folder hides the Hub's module")
    return module


def copied_module(name: str, folder: Path, **options: Any) -> Any:
    """Load FOLDER/NAME/NAME.py; where a comment names the address of an imported file, import the copy beside it."""
    import evaluate

    if not (folder / name / f"{name}.py").is_file():
        raise Unavailable("not in the folder of reference modules")
    with tempfile.TemporaryDirectory() as place:
        copy = shutil.copytree(folder / name, Path(place, name))
        script = copy / f"{name}.py"
        fetched = r"^(from \.(\w+) import .*?)\s*# From:.*"
        script.write_text(
            re.sub(
                fetched,
                lambda found: found[1] if (copy / f"{found[2]}.py").is_file() else found[0],
                script.read_text("utf-8"),
                flags=re.MULTILINE,
            ),
            "utf-8",
        )
        return evaluate.load(str(copy), **options)


def ours(metric: str, adapter: Callable[..., Prepared] = function, **options: Any) -> Tool:
    """Return a metric of ours by name, with options."""
    names = {face: "textgauge through evaluate", without_kernel: "textgauge without its kernel"}
    own = adapter is without_kernel
    tool = Tool(names.get(adapter, "textgauge"), "textgauge", adapter, (("metric", metric),), True, has_own_process=own)
    return tool.using(**options)


def reference(module: str, **options: Any) -> Tool:
    """Return a reference module of the Hub."""
    adapter = squad_module if module == "squad" else reference_module
    tool = Tool(f"reference {module} module", "evaluate", adapter, (("module", module),), asks_hub=True)
    return tool.using(**options)


SQUAD_LOOP = Tool("the loop of squad", "textgauge", squad_loop)

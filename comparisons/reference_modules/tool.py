"""Tools with their options; the calls of textgauge and of the reference modules, live and recorded."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module, metadata
from pathlib import Path
from types import ModuleType
from typing import Any

from .texts import Corpus, Unavailable

Scores = dict[str, list[float]]
# The call that is timed, and a function that reads the figures from its result.
Prepared = tuple[Callable[[], Any], Callable[[Any], Scores]]
TESTS = Path(__file__).parents[2] / "tests"
# Figures of the reference modules in tests/data.
RECORDINGS = {"bleu": "bleu.json", "rouge": "rouge.json", "squad": "token_f1.json"}


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
        result, by textgauge's names, on its scale. Raises `Unavailable` or ImportError if the call is
        not possible here.
    options : tuple of (str, value)
    asks_hub : bool
        Whether it is loaded from the Hub.
    is_timed : bool
        Whether its time means something: that of recorded figures does not.
    has_memory : bool
        Whether its memory is that of this process.
    """

    name: str
    package: str
    adapter: Callable[..., Prepared]
    options: tuple[tuple[str, Any], ...] = ()
    asks_hub: bool = False
    is_timed: bool = True
    has_memory: bool = True

    def using(self, **options: Any) -> Tool:
        """Return the tool with more options."""
        return replace(self, options=(*self.options, *options.items()))

    def in_folder(self, folder: Path) -> Tool:
        """Return a reference module as its copy in a folder, and any other tool unchanged."""
        return replace(self.using(folder=folder), asks_hub=False) if self.asks_hub else self

    def prepare(self, corpus: Corpus) -> Prepared:
        """Return the result of `adapter`."""
        return self.adapter(corpus, **dict(self.options))

    def figures(self, corpus: Corpus) -> Scores:
        """Return the figures of one call."""
        call, read = self.prepare(corpus)
        return read(call())

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
    return partial(score, corpus.predictions, corpus.plain_references, **options), figures


def face(corpus: Corpus, metric: str, **options: Any) -> Prepared:
    """Call `evaluate.load(path).compute`, with the module loaded once."""
    import textgauge

    compute = textgauge.load(metric, **options).compute
    return partial(compute, predictions=corpus.predictions, references=corpus.plain_references), figures


def without_kernel(corpus: Corpus, metric: str, **options: Any) -> Prepared:
    """Call the one-call function with plain Python in place of the compiled kernel."""
    from textgauge import engine, plain

    call, read = function(corpus, metric, **options)

    def plainly() -> Any:
        compiled, engine.kernel = engine.kernel, plain
        try:
            return call()
        finally:
            engine.kernel = compiled

    return plainly, read


def reference_module(corpus: Corpus, module: str, folder: Path | None = None, **options: Any) -> Prepared:
    """Call `evaluate.load(module).compute` of the Hub's module, or of its copy in a folder."""
    loaded = hub_module(module) if folder is None else copied_module(module, folder)
    if module != "squad":
        texts = {"predictions": corpus.predictions, "references": corpus.plain_references}
        return partial(loaded.compute, **texts, **options), figures
    predictions = [{"id": str(i), "prediction_text": text} for i, text in enumerate(corpus.predictions)]
    answers = [{"text": texts, "answer_start": [0] * len(texts)} for texts in corpus.references]
    references = [{"id": str(i), "answers": each} for i, each in enumerate(answers)]
    return partial(loaded.compute, predictions=predictions, references=references), figures


def hub_module(name: str) -> Any:
    """Return the module of the Hub or of its cache; never one of ours."""
    import evaluate
    from textgauge.modules import TextMetric

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

        def local(found: re.Match[str]) -> str:
            return found[1] if (copy / f"{found[2]}.py").is_file() else found[0]

        script = copy / f"{name}.py"
        fetched = r"^(from \.(\w+) import .*?)\s*# From:.*"
        script.write_text(re.sub(fetched, local, script.read_text("utf-8"), flags=re.MULTILINE), "utf-8")
        return evaluate.load(str(copy), **options)


def recorded(_: Corpus, module: str) -> Prepared:
    """Return the figures of all recorded calls."""
    every = [their for _, _, their in cases(module)]
    return lambda: every, _numbered


def our_calls(_: Corpus, module: str) -> Prepared:
    """Make the recorded calls again, with textgauge."""
    calls = [tool.prepare(corpus)[0] for tool, corpus, _ in cases(module)]
    return lambda: [figures(call()) for call in calls], _numbered


def _numbered(results: list[Scores]) -> Scores:
    return {f"call {i}: {name}": values for i, result in enumerate(results) for name, values in result.items()}


def cases(module: str) -> Iterator[tuple[Tool, Corpus, Scores]]:
    """Read the recording of a module: our calls, their texts, and the recorded figures; see the README of tests/data.

    Calls that the reference module refused with an exception have no figures and are left out.
    """
    record = of_tests("data.record")
    data = record.read(RECORDINGS[module])
    if module == "squad":
        for case in data["cases"]:
            corpus = Corpus("recorded", [case["prediction"]], [case["references"]])
            yield ours("squad"), corpus, figures(case["squad"])
        return
    for case in data if module == "bleu" else [*data["per_segment"], *data["aggregated"]]:
        if "result" in case:
            segments = case.get("segments") if module == "bleu" or "seed" in case else data["segments"]
            predictions, references = record.sides(segments, case["references"]).values()
            groups = [[given] if isinstance(given, str) else given for given in references]
            yield _call(module, case), Corpus("recorded", predictions, groups), figures(case["result"])


def _call(module: str, case: dict[str, Any]) -> Tool:
    if module == "bleu":
        return ours("bleu", **{key: case[key] for key in ("tokenizer", "max_order", "smooth")})
    aggregated = {"aggregator": "bootstrap", "seed": case["seed"]} if "seed" in case else {"use_aggregator": False}
    tokenizer = None if case["tokenizer"] == "default" else case["tokenizer"]
    # The reference module does not stem with a given tokenizer; we refuse the combination.
    stems = case["use_stemmer"] and tokenizer is None
    return ours("rouge", rouge_types=tuple(case["result"]), use_stemmer=stems, tokenizer=tokenizer, **aggregated)


def recordings(module: str) -> tuple[Tool, Tool]:
    """Return our calls, and the recorded figures of a module."""
    theirs = Tool(f"recorded {module} module", "evaluate", recorded, (("module", module),), is_timed=False)
    return Tool("textgauge", "textgauge", our_calls, theirs.options, is_timed=False), theirs


def squad_loop(corpus: Corpus) -> Prepared:
    """Run the loop of the reference `squad` module, in the version of our tests."""
    return partial(of_tests("oracles.token_f1").squad_scores, corpus.predictions, corpus.references), figures


def python(_: Corpus, arguments: tuple[str, ...]) -> Prepared:
    """Run Python with arguments, for the time that it takes to start."""
    return partial(subprocess.run, [sys.executable, *arguments], stdout=subprocess.DEVNULL, check=True), lambda _: {}


def ours(metric: str, adapter: Callable[..., Prepared] = function, **options: Any) -> Tool:
    """Return a metric of ours by name, with options."""
    names = {face: "textgauge through evaluate", without_kernel: "textgauge without its kernel"}
    return Tool(names.get(adapter, "textgauge"), "textgauge", adapter, (("metric", metric), *options.items()))


def reference(module: str, **options: Any) -> Tool:
    """Return a reference module of the Hub."""
    named = (("module", module), *options.items())
    return Tool(f"reference {module} module", "evaluate", reference_module, named, asks_hub=True)


def start(*arguments: str) -> Tool:
    """Return a start of Python."""
    return Tool("Python", "textgauge", python, (("arguments", arguments),), has_memory=False)


SQUAD_LOOP = Tool("the loop of squad", "textgauge", squad_loop)

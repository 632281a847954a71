"""Rows of text from a user's columns to Arrow; a failure leaves no row, file or lock."""

from __future__ import annotations

import abc
import filecmp
import inspect
import os
import textwrap
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar, NoReturn

import datasets
import evaluate
import pyarrow as pa

from ..checks import fail, message_in, quantity, refuse_unknown, shown, without_places
from ..locations import MODULES, path

# 64-bit offsets: a batch may hold more than 2 GB of text.
TEXT = datasets.Value("large_string")
TEXTS = datasets.Sequence(TEXT)
# The end of an Arrow stream: a continuation mark and the length 0.
_END_OF_STREAM = b"\xff\xff\xff\xff\x00\x00\x00\x00"


class ArgumentError(TypeError, ValueError):
    """An error about a value of `compute`, of both kinds.

    The Hub's modules raise ValueError for a wrong type, too, and lm-evaluation-harness goes on only after TypeError.
    """


class TextModule(evaluate.EvaluationModule, abc.ABC):
    """A module whose columns are text.

    The options given to `evaluate.load` become defaults of `compute`.

    The docstring of a module is its description, and is extended by that of the arguments of `compute`.

    Attributes
    ----------
    rows : datasets.Features
        The columns.
    kind : str
        The name of the module in messages.
    citation : str
        BibTeX entries of the papers.
    urls : tuple of str
        Addresses of the papers, or of the official tool.
    inputs, returns, examples : str
        Lines that describe the columns, the keys of the result, and a session that doctest can run.
    extra : str
        The extra of the package that installs what the metric needs.
    information : class
        What `evaluate` calls the information on a module of this kind.
    """

    rows: datasets.Features
    kind: str
    information: ClassVar[Any]
    citation: str = ""
    urls: tuple[str, ...] = ()
    inputs: str
    returns: str
    examples: str = ""
    extra: str = ""
    writer: Any
    data: Any
    _data_dir_root: str
    cache_file_name: str | None
    filelock: Any
    filelocks: Any
    file_paths: Any
    _description: ClassVar[str]
    _arguments: ClassVar[str]

    def __init__(self, **settings: Any) -> None:
        """Check our options, apart from those of `evaluate`."""
        # Scripts say so to modules of the Hub; ours are loaded from a path and need no trust.
        settings.pop("trust_remote_code", None)
        ours = self._option_names()
        theirs = set(inspect.signature(evaluate.EvaluationModule.__init__).parameters) - {"kwargs", "self"}
        unknown = (name for name in settings if name not in theirs)
        refuse_unknown(unknown, ours, f"this {self.kind}", elsewhere=self._theirs())
        if settings.get("config_name") not in (None, "default"):
            allowed = f"no configuration, since this {self.kind} has none"
            fail(ValueError, "config_name", allowed, shown(settings["config_name"]))
        # The hash names the cached copy of the script, which every process makes for itself.
        self._settings = {k: v for k, v in settings.items() if v is not None and k != "hash"}
        self.defaults = {name: settings[name] for name in ours if name in settings}
        self._scoring({})
        if isinstance(settings.get("seed"), int):
            # `evaluate` seeds NumPy's global generator with it, which takes 32 bits.
            settings["seed"] %= 1 << 32
        super().__init__(**settings)
        # Their copies of the methods of the class.
        for method in (self.compute, self.add_batch, self.add):
            without_places(method.__func__)

    @classmethod
    @abc.abstractmethod
    def _option_names(cls) -> list[str]:
        """Return the names of the options."""

    @classmethod
    @abc.abstractmethod
    def _option_lines(cls) -> tuple[str, str]:
        """Return a line for each option that `inputs` does not describe, and remarks on the options."""

    @classmethod
    def _document(cls) -> None:
        """Write the texts that `evaluate` shows from the attributes of a module."""
        options, notes = cls._option_lines()
        parts = {"Args": f"{indented(cls.inputs)}\n{options}", "Returns": indented(cls.returns)}
        parts |= {"Notes": indented(notes), "Examples": cls.examples and f"\n{indented(cls.examples)}"}
        cls._arguments = "\n" + "".join(f"{title}:\n{text.rstrip()}\n" for title, text in parts.items() if text)
        cls._description = f"{inspect.cleandoc(cls.__doc__ or '')}\n"
        cls.__doc__ = f"{cls._description}{cls._arguments}"
        cls.citation = f"{inspect.cleandoc(cls.citation)}\n" if cls.citation else ""

    def _info(self) -> Any:
        """Return what `evaluate` shows about the module, with the features of the Hub's for texts."""
        has_references = "references" in self.rows
        text = datasets.Value("string", id="sequence" if has_references and self.kind == "metric" else None)
        sides = (datasets.Sequence(text), text) if has_references else (text,)
        shapes = [
            datasets.Features({name: side if name == "references" else text for name in self.rows}) for side in sides
        ]
        return self.information(
            description=self._description, citation=self.citation, inputs_description=self._arguments,
            features=shapes if has_references else shapes[0], reference_urls=[*self.urls],
        )  # fmt: skip

    @abc.abstractmethod
    def _scoring(self, given: Mapping[str, Any]) -> Callable[..., dict[str, Any]]:
        """Check the options of `compute` with the defaults; return what scores the result of `_inputs` with them."""

    def _theirs(self) -> dict[str, str]:
        """Return the name in the module of every option of ours with another name."""
        return {}

    # Checks the columns, and returns the arguments of the function that `_scoring` returns.
    _inputs: Callable[..., tuple[Any, ...]]

    def _wants_segments(self, **_: Any) -> bool:
        """Return whether these options need segments; if not, a call without segments passes None to the score."""
        return True

    def _result(self, columns: dict[str, Any], options: dict[str, Any]) -> dict[str, Any] | None:
        """Score the given columns together with the rows added before.

        After an error about input or options, the rows added before remain; a failure while
        scoring, or an interrupt at any time, drops them and their file.
        """
        try:
            return self._checked_result(columns, options)
        except BaseException as error:
            if not isinstance(error, Exception):
                self._discard()
            elif isinstance(error, (TypeError, ValueError)) and message_in(error) is not None:
                raise ArgumentError(*error.args).with_traceback(error.__traceback__) from None
            raise

    def _checked_result(self, columns: dict[str, Any], options: dict[str, Any]) -> dict[str, Any] | None:
        if options:
            # Columns first: a misspelt one is more often meant than an option.
            known = [*columns, *self._option_names()]
            refuse_unknown(options, known, f"this {self.kind}", elsewhere=self._theirs())
        score = self._scoring(options)
        is_given = {*map(type, columns.values())} != {type(None)}
        if self.writer is None and self.num_process == 1:
            # Nothing was added before, and no other process adds: no file is needed.
            if is_given:
                return score(*self._inputs(**columns))
            if not self._wants_segments(**{**self.defaults, **options}):
                return score(None)
            fail(ValueError, next(iter(columns)), "at least one segment", "none")
        if is_given:
            self.add_batch(**columns)
        if self.writer is None and not self._wants_segments(**{**self.defaults, **options}):
            return score(None)
        # Other processes wait for this one's file, even if it is empty.
        self._open()
        result: dict[str, Any] | None = self._or_discard(super().compute, **options)
        self.filelocks = self.file_paths = None
        return result

    def _write(self, table: pa.Table) -> None:
        """Add checked rows."""
        if len(table):
            self._open()
            # Rows that `add` left in the writer's queue come first.
            self._writing(self.writer.write_examples_on_file)
            self._writing(self.writer.write_table, table)

    def _write_row(self, row: dict[str, Any]) -> None:
        """Add one checked row."""
        self._open()
        self._writing(self.writer.write, row)

    def _build_data_dir(self) -> str:
        """Return the folder of our rows, which other modules with the same class name do not share."""
        return os.path.join(self._data_dir_root, "textgauge", self.name, self.config_name)

    def _create_cache_file(self, timeout: float = 1) -> Any:
        """Take another file name without waiting if another instance has locked the first."""
        return super()._create_cache_file(timeout=0 if self.num_process == 1 else timeout)

    def _open(self) -> None:
        """Open the file of rows, unless it is open."""
        if self.writer is not None:
            return
        self.selected_feature_format = self.rows
        try:
            if not self.keep_in_memory:
                os.makedirs(self.data_dir, exist_ok=True)
        except OSError as error:
            _fail_to_write(error)
        self._writing(self._open_files)

    def _open_files(self) -> None:
        """Lock and open the file; Arrow itself writes to it, since it drops a Ctrl-C inside a file of Python."""
        self._init_writer()
        # Otherwise `datasets` hashes all rows for a fingerprint that nothing uses, half the time of a short call.
        self.writer.fingerprint = "rows"
        if not self.keep_in_memory:
            self.writer.stream.close()
            self.writer.stream = pa.OSFile(self.cache_file_name, "wb")

    def _finalize(self) -> None:
        """Close the writer, and pass the columns on as Arrow, not as Python lists."""
        try:
            super()._finalize()
        except OSError as error:
            _fail_to_write(error)
        if self.data is not None:
            self.data = _ArrowColumns(self.data)

    def _get_all_cache_files(self) -> Any:
        """Refuse the file of a process that ended early, whose first rows Arrow would read silently."""
        self.file_paths, self.filelocks = super()._get_all_cache_files()
        for process, file in enumerate(self.file_paths):
            if not _is_finished(Path(file)):
                allowed = f"the rows of {self.num_process} processes"
                fail(
                    RuntimeError, "num_process", allowed, f"no complete file from process {process}, which ended early"
                )
        return self.file_paths, self.filelocks

    def _or_discard(self, step: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Run a step; if it fails, drop rows, file and locks."""
        try:
            return step(*args, **kwargs)
        except BaseException:
            self._discard()
            raise

    def _writing(self, step: Callable[..., Any], *args: Any) -> None:
        """Run a step that writes; report an OSError as an error of the cache folder."""
        try:
            self._or_discard(step, *args)
        except OSError as error:
            _fail_to_write(error)

    def _discard(self) -> None:
        # `evaluate` deletes it before it sets it again.
        writer = getattr(self, "writer", None)
        if writer is not None:
            # On a full disk, closing fails as well.
            with suppress(OSError, pa.ArrowException):
                writer.close()
        self.data = self.writer = self.buf_writer = None
        for file in self.file_paths or [self.cache_file_name]:
            if file is not None:
                Path(file).unlink(missing_ok=True)
        for lock in (*(self.filelocks or ()), self.filelock, self.rendez_vous_lock):
            if lock is not None:
                lock.release()
        self.filelocks = self.file_paths = self.filelock = self.cache_file_name = None

    def __reduce__(self) -> Any:
        """Pickle the arguments of `load`, so that any process can load it again."""
        if len(self):
            fail(ValueError, "metric", "no pending segments when it is pickled", quantity(len(self), "segment"))
        script = inspect.getfile(type(self))
        name = Path(script).stem
        is_ours = name in MODULES and filecmp.cmp(script, Path(path(name), f"{name}.py"), shallow=False)
        return _reload, (name if is_ours else script, self._settings)


def indented(text: str) -> str:
    """Return lines as they stand below a title of a docstring."""
    return textwrap.indent(inspect.cleandoc(text).strip(), "    ")


def keyword_names(function: Callable[..., Any]) -> list[str]:
    """Return the names of the keyword-only parameters."""
    parameters = inspect.signature(function).parameters.values()
    return [p.name for p in parameters if p.kind is inspect.Parameter.KEYWORD_ONLY]


def with_keywords(method: Any, names: list[str]) -> Any:
    """Set the signature of a method with ``**kwargs``, which `evaluate` does not support."""
    parameters = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY) for name in names]
    parameters.insert(0, inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD))
    method.__signature__ = inspect.Signature(parameters)
    return method


def _reload(module: str, settings: dict[str, Any]) -> Any:
    # By the public name: what loads modules imports this room.
    import textgauge

    return textgauge.load(module, **settings)


class _ArrowColumns:
    """A data set whose columns are Arrow columns."""

    def __init__(self, dataset: Any) -> None:
        self._table = dataset.data

    def set_format(self, **_: Any) -> None:
        """Arrow is the only format."""

    def __getitem__(self, name: str) -> pa.ChunkedArray:
        return self._table.column(name)


def _is_finished(file: Path) -> bool:
    try:
        with file.open("rb") as stream:
            stream.seek(-len(_END_OF_STREAM), os.SEEK_END)
            return stream.read() == _END_OF_STREAM
    except OSError:
        return False


def _fail_to_write(error: OSError) -> NoReturn:
    fail(type(error), "cache_dir", "a writable folder, or `keep_in_memory=True`", str(error))

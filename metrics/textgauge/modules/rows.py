"""Rows of text on their way from a user's columns to Arrow, and nothing left behind a failure."""

from __future__ import annotations

import abc
import filecmp
import inspect
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

import datasets
import evaluate
import pyarrow as pa

from ..checks import fail, refuse_idle, refuse_unknown
from ..locations import MODULES, load, path

# 64-bit offsets: a batch may hold more than 2 GB of text.
TEXT = datasets.Value("large_string")
TEXTS = datasets.Sequence(TEXT)
# What Arrow writes at the end of a stream: a continuation mark and no bytes to follow.
_END_OF_STREAM = b"\xff\xff\xff\xff\x00\x00\x00\x00"


class TextModule(evaluate.EvaluationModule, abc.ABC):
    """A module whose columns are text.

    A subclass states its options as keyword-only arguments of `_score`; each of them can
    also be given to `evaluate.load`, where it becomes the default.

    Attributes
    ----------
    rows : datasets.Features
        The columns.
    kind : str
        What messages call the module.
    """

    rows: datasets.Features
    kind: str
    _score: Any
    writer: Any
    data: Any
    _data_dir_root: str
    cache_file_name: str | None
    filelock: Any
    filelocks: Any
    file_paths: Any

    def __init__(self, **settings: Any) -> None:
        """Split our options from those of `evaluate`, and check them."""
        ours = self._option_names()
        theirs = set(inspect.signature(evaluate.EvaluationModule.__init__).parameters) - {"kwargs", "self"}
        refuse_unknown((name for name in settings if name not in theirs), ours, f"this {self.kind}")
        # The hash names the cached copy of the script: another process finds its own.
        self._settings = {k: v for k, v in settings.items() if v is not None and k != "hash"}
        self.defaults = {name: settings[name] for name in ours if name in settings}
        self._check(**self.defaults)
        if isinstance(settings.get("seed"), int):
            # `evaluate` sets NumPy's global generator with it, which takes 32 bits.
            settings["seed"] %= 1 << 32
        super().__init__(**settings)

    @classmethod
    def _option_names(cls) -> list[str]:
        return keyword_names(cls._score)

    def _idle(self, **_: Any) -> dict[str, str]:
        """Say which options change nothing beside the others, and what they need."""
        return {}

    def _merged(self, options: dict[str, Any]) -> dict[str, Any]:
        """Put options over those of load; of these, what then changes nothing is left out."""
        every = {**self.defaults, **options}
        idle = self._idle(**every)
        return {name: value for name, value in every.items() if name in options or name not in idle}

    @abc.abstractmethod
    def _check(self, **options: Any) -> None:
        """Raise for options that could not work."""

    # Checks the columns, and returns what `_score` takes.
    _inputs: Callable[..., tuple[Any, ...]]

    def _wants_segments(self, **_: Any) -> bool:
        """Say whether these options need segments; else `_score` gets None if there are none."""
        return True

    def _result(self, columns: dict[str, Any], options: dict[str, Any]) -> dict[str, Any] | None:
        """Score the given columns together with the rows added before.

        Input or options that are refused leave the rows added before as they are; a failure
        while scoring, or an interrupt at any time, drops them, and their file.
        """
        try:
            return self._checked_result(columns, options)
        except BaseException as error:
            if not isinstance(error, Exception):
                self._discard()
            raise

    def _checked_result(self, columns: dict[str, Any], options: dict[str, Any]) -> dict[str, Any] | None:
        known = self._option_names()
        refuse_unknown(options, known, f"this {self.kind} with the columns {', '.join(columns)}")
        self._check(**{**self.defaults, **options})
        refuse_idle(options, self._idle(**{**self.defaults, **options}))
        every = self._merged(options)
        is_given = any(column is not None for column in columns.values())
        if self.writer is None and self.num_process == 1:
            # Nothing was added before, and nobody else adds: there is nothing to write.
            if is_given:
                return dict(self._score(*self._inputs(**columns), **every))
            if not self._wants_segments(**every):
                return dict(self._score(None, **every))
            fail(ValueError, next(iter(columns)), "at least one segment", "none")
        if is_given:
            self.add_batch(**columns)
        if self.writer is None and not self._wants_segments(**every):
            return dict(self._score(None, **every))
        # The other processes wait for this one, even if it has nothing to add.
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
        """Name the folder of our rows: not shared with other modules whose class has the same name."""
        return os.path.join(self._data_dir_root, "textgauge", self.name, self.config_name)

    def _create_cache_file(self, timeout: float = 1) -> Any:
        """Take another file name at once where a second instance holds the first."""
        return super()._create_cache_file(timeout=0 if self.num_process == 1 else timeout)

    def _open(self) -> None:
        """Start the file of rows, unless it is open."""
        if self.writer is not None:
            return
        self.selected_feature_format = self.rows
        try:
            if not self.keep_in_memory:
                os.makedirs(self.data_dir, exist_ok=True)
        except OSError as error:
            _fail_to_write(error)
        self._writing(self._init_writer)

    def _finalize(self) -> None:
        """Close the writer and hand the columns on as Arrow, not as Python lists."""
        try:
            super()._finalize()
        except OSError as error:
            _fail_to_write(error)
        if self.data is not None:
            self.data = _ArrowColumns(self.data)

    def _get_all_cache_files(self) -> Any:
        """Refuse what a process left that ended early: Arrow reads the first rows of a file without a word."""
        self.file_paths, self.filelocks = super()._get_all_cache_files()
        for process, file in enumerate(self.file_paths):
            if not _is_finished(Path(file)):
                allowed = f"the rows of {self.num_process} processes"
                fail(RuntimeError, "num_process", allowed, f"no finished file from process {process}: it ended early")
        return self.file_paths, self.filelocks

    def _or_discard(self, step: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Take a step; where it fails, leave no row, no file and no held lock."""
        try:
            return step(*args, **kwargs)
        except BaseException:
            self._discard()
            raise

    def _writing(self, step: Callable[..., Any], *args: Any) -> None:
        """Take a step that writes; a file that cannot be written is the cache folder's fault."""
        try:
            self._or_discard(step, *args)
        except OSError as error:
            _fail_to_write(error)

    def _discard(self) -> None:
        if self.writer is not None:
            # On a full disk closing fails as writing did.
            with suppress(OSError, pa.ArrowException):
                self.writer.close()
        self.data = self.writer = self.buf_writer = None
        for file in self.file_paths or [self.cache_file_name]:
            if file is not None:
                Path(file).unlink(missing_ok=True)
        for lock in (*(self.filelocks or ()), self.filelock, self.rendez_vous_lock):
            if lock is not None:
                lock.release()
        self.filelocks = self.file_paths = self.filelock = self.cache_file_name = None

    def __reduce__(self) -> Any:
        """Pickle by the way it was loaded, so that any process can load it again."""
        if len(self):
            fail(ValueError, "metric", "no segments waiting for compute when it is pickled", f"{len(self)} segments")
        script = inspect.getfile(type(self))
        name = Path(script).stem
        is_ours = name in MODULES and filecmp.cmp(script, Path(path(name), f"{name}.py"), shallow=False)
        return _reload, (name if is_ours else script, self._settings)


def keyword_names(function: Callable[..., Any]) -> list[str]:
    """Return the names of the keyword-only parameters."""
    parameters = inspect.signature(function).parameters.values()
    return [p.name for p in parameters if p.kind is inspect.Parameter.KEYWORD_ONLY]


def with_keywords(method: Any, names: list[str]) -> Any:
    """Show the names of the keywords that a method takes: `evaluate` wants no ``**kwargs``."""
    parameters = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY) for name in names]
    parameters.insert(0, inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD))
    method.__signature__ = inspect.Signature(parameters)
    return method


def _reload(module: str, settings: dict[str, Any]) -> Any:
    return load(module, **settings)


class _ArrowColumns:
    """A dataset that gives whole columns as Arrow."""

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
    fail(type(error), "cache_dir", "a folder that can be written, or keep_in_memory=True", str(error))

"""The files of a model: found in a folder or on the Hub, told apart, and read without running anything."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from ..checks import fail, shown

_MOST_KEYS = 3
# Files and folders of the Hub's cache, by what was asked for; `clear_models` empties it.
HUB_ANSWERS: dict[Any, Path] = {}


class ModelFiles(NamedTuple):
    """Which files a family of models has, and how messages name it.

    Attributes
    ----------
    title : str
        Such as "a COMET model".
    example : str
        The name of one on the Hub.
    settings : str
        The file of the settings.
    word : bytes
        What stands in it, and in that of no other family.
    weights : tuple of str
        Patterns of the files of the weights; the first that any file has counts.
    owner : str
        The owner on the Hub of the models whose names have none.
    more : tuple of str
        Patterns of other files that are fetched with them, such as a vocabulary.
    """

    title: str
    example: str
    settings: str
    word: bytes
    weights: tuple[str, ...]
    owner: str = ""
    more: tuple[str, ...] = ()

    @property
    def description(self) -> str:
        """The files in words, for messages."""
        return f"{self.settings} and {' or '.join(self.weights)}"


class ModelLocation(NamedTuple):
    """Where the files of a model are.

    Attributes
    ----------
    name : str
        For messages and signatures.
    folder : Path
    commit : str
        That on the Hub; empty for a local folder.
    file : str
        The name of the file of weights that was asked for; empty where the folder was.
    """

    name: str
    folder: Path
    commit: str
    file: str = ""

    def mark(self, files: Collection[Path]) -> str:
        """Return the commit, or the beginning of the hash of the files, which tells models of one name apart."""
        return self.commit[:12] or _hash_of(tuple((str(file), file.stat().st_mtime_ns) for file in files))

    def identity(self, files: Collection[Path]) -> dict[str, str]:
        """Return the name and the mark, for signatures."""
        return {"model": self.name, "revision" if self.commit else "sha256": self.mark(files)}

    def refuse(self, allowed: str, got: str) -> NoReturn:
        """Raise ValueError about what is in the files."""
        fail(ValueError, "model_id", f"{allowed} in {self.name}", got)

    def refuse_keys(self, owner: str, missing: Collection[str], unknown: Collection[str]) -> None:
        """Raise if the weights of `owner` lack keys, or have unknown ones."""
        for keys, adjective in ((missing, "missing"), (unknown, "unknown")):
            if keys:
                named = ", ".join(sorted(keys)[:_MOST_KEYS]) + (", ..." if len(keys) > _MOST_KEYS else "")
                self.refuse(f"the weights of {owner}", f"{len(keys)} {adjective}: {named}")


def check_path(argument: str, name: str | os.PathLike[str]) -> None:
    """Raise for a local path that does not exist, which transformers would look up on the network."""
    text = os.fspath(name)
    ends = os.sep, os.altsep or os.sep
    # The name of a model on the Hub has at most one slash.
    is_path = not isinstance(name, str) or text.startswith((".", "~", *ends)) or text.endswith(ends)
    if (is_path or text.count("/") > 1) and not os.path.exists(text):
        fail(FileNotFoundError, argument, "the path of a folder that exists, or the name of a model", shown(text))


def locate(model_id: str | os.PathLike[str], revision: str | None, files: ModelFiles) -> ModelLocation:
    """Return where a model is: a local folder of the Hub's layout, for which its weights may stand, or a download."""
    check_path("model_id", model_id)
    name, local = os.fspath(model_id), Path(model_id)
    file = ""
    if local.is_file():
        file, local = _file_and_folder(local, files)
    if local.is_dir():
        if revision is not None:
            fail(ValueError, "revision", "None with a local folder", shown(revision))
        return ModelLocation(name, local, "", file)
    name = name if "/" in name or not files.owner else f"{files.owner}/{name}"
    folder = asked_once((name, revision, files), lambda: _downloaded(name, revision, files))
    return ModelLocation(name, folder, folder.name)


def _file_and_folder(path: Path, files: ModelFiles) -> tuple[str, Path]:
    """Return the name and the folder of a file of weights; what stands beside another file is not loaded instead."""
    # In the Hub's cache a file is a link to one that has another name.
    paths = (Path(os.path.abspath(path)), path.resolve())
    found = [
        (own.name, own.parents[pattern.count("/")]) for own in paths for pattern in files.weights if own.match(pattern)
    ]
    found = [(name, folder) for name, folder in found if (folder / files.settings).is_file()] or found
    if not found:
        fail(
            ValueError, "model_id", f"a folder with {files.description}, or its file of weights", shown(os.fspath(path))
        )
    return found[0]


def asked_once(key: Any, ask: Callable[[], Path]) -> Path:
    """Return a file or folder that the Hub gave for a key; it is asked again only if that is gone."""
    path = HUB_ANSWERS.get(key)
    if path is None or not path.exists():
        path = HUB_ANSWERS[key] = ask()
    return path


def _downloaded(name: str, revision: str | None, files: ModelFiles) -> Path:
    import huggingface_hub as hub

    with hub_errors("model_id", name, revision, files.title, files.example, f"a local folder with {files.description}"):
        for weights in files.weights:
            folder = Path(
                hub.snapshot_download(name, revision=revision, allow_patterns=[files.settings, *files.more, weights])
            )
            if any(folder.glob(weights)):
                break
    return folder


def pretrained(
    kind: Any, name: str, argument: str, title: str, example: str, instead: str, *, if_trusted: str = "", **options: Any
) -> Any:
    """Return what a class of transformers makes of the files of a model, none of whose own code is run.

    All that a name is loaded by goes through here: left alone, transformers asks on standard input whether to run
    the code that a folder brings.

    Parameters
    ----------
    kind : type
        Such as `transformers.AutoConfig`.
    name, argument, title, example, instead
        For errors, see `hub_errors`.
    if_trusted : str
        What lets the user allow the code, if anything does.
    **options
        Arguments of `from_pretrained`; ``trust_remote_code`` is the user's own.
    """
    with hub_errors(argument, name, options.get("revision"), title, example, instead, if_trusted=if_trusted):
        return kind.from_pretrained(name, **{"trust_remote_code": False, **options})


@contextmanager
def hub_errors(
    argument: str, name: str, revision: str | None, title: str, example: str, instead: str, *, if_trusted: str = ""
) -> Iterator[None]:
    """Turn errors of the Hub, of incomplete folders and of those with code into one error that says what to do."""
    # After transformers, which brings them, was imported.
    from huggingface_hub import errors
    from safetensors import SafetensorError

    try:
        yield
    except (OSError, errors.HFValidationError, SafetensorError) as error:
        # transformers raises errors of its own from those of the Hub.
        causes = [error, error.__cause__, error.__context__]

        def is_a(*types: type[Exception]) -> bool:
            return any(isinstance(cause, types) for cause in causes)

        if is_a(errors.GatedRepoError):
            allowed = f"a model that you may load: accept the terms on the page of {name} on huggingface.co, then run "
            fail(OSError, argument, allowed + "`hf auth login`", "no access")
        if is_a(errors.RevisionNotFoundError):
            fail(OSError, "revision", f"a branch, tag or commit of {name}", shown(revision))
        if is_a(errors.RepositoryNotFoundError, errors.HFValidationError):
            allowed = (
                f"{title} on the Hub such as {example!r}, or a local folder; for a private one run `hf auth login`"
            )
            fail(OSError, argument, allowed, shown(name))
        if os.path.isdir(name):
            fail(OSError, argument, f"{title}, complete in its folder", f"{name}: {first_line(error)}")
        why = (
            "not here, and no connection"
            if is_a(errors.LocalEntryNotFoundError, ConnectionError)
            else first_line(error)
        )
        allowed = f"{title} on the Hub such as {example!r} and a connection to it, or {instead}"
        fail(OSError, argument, allowed, f"{name}: {why}")
    except ValueError as error:
        # Every version of transformers names the argument, in words of its own.
        if any(words in str(error) for words in ("has model type", "Unrecognized model", "Unrecognized configuration")):
            fail(ValueError, argument, f"{title}, of a type that transformers knows", f"{name}: {first_line(error)}")
        if "trust_remote_code" not in str(error):
            raise
        way = f" (if you trust it, {if_trusted})" if if_trusted else ""
        allowed = f"{title} of a class of transformers, since code of a model is never run{way}"
        fail(OSError, argument, allowed, shown(name))


def first_line(error: BaseException) -> str:
    """Return the first line of a message, for those of other packages are long."""
    return str(error).partition("\n")[0] or type(error).__name__


def weights_of(location: ModelLocation, files: ModelFiles) -> list[Path]:
    """Return the files of the weights, all of the first pattern that any has; raise if a file is missing."""
    every = [sorted(location.folder.glob(pattern)) for pattern in files.weights]
    lacking = "" if any(every) else " or ".join(files.weights)
    if not has_settings(location, files):
        lacking = files.settings
    if lacking:
        fail(FileNotFoundError, "model_id", f"a folder with {files.description}", f"{location.name} without {lacking}")
    named = [paths for paths in every if location.file in (path.name for path in paths)]
    return next(paths for paths in named or every if paths)


def has_settings(location: ModelLocation, files: ModelFiles) -> bool:
    """Return whether there is a file of settings of this name."""
    return (location.folder / files.settings).is_file()


def is_of_family(location: ModelLocation, files: ModelFiles) -> bool:
    """Return whether the settings are those of a family of models; of a model of the Hub they are fetched first."""
    if location.commit:
        import huggingface_hub as hub

        with suppress(OSError, ValueError):
            hub.snapshot_download(location.name, revision=location.commit, allow_patterns=[files.settings])
    return has_settings(location, files) and files.word in (location.folder / files.settings).read_bytes()


def read_stored(torch: Any, location: ModelLocation, file: Path, allowed: str) -> Any:
    """Return what a file of torch stores, mapped into memory, and nothing else than tensors and plain values."""
    try:
        return torch.load(file, map_location="cpu", weights_only=True, mmap=True)
    # Whatever a foreign file makes it raise; its own message tells how to run the code in the file.
    except Exception as error:
        where = file.relative_to(location.folder).as_posix()
        fail(ValueError, "model_id", allowed, f"{location.name}, {where}: {type(error).__name__}")


def read_tensors(torch: Any, location: ModelLocation, files: Collection[Path], allowed: str) -> dict[str, Any]:
    """Return the tensors of safetensors, or of files of torch, by name, mapped into memory."""
    state: dict[str, Any] = {}
    for file in files:
        if file.suffix == ".safetensors":
            from safetensors import SafetensorError
            from safetensors.torch import load_file

            try:
                tensors = load_file(file)
            except (SafetensorError, OSError, ValueError) as error:
                fail(ValueError, "model_id", allowed, f"{location.name}, {file.name}: {type(error).__name__}")
        else:
            tensors = read_stored(torch, location, file, allowed)
        if not isinstance(tensors, dict) or not all(isinstance(value, torch.Tensor) for value in tensors.values()):
            fail(ValueError, "model_id", allowed, f"{location.name}, {file.name}: another file")
        state |= tensors
    return state


def stamp_of(model_id: str) -> tuple[tuple[str, int, int], ...]:
    """Return the state of a local folder's files: a checkpoint may be overwritten under the same name."""
    folder = Path(model_id)
    if not model_id or not folder.is_dir():
        return ()
    files = ((path.name, path.stat()) for path in sorted(folder.iterdir()))
    return tuple((name, state.st_mtime_ns, state.st_size) for name, state in files)


@lru_cache(maxsize=8)
def _hash_of(files: tuple[tuple[str, int], ...]) -> str:
    """Return the beginning of the SHA-256 of files, one after the other; each stands beside its time of change."""
    digest, piece = hashlib.sha256(), bytearray(1 << 20)
    for file, _ in files:
        with open(file, "rb") as stream:
            while n_read := stream.readinto(piece):
                digest.update(memoryview(piece)[:n_read])
    return digest.hexdigest()[:12]

"""The folder of a Hugging Face Space that holds a module and its page."""

from __future__ import annotations

import os
from pathlib import Path

from ..checks import fail, one_of
from ..locations import COMPARISONS, MODULES, path
from ..module_loading import load

_APP = '''"""The page of this {module_type} in a browser."""

import textgauge
from textgauge.apps import launch, page

demo = page(textgauge.path("{name}"))

if __name__ == "__main__":
    launch(demo)
'''


def space_files(name: str) -> dict[str, str]:
    """Return the files of a Space by their names: the module, its card, its page, and what the page needs.

    Examples
    --------
    >>> files = space_files("bertscore")
    >>> sorted(files), files["requirements.txt"].strip()
    (['README.md', 'app.py', 'bertscore.py', 'requirements.txt'], 'textgauge[app,bertscore]')
    """
    one_of("name", name, MODULES)
    folder = Path(path(name))
    extras = ",".join(filter(None, ("app", type(load(name)).extra)))
    return {
        **{file: (folder / file).read_text("utf-8") for file in (f"{name}.py", "README.md")},
        "app.py": _APP.format(module_type="comparison" if name in COMPARISONS else "metric", name=name),
        "requirements.txt": f"textgauge[{extras}]\n",
    }


def write_space(name: str, folder: str | os.PathLike[str]) -> None:
    """Write the files of a Space into a new folder.

    Raises
    ------
    FileExistsError
        If there is such a folder or file; nothing is written.
    """
    files, home = space_files(name), Path(folder)
    if home.exists():
        fail(FileExistsError, "folder", "one that does not exist yet", repr(str(folder)))
    home.mkdir(parents=True)
    for file, text in files.items():
        (home / file).write_text(text, "utf-8")

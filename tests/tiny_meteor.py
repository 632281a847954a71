"""Tiny files in the places of what METEOR reads, where the real ones are not installed."""

import os
import sys
import zipfile
from importlib.util import find_spec
from pathlib import Path
from tempfile import mkdtemp

from textgauge.text import wordnet

FUNCTIONS = "the , . to of and a in that for on is\n"


def has_wordnet():
    try:
        wordnet.find(None)
    except FileNotFoundError:
        return False
    return True


def save_wordnet(folder):
    folder.mkdir(parents=True)
    for part in wordnet.PARTS:
        for kind in ("index", "data"):
            (folder / f"{kind}.{part}").write_text("  1 no words\n", "utf-8")


def save_jar(path):
    with zipfile.ZipFile(path, "w") as jar:
        jar.writestr("function/english.words", FUNCTIONS)
        for name in ("synonym/english.synsets", "synonym/english.exceptions", "nonbreaking/english.prefixes"):
            jar.writestr(name, "")


def supply():
    """Make what is missing, for this process and those that it starts."""
    if not has_wordnet():
        folder = Path(mkdtemp()) / "corpora" / "wordnet"
        save_wordnet(folder)
        os.environ["NLTK_DATA"] = str(folder.parent.parent)
    if find_spec("pycocoevalcap") is None:
        folder = Path(mkdtemp())
        (folder / "pycocoevalcap/meteor/data").mkdir(parents=True)
        (folder / "pycocoevalcap/__init__.py").touch()
        (folder / "pycocoevalcap/meteor/data/paraphrase-en.gz").write_text("0.5\nin the end\nfinally\n", "utf-8")
        save_jar(folder / "pycocoevalcap/meteor/meteor-1.5.jar")
        sys.path.append(str(folder))
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (os.environ.get("PYTHONPATH"), str(folder))))

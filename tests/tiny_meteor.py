"""Tiny files in the places of what METEOR reads, where the real ones are not installed."""

import gzip
import os
import sys
import zipfile
from importlib.util import find_spec
from pathlib import Path
from tempfile import mkdtemp

from textgauge.text import wordnet

FUNCTIONS = "the , . to of and a in that for on is\n"

# Of our own wording, for figures of the official tools: synsets by part of speech, forms that are irregular.
SYNSETS = {
    "noun": ["car auto motor_car", "dog hound", "pony nag", "ax cleaver", "axe hatchet", "die cube", "goose gander",
             "church temple", "man fellow", "leaf foliage", "box case", "city town", "baby infant", "dish plate",
             "ad notice", "glass tumbler", "quiz exam", "postman carrier", "bus coach"],
    "verb": ["run sprint", "try attempt", "hope wish", "walk stroll", "make build", "fix mend"],
    "adj": ["big large(ip) great", "good fine", "late tardy", "well healthy", "tall high"],
    "adv": ["fast quickly", "well nicely"],
}  # fmt: skip
IRREGULAR = {"noun": "axes ax\ndice die\ngeese goose\nmen man\n", "verb": "ran run\n", "adj": "better good well\n"}
# Of METEOR 1.5: words with their synsets, base forms with irregular ones, prefixes, phrases with their paraphrases.
WORDS_OF_SYNSETS = {
    "car": "1 2", "auto": "1", "goose": "3", "gander": "3", "run": "4", "sprint": "4", "big": "5", "large": "5 6",
    "ad": "7", "notice": "7", "pass": "8", "exceed": "8", "church": "9", "temple": "9",
}  # fmt: skip
FORMS = {"goose": "geese", "run": "ran"}
PREFIXES = "# titles\nMr\nMR\nDr\nProf\nSr\nv\nvs\n" + "\n".join("ABCDEFGHIJKLMNOPQRSTUVWXYZ") + "\nNo #NUMERIC_ONLY#\n"
PARAPHRASES = [
    ("in the end", "finally"), ("finally", "in the end"), ("a lot of", "many"), ("many", "a lot of"),
    ("as soon as", "when the"), ("when the", "as soon as"), ("of course it is", "it is"), ("at once", "right now"),
    ("right now", "at once"), ("large dog", "big hound"), ("by all means", "so be it"),
]  # fmt: skip


# Data of punkt; flags say how a word was seen: 4 with a capital inside, 16 small at a beginning, 32 small inside.
PUNKT = {
    "abbrev_types.txt": "mr\ndr\ne.g\netc\napprox", "collocations.tab": "st\tlouis\n##number##\tmai",
    "sent_starters.txt": "he\nthey", "ortho_context.tab": "maybe\t32\nperhaps\t16\nthe\t34\nlouis\t4\nmai\t4\nwood\t36",
}  # fmt: skip


def has_wordnet():
    try:
        wordnet.find(None)
    except FileNotFoundError:
        return False
    return True


def save_own_wordnet(folder):
    """Write WordNet's files with the synsets above, as nltk reads them too."""
    folder.mkdir(parents=True, exist_ok=True)
    # What nltk asks for, too.
    (folder / "lexnames").write_text("".join(f"{i}\tany\t1\n" for i in range(46)), "utf-8")
    for name in ("cntlist.rev", "index.sense"):
        (folder / name).touch()
    licence = "  1 This is no licence.\n"
    for part, synsets in SYNSETS.items():
        kind, data, places = "r" if part == "adv" else part[0], licence, {}
        for words in map(str.split, synsets):
            for word in words:
                places.setdefault(word.partition("(")[0], []).append(f"{len(data):08d}")
            names = " ".join(f"{word} 0" for word in words)
            # Verbs have a count of frames.
            frames = " 00" if part == "verb" else ""
            data += f"{len(data):08d} 03 {kind} {len(words):02x} {names} 000{frames} | of our own\n"
        index = [f"{word} {kind} {len(own)} 0 {len(own)} 0 {' '.join(own)}\n" for word, own in sorted(places.items())]
        (folder / f"data.{part}").write_text(data, "utf-8")
        (folder / f"index.{part}").write_text(licence + "".join(index), "utf-8")
        (folder / f"{part}.exc").write_text(IRREGULAR.get(part, ""), "utf-8")
    return folder


def save_own_punkt(folder):
    """Write the data of punkt above."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in PUNKT.items():
        (folder / name).write_text(text, "utf-8")
    return folder


def save_own_meteor15(folder):
    """Write the files of METEOR 1.5 with the words above, apart and in a jar: our options that name them."""
    folder.mkdir(parents=True, exist_ok=True)
    files = {
        "function/english.words": FUNCTIONS.replace(" ", "\n"),
        "synonym/english.synsets": "".join(f"{word}\n{numbers}\n" for word, numbers in WORDS_OF_SYNSETS.items()),
        "synonym/english.exceptions": "".join(f"{base}\n{forms}\n" for base, forms in FORMS.items()),
        "nonbreaking/english.prefixes": PREFIXES,
    }
    with zipfile.ZipFile(folder / "meteor.jar", "w") as jar:
        for name, text in files.items():
            jar.writestr(name, text)
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_text(text, "utf-8")
    table = "".join(f"0.5\n{a}\n{b}\n" for a, b in PARAPHRASES)
    (folder / "paraphrases.gz").write_bytes(gzip.compress(table.encode()))
    return {"jar": str(folder / "meteor.jar"), "paraphrases": str(folder / "paraphrases.gz")}


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

"""What METEOR reads: WordNet's files, those of METEOR 1.5; its stemmer and its words."""

import zipfile

import numpy as np
import pytest
import textgauge
from textgauge.plain.snowball import snowball
from textgauge.text import meteor, wordnet
from textgauge.plain.treebank import treebank_words

CAR = "{:08d} 06 n 03 car 0 auto 0 motor_car 0 000 | a motor vehicle\n"
FUNCTIONS = "the\n.\n,\non\na\n"


def wordnet_folder(folder, newline="\n"):
    """Write WordNet's files with one synset of nouns and one of adjectives."""
    folder.mkdir(parents=True, exist_ok=True)
    licence = "  1 This is a licence.\n"
    data = licence + CAR.format(len(licence))
    files = {
        "data.noun": data,
        "index.noun": licence + f"car n 1 0 1 0 {len(licence):08d}\nauto n 1 0 1 0 {len(licence):08d}\n",
        "data.adj": licence + f"{len(licence):08d} 00 s 02 big 0 large(ip) 0 000 | of size\n",
        "index.adj": licence + f"big a 1 0 1 0 {len(licence):08d}\n",
        "noun.exc": "geese goose\n", "adj.exc": "bigger big\n",
        **{f"{kind}.{part}": licence for kind in ("data", "index") for part in ("verb", "adv")},
    }  # fmt: skip
    for name, text in files.items():
        (folder / name).write_bytes(text.replace("\n", newline).encode())
    return folder


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_synonyms(tmp_path, newline):
    found = wordnet.WordNet(str(wordnet_folder(tmp_path / "wn", newline)))
    assert found.synonyms("car") == found.synonyms("auto") == {"car", "auto"}
    assert found.synonyms("cars") == {"cars", "car", "auto"}
    assert found.synonyms("bigger") == {"bigger", "big", "large"}
    assert found.synonyms("dog") == {"dog"}


def test_wordnet_is_found_in_nltks_folders_and_zips(tmp_path, monkeypatch):
    folder = wordnet_folder(tmp_path / "plain")
    (tmp_path / "data" / "corpora").mkdir(parents=True)
    archive = tmp_path / "data" / "corpora" / "wordnet.zip"
    with zipfile.ZipFile(archive, "w") as made:
        for path in folder.iterdir():
            made.write(path, f"wordnet/{path.name}")
    monkeypatch.setenv("NLTK_DATA", str(tmp_path / "data"))
    assert wordnet.find(None) == str(archive)
    assert wordnet.wordnet_of(None).synonyms("auto") == {"car", "auto"}
    scored = textgauge.meteor(["a red auto"], ["a red car"], wordnet=str(folder))["meteor"]
    assert scored == 1 - 0.5 / 27


def test_without_wordnet_the_remedies_are_named(tmp_path, monkeypatch):
    monkeypatch.setattr(wordnet, "places", lambda: [str(tmp_path)])
    with pytest.raises(FileNotFoundError, match=r"nltk\.downloader.*wordnet-base.*FOLDER.*looked in"):
        textgauge.meteor(["a"], ["a"])
    with pytest.raises(FileNotFoundError, match="wordnet"):
        textgauge.meteor(["a"], ["a"], wordnet=str(tmp_path))


@pytest.fixture
def files(tmp_path, monkeypatch):
    """A tiny jar and a tiny table, and a folder for caches."""
    monkeypatch.setattr(meteor, "cache_folder", lambda: str(tmp_path / "cache"))
    jar, table = tmp_path / "meteor.jar", tmp_path / "table.txt"
    with zipfile.ZipFile(jar, "w") as made:
        made.writestr("function/english.words", FUNCTIONS)
        made.writestr("synonym/english.synsets", "car\n00000001 00000002\nauto\n00000001\n")
        made.writestr("synonym/english.exceptions", "goose\ngeese\n")
        made.writestr("nonbreaking/english.prefixes", "# titles\nMr\nNo #NUMERIC_ONLY#\n")
    table.write_text("0.5\nin the end\nfinally\n0.1\nbig\nlarge\n", "utf-8")
    return {"jar": str(jar), "paraphrases": str(table)}


def test_paraphrases_and_synonyms_match(files):
    scored = textgauge.Meteor15(**files).update(["in the end , the autos"], ["finally , the car"]).score(counts=True)
    assert scored["counts"]["paraphrase"] == [2, 1, 1, 0]
    assert scored["counts"]["synonym"] == [1, 1, 0, 0]
    assert scored["counts"]["chunks"] == 0
    without = textgauge.meteor15(["in the end"], ["finally"], jar=files["jar"], paraphrases=False)
    assert without["meteor15"] == 0


def test_the_index_is_made_once_and_again_when_the_table_changes(files, tmp_path):
    def first():
        return meteor.Meteor(meteor.find_files(**files))

    made = first()
    [index] = (tmp_path / "cache").iterdir()
    written = index.stat().st_mtime_ns
    opened = first()
    assert isinstance(opened.table[0], np.memmap)
    assert index.stat().st_mtime_ns == written
    assert opened.identity == made.identity
    # A broken index is made again.
    data = bytearray(index.read_bytes())
    data[-1] ^= 1
    index.write_bytes(data)
    assert first().identity == made.identity
    with open(files["paraphrases"], "a", encoding="utf-8") as table:
        table.write("0.1\nlarge\nbig\n")
    assert first().identity != made.identity


def test_missing_files_have_remedies(tmp_path, files):
    with pytest.raises(FileNotFoundError, match=r"textgauge\[meteor\].*paraphrases=False"):
        textgauge.meteor15(["a"], ["a"], jar=str(tmp_path / "none"), paraphrases=False)
    broken = tmp_path / "broken.jar"
    broken.write_bytes(b"no zip")
    with pytest.raises(ValueError, match="jar"):
        textgauge.meteor15(["a"], ["a"], jar=str(broken), paraphrases=False)
    with pytest.raises(ValueError, match="matchers"):
        textgauge.meteor15(["a"], ["a"], matchers="exact exact", **files)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Don't stop.", "don 't stop ."),
        ("lower-body -- A", "lower body - a"),
        ("Mr. X in the U.S.A. said no. 5, No. 5", "mr. x in the usa said no . 5 , no. 5"),
        ("1,000 a,b “q” x...", '1,000 a , b " q " x ...'),
        ("一只 ß", "一 只 ß"),
    ],
)
def test_normalized_words(files, text, words):
    assert meteor.Meteor(meteor.find_files(**files)).normalized(text) == words.split()


def test_stems():
    words = "sensationally skies dying generously communism hopping hoping Your y's"
    assert [snowball(word) for word in words.split()] == [
        "sensat",
        "sky",
        "die",
        "generous",
        "communism",
        "hop",
        "hope",
        "Your",
        "y",
    ]


def test_treebank_words():
    assert treebank_words('He cannot say "x, y".') == ["He", "can", "not", "say", "``", "x", ",", "y", "''", "."]
    assert treebank_words("It's (a) 'b' end. Mr. X.") == [
        "It",
        "'s",
        "(",
        "a",
        ")",
        "'",
        "b",
        "'",
        "end.",
        "Mr.",
        "X",
        ".",
    ]

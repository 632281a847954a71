"""What METEOR reads: WordNet's files, those of METEOR 1.5; its stemmer and its words."""

import gzip
import json
import os
import re
import warnings
import zipfile

import numpy as np
import pytest
import textgauge
from hypothesis import given
from hypothesis import strategies as st
from textgauge.plain.snowball import snowball
from textgauge.plain.treebank import treebank_words
from textgauge.text import meteor, punkt, wordnet
from tiny_meteor import save_own_punkt

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
    found = wordnet.WordNetData(str(wordnet_folder(tmp_path / "wn", newline)))
    assert found.synonyms("car") == found.synonyms("auto") == {"car", "auto"}
    assert found.synonyms("cars") == {"cars", "car", "auto"}
    assert found.synonyms("bigger") == {"bigger", "big", "large"}
    assert found.synonyms("dog") == {"dog"}


@pytest.mark.parametrize("n_names", [1, 9, 10, 16, 31])
def test_numbers_of_names_are_hexadecimal(tmp_path, n_names):
    folder = wordnet_folder(tmp_path / "wn")
    names = ["car", *(f"word{i}" for i in range(1, n_names))]
    place = (folder / "index.noun").read_text("utf-8").split()[-1]
    line = f"{place} 06 n {n_names:02x} {' '.join(f'{name} 0' for name in names)} 000 | many\n"
    (folder / "data.noun").write_text("  1 This is a licence.\n" + line, "utf-8")
    assert wordnet.WordNetData(str(folder)).synonyms("car") == {*names}


def test_places_of_wordnet(tmp_path, monkeypatch):
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
    # A folder beside the zip comes first; lists of exceptions need not be there.
    beside = wordnet_folder(archive.with_suffix(""))
    assert wordnet.find(None) == str(beside)
    with zipfile.ZipFile(archive, "w") as made:
        for path in folder.iterdir():
            if path.suffix != ".exc":
                made.write(path, f"wordnet/{path.name}")
    assert wordnet.find(archive) == str(archive)
    assert wordnet.wordnet_of(archive).synonyms("cars") == {"cars", "car", "auto"}


def test_without_wordnet_the_remedies_are_named(tmp_path, monkeypatch):
    monkeypatch.setattr(wordnet, "places", lambda: [str(tmp_path)])
    with pytest.raises(FileNotFoundError, match=r"nltk\.downloader.*wordnet-base.*FOLDER.*looked in"):
        textgauge.meteor(["a"], ["a"])
    folder = wordnet_folder(tmp_path / "wn")
    (folder / "data.adv").unlink()
    for place in (tmp_path, folder):
        with pytest.raises(FileNotFoundError, match=r"^wordnet: .*folder.*index\.noun"):
            textgauge.meteor(["a"], ["a"], wordnet=str(place))


def test_folders_of_data(tmp_path, monkeypatch):
    """As nltk has them, in its order, on every system."""
    home, prefix = str(tmp_path), os.path.join("the", "env")
    for name, value in (("HOME", home), ("USERPROFILE", home), ("NLTK_DATA", os.pathsep.join(["one", "", "two"]))):
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(wordnet.sys, "prefix", prefix)
    of_both = ["one", "two", os.path.join(home, "nltk_data")]
    of_both += [os.path.join(prefix, *below, "nltk_data") for below in ((), ("share",), ("lib",))]
    monkeypatch.setattr(wordnet.sys, "platform", "linux")
    of_linux = [f"/usr/{below}/nltk_data" for below in ("share", "local/share", "lib", "local/lib")]
    assert wordnet.nltk_folders() == of_both + of_linux
    assert wordnet.places() == [*of_both, *of_linux, "/usr/share/wordnet"]
    monkeypatch.setattr(wordnet.sys, "platform", "win32")
    monkeypatch.setenv("APPDATA", "of the user")
    of_windows = [os.path.join("of the user", "nltk_data"), r"C:\nltk_data", r"D:\nltk_data"]
    assert wordnet.nltk_folders() == of_both + of_windows


def test_rows_of_another_wordnet_are_not_added(tmp_path):
    one, other = wordnet_folder(tmp_path / "one"), wordnet_folder(tmp_path / "other")
    index = (other / "index.adj").read_text("utf-8")
    (other / "index.adj").write_text(f"{index}large a 1 0 1 0 {index.split()[-1]}\n", "utf-8")
    first, second = (textgauge.Meteor(wordnet=str(folder)).update(["a"], ["a"]) for folder in (one, other))
    with pytest.raises(ValueError, match="wordnet"):
        first + second


TRAINED = (
    "Mr. Hill met Dr. Wood at 5 p.m. on Monday. They went home. The dog, e.g. a small one, ran. Dr. Wood said no. "
    "Mr. Hill left. He saw J. Bach. She asked Mr. Hill again. The cats sat by approx. ten mats. He had approx. ten. "
)


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """Data of our own wording, as nltk trains and saves it, in a folder and in a zip; and nltk's splitter with it."""
    nltk = pytest.importorskip("nltk.tokenize.punkt", reason="nltk is missing")
    trainer = nltk.PunktTrainer()
    trainer.INCLUDE_ALL_COLLOCS = True
    trainer.train(TRAINED * 4, finalize=True)
    params = trainer.get_params()
    folder = tmp_path_factory.mktemp("data") / "tokenizers" / "punkt_tab" / "english"
    folder.mkdir(parents=True)
    (folder / "abbrev_types.txt").write_text("\n".join(params.abbrev_types), "utf-8")
    (folder / "sent_starters.txt").write_text("\n".join(params.sent_starters), "utf-8")
    (folder / "collocations.tab").write_text("\n".join("\t".join(pair) for pair in params.collocations), "utf-8")
    (folder / "ortho_context.tab").write_text(
        "\n".join(f"{word}\t{flags}" for word, flags in params.ortho_context.items()), "utf-8"
    )

    class Rules(nltk.PunktLanguageVars):
        """Those of nltk 3.9.2: later versions take typographic quotes for closing ones."""

        re_boundary_realignment = re.compile(r"[\"')\]}]+?(?:\s+|(?=--)|$)", re.MULTILINE)
        _re_non_word_chars = r"(?:[)\";}\]\*:@'\({\[!\?])"

    splitter = nltk.PunktSentenceTokenizer(lang_vars=Rules())
    splitter._params = params
    return folder, splitter


ENDS = (
    *["Mr.", "a", "b.", "J.", "...", "..", "!", "?", ".", ")", "(",
      "5.", "3.4", "--", "e.g.", "The", "the", "approx.", ",", "“", "”", "said", "He", "x-mr.", "ten"],
    '"', "'",
    " ", "  ", "\n", "\u2028",
)  # fmt: skip
# To nltk since 3.10 the separators of ASCII are no white space.
characters = st.characters(max_codepoint=0x2FFF, exclude_characters="\x1c\x1d\x1e\x1f", exclude_categories=["Cs"])


@given(text=st.lists(st.sampled_from(ENDS), max_size=14).map("".join) | st.text(characters, max_size=30))
def test_sentences_are_nltks(trained, text):
    folder, splitter = trained
    assert punkt.Punkt(str(folder)).sentences(text) == splitter.tokenize(text)


SEEN = {"often": 2 + 16, "inside": 4 + 64, "unknown": 8 + 32, "small": 64, "first": 16, "never": 0, "name": 2 + 4}
BEFORE = ("J.", "j.", "Q.", "Mr.", "x-mr.", "Dr.", "5.", "-1,5.", "...", "..", "said.", "!", "?")


def test_every_decision_is_nltks(tmp_path):
    nltk = pytest.importorskip("nltk.tokenize.punkt", reason="nltk is missing")
    params = nltk.PunktParameters()
    # Initials are abbreviations, or not.
    params.abbrev_types, params.sent_starters = {"j", "mr", "dr"}, {"name", "never", "inside"}
    params.collocations = {("dr", "small"), ("said", "often"), ("##number##", "never")}
    params.ortho_context.update(SEEN)
    files = {
        "abbrev_types.txt": params.abbrev_types, "sent_starters.txt": params.sent_starters,
        "collocations.tab": map("\t".join, params.collocations),
        "ortho_context.tab": [f"{word}\t{flags}" for word, flags in SEEN.items()],
    }  # fmt: skip
    for name, lines in files.items():
        (tmp_path / name).write_text("\n".join(lines), "utf-8")
    ours, theirs = punkt.Punkt(str(tmp_path)), nltk.PunktSentenceTokenizer()
    theirs._params = params
    behind = [*SEEN, *map(str.capitalize, SEEN), "Other", "other", "5", ";", "(", '"']
    texts = [f"He saw {one} {word}{rest}" for one in BEFORE for word in behind for rest in (" there.", ".")]
    # White space at the ends, what closes a sentence, several ends in one run of characters.
    texts += [
        "  He left. They went!  ", 'A "b." (C d.) E!) F.', "he saw.it and.so! on.", "x\ta.b c.d? E", "a.--b", "! . ?",
    ]  # fmt: skip
    assert {text: ours.sentences(text) for text in texts} == {text: theirs.tokenize(text) for text in texts}


@pytest.mark.slow
def test_sentences_of_news_are_nltks(trained, shared):
    folder, splitter = trained
    ours = punkt.Punkt(str(folder))
    with gzip.open(shared / "data/wmt22_to_english_40k.jsonl.gz", "rt", encoding="utf-8") as file:
        texts = [json.loads(line)["prediction"] for line in file]
    texts += [" ".join(texts[at : at + 4]) for at in range(0, len(texts), 4)]
    assert [ours.sentences(text) for text in texts] == [splitter.tokenize(text) for text in texts]


def test_texts_are_split_where_the_data_is(tmp_path, monkeypatch, trained):
    wordnet_folder(tmp_path / "corpora" / "wordnet")
    monkeypatch.setenv("NLTK_DATA", str(tmp_path))
    monkeypatch.setattr(punkt, "nltk_folders", lambda: [str(tmp_path)])
    pair = ["Mr. Hill sat. He ran."], ["Mr. Hill sat . He ran ."]
    with pytest.warns(UserWarning, match=r"2 texts have a full stop.*punkt_tab"):
        unsplit = textgauge.Meteor().update(*pair)
    assert unsplit.statistics["prediction"].tolist() == [6]
    assert "sentences:no" in unsplit.signature
    (tmp_path / "tokenizers").mkdir()
    with zipfile.ZipFile(tmp_path / "tokenizers" / "punkt_tab.zip", "w") as archive:
        for path in trained[0].iterdir():
            archive.write(path, f"punkt_tab/english/{path.name}")
    split = textgauge.Meteor().update(*pair)
    assert split.statistics["prediction"].tolist() == [7]
    assert split.statistics["matches"].tolist() == [7]
    with pytest.raises(ValueError, match="the same sentences"):
        split + unsplit


def test_broken_data_of_sentences_is_refused(tmp_path, trained):
    broken = tmp_path / "english"
    broken.mkdir()
    for path in trained[0].iterdir():
        (broken / path.name).write_bytes(path.read_bytes())
    (broken / "ortho_context.tab").write_text("a\tb\n", "utf-8")
    with pytest.raises(ValueError, match=r"ortho_context\.tab"):
        punkt.Punkt(str(broken))


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


def test_index_of_table(files, tmp_path):
    def first():
        return meteor.EnglishData(meteor.find_files(**files))

    made = first()
    [index] = (tmp_path / "cache").iterdir()
    written = index.stat().st_mtime_ns
    opened = first()
    assert isinstance(opened.table[0], np.memmap)
    assert index.stat().st_mtime_ns == written
    assert opened.identity == made.identity
    assert [*map(bytes, opened.table)] == [*map(bytes, made.table)]
    assert all(one.flags.aligned for one in opened.table)
    assert [opened.known(word).in_table for word in ("in", "large", "car")] == [0, 5, meteor.NO_WORD]
    # A broken index is made again.
    whole = index.read_bytes()
    for broken in (whole[:-1] + bytes([whole[-1] ^ 1]), whole[:-1], whole[:40], b"", b"[]\n", b"{}\n"):
        index.write_bytes(broken)
        assert [*map(bytes, first().table)] == [*map(bytes, made.table)]
        assert index.read_bytes() == whole
    with open(files["paraphrases"], "a", encoding="utf-8") as table:
        table.write("0.1\nlarge\nbig\n")
    assert first().identity != made.identity


def test_files_that_changed_are_read_again(files, tmp_path, monkeypatch):
    def changed(path, text):
        path.write_text(text, "utf-8")
        os.utime(path, (1, 1))

    first = meteor.meteor_of(**files)
    assert meteor.meteor_of(**files) is first
    os.utime(files["jar"], (1, 1))
    assert meteor.meteor_of(**files) is not first
    folder = wordnet_folder(tmp_path / "wn")
    for name in ("index.noun", "data.noun", "data.adj"):
        first = wordnet.wordnet_of(folder)
        assert wordnet.wordnet_of(folder) is first
        changed(folder / name, (folder / name).read_text("utf-8").replace("auto", "vans"))
        assert wordnet.wordnet_of(folder) is not first
    assert wordnet.wordnet_of(folder).synonyms("car") == {"car", "vans"}
    monkeypatch.setattr(punkt, "nltk_folders", lambda: [str(tmp_path)])
    own = save_own_punkt(tmp_path / "tokenizers" / "punkt_tab" / "english")
    assert punkt.punkt_of().sentences("Maj. Hill sat.") == ["Maj.", "Hill sat."]
    assert punkt.punkt_of() is punkt.punkt_of()
    changed(own / "collocations.tab", "maj\thill")
    assert punkt.punkt_of().sentences("Maj. Hill sat.") == ["Maj. Hill sat."]
    changed(own / "abbrev_types.txt", "sat")
    assert punkt.punkt_of().sentences("He sat. again") == ["He sat. again"]


def test_the_identity_of_wordnet_counts_synsets(tmp_path):
    folder = wordnet_folder(tmp_path / "wn")
    before = wordnet.WordNetData(str(folder)).identity
    index = (folder / "index.noun").read_text("utf-8")
    place = index.split()[-1]
    (folder / "index.noun").write_text(
        index.replace(f"car n 1 0 1 0 {place}", f"car n 2 0 2 0 {place} {place}"), "utf-8"
    )
    assert wordnet.WordNetData(str(folder)).identity != before


def test_homes_of_files_and_of_the_index(tmp_path, monkeypatch):
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(tmp_path))
    for name in ("x.jar", "t.gz"):
        (tmp_path / name).touch()
    assert meteor.find_files("~/x.jar", "~/t.gz") == (str(tmp_path / "x.jar"), str(tmp_path / "t.gz"))
    monkeypatch.setattr(meteor.sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    assert meteor.cache_folder() == str(tmp_path / "caches" / "textgauge")
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert meteor.cache_folder() == str(tmp_path / ".cache" / "textgauge")
    monkeypatch.setattr(meteor.sys, "platform", "darwin")
    assert meteor.cache_folder() == str(tmp_path / "Library" / "Caches" / "textgauge")
    monkeypatch.setattr(meteor.sys, "platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "local"))
    assert meteor.cache_folder() == str(tmp_path / "local" / "textgauge" / "Cache")


def test_what_is_known_of_words(files):
    data = meteor.EnglishData(meteor.find_files(**files))
    assert [data.known(word).is_function for word in ("the", "The", "THE", "car")] == [True, True, True, False]
    assert data.known("cars").synsets == (1, 2)
    assert data.known("geese").synsets == ()
    assert data.known("car").stem == data.known("cars").stem
    # Words have numbers in the order of the table.
    assert [data.known(word).in_table for word in ["in", "the", "end", "finally", "big", "large"]] == [*range(6)]
    assert data.known("car").in_table == meteor.NO_WORD


def test_synsets_of_base_forms(files):
    """As WordNet's rules in METEOR: own synsets, and those of all irregular bases or of the first regular one."""
    synsets = {"leaves": "1", "leave": "2", "leaf": "3", "ax": "4", "axe": "5", "glas": "6", "a": "7", "bas": "8",
               "base": "9", "hop": "10", "hope": "11"}  # fmt: skip
    with zipfile.ZipFile(files["jar"], "w") as made:
        made.writestr("function/english.words", FUNCTIONS)
        made.writestr("synonym/english.synsets", "".join(f"{word}\n{numbers}\n" for word, numbers in synsets.items()))
        made.writestr("synonym/english.exceptions", "ax\naxes axen\naxe\naxes\n")
        made.writestr("nonbreaking/english.prefixes", "")
    data = meteor.EnglishData(meteor.find_files(**files))
    wanted = {
        "leaves": (1, 2), "axes": (4, 5), "axen": (4,), "glass": (), "as": (), "bases": (9,), "hoped": (11,),
        "hopes": (11,), "hoping": (11,), "hops": (10,), "axing": (5,),
    }  # fmt: skip
    assert {word: data.known(word).synsets for word in wanted} == wanted


@pytest.mark.parametrize(
    ("form", "base"),
    [
        ("ads", "ad"), ("buses", "bus"), ("boxes", "box"), ("quizes", "quiz"), ("arches", "arch"), ("dishes", "dish"),
        ("postmen", "postman"), ("babies", "baby"), ("uses", "use"), ("goes", "go"), ("used", "use"), ("boxed", "box"),
        ("using", "use"), ("boxing", "box"), ("taller", "tall"), ("tallest", "tall"), ("finer", "fine"),
        ("finest", "fine"),
    ],
)  # fmt: skip
def test_every_ending_of_base_forms(files, form, base):
    with zipfile.ZipFile(files["jar"], "a") as made, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made.writestr("synonym/english.synsets", f"{base}\n7\n")
    assert meteor.EnglishData(meteor.find_files(**files)).known(form).synsets == (7,)


def test_table_without_matches(files, tmp_path):
    options = {"jar": files["jar"], "paraphrases": str(tmp_path / "none"), "matchers": "exact stem"}
    counted = textgauge.Meteor15(**options).update(["the cats"], ["the cat"])
    assert counted.score()["meteor15"] > 0
    assert "paraphrases:no" in counted.signature


def test_settings_that_change_rows_or_scores(files, tmp_path):
    words, characters = (
        textgauge.Meteor15(characters=characters, **files).update(["a car"], ["a car"]) for characters in (False, True)
    )
    assert "unit:character" in characters.signature
    assert "unit" not in words.signature
    with pytest.raises(ValueError, match="unit"):
        words + characters
    folder = str(wordnet_folder(tmp_path / "wn"))
    for name, values in (("beta", (1.0, 3.0)), ("alpha", (0.5, 0.9)), ("gamma", (0.1, 0.5))):
        one, other = (textgauge.Meteor(wordnet=folder, **{name: value}).update(["a"], ["a"]) for value in values)
        assert f"{name}:{values[0]}" in one.signature
        with pytest.raises(ValueError, match=name):
            one + other


def test_words_of_explanations_are_those_of_scores(tmp_path, monkeypatch):
    folder = str(wordnet_folder(tmp_path / "wn"))
    splitter = punkt.Punkt(str(save_own_punkt(tmp_path / "punkt")))
    monkeypatch.setattr("textgauge.measures.meteor.punkt_of", lambda: splitter)
    text = "Mr. Hill sat. He ran."
    counted = textgauge.Meteor(wordnet=folder).update([text], [text])
    assert counted.metric.cut(text) == ["mr.", "hill", "sat", ".", "he", "ran", "."]
    assert counted.statistics["prediction"].tolist() == [7]


def test_repeated_word_is_refused(files):
    with pytest.raises(ValueError, match="^pair 1: .*4,194,304.*got 9,"):
        textgauge.meteor15(["a", ", " * 3000], ["a", "," * 3 + " ," * 3000], **files)
    # Long texts of many words are no trouble.
    many = " ".join(f"x{number}" for number in range(3000))
    assert textgauge.meteor15([many], [many], **files)["meteor15"] == 1


def test_settings_of_a_stored_accumulator(files):
    counted = textgauge.Meteor15(task="adq", matchers="exact stem", **files).update(["the cats"], ["the cat"])
    read = textgauge.Meteor15.from_arrow(counted.to_arrow(), task="adq", matchers="exact stem", **files)
    assert read.metric.settings() == counted.metric.settings()
    assert read.signature == counted.signature
    assert read.score() == counted.score()


@pytest.mark.parametrize("text", ["root:x:0\nbin:x:1\nadm:x:2\n", "0.5x\na\nb\n", "x0.5\na\nb\n"])
def test_other_files_are_no_table(files, tmp_path, text):
    other = tmp_path / "other.txt"
    other.write_text(text, "utf-8")
    with pytest.raises(ValueError, match="^paraphrases.*line 1: "):
        textgauge.meteor15(["a"], ["a"], jar=files["jar"], paraphrases=str(other))
    assert not (tmp_path / "cache").exists()


def test_missing_files_have_remedies(tmp_path, files, monkeypatch):
    with pytest.raises(FileNotFoundError, match="^jar: .*got .*none"):
        textgauge.meteor15(["a"], ["a"], jar=str(tmp_path / "none"), paraphrases=False)
    with pytest.raises(FileNotFoundError, match="^paraphrases: .*got .*none"):
        textgauge.meteor15(["a"], ["a"], jar=files["jar"], paraphrases=str(tmp_path / "none"))
    with monkeypatch.context() as patch:
        patch.setattr(meteor, "find_spec", lambda _: None)
        with pytest.raises(FileNotFoundError, match=r"textgauge\[meteor\].*paraphrases=False.*no installed"):
            textgauge.meteor15(["a"], ["a"])
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
        # No mark: no rule.
        (" Élan Ёж  9\u1d00 ", "élan ёж 9\u1d00"),
        ("  ", ""),
        # The program's words, behind a full stop and elsewhere.
        ("a U.S.-based x.-y-z 3.-4 a.b.-c", "a us based x. y-z 3 . 4 ab c"),
        ("Mr.-B No.-5 a.-B etc.-x .-a a..-b", "mr. b no. 5 a . b etc. x . a a .. -b"),
        ("etc. and etc. été Mr. élan a. б", "etc. and etc . été mr. élan a . б"),
        ("a-–b a--b 5-–6", "a- - b a b 5- - 6"),
        ("\x1c\xa0x.\u2009a\u3000\x1c", "x . a"),
        # At the ends of a text as inside; without letters dots stay; spaces may be several.
        ("'tis 'x' its'", "' tis ' x ' its '"),
        ("1.2. A -b- etc. zoo No. 95 x.  zoo", "1.2 . a -b- etc. zoo no. 95 x. zoo"),
    ],
)
def test_normalized_words(files, text, words):
    data = meteor.EnglishData(meteor.find_files(**files))
    assert data.words(text, normalize=True, lowercase=False, punctuation=True) == words.split()


def test_words_without_punctuation_are_lower_cased_last(files):
    data = meteor.EnglishData(meteor.find_files(**files))
    assert data.words("İ, don't.", normalize=True, lowercase=False, punctuation=False) == ["i\u0307", "don", "t"]
    # What stands on both sides of punctuation are two words.
    assert data.words("a-b,c 1.5", normalize=False, lowercase=True, punctuation=False) == ["a", "b", "c", "1", "5"]
    assert data.words(" İ, A ", normalize=False, lowercase=True, punctuation=True) == ["i\u0307,", "a"]
    assert data.words(" İ, A ", normalize=False, lowercase=False, punctuation=True) == ["İ,", "A"]
    # The last sigma of each word.
    assert data.words("\u0391\u03a3 \u0391\u03a3.", normalize=False, lowercase=True, punctuation=True) == [
        "\u03b1\u03c2", "\u03b1\u03c2."
    ]  # fmt: skip


def test_stems():
    words = "sensationally skies dying ties generously communism hopping hoping Your y's"
    assert [snowball(word) for word in words.split()] == [
        "sensat", "sky", "die", "tie", "generous", "communism", "hop", "hope", "Your", "y",
    ]  # fmt: skip


ROOTS = "gener commun arsen hop happ cry say fl controll activ electr fast ration sens argu possib vietnam inn"
ENDINGS = (
    "al ance ence er ic able ible ant ement ment ent ism ate iti ous ive ion sion tion s es ies ied ed edly ing ingly "
    "eed eedly y ly bli ogi li fulli lessli ousli ousness iveness ational tional enci anci abli entli ator alism aliti "
    "alli fulness iviti biliti alize icate iciti ical ful ness ative e l ll 's 's' '"
)


@pytest.mark.parametrize("root", ROOTS.split())
def test_stems_are_those_of_snowball(root):
    """With each ending of its rules; behind `izer` and `ization` nltk's has a region that its definition does not."""
    snowball_of = pytest.importorskip("nltk.stem.snowball", reason="nltk is missing").SnowballStemmer("english").stem
    words = [root + ending for ending in ENDINGS.split()]
    assert [snowball(word) for word in words] == [snowball_of(word) for word in words]


def test_treebank_words():
    assert treebank_words('He cannot say "x, y".') == ["He", "can", "not", "say", "``", "x", ",", "y", "''", "."]
    assert treebank_words("It's (a) 'b' end. Mr. X.") == [
        "It", "'s", "(", "a", ")", "'", "b", "'", "end.", "Mr.", "X", ".",
    ]  # fmt: skip

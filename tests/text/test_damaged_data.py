"""Data of other tools that an interrupted copy or a bad packer left: one error that names file and remedy."""

import errno
import gzip
import os
import subprocess
import sys
import zipfile

import pytest
import textgauge
import tiny_meteor
from cli.conftest import run  # noqa: F401
from textgauge.text import data_files, meteor, punkt, wordnet


def zipped(folder, archive, below, way=zipfile.ZIP_DEFLATED):
    with zipfile.ZipFile(archive, "w", way) as made:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                made.write(path, f"{below}{path.relative_to(folder)}")
    return archive


def flipped(data, at):
    return data[:at] + bytes([data[at] ^ 0xFF]) + data[at + 1 :]


def damages(data):
    """Yield what may have become of a file; some of it is harmless, as where a gloss has other letters."""
    yield b""
    yield b"\0" * len(data)
    for part in (1, 3, 5, 7, 9):
        yield data[: len(data) * part // 10]
    for part in range(1, 40):
        yield flipped(data, len(data) * part // 40)


def of_zip(data):
    yield from damages(data)
    # Encrypted; packed by a method that does not exist; said to be larger, and of another checksum.
    for at, value in ((8, 1), (10, 77), (24, 200), (16, 9)):
        found = data.find(b"PK\x01\x02")
        while found >= 0:
            yield data[: found + at] + bytes([value]) + data[found + at + 1 :]
            found = data.find(b"PK\x01\x02", found + 1)


def only_the_house_fails(path, ways, use, *, least):
    """Use a file in all its damages: the results are any, or the error is ours and names the place."""
    whole, n_refused = path.read_bytes(), 0
    for damage in ways(whole):
        path.write_bytes(damage)
        try:
            use()
        except data_files.DamagedDataError:
            n_refused += 1
    path.write_bytes(whole)
    use()
    assert n_refused >= least


WORDS = ("cars", "geese", "ran", "bigger", "well", "dogs", "dishes", "quickly", "tall")


@pytest.mark.parametrize("name", [f"{kind}.{part}" for kind in ("index", "data") for part in wordnet.PARTS])
def test_a_file_of_wordnet(tmp_path, name):
    folder = tiny_meteor.save_own_wordnet(tmp_path / "wordnet")
    only_the_house_fails(
        folder / name, damages, lambda: [*map(wordnet.WordNetData(str(folder)).synonyms, WORDS)], least=7
    )


@pytest.mark.parametrize("way", [zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
def test_a_zip_of_wordnet(tmp_path, way):
    folder = tiny_meteor.save_own_wordnet(tmp_path / "wordnet")
    archive = zipped(folder, tmp_path / "wordnet.zip", "wordnet/", way)
    only_the_house_fails(archive, of_zip, lambda: [*map(wordnet.WordNetData(str(archive)).synonyms, WORDS)], least=20)


def test_damaged_zip_is_told(tmp_path, monkeypatch):
    (tmp_path / "corpora").mkdir()
    archive = tmp_path / "corpora" / "wordnet.zip"
    archive.write_bytes(b"PK\x03\x04 cut off")
    monkeypatch.setattr(wordnet, "places", lambda: [str(tmp_path)])
    with pytest.raises(ValueError, match=r"^wordnet: .*index\.noun.*downloader -f wordnet.*wordnet\.zip"):
        textgauge.meteor(["a"], ["a"])
    with zipfile.ZipFile(archive, "w") as made:
        made.writestr("wordnet/index.noun", "  1 no data\n")
    with pytest.raises(FileNotFoundError, match="looked in"):
        textgauge.meteor(["a"], ["a"])


@pytest.mark.parametrize("name", tiny_meteor.PUNKT)
def test_a_file_of_punkt(tmp_path, name):
    tiny_meteor.save_own_punkt(tmp_path)
    use = lambda: punkt.Punkt(str(tmp_path)).sentences("Mr. Hill sat. He ran.")  # noqa: E731
    only_the_house_fails(tmp_path / name, damages, use, least=1)


def test_a_zip_of_punkt(tmp_path):
    folder = tiny_meteor.save_own_punkt(tmp_path / "english")
    archive = zipped(folder, tmp_path / "punkt_tab.zip", "punkt_tab/english/")
    use = lambda: punkt.Punkt(str(archive)).sentences("Mr. Hill sat. He ran.")  # noqa: E731
    assert use() == ["Mr. Hill sat.", "He ran."]
    only_the_house_fails(archive, of_zip, use, least=20)


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.setattr(meteor, "cache_folder", lambda: str(tmp_path / "cache"))
    return tiny_meteor.save_own_meteor15(tmp_path / "meteor15")


@pytest.mark.parametrize("name", ["jar", "paraphrases"])
def test_the_files_of_meteor15(files, tmp_path, name):
    def use():
        data = meteor.EnglishData(meteor.find_files(**files))
        return [data.known(word) for word in ("geese", "car", "the")], data.table

    path = tmp_path / "meteor15" / os.path.basename(files[name])
    only_the_house_fails(path, of_zip if name == "jar" else damages, use, least=8)


def test_what_unpacks_to_too_much_is_refused(files, tmp_path, monkeypatch, run):  # noqa: F811
    monkeypatch.setattr(data_files, "MOST_UNPACKED", 100_000)
    path = tmp_path / "meteor15" / "paraphrases.gz"
    path.write_bytes(gzip.compress(b"0.5\na b\nb\n" * 20_000))
    with pytest.raises(ValueError, match=r"paraphrases\.gz undamaged: copy .*unpacks to more than"):
        textgauge.meteor15(["a"], ["a"], **files)
    (tmp_path / "a.txt").write_text("a\n")
    words = ["score", str(tmp_path / "a.txt"), "-r", str(tmp_path / "a.txt"), "-b", "-m", "meteor15"]
    words += [f"{name}={path}" for name, path in files.items()]
    refused = run(*words)
    assert (refused.exit_code, "(--max-unpacked of the command line)" in refused.stderr) == (2, True)
    assert run(*words, "--max-unpacked", 0.001).stdout == "1.0000\n"
    # Text that packs worse may be larger.
    monkeypatch.setattr(data_files, "MOST_TIMES_PACKED", 1_000)
    assert textgauge.meteor15(["a"], ["a"], **files)["meteor15"] == 1
    monkeypatch.setattr(data_files, "MOST_TIMES_PACKED", 20)
    assert data_files.most_unpacked(1 << 20) == 20 << 20
    with zipfile.ZipFile(tmp_path / "bomb.jar", "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("function/english.words", "the\n" * 100_000)
    with pytest.raises(ValueError, match=r"^jar: .*function/english\.words.*unpacks to more than"):
        textgauge.meteor15(["a"], ["a"], jar=str(tmp_path / "bomb.jar"), paraphrases=False)


@pytest.mark.parametrize("name", ["function/english.words", "nonbreaking/english.prefixes"])
def test_a_jar_without_a_file_is_refused(files, tmp_path, name):
    with zipfile.ZipFile(files["jar"]) as whole, zipfile.ZipFile(tmp_path / "part.jar", "w") as part:
        for other in {*whole.namelist()} - {name}:
            part.writestr(other, whole.read(other))
    with pytest.raises(ValueError, match=rf"^jar: .*{name}.*1\.5.*no item named"):
        textgauge.meteor15(["a"], ["a"], jar=str(tmp_path / "part.jar"), paraphrases=False)


@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "no space"), KeyboardInterrupt()])
def test_unwritable_index(files, tmp_path, monkeypatch, error):
    def replace(*_):
        raise error

    monkeypatch.setattr(data_files.os, "replace", replace)
    if isinstance(error, OSError):
        assert textgauge.meteor15(["a"], ["a"], **files)["meteor15"] == 1
    else:
        with pytest.raises(KeyboardInterrupt):
            textgauge.meteor15(["a"], ["a"], **files)
    assert [*(tmp_path / "cache").iterdir()] == []


@pytest.mark.skipif(sys.platform != "linux", reason="a limit of the size of files")
def test_a_full_disk_leaves_nothing(files, tmp_path):
    code = (
        "import resource, signal, textgauge; from textgauge.text import meteor; "
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN); resource.setrlimit(resource.RLIMIT_FSIZE, (50, 50)); "
        f"meteor.cache_folder = lambda: {str(tmp_path / 'full')!r}; "
        f"assert textgauge.meteor15(['a'], ['a'], **{files!r})['meteor15'] == 1"
    )
    subprocess.run([sys.executable, "-B", "-c", code], check=True)
    assert [*(tmp_path / "full").iterdir()] == []

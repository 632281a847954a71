"""Subtitles and the files of WMT are read as their texts; what is no plain text is refused by its form."""

import bz2
import gzip
import lzma
import pickle

import pytest
from textgauge.files.file import InputFile
from textgauge.files.lines import FileError
from textgauge.files.rows import BadRows, NamedColumn

SRT = "1\n00:00:01,000 --> 00:00:02,500\nHe <i>sleeps</i>\nuntil ten.\n\n2\n00:00:03,000 --> 00:00:04,000\n{\\an8}42\n"
VTT = (
    "WEBVTT\n\nNOTE made by hand\n\nfirst\n00:01.000 --> 00:02.000 align:start\n<v Ann>Salt &amp; pepper\n\n"
    "01:00:01.000 --> 01:00:02.000\n<00:01.500><c>now</c>\n"
)
SGM = (
    '<refset setid="s" srclang="de" trglang="en">\n<doc docid="a" sysid="ref">\n<p>\n<seg id="1"> Salt &amp; pepper.\n'
    '</seg>\n<seg id="2"></seg>\n</p>\n</doc>\n</refset>\n'
)
WMT = (
    '<?xml version=\'1.0\' encoding=\'utf-8\'?>\n<dataset id="t">\n  <doc id="a">\n    <src lang="de"><p>'
    '<seg id="1">Salz</seg></p></src>\n    <ref translator="A"><p><seg id="1">Salt</seg></p></ref>\n'
    '    <hyp system="X"><p><seg id="1">A salt</seg></p></hyp>\n  </doc>\n</dataset>\n'
)
STM = ";; a comment\nf 1 ann 0.00 1.50 <o,f0> he sleeps\nf 1 bob 1.50 2.25 take a hat\n"
RTTM = "SPEAKER f 1 0.00 1.50 <NA> <NA> ann <NA> <NA>\n"
OTHERS = {
    "STM": STM,
    "RTTM": RTTM,
    "TMX": '<?xml version="1.0"?>\n<!DOCTYPE tmx SYSTEM "tmx14.dtd">\n<tmx version="1.4">\n</tmx>\n',
    "XLIFF": '<xliff version="1.2">\n</xliff>\n',
    "PO": '# German\nmsgid ""\nmsgstr ""\n"Language: de"\n\nmsgid "salt"\nmsgstr "Salz"\n',
    "TextGrid": 'File type = "ooTextFile"\nObject class = "TextGrid"\n',
    "a TextGrid": '"Praat chronological TextGrid text file"\n0 3\n',
    "RTTM.": "LEXEME f 1 0.00 <NA> salt lex ann 0.5\n",
    "UEM": "f 1 0 1.5\ng 1 0 2\n",
    "STM.": "f 1 ann 0 1 salt\nf 1 bob 1 2 pepper\n",
    "SBV": "0:00:00.599,0:00:04.160\nsalt\n",
    "SubStation": "[Script Info]\nDialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,salt\n",
    "SAMI": "<SAMI>\n<BODY>\n<SYNC Start=1><P Class=EN>salt\n",
    "TTML": '<tt xmlns="http://www.w3.org/ns/ttml">\n<p begin="0s">salt</p>\n</tt>\n',
    "MicroDVD": "{1}{25}salt\n{26}{50}pepper\n",
    "LRC": "[ar:Ann]\n[00:12.00]salt\n",
    "XML": '<resources>\n  <string name="a">salt</string>\n</resources>\n',
    "HTML": "<html><body>\nsalt\n</body></html>\n",
    "IWSLT": "<url>http://a</url>\n<title>b</title>\nsalt\n",
    "CHAT": "@UTF8\n@Begin\n*CHI:\tsalt .\n",
    "LaTeX": "\\documentclass{article}\nsalt\n",
    "RTF": "{\\rtf1\\ansi salt}\n",
    "Markdown": "| id | text |\n|----|:---|\n| 1 | salt |\n",
}
PROSE = [
    "1\nand 2\n00:00:01,000 --> later\n",
    "WEBVTT is a format\nof subtitles\n",
    "<dataset> is a tag of XML\n<seg> is another\n",
    "<b>bold</b>\n<doc>\n",
    "msgid is the key\nmsgstr is the text\n",
    '"Salt."\n"Pepper."\n',
    "SPEAKER of the house\n",
    "rates rose from 1.25 2.50 percent\n",
    "# heading\n# another\n",
    "{x}\n{y}\n",
    '{"a": 1}\n{"b": 2}\n',
    '{"answer": 42}\n',
    "a\tb\n",
    "a\tb\nc d\n",
    "a\tb\nc\td\te\n",
    "\ta b\n\tc d\n",
    "<html><body><table><tr><td>1</td></tr></table></body></html>\n<html></html>\n",
    "<p>\n<p>\n<p>\n",
    "Room 1 a 0 1 salt\n",
    "[1, 2]\n[3]\n",
    "[\nsalt\n]\n",
    "Yes, answer\nno, salt\n",
    "source\ntext\n",
    "12:30\n13:45\n",
    '{"id": 1, "x": 2}\n{"id": 2, "y": 3}\n',
    "[00:12] salt\n[00:13] pepper\n",
    "1 2 3 4\n5 6 7 8\n",
    "1 2 3 4 5\n6 7 8 9 10\n",
    "0.1 0.2 0.3 0.4 0.5\n",
    "[note: he laughs]\n[note: she sighs]\n",
    "PAR1 is a receptor\nof thrombin\n",
]
# What programs write who leave out hours, zeros, fractions, numbers and spaces.
CUES = (
    "1\n00:00:01,00 --> 00:00:02,50\n", "1\n00:00:01 --> 00:00:02\n", "1\n00:00:01,000-->00:00:02,500\n",
    "1\n0:0:1,000 --> 0:0:2,500\n", "00:00:01,000 --> 00:00:02,500\n", "1 \n0:00:01,000 --> 0:00:02,500\n",
    "\n\n1\n01:02.5 --> 01:03.5\n",
)  # fmt: skip
TOLD = {
    "JSON": [
        '[\n{"text": "salt"}\n]\n', '{\n"a": "salt"\n}\n', '[\n"salt",\n"pepper"\n]\n',
        '{"id": 1, "prediction": "salt"}\n', '[{"id": 1, "text": "salt"}]\n',
        '{"id": 1, "text": "a"}\n{"id": 2, "text": "b", "n": 3}\n',
    ],
    "csv": ["id,text\n1,salt\n", '"id","text"\n"1","salt\npepper"\n', "id;reference\n1;salt\n"],
    "carriage": ["salt\rpepper\r"],
}  # fmt: skip


def texts_in(tmp_path, name, text, role="prediction", **options):
    path = tmp_path / name
    path.write_bytes(text.encode())
    return InputFile(str(path), [NamedColumn(role, role=role)], **options).columns()[0].texts.tolist()


@pytest.mark.parametrize(("form", "text", "inside"), [
    ("srt", SRT, "42"), ("vtt", VTT, "Salt &amp; pepper"), ("sgm", SGM, " Salt &amp; pepper."), ("wmt", WMT, "A salt"),
])  # fmt: skip
def test_characters_by_name_are_read(tmp_path, form, text, inside):
    assert inside in text
    for name, character in (("amp", "&"), ("lt", "<"), ("gt", ">"), ("quot", '"'), ("apos", "'"), ("amp;lt", "&lt;"),
                            ("amp;quot", "&quot;"), ("lt;b&gt", "<b>")):  # fmt: skip
        [found, *_] = [
            one for one in texts_in(tmp_path, f"a.{form}", text.replace(inside, f"z&{name};z")) if one[:1] == "z"
        ]
        assert found == f"z{character}z"


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("form", "text", "right"),
    [
        ("srt", SRT, ["He sleeps until ten.", "42"]),
        ("srt", SRT.replace("\n\n", "\n \n"), ["He sleeps until ten.", "42"]),
        ("vtt", VTT, ["Salt & pepper", "now"]),
        ("sgm", SGM, ["Salt & pepper.", ""]),
        ("wmt", WMT, ["A salt"]),
    ],
)
def test_texts_alone_are_read(tmp_path, form, text, right, end):
    text = text.replace("\n", end)
    assert texts_in(tmp_path, f"a.{form}", text) == right
    assert texts_in(tmp_path, "a.txt", text, file_format=form) == right
    assert texts_in(tmp_path, "b.txt", "\ufeff" + text.rstrip(), file_format=form) == right
    with pytest.raises(FileError, match=rf"plain text, a segment per line \(--format {form} reads its texts"):
        texts_in(tmp_path, "a.txt", text)
    assert len(texts_in(tmp_path, "a.txt", text, file_format="text")) == text.count("\n")


@pytest.mark.parametrize("cue", CUES)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_cues_of_any_program(tmp_path, cue, end):
    text = f"{cue}Salt\n\n{cue}pepper\n".replace("\n", end)
    assert texts_in(tmp_path, "a.srt", text) == ["Salt", "pepper"]
    with pytest.raises(FileError, match="subtitles in SRT"):
        texts_in(tmp_path, "a.txt", text)


@pytest.mark.parametrize("text", [
    SGM.upper(), SGM.partition("\n")[2], "".join(f'<seg id="{i}">salt</seg>\n' for i in range(2)),
])  # fmt: skip
def test_sgml_in_any_case_and_without_its_set(tmp_path, text):
    with pytest.raises(FileError, match="--format sgm reads its texts"):
        texts_in(tmp_path, "a.txt", text)
    assert len(texts_in(tmp_path, "a.txt", text, file_format="sgm")) == 2


@pytest.mark.parametrize(("what", "text"), [(what, text) for what, texts in TOLD.items() for text in texts])
def test_other_forms_are_told(tmp_path, what, text):
    with pytest.warns(UserWarning, match=what):
        texts_in(tmp_path, "a.txt", text)
    texts_in(tmp_path, "a.txt", text, file_format="text")


TEXT = "he sleeps until ten\ntake a hat\n"


@pytest.mark.parametrize(("what", "data"), [
    ("UTF-16:", TEXT.encode("utf-16")), ("UTF-16:", b"\xfe\xff" + TEXT.encode("utf-16-be")),
    ("UTF-16 without", TEXT.encode("utf-16-le")), ("UTF-16 without", TEXT.encode("utf-16-be")),
    ("UTF-32", TEXT.encode("utf-32")), ("gzip", gzip.compress(TEXT.encode(), mtime=0)),
    ("bzip2", bz2.compress(TEXT.encode())),
    ("xz", lzma.compress(TEXT.encode())), ("Zstandard", b"\x28\xb5\x2f\xfd" + TEXT.encode()),
    ("ZIP", b"PK\3\4" + TEXT.encode()), ("PDF", b"%PDF-1.4\n" + TEXT.encode()),
    ("Parquet", b"PAR1\x15" + TEXT.encode()), ("Arrow", b"ARROW1\0\0" + TEXT.encode()),
    ("NumPy", b"\x93NUMPY\1\0" + TEXT.encode()), ("SQLite", b"SQLite format 3\0" + TEXT.encode()),
    ("a pickle", pickle.dumps(TEXT)),
])  # fmt: skip
@pytest.mark.parametrize("name", ["a.txt", "a.jsonl", "a.csv"])
def test_bytes_that_are_no_utf8_are_named(tmp_path, name, what, data):
    """Nor are they bad rows, of which others could be scored."""
    (tmp_path / name).write_bytes(data)
    with pytest.raises(FileError, match=f"{name}: expected UTF-8, got {what}"):
        [*InputFile(str(tmp_path / name), [NamedColumn("text")]).blocks(BadRows(is_skipped=True))]


@pytest.mark.parametrize(("role", "right"), [("prediction", "A salt"), ("reference", "Salt"), ("source", "Salz")])
def test_wmt_has_a_text_for_every_role(tmp_path, role, right):
    assert texts_in(tmp_path, "a.xml", WMT, role, file_format="wmt") == [right]


@pytest.mark.parametrize(
    ("form", "text"),
    [("wmt", WMT.replace("</doc>", '<hyp system="Y"></hyp></doc>')), ("sgm", SGM + SGM.replace('"ref"', '"b"'))],
)
def test_several_systems_are_refused(tmp_path, form, text):
    with pytest.raises(FileError, match="texts of one system or translator"):
        texts_in(tmp_path, "a", text, file_format=form)


@pytest.mark.parametrize("form", ["srt", "vtt", "sgm", "wmt"])
def test_a_file_without_texts_is_refused(tmp_path, form):
    with pytest.raises(FileError, match=r"a cue with its times|a text in `<seg>`"):
        texts_in(tmp_path, "a", "salt\n", file_format=form)


@pytest.mark.parametrize("form", OTHERS)
def test_other_forms_are_refused_under_any_name(tmp_path, form):
    with pytest.raises(FileError, match=rf"write its texts alone.*{form}"):
        texts_in(tmp_path, "a.de", OTHERS[form])


@pytest.mark.parametrize("text", PROSE)
def test_prose_is_never_refused(tmp_path, text):
    assert texts_in(tmp_path, "a.txt", text) == text.splitlines()


@pytest.mark.parametrize(("n", "tabs"), [(1, "1 tab"), (3, "3 tabs")])
def test_rows_of_a_table_are_told(tmp_path, n, tabs):
    text = "".join("\t".join(f"{word} {i}" for i in range(n + 1)) + "\n" for word in ("text", "salt", "pepper"))
    with pytest.warns(UserWarning, match=f"a.txt has {tabs}, .*give --format tsv"):
        texts_in(tmp_path, "a.txt", text)
    texts_in(tmp_path, "a.txt", text, file_format="text")


def test_objects_of_the_same_names_are_told(tmp_path):
    with pytest.warns(UserWarning, match="give --format jsonl"):
        texts_in(tmp_path, "a.txt", '{"id": 1, "text": "a"}\n{"id": 2, "text": "b"}\n')

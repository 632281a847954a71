"""`textgauge rouge155` without the script: output, input, errors."""

import gzip
import json
import shutil

import pytest
from growing import BOUND, FACTOR, growth
from textgauge.rouge155.script import read_settings

from cli.conftest import says

EVAL = (
    '<EVAL ID="{name}"><PEER-ROOT>peers</PEER-ROOT><MODEL-ROOT>models</MODEL-ROOT><INPUT-FORMAT TYPE="{kind}"/>'
    '<PEERS><P ID="1">{name}.txt</P></PEERS>'
    '<MODELS><M ID="A">{name}.A.txt</M><M ID="B">{name}.B.txt</M></MODELS></EVAL>'
)
TEXTS = {
    "peers/1.txt": "police killed the gunman\n",
    "models/1.A.txt": "police kill the gunman\n",
    "models/1.B.txt": "the gunman kill police\n",
    "peers/2.txt": "the storm hit\nroads were blocked\n",
    "models/2.A.txt": "a storm hit roads\n",
    "models/2.B.txt": "roads were blocked by the storm\n",
}
# What the script, ROUGE-1.5.5.pl, printed for them with -a -d -n 1 -2 4 -u -f B.
PRINTED = """\
---------------------------------------------
1 ROUGE-1 Average_R: 0.79167 (95%-conf.int. 0.75000 - 0.83333)
1 ROUGE-1 Average_P: 0.79167 (95%-conf.int. 0.75000 - 0.83333)
1 ROUGE-1 Average_F: 0.79167 (95%-conf.int. 0.75000 - 0.83333)
.............................................
1 ROUGE-1 Eval 1.1 R:0.75000 P:0.75000 F:0.75000
1 ROUGE-1 Eval 2.1 R:0.83333 P:0.83333 F:0.83333
---------------------------------------------
1 ROUGE-L Average_R: 0.79167 (95%-conf.int. 0.75000 - 0.83333)
1 ROUGE-L Average_P: 0.79167 (95%-conf.int. 0.75000 - 0.83333)
1 ROUGE-L Average_F: 0.79167 (95%-conf.int. 0.75000 - 0.83333)
.............................................
1 ROUGE-L Eval 1.1 R:0.75000 P:0.75000 F:0.75000
1 ROUGE-L Eval 2.1 R:0.83333 P:0.83333 F:0.83333
---------------------------------------------
1 ROUGE-SU4 Average_R: 0.55556 (95%-conf.int. 0.55556 - 0.55556)
1 ROUGE-SU4 Average_P: 0.40278 (95%-conf.int. 0.25000 - 0.55556)
1 ROUGE-SU4 Average_F: 0.45020 (95%-conf.int. 0.34483 - 0.55556)
.............................................
1 ROUGE-SU4 Eval 1.1 R:0.55556 P:0.55556 F:0.55556
1 ROUGE-SU4 Eval 2.1 R:0.55556 P:0.25000 F:0.34483
"""


@pytest.fixture
def write(tmp_path):
    """Write texts and settings for some evaluations; return the name of the settings."""

    def call(kind="SPL", names=("1", "2"), body=None, **texts):
        for path, content in {**TEXTS, **texts}.items():
            (tmp_path / path).parent.mkdir(exist_ok=True, parents=True)
            (tmp_path / path).write_bytes(content if isinstance(content, bytes) else content.encode())
        content = "".join(EVAL.format(name=name, kind=kind) for name in names) if body is None else body
        (tmp_path / "settings.xml").write_text(f"<ROUGE-EVAL>{content}</ROUGE-EVAL>")
        return "settings.xml"

    return call


def printed(run, *arguments):
    result = run("rouge155", *arguments)
    assert result.exit_code == 0, result.stderr
    return result.stdout


def values(output, start):
    """The numbers of the first line that starts so."""
    line = next(line for line in output.splitlines() if line.startswith(start))
    return [float(word.partition(":")[2]) for word in line.split() if word[:2] in ("R:", "P:", "F:")]


def test_sentences_of_every_format_are_found(run, write):
    plain = printed(run, write(), "-a", "-d", "-n", 2, "-2", 4, "-U", "-w", 1.2)
    see = {p: "<html>\n" + "".join(_see(i, s) for i, s in enumerate(t.split("\n")[:-1], 1)) for p, t in TEXTS.items()}
    isi = {p: "".join(f'<S SNTNO="{i}">{s}</S>\n' for i, s in enumerate(t.split("\n")[:-1])) for p, t in TEXTS.items()}
    assert printed(run, write("SEE", **see), "-a", "-d", "-n", 2, "-2", 4, "-U", "-w", 1.2) == plain
    assert printed(run, write("isi", **isi), "-a", "-d", "-n", 2, "-2", 4, "-U", "-w", 1.2) == plain


def _see(i, sentence):
    return f'<a name="{i}">[{i}]</a> <a href="#{i}" id={i}>{sentence}</a>\n'


def test_lines_are_those_of_the_script(run, write):
    assert printed(run, write(), "-n", 1, "-2", 4, "-u", "-f", "B", "-d", "-a") == PRINTED


def test_without_a_system_all_are_scored(run, write):
    assert printed(run, write()) == printed(run, write(), "-a") == printed(run, write(), "1")


def test_counts_in_place_of_scores(run, write):
    output = printed(run, write(), "-a", "-n", 1, "-x", "-t", 2, "-d")
    assert output.splitlines()[1:] == [
        "1 ROUGE-1 M_count: 18 P_count: 20 H_count: 14",
        "." * 45,
        "1 ROUGE-1 Eval 1.1 R:8 P:8 F:6",
        "1 ROUGE-1 Eval 2.1 R:10 P:12 F:8",
    ]


def test_a_list_of_files(run, write):
    listed = "# comment\n\npeers/1.txt models/1.A.txt models/1.B.txt\npeers/2.txt  models/2.A.txt models/2.B.txt\n"
    settings = write(**{"pairs.list": listed})
    output = printed(run, "-z", "SPL", "-n", 1, "-d", "pairs.list")
    assert output.replace("X ROUGE", "1 ROUGE").replace(".X ", ".1 ") == printed(run, settings, "-n", 1, "-d")


def test_evaluations_stand_by_their_numbers(run, write):
    write(list="peers/1.txt models/1.A.txt\n" * 12)
    lines = printed(run, "-z", "SPL", "-n", 1, "-x", "-d", "list").splitlines()
    assert [line.split()[3] for line in lines if " Eval " in line] == [f"{n}.X" for n in range(1, 13)]


# What the script printed for texts, one a line, the first against the others, with -x -d -z SPL.
WEIGHTED = [
    # Weights are summed over references from first to last.
    (["a b x", "a b c", "a b c d", "a b c d e f g h i j"], ("-w", 1.2, "-t", 2),
     "R:39.7684719265787 P:11.2115784565397 F:6.89219012998221"),
    # Powers are the C library's: both references have a recall of exactly 1, and the first is taken.
    (["a b c d e z", "z", "a b c d e"], ("-w", 1.3, "-f", "B"), "R:1.00000 P:0.16667 F:0.28572"),
    (["a b c d e z", "a b c d e", "z"], ("-w", 1.3, "-f", "B"), "R:0.61703 P:0.83333 F:0.70905"),
]  # fmt: skip


@pytest.mark.parametrize(("texts", "options", "expected"), WEIGHTED)
def test_weights_have_all_digits_of_the_script(run, write, texts, options, expected):
    names = [str(i) for i in range(len(texts))]
    write(**{name: f"{text}\n" for name, text in zip(names, texts, strict=True)}, list=" ".join(names))
    assert printed(run, "list", "-z", "SPL", "-x", "-d", *options).endswith(f" Eval 1.X {expected}\n")


def test_system_without_texts(run, write):
    body = EVAL.format(name="1", kind="SPL") + EVAL.format(name="2", kind="SPL").replace('P ID="1"', 'P ID="2"')
    result = run("rouge155", write(body=body), "-n", 1, "-d")
    assert "system 1 has no text for evaluation 2" in result.stderr
    assert values(result.stdout, "1 ROUGE-1 Eval 1.1") == [0.75, 0.75, 0.75]
    assert values(result.stdout, "2 ROUGE-1 Eval 2.2") == [0.8, 0.66667, 0.72727]


def test_data_files_of_the_script(run, write, monkeypatch):
    verbs, words = "data/WordNet-2.0-Exceptions/verb.exc", "data/smart_common_words.txt"
    settings = write(names=("1",), **{words: "the\n", verbs: "killed slay\nkill slay\n"})
    arguments = (settings, "-n", 1, "-x", "-d", "-m", "-s")
    by_option = printed(run, *arguments, "-e", "data")
    assert values(by_option, "1 ROUGE-1 Eval") == [1.0, 1.0, 1.0]
    monkeypatch.setenv("ROUGE_EVAL_HOME", "data")
    assert printed(run, *arguments) == by_option


def test_exceptions_database_of_the_script(run, refused, write, tmp_path):
    forms = {"1.6": "dies", "1.7.1": "dies", "2.0": "slay"}
    verbs = {f"data/WordNet-{v}-Exceptions/verb.exc": f"killed {f}\nkill slay\n" for v, f in forms.items()}
    arguments = (write(names=("1",), **verbs), "-n", 1, "-x", "-d", "-m", "-e", "data")
    assert values(printed(run, *arguments), "1 ROUGE-1 Eval") == [1.0, 1.0, 1.0]
    (tmp_path / "data/WordNet-2.0-Exceptions").rename(tmp_path / "data/other")
    assert "with a folder WordNet-2.0-Exceptions, for -m, got 'data'" in refused("rouge155", *arguments)


def test_stems_without_irregular_forms_are_warned_of(run, write):
    result = run("rouge155", write(), "-m")
    assert result.exit_code == 0
    assert "no *.exc files" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nope.xml",), "cannot read nope.xml: "),
        (("settings.xml", "7"), "SYSTEM: ... got '7'"),
        (("settings.xml", "-u"), "-u and -U need -2"),
        (("settings.xml", "-x"), "-x leaves no type of ROUGE"),
        (("settings.xml", "-w", "0.5"), "-w: ... got 0.5"),
        (("settings.xml", "-w", "x"), "-w: ... got 'rougeW-x'"),
        (("settings.xml", "-l", 5, "-b", 5), "max_bytes: ... got both"),
        (("settings.xml", "-p", 2), "2"),
        (("settings.xml", "-s"), "stopwords: ... got"),
        (("settings.xml", "-m", "-e", "peers"), "-e: ... *.exc ... got"),
        (("settings.xml", "-3", "HM"), "-3"),
        (("settings.xml", "-n", 10**12), "is not in the range up to 1,000"),
        (("settings.xml", "-r", 10**9), "is not in the range 1 to 1,000,000"),
        (("settings.xml", "-b", 2**64), "max_bytes: ... got 1844674"),
    ],
    ids=str,
)
def test_bad_arguments(refused, write, arguments, message):
    write()
    assert says(refused("rouge155", *arguments), f"... {message}")


ONE = EVAL.format(name="1", kind="SPL")
BOMB = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><ROUGE-EVAL>&b;</ROUGE-EVAL>'
FILE = '<!DOCTYPE x [<!ENTITY f SYSTEM "peers/1.txt">]><ROUGE-EVAL>&f;</ROUGE-EVAL>'


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("<ROUGE-EVAL><EVAL", "settings.xml, line 1: ... XML"),
        ("", "... got no element found"),
        ("<ROUGE-EVAL/>", "settings.xml: ... got none"),
        (BOMB, "... got a DOCTYPE"),
        (FILE, "... got a DOCTYPE"),
        (f"<X>{ONE}&lost;</X>", "... got undefined entity"),
        (f"<X>{ONE.replace(' ID=', ' NAME=', 1)}</X>", "... ID, got none"),
        (f"<X>{ONE.replace('SPL', 'PDF')}</X>", "... got 'PDF'"),
        (f"<X>{ONE.replace('INPUT-FORMAT', 'FORMAT')}</X>", "EVAL '1': ... INPUT-FORMAT"),
        (f"<X>{ONE.replace('MODELS', 'OTHERS')}</X>", "EVAL '1': ... model ... got none"),
        (f"<X>{ONE.replace('PEERS', 'OTHERS')}</X>", "settings.xml: ... got none"),
        (f"<X>{ONE.replace('1.txt', '9.txt')}</X>", "cannot read peers/9.txt: "),
        (f"<X>{ONE.replace('1.A.txt', '9.txt')}</X>", "cannot read models/9.txt: "),
        (f"<X>{ONE.replace('>1.txt<', '>.<')}</X>", "cannot read peers/.: "),
    ],
)
def test_bad_settings_print_nothing_else(refused, write, tmp_path, settings, message):
    write()
    (tmp_path / "settings.xml").write_text(settings)
    assert says(refused("rouge155", "settings.xml", "-a", "-n", 1), f"... {message}")


def test_long_paths_in_settings(tmp_path):
    def read(n_lines):
        path = tmp_path / f"{n_lines}.xml"
        path.write_text(f"<X>{ONE.replace('>1.txt<', '>' + n_lines * chr(10) + '1.txt<')}</X>")
        assert read_settings(str(path))[0].peers == {"1": "1.txt"}

    assert growth(read, 1 << 15, FACTOR << 15) < BOUND


def test_bad_lists(refused, write):
    write(**{"pairs.list": "peers/1.txt models/1.A.txt\npeers/1.txt\n", "empty.list": "# nothing\n"})
    assert says(refused("rouge155", "-z", "SPL", "pairs.list"), "... pairs.list, line 2: ... got 'peers/1.txt'")
    assert "at least one line" in refused("rouge155", "-z", "SPL", "empty.list")


def test_recorded_averages_and_intervals(run, shared, tmp_path):
    data = json.loads(gzip.decompress((shared / "oracles/rouge155_sample_tests.json.gz").read_bytes()))
    cases = data[-1]["cases"]
    body = ""
    for case in cases:
        name, system = case["id"].split("|")
        for path, sentences in [("p", case["prediction_sentences"]), *enumerate(case["reference_sentences"])]:
            (tmp_path / f"{name}.{path}").write_text("\n".join(sentences) + "\n")
        models = "".join(f'<M ID="{i}">{name}.{i}</M>' for i in range(len(case["reference_sentences"])))
        body += (
            f'<EVAL ID="{name}"><PEER-ROOT>.</PEER-ROOT><MODEL-ROOT>.</MODEL-ROOT><INPUT-FORMAT TYPE="SPL"/>'
            f'<PEERS><P ID="{system}">{name}.p</P></PEERS><MODELS>{models}</MODELS></EVAL>'
        )
    (tmp_path / "settings.xml").write_text(f"<X>{body}</X>")
    shutil.copytree(shared / "oracles/wordnet-2.0-exceptions", tmp_path / "data/WordNet-2.0-Exceptions")
    shutil.copy(shared / "oracles/rouge155_stopwords.txt", tmp_path / "data/smart_common_words.txt")
    # The release also has older exceptions.
    (tmp_path / "data/WordNet-1.6-Exceptions").mkdir()
    (tmp_path / "data/WordNet-1.6-Exceptions/verb.exc").write_text("killed slay\nsaid speak\nwas exist\n")
    for name, result in data[-1]["results"].items():
        output = printed(run, "settings.xml", "-a", "-e", "data", *result["options"].split())
        for system, averages in result["averages_value_low_high"].items():
            for label, parts in averages.items():
                for part, (value, low, high) in parts.items():
                    line = f"{system} {label} Average_{part}: {value:.5f} (95%-conf.int. {low:.5f} - {high:.5f})\n"
                    assert line in output, name

"""Transcripts with ids in their lines: of sclite and of Kaldi."""

import json

import pytest
import textgauge

from cli.conftest import says

TEXTS = {"spk1-001": "the cat sat", "spk1-002": "a (small) dog barks", "spk2-001": "", "spk2-002": "who knows"}
REFS = {"spk2-002": "who knew", "spk1-002": "a dog barks", "spk1-001": "the cat sat down", "spk2-001": "hm"}
EXPECTED = textgauge.wer([TEXTS[i] for i in TEXTS], [REFS[i] for i in TEXTS])
FORMS = {"trn": "{text} ({i})", "kaldi": "{i} {text}"}


@pytest.fixture(params=["\n", "\r\n"], ids=["lf", "crlf"])
def put(request, write):
    """Write transcripts in a form, in the order in which they come."""

    def call(name, form, texts):
        lines = [FORMS[form].format(i=i, text=text) for i, text in texts.items()]
        return write(name, "".join(f"{line}{request.param}" for line in lines))

    return call


@pytest.mark.parametrize("form", FORMS)
def test_utterances_are_joined(metrics, put, form):
    files = put("hyp", form, TEXTS), "-r", put("ref", form, REFS)
    assert metrics("score", *files, "--format", form, "-m", "wer")["wer"] == EXPECTED
    assert metrics("score", *files, "--format", form, "-m", "wer", "--by-position")["wer"] == textgauge.wer(
        [*TEXTS.values()], [*REFS.values()]
    )


def test_ids_alone_are_empty_texts(metrics, write):
    write("hyp", ["a1", "a2 the cat", "\ta3\t", "a4  two  words "])
    write("ref", ["a2 the cat", "a1 it", "a4 two words", "a3"])
    found = metrics("score", "hyp", "-r", "ref", "--format", "kaldi", "-m", "wer")["wer"]
    assert found == textgauge.wer(["", "the cat", "", "two words"], ["it", "the cat", "", "two words"])
    write("hyp", ["(a1)", "the cat (a2)", " (a3) ", "two words(a4)"])
    write("ref", ["the cat (a2)", "it (a1)", "two words (a4)", "(a3)"])
    assert metrics("score", "hyp", "-r", "ref", "--format", "trn", "-m", "wer")["wer"] == found
    # A single semicolon begins words, and two a comment.
    write("hyp", ["; the cat (a1)", ";; the cat (a1)"])
    write("ref", ["; the cat (a1)"])
    assert metrics("score", "hyp", "-r", "ref", "--format", "trn", "-m", "wer")["wer"]["hits"] == 3


def test_the_suffix_of_sclite_is_known(metrics, write, put):
    put("hyp.trn", "trn", TEXTS)
    # Comments, blank lines, and columns of another format.
    write("ref.trn", [";; hypothesis of 2026", "", *(f"{text}\t({i})  " for i, text in REFS.items())])
    assert metrics("score", "hyp.trn", "-r", "ref.trn", "-m", "wer")["wer"] == EXPECTED
    write("ref.jsonl", [{"id": i, "reference": text} for i, text in REFS.items()])
    assert metrics("score", "hyp.trn", "-r", "ref.jsonl", "-m", "wer")["wer"] == EXPECTED
    write("ref.txt", [REFS[i] for i in TEXTS])
    assert metrics("score", "hyp.trn", "-r", "ref.txt", "-m", "wer")["wer"] == EXPECTED


@pytest.mark.parametrize("form", FORMS)
def test_files_whose_suffix_has_a_format_keep_it(metrics, write, put, form):
    put("ref.txt", form, REFS)
    write("hyp.jsonl", [{"utt_id": i, "prediction": text} for i, text in TEXTS.items()])
    for hyp in ("hyp.jsonl", put("hyp.trn", "trn", TEXTS)):
        assert metrics("score", hyp, "-r", "ref.txt", "--format", form, "-m", "wer")["wer"] == EXPECTED


def test_every_command_that_joins_reads_them(run, put):
    put("a", "kaldi", TEXTS)
    put("b", "kaldi", REFS)
    done = run("compare", "a", "b", "-r", "b", "-m", "wer", "--format", "kaldi", "-n", 9, "--json")
    assert [row["score"] for row in json.loads(done.stdout)["metrics"]["wer"]] == [EXPECTED["wer"], 0]
    assert run("explain", "a", "-r", "b", "-m", "wer", "--format", "kaldi").exit_code == 0


@pytest.mark.parametrize(
    ("form", "line", "words"),
    [
        ("trn", "the cat sat", "... `words (id)` ... got 'the cat sat'"),
        ("trn", "the cat {sat / sits} down (spk-1)", "... `{ a / b }`"),
    ],
)
def test_lines_of_another_form_are_refused(refused, write, form, line, words):
    first = FORMS[form].format(i="spk1-001", text="the cat")
    write("hyp", [first, line])
    write("ref", [first, line])
    message = refused("score", "hyp", "-r", "ref", "--format", form, "-m", "wer")
    assert says(message, f"hyp, line {words}")


CTM = ["spk1 1 0.00 0.35 hello 0.98", "spk1 1 0.35 0.41 world 0.71"]


def test_words_with_times(refused, run, write):
    hint = "(join the words of an utterance into one line, `utt words` for --format kaldi)"
    for name in ("hyp.ctm", "hyp.txt", "hyp"):
        write(name, CTM)
        assert hint in refused("score", name, "-r", name, "-m", "wer")
    write("seconds.txt", ["f 1 0 1 salt", "f A 1 0.5 pepper 0.9"])
    assert hint in refused("score", "seconds.txt", "-r", "seconds.txt", "-m", "wer")
    assert hint in refused("score", "hyp", "-r", "hyp", "-m", "wer", "--format", "kaldi")
    # In whole seconds, a single line may be a sentence.
    write("one.txt", ["part B 2 3 cups"])
    assert run("score", "one.txt", "-r", "one.txt", "-m", "wer", "-b").stdout == "0.0000\n"
    # Who says that it is text is believed.
    assert run("score", "hyp", "-r", "hyp", "-m", "wer", "--format", "text", "-b").stdout == "0.0000\n"


@pytest.mark.parametrize("form", FORMS)
def test_ids_in_plain_text_are_warned_of(run, write, form):
    write("hyp.txt", [FORMS[form].format(i=i, text=text) for i, text in TEXTS.items()])
    write("ref.txt", [*TEXTS.values()])
    done = run("score", "hyp.txt", "-r", "ref.txt", "-m", "wer", "-b")
    end = "ends" if form == "trn" else "begins"
    told = (
        f"textgauge: warning: every line of hyp.txt {end} with an id, which is scored as a word; give --format {form}\n"
    )
    assert done.stderr == told
    assert run("score", "hyp.txt", "-r", "ref.txt", "-m", "wer", "-b", "--format", "text").stderr == ""
    for texts in (["COVID-19 is over", "well-known in 2020 (fig. 2)"], ["see (2)", "and (3)"], ["a-1 b"]):
        for name in ("text.txt", "same.txt"):
            write(name, texts)
        assert run("score", "text.txt", "-r", "same.txt", "-m", "wer", "-b").stderr == ""


def test_transcripts_have_no_columns(refused, put):
    put("hyp.trn", "trn", TEXTS)
    assert refused("score", "hyp.trn", "-m", "wer").startswith(
        "no references: hyp.trn is plain text, which has no column"
    )
    message = refused("score", "hyp.trn", "-r", "hyp.trn", "-m", "wer", "--prediction-field", "x")
    assert message.startswith("--prediction-field has no effect: plain text has no columns")


@pytest.mark.parametrize("form", FORMS)
def test_an_id_twice(refused, metrics, write, form):
    lines = [FORMS[form].format(i=i, text=text) for i, text in (("one", "the cat"), ("two", "a dog"), ("one", "it is"))]
    write("hyp", lines)
    write("ref", lines)
    assert metrics("score", "hyp", "-r", "ref", "--format", form, "-m", "wer")["wer"]["wer"] == 0
    write("ref", [*lines[1:], lines[0]])
    message = refused("score", "hyp", "-r", "ref", "--format", form, "-m", "wer")
    assert message.startswith("hyp, line 1 and hyp, line 3 have the same id 'one', by which rows are joined")

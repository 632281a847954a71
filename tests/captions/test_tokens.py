"""The tokenizers ptb and coco are the tokens that pycocoevalcap gets, text by text."""

import gzip
import hashlib
import importlib.util
import json
import shutil
import subprocess
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kernel.material import few
from textgauge import engine, plain, tokenize
from textgauge.plain import ptb

SHARED = Path(__file__).parents[2] / ".." / "shared"
RECORDED = SHARED / "oracles" / "captions" / "ptb_tokens.json.gz"
FIELD = SHARED / "oracles" / "field" / "ptb_abbreviations.json.gz"
pieces = st.sampled_from(
    ["a", "The", "the", "Mr", "Inc", "U.S", "don't", "s", "'ll", "5", "555", "1/2", "3.5", "é", "É", "ab", "cannot"]
    + list(".,;:!?'\"()[]{}<>-_/\\&#@$%*+=~^|` ") + ["’", "“", "—", "…", "€", "\xa0", "\xad", "&amp;", "½", "\n", "Σ"]
    + ["&apos;", "\x92", "‘", "c'est", "n't", "<b>", "<b x='y' />", "S&P-500", "5.txt", "B.C.", "+44 20", ". . ."]
)  # fmt: skip


def rows_of(name):
    path = SHARED / "data" / name
    if not path.exists():
        pytest.skip(f"no {name} in ../shared/data")
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def jar():
    package = importlib.util.find_spec("pycocoevalcap")
    if package is None or shutil.which("java") is None:
        pytest.skip("needs Java and pycocoevalcap")
    found = [*Path(package.submodule_search_locations[0]).glob("tokenizer/*.jar")]
    if not found:
        pytest.skip("this pycocoevalcap has no jar of CoreNLP")
    return found[0]


def of_the_tool(texts, folder):
    """Stanford's tokens of every text: one with a small letter between two keeps them from each other."""
    file = folder / "texts.txt"
    file.write_text("".join(f"{text}\n\nq\n\n" for text in texts), "utf-8", newline="")
    flags = ["-Dfile.encoding=UTF-8", "-Dstdout.encoding=UTF-8", "-cp", jar(), "edu.stanford.nlp.process.PTBTokenizer"]
    run = subprocess.run(["java", *flags, "-preserveLines", "-lowerCase", file], capture_output=True, check=True)
    lines = run.stdout.decode().split("\n")
    return [line.split(" ") if line else [] for line in lines[0 : 4 * len(texts) : 4]]


@few
@given(st.lists(pieces, max_size=12).map("".join))
def test_kernel_and_twin_agree(text):
    assert tokenize(text, "ptb") == ptb.tokens_ptb(text)
    assert tokenize(text, "coco") == ptb.tokens_coco(text)


@few
@given(st.text())
def test_they_agree_on_any_text(text):
    assert tokenize(text, "ptb") == ptb.tokens_ptb(text)


@pytest.mark.skipif(not RECORDED.exists(), reason="no ../shared/oracles")
def test_tokens_are_the_recorded_ones():
    cases = json.loads(gzip.decompress(RECORDED.read_bytes()))["cases"]
    own = [case for case in cases if "rows" not in case]
    assert len(own) > 100
    for case in own:
        assert tokenize(case["predictions"][0], "ptb") == case["expected"], case["id"]


@pytest.mark.skipif(not FIELD.exists(), reason="no ../shared/oracles")
def test_tokens_behind_abbreviations_are_the_recorded_ones():
    cases = json.loads(gzip.decompress(FIELD.read_bytes()))["cases"]
    found = {case["text"]: (tokenize(case["text"], "ptb"), ptb.tokens_ptb(case["text"])) for case in cases}
    assert found == {case["text"]: (case["tokens"], case["tokens"]) for case in cases}


@pytest.mark.skipif(not RECORDED.exists(), reason="no ../shared/oracles")
def test_tokens_of_rows_are_the_recorded_ones():
    """But for lines whose recorded tokens depend on the next line after all: "I." before "The"."""
    for case in json.loads(gzip.decompress(RECORDED.read_bytes()))["cases"]:
        if "rows" not in case:
            continue
        which = case["rows"]
        rows = rows_of(which["file"])[which["start"] :: which["step"]][: which["count"]]
        found = [hashlib.sha256("\n".join(tokenize(row["prediction"], "ptb")).encode()).hexdigest()[:6] for row in rows]
        (hashes,) = case["expected"].values()
        recorded = [hashes[i : i + 6] for i in range(0, len(hashes), 6)]
        assert len(found) == len(recorded) == which["count"]
        assert [i for i in range(len(found)) if found[i] != recorded[i]] == []


@pytest.mark.slow
def test_all_lines_are_those_of_the_tool(tmp_path):
    texts = [row["prediction"] for row in rows_of("wmt22_to_english_40k.jsonl.gz")]
    texts += [text for row in rows_of("xsum.jsonl.gz") for text in (row["prediction"], row["reference"])]
    assert len(texts) > 62_000
    breaks = str.maketrans(dict.fromkeys("\n\r\v\f\u2028\u2029", " "))
    expected = of_the_tool([text.translate(breaks) for text in texts], tmp_path)
    assert tokenize(texts, "ptb") == expected


def test_texts_are_cut_apart():
    assert tokenize(["He said etc.", "A dog"], "ptb") == tokenize(["He said etc.", "a dog"], "ptb")[:1] + [["a", "dog"]]
    for line_break in "\n\r\v\f\u2028\u2029":
        assert tokenize(f"a{line_break}b", "ptb") == ["a", "b"]


def test_punctuation_is_that_of_pycocoevalcap():
    """It lower-cases first, so that brackets stay, as runs of marks do."""
    assert tokenize("(Yes!), a-b -- 'c' ?! ...", "coco") == ["-lrb-", "yes", "-rrb-", "a-b", "c", "?!"]


def test_beginnings_without_an_end_take_linear_time():
    """Longest matches of tags, addresses and domains are looked for again and again."""
    # The expressions of plain Python have no such bound.
    n_pieces = 2000 if engine.kernel is plain else 100_000
    start = time.process_time()
    for piece in ("<!a ", "a@", "<a b='", "a,", "x.", "(5", "http:"):
        tokenize(piece * n_pieces, "ptb")
    assert time.process_time() - start < 5


def test_unknown_patterns_of_a_lexer():
    if engine.kernel is plain:
        pytest.skip("needs the compiled kernel")
    for pattern in ("(a", "a)", "[a", r"\d", "a{1", "(a)", "a{2"):
        with pytest.raises(ValueError, match="pattern"):
            engine.kernel.Lexer([ptb.Rule(pattern)], {}, [])
    with pytest.raises(ValueError, match="lexer"):
        engine.kernel.Cutter("ptb")

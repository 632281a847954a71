"""Every command that reads plain text refuses subtitles and the files of WMT under any name."""

import pytest
from files.test_marked_up import SGM, SRT, VTT, WMT

FORMS = {"srt": SRT, "vtt": VTT, "sgm": SGM, "wmt": WMT}
COMMANDS = {
    "score": "score a.txt -r b.txt -m wer",
    "compare": "compare a.txt b.txt -r b.txt -m wer -n 9",
    "references": "compare b.txt b.txt -r a.txt -m wer -n 9",
    "explain": "explain a.txt -r b.txt -m wer -o page.html",
    "diversity": "diversity a.txt",
    "agree": "agree a.txt --human x -m wer",
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("command", COMMANDS)
def test_marked_up_texts_are_refused(run, write, tmp_path, command, form):
    (tmp_path / "a.txt").write_text(FORMS[form])
    write("b.txt", ["a line"] * FORMS[form].count("\n"))
    done = run(*COMMANDS[command].split())
    assert done.exit_code == 2
    # Agreement needs columns, which no text has.
    said = "plain text" if command == "agree" else f"--format {form} reads its texts"
    assert said in done.stderr, done.stderr
    assert not (tmp_path / "page.html").exists()

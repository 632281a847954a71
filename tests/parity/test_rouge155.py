"""Equal to the recorded figures of the ROUGE-1.5.5 script, within their five decimals."""

import gzip
import json
from functools import cache

import pytest
import textgauge
from conftest import ROOT

TOLERANCE = 1.1e-5
PARTS = ("recall", "precision", "fmeasure")
pytestmark = pytest.mark.filterwarnings("ignore:.*not empty but")


def type_of(label):
    return label.replace("ROUGE-", "rouge").replace("*", "")


def figures(predictions, references, types, **options):
    """Recall, precision and F by type, each a list over segments or a number."""
    found = textgauge.rouge(
        predictions, references, preset="rouge-1.5.5", rouge_types=[type_of(t) for t in types], detailed=True, **options
    )
    return {t: [found[type_of(t)][part] for part in PARTS] for t in types}


def same(found, expected):
    return all(abs(a - b) <= TOLERANCE for a, b in zip(found, expected, strict=True))


def joined(sentences):
    return "\n".join(sentences)


@cache
def recorded(path):
    content = path.read_bytes()
    return json.loads(gzip.decompress(content) if path.suffix == ".gz" else content)


def differing(cases, name, options, expected_of):
    """All figures of a set of options that are not those recorded; the number of all."""
    differ, n_figures = [], 0
    for case in cases:
        expected = expected_of(case)
        references = [[joined(sentences) for sentences in case["references"]]]
        found = figures([joined(case["predictions"])], references, expected, use_aggregator=False, **options)
        for label, figure in expected.items():
            n_figures += 3
            if not same([part[0] for part in found[label]], figure):
                differ.append((name, case["id"], label))
    return differ, n_figures


def named(options, shared=None):
    """Our options for the neutral ones of the records."""
    ours = {"multi_reference": {"A": "pooled", "B": "best"}[options["formula"]], "alpha": options["alpha"]}
    if options["limit_words"]:
        ours["max_words"] = options["limit_words"]
    if options["limit_bytes"]:
        ours["max_bytes"] = options["limit_bytes"]
    if options.get("stem"):
        ours |= {"use_stemmer": True, "exceptions": shared / "oracles/wordnet-2.0-exceptions"}
    if options.get("remove_stopwords"):
        ours["stopwords"] = shared / "oracles/rouge155_stopwords.txt"
    return ours


def test_own_texts():
    data = recorded(ROOT / "tests/data/rouge155_own.json")
    for name, options in data["option_sets"].items():
        cases = [case for case in data["cases"] if name in case["expected"]]
        differ, n_figures = differing(cases, name, named(options), lambda case, name=name: case["expected"][name])
        assert n_figures > 500
        assert differ == []


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:predictions and references differ in")
@pytest.mark.parametrize("file", ["rouge155_own", "rouge155_jackknife"])
def test_more_recorded_texts(shared, file):
    path = shared / f"oracles/more/{file}.json.gz"
    if not path.is_file():
        pytest.skip("the further recorded figures are not beside the project")
    data = recorded(path)
    jackknife = file.endswith("jackknife")
    for name, options in data["option_sets"].items():

        def expected_of(case, name=name):
            found = case["expected"].get(name, {})
            figures = {t: f.get("mean") if isinstance(f, dict) else f for t, f in found.items()}
            return {t: f for t, f in figures.items() if isinstance(f, list)}

        options = named(options, shared) | {"jackknife": jackknife}
        differ, n_figures = differing([c for c in data["cases"] if expected_of(c)], name, options, expected_of)
        assert n_figures > 500
        assert differ == []


def perl_options(line, shared):
    """Our options for a command line of the script."""
    ours, arguments = {}, iter(line.split())
    for argument in arguments:
        if argument == "-m":
            ours |= {"use_stemmer": True, "exceptions": shared / "oracles/wordnet-2.0-exceptions"}
        elif argument == "-s":
            ours["stopwords"] = shared / "oracles/rouge155_stopwords.txt"
        elif argument != "-U":
            value = next(arguments)
            ours |= {
                "-l": lambda v: {"max_words": int(v)},
                "-b": lambda v: {"max_bytes": int(v)},
                "-f": lambda v: {"multi_reference": {"A": "pooled", "B": "best"}[v]},
                "-p": lambda v: {"alpha": float(v)},
            }.get(argument, lambda _: {})(value)
    return ours


@pytest.mark.slow
@pytest.mark.parametrize("name", ["rouge155_sample_tests", "rouge155_real"])
def test_all_recorded_figures_and_averages(shared, name):
    data = recorded(shared / f"oracles/{name}.json.gz")
    n_figures = 0
    for part in data if isinstance(data, list) else [data]:
        for result in part["results"].values():
            n_figures += check(part["cases"], result, perl_options(result["options"], shared))
    assert n_figures > 10_000


def check(cases, result, options):
    """Hold one set of options to its record; cases are sorted as the script sorts them before it draws."""
    cases = sorted(cases, key=lambda case: case["id"].replace("|", "."))
    predictions = [joined(case["prediction_sentences"]) for case in cases]
    references = [[joined(sentences) for sentences in case["reference_sentences"]] for case in cases]
    types = list(result["per_evaluation_R_P_F"])
    is_per_token = "-t 1" in result["options"]
    n_figures = 0
    if not is_per_token:
        found = figures(predictions, references, types, use_aggregator=False, **options)
        for label, expected in result["per_evaluation_R_P_F"].items():
            for i, case in enumerate(cases):
                assert same([part[i] for part in found[label]], expected[case["id"]]), (label, case["id"])
            n_figures += 3 * len(cases)
    if is_per_token:
        options = options | {"aggregator": "rouge-1.5.5-per-token"}
    for peer, averages in result["averages_value_low_high"].items():
        rows = [i for i, case in enumerate(cases) if case["id"].split("|")[1] == peer]
        found = figures([predictions[i] for i in rows], [references[i] for i in rows], types, **options)
        for label in types:
            assert same(found[label], [averages[label][part][0] for part in "RPF"]), (peer, label)
    return n_figures

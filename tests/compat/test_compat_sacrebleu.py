"""The drop-in import of sacreBLEU against it: numbers and their types, text, signatures, errors, warnings."""

import gzip
import inspect
import json
import logging
import pickle
import subprocess
import sys
import warnings
from functools import partial
from importlib import import_module

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from quick import examples
from strategies import assigned_corpora, segment
from textgauge.compat import sacrebleu
from textgauge.input import columns

theirs = pytest.importorskip("sacrebleu")
slow = settings(max_examples=examples(60))

OPTIONS = {
    "BLEU": {
        "lowercase": st.booleans(),
        "tokenize": st.sampled_from(["13a", "none", "char", "intl", "zh"]),
        "smooth_method": st.sampled_from(["exp", "none", "floor", "add-k"]),
        "smooth_value": st.sampled_from([None, 0, 0.1, 1, 2.5]),
        "max_ngram_order": st.integers(1, 6),
        "effective_order": st.booleans(),
    },
    "CHRF": {
        "char_order": st.integers(1, 8),
        "word_order": st.integers(0, 3),
        "beta": st.sampled_from([-1, 0, 1, 2, 2.5]),
        **dict.fromkeys(["lowercase", "whitespace", "eps_smoothing"], st.booleans()),
    },
    "TER": dict.fromkeys(["normalized", "no_punct", "asian_support", "case_sensitive"], st.booleans()),
}
NAMES = sorted(OPTIONS)


def both(name, **options):
    return [getattr(kind, name)(**options) for kind in (sacrebleu, theirs)]


def outcome(call):
    """All that a score has, to the last bit, or its error."""
    try:
        score = call()
    except Exception as error:
        return type(error), str(error)
    as_json = score.format(is_json=True, signature="a:b|c:d", width=3)
    return type(score), str(score), as_json, repr(vars(score))


def same(metrics, method, *texts, **options):
    found, expected = (outcome(partial(getattr(one, method), *texts, **options)) for one in metrics)
    assert found == expected
    signatures = [[str(one.get_signature()), one.get_signature().format(short=True)] for one in metrics]
    assert signatures[0] == signatures[1]


@pytest.mark.parametrize("name", NAMES)
@slow
@given(data=st.data(), hypothesis=segment, references=st.lists(segment, min_size=1, max_size=3))
def test_a_text(name, data, hypothesis, references):
    options = data.draw(st.fixed_dictionaries({}, optional=OPTIONS[name]))
    same(both(name, **options), "sentence_score", hypothesis, references)


def streams(corpus):
    """References as sacreBLEU takes them: one list per reference, None where a segment has fewer."""
    most = max(len(references) for _, references in corpus)
    return [[(*references, *[None] * most)[i] for _, references in corpus] for i in range(most)]


@pytest.mark.parametrize("name", NAMES)
@slow
@given(data=st.data(), corpus=assigned_corpora, n_bootstrap=st.sampled_from([1, 1, 30]), cached=st.booleans())
def test_a_corpus(name, data, corpus, n_bootstrap, cached):
    options = data.draw(st.fixed_dictionaries({}, optional=OPTIONS[name]))
    hypotheses, references = [text for text, _ in corpus], streams(corpus)
    metrics = both(name, **options, **({"references": references} if cached else {}))
    same(metrics, "corpus_score", hypotheses, None if cached else references, n_bootstrap=n_bootstrap)


def rows_of(shared, pair, system, *references, n):
    paths = (shared / f"data/wmt22/{pair}.{name}.txt.gz" for name in (system, *references))
    hypotheses, *references = (gzip.decompress(path.read_bytes()).decode().split("\n")[:n] for path in paths)
    return hypotheses, references


@pytest.mark.parametrize("n", [12, pytest.param(2000, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("name", "options", "texts"),
    [
        ("BLEU", {"effective_order": True}, ("de-en", "Online-A", "refA", "refB")),
        ("BLEU", {"tokenize": "zh", "effective_order": True}, ("en-zh", "Online-A", "refA", "refB")),
        ("BLEU", {"tokenize": "intl", "lowercase": True, "effective_order": True}, ("de-en", "PROMT", "refA")),
        ("CHRF", {}, ("en-ja", "Online-A", "refA")),
        ("CHRF", {"word_order": 2}, ("de-en", "Online-A", "refA", "refB")),
        ("TER", {}, ("de-en", "Online-A", "refA", "refB")),
        ("TER", {"normalized": True, "asian_support": True}, ("en-zh", "Online-A", "refA")),
    ],
)
def test_real_texts(shared, name, options, texts, n):
    # TER of sacreBLEU takes 50 ms a line.
    hypotheses, references = rows_of(shared, *texts, n=min(n, 300) if name == "TER" else n)
    metrics = both(name, **options)
    same(metrics, "corpus_score", hypotheses, references, n_bootstrap=100)
    for hypothesis, *given_references in zip(hypotheses[:200], *references, strict=False):
        same(metrics, "sentence_score", hypothesis, given_references)


def test_significance_of_real_texts(shared):
    systems = [(name, rows_of(shared, "de-en", name, "refA", n=12)[0]) for name in ("PROMT", "Online-A", "LT22")]
    references = rows_of(shared, "de-en", "PROMT", "refA", "refB", n=12)[1]
    for test in ("bs", "ar"):
        found = []
        for kind in (sacrebleu, theirs):
            metrics = {name: getattr(kind, name)(references=references) for name in NAMES}
            signatures, scores = kind.significance.PairedTest(systems, metrics, None, test, 50)()
            found.append((str(signatures), str(scores)))
        assert found[0] == found[1]


FUNCTIONS = {
    "corpus_bleu": ("add-k", 0.5, True, True, "intl", True),
    "raw_corpus_bleu": (0.5,),
    "sentence_bleu": ("floor", 0.5, True, "char", False),
    "corpus_chrf": (4, 2, 3, False, True),
    "sentence_chrf": (4, 2, 3, False, True),
    "corpus_ter": (True, True, True, True),
    "sentence_ter": (True, True, True, True),
}


@pytest.mark.parametrize("name", FUNCTIONS)
@settings(max_examples=examples(15))
@given(corpus=assigned_corpora)
def test_a_function(name, corpus):
    texts = corpus[0] if name.startswith("sentence") else ([text for text, _ in corpus], streams(corpus))
    for options in ((), FUNCTIONS[name]):
        calls = (partial(getattr(kind, name), *texts, *options) for kind in (sacrebleu, theirs))
        found, expected = map(outcome, calls)
        assert found == expected


def test_functions_and_metrics_count_in_our_kernel(monkeypatch):
    def refused(*args):
        raise AssertionError("the original counted")

    for kind in (theirs.BLEU, theirs.CHRF, theirs.TER):
        monkeypatch.setattr(kind, "_extract_reference_info", refused)
    for name in FUNCTIONS:
        getattr(sacrebleu, name)(*(("a b", ["a b"]) if name.startswith("sentence") else (["a b"], [["a b"]])))
    for name in NAMES:
        getattr(sacrebleu, name)(references=[["a b"]]).corpus_score(["a b"], None)


@pytest.mark.filterwarnings("ignore:.*, as in sacreBLEU")
@pytest.mark.parametrize("name", NAMES)
def test_surrogates_and_surplus_segments(name):
    texts = ["a \ud800b c\udc00 d e", ["a \ud800b c\udc01 d e", "\udfff"]]
    for options in ({}, {"tokenize": "intl"}, {"tokenize": "char"}) if name == "BLEU" else ({},):
        same(both(name, **options), "sentence_score", *texts)
        same(both(name, **options), "corpus_score", [texts[0], "a"], [[text, "a"] for text in texts[1]])
    same(both(name), "corpus_score", ["a b c d", "x"], [["a b c d"]])
    same(both(name), "corpus_score", ["a b c d"], [["a b c d", "y"], ["z z", "z"]])


class Words:
    """A tokenizer of a user's."""

    def __call__(self, text):
        return text.replace("-", " ")

    def signature(self):
        return "words"


def test_a_users_tokenizer_is_used():
    for name in ("BLEU", "TER"):
        metrics = both(name)
        for metric in metrics:
            metric.tokenizer = Words()
        same(metrics, "sentence_score", "a-b-c d e", ["a b-c d x"])
        same(metrics, "corpus_score", ["a-b-c d e"], [["a b-c d x"]])


def test_steps_of_a_derived_class_are_used():
    metrics = []
    for base in (sacrebleu.CHRF, theirs.CHRF):

        class Vowels(base):
            def _preprocess_segment(self, sent):
                return "".join(letter for letter in super()._preprocess_segment(sent) if letter in "aeiou")

        metrics.append(Vowels(references=[["a cat sat"]]))
    same(metrics, "corpus_score", ["the cats sit"], None)


def test_options_changed_afterwards_are_used():
    metrics = both("BLEU")
    for metric in metrics:
        metric.sentence_score("A b", ["a b"])
        metric.lowercase, metric.max_ngram_order = True, 2
    same(metrics, "sentence_score", "A b", ["a b"])


def test_every_option_of_the_originals_is_known():
    """A new option of sacreBLEU may change the counts: here, and then in `_accumulator`."""
    others = {"BLEU": {"force", "trg_lang"}, "CHRF": set(), "TER": set()}
    for name in NAMES:
        options = {*inspect.signature(getattr(theirs, name)).parameters}
        assert options == {*OPTIONS[name], "references", *others[name]}


@pytest.mark.parametrize(
    ("options", "call"),
    [
        ({}, lambda metric: metric.sentence_score("a b", ["a b"])),
        ({}, lambda metric: metric.corpus_score(["a ."] * 100, [["a ."] * 100])),
        ({}, lambda metric: metric.corpus_score(["a ."] * 99, [["a ."] * 99])),
        ({"force": True}, lambda metric: metric.corpus_score(["a ."] * 100, [["a ."] * 100])),
        ({"trg_lang": "zh", "tokenize": "13a"}, lambda metric: None),
    ],
)
def test_the_same_warnings_on_the_same_logger(options, call, monkeypatch):
    said, handler, logger = [], logging.Handler(logging.WARNING), logging.getLogger("sacrebleu")
    handler.emit = lambda record: said[-1].append((record.name, record.getMessage()))
    monkeypatch.setattr(logger, "handlers", [handler])
    level = logger.level
    logger.setLevel(logging.WARNING)
    try:
        for kind in (sacrebleu, theirs):
            said.append([])
            call(kind.BLEU(**options))
    finally:
        logger.setLevel(level)
    assert said[0] == said[1]


BAD = [
    ("sentence_score", (1, ["a"])), ("sentence_score", ("a", "a")), ("sentence_score", ("a", 5)),
    ("sentence_score", ("a", [5])), ("sentence_score", ("a", ["a", 5])), ("sentence_score", ("a", [])),
    ("sentence_score", ("a", [None])), ("corpus_score", (5, [["a"]])), ("corpus_score", ([5], [["a"]])),
    ("corpus_score", (["a", 5], [["a", "b"]])), ("corpus_score", (["a", None], [["a", "b"]])),
    ("corpus_score", ([], [["a"]])), ("corpus_score", (["a"], 5)), ("corpus_score", (["a"], [[5]])),
    ("corpus_score", (["a", "b"], [["a", 5]])), ("corpus_score", (["a", "b"], [["a", None]])),
    ("corpus_score", (["a"], [[]])), ("corpus_score", (["a"], None)),
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("method", "texts"), BAD)
def test_bad_arguments(name, method, texts):
    found, expected = (outcome(partial(getattr(one, method), *texts)) for one in both(name))
    assert found == expected


@pytest.mark.parametrize("name", NAMES)
def test_pickled_metric(name):
    metrics = pickle.loads(pickle.dumps(both(name, references=[["the cat sat on a mat"]])))
    same(metrics, "corpus_score", ["the cat sat on the mat"], None)


def test_it_is_the_original():
    assert all(issubclass(getattr(sacrebleu, name), getattr(theirs, name)) for name in NAMES)
    assert all(sacrebleu.metrics.METRICS[name] is getattr(sacrebleu, name) for name in NAMES)
    for name in ("__version__", "utils", "significance", "DATASETS", "extract_word_ngrams"):
        assert getattr(sacrebleu, name) is getattr(theirs, name)
    from textgauge.compat.sacrebleu.significance import PairedTest
    from textgauge.compat.sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

    assert PairedTest is theirs.significance.PairedTest
    assert type(sacrebleu.BLEU().tokenizer) is Tokenizer13a


@pytest.mark.parametrize(
    ("module", "name"), [("bleu", "MAX_NGRAM_ORDER"), ("chrf", "extract_word_ngrams"), ("ter", "translation_edit_rate")]
)
def test_names_of_modules(module, name):
    ours, original = (import_module(f"{package}.metrics.{module}") for package in (sacrebleu.__name__, "sacrebleu"))
    assert getattr(ours, name) is getattr(original, name)
    with pytest.raises(AttributeError, match=f"'sacrebleu.metrics.{module}' has no attribute 'nothing'"):
        _ = ours.nothing


@pytest.mark.parametrize("seed", ["7", "none"])
def test_seed_from_environment(monkeypatch, seed):
    monkeypatch.setenv("SACREBLEU_SEED", seed)
    metric = sacrebleu.BLEU()
    metric.corpus_score(["the cat sat", "a dog barks"], [["the cat sat down", "dogs bark"]], n_bootstrap=50)
    assert f"bs:50|seed:{seed}" in str(metric.get_signature())


@pytest.mark.parametrize("name", NAMES)
def test_numbers_are_plain(name):
    json.dumps({**vars(getattr(sacrebleu, name)().corpus_score(["a b"], [["a c"]]))})
    assert {type(n) for n in getattr(sacrebleu, name)()._extract_corpus_statistics(["a"], [["a"]])[0]} <= {int, float}


MOVED = """
import sacrebleu
import sacrebleu.{module} as module
{change}
import textgauge.compat.sacrebleu
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("module", "change", "lacks"),
    [
        ("metrics.base", "del module.Metric._cache_references", "_cache_references"),
        ("metrics.base", "del module.Metric._extract_corpus_statistics", "_extract_corpus_statistics"),
        (
            "metrics.ter",
            "del module.TER._preprocess_segment; del module.Metric._preprocess_segment",
            "_preprocess_segment",
        ),
        ("metrics.bleu", "del module.BLEUSignature", "BLEUSignature"),
        ("metrics", "del module.METRICS", "METRICS"),
        ("metrics.base", "module.Metric.__init__ = lambda self: None", "_ref_cache"),
        ("compat", "import sys; del module.corpus_ter; sys.modules['sacrebleu.compat'] = None", "sacrebleu.compat"),
    ],
)
def test_moved_inner_names(module, change, lacks):
    done = subprocess.run(
        [sys.executable, "-c", MOVED.format(module=module, change=change)], capture_output=True, text=True
    )
    said = done.stderr.splitlines()[-1]
    assert said.startswith(
        f"ImportError: sacrebleu {theirs.__version__} lacks what textgauge.compat.sacrebleu replaces ("
    )
    assert lacks in said
    assert 'pip install "sacrebleu>=2.4,<2.7", or import sacrebleu itself' in said


@pytest.mark.slow
def test_command_line_of_sacrebleu(tmp_path):
    for name, text in (("ref.txt", "the cat is on the mat\n"), ("hyp.txt", "the cat sat on the mat\n")):
        (tmp_path / name).write_text(text)
    options = ["ref.txt", "-i", "hyp.txt", "-m", "bleu", "chrf", "ter"]
    ours, original = (
        subprocess.run([sys.executable, "-m", name, *options], cwd=tmp_path, capture_output=True, text=True)
        for name in (sacrebleu.__name__, "sacrebleu")
    )
    assert (ours.stdout, ours.returncode) == (original.stdout, 0)
    program = sacrebleu.imported_here("sacrebleu")
    assert program.METRICS["BLEU"] is sacrebleu.BLEU
    assert program.DATASETS is theirs.DATASETS


def test_references_of_another_number_than_hypotheses_are_told():
    """A list for each segment in the place of a list for each set of references: the number is sacreBLEU's."""
    hypotheses = ["the cat sat on the mat", "dogs ran home fast today", "we ate old bread"]
    of_segments = [["the cat sat on the mat"], ["the dogs ran off at once"], ["they drank some tea"]]
    for name in ("corpus_bleu", "corpus_chrf", "corpus_ter"):
        with pytest.warns(UserWarning, match=r"^1 of 3 hypotheses are scored, as in sacreBLEU, since there are .* 1: "):
            ours = getattr(sacrebleu, name)(hypotheses, of_segments)
        assert ours.score == getattr(theirs, name)(hypotheses, of_segments).score
    for name in ("BLEU", "CHRF", "TER"):
        with pytest.warns(UserWarning, match="^1 of 3 hypotheses are scored"):
            getattr(sacrebleu, name)().corpus_score(hypotheses, of_segments)


FLAT = "references are a list of strings, of which each character is scored as a reference, as in sacreBLEU"
SETS = ["the cat sat on a mat", "dogs ran home", "it rains"]
FORMS = {
    # What sacreBLEU scores without a word: the message, or None for what is as it should be.
    "right": (SETS, [SETS, SETS], None),
    "None where there is none": (SETS, [SETS, [None, "x", None]], None),
    "flat": (SETS, ["the cat sat on the mat", "a dog ran home", "it snows"], FLAT),
    "flat, with as many characters as hypotheses": (SETS, ["abc", "abd"], FLAT),
    "one flat": (SETS[:1], ["the cat sat on the mat"], FLAT),
    "a string": (SETS, "abc", FLAT),
    "one set shorter": (SETS[:2], [SETS, SETS[:2]], "lists of references have 3 and 2 texts, of which the first 2 are"),
    "too many": (SETS[:2], [SETS], "references for 3 segments are cut to the first 2, as in sacreBLEU, for so many"),
    "too few": (SETS, [SETS[:2]], "2 of 3 hypotheses are scored, as in sacreBLEU, since there are references for 2"),
    "one hypothesis": ("ab", [["a", "b"]], "hypotheses are a string, of which each character is scored as a hypo"),
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", ["BLEU", "CHRF", "TER"])
def test_forms_that_sacrebleu_misreads_are_told_once(form, name):
    hypotheses, references, message = FORMS[form]

    def classes(module):
        return getattr(module, name)().corpus_score(hypotheses, references)

    def functions(module):
        return getattr(module, f"corpus_{name.lower()}")(hypotheses, references)

    def with_cache(module):
        return getattr(module, name)(references=references).corpus_score(hypotheses, None)

    for call in (classes, functions, with_cache):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            found = call(sacrebleu)
        told = [str(one.message) for one in caught if one.category is UserWarning]
        assert [text[: len(message or "")] for text in told] == ([message] if message else [])
        assert found.score == call(theirs).score


@pytest.mark.parametrize("name", NAMES)
def test_a_long_corpus_is_counted_in_pieces(name, monkeypatch):
    texts = ["a b c d", "a b d", "c d a b"], [["a b c d e", "b a d", "c a b"]]
    ours, official = both(name)
    monkeypatch.setattr(columns.Corpus, "chunks", lambda self, **_: (self.slice(i, i + 1) for i in range(len(self))))
    assert ours.corpus_score(*texts).score == official.corpus_score(*texts).score

"""Every option of `compute` of the Hub's modules: accepted, with its default and the effect that it has there.

The names, the defaults and the keys are those of huggingface/evaluate at a7dd338, the newest of April 2026.
"""

import inspect
import statistics
from functools import cache

import pytest
import textgauge
from textgauge.locations import MODULES
from tiny_models import OF_METRICS, save_for

HYPS = ["The cat sat on a mat , 5 dogs", "it rains Today again and again", "一只 猫 坐"]
REFS = [["the cat is on the mat, 7 dogs"], ["It rains again today and later"], ["一只猫 坐下"]]
SOURCES = ["le chat", "il pleut", "un chat"]
# Answers, a question that has none, and predictions of it.
ANSWERS = {
    "predictions": [{"prediction_text": "a cat", "id": "1"}, {"prediction_text": "x", "id": "2"}],
    "references": [
        {"answers": {"text": ["the cat"], "answer_start": [0]}, "id": "1"},
        {"answers": {"text": ["x"], "answer_start": [0]}, "id": "2"},
    ],
}
MAYBE = {
    "predictions": [{**row, "no_answer_probability": 0.4} for row in ANSWERS["predictions"]],
    "references": [ANSWERS["references"][0], {"answers": {"text": [], "answer_start": []}, "id": "2"}],
}
SACREBLEU = ("score", "counts", "totals", "precisions", "bp", "sys_len", "ref_len")
BLEU = ("bleu", "precisions", "brevity_penalty", "length_ratio", "translation_length", "reference_length")
SAME = object()  # of an option that changes no score on the Hub
# For each module: the keys of its result, None for a number; for each option its default, and another value or `SAME`
# with one; what is given beside it.
HUB = {
    "bertscore": (("precision", "recall", "f1", "hashcode"), {
        "lang": (None, SAME, "en"), "num_layers": (None, 1), "verbose": (False, SAME, True),
        "idf": (False, True), "device": (None, SAME, "cpu"), "batch_size": (64, SAME, 1), "nthreads": (4, SAME, 4),
        "all_layers": (False, SAME, False), "rescale_with_baseline": (False, True), "baseline_path": (None, SAME, None),
        "use_fast_tokenizer": (False, SAME, True),
    }),
    "bleu": (BLEU, {"tokenizer": ("13a", str.split), "max_order": (4, 2), "smooth": (False, True)}),
    "cer": (None, {"concatenate_texts": (False, SAME, True)}),
    "character": (("cer_score",), {"aggregate": ("mean", "sum"), "return_all_scores": (False, True)}),
    "charcut_mt": (("charcut_mt",), {}),
    "chrf": (("score", "char_order", "word_order", "beta"), {
        "char_order": (6, 4), "word_order": (0, 2), "beta": (2, 1.5), "lowercase": (False, True),
        "whitespace": (False, True), "eps_smoothing": (False, True),
    }),
    "comet": (("mean_score", "scores"), {"gpus": (None, SAME, 0), "progress_bar": (False, SAME, True)}),
    "competition_math": (("accuracy",), {}),
    "exact_match": (("exact_match",), {
        "regexes_to_ignore": (None, [r"\bthe \b", "[A-Z]"]), "ignore_case": (False, True),
        "ignore_punctuation": (False, True), "ignore_numbers": (False, True),
    }),
    "frugalscore": (("scores",), {
        "batch_size": (32, SAME, 1), "max_length": (128, 6), "device": (None, SAME, "cpu"),
    }),
    "google_bleu": (("google_bleu",), {"tokenizer": ("13a", str.split), "min_len": (1, 2), "max_len": (4, 2)}),
    "meteor": (("meteor",), {"alpha": (0.9, 0.5), "beta": (3, 1), "gamma": (0.5, 0.1)}),
    "nist_mt": (("nist_mt",), {"n": (5, 1), "lowercase": (False, True), "western_lang": (True, False)}),
    "perplexity": (("perplexities", "mean_perplexity"), {
        "batch_size": (16, SAME, 1), "add_start_token": (True, False), "device": (None, SAME, "cpu"),
        "max_length": (None, 3),
    }),
    "rouge": (("rouge1", "rouge2", "rougeL", "rougeLsum"), {
        "rouge_types": (None, ["rouge1", "rougeL"]), "use_aggregator": (True, False), "use_stemmer": (False, True),
        "tokenizer": (None, str.split),
    }),
    "sacrebleu": (SACREBLEU, {
        "smooth_method": ("exp", "floor"), "smooth_value": (None, 0.5), "force": (False, SAME, True),
        "lowercase": (False, True), "tokenize": (None, "char"), "use_effective_order": (False, True),
    }),
    "sari": (("sari",), {}),
    "squad": (("exact_match", "f1"), {}),
    "squad_v2": ((
        "exact", "f1", "total", "HasAns_exact", "HasAns_f1", "HasAns_total", "NoAns_exact", "NoAns_f1", "NoAns_total",
        "best_exact", "best_exact_thresh", "best_f1", "best_f1_thresh",
    ), {"no_answer_threshold": (1.0, 0.3)}),
    "ter": (("score", "num_edits", "ref_length"), {
        "normalized": (False, True), "ignore_punct": (False, True), "support_zh_ja_chars": (False, True),
        "case_sensitive": (False, True),
    }),
    "wer": (None, {"concatenate_texts": (False, SAME, True)}),
    "wiki_split": (("sari", "sacrebleu", "exact"), {}),
}  # fmt: skip
# What an option needs to have an effect.
BESIDE = {
    ("sacrebleu", "smooth_value"): {"smooth_method": "floor"},
    ("sacrebleu", "use_effective_order"): {"predictions": ["a b"], "references": ["a b"]},
    ("sacrebleu", "smooth_method"): {"predictions": ["a b c d"], "references": ["a b e d"]},
    ("chrf", "eps_smoothing"): {"predictions": ["ab"], "references": ["abcdefgh"]},
    ("ter", "support_zh_ja_chars"): {"normalized": True},
    ("exact_match", "regexes_to_ignore"): {"predictions": ["the Cat"], "references": ["at"]},
    ("exact_match", "ignore_case"): {"predictions": ["A"], "references": ["a"]},
    ("exact_match", "ignore_punctuation"): {"predictions": ["a."], "references": ["a"]},
    ("exact_match", "ignore_numbers"): {"predictions": ["a1"], "references": ["a"]},
    ("meteor", "alpha"): {"predictions": ["the cat sat"], "references": ["the cat sat on it"]},
    ("nist_mt", "n"): {"predictions": ["a b c a b"], "references": ["a b c b a"]},
    ("rouge", "use_stemmer"): {"predictions": ["cats sleep"], "references": ["the cat sleeps"]},
}  # fmt: skip


@pytest.fixture(scope="module")
def given(tmp_path_factory):
    """Return what a call of a module needs beside an option: columns, and a tiny model."""
    models = {}

    def of(name):
        options = {"predictions": HYPS, "references": REFS}
        if name in ("comet", "sari", "wiki_split"):
            options["sources"] = SOURCES
        options = {"squad": ANSWERS, "squad_v2": MAYBE}.get(name, options)
        if name in OF_METRICS:
            if name not in models:
                folder = tmp_path_factory.mktemp(name)
                named = save_for(name, folder)
                models[name] = {**named, "model_id": str(folder / named["model_id"])}
            options = {**options, **models[name]}
        if name == "bertscore":
            options["model_type"] = options.pop("model_id")
        if name == "perplexity":
            options = {key: value for key, value in options.items() if key != "references"}
            options["predictions"] = ["the cat sat", "a dog"]
        return options

    return of


loaded = cache(textgauge.load)


def computed(name, options):
    return loaded(name).compute(**options)


CASES = [(name, option) for name, (_, options) in HUB.items() for option in options]


def test_modules_of_the_hub_are_ours():
    assert {*HUB} <= {*MODULES}


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("name", HUB)
def test_keys_are_those_of_the_hub(given, name):
    keys, options = HUB[name]
    result = computed(name, given(name))
    if keys is None:
        assert type(result) is float
    else:
        assert [key for key in result if key in keys] == [*keys]
        # Ours has more of perplexity.
        assert name == "perplexity" or len(result) == len(keys)
    names = inspect.signature(textgauge.load(name)._compute).parameters
    assert {*options} <= {*names}


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(("name", "option"), CASES)
def test_an_option_has_its_effect(given, name, option, tmp_path):
    default, *others = HUB[name][1][option]
    options = {**given(name), **BESIDE.get((name, option), {})}
    if (name, option) == ("bertscore", "num_layers"):
        # The default is that of a known model, which a tiny one is not.
        default = options[option]
    if option == "rescale_with_baseline":
        path = tmp_path / "baseline.tsv"
        path.write_text("LAYER,P,R,F\n0,0,0,0\n1,0.1,0.1,0.1\n2,0.3,0.2,0.25\n")
        plain, options["baseline_path"] = computed(name, options), str(path)
    else:
        plain = computed(name, options)
        assert computed(name, {**options, option: default}) == plain
    columns = {key: options.pop(key) for key in ("predictions", "references", "sources") if key in options}
    changed = textgauge.load(name, **{**options, option: others[-1]}).compute(**columns)
    if name not in OF_METRICS:
        assert changed == computed(name, {**options, **columns, option: others[-1]})
    if isinstance(changed, dict) and option in changed:
        assert (plain[option], changed[option]) == (default, others[-1])
    if others[0] is SAME:
        # The numbers of a model vary in the last bits with the size of batches.
        assert rounded(changed) == rounded(plain)
    else:
        assert changed != plain


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("name", sorted({*HUB} - {*OF_METRICS}))
def test_options_of_ours_are_given_to_each_call_or_at_load(given, name):
    columns = {key: of for key, of in given(name).items() if key in ("predictions", "references", "sources")}
    others = {key: of for key, of in given(name).items() if key not in columns}
    ours = inspect.signature(loaded(name)._compute).parameters.keys() & {"per_segment", "signature", "detailed"}
    # One module has no options at all.
    assert ours or not HUB[name][1]
    for option in ours:
        at_load = textgauge.load(name, **others, **{option: True}).compute(**columns)
        assert repr(at_load) == repr(computed(name, {**columns, **others, option: True}))


@pytest.mark.parametrize("n", [2, 3])
@pytest.mark.parametrize("aggregate", [sum, statistics.mean, statistics.median])
def test_aggregates_of_character(aggregate, n):
    hyps, refs = HYPS[:n], REFS[:n]
    scores = textgauge.segment_scores("character", hyps, refs).tolist()
    found = textgauge.load("character").compute(predictions=hyps, references=refs, aggregate=aggregate.__name__)
    assert found == {"cer_score": pytest.approx(aggregate(scores), rel=1e-15)}


def rounded(result):
    """Return a result with 4 digits of each number."""
    if isinstance(result, dict):
        return {key: rounded(value) for key, value in result.items() if key != "hashcode"}
    if isinstance(result, list):
        return [*map(rounded, result)]
    return float(f"{result:.4g}")


@pytest.mark.parametrize(
    ("name", "options", "official"),
    [
        ("sacrebleu", {"smooth_method": "add-k", "smooth_value": 2.0, "lowercase": True}, "BLEU"),
        ("sacrebleu", {"tokenize": "intl", "force": True}, "BLEU"),
        ("chrf", {"char_order": 4, "word_order": 1, "beta": 3, "whitespace": True, "lowercase": True}, "CHRF"),
        ("chrf", {"eps_smoothing": True}, "CHRF"),
        ("ter", {"normalized": True, "ignore_punct": True, "support_zh_ja_chars": True, "case_sensitive": True}, "TER"),
        ("ter", {"case_sensitive": True}, "TER"),
    ],
)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_options_together_are_those_of_sacrebleu(name, options, official):
    sacrebleu = pytest.importorskip("sacrebleu")
    theirs = {"ignore_punct": "no_punct", "support_zh_ja_chars": "asian_support"}
    scored = getattr(sacrebleu, official)(
        **{theirs.get(key, key): value for key, value in options.items()}
    ).corpus_score(HYPS, [[group[0] for group in REFS]])
    found = computed(name, {"predictions": HYPS, "references": REFS, **options})
    assert found["score"] == pytest.approx(scored.score, rel=1e-12)
    for key in found.keys() & {"counts", "totals"}:
        assert found[key] == getattr(scored, key)


def test_a_long_name_is_refused_with_the_near_one():
    with pytest.raises(TypeError, match="^ignore_cases: .*ignore_case.*got an unknown keyword"):
        computed("exact_match", {"predictions": HYPS, "references": REFS, "ignore_cases": True})

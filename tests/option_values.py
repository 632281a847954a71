"""A value for every option of every metric: files are those of cli/test_help.py; and the presets of BLEU."""

from textgauge.accumulation.registry import METRICS
from textgauge.measures.bleu import SMOOTHINGS, BleuOptions
from textgauge.options import options_of

PRESETS = {
    name: BleuOptions(preset=name) for one in options_of(BleuOptions) if one.name == "preset" for name in one.choices
}
# Coco's counting takes the place of a smoothing.
PRESETS_AND_SMOOTHINGS = [
    (preset, smoothing) for preset in PRESETS for smoothing in SMOOTHINGS if preset != "coco" or smoothing == "none"
]
# Their own folders of tests have their models.
WITH_A_MODEL = {
    name for name, metric in METRICS.items() if any(one.kind == "model" for one in options_of(metric.options_type))
}
REFS = ["the cat sat on a mat! it sleeps", "The dog barked at the cat", "who knows what she reads"]
LEARNED, DRAWN = {"ngram_train": REFS}, {"confidence": 0.5}
BASELINE = {"rescale_with_baseline": True, "baseline_path": "baseline.csv"}
# Values of options that need other options, which come first, or that `drawn` has no rule for.
VALUES = {
    "weights": {"weights": [1, 2, 3, 4]},
    "smooth_value": {"smoothing": "add-k", "smooth_value": 2},
    "rouge.rouge_types": {"rouge_types": ["rouge2", "rougeS4"]},
    "rouge.weight": {"rouge_types": ["rougeW"], "weight": 1.5},
    "rouge.alpha": {"alpha": 0.2},
    "rouge.lowercase": {"tokenizer": "whitespace", "lowercase": True},
    "rouge.stopwords": {"stopwords": ["the", "a"]},
    "rouge.exceptions": {"exceptions": "exc", "use_stemmer": True},
    "rouge.aggregator": {"aggregator": "bootstrap", "seed": 3},
    "exact_match.regexes_to_ignore": {"regexes_to_ignore": ["the ", "[aeiou]"]},
    "sacrebleu.counting": {"counting": "nltk"},
    "math_answer.extract": {"extract": r"(?s).*"},
    "code_eval.extract": {"extract": r"(?s).*"},
    # It may not be there: tests/math_answer has it.
    "math_answer.engine": {},
    "math_answer.seconds": {},
    "ter.asian_support": {"normalized": True, "asian_support": True},
    "charcut_mt.match_size": {"match_size": 5},
    "cider.lowercase": {"tokenizer": "whitespace", "lowercase": True},
    "bleu.strip": {"tokenizer": "ascii-whitespace", "strip": True},
    "sacrebleu.strip": {"tokenizer": "ascii-whitespace", "strip": True},
    "cider.idf": {"idf": [[text] for text in REFS]},
    "meteor.wordnet": {"wordnet": "wordnet"},
    "meteor15.matchers": {"matchers": "exact stem"},
    "meteor15.paraphrases": {"paraphrases": "False"},
    "meteor15.jar": {"jar": "meteor.jar"},
    "wer.join": {"aligner": "kaldialign", "join": True},
    "replacements": {"replacements": {"cats": "cat", "what?": "what"}},
    # It may not be there: tests/measures/test_speech_texts.py has it.
    "numbers": {},
    "wer.normalizer": {"normalizer": "whisper-basic"},
    # It needs times: tests/measures/test_cpwer.py has it.
    "cpwer.collar": {},
    "cpwer.normalizer": {"normalizer": "whisper-basic"},
    "cer.normalizer": {"normalizer": "jiwer"},
    "sari.deletion": {"counting": "easse", "deletion": "precision"},
    "teds.ignored_tags": {"ignored_tags": ["b", "i"]},
    "anls.min_similarity": {"min_similarity": 0.8},
    "device": {"device": "cpu"},
    "dtype": {"dtype": "bfloat16"},
    "perplexity.stride": {"stride": 4},
    "perplexity.max_length": {"max_length": 6, "stride": 2},
    "perplexity.tokenizer": LEARNED | {"tokenizer": "character"},
    "perplexity.ngram_train": LEARNED,
    "perplexity.ngram_order": LEARNED | {"ngram_order": 2},
    "perplexity.ngram_smoothing": LEARNED | {"ngram_smoothing": "add-k"},
    "perplexity.own_numbers": {},
    "bertscore.tokenizer": {"tokenizer": "tiny"},
    "bertscore.lang": {"lang": "en"},
    "bertscore.num_layers": {"num_layers": 1},
    "bertscore.rescale_with_baseline": BASELINE,
    "bertscore.baseline_path": BASELINE,
    "comet.encoder": {"encoder": "tiny/encoder"},
    # The model of the laws has no form for texts in context: tests/comet has one.
    "comet.enable_context": {},
    "comet.context_from": {},
    "comet.context_size": {},
    "metricx.form": {"form": "24"},
    "bleurt.encoder": {"encoder": "tiny"},
    "bleurt.gelu": {"gelu": "tanh"},
    "bleurt.max_length": {"max_length": 20},
    "consistency.form": {},
    "consistency.encoder": {"encoder": "tiny"},
    "frugalscore.encoder": {"encoder": "tiny"},
    "frugalscore.max_length": {"max_length": 60},
    # A folder has none: tests/comet and tests/models have those of the Hub.
    "revision": {},
    "confidence": {"confidence": 0.9},
    "n_resamples": DRAWN | {"n_resamples": 9},
    "seed": DRAWN | {"seed": 7},
    "unit": DRAWN | {"unit": ["a", "b", "a"]},
}

# Names of a choice that other options of a metric refuse unless they are given as well.
CONFLICTS = {("counting", "coco")}


def drawn(metric, one):
    """A value other than the default, with what it needs."""
    for known in (f"{metric}.{one.name}", one.name):
        if known in VALUES:
            return VALUES[known]
    if one.kind == "model":
        # That of `tiny_models`.
        return {}
    value = {"tokenizer": "character", "normalizer": "lower", "whole": 3, "number": 0.5}.get(one.kind)
    value = one.choices[-1] if one.kind == "choice" else one.default is not True if one.kind == "flag" else value
    assert value is not None, f"{metric}.{one.name}: add a value to VALUES"
    return {one.name: value}


def values_of(metric, one):
    """The values other than the default that tests of every option take: all names of a choice, both of a flag."""
    first = drawn(metric, one)
    yield first
    for value in (*one.choices, *(True, False) * (one.kind == "flag")) if first else ():
        if value not in (one.default, first[one.name]) and (one.name, value) not in CONFLICTS:
            yield {**first, one.name: value}

"""Options given to compute and to load, results, and modules combined."""

import evaluate
import pytest
import textgauge
from textgauge.locations import COMPARISONS, MODULES

from modules.conftest import HYPS, REFS

pytestmark = pytest.mark.filterwarnings("ignore:the interval.* no width")


def test_options_of_compute_override_those_of_load(name, whole):
    metric = textgauge.load(name, tokenizer="character")
    assert metric.compute(predictions=HYPS, references=REFS) != whole
    default = {"tokenizer": {"bleu": "13a", "rouge": "rouge", "token_f1": "whitespace"}[name]}
    assert metric.compute(predictions=HYPS, references=REFS, **default) == whole


def refusal(call, **options):
    try:
        call(**options)
    except (TypeError, ValueError) as error:
        return str(error)
    return ""


@pytest.mark.parametrize("name", [*MODULES, *COMPARISONS])
def test_what_a_call_refuses_is_refused_at_load(name):
    module = textgauge.load(name)
    assert refusal(type(module), colour=1).endswith(", got an unknown keyword")
    for option in module._option_names():
        wrong = {option: {"a": 3}}
        by_call, at_load = refusal(module.compute, **wrong), refusal(type(module), **wrong)
        # What stands for texts, or has an effect with others, waits.
        waits = "has no effect" in by_call or by_call.startswith(("predictions", "log_probs", "probs"))
        assert at_load == by_call or (waits and not at_load)


RENAMED = [
    ("sacrebleu", {"tokenize": "14a"}, ValueError, "tokenize: .*got '14a'"),
    ("sacrebleu", {"tokenize": lambda text: None}, TypeError, r"tokenize: result for predictions\[0\]: .*got None"),
    ("sacrebleu", {"smooth_method": 3}, TypeError, "smooth_method: .*got 3"),
    ("sacrebleu", {"smooth_value": 2}, ValueError, "smooth_value: .*`smooth_method='exp'`.*got 2.0"),
    ("sacrebleu", {"use_effective_order": 1}, TypeError, "use_effective_order: .*got 1"),
    ("ter", {"ignore_punct": "no_punct: 1"}, TypeError, "ignore_punct: .*got 'no_punct: 1'"),
    ("ter", {"support_zh_ja_chars": 1}, TypeError, "support_zh_ja_chars: .*got 1"),
]


@pytest.mark.parametrize(("name", "options", "error", "message"), RENAMED)
def test_errors_name_options_as_the_module_does(name, options, error, message):
    with pytest.raises(error, match=f"^{message}"):
        textgauge.load(name).compute(predictions=HYPS, references=REFS, **options)


def test_combine_takes_modules_with_different_options(tmp_path):
    modules = {
        "chars": textgauge.load("bleu", cache_dir=str(tmp_path), tokenizer="character"),
        "words": textgauge.load("bleu", cache_dir=str(tmp_path), max_order=2),
        "rouge": textgauge.load("rouge", cache_dir=str(tmp_path), rouge_types=["rouge1"]),
    }
    combined = evaluate.combine(modules)
    expected = {
        **{f"chars_{k}": v for k, v in textgauge.bleu(HYPS, REFS, tokenizer="character").items()},
        **{f"words_{k}": v for k, v in textgauge.bleu(HYPS, REFS, max_order=2).items()},
        **textgauge.rouge(HYPS, REFS, rouge_types=["rouge1"]),
    }
    assert combined.compute(predictions=HYPS, references=REFS) == expected
    combined.add(prediction=HYPS[0], reference=REFS[0])
    combined.add_batch(predictions=HYPS[1:], references=REFS[1:])
    assert combined.compute() == expected
    assert not list(tmp_path.rglob("*.arrow"))


def test_missing_tokenizer_file():
    def missing(text):
        raise FileNotFoundError("the dictionary of the tokenizer")

    with pytest.raises(FileNotFoundError, match="^the dictionary"):
        textgauge.load("bleu").compute(predictions=HYPS, references=REFS, tokenizer=missing)


def test_combine_takes_paths():
    combined = evaluate.combine([textgauge.path("bleu"), textgauge.path("rouge")])
    result = combined.compute(predictions=HYPS, references=REFS)
    assert result == {**textgauge.bleu(HYPS, REFS), **textgauge.rouge(HYPS, REFS)}


@pytest.mark.parametrize("seed", [2**32 - 1, 2**32, 2**40 + 1])
def test_seed_beyond_32_bits(tmp_path, seed):
    sides = [f"a {'b ' * (i % 7)}c" for i in range(40)], [f"a {'b ' * (i % 5)}d" for i in range(40)]
    metric = textgauge.load("rouge", cache_dir=str(tmp_path), seed=seed, confidence=0.9)
    for prediction, reference in zip(*sides, strict=True):
        metric.add(prediction=prediction, reference=reference)
    assert metric.compute() == textgauge.rouge(*sides, seed=seed, confidence=0.9)

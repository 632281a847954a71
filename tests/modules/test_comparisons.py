from pathlib import Path

import evaluate
import pytest
import textgauge

pytestmark = pytest.mark.filterwarnings("ignore:two systems differ in only")

COMPARISONS = Path(__file__).parent.parent.parent / "comparisons"
NAMES = ["paired_bootstrap", "paired_permutation"]
REFS = ["the cat is on the mat", "the dog barks", "a bird sings", "it rains", "so what ?"]
FIRST = ["the cat sat on the mat", "a dog barks", "a bird", "it rains", "what ?"]
SECOND = ["the cat is on a mat", "the dog barks", "a bird sings", "it snows", "so what"]
SIDES = {"predictions1": FIRST, "predictions2": SECOND, "references": REFS}


@pytest.fixture(params=NAMES)
def comparison(request, tmp_path):
    path = str(COMPARISONS / request.param)
    return evaluate.load(path, module_type="comparison", cache_dir=str(tmp_path), metric="rouge1", n_resamples=50)


def test_equal_to_compare(comparison):
    test = comparison.name.removeprefix("paired_")
    options = {"metric": "rouge2(use_stemmer=True)", "n_resamples": 99, "seed": 5}
    [expected] = textgauge.compare([FIRST, SECOND], REFS, test=test, **options)
    assert comparison.compute(**SIDES, **options) == expected._asdict()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.filterwarnings("ignore")
def test_without_a_metric_the_score_is_that_of_compare(name):
    module = evaluate.load(str(COMPARISONS / name), module_type="comparison", n_resamples=50)
    test = name.removeprefix("paired_")
    [expected] = textgauge.compare([FIRST, SECOND], REFS, test=test, n_resamples=50)
    assert expected.score2 > 1
    assert module.compute(**SIDES) == expected._asdict()


def test_loads_as_a_comparison(comparison):
    assert isinstance(comparison, evaluate.Comparison)
    assert comparison.module_type == "comparison"
    with pytest.raises(TypeError, match="comparison"):
        evaluate.load(textgauge.path(comparison.name), module_type="metric")


REFUSED = [
    (["a", "b"], ["a", None], r"^predictions2\[1\]: .*got None"),
    (["a", "b"], ["a"], r"^predictions2: .*\(2\).*got 1"),
    ([3, "b"], ["a", "b"], r"^predictions1\[0\]: .*got 3"),
]


def test_refused_segments_are_not_added(comparison, tmp_path):
    comparison.add_batch(**SIDES)
    for first, second, message in REFUSED:
        with pytest.raises((TypeError, ValueError), match=message):
            comparison.add_batch(predictions1=first, predictions2=second, references=["a", "b"])
    with pytest.raises(TypeError, match="^prediction2: .*got None"):
        comparison.add(prediction1="a", reference="b")
    with pytest.raises(TypeError, match="^prediction2: .*got 5"):
        comparison.add(prediction1="a", prediction2=5, reference="b")
    assert comparison.compute() == comparison.compute(**SIDES)
    assert not list(tmp_path.rglob("*.arrow"))


def test_failure_while_comparing_leaves_nothing(comparison, tmp_path):
    with pytest.raises(ValueError, match="at least 2 segments"):
        comparison.compute(predictions1=FIRST[:1], predictions2=SECOND[:1], references=REFS[:1])
    assert not list(tmp_path.rglob("*.arrow"))
    assert comparison.compute(**SIDES)["stat"] > 0


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"metric": "blue"}, ValueError, "^metric: .*got 'blue'"),
        ({"n_resamples": 0}, ValueError, "^n_resamples: .*got 0"),
        ({"confidence": 2}, ValueError, "^confidence: .*got 2"),
        ({"p_value": "x"}, ValueError, "^p_value: .*got 'x'"),
        ({"colour": 1}, TypeError, "^colour: .*got an unknown keyword"),
    ],
)
def test_bad_options_are_refused_at_once(comparison, options, error, message):
    with pytest.raises(error, match=message):
        comparison.compute(**SIDES, **options)
    with pytest.raises(error, match=message):
        textgauge.load(comparison.name, **options)
    with pytest.raises(ValueError, match="^predictions1: .*got none"):
        comparison.compute()


@pytest.mark.filterwarnings("ignore:p and interval")
def test_units_of_segments_that_were_added_and_given():
    """A label for every segment, in their order."""
    first = [f"the cat {i}" if i % 3 else "no" for i in range(48)]
    second = [f"the cat {i}" if i % 4 else "so" for i in range(48)]
    references, unit = [f"the cat {i}" for i in range(48)], [i // 2 for i in range(48)]
    module = textgauge.load("paired_permutation", module_type="comparison")
    module.add_batch(predictions1=first[:10], predictions2=second[:10], references=references[:10])
    found = module.compute(
        predictions1=first[10:], predictions2=second[10:], references=references[10:], metric="rouge1", unit=unit
    )
    [expected] = textgauge.compare([first, second], references, metric="rouge1", unit=unit, test="permutation")
    assert found == expected._asdict()
    score = textgauge.load("rouge", rouge_types=["rouge1"])
    score.add_batch(predictions=first[:10], references=references[:10])
    bounds = score.compute(predictions=first[10:], references=references[10:], confidence=0.9, unit=unit)
    assert bounds == textgauge.rouge(first, references, rouge_types=["rouge1"], confidence=0.9, unit=unit)
    with pytest.raises(ValueError, match=r"^unit: .*\(48\).*got 3"):
        module.compute(predictions1=first, predictions2=second, references=references, unit=[1, 2, 3])

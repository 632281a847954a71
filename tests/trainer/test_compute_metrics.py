"""The function for the Trainer, on ids as from an evaluation loop; needs no torch."""

import copy
import json
from types import SimpleNamespace

import numpy as np
import pytest
import textgauge
import toys
from hypothesis import given, settings
from hypothesis import strategies as st
from quick import examples
from textgauge.trainer import compute_metrics, passes, preprocess_logits_for_metrics
from warned import warned

WORDS = ["<pad>", "</s>", "a", "cat", "sat", "down", "dogs", "bark", "猫", "\n"]


TOKENIZER = toys.Words(*WORDS[2:], first=2)
PREDICTIONS = np.array([[2, 3, 4, 1, 0], [6, 7, 1, -100, -100], [2, 3, 4, 5, 1], [5, 5, 5, 5, 5]])
LABELS = np.array([[2, 3, 4, 5, 1], [6, 7, 5, 1, -100], [2, 3, 4, 5, 1], [6, 1, -100, -100, -100]])
# Ids that no word has.
UNKNOWN = np.where(PREDICTIONS < 0, PREDICTIONS, PREDICTIONS + 50)
HYPS = ["a cat sat", "dogs bark", "a cat sat down", "down down down down down"]
REFS = ["a cat sat down", "dogs bark down", "a cat sat down", "dogs"]
EXPECTED = {**textgauge.rouge(HYPS, REFS), "bleu": textgauge.bleu(HYPS, REFS)["bleu"], "gen_len": (4 + 3 + 5 + 5) / 4}


def logits_of(ids):
    return np.eye(len(WORDS))[np.maximum(ids, 0)]


def test_ids_become_a_flat_dict_of_scores():
    result = compute_metrics(TOKENIZER)((PREDICTIONS, LABELS))
    assert result == EXPECTED
    assert {type(value) for value in result.values()} == {float}
    assert json.loads(json.dumps(result)) == result


@pytest.mark.parametrize("name", ["nist_mt", "cider"])
def test_whole_metric_takes_all_rows(name):
    scores = compute_metrics(TOKENIZER, name)
    assert scores((PREDICTIONS, LABELS))[name] == getattr(textgauge, name)(HYPS, REFS)[name]
    message = f"^eval_prediction: .*{name}.*batch_eval_metrics.*got a batch"
    with pytest.raises(ValueError, match=message):
        scores((PREDICTIONS[:2], LABELS[:2]), compute_result=False)
    with pytest.raises(ValueError, match=message):
        scores(([PREDICTIONS[:2], PREDICTIONS[2:]], [LABELS[:2], LABELS[2:]]))
    with pytest.raises(ValueError, match="^metrics: .*segments"):
        compute_metrics(TOKENIZER, name, share_among_processes=True)


def test_metrics_by_name_with_their_options():
    scores = compute_metrics(TOKENIZER, ["rougeL", "bleu(max_order=2)", "token_f1"])
    result = scores((PREDICTIONS, LABELS))
    expected = textgauge.rouge(HYPS, REFS, rouge_types=["rougeL"]) | textgauge.token_f1(HYPS, REFS)
    expected["bleu"] = textgauge.bleu(HYPS, REFS, max_order=2)["bleu"]
    assert result == expected | {"gen_len": EXPECTED["gen_len"]}
    alone = compute_metrics(TOKENIZER, ["token_f1_exact_match"])((PREDICTIONS, LABELS))
    assert alone == {name: (expected | EXPECTED)[name] for name in ("exact_match", "gen_len")}


@settings(max_examples=examples(50))
@given(
    rows=st.lists(
        st.tuples(*[st.lists(st.integers(-100, 7).map(lambda i: -100 if i < 0 else i), min_size=4, max_size=4)] * 2),
        min_size=1, max_size=12,
    ),
    cuts=st.sets(st.integers(1, 11)),
)  # fmt: skip
def test_batches_give_the_scores_of_the_whole_set(rows, cuts):
    predictions, labels = (np.array(side) for side in zip(*rows, strict=True))
    scores = compute_metrics(TOKENIZER)
    whole = scores((predictions, labels))
    ends = [*sorted(cut for cut in cuts if cut < len(rows)), len(rows)]
    for start, stop in zip([0, *ends], ends, strict=False):
        result = scores((predictions[start:stop], labels[start:stop]), compute_result=stop == len(rows))
        assert result == (whole if stop == len(rows) else {})
    assert scores((predictions, labels)) == whole


@pytest.mark.parametrize("form", ["tuples", "nested tuples", "lists of batches", "lists of tuples"])
def test_tuples_of_outputs_and_lists_of_batches(form):
    states = np.zeros((4, 5, 3))
    forms = {
        "tuples": ((PREDICTIONS, states), (LABELS, states)),
        "nested tuples": (((PREDICTIONS, states), states), LABELS),
        "lists of batches": ([PREDICTIONS[:1], PREDICTIONS[1:, :]], [LABELS[:1], LABELS[1:]]),
        "lists of tuples": ([(PREDICTIONS, states)], [LABELS]),
    }
    assert compute_metrics(TOKENIZER)(forms[form]) == EXPECTED


def test_logits_become_tokens():
    padded = logits_of(PREDICTIONS)
    # The Trainer's padding where rows of another process or batch are longer.
    padded[LABELS == -100] = -100
    with pytest.warns(UserWarning, match="teacher forcing") as caught:
        result = compute_metrics(TOKENIZER)(((padded, np.zeros(3)), LABELS))
    assert len(caught) == 1
    hyps = ["a cat sat", "dogs bark", "a cat sat down", "down down"]
    assert result["rouge1"] == textgauge.rouge(hyps, REFS)["rouge1"]
    assert result["gen_len"] == (4 + 3 + 5 + 2) / 4


def test_preprocessing_gives_ids_for_rows_with_and_without_labels():
    logits = logits_of(PREDICTIONS)
    assert preprocess_logits_for_metrics((logits, None), None).tolist() == np.maximum(PREDICTIONS, 0).tolist()
    with pytest.warns(UserWarning, match="teacher forcing"):
        ids = preprocess_logits_for_metrics(logits, LABELS)
    assert ids.tolist() == np.where(LABELS == -100, -100, np.maximum(PREDICTIONS, 0)).tolist()
    assert preprocess_logits_for_metrics((PREDICTIONS, logits), LABELS) is PREDICTIONS


# Prompts of one and two tokens, and completions that a perfect model predicts.
FULL = np.array([[2, 3, 4, 5, 1], [6, 7, 5, 1, -100]])
BEHIND_PROMPT = np.array([[-100, 3, 4, 5, 1], [-100, -100, 5, 1, -100]])


def next_token_logits():
    return logits_of(np.concatenate([FULL[:, 1:], np.full((2, 1), 9)], axis=1))


def config_of(is_encoder_decoder, architectures):
    return SimpleNamespace(is_encoder_decoder=is_encoder_decoder, architectures=architectures)


CONFIG = config_of(False, ["GPT2LMHeadModel"])


@pytest.mark.parametrize(
    ("config", "is_causal"),
    [
        (config_of(False, None), True), (config_of(False, ["LlamaForCausalLM"]), True),
        (config_of(True, ["BartForConditionalGeneration"]), False), (config_of(False, ["Wav2Vec2ForCTC"]), False),
    ],
)  # fmt: skip
def test_a_model_with_frames_is_not_decoder_only(config, is_causal):
    labels, ids = np.array([[-100, 3]]), np.array([[2, 3]])
    found = compute_metrics(TOKENIZER, ["wer"], causal=config)(Evaluated(ids, labels, np.array([[2]])))
    assert found["wer"] == (0.0 if is_causal else 1.0)


@pytest.mark.filterwarnings("ignore:predictions are logits")
@pytest.mark.parametrize("causal", [True, CONFIG, SimpleNamespace(config=CONFIG)])
def test_logits_of_a_decoder_only_model_predict_the_next_token(causal):
    scorer = compute_metrics(TOKENIZER, ["wer"], causal=causal)
    result = scorer((next_token_logits(), BEHIND_PROMPT))
    assert (result["wer"], result["gen_len"]) == (0.0, 3.0)
    ids = scorer.preprocess_logits_for_metrics((next_token_logits(), None), BEHIND_PROMPT)
    assert ids.tolist() == BEHIND_PROMPT.tolist()
    assert scorer((ids, BEHIND_PROMPT)) == result
    # Without a prompt nothing predicts the first token.
    assert scorer((next_token_logits(), FULL))["wer"] == 2 / 7


@pytest.mark.filterwarnings("ignore:predictions are logits")
def test_labels_behind_prompts_are_told_where_nothing_is_said():
    with pytest.warns(UserWarning, match=r"every label begins with -100, .* `compute_metrics\(..., causal=model\)`"):
        assert compute_metrics(TOKENIZER, ["wer"])((next_token_logits(), BEHIND_PROMPT))["wer"] > 0
    compute_metrics(TOKENIZER, ["wer"], causal=False)((next_token_logits(), BEHIND_PROMPT))
    compute_metrics(TOKENIZER, ["wer"])((next_token_logits(), FULL))


@pytest.mark.parametrize("inputs", [
    None, np.array([[0, 2], [6, 7]]), np.array([[0, 2, -100], [6, 7, -100]]),
    np.array([[-100, 0, 2], [-100, 6, 7]]),
])  # fmt: skip
def test_generated_ids_of_a_decoder_only_model_lose_their_prompt(inputs):
    labels = np.array([[-100, -100, 3, 4, 5], [-100, -100, 5, 1, -100]])
    generated = np.array([[0, 2, 3, 4, 5, 1, 0], [6, 7, 5, 1, 0, -100, -100]])
    scorer = compute_metrics(TOKENIZER, ["wer"], causal=True)
    result = scorer(Evaluated(generated, labels, inputs))
    assert (result["wer"], result["gen_len"]) == (0.0, 3.0)
    # Prompts that were taken off already are not looked for in the completion.
    if inputs is not None:
        assert scorer(Evaluated(generated[:, 2:], labels[:, 2:], inputs))["wer"] == 0.0
        # A model that wrote nothing has no word right.
        nothing = scorer(Evaluated(generated[:, :2], labels, inputs))
        assert (nothing["wer"], nothing["gen_len"]) == (1.0, 0.0)
    with pytest.warns(UserWarning, match="^2 predictions end with their labels, behind other text"):
        assert compute_metrics(TOKENIZER, ["wer"])(Evaluated(generated, labels, inputs))["wer"] > 0.5


@pytest.mark.parametrize("as_list", [False, True])
def test_what_was_written_before_an_answer_is_no_prompt(as_list):
    """As the reasoning of a model: other ids than the inputs. Inputs that nothing reads may have any form."""
    labels, generated = np.array([[3, 4, 5], [5, 1, -100]]), np.array([[9, 2, 3, 4, 5], [9, 7, 5, 1, -100]])
    given = lambda inputs: ([column] if as_list else column for column in (generated, labels, inputs))  # noqa: E731
    scorer = compute_metrics(TOKENIZER, ["wer"])
    assert scorer(Evaluated(*given(np.array([[9, 3, 1], [7, 7, 1]]))))["wer"] == 0.5
    prompts = np.array([[9, 2], [7, 7]])
    with pytest.warns(UserWarning, match="^1 prediction ends with its label, behind other text"):
        scorer(Evaluated(*given(prompts)))
    for inputs in (None, prompts[:1], prompts / 2, {"audio": prompts}):
        with pytest.warns(UserWarning, match="^2 predictions end with their labels, behind other text"):
            scorer(Evaluated(*given(inputs)))


def test_prompts_that_cannot_be_told_or_have_the_answers_are_told():
    generated, answers = np.array([[0, 2, 3, 4], [6, 7, 5, 1]]), np.array([[3, 4], [5, 1]])
    scorer = compute_metrics(TOKENIZER, ["wer"], causal=True)
    with pytest.warns(
        UserWarning, match=r"labels do not begin .* and the inputs .*include_for_metrics=\[\"inputs"
    ) as told:
        assert scorer((generated, answers))["wer"] > 0
    assert len(told) == 1
    prompts = np.array([[0, 2], [6, 7]])
    assert scorer(Evaluated(generated, answers, prompts))["wer"] == 0.0
    whole = np.array([[0, 2, 3, 4], [6, 7, 5, 1]])
    labels = np.where(np.arange(4) < 2, -100, whole)
    longer = np.concatenate([whole, [[9], [9]]], axis=1)
    with pytest.warns(UserWarning, match="the inputs, which are the prompts .* have the labels in them"):
        assert scorer(Evaluated(longer, labels, whole))["wer"] > 0
    # Predictions of the whole rows, token by token, are behind no prompt: the inputs always have the labels.
    predicted = np.where(labels == -100, -100, whole)
    assert scorer(Evaluated(predicted, labels, whole))["wer"] == 0.0
    assert scorer((predicted, labels))["wer"] == 0.0


def labels_padded_on_the_left(width):
    """Return ids of a perfect decoder-only model, and the answers alone as labels, of three rows and lengths."""
    prompts, answers = [[0, 0, 2], [0, 6, 7], [3, 4, 5]], [[4, 5, 1], [6, 1], [5, 5, 1]]
    ids = [[*p, *a, *[0] * (3 - len(a))] for p, a in zip(prompts, answers, strict=True)]
    return np.array(ids), np.array([[*[-100] * (width - len(a)), *a] for a in answers]), np.array(prompts)


@pytest.mark.parametrize(("width", "told"), [
    (3, "some labels do not begin with -100 and the inputs are not there"),
    # As with `pad_to_multiple_of`: no label shows that its -100 are padding, and a part of prompts is left.
    (4, "3 predictions end with their labels, behind other text, and none is equal .* begins, set include_for_metrics"),
])  # fmt: skip
def test_answers_that_are_padded_on_the_left_are_no_places_of_prompts(width, told):
    ids, labels, prompts = labels_padded_on_the_left(width)
    scorer = compute_metrics(TOKENIZER, ["wer"], causal=True)
    assert scorer(Evaluated(ids, labels, prompts))["wer"] == 0.0
    with pytest.warns(UserWarning, match=told) as caught:
        assert scorer((ids, labels))["wer"] == {3: 6 / 5, 4: 4 / 5}[width]
    assert len(caught) == 1
    # Behind labels as wide as the prompts there is nothing to tell.
    whole = np.where(np.arange(6) < 3, -100, ids)
    assert scorer((ids, whole))["wer"] == 0.0
    # Nothing was said of the model; batch by batch the whole is told once.
    scorer = compute_metrics(TOKENIZER, ["wer"])
    scorer((ids[:2], labels[:2]), compute_result=False)
    with pytest.warns(
        UserWarning, match=r"^3 predictions end .* pass `compute_metrics\(..., causal=model\)` and set"
    ) as caught:
        assert scorer((ids[2:], labels[2:]), compute_result=True)["wer"] == 6 / 5
    assert len(caught) == 1
    assert compute_metrics(TOKENIZER, ["wer"], causal=False)((ids, labels))["wer"] == 6 / 5


def test_predictions_that_end_with_a_label_by_chance_are_not_told():
    letters = toys.Words("4", "14", "cat", "bobcat", "a", "down", first=2)
    labels = np.array([[2, 1], [4, 1], [6, 1], [7, 1], [7, 1], [7, 1]])
    scorer = compute_metrics(letters, ["exact_match"])
    # Amid a number and a word; behind another word once in six rows; and beside one that is right.
    assert scorer((np.array([[3, 1], [5, 1], [7, 6], [2, 2], [2, 3], [2, 3]]), labels))["exact_match"] == 0.0
    behind = np.array([[2, 2], [2, 4], [2, 6], [2, 7], [2, 7], [7, 1]])
    assert scorer((behind, labels))["exact_match"] == 1 / 6
    with pytest.warns(UserWarning, match="^5 predictions end with their labels"):
        scorer((behind[:5], labels[:5]))


@pytest.mark.parametrize("end", [9, 0])
@pytest.mark.parametrize("way", ["inputs", "labels"])
def test_prompts_with_padding_on_the_left(end, way):
    """Also where the padding is the end of a text; of two batches of unlike width, which the Trainer fills up."""
    pad = TOKENIZER.pad_token_id
    assert pad == 0
    prompts = [[[pad, pad, 2], [3, 4, 5]], [[pad, 6], [7, 8]]]
    answers = [[[4, 5], [6, end]], [[1, end], [2, 3]]]
    generated = [[[*p, *a] for p, a in zip(*batch, strict=True)] for batch in zip(prompts, answers, strict=True)]

    def filled(batches, width, value=-100):
        return np.array([[*row, *[value] * (width - len(row))] for batch in batches for row in batch])

    # Labels are as wide as the ids of their batch, or are the answers alone.
    behind = [
        [[*[-100] * len(p), *a] for p, a in zip(*batch, strict=True)] for batch in zip(prompts, answers, strict=True)
    ]
    labels = filled(behind, 5) if way == "labels" else filled(answers, 2)
    inputs = filled(prompts, 3) if way == "inputs" else None
    result = compute_metrics(TOKENIZER, ["wer"], causal=True)(Evaluated(filled(generated, 5), labels, inputs))
    n_tokens = sum(token != pad for batch in answers for answer in batch for token in answer)
    assert (result["wer"], result["gen_len"]) == (0.0, n_tokens / 4)


@pytest.mark.filterwarnings("ignore:predictions are logits")
def test_packed_rows_of_prompts_and_answers():
    """Each answer is predicted from the position before it, also behind another document."""
    packed = np.array([[2, 3, 4, 5, 6, 7, 8, 1]])
    labels = np.where(np.array([[1, 1, 0, 0, 1, 1, 0, 0]], bool), -100, packed)
    logits = logits_of(np.concatenate([packed[:, 1:], [[9]]], axis=1))
    scorer = compute_metrics(TOKENIZER, ["wer"], causal=True)
    result = scorer((logits, labels))
    assert (result["wer"], result["gen_len"]) == (0.0, 4.0)
    assert scorer.preprocess_logits_for_metrics(logits, labels).tolist() == labels.tolist()


class Evaluated(tuple):
    """What the Trainer passes."""

    def __new__(cls, predictions, labels, inputs):
        made = super().__new__(cls, (predictions, labels))
        made.inputs = inputs
        return made


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [({"causal": "yes"}, TypeError, "^causal: .*got 'yes'"), ({"causal": True, "ctc": True}, ValueError, "not both")],
)
def test_what_a_model_is_must_be_said_once(arguments, error, words):
    with pytest.raises(error, match=words):
        compute_metrics(TOKENIZER, ["wer"], **arguments)


def test_warning_once_per_evaluation():
    scores = compute_metrics(TOKENIZER)
    given = logits_of(PREDICTIONS), LABELS
    texts = [warned(scores, given, compute_result=last) for last in (False, False, True, False, True)]
    assert [len(one) for one in texts] == [1, 0, 0, 1, 0]


def test_an_exception_leaves_nothing_for_the_next_evaluation():
    scores = compute_metrics(TOKENIZER)
    scores((PREDICTIONS[3:], LABELS[3:]), compute_result=False)
    with pytest.raises(IndexError):
        scores((UNKNOWN, LABELS), compute_result=False)
    assert scores((PREDICTIONS, LABELS)) == EXPECTED
    # Nor for one that comes batch by batch, where no data loader says that it is another.
    scores((PREDICTIONS[3:], LABELS[3:]), compute_result=False)
    with pytest.raises(IndexError):
        scores((UNKNOWN, LABELS), compute_result=False)
    assert scores((PREDICTIONS, LABELS), compute_result=True) == EXPECTED
    # Nor do batches that no last one followed, for a whole set.
    scores((PREDICTIONS[3:], LABELS[3:]), compute_result=False)
    assert scores((PREDICTIONS, LABELS)) == EXPECTED
    scores((PREDICTIONS[3:], LABELS[3:]), compute_result=False)
    scores.reset()
    assert scores((PREDICTIONS, LABELS)) == EXPECTED


def test_empty_texts_score_0():
    empty = np.zeros_like(PREDICTIONS)
    result = compute_metrics(TOKENIZER)((empty, LABELS))
    assert result == {**dict.fromkeys(EXPECTED, 0.0)}


def test_lost_text_is_told_once():
    scores = compute_metrics(TOKENIZER, ["rouge"])
    texts = [warned(scores, (np.array([[8]]), np.array([[8]])), compute_result=last) for last in (False, True)]
    assert [text[:25] for text in sum(texts, [])] == ["some texts are not empty "]


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"tokenizer": "t5-small"}, TypeError, "^tokenizer: .*got 't5-small'"),
        ({"metrics": []}, TypeError, r"^metrics: .*got \[\]"),
        ({"metrics": ["blur"]}, ValueError, "^metrics: .*got 'blur'"),
        ({"metrics": ["rouge", "rouge1"]}, ValueError, "^metrics: .*got rouge1"),
        ({"share_among_processes": 1}, TypeError, "^share_among_processes: .*got 1"),
    ],
)
def test_wrong_arguments_are_refused_before_the_training_starts(arguments, error, words):
    with pytest.raises(error, match=words):
        compute_metrics(**{"tokenizer": TOKENIZER, **arguments})


@pytest.mark.parametrize(
    ("outputs", "words"),
    [
        ((PREDICTIONS, LABELS[:2]), r"^predictions: .*\(2\).*got 4"),
        ((PREDICTIONS.astype(float), LABELS), "^predictions: .*got float64"),
        ((PREDICTIONS[0], LABELS), "^predictions: .*got int64"),
        ((logits_of(PREDICTIONS), LABELS[:, :2]), r"^label_ids: .*got \(4, 2\)"),
        ((logits_of(PREDICTIONS), None), "^label_ids: .*got NoneType"),
        (([PREDICTIONS], LABELS), r"^label_ids: .*got \(4, 5\)"),
        (([[2, 3], [4]], [[2, 3], [4]]), r"^predictions\[0\]: .*got \[2, 3\] \(list\)"),
        ((PREDICTIONS, [[2, 3], [4]]), r"^label_ids: .*got \[\[2, 3\], \[4\]\] \(list\)"),
        ((np.array([[2, 3], [4]], object), LABELS), r"^predictions: .*got object \(2,\)"),
        ((PREDICTIONS, None), "^label_ids: .*token.*got None"),
        (((), LABELS), r"^predictions: .*got \(\) \(tuple\)"),
        (([PREDICTIONS, PREDICTIONS - 1], [LABELS] * 2), r"^predictions\[1\]\[0\]\[4\]: .*got -1"),
        ((PREDICTIONS, np.where(LABELS < 0, -1, LABELS)), r"^label_ids\[1\]\[4\]: .*got -1"),
        ((PREDICTIONS + 2**31, LABELS), r"^predictions\[0\]\[0\]: "),
    ],
)
def test_unsuitable_model_outputs_are_refused(outputs, words):
    with pytest.raises(ValueError, match=words):
        compute_metrics(TOKENIZER)(outputs)


def test_a_tokenizer_without_padding_counts_every_token():
    no_padding = copy.copy(TOKENIZER)
    no_padding.pad_token_id = None
    assert compute_metrics(no_padding)((PREDICTIONS, LABELS))["gen_len"] == (5 + 3 + 5 + 5) / 4


class Group:
    """As torch's, of two processes, of which the other has these parts."""

    def __init__(self, others):
        self.others = others

    def get_world_size(self):
        return 2

    def all_gather_object(self, found, own):
        found[:] = [own, self.others]


def test_parts_are_in_order_of_rows(monkeypatch):
    monkeypatch.setattr(passes, "_group", lambda: Group(["b0", "b1"]))
    assert passes.in_order_of_rows(["a0", "a1"]) == ["a0", "b0", "a1", "b1"]
    with pytest.raises(ValueError, match="zip"):
        passes.in_order_of_rows(["a0"])

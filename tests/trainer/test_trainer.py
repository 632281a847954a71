"""A tiny model is trained for two steps and evaluated: the figures are those of its generated texts."""

import contextlib
import warnings

import datasets
import numpy as np
import pytest
import textgauge
from textgauge.trainer import compute_metrics, preprocess_logits_for_metrics

KEYS = ["rouge1", "rouge2", "rougeL", "rougeLsum", "bleu", "gen_len"]


@pytest.fixture(scope="module", autouse=True)
def _no_bars():
    for name in ("torch", "transformers", "accelerate"):
        pytest.importorskip(name, reason=f"{name} is missing: pip install -e '.[trainer]'")
    datasets.disable_progress_bars()
    yield
    datasets.enable_progress_bars()


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    from . import tiny

    made = tiny.trainer(tmp_path_factory.mktemp("t5"))
    made.train()
    return made


@pytest.fixture(scope="module")
def expected(trained):
    return expected_of(reset(trained))


@pytest.fixture
def trainer(trained):
    return reset(trained)


def reset(trained):
    """Return the trained one, as it is before every test."""
    trained.compute_metrics = compute_metrics(trained.processing_class)
    trained.preprocess_logits_for_metrics = None
    trained.args.batch_eval_metrics, trained.args.predict_with_generate = False, True
    trained.args.eval_do_concat_batches = True
    return trained


def texts(tokenizer, ids):
    return tokenizer.batch_decode(np.where(ids == -100, tokenizer.pad_token_id, ids), skip_special_tokens=True)


def expected_of(trainer):
    from .tiny import TEXTS

    output = trainer.predict(trainer.eval_dataset)
    sides = [texts(trainer.processing_class, ids) for ids in (output.predictions, output.label_ids)]
    assert len(sides[0]) == len(TEXTS)
    assert set(sides[1]) == set(TEXTS)
    lengths = [
        int(np.sum((row != -100) & (row != trainer.processing_class.pad_token_id))) for row in output.predictions
    ]
    return {**textgauge.rouge(*sides), "bleu": textgauge.bleu(*sides)["bleu"], "gen_len": sum(lengths) / len(lengths)}


def scores(metrics):
    return {key: metrics[f"eval_{key}"] for key in KEYS}


def test_evaluation_gives_the_scores_of_the_generated_texts(trainer, expected):
    assert 0 < expected["rouge1"] < 1
    assert scores(trainer.evaluate()) == expected
    trainer.args.batch_eval_metrics = True
    assert scores(trainer.evaluate()) == expected
    trainer.args.batch_eval_metrics, trainer.args.eval_do_concat_batches = False, False
    assert scores(trainer.evaluate()) == expected


def test_training_logs_a_score(tmp_path):
    from . import tiny

    made = tiny.trainer(
        tmp_path, compute_metrics=compute_metrics(tiny.tokenizer(), ["rougeL"]), batch_eval_metrics=True,
        eval_strategy="steps", eval_steps=1, save_strategy="steps", save_steps=1, load_best_model_at_end=True,
        metric_for_best_model="rougeL", greater_is_better=True,
    )  # fmt: skip
    made.train()
    logged = [entry for entry in made.state.log_history if "eval_rougeL" in entry]
    assert [entry["step"] for entry in logged] == [1, 2]
    assert made.state.best_metric == max(entry["eval_rougeL"] for entry in logged)


@pytest.mark.parametrize("batchwise", [False, True])
@pytest.mark.parametrize("kind", ["ids", "logits"])
def test_argmax_is_scored_with_a_warning(trainer, batchwise, kind):
    trainer.args.predict_with_generate, trainer.args.batch_eval_metrics = False, batchwise
    if kind == "ids":
        trainer.preprocess_logits_for_metrics = preprocess_logits_for_metrics
    with pytest.warns(UserWarning, match="teacher forcing") as caught:
        result = scores(trainer.evaluate())
    assert len([w for w in caught if "teacher forcing" in str(w.message)]) == 1
    assert result == teacher_forced(trainer)


def teacher_forced(trainer):
    """Score the argmax, row by row, without a batch and without padding."""
    import torch

    hyps, refs = [], []
    for row in trainer.eval_dataset:
        inputs = {name: torch.tensor([row[name]]) for name in ("input_ids", "attention_mask", "labels")}
        with torch.no_grad():
            hyps.append(trainer.model(**inputs).logits[0].argmax(-1).tolist())
        refs.append(row["labels"])
    tokenizer = trainer.processing_class
    sides = [tokenizer.batch_decode(ids, skip_special_tokens=True) for ids in (hyps, refs)]
    n_tokens = sum(i != tokenizer.pad_token_id for row in hyps for i in row)
    return {**textgauge.rouge(*sides), "bleu": textgauge.bleu(*sides)["bleu"], "gen_len": n_tokens / len(hyps)}


@pytest.mark.parametrize("persistent", [False, True])
def test_failed_evaluation_leaves_nothing(trainer, expected, persistent, monkeypatch):
    trainer.args.batch_eval_metrics = True
    if persistent:
        kept = trainer.get_eval_dataloader()
        monkeypatch.setattr(trainer, "get_eval_dataloader", lambda *_: kept)
    step, calls = trainer.prediction_step, iter(range(100))

    def breaks_at_the_third(*args, **kwargs):
        if next(calls) == 2:
            raise RuntimeError("out of memory")
        return step(*args, **kwargs)

    with monkeypatch.context() as patched:
        patched.setattr(trainer, "prediction_step", breaks_at_the_third)
        with pytest.raises(RuntimeError, match="out of memory"):
            trainer.evaluate()
    assert sum(part.n_rows for part in trainer.compute_metrics._parts) == 6
    assert scores(trainer.evaluate()) == expected
    assert trainer.compute_metrics._parts == []


def test_an_interrupt_within_scoring_leaves_nothing(trainer, expected, monkeypatch):
    trainer.args.batch_eval_metrics = True
    monkeypatch.setattr(textgauge.Rouge, "__add__", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
    with contextlib.suppress(KeyboardInterrupt):
        trainer.evaluate()
    monkeypatch.undo()
    assert scores(trainer.evaluate()) == expected


def test_preprocessing_leaves_generated_ids_as_they_are(trainer, expected):
    trainer.preprocess_logits_for_metrics = preprocess_logits_for_metrics
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message=".*teacher forcing")
        result = scores(trainer.evaluate())
    assert result == expected

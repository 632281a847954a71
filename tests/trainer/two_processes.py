"""The program of each of two processes; prints nothing, writes its figures to a file."""

import json
import sys
from functools import reduce
from operator import add
from pathlib import Path

import datasets
import numpy as np
import textgauge
import tiny
from accelerate import PartialState
from accelerate.utils import gather_object
from textgauge.trainer import compute_metrics


class Counted:
    """A tokenizer that counts the rows it decodes."""

    def __init__(self, tokenizer):
        self.tokenizer, self.n_rows = tokenizer, 0
        self.pad_token_id = tokenizer.pad_token_id

    def decode(self, row, **options):
        self.n_rows += 1
        return self.tokenizer.decode(row, **options)


def scores_of(trainer):
    return {key[5:]: value for key, value in trainer.evaluate().items() if key[5:] in KEYS}


def texts_of(tokenizer, ids):
    return tokenizer.batch_decode(np.where(ids == -100, tokenizer.pad_token_id, ids), skip_special_tokens=True)


def in_one_process(trainer, n_rows):
    """Score what all processes generated, in this one."""
    output = trainer.predict(trainer.eval_dataset)
    output = output._replace(predictions=output.predictions[:n_rows], label_ids=output.label_ids[:n_rows])
    sides = [texts_of(trainer.processing_class, ids) for ids in (output.predictions, output.label_ids)]
    is_token = (output.predictions != -100) & (output.predictions != trainer.processing_class.pad_token_id)
    assert sides[1][: len(tiny.TEXTS)] == tiny.TEXTS
    return {
        **textgauge.rouge(*sides), "bleu": textgauge.bleu(*sides)["bleu"], "gen_len": is_token.sum() / len(sides[0])
    }, sides  # fmt: skip


def by_accelerate(sides):
    """Score a share in each process, without a Trainer."""
    with PartialState().split_between_processes(list(range(len(sides[0])))) as share:
        own = textgauge.Rouge().update(*[[side[i] for i in share] for side in sides])
    parts = gather_object([own])
    return len(share), reduce(add, parts).score()


KEYS = ["rouge1", "rouge2", "rougeL", "rougeLsum", "bleu", "gen_len"]
datasets.disable_progress_bars()
folder = Path(sys.argv[1])
trainer = tiny.trainer(folder / "trainer", ddp_backend="gloo")
trainer.train()
rank = PartialState().process_index
expected, sides = in_one_process(trainer, len(tiny.TEXTS))
# Seq2SeqTrainer keeps the rows that pad the last batch.
filled_up, _ = in_one_process(trainer, None)
figures = {"batchwise": expected, "whole": filled_up, "n_processes": PartialState().num_processes}
for share in (False, True):
    for batchwise in (False, True):
        tokenizer = Counted(trainer.processing_class)
        trainer.compute_metrics = compute_metrics(tokenizer, share_among_processes=share)
        trainer.args.batch_eval_metrics = batchwise
        figures[f"share={share} {'batchwise' if batchwise else 'whole'}"] = {
            "scores": scores_of(trainer),
            "n_rows": tokenizer.n_rows,
        }
figures["by accelerate"] = by_accelerate(sides)
(folder / f"{rank}.json").write_text(json.dumps(figures))

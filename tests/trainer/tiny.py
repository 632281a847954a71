"""A tiny model with random weights, a tokenizer trained on the spot, and rows to train and evaluate on."""

import datasets
import torch
import transformers
from tokenizers import Tokenizer, models, pre_tokenizers, trainers
from transformers import DataCollatorForSeq2Seq, PreTrainedTokenizerFast, Seq2SeqTrainer, Seq2SeqTrainingArguments

# Threads do not pay for tensors of a few numbers.
torch.set_num_threads(1)
SUBJECTS = ["the cat", "a dog", "my friend", "the small bird", "every student"]
ENDINGS = ["sat on the mat", "barks at night", "reads a long book", "sings", "went home early today"]
TEXTS = [f"{subject} {ending}" for subject in SUBJECTS for ending in ENDINGS][:13]


def tokenizer():
    words = Tokenizer(models.WordLevel(unk_token="<unk>"))
    words.pre_tokenizer = pre_tokenizers.Whitespace()
    special = ["<pad>", "</s>", "<unk>"]
    words.train_from_iterator(TEXTS, trainers.WordLevelTrainer(special_tokens=special))
    return PreTrainedTokenizerFast(tokenizer_object=words, pad_token="<pad>", eos_token="</s>", unk_token="<unk>")


def model(n_tokens, seed=0):
    torch.manual_seed(seed)
    sizes = {"vocab_size": n_tokens, "d_model": 16, "pad_token_id": 0, "eos_token_id": 1, "decoder_start_token_id": 0}
    # Wide initial weights: different inputs get different outputs.
    config = transformers.T5Config(
        **sizes, d_kv=8, d_ff=32, num_layers=1, num_heads=2, initializer_factor=8.0, dropout_rate=0.0
    )
    made = transformers.T5ForConditionalGeneration(config)
    made.generation_config.max_length = 9
    return made


def rows(of):
    data = datasets.Dataset.from_dict({"text": TEXTS[::-1], "summary": TEXTS})
    return data.map(
        lambda row: {**of(row["text"]), "labels": of(row["summary"])["input_ids"] + [of.eos_token_id]},
        remove_columns=["text", "summary"],
    )


def trainer(folder, **settings):
    """Make a trainer; settings that `Seq2SeqTrainer` does not know are training arguments."""
    of = tokenizer()
    made = model(len(of))
    ours = {name: settings.pop(name) for name in ("compute_metrics", "preprocess_logits_for_metrics", "callbacks")
            if name in settings}  # fmt: skip
    arguments = Seq2SeqTrainingArguments(
        output_dir=str(folder), max_steps=2, per_device_train_batch_size=4, per_device_eval_batch_size=3,
        report_to=[], use_cpu=True, logging_strategy="no", disable_tqdm=True, dataloader_pin_memory=False,
        **{"predict_with_generate": True, "save_strategy": "no", **settings},
    )  # fmt: skip
    data = rows(of)
    return Seq2SeqTrainer(
        model=made, args=arguments, train_dataset=data, eval_dataset=data, processing_class=of,
        data_collator=DataCollatorForSeq2Seq(of, model=made), **ours,
    )  # fmt: skip

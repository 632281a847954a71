"""A tiny model of Whisper's class, random weights, in a Trainer whose `compute_metrics` is ours."""

import numpy as np
import pytest
import textgauge
from textgauge.trainer import compute_metrics

WORDS = ["the", "cat", "sat", "on", "a", "mat"]


@pytest.fixture(scope="module")
def trainer(tmp_path_factory):
    for name in ("torch", "transformers", "accelerate"):
        pytest.importorskip(name, reason=f"{name} is missing: pip install -e '.[trainer]'")
    import torch
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import (
        PreTrainedTokenizerFast,
        Seq2SeqTrainer,
        Seq2SeqTrainingArguments,
        WhisperConfig,
        WhisperForConditionalGeneration,
    )

    special = ["<pad>", "<s>", "</s>", "<unk>"]
    cut = Tokenizer(models.WordLevel({word: i for i, word in enumerate([*special, *WORDS])}, unk_token="<unk>"))
    cut.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=cut, pad_token="<pad>", bos_token="<s>", eos_token="</s>", unk_token="<unk>"
    )
    torch.manual_seed(0)
    config = WhisperConfig(
        vocab_size=len(cut.get_vocab()), num_mel_bins=4, encoder_layers=1, decoder_layers=1, d_model=8,
        encoder_attention_heads=1, decoder_attention_heads=1, encoder_ffn_dim=8, decoder_ffn_dim=8,
        max_source_positions=8, max_target_positions=12, pad_token_id=0, bos_token_id=1, eos_token_id=2,
        decoder_start_token_id=1, suppress_tokens=None, begin_suppress_tokens=None,
    )  # fmt: skip
    model = WhisperForConditionalGeneration(config)
    model.generation_config.max_length = 8
    random = np.random.default_rng(0)
    texts = [" ".join(random.choice(WORDS, n)) for n in (3, 4, 5, 2)]
    rows = [
        {"input_features": random.normal(size=(4, 16)).astype(np.float32), "labels": tokenizer(text)["input_ids"]}
        for text in texts
    ]

    def collated(batch):
        longest = max(len(row["labels"]) for row in batch)
        labels = [row["labels"] + [-100] * (longest - len(row["labels"])) for row in batch]
        features = torch.tensor(np.stack([row["input_features"] for row in batch]))
        return {"input_features": features, "labels": torch.tensor(labels)}

    arguments = Seq2SeqTrainingArguments(
        str(tmp_path_factory.mktemp("whisper")), per_device_eval_batch_size=2, predict_with_generate=True,
        report_to=[], use_cpu=True, max_steps=1, disable_tqdm=True,
    )  # fmt: skip
    made = Seq2SeqTrainer(
        model, arguments, train_dataset=rows, eval_dataset=rows, data_collator=collated, processing_class=tokenizer,
        compute_metrics=compute_metrics(tokenizer, ["wer", "cer"]),
    )  # fmt: skip
    return made, tokenizer, texts


@pytest.mark.filterwarnings("ignore")
def test_rates_of_an_evaluation(trainer):
    made, tokenizer, texts = trainer
    made.train()
    found = made.evaluate()
    output = made.predict(made.eval_dataset)
    ids = np.where(output.predictions == -100, 0, output.predictions)
    predictions = tokenizer.batch_decode(ids, skip_special_tokens=True)
    assert found["eval_wer"] == textgauge.wer(predictions, texts)["wer"]
    assert found["eval_cer"] == textgauge.cer(predictions, texts)["cer"]
    assert type(found["eval_wer"]) is float

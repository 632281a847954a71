"""Tokenizers whose ids become text in their own way: of CTC models, Whisper (in a Trainer, too), Marian."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
import textgauge
from textgauge.checks import CountWarning
from textgauge.trainer import compute_metrics, preprocess_logits_for_metrics
from textgauge.trainer.token_ids import Decoder, most_likely_frames

TEXTS = ["carry all", "a bell", "good moon"]
WRONG = ["carry al", "a bel", "god moon"]


class Frames:
    """A tokenizer of CTC as far as scoring asks it: id 0 is the blank, 1 unknown, and letters follow."""

    pad_token_id, unk_token_id, letters = 0, 1, " abcdefghijklmnopqrstuvwxyz"

    def decode(self, row, skip_special_tokens, group_tokens=True):
        assert skip_special_tokens
        assert not group_tokens, "what has no blanks any more would lose double letters"
        return "".join(self.letters[i - 2] for i in row if i > 1)

    def ids(self, text):
        return [self.letters.index(letter) + 2 for letter in text]


class BlankLast(Frames):
    """The same with a letter as id 0, which is what the argmax of no logits would be."""

    pad_token_id, unk_token_id, letters = 31, 30, "zyxwvutsrqponmlkjihgfedcba "

    def decode(self, row, skip_special_tokens, group_tokens=True):
        assert skip_special_tokens
        assert not group_tokens
        return "".join(self.letters[i] for i in row if i < 27)

    def ids(self, text):
        return [*map(self.letters.index, text)]


def padded(rows, value=-100):
    """Put rows beside each other, the shorter ones filled up."""
    first = np.asarray(rows[0])
    filled = np.full((len(rows), max(map(len, rows)), *first.shape[1:]), value, first.dtype)
    for place, row in enumerate(rows):
        filled[place, : len(row)] = row
    return filled


def frames_of(ids, blank, every=2):
    """Each token fills frames, and a blank follows where the next one is the same."""
    frames = []
    for token, following in zip(ids, [*ids[1:], None], strict=True):
        frames += [token] * every + ([blank] if token == following else [])
    return frames


def of_texts(tokenizer, predictions, labels):
    """What an evaluation passes for these texts: frames, and labels."""
    frames = [frames_of(tokenizer.ids(text), tokenizer.pad_token_id) for text in predictions]
    return padded(frames), padded([tokenizer.ids(text) for text in labels])


def logits_of(ids, n_tokens):
    """Padding has -100 in place of logits, as between batches of the Trainer."""
    return np.where((ids == -100)[..., None], -100.0, np.eye(n_tokens, dtype=np.float32)[np.maximum(ids, 0)])


@pytest.fixture(params=["stand-in", "stand-in, blank last", "blank first", "blank last"])
def tokenizer(request, tmp_path):
    if request.param.startswith("stand-in"):
        return BlankLast() if "last" in request.param else Frames()
    transformers = pytest.importorskip("transformers", reason="transformers is missing: pip install -e '.[trainer]'")
    special = ["<pad>", "<s>", "</s>", "<unk>"]
    letters = ["|", *Frames.letters[1:]]
    words = [*special, *letters] if request.param == "blank first" else [*letters, *special[::-1]]
    (tmp_path / "vocab.json").write_text(json.dumps({word: i for i, word in enumerate(words)}))
    made = transformers.Wav2Vec2CTCTokenizer(str(tmp_path / "vocab.json"))
    made.ids = lambda text: made(text)["input_ids"]
    return made


@pytest.mark.parametrize("form", ["ids", "logits", "outputs", "batches"])
def test_double_letters_of_labels_and_of_frames_stay(tokenizer, form):
    scores = compute_metrics(tokenizer, ["wer", "cer"])
    for predictions in (TEXTS, WRONG):
        ids, labels = of_texts(tokenizer, predictions, TEXTS)
        logits = logits_of(ids, 32)
        given = {"ids": ids, "logits": logits, "outputs": (logits, np.zeros(3)), "batches": [logits[:1], logits[1:]]}
        if form == "batches":
            labels = [labels[:1], labels[1:]]
        found = scores((given[form], labels))
        assert found["wer"] == textgauge.wer(predictions, TEXTS)["wer"]
        assert found["cer"] == textgauge.cer(predictions, TEXTS)["cer"]
        # Of what is left of equal frames and blanks.
        assert found["gen_len"] == sum(map(len, predictions)) / 3


def test_the_figures_are_those_of_the_tokenizers_own_decoding(tokenizer):
    if isinstance(tokenizer, Frames):
        pytest.skip("the stand-in has none")
    for text in TEXTS:
        assert tokenizer.decode(frames_of(tokenizer.ids(text), tokenizer.pad_token_id)) == text
        assert tokenizer.decode(tokenizer.ids(text), group_tokens=False) == text
        assert tokenizer.decode(tokenizer.ids(text)) == text.replace("rr", "r").replace("ll", "l").replace("oo", "o")


def test_special_tokens_between_equal_frames_keep_them_apart(tokenizer):
    letters = tokenizer.ids("l")
    frames = np.array([[*letters, *letters, tokenizer.pad_token_id, *letters, tokenizer.unk_token_id, *letters]])
    found = compute_metrics(tokenizer, "cer")((frames, np.array([letters * 3])))
    assert found["cer"] == 0


def test_as_many_frames_as_labels_are_still_frames(tokenizer):
    """An encoder-decoder model has as many logits as labels, of which only those with a label count."""
    frames = np.array([[*tokenizer.ids("a"), tokenizer.pad_token_id, *tokenizer.ids("b")]])
    labels = np.array([[*tokenizer.ids("ab"), -100]])
    scores = compute_metrics(tokenizer, "cer")
    assert scores((logits_of(frames, 32), labels))["cer"] == 0


def test_preprocessing_of_frames_needs_no_labels_at_their_places(tokenizer):
    torch = pytest.importorskip("torch", reason="torch is missing: pip install -e '.[trainer]'")
    scores = compute_metrics(tokenizer, ["wer"])
    ids, labels = of_texts(tokenizer, WRONG, TEXTS)
    logits = torch.tensor(logits_of(ids, 32))
    found = scores.preprocess_logits_for_metrics((logits, None), torch.tensor(labels))
    assert found.tolist() == ids.tolist()
    assert scores.preprocess_logits_for_metrics(found, labels) is found
    assert scores((found, labels))["wer"] == textgauge.wer(WRONG, TEXTS)["wer"]
    with pytest.raises(ValueError, match=r"^label_ids: .*got \(3, 9\)"):
        preprocess_logits_for_metrics(logits, torch.tensor(labels))


def test_preprocessing_of_other_models_is_the_function(monkeypatch):
    monkeypatch.setattr(
        "textgauge.trainer.metrics.preprocess_logits_for_metrics", lambda *given, causal: (*given, causal)
    )
    assert compute_metrics(Frames(), ctc=False).preprocess_logits_for_metrics(1, 2) == (1, 2, None)


class Plain(Frames):
    """A tokenizer that knows nothing of CTC."""

    def decode(self, row, skip_special_tokens):
        return super().decode(row, skip_special_tokens, group_tokens=False)


def test_a_model_may_differ_from_what_its_tokenizer_says():
    ids, labels = of_texts(Plain(), TEXTS, TEXTS)
    assert compute_metrics(Plain(), "cer", ctc=True)((ids, labels))["cer"] == 0
    assert compute_metrics(Plain(), "cer")((ids, labels))["cer"] > 0.5
    # A transducer emits every token once, without blanks.
    assert compute_metrics(Frames(), "cer", ctc=False)((labels, labels))["cer"] == 0
    assert compute_metrics(Frames(), "cer")((labels, labels))["cer"] > 0
    with pytest.raises(TypeError, match="^ctc: .*got 'yes'"):
        compute_metrics(Frames(), ctc="yes")


class Processor:
    """Of a model of speech: its tokenizer with what makes features."""

    def __init__(self, tokenizer):
        self.tokenizer = tokenizer

    def decode(self, *row, **settings):
        return self.tokenizer.decode(*row, **settings)


def test_a_processor_is_as_good_as_its_tokenizer(tokenizer):
    given = of_texts(tokenizer, WRONG, TEXTS)
    assert compute_metrics(Processor(tokenizer), "wer")(given) == compute_metrics(tokenizer, "wer")(given)


def test_unknown_characters_of_labels_are_told_once(tokenizer):
    ids, labels = of_texts(tokenizer, TEXTS, TEXTS)
    labels[:2, 0] = tokenizer.unk_token_id
    scores = compute_metrics(tokenizer, "wer")
    with pytest.warns(UserWarning, match="^some labels have characters that the tokenizer does not know") as caught:
        scores(([ids, ids], [labels, labels]))
    assert len(caught) == 1
    # A label is counted once, however many it has.
    labels[0, :2] = tokenizer.unk_token_id
    with pytest.warns(CountWarning) as caught:
        Decoder(tokenizer, None).labels(labels)
    assert [one.message.count for one in caught] == [2]
    # GPT-2 has one token for the unknown and for the end.
    labels[2, 0] = tokenizer.pad_token_id
    unknown, tokenizer.unk_token_id = tokenizer.unk_token_id, tokenizer.pad_token_id
    compute_metrics(tokenizer, "wer")((ids, labels))
    # Whichever end that is.
    for end in ("bos", "eos"):
        tokenizer.bos_token_id = tokenizer.eos_token_id = None
        setattr(tokenizer, f"{end}_token_id", unknown)
        tokenizer.unk_token_id = unknown
        compute_metrics(tokenizer, "wer")((ids, labels))


def test_a_space_before_the_text_is_the_tokenizers():
    class Spaced(Plain):
        def decode(self, row, skip_special_tokens):
            return f" {super().decode(row, skip_special_tokens)}"

    ids = np.array([Spaced().ids("ab")])
    assert compute_metrics(Spaced(), "exact_match")((np.insert(ids, 0, 2, axis=1), ids))["exact_match"] == 1


def test_prompts_of_whisper_are_no_part_of_a_text():
    transformers = pytest.importorskip("transformers", reason="transformers is missing: pip install -e '.[trainer]'")
    letters = [*"abcdefghijklmnopqrstuvwxyz", "\u0120"]
    of = transformers.WhisperTokenizer(vocab={letter: i for i, letter in enumerate(letters)}, merges=[])
    marks = ["<|startoftranscript|>", "<|startofprev|>", "<|notimestamps|>"]
    of.add_special_tokens({"additional_special_tokens": marks})
    begin, previous, mark = of.convert_tokens_to_ids(marks)

    def ids(text):
        return of(text, add_special_tokens=False)["input_ids"]

    predictions = padded([[begin, mark, *ids(f" {text}"), of.eos_token_id] for text in TEXTS])
    labels = padded([[previous, *ids(" what was said"), begin, mark, *ids(f" {text}")] for text in TEXTS])
    assert compute_metrics(of, "wer")((predictions, labels))["wer"] == 0


def test_sources_are_decoded_by_the_vocabulary_of_their_language():
    class TwoLanguages(Plain):
        separate_vocabs = True

        def decode(self, row, skip_special_tokens, use_source_tokenizer=False):
            text = super().decode(row, skip_special_tokens)
            return text.upper() if use_source_tokenizer else text

    class Outputs(tuple):
        inputs = np.array([TwoLanguages().ids("ab cd")])

    ids = np.array([TwoLanguages().ids("cd")])
    for prefix in ("AB ", "AB", " AB "):
        scores = compute_metrics(TwoLanguages(), "sari", source_prefix=prefix)
        assert scores(Outputs((ids, ids)))["sari"] == textgauge.sari(["cd"], ["cd"], sources=["CD"])["sari"]
        # Without the space behind the prefix.
        assert scores._sources(Outputs.inputs, 0) == ["CD"]
        # A text that has the words of the prefix keeps them.
        assert scores._sources(np.array([TwoLanguages().ids("ab cd ab ef")]), 0) == ["CD AB EF"]
    # A process counts from the first of its rows.
    with pytest.raises(ValueError, match=r"^eval_prediction\.inputs\[7\]: .*'to'.*got 'AB CD'"):
        compute_metrics(TwoLanguages(), "sari", source_prefix="to")._sources(Outputs.inputs, 7)


@pytest.mark.parametrize("with_logits", [False, True])
def test_a_row_without_frames_is_an_empty_text(with_logits):
    of = Frames()
    ids = np.array([[-100, -100, -100], of.ids("a b")])
    labels = np.array([of.ids("a b"), of.ids("a b")])
    found = compute_metrics(of, "wer", ctc=True)((logits_of(ids, 32) if with_logits else ids, labels))
    assert (found["wer"], found["gen_len"]) == (0.5, 1.5)


def speech(tokenizer):
    """Rows, a function that puts them beside each other, and a model that hears everything, in two frames for each."""
    for name in ("torch", "transformers", "accelerate"):
        pytest.importorskip(name, reason=f"{name} is missing: pip install -e '.[trainer]'")
    import torch

    class Repeats(torch.nn.Module):
        def forward(self, frames, labels):
            heard = torch.nn.functional.one_hot(frames.repeat_interleave(2, dim=1), 32).float()
            return {"loss": torch.tensor(0.0), "logits": heard}

    def collated(rows):
        frames = padded([row["frames"] for row in rows], tokenizer.pad_token_id)
        return {"frames": torch.tensor(frames), "labels": torch.tensor(padded([row["labels"] for row in rows]))}

    rows = [
        {"frames": frames_of(tokenizer.ids(said), tokenizer.pad_token_id), "labels": tokenizer.ids(text)}
        for said, text in zip(WRONG, TEXTS, strict=True)
    ]
    return Repeats(), rows, collated


def rates(metrics):
    return {key.removeprefix("eval_"): value for key, value in metrics.items() if key in ("eval_wer", "eval_cer")}


EXPECTED = {name: getattr(textgauge, name)(WRONG, TEXTS)[name] for name in ("wer", "cer")}


@pytest.mark.parametrize("batchwise", [False, True])
def test_the_trainer_passes_frames_of_batches_of_unlike_length(tmp_path, tokenizer, batchwise):
    model, rows, collated = speech(tokenizer)
    from transformers import Trainer, TrainingArguments

    arguments = {"report_to": [], "use_cpu": True, "disable_tqdm": True}
    scores = compute_metrics(tokenizer, ["wer", "cer"])
    trainer = Trainer(
        model,
        TrainingArguments(str(tmp_path), per_device_eval_batch_size=1, batch_eval_metrics=batchwise, **arguments),
        eval_dataset=rows, data_collator=collated, compute_metrics=scores,
    )  # fmt: skip
    assert rates(trainer.evaluate()) == EXPECTED


@pytest.mark.filterwarnings("ignore:.*pin_memory")
def test_the_recipe_of_the_card(tmp_path, tokenizer):
    if isinstance(tokenizer, Frames):
        pytest.skip("a real tokenizer is asked for")
    model, rows, collated = speech(tokenizer)
    card = Path(textgauge.path("wer"), "README.md").read_text()
    [block] = [block for block in re.findall(r"^```python\n(.*?)^```$", card, re.M | re.S) if "Trainer(" in block]
    theirs = {"processor": Processor(tokenizer), "model": model, "rows": rows, "output_dir": tmp_path}
    exec(compile(block, "the card of wer", "exec"), theirs | {"collator": collated}, theirs)
    assert rates(theirs["metrics"]) == EXPECTED


def test_a_frame_is_padding_only_if_all_its_logits_are():
    assert most_likely_frames(np.array([[[3.0, -100.0, 1.0], [-100.0, 2.0, 0.0], [-100.0] * 3]])).tolist() == [
        [0, 1, -100]
    ]


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

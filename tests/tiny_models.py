"""Real models of a few thousand parameters and tokenizers trained on the fly."""

import json
from functools import partial
from itertools import pairwise

import pytest
import textgauge

CONTEXT = 24
START = "<|start|>"
TRAINING = ["the cat sat on the mat", "a dog barks at the cat", "na\u00efve caf\u00e9s sell coffee", "one, two: three!"]


class Malicious:
    """What opens a file when it is unpickled."""

    def __init__(self, file):
        self.file = str(file)

    def __reduce__(self):
        return open, (self.file, "w")


def save_tokenizer(folder, *, bos_token=START, **settings):
    """Save a byte-level BPE tokenizer, as GPT-2 has one."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=300,
        special_tokens=[START],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(TRAINING, trainer)
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, bos_token=bos_token, **settings)
    fast.save_pretrained(folder)
    return fast


def save_model(folder, architecture, n_words, context=CONTEXT):
    """Save a model with random weights, large enough that context and position matter.

    GPT-2 has learned positions, Llama rotary ones, Bloom none and so no stated context.
    """
    import torch
    import transformers as hf

    # Two threads only wait for each other over matrices of 16 columns.
    torch.set_num_threads(1)
    wide = {"vocab_size": n_words, "initializer_range": 0.4, "bos_token_id": 0, "eos_token_id": 0}
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(7)
        if architecture == "gpt2":
            model = hf.GPT2LMHeadModel(hf.GPT2Config(n_positions=context, n_embd=16, n_layer=2, n_head=2, **wide))
        elif architecture == "bloom":
            model = hf.BloomForCausalLM(hf.BloomConfig(hidden_size=16, n_layer=2, n_head=2, **wide))
        else:
            config = hf.LlamaConfig(
                hidden_size=16, intermediate_size=32, num_hidden_layers=2, num_attention_heads=2,
                num_key_value_heads=1, max_position_embeddings=context, **wide,
            )  # fmt: skip
            model = hf.LlamaForCausalLM(config)
    model.save_pretrained(folder)
    return model.eval()


def save_words(folder, **settings):
    """Save a tokenizer of words and characters.

    The padding token is not 0, as that of RoBERTa, and of all models that come from it.
    """
    import torch
    import transformers as hf
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    # As in `save_model`: every model that reads these is as small.
    torch.set_num_threads(1)
    letters = sorted({*"".join(TRAINING), *"bcdfghjklmnpqrvwxyz"} - {" "})
    words = sorted({word for text in TRAINING for word in text.split()} - {*letters})
    marks = ["[UNK]", "[PAD]", "[CLS]", "[SEP]"]
    pieces = [*marks, *letters, *words, *(f"##{letter}" for letter in letters)]
    tokenizer = Tokenizer(models.WordPiece({piece: i for i, piece in enumerate(pieces)}, unk_token="[UNK]"))
    tokenizer.normalizer, tokenizer.pre_tokenizer = normalizers.Lowercase(), pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    names = {"pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]", **settings}
    fast = hf.PreTrainedTokenizerFast(tokenizer_object=tokenizer, **names)
    fast.save_pretrained(folder)
    return fast


def save_encoder(folder, context=64, **settings):
    """Save a BERT of three layers with random weights, and its tokenizer."""
    import torch
    import transformers as hf

    fast = save_words(folder, **settings)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(7)
        config = hf.BertConfig(
            vocab_size=len(fast), hidden_size=16, num_hidden_layers=3, num_attention_heads=2, intermediate_size=32,
            max_position_embeddings=context, initializer_range=0.4, pad_token_id=1,
        )  # fmt: skip
        model = hf.BertModel(config)
    model.save_pretrained(folder)
    return model.eval(), fast


def save_comet(folder, kind="regression_metric", family="XLM-RoBERTa", context=40, **settings):
    """Save a checkpoint of COMET with random weights in the Hub's layout, and beside it its encoder without weights.

    Return the encoder, the tokenizer, the other weights and the settings.
    """
    import torch
    import transformers as hf
    import yaml

    names = {"XLM-RoBERTa": "XLMRoberta", "XLM-RoBERTa-XL": "XLMRobertaXL", "RemBERT": "RemBert"}
    name, encoder, has_odd_norms = names.get(family, "Bert"), folder / "encoder", settings.pop("has_odd_norms", False)
    tokenizer = save_words(encoder)
    config = getattr(hf, f"{name}Config")(
        vocab_size=len(tokenizer), hidden_size=16, num_hidden_layers=3, num_attention_heads=2, intermediate_size=32,
        max_position_embeddings=context, initializer_range=0.4, pad_token_id=1, type_vocab_size=2,
        **({"input_embedding_size": 8} if family == "RemBERT" else {}),
    )  # fmt: skip
    config.save_pretrained(encoder)
    written = {
        "class_identifier": kind, "encoder_model": family, "pretrained_model": str(encoder), "layer": "mix",
        "sent_layer": "mix", "pool": "avg", "layer_norm": False, "layer_transformation": "softmax", "word_layer": 2,
        "activations": "Tanh", "final_activation": None, "input_segments": ["mt", "src", "ref"],
        "word_level_training": kind == "xcomet_metric", "error_labels": ["minor", "major", "critical"], **settings,
    }  # fmt: skip
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(11)
        model = getattr(hf, f"{name}Model")(config, add_pooling_layer=False).eval()
        rest = _weights_of_comet(torch, written)
        for key, value in model.named_parameters() if has_odd_norms else ():
            if "LayerNorm" in key or "layer_norm" in key:
                value.data += torch.randn(value.shape)
    state = {f"encoder.model.{key}": value for key, value in model.state_dict().items()} | rest
    (folder / "checkpoints").mkdir(exist_ok=True)
    torch.save({"state_dict": state, "hyper_parameters": written}, folder / "checkpoints/model.ckpt")
    (folder / "hparams.yaml").write_text(yaml.safe_dump(written))
    return model, tokenizer, rest, written


def _weights_of_comet(torch, written):
    """Random weights beside those of an encoder of three layers and 16 columns."""
    is_joint = written["class_identifier"] in ("unified_metric", "xcomet_metric")
    rest = {}
    if written["sent_layer" if is_joint else "layer"] == "mix":
        rest = {f"layerwise_attention.scalar_parameters.{i}": torch.randn(1) for i in range(4)}
        rest["layerwise_attention.gamma"] = torch.tensor([1.3])
    n_vectors = 1 if is_joint else 4 if written["class_identifier"].startswith("referenceless") else 6
    for place, (wide, narrow) in zip((0, 3, 6), pairwise([16 * n_vectors, 12, 6, 1]), strict=True):
        rest[f"estimator.ff.{place}.weight"] = torch.randn(narrow, wide) / wide**0.5
        rest[f"estimator.ff.{place}.bias"] = torch.randn(narrow)
    if written["word_level_training"]:
        rest["hidden2tag.weight"], rest["hidden2tag.bias"] = torch.randn(4, 16), torch.randn(4)
    return rest


def save_metricx(folder, form="24", dtype="float32", file="safetensors", **changes):
    """Save a checkpoint of MetricX with random weights in a folder that `form` names, and its tokenizer in `mt5`.

    Return the folder and the weights by name; `changes` are of the configuration.
    """
    import numpy as np
    import torch

    model, words = folder / f"metricx-{form}-tiny-{dtype}-{file}", folder / "mt5"
    model.mkdir(exist_ok=True)
    if not words.exists():
        save_pieces(words)
    config = {
        "architectures": ["MT5ForRegression"], "model_type": "mt5", "d_model": 8, "d_kv": 4, "d_ff": 12, "num_heads": 2,
        "num_layers": 2, "num_decoder_layers": 2, "vocab_size": 250112, "feed_forward_proj": "gated-gelu",
        "decoder_start_token_id": 0, "pad_token_id": 0, "eos_token_id": 1, "relative_attention_num_buckets": 32,
        "tie_word_embeddings": False, "torch_dtype": dtype, **changes,
    }  # fmt: skip
    (model / "config.json").write_text(json.dumps(config))
    weights = weights_of_mt5(np.random.default_rng(3))
    state = {key: torch.from_numpy(value).to(getattr(torch, dtype)) for key, value in weights.items()}
    save_weights(model, state, file)
    return model, {key: value.float().numpy() for key, value in state.items()}


def save_weights(folder, state, file="safetensors"):
    """Save the weights of a checkpoint as the one or the other kind of file."""
    import torch

    if file == "safetensors":
        from safetensors.torch import save_file

        save_file(state, folder / "model.safetensors", metadata={"format": "pt"})
    else:
        same = {f"{stack}.embed_tokens.weight": state["shared.weight"] for stack in ("encoder", "decoder")}
        torch.save({**state, **same}, folder / "pytorch_model.bin")


def weights_of_mt5(random, size=8, inner=12, n_words=250112):
    """The weights of two layers each of encoder and decoder, by their names in a checkpoint."""
    import numpy as np

    def of(*shape, scale=0.5):
        return (random.standard_normal(shape) * scale).astype("float32")

    shared, head = np.zeros((n_words, size), "float32"), np.zeros((n_words, size), "float32")
    shared[:600], head[250080:250112] = of(600, size, scale=1.0), of(32, size, scale=3.0)
    weights = {"shared.weight": shared, "lm_head.weight": head}
    for stack, names in (("encoder", ["SelfAttention"]), ("decoder", ["SelfAttention", "EncDecAttention"])):
        for i in range(2):
            block = f"{stack}.block.{i}.layer"
            for place, name in enumerate([*names, "DenseReluDense"]):
                weights[f"{block}.{place}.layer_norm.weight"] = 1 + of(size, scale=0.2)
                shapes = {part: (size, size) for part in "qkvo"}
                if name == "DenseReluDense":
                    shapes = {"wi_0": (inner, size), "wi_1": (inner, size), "wo": (size, inner)}
                weights |= {f"{block}.{place}.{name}.{part}.weight": of(*shape) for part, shape in shapes.items()}
            if i == 0:
                weights[f"{block}.0.SelfAttention.relative_attention_bias.weight"] = of(32, 2, scale=1.0)
        weights[f"{stack}.final_layer_norm.weight"] = 1 + of(size, scale=0.2)
    return weights


def save_pieces(folder):
    """Save a tokenizer as that of mT5: sentence pieces alone, without the form that a fast tokenizer has."""
    import sentencepiece

    folder.mkdir()
    lines = [
        *TRAINING,
        "source: candidate: reference:",
        "na\u00efve \u4f60\u597d",
        "the  dog\u3000sat",
        "0123456789",
    ] * 3
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(lines), model_prefix=str(folder / "spiece"), vocab_size=330, model_type="unigram",
        pad_id=0, eos_id=1, unk_id=2, bos_id=-1, byte_fallback=True, character_coverage=1.0,
        normalization_rule_name="nmt_nfkc", hard_vocab_limit=False, minloglevel=2,
    )  # fmt: skip
    (folder / "spiece.vocab").unlink()
    marks = {"eos_token": "</s>", "unk_token": "<unk>", "pad_token": "<pad>"}
    more = {"extra_ids": 0, "additional_special_tokens": None, "tokenizer_class": "T5Tokenizer"}
    (folder / "tokenizer_config.json").write_text(json.dumps({**marks, **more}))
    (folder / "special_tokens_map.json").write_text(json.dumps(marks))
    (folder / "config.json").write_text(json.dumps({"model_type": "mt5", "tokenizer_class": "T5Tokenizer"}))


def load_learned(metric, model_id, encoder=None, **options):
    """The model of a learned metric, as the metric loads it."""
    from textgauge.accumulation.registry import METRICS

    kind = METRICS[metric]
    given = {"model_id": model_id, **({} if encoder is None else {"encoder": encoder}), **options}
    return kind(kind.options_type(**given)).model()


def save_bleurt(folder, form="bert", file="bin", prefix="bleurt", longest=64, **changes):
    """Save a checkpoint of BLEURT with random weights, of the `form` "bert" or "20"; return its weights by name.

    That of BERT has word pieces, that of BLEURT-20 sentence pieces and embeddings of their own size.
    """
    import numpy as np
    import torch

    folder.mkdir(parents=True, exist_ok=True)
    embedding = None if form == "bert" else 12
    n_words = _words_of_bleurt(folder) if form == "bert" else _pieces_of_bleurt(folder)
    architecture = "BleurtForSequenceClassification" if prefix == "bleurt" else "BertForSequenceClassification"
    config = {
        "architectures": [architecture], "model_type": prefix, "embedding_size": embedding, "hidden_act": "gelu",
        "hidden_size": 16, "intermediate_size": 24, "num_hidden_layers": 2, "num_attention_heads": 2,
        "max_position_embeddings": longest, "type_vocab_size": 2, "vocab_size": n_words, "layer_norm_eps": 1e-12,
        "pad_token_id": 0, "id2label": {"0": "LABEL_0"}, "position_embedding_type": "absolute", **changes,
    }  # fmt: skip
    (folder / "config.json").write_text(json.dumps(config))
    weights = _weights_of_bleurt(np.random.default_rng(9), prefix, n_words, embedding, longest)
    state = {key: torch.from_numpy(value) for key, value in weights.items()}
    if file == "safetensors":
        save_weights(folder, state)
    else:
        torch.save(state, folder / "pytorch_model.bin")
    return weights


def _words_of_bleurt(folder):
    letters = sorted({*"".join(TRAINING), *"bcdfghjklmnpqrvwxyz,.!?[]"} - {" "})
    words = sorted({word for text in TRAINING for word in text.split()} - {*letters})
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *letters, *words, *(f"##{letter}" for letter in letters)]
    (folder / "vocab.txt").write_text("\n".join(pieces) + "\n", encoding="utf-8")
    return len(pieces)


def _pieces_of_bleurt(folder):
    import sentencepiece

    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter([*TRAINING, "the  dog\u3000sat", "0123456789"] * 3), model_prefix=str(folder / "spm"),
        vocab_size=120, model_type="unigram", pad_id=0, unk_id=1, bos_id=2, eos_id=3, pad_piece="[PAD]",
        unk_piece="[UNK]", bos_piece="[CLS]", eos_piece="[SEP]", control_symbols=["[MASK]"], hard_vocab_limit=False,
        normalization_rule_name="nmt_nfkc", minloglevel=2,
    )  # fmt: skip
    (folder / "spm.vocab").unlink()
    return 130


def _weights_of_bleurt(random, prefix, n_words, embedding, longest, size=16, inner=24):
    """The weights of two layers, by their names in a checkpoint."""

    def of(*shape, scale=0.4):
        return (random.standard_normal(shape) * scale).astype("float32")

    wide = embedding or size
    rows = {"word": n_words, "position": longest, "token_type": 2}
    weights = {f"embeddings.{name}_embeddings.weight": of(n, wide) for name, n in rows.items()}
    weights |= {"embeddings.LayerNorm.weight": 1 + of(wide, scale=0.1), "embeddings.LayerNorm.bias": of(wide)}
    if embedding:
        projection = "encoder.embedding_projection"
        weights |= {f"{projection}.weight": of(size, wide), f"{projection}.bias": of(size)}
    parts = {f"attention.self.{name}": (size, size) for name in ("query", "key", "value")}
    parts |= {
        "attention.output.dense": (size, size),
        "intermediate.dense": (inner, size),
        "output.dense": (size, inner),
    }
    for i in range(2):
        for part, shape in parts.items():
            weights[f"encoder.layer.{i}.{part}.weight"] = of(*shape)
            weights[f"encoder.layer.{i}.{part}.bias"] = of(shape[0], scale=0.2)
        for part in ("attention.output.LayerNorm", "output.LayerNorm"):
            weights[f"encoder.layer.{i}.{part}.weight"] = 1 + of(size, scale=0.1)
            weights[f"encoder.layer.{i}.{part}.bias"] = of(size, scale=0.1)
    weights |= {"pooler.dense.weight": of(size, size), "pooler.dense.bias": of(size)}
    named = {f"{prefix}.{name}": value for name, value in weights.items()}
    return {**named, "classifier.weight": of(1, size, scale=0.15), "classifier.bias": of(1)}


def on_one_thread(reason, *packages):
    """A fixture that skips tests without the packages, and has torch compute on one thread.

    Two threads only wait for each other over small matrices.
    """

    @pytest.fixture(autouse=True, scope="session")
    def one_thread():
        torch, *_ = [pytest.importorskip(name, reason=reason) for name in ("torch", *packages)]
        before = torch.get_num_threads()
        torch.set_num_threads(1)
        yield
        torch.set_num_threads(before)
        textgauge.models.clear_models()

    return one_thread


def refused(metric, model_id, message, error=ValueError, **options):
    """Assert that a metric does not load a model, in one line without the advice of torch, which would run its code."""
    with pytest.raises(error, match=message) as caught:
        load_learned(metric, model_id, **options)
    assert "\n" not in str(caught.value)
    assert "weights_only" not in str(caught.value)


load_comet, load_metricx = partial(load_learned, "comet"), partial(load_learned, "metricx")


def save_pair_model(folder, n_labels=2, labels=None, context=64):
    """Save a BERT of two layers with random weights that classifies pairs of texts, and its tokenizer; return it."""
    import torch
    import transformers as hf

    fast = save_words(folder)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(3)
        config = hf.BertConfig(
            vocab_size=len(fast), hidden_size=16, num_hidden_layers=2,
            num_attention_heads=2, intermediate_size=32, max_position_embeddings=context, initializer_range=0.4,
            num_labels=n_labels, **({} if labels is None else {"id2label": dict(enumerate(labels))}),
        )  # fmt: skip
        model = hf.BertForSequenceClassification(config)
    model.save_pretrained(folder)
    return model.eval()


def save_align(folder):
    """Save a checkpoint of AlignScore with random weights, and its encoder beside it; return both."""
    import torch

    encoder = folder / "encoder"
    model = save_pair_model(encoder)
    state = {f"base_model.{key}": value for key, value in model.bert.state_dict().items()}
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(5)
        for name, size in (("bin_layer", 2), ("tri_layer", 3), ("reg_layer", 1)):
            state |= {f"{name}.weight": torch.randn(size, 16), f"{name}.bias": torch.randn(size)}
    # Lightning stores more; none of it is read.
    torch.save(
        {"state_dict": state, "pytorch-lightning_version": "1.9.5", "hyper_parameters": {}}, folder / "align.ckpt"
    )
    return folder / "align.ckpt", encoder


# For each metric with a model: saves one in a folder; the options that name it by its place below the folder; packages.
OF_METRICS = {
    "perplexity": (lambda folder: save_model(folder / "tiny", "gpt2", len(save_tokenizer(folder / "tiny"))), {}, ()),
    "bertscore": (lambda folder: save_encoder(folder / "tiny"), {"num_layers": 2}, ()),
    "comet": (lambda folder: save_comet(folder / "tiny", "xcomet_metric", context=200), {}, ()),
    "metricx": (
        save_metricx, {"model_id": "metricx-24-tiny-float32-safetensors", "encoder": "mt5"},
        ("sentencepiece", "google.protobuf"),
    ),
    "bleurt": (lambda folder: save_bleurt(folder / "tiny"), {}, ()),
    "consistency": (lambda folder: save_pair_model(folder / "tiny", 2), {}, ()),
    "frugalscore": (lambda folder: save_pair_model(folder / "tiny", 1), {}, ()),
}  # fmt: skip


def save_for(metric, folder):
    """Save a tiny model for a metric in a new folder, and return the options that name it from within the folder."""
    save, options, packages = OF_METRICS[metric]
    for name in ("torch", *packages):
        pytest.importorskip(name)
    (folder / "tiny").mkdir(parents=True)
    save(folder)
    return {"model_id": "tiny", **options}

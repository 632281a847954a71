"""Real models of a few thousand parameters and tokenizers trained on the fly."""

from itertools import pairwise

CONTEXT = 24
START = "<|start|>"
TRAINING = ["the cat sat on the mat", "a dog barks at the cat", "na\u00efve caf\u00e9s sell coffee", "one, two: three!"]


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


def save_encoder(folder, context=64, **settings):
    """Save a BERT of three layers with random weights, and a tokenizer of words and characters."""
    import torch
    import transformers as hf
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    torch.set_num_threads(1)
    letters = sorted({*"".join(TRAINING), *"bcdfghjklmnpqrvwxyz"} - {" "})
    words = sorted({word for text in TRAINING for word in text.split()} - {*letters})
    marks = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
    pieces = [*marks, *letters, *words, *(f"##{letter}" for letter in letters)]
    tokenizer = Tokenizer(models.WordPiece({piece: i for i, piece in enumerate(pieces)}, unk_token="[UNK]"))
    tokenizer.normalizer, tokenizer.pre_tokenizer = normalizers.Lowercase(), pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    names = {"pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]", **settings}
    fast = hf.PreTrainedTokenizerFast(tokenizer_object=tokenizer, **names)
    fast.save_pretrained(folder)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(7)
        config = hf.BertConfig(
            vocab_size=len(pieces), hidden_size=16, num_hidden_layers=3, num_attention_heads=2, intermediate_size=32,
            max_position_embeddings=context, initializer_range=0.4,
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
    _, tokenizer = save_encoder(encoder)
    for weights in encoder.glob("*.safetensors"):
        weights.unlink()
    config = getattr(hf, f"{name}Config")(
        vocab_size=len(tokenizer), hidden_size=16, num_hidden_layers=3, num_attention_heads=2, intermediate_size=32,
        max_position_embeddings=context, initializer_range=0.4, pad_token_id=0, type_vocab_size=2,
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

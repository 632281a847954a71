"""Real causal language models of a few thousand parameters and a tokenizer trained on the fly."""

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

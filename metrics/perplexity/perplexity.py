"""Perplexity for `evaluate.load`."""

import datasets
import evaluate
from textgauge import modules
from textgauge.language_model import ModelOptions
from textgauge.measures import perplexity as measured
from textgauge.measures.probabilities import check_base

COLUMNS = ("prefixes", "log_probs", "probs")

_DESCRIPTION = """\
Perplexity is exp of the mean negative log-likelihood, in nats, that a language model gives the
tokens of a text. At least 1, unbounded, lower is better; comparable only under the same model.
"""

_CITATION = """\
@article{jelinek-etal-1977-perplexity,
    title = "Perplexity: a measure of the difficulty of speech recognition tasks",
    author = "Jelinek, Fred and Mercer, Robert L. and Bahl, Lalit R. and Baker, James K.",
    journal = "The Journal of the Acoustical Society of America",
    volume = "62",
    number = "S1",
    year = "1977",
    pages = "S63",
}
"""

_KWARGS_DESCRIPTION = """
Args:
    predictions: list of str, the texts; may be left out with log_probs or probs.
    model_id: name or path of a causal language model, kept for the next call.
    batch_size: texts, or windows of long texts, that go through the model at once.
    add_start_token: True puts BOS before each text, so that its first token counts.
    device: any device of torch; None is "cuda" if there is one, else "cpu".
    max_length: cut what is longer; with stride the length of a window.
    model, tokenizer: loaded ones; model may be a textgauge.NgramModel.
    model_kwargs: dict for from_pretrained, such as {"dtype": "bfloat16"}.
    device_map: as in from_pretrained, in place of device.
    stride: slide a window over long texts, each token scored once.
    prefixes: list of str, what stands before each text; its tokens do not count.
    log_probs, probs: list of lists of float, one list per text, in place of a model.
    base: "e", 2 or 10, the base of log_probs.
    per_segment: True adds `segment_nll` and `segment_n_tokens`.
    signature: True adds `signature`, the line that says what was computed.
    confidence: adds `confidence_interval`, [low, high] around `corpus_perplexity`; 0.95 for 95 percent.
    n_resamples, seed: of the bootstrap behind it.
Returns:
    perplexities, mean_perplexity, corpus_perplexity, nll (nats, summed), n_tokens,
    bits_per_token, bits_per_byte, bits_per_word
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _KWARGS_DESCRIPTION)
class Perplexity(modules.UnpairedTextMetric):
    def _info(self):
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_KWARGS_DESCRIPTION,
            features=datasets.Features({"predictions": datasets.Value("string")}),
            reference_urls=["https://huggingface.co/docs/transformers/perplexity"],
        )

    def _check(
        self, per_segment=False, signature=False, confidence=None, n_resamples=None, seed=None, base="e", **options
    ):
        modules.flag("per_segment", per_segment)
        modules.flag("signature", signature)
        modules.interval_options(confidence, n_resamples, seed)
        check_base(base)
        ModelOptions(**{name: value for name, value in options.items() if name not in COLUMNS})

    def _idle(self, **options):
        """Say which options change nothing beside the others, and what they need."""
        return measured.Perplexity.idle(**options)

    def _wants_segments(self, log_probs=None, probs=None, **_):
        """Say whether there are texts to score: probabilities can stand alone."""
        return log_probs is None and probs is None

    def _score(
        self, texts, *, model_id=None, batch_size=16, add_start_token=True, device=None, max_length=None,
        model=None, tokenizer=None, model_kwargs=None, device_map=None, stride=None, prefixes=None,
        log_probs=None, probs=None, base="e", per_segment=False, signature=False, confidence=None,
        n_resamples=None, seed=None,
    ):  # fmt: skip
        return measured.perplexity(
            texts=texts, log_probs=log_probs, probs=probs, base=base, prefixes=prefixes, per_segment=per_segment,
            model_id=model_id, model=model, tokenizer=tokenizer, model_kwargs=model_kwargs, device=device,
            device_map=device_map, batch_size=batch_size, add_start_token=add_start_token, max_length=max_length,
            stride=stride, signature=signature, confidence=confidence, n_resamples=n_resamples, seed=seed,
        )  # fmt: skip

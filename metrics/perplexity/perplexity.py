"""Perplexity for `evaluate.load`."""

import textgauge
from textgauge import modules
from textgauge.models import text_models as probabilities


class Perplexity(modules.UnpairedTextMetric):
    """Perplexity is exp of the mean negative log-likelihood, in nats, of the tokens of a text under a
    language model. At least 1, unbounded, lower is better; comparable only under the same model.
    """

    accumulator = textgauge.Perplexity
    extra = "perplexity"
    function = textgauge.perplexity
    citation = """
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
    urls = ("https://huggingface.co/docs/transformers/perplexity",)
    inputs = """
    predictions: list of str, the texts; optional with log_probs or probs.
    prefixes: list of str, a context before each text, whose tokens are not scored.
    log_probs, probs: list of lists of float, one list per text, instead of a model.
    base: "e", 2 or 10, the base of log_probs.
    """
    returns = (
        "perplexities, mean_perplexity, corpus_perplexity, nll (nats, summed), n_tokens, bits per token, byte and word"
    )
    examples = """
    >>> import evaluate
    >>> import textgauge
    >>> perplexity = evaluate.load(textgauge.path("perplexity"))
    >>> perplexity.compute(probs=[[1/2, 1/4, 1/8]])["corpus_perplexity"]
    4.0
    """

    def _scoring(self, given):
        """Check the options; return what scores texts or probabilities with them."""
        probabilities.check_base({**self.defaults, **given}.get("base", "e"))
        return super()._scoring(given)

    def _wants_segments(self, log_probs=None, probs=None, **_):
        """Return whether texts are needed: probabilities need none."""
        return log_probs is None and probs is None

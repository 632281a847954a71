"""MAUVE for `evaluate.load`."""

from textgauge import modules
from textgauge.checks import fail, shown, whole_number
from textgauge.measures import mauve


class Mauve(modules.TwoSampleMetric):
    """MAUVE compares two samples of texts, such as those of a model and of people: features by a language model are
    put into buckets, and the histograms of both sides are compared with all their mixtures. The figures are those of
    mauve-text with the same versions of scikit-learn and faiss, on one thread.
    """

    accumulator = mauve.Mauve
    extra = "mauve"
    features = {"predictions": "p_features", "references": "q_features"}
    keywords = {
        "p_features": None, "q_features": None, "p_tokens": None, "q_tokens": None, "pca_max_data": None,
        "device_id": None, "featurize_model_name": "model_id", "max_text_length": "max_length",
    }  # fmt: skip
    citation = """
    @inproceedings{pillutla-etal-2021-mauve,
        title = "{MAUVE}: Measuring the Gap Between Neural Text and Human Text using Divergence Frontiers",
        author = "Pillutla, Krishna and Swayamdipta, Swabha and Zellers, Rowan and Thickstun, John and Welleck, Sean
            and Choi, Yejin and Harchaoui, Zaid",
        booktitle = "Advances in Neural Information Processing Systems",
        year = "2021",
    }
    """
    urls = ("https://arxiv.org/abs/2102.01454", "https://github.com/krishnap25/mauve")
    inputs = """
    predictions: list of str, a sample of texts, such as those of a model.
    references: list of str, the other sample, of any size: the two are no pairs.
    p_features, q_features: arrays, a vector of every prediction, or reference, instead of the texts.
    featurize_model_name: str, the name or path of a model (model_id elsewhere); None is GPT-2 large.
    max_text_length: int, the most tokens of a text (max_length elsewhere), 1024.
    device_id: int, the number of a GPU, -1 for the processor; None is a GPU if there is one.
    num_buckets: int, or "auto", a tenth of the texts of the smaller side.
    p_tokens, q_tokens, pca_max_data: None and -1, as in the Hub's module; they have no other values here.
    """
    returns = """
    mauve, frontier_integral, mauve_star, frontier_integral_star, num_buckets, p_hist, q_hist, divergence_curve, as keys
    and as attributes
    """
    examples = """
    >>> import evaluate
    >>> import textgauge
    >>> mauve = evaluate.load(textgauge.path("mauve"))
    >>> mauve.compute(predictions=["a cat"], references=["a cat", "a dog"], p_tokens=[[1]])
    Traceback (most recent call last):
        ...
    textgauge.modules.module.ArgumentError: p_tokens: expected None: give texts, or `p_features`, got [[1]] (list)
    """

    def _scoring(self, given):
        """Check the options; return what scores two samples with them."""
        options = {**self.defaults, **given}
        for side in "pq":
            if options.get(f"{side}_tokens") is not None:
                fail(
                    TypeError, f"{side}_tokens", f"None: give texts, or `{side}_features`",
                    shown(options[f"{side}_tokens"]),
                )  # fmt: skip
        modules.only("pca_max_data", -1, options, "-1, for all texts")
        return super()._scoring(given)

    def _ours(self, options):
        """Return the options under our names; the number of a GPU chooses the device."""
        number = options.get("device_id")
        ours = {**super()._ours(options)}
        if ours.get("num_buckets") == "auto":
            ours["num_buckets"] = None
        if all(options.get(name) is not None for name in self.features.values()):
            # The Hub's module takes those of a model beside features, and reads nothing.
            return {name: value for name, value in ours.items() if name not in mauve.OF_FEATURES}
        if number is None:
            return ours
        if ours.get("device") is not None:
            fail(ValueError, "device_id", "None with `device`", shown(number))
        whole_number("device_id", 0 if number == -1 else number)
        return {**ours, "device": _device(number)}

    def _presented(self, accumulator, result):  # noqa: ARG002
        """Return histograms and the curve as arrays, as the Hub's module does."""
        return type(result)(modules.as_arrays(result, "p_hist", "q_hist", "divergence_curve"))


def _device(number):
    """Return the GPU of a number; the processor if there is none, as in the Hub's module."""
    if number == -1:
        return "cpu"
    from textgauge.models.loading import torch_and_transformers

    torch, _ = torch_and_transformers("mauve")
    return f"cuda:{number}" if number < torch.cuda.device_count() else "cpu"

"""The function for ``Seq2SeqTrainer(compute_metrics=...)``."""

from __future__ import annotations

import functools
import operator
from itertools import compress
from typing import Any, NamedTuple

import numpy as np

from ..accumulation.accumulator import Accumulator
from ..accumulation.named_score import Metrics, columns_by_key, scores_of
from ..checks import CountWarning, Tally, fail, flag, shown, warn_user
from .passes import Pass, in_order_of_rows, share_of
from .token_ids import Bools, Decoder, Ids, id_batches, most_likely_frames, preprocess_logits_for_metrics

GEN_LEN = "gen_len"
# Share of the predictions that end with their label behind other text; a perfect model has 1 behind its prompts.
_LEAST_BEHIND = 0.2
_PERHAPS_PROMPTS = (
    "[prediction ends|predictions end] with [its label|their labels], behind other text, and none is equal to its "
    "label: if that text is the prompt, with which `generate` of a decoder-only model begins, {}set "
    'include_for_metrics=["inputs"] in the training arguments; `causal=False` is for other models'
)


class Part(NamedTuple):
    """The result for some rows.

    Attributes
    ----------
    accumulators : tuple of Accumulator
    n_rows, n_tokens : int
        The numbers of rows, and of tokens without padding.
    n_equal, n_behind : int
        Of predictions that may begin with a prompt, how many are equal to their label, or end with it.
    """

    accumulators: tuple[Accumulator, ...]
    n_rows: int
    n_tokens: int
    n_equal: int = 0
    n_behind: int = 0


class TrainerMetrics:
    """Scores token ids; the function `compute_metrics` returns an object of this class."""

    def __init__(
        self,
        tokenizer: Any,
        metrics: Metrics = ("rouge", "bleu"),
        *,
        source_prefix: str = "",
        share_among_processes: bool = False,
        ctc: bool | None = None,
        causal: Any = None,
    ) -> None:
        """Check everything before training starts."""
        self._causal = _is_causal(causal)
        if self._causal and ctc:
            raise ValueError("a model is decoder-only (`causal`) or has frames (`ctc`), not both")
        self._decoder = Decoder(tokenizer, ctc, is_causal=bool(self._causal))
        scores = scores_of(metrics, argument="metrics")
        self.metrics = tuple(scores.values())
        self.share_among_processes = flag("share_among_processes", share_among_processes)
        if not isinstance(source_prefix, str):
            fail(TypeError, "source_prefix", "a str", shown(source_prefix))
        self.source_prefix = source_prefix
        self.reset()
        accumulators = self._start()
        self._takes_sources = any("sources" in accumulator.metric.inputs.names for accumulator in accumulators)
        if source_prefix and not self._takes_sources:
            fail(ValueError, "source_prefix", "its default without a metric that uses sources", shown(source_prefix))
        for accumulator in accumulators:
            if not accumulator.metric.inputs.has_references:
                fail(ValueError, "metrics", "metrics with references", shown(accumulator.metric.name))
        self._whole = [
            accumulator.metric.name for accumulator in accumulators if accumulator.metric.sums.kind == "whole"
        ]
        if self._whole and share_among_processes:
            allowed = "metrics whose segments can be counted apart, with `share_among_processes=True`"
            fail(ValueError, "metrics", allowed, self._whole[0])
        scored = (accumulator.metric for accumulator in accumulators)
        self._columns = columns_by_key(zip(self.metrics, scored, strict=True), "metrics")

    def reset(self) -> None:
        """Drop the batches of an unfinished evaluation."""
        self._parts: list[Part] = []
        self._pass = Pass()
        self._tally = Tally()

    def __call__(self, eval_prediction: Any, compute_result: bool | None = None) -> dict[str, float]:
        """Score a whole evaluation set, or one batch of it.

        Parameters
        ----------
        eval_prediction : transformers.EvalPrediction or (predictions, label_ids)
            Ids or logits; arrays, tensors, tuples of outputs or lists of batches. Its `inputs`, ids of the sources,
            are read for metrics that use sources.
        compute_result : bool, optional
            With ``batch_eval_metrics=True`` the Trainer passes True for the last batch, False for the
            others. None: the arguments are the whole set.

        Returns
        -------
        dict
            The scores of the whole set, or of all batches since the last result; empty for False.
        """
        now = Pass()
        if compute_result is None or self._pass.broke_off_before(now):
            self.reset()
        self._pass = now
        try:
            with self._tally.collecting():
                batches = id_batches(
                    eval_prediction[0], eval_prediction[1], getattr(eval_prediction, "inputs", None),
                    needs_inputs=bool(self._takes_sources or self._causal), is_ctc=self._decoder.is_ctc,
                    causal=self._causal,
                )  # fmt: skip
                for predictions, labels, read, may_have_prompts in batches:
                    if self._whole and (compute_result is not None or self._parts):
                        allowed = f"all rows at once, which {self._whole[0]} counts together: batch_eval_metrics=False"
                        fail(ValueError, "eval_prediction", allowed, "a batch")
                    n_rows = len(labels) if compute_result is None else now.own_rows(len(labels))
                    read = read[:n_rows] if read is not None and self._takes_sources else None
                    part = self._part(predictions[:n_rows], labels[:n_rows], read, may_have_prompts[:n_rows])
                    self._parts.append(part)
            self._tally.warn_of_new()
            if compute_result is not None and not compute_result:
                return {}
            result = self._result()
        except BaseException:
            self.reset()
            raise
        self.reset()
        return result

    def preprocess_logits_for_metrics(self, logits: Any, labels: Any) -> Any:
        """Return token ids in place of logits: for the Trainer's argument of that name.

        As the function of that name does, but of the frames of a CTC model the most likely token of each, and of a
        decoder-only model the most likely next token.
        """
        if self._decoder.is_ctc:
            return most_likely_frames(logits)
        return preprocess_logits_for_metrics(logits, labels, causal=self._causal)

    def _start(self) -> tuple[Accumulator, ...]:
        return tuple(score.start() for score in self.metrics)

    def _part(self, predictions: Ids, labels: Ids, inputs: Ids | None, may_have_prompts: Bools) -> Part:
        """Score the rows of one batch: all of them, or the share of this process."""
        first = 0
        if self.share_among_processes:
            rows = share_of(np.arange(len(labels)))
            first = int(rows[0]) if len(rows) else 0
            predictions, labels, may_have_prompts = predictions[rows], labels[rows], may_have_prompts[rows]
            inputs = None if inputs is None else inputs[rows]
        hypotheses, n_tokens = self._decoder.predictions(predictions)
        references = self._decoder.labels(labels)
        sources = None if inputs is None else self._sources(inputs, first)
        accumulators = self._start()
        for accumulator in accumulators:
            if "sources" in accumulator.metric.inputs.names:
                self._check_sources(accumulator, sources)
                # A model leaves out what it does not use.
                accumulator.update_corpus(accumulator.metric.inputs.read(hypotheses, references, sources=sources))
            else:
                accumulator.update(hypotheses, references)
        n_equal = n_behind = 0
        if may_have_prompts.any():
            n_equal = sum(map(operator.eq, hypotheses, references))
            n_behind = sum(compress(map(_is_behind, hypotheses, references), may_have_prompts))
        return Part(accumulators, len(labels), n_tokens, n_equal, n_behind)

    def _check_sources(self, accumulator: Accumulator, sources: list[str] | None) -> None:
        given = ["references"] if sources is None else ["references", "sources"]
        inputs = accumulator.metric.inputs
        if inputs.lacking(given):
            who = inputs.reader(accumulator.metric.name)
            allowed = f'the sources, which {who} needs: set include_for_metrics=["inputs"] in the training arguments'
            fail(ValueError, "eval_prediction.inputs", allowed, "None")

    def _sources(self, ids: Ids, first: int) -> list[str]:
        """Return the texts that the model read, without the prefix."""
        texts, prefix = self._decoder.sources(ids), self.source_prefix.strip()
        if not prefix:
            return texts
        for place, text in enumerate(texts, first):
            if not text.startswith(prefix):
                fail(ValueError, f"eval_prediction.inputs[{place}]", f"a text that begins with {prefix!r}", shown(text))
        return [text.removeprefix(prefix).lstrip() for text in texts]

    def _result(self) -> dict[str, float]:
        parts = in_order_of_rows(self._parts) if self.share_among_processes else self._parts
        result: dict[str, float] = {}
        for names, *same in zip(self._columns, *(part.accumulators for part in parts), strict=True):
            scored = functools.reduce(operator.add, same).score()
            result |= {name: scored[key] for key, name in names.items()}
        n_equal, n_behind, n_rows = (
            sum(map(operator.attrgetter(name), parts)) for name in ("n_equal", "n_behind", "n_rows")
        )
        if n_behind and not n_equal and n_behind >= _LEAST_BEHIND * n_rows:
            also = "" if self._causal else "pass `compute_metrics(..., causal=model)` and "
            warn_user(CountWarning(n_behind, _PERHAPS_PROMPTS.format(also)))
        result[GEN_LEN] = sum(part.n_tokens for part in parts) / n_rows
        return result


def _is_behind(prediction: str, label: str) -> bool:
    """Return whether a prediction ends with its label, behind other text; not amid a number or a word of ASCII."""
    if not label or prediction == label or not prediction.endswith(label):
        return False
    last, first = prediction[-len(label) - 1], label[0]
    return not ((last.isdigit() and first.isdigit()) or (last + first).isascii() and last.isalpha() and first.isalpha())


def _is_causal(causal: Any) -> bool | None:
    """Return whether a model is decoder-only, from a bool, the model or its configuration; None if nothing is said."""
    config = getattr(causal, "config", causal)
    if causal is None or isinstance(causal, bool):
        return causal
    if not isinstance(getattr(config, "is_encoder_decoder", None), bool):
        fail(TypeError, "causal", "True, False, a model of transformers, its configuration or None", shown(causal))
    has_frames = any("CTC" in name for name in getattr(config, "architectures", None) or [])
    return not config.is_encoder_decoder and not has_frames


def compute_metrics(
    tokenizer: Any,
    metrics: Metrics = ("rouge", "bleu"),
    *,
    source_prefix: str = "",
    share_among_processes: bool = False,
    ctc: bool | None = None,
    causal: Any = None,
) -> TrainerMetrics:
    """Return a function for ``Seq2SeqTrainer(compute_metrics=...)``.

    It decodes predictions and labels without -100, special tokens, and white space around the text, and returns a
    flat dict: "rouge1", "rouge2", "rougeL", "rougeLsum", "bleu", and "gen_len", the mean number of tokens per
    prediction without padding. With ``batch_eval_metrics=True`` it scores batch by batch, stores
    statistics only, and drops those of an interrupted evaluation.

    Parameters
    ----------
    tokenizer : a tokenizer of transformers, or a processor with one
    metrics : str or object, or a sequence of these
        Metrics with references, or their scores, with options: "chrf(word_order=2)", "rougeL",
        ``textgauge.Rouge(use_stemmer=True)``. Of two results under one key, such as that of "bleu" and of
        "bleu(tokenizer='zh')", the key has the options, too. "comet" reads sources from the inputs of the model, which
        the Trainer passes with ``include_for_metrics=["inputs"]`` in its arguments; references and sources that its
        model does not use are left out.
    source_prefix : str
        What stands before every source in the inputs, such as "translate English to German: ", and is no part of it.
    share_among_processes : bool
        With several processes under ``torchrun`` or ``accelerate launch``, each decodes and scores
        its share of the gathered rows, and the statistics are merged: all processes return the
        result of a single process, to the last bit. All of them must call the function, as the
        Trainer does. With False each of them scores everything.
    ctc : bool, optional
        Whether predictions are the frames of a CTC model, such as Wav2Vec2, HuBERT and MMS: equal tokens that follow
        each other are one token, unless the padding token, the blank, is between them. Labels are never merged.
        None: as the tokenizer does by itself. False for a transducer (RNN-T, TDT) whose tokenizer merges tokens.
    causal : bool, or a model of transformers, or its configuration, optional
        Whether the model is decoder-only. Its logits at a position predict the next token. The ids that `generate`
        returns begin with the prompt, which is left out: the inputs where the Trainer passes them
        (``include_for_metrics=["inputs"]``), else as many tokens as the label has -100 at its beginning, for those of a
        padding on the left, too; a warning tells of labels without them, and of predictions that end with their labels
        behind other text. False for ids that have lost their prompt already, if inputs are not passed.

    Notes
    -----
    With several processes, `Seq2SeqTrainer` also passes the rows that pad the last batch. With
    ``batch_eval_metrics=True`` they are dropped, and the result is that of a single process;
    without it they cannot be recognised. It then passes each process the inputs of its own rows alone, so that
    metrics with sources need ``batch_eval_metrics=False`` there.

    Without ``predict_with_generate`` the predictions are logits: pass
    `preprocess_logits_for_metrics` to the Trainer as well, for a decoder-only or a CTC model the method of that name of
    the result.

    Examples
    --------
    >>> class Letters:
    ...     pad_token_id = 0
    ...     def decode(self, row, skip_special_tokens):
    ...         return " ".join("_abc"[i] for i in row if i)
    >>> scores = compute_metrics(Letters(), ["rouge1"])
    >>> scores((np.array([[1, 2, 3, 0]]), np.array([[1, 2, -100, -100]])))
    {'rouge1': 0.8, 'gen_len': 3.0}
    """
    return TrainerMetrics(
        tokenizer, metrics, source_prefix=source_prefix, share_among_processes=share_among_processes,
        ctc=ctc, causal=causal,
    )  # fmt: skip

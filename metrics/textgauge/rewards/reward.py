"""A metric as the reward of a completion."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import mul
from types import NoneType
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from ..accumulation.named_score import AnyMetric, scores_of
from ..arrays import FloatArray, IntArray
from ..checks import by_keyword, checked_name, fail, one_of, shown, warn_user, within
from ..input.columns import Corpus, without_references
from ..input.elements import is_group
from ..metric.inputs import check_given, check_needs
from ..plain import Texts
from ..text.extract import extractor
from .score import RewardScore, shares
from .texts import are_ids, checked_column, column_of, encoded, references_of, sources_of, text_of

Rewards: TypeAlias = list[float | None]
# A column of this name, the default, is left out where no model uses it.
ANSWER = "answer"
DIVERSITY = "diversity"
_COLUMN = "the name of a column"


class Read(NamedTuple):
    """The texts of completions, ready to be scored.

    Attributes
    ----------
    texts : Texts
        What counts of every completion, "" where there is nothing to score.
    is_usable : bool, shape (n_completions,), or None
        Whether there is something to score; None if there always is.
    log : dict
        The mean number of characters of `texts`, and shares of completions: those without text, in which `extract`
        finds nothing, and that are empty or only white space.
    """

    texts: Texts
    is_usable: npt.NDArray[np.bool_] | None
    log: dict[str, float]


class Reward:
    r"""A metric as a reward: called with completions and columns of references, it returns a number for each.

    The same object serves the trainers of TRL as a function, verl and OpenRLHF by the files
    ``textgauge.path("rewards/verl")`` and ``textgauge.path("rewards/openrlhf")``, and others by an adapter of a few
    lines; it pickles. Whatever the metric's own scale, a reward is from 0 to 1, and higher is better: a share of the
    score of a perfect text, or, where lower is better, 1 minus the score, which counts as 1 beyond 1 (TER). A scale
    without ends, as COMET's, is cut off at 0 and 1, between which the scores of WMT22's models mostly lie.
    A metric that has another score for single segments is asked for that: BLEU has effective order, and
    exponential smoothing unless its options have a smoothing.

    Nothing that a model writes raises. A completion without text (None, a message without content), with a lone
    surrogate, that is empty, or in which `extract` finds nothing, gets the lowest reward, and is counted in the log.

    Parameters
    ----------
    metric : str or object, or a sequence of these
        A metric with references, or one of its scores, with options: "rougeL(use_stemmer=True)",
        ``textgauge.Chrf(word_order=2)``; of several the weighted mean, in one pass.
    reference : str or None
        The column with the references: a text, texts, or None, in every row. None: there is none, for a model of
        "comet" that needs none; it leaves out a column of the default name.
    source : str, optional
        The column with what the completions translate, for metrics that read them: a text or None in every row.
    weights : sequence of float, optional
        Of several metrics, not negative; equal by default. Their sum does not matter.
    scale : "unit" or "metric"
        "metric" leaves the scale of the metric, and its direction; the lowest reward is then 0, or where lower is
        better and there is no bound that of as many errors as words (100 for TER), at which scores are cut off.
    extract : str, re.Pattern or callable, optional
        What counts of a completion, and of a reference in which it is found: ``"<answer>...</answer>"``,
        ``"\\boxed{}"``, a regular expression or a function, see `textgauge.text.extract.extractor`. The last match
        counts; without one a completion has the lowest reward, and a reference counts as a whole.
    missing : float, optional
        The reward where a row has no reference, or no source. By default None, with which TRL leaves out the row.
    group : "mbr" or "diversity", optional
        Without references: a completion against the others of its prompt, the mean score with each of them as the
        reference, or 1 minus that. Alone with its prompt it has the reward `missing`.
    tokenizer : a tokenizer of transformers, optional
        Decodes completions that are token ids.
    name : str, optional
        What logs show, by default the names of the metrics with their options as words, "chrf_word_order_2+ter".

    Attributes
    ----------
    __name__ : str
        That name; trainers average the rewards of two functions with one name.

    Raises
    ------
    TypeError, ValueError
        When it is made, for a wrong argument; when it is called, for a column that is missing, of another length or
        without text, by its name, and for one that a model lacks or does not use.

    Notes
    -----
    Tested with TRL 1.16.0 (GRPO and RLOO), and with the contracts of verl 0.9.1, OpenRLHF 0.11.2, NeMo-RL 0.6.0 and
    slime 0.3.1.

    References: Chang et al. (2025), BLEUBERI: BLEU is a Surprisingly Effective Reward for Instruction Following.

    Examples
    --------
    >>> reward = Reward("rougeL", extract="<answer>...</answer>")
    >>> reward(completions=["<answer>a cat</answer>", "a cat"], answer=["a cat", ["a cat", "the cat"]])
    [1.0, 0.0]
    """

    __name__: str

    @by_keyword("reference")
    def __init__(
        self,
        metric: AnyMetric | Sequence[AnyMetric],
        *,
        reference: str | None = ANSWER,
        source: str | None = None,
        weights: Sequence[float] | None = None,
        scale: Literal["unit", "metric"] = "unit",
        extract: Any = None,
        missing: float | None = None,
        group: Literal["mbr", "diversity"] | None = None,
        tokenizer: Any = None,
        name: str | None = None,
    ) -> None:
        """Check everything before training starts."""
        self._given = {
            "metric": metric, "reference": reference, "source": source, "weights": weights, "scale": scale,
            "extract": extract, "missing": missing, "group": group, "tokenizer": tokenizer, "name": name,
        }  # fmt: skip
        for argument, column in (("reference", reference), ("source", source)):
            if not isinstance(column, (str, NoneType)):
                fail(TypeError, argument, "the name of a column", shown(column))
        scores = [*scores_of(metric, paired=True).values()]
        if tokenizer is not None and not hasattr(tokenizer, "decode"):
            allowed = "a tokenizer of transformers (that of a metric is its option, as in \"bleu(tokenizer='zh')\")"
            fail(TypeError, "tokenizer", allowed, shown(tokenizer))
        is_own_scale = one_of("scale", scale, ("unit", "metric")) == "metric"
        self.group = None if group is None else one_of("group", group, ("mbr", DIVERSITY))
        if is_own_scale and group == DIVERSITY:
            fail(ValueError, "scale", f"'unit' with group={DIVERSITY!r}", shown(scale))
        self.missing = None if missing is None else within("missing", missing, None, None, "a number, or None")
        self.scores = [RewardScore(score, is_own_scale=is_own_scale) for score in scores]
        self._metrics = [score.accumulator.metric for score in self.scores]
        for of_score, of_metric in zip(scores, self._metrics, strict=True):
            if not of_metric.inputs.takes_any_text:
                allowed = "one that scores whatever a model writes, since others end the training"
                fail(ValueError, "metric", allowed, shown(of_score.plain_name))
        inputs = {"sources": source} if group is not None else {"references": reference, "sources": source}
        check_given(self._metrics, inputs, needed=_COLUMN, spelled="{}")
        # What a model uses is known once it is loaded, which waits for the first call.
        self._has_models = any(metric.inputs.model is not None for metric in self._metrics)
        self.weights = shares(weights, len(self.scores))
        self.lowest = sum(map(mul, self.weights, (score.lowest for score in self.scores)))
        self.names, self.tokenizer = tuple(score.plain_name for score in scores), tokenizer
        self.reference, self.source = reference, source
        self.__name__ = checked_name(name) or "+".join([*self.names, *([] if group is None else [group])])
        self._extract, self._has_warned = extractor(extract), False

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.__name__}>"

    def __getstate__(self) -> dict[str, Any]:
        return {"given": self._given, "name": self.__name__}

    def __setstate__(self, state: dict[str, Any]) -> None:
        Reward.__init__(self, **state["given"])
        self.__name__ = state["name"]

    def __call__(
        self,
        prompts: Any = None,
        completions: Any = None,
        completion_ids: Any = None,
        *,
        log_metric: Callable[[str, float], Any] | None = None,
        **columns: Any,
    ) -> Rewards:
        """Return the reward of every completion, as the trainers of TRL ask.

        Parameters
        ----------
        prompts : list of str or of messages
            Needed for a `group` only.
        completions : list of str, of messages, or of token ids
            Of messages the last text of the assistant counts.
        completion_ids : list of token ids
            Used without `completions`.
        log_metric : callable, optional
            Gets a name, after "rewards/NAME/", and a value: "length", the mean number of characters that counted,
            and shares of completions, "without_text", "unmatched" (by `extract`), "empty" and "zero" (the lowest
            reward); with several metrics also the mean reward of each.
        columns
            The columns of the data, among them that of the references; others are ignored.

        Raises
        ------
        TypeError
            If no completion has a text, some are token ids, and there is no tokenizer.
        """
        outputs = completion_ids if completions is None else completions
        n_completions = len(outputs) if is_group(outputs) else 0
        read = self.read(checked_column(outputs, "completions", n_completions))
        of_source = None if self.source is None else column_of(columns, self.source, n_completions, "source")
        if self.group is None:
            references = self._references_in(columns, n_completions)
            rewards, log = self.against(read, references, self.reference or "", of_source)
        else:
            rewards, log = self.within(read, checked_column(prompts, "prompts", n_completions), of_source)
        if log_metric is not None:
            for name, value in log.items():
                log_metric(f"rewards/{self.__name__}/{name}", value)
        return rewards

    def read(self, completions: list[Any]) -> Read:
        """Return the part of every completion that counts."""
        said = [
            completion if type(completion) is str else text_of(completion, self.tokenizer) for completion in completions
        ]
        n_without = said.count(None)
        if self.tokenizer is None and n_without == len(said) and any(map(are_ids, completions)):
            fail(TypeError, "tokenizer", "one, since completions are token ids", "None")
        if self._extract is not None:
            said = [None if text is None else self._extracted(text) for text in said]
        n_lost = said.count(None)
        texts = ["" if text is None or text.isspace() else text for text in said]
        column, n_broken = encoded(texts)
        n_unusable = texts.count("")
        n_each = {
            "length": sum(map(len, texts)), "without_text": n_without + n_broken, "unmatched": n_lost - n_without,
            "empty": n_unusable - n_lost - n_broken,
        }  # fmt: skip
        is_usable = np.array(list(map(bool, texts)), np.bool_) if n_unusable else None
        return Read(column, is_usable, {name: n / len(texts) for name, n in n_each.items()} if texts else {})

    def _extracted(self, text: str) -> str | None:
        try:
            part = self._extract(text) if self._extract else text
        except Exception as error:
            if not self._has_warned:
                self._has_warned = True
                warn_user(
                    f"`extract` raised {shown(error)}; such completions get the lowest reward, and such references "
                    "count as a whole."
                )
            return None
        return part if isinstance(part, str) else None

    def _of_reference(self, value: Any) -> Any:
        """Return what counts of the references of a row: all of one in which nothing is found."""
        if isinstance(value, str):
            part = self._extracted(value)
            return value if part is None else part
        return [*map(self._of_reference, value)] if is_group(value) else value

    def _references_in(self, columns: Mapping[str, Any], n_completions: int) -> list[Any] | None:
        """Return the column of references; None if models need none, and only the default names a column."""
        if self.reference is None:
            return None
        if self.reference == ANSWER and self._has_models:
            there = () if self.source is None else ("sources",)
            is_needed = any(metric.inputs.lacking(there) for metric in self._metrics)
            if not self.uses_references or (ANSWER not in columns and not is_needed):
                return None
        return column_of(columns, self.reference, n_completions)

    @property
    def uses_references(self) -> bool:
        """Whether a metric uses references, with its options, such as a model."""
        if self.reference is None:
            return False
        return not self._has_models or any(metric.inputs.used(["references"]) for metric in self._metrics)

    def against(
        self, read: Read, column: list[Any] | None, name: str = "references", sources: list[Any] | None = None
    ) -> tuple[Rewards, dict[str, float]]:
        """Return the rewards against a column of references, if there is one, and the log.

        `sources` has what the completions translate.
        """
        source = self.source or "source"
        if self._has_models or sources is not None:
            inputs = {"references": None if column is None else name, "sources": None if sources is None else source}
            check_needs(self._metrics, inputs, needed=_COLUMN, spelled="{}")
        if len(read.texts) == 0:
            return [], {}
        of_sources, without = (None, []) if sources is None else sources_of(sources, source)
        if column is None:
            corpus = without_references(read.texts, of_sources)
        else:
            if self._extract is not None:
                column = [self._of_reference(value) for value in column]
            references, offsets, more = references_of(column, name)
            corpus, without = Corpus(read.texts, references, offsets, sources=of_sources), [*{*without, *more}]
        return self._result(read, self._each_reward(corpus, read.is_usable, without), without)

    def _each_reward(
        self, corpus: Corpus, is_usable: npt.NDArray[np.bool_] | None, without: list[int]
    ) -> list[FloatArray]:
        """Return the rewards under every metric; a model does not get rows whose score does not count."""
        if not self._has_models or (is_usable is None and not without):
            return [score.rewards(corpus) for score in self.scores]
        counts = np.ones(len(corpus), np.bool_) if is_usable is None else is_usable.copy()
        counts[without] = False
        each = [np.zeros(len(corpus)) for _ in self.scores]
        if counts.any():
            corpus = corpus.take(np.flatnonzero(counts))
            for of_metric, score in zip(each, self.scores, strict=True):
                of_metric[counts] = score.rewards(corpus)
        return each

    @property
    def log_of_none(self) -> dict[str, float]:
        """The log, beyond `Read.log`, of rows without a reference, each of which gets the lowest reward."""
        each = {name: score.lowest for name, score in zip(self.names, self.scores, strict=True)}
        return {"zero": 1.0, **(each if len(each) > 1 else {})}

    def within(
        self, read: Read, prompts: list[Any], sources: list[Any] | None = None
    ) -> tuple[Rewards, dict[str, float]]:
        """Return the rewards against the other completions of a prompt, and the log."""
        if self._has_models:
            for metric in self._metrics:
                if not metric.inputs.used(["references"]):
                    who = metric.inputs.reader(metric.name)
                    fail(ValueError, "group", f"None, since {who} compares with no reference", shown(self.group))
            # The others of a group are the references.
            check_needs(self._metrics, {"references": self.group, "sources": self.source}, needed=_COLUMN, spelled="{}")
        of_sources, without = (None, []) if sources is None else sources_of(sources, self.source or "")
        counts = read.is_usable
        if without:
            counts = np.ones(len(prompts), np.bool_) if counts is None else counts.copy()
            counts[without] = False
        groups = groups_of(prompts, counts)
        each = np.zeros((len(self.scores), len(prompts)))
        for places in groups:
            if len(places) > 1:
                texts, of_group = read.texts.take(places), None if of_sources is None else of_sources.take(places)
                each[:, places] = [mean_of_others(score.rewards_of_pairs(texts, of_group)) for score in self.scores]
        if self.group == DIVERSITY:
            each = 1 - each
        alone = [int(place) for places in groups if len(places) == 1 for place in places]
        return self._result(read, [*each], [*alone, *without])

    def _result(self, read: Read, each: list[FloatArray], without: list[int]) -> tuple[Rewards, dict[str, float]]:
        """Return the weighted rewards and the log; rows in `without` have no reward."""
        usable = read.is_usable
        if usable is not None:
            each = [
                np.where(usable, of_metric, score.lowest) for of_metric, score in zip(each, self.scores, strict=True)
            ]
        values = each[0] if len(each) == 1 else np.asarray(sum(map(mul, self.weights, each)))
        rewards: Rewards = values.tolist()
        for place in without:
            rewards[place] = None
        log = dict(read.log)
        if len(rewards) > len(without):
            log["zero"] = rewards.count(self.lowest) / (len(rewards) - len(without))
            if len(each) > 1:
                means = (np.delete(of_metric, without).mean().item() for of_metric in each)
                log |= zip(self.names, means, strict=True)
        if self.missing is not None:
            rewards = [self.missing if reward is None else reward for reward in rewards]
        return rewards, log


def groups_of(prompts: list[Any], is_usable: npt.NDArray[np.bool_] | None) -> list[IntArray]:
    """Return the places of the completions of every prompt, of those that can be scored.

    Examples
    --------
    >>> groups_of(["a", "b", "a"], None)
    [array([0, 2]), array([1])]
    """
    members: dict[str, list[int]] = {}
    for place, prompt in enumerate(prompts):
        if is_usable is None or is_usable[place]:
            # Messages are lists, which no dict takes as a key.
            members.setdefault(prompt if isinstance(prompt, str) else repr(prompt), []).append(place)
    return [np.array(places) for places in members.values()]


def mean_of_others(scores: FloatArray) -> FloatArray:
    """Return the mean of every row of a square without its diagonal: float64, shape (n_rows,)."""
    others = scores * (1 - np.eye(len(scores)))
    return np.asarray(others.sum(axis=1) / (len(scores) - 1))

"""CpWER: the word error rate of sessions with several speakers, under the best assignment of speakers."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, chain, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from .. import engine
from ..accumulation.accumulator import accumulator_of
from ..accumulation.functions import one_call
from ..arrays import IntArray, lengths_of
from ..checks import fail, quantity, shown
from ..explanation.alignment import best_pairs_of, pairs_of
from ..explanation.derivation import Derivation, Step, figure
from ..explanation.explainer import Explainer
from ..input.columns import Corpus, known_texts
from ..input.sessions import Utterance, session_corpus_of, utterances_in
from ..metric import About, Explanation, Field, Layout, Line, Metric, Notes, Rows, Score, Scores, Summary
from ..metric.inputs import Inputs
from ..metric.notes import notes_on_tokens
from ..options import Options, option
from ..text import Normalizer, Tokenizer, prepared, tokenizer_of
from ..text.replacements import numbers_option, replacements_option, with_numbers
from ..text.speech import SPEECH_NORMALIZERS
from .wer import ALIGNERS, COUNTS, RETURNED, SPOKEN, TornWords, rewriting_checked, rewriting_of

if TYPE_CHECKING:
    from ..plain import Texts

_KALDIALIGN = ALIGNERS.index("kaldialign")
# Of ORC-WER: places in the words of all speakers, which are three tables in memory (1.6 GB), and what is computed of
# them for the words of the reference (one to two minutes).
_MOST_PLACES, _MOST_CELLS = 1 << 27, 10**11
_N_SHOWN = 60
# The utterances of each speaker of a session.
_Speakers: TypeAlias = dict[str, list[Utterance]]
_SPEAKERS = ("missed_speakers", "extra_speakers")


@dataclass(frozen=True)
class CpwerOptions(Options):
    """A session is a text with a line for every utterance, "speaker TAB words"; a line without a tab is one of its own.

    All words of a speaker are one text. Each speaker of the prediction is assigned to one of the reference, or to none,
    so that the edits are fewest; speakers without another have all words deleted, or inserted. cpWER is the number of
    edits divided by the number of words in the references, each summed over sessions. Of several references of a
    session, the one with the lowest rate counts. Of several best assignments that with the fewest substitutions is
    taken, and of equally few edits those of kaldialign.

    With `collar` the rate is tcpWER: a word is right, or exchanged for another one, only where the two overlap in time.
    A word of the reference has a part of the time of its utterance, as long as its share of the letters; one of the
    prediction has the middle of such a part, and the collar before and behind it.

    With `orc` the rate is ORC-WER: every utterance of the reference is assigned by itself to a speaker, or channel, of
    the prediction, so that the edits are fewest, and then the substitutions; those of a channel stay in the order of
    time. `explain` shows where each one went.

    References: Watanabe et al. (2020), CHiME-6 Challenge: Tackling Multispeaker Speech Recognition for Unsegmented
    Recordings; von Neumann et al. (2023), MeetEval: A Toolkit for Computation of Word Error Rates for Meeting
    Transcription Systems. The figures are those of meeteval 0.4.
    """

    tokenizer: str | Tokenizer | Callable[[str], list[str]] = option(
        "whitespace", "What a word is.", kind="tokenizer", on_page=True
    )
    lowercase: bool = option(False, "Lower-case all text first.", on_page=True)
    normalizer: str | Normalizer | Callable[[str], str] | None = option(
        None, "Rewrites the words of each speaker first, as that of `wer`.", kind="normalizer",
        none_means="text stays as it is", named=SPEECH_NORMALIZERS,
    )  # fmt: skip
    numbers: str | None = numbers_option()
    replacements: Any = replacements_option()
    collar: float | None = option(
        None, "Seconds by which words may be heard too early or too late: tcpWER; utterances need times.", at_least=0,
        none_means="times are not compared", is_quiet=True,
    )  # fmt: skip
    orc: bool = option(
        False, "Assign the utterances of the reference to speakers of the prediction, each by itself: ORC-WER.",
        is_quiet=True,
    )  # fmt: skip

    def check(self) -> None:
        """Check what rewrites texts, and that words have one rule."""
        self._set("replacements", rewriting_checked(self))
        if self.orc and self.collar is not None:
            fail(ValueError, "collar", "None with `orc=True`, which compares no times", shown(self.collar))


class _Numbers(dict[str, int]):
    """Numbers of words, in the order in which they are asked for."""

    def __missing__(self, word: str) -> int:
        self[word] = number = len(self)
        return number


class Assigned(NamedTuple):
    """A speaker of the reference and one of the prediction, either of which may be missing, with their counts."""

    reference: str | None
    prediction: str | None
    counts: tuple[int, ...]


class CpwerMetric(Metric):
    r"""CpWER (Watanabe et al. 2020), and beside it the WER of all words in the order of time.

    `statistics` has the fields ``hits``, ``substitutions``, ``deletions`` and ``insertions``, ``ordered_edits``,
    ``missed_speakers`` and ``extra_speakers``: int64.

    Examples
    --------
    >>> result = Cpwer().update([{"x": "how are you", "y": "fine"}], [{"A": "fine thanks", "B": "how are you"}]).score()
    >>> result["cpwer"], result["deletions"], result["ordered_wer"]
    (0.2, 1, 0.6)
    """

    name = "cpwer"
    options_type = CpwerOptions
    about = About(
        "cpWER", lambda key: _EXPLAINED[key], unit="word",
        returns=f"``cpwer``, ``ordered_wer``, {RETURNED}, ``missed_speakers`` and ``extra_speakers``",
    )  # fmt: skip
    inputs = Inputs(read=session_corpus_of, are_sessions=True)
    scores = Scores(
        Score("cpwer", higher_is_better=False, perfect=0.0, largest=float("inf")),
        Score("ordered_wer", "ordered_wer", higher_is_better=False, perfect=0.0, largest=float("inf")),
        unscaled=(*COUNTS, *_SPEAKERS),
    )
    layout = Layout([*map(Field, (*COUNTS, "ordered_edits", *_SPEAKERS))])
    options: CpwerOptions

    def prepare(self) -> None:
        """Choose the tokenizer and what rewrites texts."""
        o = self.options
        self.tokenizer: Tokenizer = prepared(tokenizer_of(o.tokenizer), lowercase=o.lowercase, strip=False)
        self.normalizer = rewriting_of(o)
        # Without times, or with too many speakers, a session is refused.
        self.inputs = replace(self.inputs, takes_any_text=o.collar is None and not o.orc)

    def notes(self) -> Notes:
        """Return what looks for unfit scripts, for two forms of words, and for what a normalizer destroys."""
        return Notes(
            *TornWords.of(self.normalizer),
            unusual=lambda: notes_on_tokens(self.tokenizer, self.normalizer, (SPOKEN,)),
            reads_latin=self.tokenizer.drops_letters,
        )

    def rewritten(self, texts: Texts) -> Texts:
        """Return texts as they are cut."""
        return texts if self.normalizer is None else self.normalizer.column(texts)

    def rows(self, corpus: Corpus, notes: Notes) -> Rows:
        """Count the sessions of a chunk."""
        sides = [[utterances_in(text) for text in side.tolist()] for side in (corpus.hypotheses, corpus.references)]
        streams = [known_texts([" ".join(one.words for one in session) for session in side]) for side in sides]
        ordered = Corpus(streams[0], streams[1], corpus.offsets)
        tokens = self.tokenizer.cut(ordered.rewritten(self.rewritten))
        notes.examine(ordered, tokens)
        counted = engine.kernel.levenshtein_edits(tokens, _KALDIALIGN, corpus.n_threads)
        edits = np.asarray(counted, np.int64).reshape(-1, len(COUNTS))
        speakers = [[_speakers(session) for session in side] for side in sides]
        rows = np.zeros((len(edits), len(self.layout.fields)), np.int64)
        rows[:, 4] = edits[:, 1:].sum(axis=1)
        session_of = np.repeat(np.arange(len(corpus)), lengths_of(corpus.reference_offsets)).tolist()
        for row, (session, of_reference, own) in enumerate(zip(session_of, speakers[1], edits, strict=True)):
            of_prediction = speakers[0][session]
            n_missed = len(of_reference) - len(of_prediction)
            rows[row, 5:] = max(n_missed, 0), max(-n_missed, 0)
            if self.options.orc:
                rows[row, :4] = self.utterance_edits(of_prediction, sides[1][row])
            elif self.options.collar is None and len(of_reference) <= 1 and len(of_prediction) <= 1:
                rows[row, :4] = own
            else:
                pairs = self.assigned(of_prediction, of_reference)
                rows[row, :4] = np.array([pair.counts for pair in pairs], np.int64).sum(axis=0)
        return self.layout.counted(rows)

    def assigned(self, predictions: _Speakers, references: _Speakers) -> list[Assigned]:
        """Return the best assignment of speakers, given with their utterances: those of the reference first."""
        if not (predictions or references):
            return []
        edits_of = self._edits if self.options.collar is None else self._timed_edits
        lengths, counts = edits_of(predictions, references)
        n_left, n_words = len(predictions), int(lengths.sum())
        left, right = lengths[:n_left], lengths[n_left:]
        # First the edits, then substitutions, which are fewer than all words together; less what a speaker costs alone.
        costs = (counts[..., 1:].sum(axis=2) - left) * (n_words + 1) + counts[..., 1]
        if len(references) <= n_left:
            chosen = [*enumerate(assignment(costs.tolist()))]
        else:
            costs = costs + (left - right[:, None]) * (n_words + 1)
            chosen = sorted((i, j) for j, i in enumerate(assignment(costs.T.tolist())))
        pairs, names = dict(chosen), ([*references], [*predictions])
        every = [
            Assigned(name, names[1][pairs[i]], tuple(counts[i, pairs[i]].tolist()))
            if i in pairs
            else Assigned(name, None, (0, 0, int(right[i]), 0))
            for i, name in enumerate(names[0])
        ]
        taken = {*pairs.values()}
        alone = (j for j in range(n_left) if j not in taken)
        return [*every, *(Assigned(None, names[1][j], (0, 0, 0, int(left[j]))) for j in alone)]

    def _edits(self, predictions: _Speakers, references: _Speakers) -> tuple[IntArray, IntArray]:
        """Return the numbers of words of all speakers, and the edits of all pairs: shape (n_right, n_left, 4)."""
        every = [*predictions.values(), *references.values()]
        texts = self.rewritten(known_texts([" ".join(one.words for one in own) for own in every]))
        group = Corpus(texts.slice(0, 1), texts.slice(1, len(texts)), np.array([0, len(texts) - 1]))
        tokens = self.tokenizer.cut(group)
        lengths, n_left = lengths_of(np.asarray(tokens.offsets, np.int64)), len(predictions)
        if not (predictions and references):
            return lengths, np.zeros((len(references), n_left, 4), np.int64)
        index = engine.kernel.LevenshteinIndex(tokens, _KALDIALIGN)
        edits = np.asarray(index.edits(0, n_left, n_left, len(texts)), np.int64)
        return lengths, edits.transpose(1, 0, 2)

    def _timed_edits(self, predictions: _Speakers, references: _Speakers) -> tuple[IntArray, IntArray]:
        """Return what `_edits` returns, where only words that overlap in time are compared."""
        words: list[int] = []
        times: list[float] = []
        offsets, ids, collar = [0], _Numbers(), self.options.collar or 0.0
        for i, own in enumerate([*predictions.values(), *references.values()]):
            for one, tokens in self._in_time(own):
                if one.start is None or one.end is None:
                    allowed = "None without the times of utterances, such as start_time and end_time of SegLST"
                    fail(ValueError, "collar", allowed, shown(self.options.collar))
                if one.end < one.start:
                    allowed = f"None with an utterance that ends, at {one.end:g}, before it begins, at {one.start:g}"
                    fail(ValueError, "collar", allowed, shown(self.options.collar))
                words += map(ids.__getitem__, tokens)
                parts = parts_of_time(one.start, one.end, tokens)
                if i < len(predictions):
                    middles = ((end + start) / 2 for start, end in parts)
                    parts = [(middle - collar, middle + collar) for middle in middles]
                times += [time for part in parts for time in part]
            offsets.append(len(words))
        numbers = np.array(words, np.uint32), np.array(offsets, np.int64), np.array(times, np.float64)
        counts = np.asarray(engine.kernel.timed_edits(*numbers, len(predictions)), np.int64)
        return lengths_of(numbers[1]), counts.reshape(len(references), len(predictions), 4)

    def utterance_edits(self, predictions: _Speakers, references: Sequence[Utterance]) -> IntArray:
        """Return the counts of the best assignment of every utterance of the references to a speaker."""
        channels, utterances = self._numbered(predictions, references)
        n_places = math.prod(len(channel) + 1 for channel in channels)
        counts: IntArray | None = None
        if n_places <= _MOST_PLACES:
            counts = _utterance_edits(channels, utterances)
        if counts is None or counts[0] < 0:
            heard = " x ".join(f"{len(channel):,}" for channel in channels)
            if len(heard) > _N_SHOWN:
                heard = f"{len(channels):,} speakers"
            allowed = (
                f"False for a session of so many words ({heard}): the product of these, each and one, is at most "
                f"{_MOST_PLACES:,}, and at most {_MOST_CELLS:,} times the speakers and the words of the reference"
            )
            fail(ValueError, "orc", allowed, "True")
        return counts

    def assigned_utterances(
        self, predictions: _Speakers, references: Sequence[Utterance]
    ) -> tuple[list[tuple[Utterance, str | None]], list[Assigned]]:
        """Return the utterances that have words with their speakers of the prediction, and the counts of these."""
        channels, utterances = self._numbered(predictions, references)
        in_time = sorted(references, key=lambda one: one.start or 0.0)
        found = np.asarray(engine.kernel.assigned_channels(*_joined(channels, utterances), len(channels))).tolist()
        names = [*predictions]
        said = [
            (one, None if channel < 0 else names[channel])
            for one, words, channel in zip(in_time, utterances, found, strict=True)
            if words
        ]
        every = []
        for channel, name in enumerate(names):
            own = [words for words, to in zip(utterances, found, strict=True) if to == channel]
            counts = _utterance_edits(channels[channel : channel + 1], own)
            every.append(Assigned(None, name, tuple(counts.tolist())))
        return said, every

    def _numbered(
        self, predictions: _Speakers, references: Sequence[Utterance]
    ) -> tuple[list[list[int]], list[list[int]]]:
        """Return the words of all speakers and those of all utterances, in the order of time, as numbers."""
        ids = _Numbers()
        channels = [
            [ids[token] for _, tokens in self._in_time(own) for token in tokens] for own in predictions.values()
        ]
        return channels, [[*map(ids.__getitem__, tokens)] for _, tokens in self._in_time(references)]

    def _in_time(self, utterances: Sequence[Utterance]) -> Iterator[tuple[Utterance, list[str]]]:
        """Yield utterances with their words, in the order of time."""
        in_time = sorted(utterances, key=lambda one: one.start or 0.0)
        texts = self.rewritten(known_texts([one.words for one in in_time])).tolist()
        for one, text in zip(in_time, texts, strict=True):
            yield one, self.tokenizer(text)

    def formula(self, rows: Rows) -> dict[str, Any]:
        """Return the rates, and the counts as they are; without a word in any reference the rates are edits."""
        counts = {name: rows[name] for name in (*COUNTS, *_SPEAKERS)}
        hits, *edits = (rows[name] for name in COUNTS)
        n_words = np.maximum(hits + edits[0] + edits[1], 1)
        return {"cpwer": sum(edits) / n_words, "ordered_wer": rows["ordered_edits"] / n_words, **counts}

    def settings(self) -> dict[str, Any]:
        """Return every option that determines the scores, the normalizer whether given by name or not."""
        return {**with_numbers(super().settings(), self.options), "normalizer": self.normalizer}

    def summary(self, result: Mapping[str, Any]) -> Summary:
        """Return the rates as a table, with what speakers cost."""
        lines = [
            Line(self.about.explain(key).title, (result[key],), key, is_headline=key == "cpwer", full=None)
            for key in self.scores.keys
        ]
        hits, *edits = (result[name] for name in COUNTS)
        parts = ", ".join(quantity(n, name[:-1]) for n, name in zip(edits, COUNTS[1:], strict=True))
        speakers = ", ".join(quantity(result[name], name[:-1].replace("_", " ")) for name in _SPEAKERS)
        n_words = hits + edits[0] + edits[1]
        return Summary(self.about.title, ("score",), lines, [
            f"{parts} for {quantity(n_words, 'word')} in the references; lower is better",
            f"{speakers}; words with the wrong speaker cost {result['cpwer'] - result['ordered_wer']:+.4f}",
        ])  # fmt: skip


def _speakers(session: Sequence[Utterance]) -> _Speakers:
    """Return the utterances of each speaker of a session."""
    spoken: _Speakers = {}
    for one in session:
        spoken.setdefault(one.speaker, []).append(one)
    return spoken


def _joined(*texts: list[list[int]]) -> tuple[np.ndarray[Any, Any], IntArray]:
    """Return numbered words as one array, and the ends of the texts."""
    every = [*chain.from_iterable(texts)]
    offsets = np.cumsum([0, *map(len, every)], dtype=np.int64)
    return np.fromiter(chain.from_iterable(every), np.uint32, int(offsets[-1])), offsets


def _utterance_edits(channels: list[list[int]], utterances: list[list[int]]) -> IntArray:
    """Return the counts of the best assignment, negative where it takes too long."""
    found = engine.kernel.assigned_edits(*_joined(channels, utterances), len(channels), _MOST_CELLS)
    return np.asarray(found, np.int64)


def parts_of_time(start: float, end: float, words: Sequence[str]) -> list[tuple[float, float]]:
    """Return a part of a time for each of the words that are said in it, as long as its share of the letters.

    Examples
    --------
    >>> parts_of_time(0.0, 4.0, ["abc", "d"])
    [(0.0, 3.0), (3.0, 4.0)]
    """
    if len(words) == 1:
        return [(start, end)]
    ends = [*accumulate(map(len, words))]
    per_letter = (end - start) / ends[-1] if ends else 0.0
    return [(start + per_letter * first, start + per_letter * last) for first, last in pairwise([0, *ends])]


def assignment(costs: Sequence[Sequence[int]]) -> list[int]:
    """Return, for every row of a table that has no fewer columns, its column in the assignment of the least sum.

    Time grows with the columns, and with the square of the rows.

    References
    ----------
    Kuhn (1955), The Hungarian Method for the Assignment Problem; Jonker and Volgenant (1987), A Shortest Augmenting
    Path Algorithm for Dense and Sparse Linear Assignment Problems.

    Examples
    --------
    >>> assignment([[4, 1, 3], [2, 0, 5], [3, 2, 2]])
    [1, 0, 2]
    """
    n_rows, n = len(costs), len(costs[0]) if costs else 0
    # Of rows and columns what they take off the costs; row_of has the row of each column, and a column for the new one.
    of_rows, of_columns, row_of = [0] * n_rows, [0] * n, [-1] * n
    for new in range(n_rows):
        # The cheapest way to each column, and the column before it on that way.
        ways, before, reached = [float("inf")] * n, [-1] * n, [False] * n
        row, column = new, -1
        while True:
            offset = 0 if column < 0 else ways[column]
            for other in range(n):
                if not reached[other]:
                    way = offset + costs[row][other] - of_rows[row] - of_columns[other]
                    if way < ways[other]:
                        ways[other], before[other] = way, column
            column = min((other for other in range(n) if not reached[other]), key=ways.__getitem__)
            reached[column] = True
            if row_of[column] < 0:
                break
            row = row_of[column]
        least = int(ways[column])
        of_rows[new] += least
        for other in range(n):
            if reached[other] and other != column:
                of_rows[row_of[other]] += least - int(ways[other])
                of_columns[other] -= least - int(ways[other])
        while column >= 0:
            row_of[column] = new if before[column] < 0 else row_of[before[column]]
            column = before[column]
    columns = [0] * n_rows
    for column, row in enumerate(row_of):
        if row >= 0:
            columns[row] = column
    return columns


_EXPLAINED: dict[str, Explanation] = {
    "cpwer": Explanation(
        "cpWER",
        "How many edits per word of the reference are needed when speakers are assigned in the best way?",
        (
            "All words of a speaker are one text. Of all assignments of the speakers of both sides that with the "
            "fewest edits counts; a speaker without another costs all of its words.",
            "With `collar` only words that overlap in time can match; with `orc` every utterance of the reference is "
            "assigned by itself.",
            "The edits are divided by the number of words in the references, both summed over all sessions. 0 means "
            "that every speaker has every word; it can exceed 1. Lower is better.",
        ),
        "A word under the wrong speaker costs two edits, however well it was heard; with `orc` only the channel of an "
        "utterance counts, whoever said it.",
    ),
    "ordered_wer": Explanation(
        "WER in order of time",
        "How many edits per word of the reference are needed when nobody asks who speaks?",
        (
            "The words of all speakers of a session are one text, in the order of the lines: that of time.",
            "What cpWER has more is the cost of speakers; where people speak at once, it can be less.",
        ),
        "It is of use only where the lines of both sides stand in the order of time.",
    ),
}
Cpwer = accumulator_of(CpwerMetric)
cpwer = one_call(Cpwer)


class CpwerExplainer(Explainer, metric=CpwerMetric):
    """Explains the scores of `CpwerMetric`."""

    metric: CpwerMetric

    def derivation(self, key: str, rows: Rows, segment: Corpus | None) -> Derivation:
        """Show who was assigned to whom, the edits of each pair, and the rate."""
        steps = []
        if segment is not None and key == "cpwer":
            pairs = pairs_of(segment)
            [best] = best_pairs_of(self.metric, segment, key).tolist()
            sides = (utterances_in(pairs.hypotheses.tolist()[best]), utterances_in(pairs.references.tolist()[best]))
            steps = self._of_utterances(*sides) if self.metric.options.orc else self._of_speakers(*sides)
        hits, *edits = (float(rows[name]) for name in COUNTS)
        steps += [Step(name, (figure(float(rows[name])),)) for name in (*COUNTS, "ordered_edits")]
        n_words = hits + edits[0] + edits[1]
        n_edits = figure(sum(edits)) if key == "cpwer" else figure(float(rows["ordered_edits"]))
        title = self.metric.about.explain(key).title
        score = float(self.metric.formula(rows)[key])
        formula = f"{n_edits} / {figure(n_words)}" if n_words else "there is nothing to divide by"
        steps.append(Step(title, formula=formula, value=score))
        return Derivation(title, tuple(steps))

    def _of_speakers(self, predictions: Sequence[Utterance], references: Sequence[Utterance]) -> list[Step]:
        """Show who was assigned to whom."""
        return [
            _shown("speaker", f"{one.reference or 'nobody'} is {one.prediction or 'missing'}: {_parts(one.counts)}")
            for one in self.metric.assigned(_speakers(predictions), _speakers(references))
        ]

    def _of_utterances(self, predictions: Sequence[Utterance], references: Sequence[Utterance]) -> list[Step]:
        """Show who was assigned every utterance, and how many edits those of each speaker are."""
        said, channels = self.metric.assigned_utterances(_speakers(predictions), references)
        n_own = Counter(channel for _, channel in said)
        steps = [
            _shown("utterance", f"{one.speaker}: {_start(one.words)} is in {to or 'no channel'}") for one, to in said
        ]
        for own in channels:
            n = quantity(n_own[own.prediction], "utterance")
            steps.append(_shown("channel", f"{own.prediction} has {n}: {_parts(own.counts)}"))
        return steps


def _shown(label: str, example: str) -> Step:
    return Step(label, examples=(example,), n_examples=1)


def _parts(counts: Sequence[int]) -> str:
    return ", ".join(quantity(n, name[:-1]) for n, name in zip(counts, COUNTS, strict=True))


def _start(words: str) -> str:
    """Return an utterance in quotes, a long one by its first letters."""
    text = " ".join(words.split())
    return f'"{text}"' if len(text) <= _N_SHOWN else f'"{text[: _N_SHOWN - 3]}..."'

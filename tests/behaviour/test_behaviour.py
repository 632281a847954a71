"""What calls return, warn of and refuse, as a reader sees it: all of it, for review as a difference.

`python -m behaviour.test_behaviour`, called in tests/, writes the record anew after a change; read the difference.
Calls are followed by what all of them return, by warnings behind "~" and errors behind "!"; all but the first of a
block have only what differs from it, where "-" stands before what is missing. Numbers have 12 digits, those in lists
6, those of segments 4; "..." in a message is the value that came, VERSION that of textgauge, FOLDER that of the test.

Metrics, options and parameters are found. Calls of other functions stand in the record: write new ones there, with the
names of `calls`.
"""

import inspect
import os
import tempfile
import warnings
from collections.abc import Mapping
from contextlib import contextmanager
from dataclasses import fields, is_dataclass, replace
from difflib import unified_diff
from functools import cache, partial
from itertools import pairwise
from math import inf, nan
from pathlib import Path

import pytest
import textgauge
from declared import COUNTED, sources_of
from measures.test_option_effects import SEGMENTS
from option_values import drawn, values_of
from textgauge.accumulation.accumulator import accumulator_of, summary_of
from textgauge.accumulation.registry import METRICS
from textgauge.checks import shown
from textgauge.options import options_of
from tiny_meteor import save_own_meteor15, save_own_wordnet

from . import calls
from .calls import CALLS, score_dataset

RECORD = Path(__file__).parents[1] / "data/behaviour.txt"
TEXTS = [
    *SEGMENTS, ("Gr\u00f6\u00dfe: 5 km, Stra\u00dfen", ["Die Gr\u00f6\u00dfe ist 5,0 km; Strassen"]),
    ("nice \U0001f44d\U0001f3fd day \U0001f1e9\U0001f1ea", ["a nice day \U0001f44d", "nice \U0001f44d\U0001f3fd day"]),
    ("it\u2019s \u201cfine\u201d \u2013 don\u2019t worry", ["It's \"fine\" - do n't worry"]),
    ("no no no no never", ["no never no", "never"]), ("1,234.50 of 12%", ["1234.5 of 12 percent"]),
]  # fmt: skip
FEW = [("The cats sat, sat down", ["the cat sat down!", "cats sit"]), TEXTS[1], ("", ["one day"]), TEXTS[-5], TEXTS[-4]]
# Options that name files of `files_in`.
FILES = {"meteor": {"wordnet": "wordnet"}, "meteor15": {"jar": "meteor.jar", "paraphrases": "paraphrases.gz"}}
NAMES = [name for name in METRICS if name in COUNTED or name in FILES]
WRONG = (None, True, -1, 0.5, "none such", [], [None], {"a": 3})
WRONG_COLUMNS = [
    (["a"], ["a", "b"]), (["a"], None), ([], []), ("a b", "a b"), (["a", None], ["a", "b"]), (["a", "b"], ["a", 3]),
    (["a"], [[]]), ([1], [2]), ([["a", "b"]], [["a"]]), ([b"a"], ["a"]), ([{"a": 1}], [{"a": 2}]), (["a\ud800"], ["a"]),
    (["a", "b"], [["a", "b"]]),
]  # fmt: skip


@contextmanager
def files_in(folder):
    """Call in a folder with the files that options name, without nltk's data, which may be installed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setattr("textgauge.text.punkt.nltk_folders", list)
        save_own_wordnet(Path("wordnet"))
        save_own_meteor15(Path())
        Path("exc").mkdir()
        Path("exc/verb.exc").write_text("barked bark\n", "utf-8")
        yield


# ---- how outcomes are written


class Lines(list):
    """The lines of a text."""


def parts_of(value, name="", digits=12):
    """Yield the parts of a result: a name, and a text or the texts of a list or a dict."""
    for convert in ("to_pylist", "tolist"):
        value = getattr(value, convert, lambda value=value: value)()
    if is_dataclass(value):
        value = {one.name: getattr(value, one.name) for one in fields(value) if one.repr}
    value = value._asdict() if hasattr(value, "_asdict") else value
    if not isinstance(value, (Mapping, list, tuple)) or not value:
        text = f"{value + 0.0:.{digits}g}" if isinstance(value, float) else str(value)
        text = text.replace(textgauge.__version__, "VERSION").replace(os.getcwd(), "FOLDER")
        if "|version:" in text:
            text = dict(field.split(":", 1) for field in text.split("|"))
        yield name, Lines(text.splitlines()) if "\n" in text else text
        return
    is_dict, own = isinstance(value, Mapping), {}
    for key, part in value.items() if is_dict else enumerate(value):
        whole = (f"{name}.{key}" if name else str(key)) if is_dict else f"{name}[{key}]"
        own[key] = [*parts_of(part, whole, 4 if "segment_" in whole else digits if is_dict else min(digits, 6))]
    parts = [part for one in own.values() for part in one]
    if len(parts) > len(own) or any(isinstance(part, (dict, Lines)) for _, part in parts) or (is_dict and not name):
        yield from parts
    else:
        texts = {key: part if isinstance(part, str) else f"[{', '.join(part)}]" for key, ((_, part),) in own.items()}
        yield name, texts if is_dict else [*texts.values()]


def outcome(call, /, *given, **options):
    """Return the parts of what a call returns, of its warnings and of its error."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            parts = dict(parts_of(call(*given, **options)))
        except Exception as error:
            parts = {"!": f"{type(error).__name__}: {error}"}
    return parts | {f"~ {one.category.__name__}: {one.message}": "" for one in caught}


def lines_of(parts, other):
    """Yield the lines of an outcome, of the parts of `other` only what differs."""
    for name, part in parts.items():
        was, head = other.get(name), name if name[:1] in ("!", "~", "") else f"{name}:"
        if part == was:
            continue
        if isinstance(part, Lines):
            lines = (f"  {' '.join(line.split())}" for line in part if line.strip() and line not in (was or ()))
            yield from filter(None, [head, *lines])
            continue
        if isinstance(part, list) and isinstance(was, list) and len(part) == len(was):
            part = {f"[{i}]": now for i, (old, now) in enumerate(zip(was, part, strict=True)) if old != now}
            part = dict([*part.items()][:5]) | ({"and": f"{len(part) - 5} more"} if len(part) > 5 else {})
        elif isinstance(part, dict) and isinstance(was, dict):
            gone = {f"-{key}": "" for key in was if key not in part}
            part = {key: now for key, now in part.items() if was.get(key) != now} | gone
        part = [f"{key} {one}".strip() for key, one in part.items()] if isinstance(part, dict) else part
        yield f"{head} {part if isinstance(part, str) else '[' + ', '.join(part) + ']'}".strip()
    if "!" not in parts and (gone := [name[:60] for name in other if name not in parts]):
        yield f"- {', '.join(gone)}"


class Calls:
    """The calls of a block, those with one outcome together."""

    def __init__(self):
        self.by_outcome = {}

    def add(self, head, parts, other=None):
        lines = "\n".join(f"    {line}" for line in lines_of(parts, other or {})) or "    as usual"
        self.by_outcome.setdefault(lines, []).append(head)
        return parts

    def __str__(self):
        return "\n".join("\n".join([*dict.fromkeys(heads), lines]) for lines, heads in self.by_outcome.items())


class Refusals:
    """Messages, with the parameters, the values and the functions that have them."""

    def __init__(self):
        self.by_message = {}

    def add(self, owner, name, wrong, call, /, *given, **options):
        message = outcome(call, *given, **options).get("!")
        if message is not None:
            error, _, text = message.replace(f"got {shown(wrong)}", "got ...").partition(": ")
            values = self.by_message.setdefault(text, {})
            values.setdefault((owner, name, error), []).append(repr(wrong))

    def __str__(self):
        lines = []
        for message, values in self.by_message.items():
            owners = {}
            for (owner, name, error), wrong in values.items():
                owners.setdefault(f"{error}: {name} = {', '.join(wrong)}", []).append(owner)
            lines += [f"{head} ({'all' if owner == NAMES else ', '.join(owner)})" for head, owner in owners.items()]
            lines.append(f"    ! {message}")
        return "\n".join(lines)


# ---- metrics


def columns(name, rows):
    hyps, refs = map(list, zip(*rows, strict=True))
    return {"predictions": hyps, "references": refs, **sources_of(name, hyps)}


def scored(name, rows, options):
    return getattr(textgauge, name)(**columns(name, rows), **{**FILES.get(name, {}), **options})


def own_options(name):
    """The options that a metric does not share with one of another name, whose block has them, and of its results."""
    metric = METRICS[name]
    kinds = {METRICS[other].options_type for other in NAMES} - {metric.options_type}
    shared = {one.name for kind in kinds if issubclass(metric.options_type, kind) for one in options_of(kind)}
    options = [one for one in options_of(metric.options_type) if one.name not in shared]
    is_first = next(other for other in NAMES if METRICS[other].reports_type is metric.reports_type) == name
    return options, options_of(metric.reports_type) if is_first else ()


def with_options(name):
    """Every option at its values, and two together."""
    block, (options, reports) = Calls(), own_options(name)
    additions = {"per_segment": True, "signature": True, "counts": True}
    usual = block.add(f"{name}()", outcome(scored, name, TEXTS, additions))
    # Of several scores, the segments of the first alone.
    left_out = [key for key in usual if key.startswith("segment_")][1:] + [key for key in usual if "counts" in key]
    for one in (*options, *reports):
        for change in filter(None, values_of(name, one)):
            change |= {"unit": [i // 2 for i in range(len(TEXTS))]} if "unit" in change else {}
            found = outcome(scored, name, TEXTS, {**additions, **change})
            found, of_usual = ({key: one[key] for key in one if key not in left_out} for one in (found, usual))
            block.add(f"{name}({written(change)})", found, of_usual)
    of_usual = {
        key: part for key, part in usual.items() if key[:8] not in ("segment_", "signatur") and "counts" not in key
    }
    for a, b in pairwise(options):
        change = {**drawn(name, a), **drawn(name, b)}
        block.add(f"{name}({written(change)})", outcome(scored, name, TEXTS, change), of_usual)
    return block


def written(options):
    return ", ".join(f"{name}={value!r}" for name, value in options.items())


def faces(name):
    block, fixed = Calls(), FILES.get(name, {})
    given, metric = columns(name, FEW), accumulator_of(METRICS[name])(**fixed)
    hyps, refs, sources = (
        given["predictions"],
        given["references"],
        {key: given[key] for key in given if key == "sources"},
    )
    source = dict.fromkeys(sources, "x y")
    named = {"prediction_column": "predictions", "reference_column": "references"}
    named |= dict.fromkeys(("source_column",) if sources else (), "sources")

    def counted():
        some = metric.without_segments().update(**columns(name, FEW[:3]))
        return {"signature": some.signature, "repr": repr(some), **some.to_arrow().to_pydict()}

    def explained(rows, of=metric):
        return str(replace(textgauge.explain(**columns(name, rows), metric=of), others=()))

    def meanings():
        whole = textgauge.explain(**given, metric=metric)
        return {step.label: step.meaning for one in (whole, *whole.segments) for step in one.steps if step.meaning}

    def summary():
        some = metric.without_segments().update(**given)
        return summary_of(some, some.score())

    def rewards(scale):
        of = textgauge.rewards.Reward(
            metric, scale=scale, reference="references", source="sources" if sources else None
        )
        return of(completions=hyps, references=refs, **sources)

    def module():
        loaded = textgauge.load(name, cache_dir=os.getcwd(), keep_in_memory=True)
        loaded.add_batch(**{key: texts[:2] for key, texts in given.items()})
        return loaded.compute(**{key: texts[2:] for key, texts in given.items()}, **fixed)

    by_name = {
        "class": counted,
        "segment_scores": lambda: textgauge.segment_scores(metric, **given),
        "matches": lambda: [*map(matched, FEW, textgauge.matches(**given, metric=metric))],
        "scorer": lambda: textgauge.scorer(metric, **named)(given),
        "score_dataset": lambda: score_dataset(given, metric, **named, batch_size=2, signature=True),
        "Reward": partial(rewards, "unit"),
        "Reward scale='metric'": partial(rewards, "metric"),
        "compare": lambda: textgauge.compare([hyps, hyps[::-1]], refs, **sources, metric=metric, n_resamples=50),
        "plan": lambda: textgauge.plan(hyps, hyps[::-1], refs, **sources, metric=metric, n_resamples=50),
        "mbr": lambda: textgauge.mbr(hyps, metric=metric, **source),
        "mbr aggregate=True": lambda: textgauge.mbr(hyps, metric=metric, **source, aggregate=True),
        "pairwise": lambda: textgauge.pairwise(hyps, **sources, metric=metric),
        "module": module,
        "explain": partial(explained, FEW[2:4]),
        "meanings": meanings,
        "summary": summary,
    }
    for head, call in by_name.items():
        block.add(head, outcome(call))
    usual = block.add("explain, one segment", outcome(explained, FEW[:1]))
    for option in own_options(name)[0]:
        change = next(values_of(name, option))
        block.add(f"explain, one segment, {written(change)}", outcome(explained_with, name, {**fixed, **change}), usual)
    return block


def explained_with(name, options):
    metric = accumulator_of(METRICS[name])(**options)
    return str(replace(textgauge.explain(**columns(name, FEW[:1]), metric=metric), others=()))


def matched(row, aligned):
    """Write the tokens that match, with their weight, "+" before one that follows, "c" for common, and a partner."""
    texts, sides = (row[0], *row[1]), (aligned.prediction, *aligned.references)
    found = (
        " ".join(
            f"{text[m.start : m.end]}:{m.weight:.4g}{'+' * m.joins}{'c' * m.is_common}"
            + (f"={m.partner}" if m.partner is not None else "")
            for m in side
        )
        for text, side in zip(texts, sides, strict=True)
    )
    return f"best {aligned.best}{' alone' * aligned.is_alone}: {' | '.join(found)}"


# ---- wrong uses


def wrong_values(one):
    if one.kind in ("whole", "number"):
        yield from (nan, inf, "x", True, [1])
        yield from () if one.at_least is None else (one.at_least - 1, *(one.at_least,) * one.is_open)
        yield from (2 * one.at_most + 1,) if one.at_most is not None and one.at_most < inf else ()
    elif one.kind == "numbers":
        yield from ([nan, 1, 1, 1], ["x", 1, 1, 1], [1], [], 3, "x", [0, 0, 0, 0], [-1, 1, 1, 1])
    else:
        yield from (3, "no such", [], [3], {"a": 3})
    yield None


def wrong_options():
    refusals = Refusals()
    for name in NAMES:
        for kind in (METRICS[name].options_type, METRICS[name].reports_type):
            # `numbers` needs a package.
            for one in (one for one in options_of(kind) if one.name != "numbers"):
                for wrong in wrong_values(one):
                    refusals.add(name, one.name, wrong, scored, name, FEW[:2], {**drawn(name, one), one.name: wrong})
    return refusals


def wrong_columns():
    refusals = Refusals()
    for name in NAMES:
        for hyps, refs in WRONG_COLUMNS:
            given = {**FILES.get(name, {}), **sources_of(name, hyps)}
            refusals.add(
                name, f"predictions = {hyps!r}, references", refs, getattr(textgauge, name), hyps, refs, **given
            )
    return refusals


def wrong_calls():
    refusals = Refusals()
    for name, call in CALLS.items():
        parameters = inspect.signature(call.func).parameters.values()
        keys = {*call.keywords, *(one.name for one in parameters if one.kind is not one.VAR_KEYWORD)}
        keys -= {one.name for one in options_of(METRICS[name].options_type)} if name in METRICS else {"self"}
        for key in sorted(keys):
            # The names of all metrics are told once.
            for wrong in WRONG if "metric" not in key or name == "compare" else (None, True, [], {"a": 3}):
                refusals.add(name, key, wrong, call, **{key: wrong})
        if any(one.kind is one.VAR_KEYWORD for one in parameters):
            refusals.add(name, "none_such", 1, call, none_such=1)
    return refusals


# ---- the record


@cache
def recorded():
    """Return the text of every block."""
    parts = f"\n{RECORD.read_text('utf-8')}".split("\n# ")[1:]
    return {title: text.strip("\n") for title, _, text in (part.partition("\n") for part in parts)}


def of_functions(title):
    """The calls of a function that stand in the record."""
    block, usual = Calls(), {}
    for call in recorded()[title].splitlines():
        if not call.startswith(" "):
            found = block.add(call, outcome(eval, call, {**vars(calls), **CALLS}), usual)  # noqa: S307
            usual = usual or found
    return block


BLOCKS = {"wrong columns": wrong_columns, "wrong options": wrong_options, "wrong calls": wrong_calls}
BLOCKS |= {f"options of {name}": partial(with_options, name) for name in NAMES}
BLOCKS |= {f"faces of {name}": partial(faces, name) for name in NAMES}
BLOCKS |= {title: partial(of_functions, title) for title in recorded() if title not in BLOCKS}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    with files_in(tmp_path_factory.mktemp("files")):
        yield


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("title", BLOCKS)
def test_behaviour(folder, title):
    now, known = str(BLOCKS[title]()).splitlines(), recorded().get(title, "").splitlines()
    differing = [*unified_diff(known, now, "recorded", "now", n=2, lineterm="")]
    assert not differing, "\n".join(["`python -m behaviour.test_behaviour`, called in tests/, records:", *differing])


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as here, files_in(here):
        RECORD.write_text("\n".join(f"# {title}\n{block()}\n" for title, block in BLOCKS.items()), "utf-8")

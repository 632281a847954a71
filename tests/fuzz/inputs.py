"""Targets: values that are not text, and options of any kind."""

import re

import numpy as np
import pandas as pd
import pyarrow as pa
import textgauge
from hypothesis import strategies as st
from strategies import text
from textgauge.options import options_of

# What was allowed and what came, or which two arguments contradict each other.
SENTENCE = re.compile(r"(?s)[a-z_]+.*: expected .+, got .+|`[^`]+` (has no effect|cannot be given).+")


def refused_or_plain(call):
    """Call; errors have our form and bounded length."""
    try:
        return call()
    except (TypeError, ValueError) as error:
        message = str(error)
    assert SENTENCE.fullmatch(message), message
    assert len(message) < 2_000
    return None


def all_texts(values):
    try:
        return all(isinstance(value, str) and value.encode() is not None for value in values)
    except UnicodeEncodeError:
        return False


def unwrapped(values):
    """Arrow's scalars as what they hold."""
    if isinstance(values, (list, tuple)):
        return [unwrapped(value) for value in values]
    return values.as_py() if isinstance(values, pa.Scalar) else values


def bad_input(hyps, refs, metric):
    """Only texts are scored; Arrow's scalars are texts, but not mixed with others."""
    counted = refused_or_plain(lambda: metric().update(hyps, refs))
    holds_scalars = "pyarrow." in repr((hyps, refs))
    hyps, refs = unwrapped(hyps), unwrapped(refs)
    groups = [[ref] if isinstance(ref, str) else ref for ref in refs] if isinstance(refs, (list, tuple)) else None
    is_sound = (
        isinstance(hyps, (list, tuple))
        and groups is not None
        and len(hyps) == len(groups)
        and all_texts(hyps)
        and all(isinstance(group, (list, tuple)) and group and all_texts(group) for group in groups)
        and len({isinstance(ref, str) for ref in refs}) < 2
    )
    assert counted is None or is_sound, (hyps, refs)
    assert counted is not None or not is_sound or holds_scalars, (hyps, refs)


def options(metric, given):
    """Options are taken or refused in a sentence, and what is taken scores."""

    def run():
        return metric(**given).update(["the cat", ""], [["the cat sat", "猫"], ["a"]]).score()

    result = refused_or_plain(run)
    assert result is None or all(0 <= value < float("inf") for value in result.values() if isinstance(value, float))


odd = st.one_of(
    text, text, text, st.none(), st.booleans(), st.integers(), st.floats(), st.binary(max_size=9),
    st.text(st.characters(), max_size=9), st.just("\ud800"), st.just(np.str_("a")), st.just(pd.NA), st.just(np.nan),
    st.just(pa.scalar("a")) , st.just(object()), st.lists(text, max_size=2), st.dictionaries(text, text, max_size=1),
)  # fmt: skip
odd_columns = st.one_of(st.lists(text, max_size=3), st.lists(odd, max_size=3), odd)
odd_groups = st.one_of(odd_columns, st.lists(st.lists(odd, max_size=2), max_size=3))
small = st.one_of(st.none(), st.booleans(), st.integers(-2, 9), st.floats(), text, st.just("13a"), st.just("nltk"))
value = st.one_of(
    small, small, st.lists(small, max_size=5), st.binary(max_size=3), st.floats(0, 5),
    st.sampled_from(["exp", "floor", "closest", "sacrebleu", "ascii", "squad", "set", "unicode", str.split, str.lower,
                     "pooled", "average", "rouge-1.5.5", 10**30, 2**63 - 1]),
    st.lists(st.sampled_from(["rouge1", "rouge2", "rougeL", "rougeLsum", "rouge0", "rouge", "rougeW", "rougeW-2",
                              "rougeS", "rougeSU4", "rouge101", "rougeS" + "9" * 20]), max_size=3),
)  # fmt: skip
KINDS = textgauge.Bleu, textgauge.Rouge, textgauge.TokenF1
given = st.one_of(
    [
        st.tuples(
            st.just(kind),
            st.dictionaries(
                st.sampled_from([one.name for one in options_of(kind.metric_type.options_type)]), value, max_size=3
            ),
        )
        for kind in KINDS
    ]
)
TARGETS = {
    "bad input": (bad_input, st.tuples(odd_columns, odd_groups, st.sampled_from([textgauge.Bleu, textgauge.Rouge]))),
    "options": (options, given),
}

"""Programs of models: the share of those that pass their tests."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

import numpy as np

from ..accumulation.accumulator import accumulator_of
from ..accumulation.functions import one_call
from ..checks import fail, printable
from ..explanation.derivation import Derivation, Step
from ..explanation.explainer import Explainer
from ..input.columns import Corpus
from ..metric import About, Explanation, Field, Inputs, Layout, Metric, Notes, Rows, Score, Scores
from ..metric.notes import CountedNote, Note
from ..options import Options, option
from ..text.extract import code_in, extractor

_VARIABLE = "HF_ALLOW_CODE_EVAL"
_GB = 1 << 30
NO_CODE = "failed: `extract` finds no code"


@dataclass(frozen=True)
class CodeEvalOptions(Options):
    """A prediction, a newline and its tests are one program, which passes if it runs to its end without an exception.

    Several references of a prediction are tests that all have to pass. Equal programs are run once. A program that
    ends itself, as by `sys.exit`, fails.

    Models write programs that nobody has read: nothing is run unless `allow` is True, or ``HF_ALLOW_CODE_EVAL=1`` is
    in the environment. Every program has a process of its own, with limits of time, memory, files and processes, and
    an environment without yours; all that it started is ended. Where bubblewrap is installed (Linux) it has no network,
    no file that it can write to outside of an empty folder, and none of the home. That is no virtual machine, and a
    program can always cheat tests that run in its own interpreter.

    References: Chen et al. (2021), Evaluating Large Language Models Trained on Code.
    """

    python_remarks = "`extract` may be a compiled pattern, or a function from a text to its part or None."
    allow: bool = option(
        False, f"Run what models wrote, as {_VARIABLE}=1 in the environment allows it.", changes="machine"
    )
    timeout: float = option(3.0, "Seconds that a program has.", at_least=0, at_most=86400, is_open=True, on_page=True)
    clock: Literal["cpu", "wall"] = option(
        "cpu", "What counts the seconds: the processor, with ten times as many on the wall; or the wall, as on the Hub."
    )
    memory: float = option(4.0, "GB of memory that a program has.", at_least=0.0625, at_most=1024)
    sandbox: Literal["auto", "require", "none"] = option(
        "auto",
        "Use bubblewrap where it is there, with a warning where it is not; refuse to run without; or do without.",
        changes="machine",
    )  # fmt: skip
    num_workers: int = option(4, "How many programs run at once.", at_least=1, at_most=4096, changes="machine")
    extract: Any = option(
        None, 'What is code in a prediction: "```python...```", two marks with ... between, or a regular expression.',
        kind="text", none_means="all of it", on_page=True,
    )  # fmt: skip

    # A completion is an answer in Markdown.
    defaults_for = {"reward": {"extract": code_in}}

    def check(self) -> None:
        """Refuse what extracts nothing."""
        extractor(self.extract)


class CodeEvalMetric(Metric):
    """The share of programs that pass their tests (Chen et al. 2021).

    `statistics` has the field ``passed``, 0 or 1: int64.

    Examples
    --------
    >>> programs = ["def add(a, b): return a + b", "def add(a, b): return a * b"]
    >>> CodeEval(allow=True, sandbox="none").update(programs, ["assert add(2, 3) == 5"] * 2).score()
    {'code_eval': 0.5}
    """

    name = "code_eval"
    options_type = CodeEvalOptions
    about = About("Code", lambda _: _EXPLANATION, unit="program")
    scores = Scores(Score("code_eval", perfect=None, is_binary=True))
    combine = "mean"
    layout = Layout([Field("passed")], references="union")
    # All at once, so that workers share them.
    inputs = Inputs(at_once=True)
    options: CodeEvalOptions

    def prepare(self) -> None:
        """Choose the part of a prediction that is code."""
        self._find = extractor(self.options.extract)

    def check_ready(self) -> None:
        """Raise unless programs may be run."""
        if not self.options.allow and os.environ.get(_VARIABLE) != "1":
            allowed = f"True, or {_VARIABLE}=1 in the environment, since code_eval runs programs that models wrote on "
            fail(ValueError, "allow", allowed + "this machine (read first what its card says of sandboxes)", "False")

    def notes(self) -> Notes:
        """Return collectors of what programs could do without a sandbox, idle tests and indented programs."""
        return Notes(_Open(), _Idle(), _Indented(), reads_latin=False)

    def rows(self, corpus: Corpus, notes: Any) -> Rows:
        """Run the programs; how each of them ended stands beside the rows."""
        self.check_ready()
        programs = self.programs(corpus)
        results, what_is_open = self.results(programs)
        if notes is not None:
            notes.examine(corpus, (what_is_open, programs))
        passed = np.array([result == "passed" for result in results], np.int64)
        return Rows(self.layout, passed.reshape(-1, 1), extras=results)

    def programs(self, corpus: Corpus) -> list[str | None]:
        """Return the programs of the segments; None where there is no code."""
        references, ends = corpus.references.tolist(), corpus.reference_offsets.tolist()
        programs: list[str | None] = []
        for text, first, end in zip(corpus.hypotheses.tolist(), ends, ends[1:], strict=False):
            code = text if self._find is None else self._find(text)
            programs.append(None if code is None else "\n".join((code, *references[first:end])))
        return programs

    def results(self, programs: Sequence[str | None]) -> tuple[list[str], str]:
        """Return how programs end, and what they could do that a sandbox would not let them."""
        from ..models.code_engine import Limits, run

        options = self.options
        distinct = [*dict.fromkeys(program for program in programs if program is not None)]
        limits = Limits(options.timeout, options.clock, int(options.memory * _GB))
        ran = run(distinct, limits, n_workers=options.num_workers, sandbox=options.sandbox)
        by_program = dict(zip(distinct, ran.results, strict=True))
        return [NO_CODE if program is None else by_program[program] for program in programs], ran.what_is_open

    def signature_fields(self, reports: Any = None) -> dict[str, str]:  # noqa: ARG002
        """Return the limits, the sandbox as it is, and the version of Python that runs programs."""
        from ..models.code_engine import is_sandboxed
        from ..signatures import fields_of

        options = self.options
        return {
            "timeout": f"{options.timeout:g}", "clock": options.clock, "memory": f"{options.memory:g}",
            "sandbox": "bwrap" if is_sandboxed(options.sandbox) else "none", **fields_of({"extract": options.extract}),
            "python": platform.python_version(),
        }  # fmt: skip

    def formula(self, rows: Rows) -> dict[str, Any]:
        """Return 1 for a program that passes, else 0."""
        return {"code_eval": rows["passed"] * 1.0}

    def below(self, result: Mapping[str, Any]) -> list[str]:  # noqa: ARG002
        """Return the limits."""
        return [", ".join(f"{name} {value}" for name, value in self.signature_fields().items())]


class _Open(Note):
    about = "sandbox"

    def examine(self, corpus: Corpus, tokens: Any) -> None:  # noqa: ARG002
        if tokens[0]:
            self.warning = f"programs run without a sandbox: {tokens[0]}"


class _Idle(CountedNote):
    about = "idle tests"

    def examine(self, corpus: Corpus, tokens: Any) -> None:  # noqa: ARG002
        references, ends = corpus.references.tolist(), corpus.reference_offsets.tolist()
        tests = ["\n".join(references[first:end]) for first, end in pairwise(ends)]
        idle = {text: _is_idle(text) for text in {*tests}}
        self.tell(
            sum(idle[text] for text in tests), "[segment has|segments have] tests that define functions, but call "
            "none, so that any program passes: add the call, such as `check(NAME)` behind the tests of HumanEval.",
        )  # fmt: skip


class _Indented(CountedNote):
    about = "indented programs"

    def examine(self, corpus: Corpus, tokens: Any) -> None:  # noqa: ARG002
        n = sum(_INDENTED.match(program) is not None for program in tokens[1] if program)
        self.tell(
            n, "[prediction begins|predictions begin] with an indented line, which Python refuses: put the prompt that "
            "[it continues|they continue] before [it|them].",
        )  # fmt: skip


# The first line that is no comment. Then what a line at the margin may be that runs no test: a definition, an import, a
# value without a call, or the end of one.
_INDENTED = re.compile(r"(?:[ \t]*(?:#.*)?\n)*[ \t]+[^\s#]")
_DEFINES = re.compile(r"(?:async +def|def|class)\b")
_RUNS_NOTHING = re.compile(r"(?:async +def|def|class|import|from)\b|[#)\]}]|\w+ *=(?!=)[^(]*$")


def _is_idle(tests: str) -> bool:
    """Return whether tests only define what would test, judged by the lines at the margin."""
    margin = [line for line in tests.splitlines() if line and not line[0].isspace()]
    return any(map(_DEFINES.match, margin)) and all(map(_RUNS_NOTHING.match, margin))


_EXPLANATION: Explanation = Explanation(
    "Code",
    "How many programs pass their tests?",
    (
        "A prediction, a newline and its tests are run as one program, in a process of its own, within limits.",
        "A segment scores 1 if the program runs to its end without an exception, else 0.",
        "The score on top is the mean over segments: pass@1 where every problem has as many samples.",
    ),
    "Tests find some mistakes, not all, and a program may cheat tests that run in its own interpreter.",
)
CodeEval = accumulator_of(CodeEvalMetric)
code_eval = one_call(
    CodeEval,
    """\
>>> programs = ["def add(a, b): return a + b", "def add(a, b): return a * b"]
>>> code_eval(programs, ["assert add(2, 3) == 5"] * 2, allow=True, sandbox="none")
{'code_eval': 0.5}""",
)


class CodeEvalExplainer(Explainer, metric=CodeEvalMetric):
    """Explains the scores of `CodeEvalMetric`."""

    metric: CodeEvalMetric

    def derivation(self, key: str, rows: Rows, segment: Corpus | None) -> Derivation:
        """Show the program, and how it ended."""
        if segment is None:
            return super().derivation(key, rows, segment)
        title, score = self.metric.about.title, float(self.metric.formula(rows)[key])
        programs = self.metric.programs(segment)
        [result] = rows.extras or self.metric.results(programs)[0]
        lines = (programs[0] or "").splitlines()
        steps = [
            Step("program", examples=tuple(map(printable, lines)), meaning="what is run", n_examples=len(lines)),
            Step(title, formula=printable(result.removesuffix(": ")), value=score),
        ]
        return Derivation(title, tuple(steps))

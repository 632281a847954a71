"""The program `textgauge`: its subcommands, each imported when it is called, and errors as one line."""

from __future__ import annotations

import io
import os
import shlex
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NoReturn

import click

from ..checks import nearest, printable
from ..files.lines import FileError
from ..version import __version__
from .messages import message_of, suggestion
from .process import ERROR, INTERRUPTED, leave, quiet_imports

# Each command is in the module of its name; help lists them without importing any.
_ROOMS = {"rouge155": "..rouge155"}
COMMANDS = {
    "score": "Score files.",
    "compare": "Compare systems with a baseline: is one really better?",
    "plan": "How many segments does a comparison need?",
    "agree": "Compare metrics with people's scores: which one to trust?",
    "pairwise": "Score every text against every other: nearest pairs, a matrix.",
    "mbr": "Choose the best of several candidates for every line.",
    "explain": "Write a page that shows where a score comes from.",
    "diversity": "Score how different texts are from each other.",
    "tokenize": "Show the tokens of text.",
    "rouge155": "Repeat an experiment of the ROUGE-1.5.5 script.",
    "demo": "Score an embedded sample.",
    "help": "Show the metrics, or the options of one.",
}
_EPILOG = """\b
Examples:
  textgauge demo
  textgauge score hyp.txt -r ref.txt
  textgauge score hyp.txt -r ref.txt -m sacrebleu chrf word_order=2
  textgauge compare baseline.txt other.txt -r ref.txt
  textgauge explain hyp.txt -r ref.txt -m rouge2 -o report.html
  textgauge tokenize -t 13a hyp.txt
  textgauge score --help
  textgauge help chrf

\b
Completion in bash (or zsh_source, fish_source):
  eval "$(_TEXTGAUGE_COMPLETE=bash_source textgauge)"
"""


class _LostOutputError(Exception):
    """Output that could not be written: click would leave with 1 where the reader of a pipe is gone."""


class Program(click.Group):
    """A group that imports a command when it is called; errors are one line, with exit code 2."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Return the names."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context | None, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import a command."""
        if cmd_name not in COMMANDS:
            return None
        with quiet_imports():
            command: click.Command = getattr(import_module(_ROOMS.get(cmd_name, f".{cmd_name}"), __package__), cmd_name)
        return command

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """Suggest the nearest command for an unknown one."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-") and not ctx.resilient_parsing:
            ctx.fail(f"there is no command {args[0]!r}; {_meant(args) or suggestion(args[0], COMMANDS)}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def make_context(self, *args: Any, **settings: Any) -> click.Context:
        """Read the line; --help and --version print."""
        try:
            return super().make_context(*args, **settings)
        except OSError as error:
            raise _LostOutputError from error

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except OSError as error:
            raise _LostOutputError from error

    def main(self, args: Any = None, **settings: Any) -> NoReturn:  # type: ignore[override]
        """Run the program, and leave the process with its exit code."""
        if isinstance(sys.stdout, io.TextIOWrapper):
            # Characters that a terminal or pipe cannot encode are escaped, as on stderr.
            sys.stdout.reconfigure(errors="backslashreplace")
        code, message = ERROR, ""
        try:
            code = super().main(args, standalone_mode=False, **settings) or 0
            sys.stdout.flush()
        except click.Abort:
            code = INTERRUPTED
        except click.ClickException as error:
            code, message = ERROR, message_of(error)
        except FileError as error:
            code, message = ERROR, str(error)
        except MemoryError as error:
            code, message = ERROR, f"there is not enough memory{f': {error}' if str(error) else ''}"
        except (OSError, _LostOutputError) as error:
            cause = error.__cause__ or error
            code = ERROR
            message = "" if isinstance(cause, BrokenPipeError) else f"cannot write the output: {cause}"
        # Here the error is gone, and with it the memory that its frames held.
        leave(code, message)


def _meant(args: Sequence[str]) -> str:
    """Return a question with the line for a metric, or a file, in the place of a command; empty for others."""
    # Imported here: only a wrong line needs it.
    from ..accumulation.registry import METRICS, OF_PAPERS

    if any(metric.scores.named(args[0]) for metric in METRICS.values() if args[0]):
        same = [args[0]]
    else:
        names = [name for metric in METRICS.values() for name in (metric.name, *metric.scores.names) if name != "..."]
        same = nearest(args[0], names, cutoff=1)
    named = OF_PAPERS.get(args[0].lower()) or next(iter(same), "")
    is_metric = bool(named)
    if not is_metric and not os.path.isfile(args[0]):
        return ""
    words = [*args[is_metric:]] or ["hyp.txt", "ref.txt"]
    if len(words) == 2 and not any(word.startswith("-") for word in words):
        words.insert(1, "-r")
    return f"did you mean textgauge score {printable(shlex.join([*words, *(['-m', named] * is_metric)]))}?"


def _show_version(context: click.Context, _: click.Parameter, value: bool) -> None:
    if value and not context.resilient_parsing:
        from ..engine import kernel_in_use

        click.echo(f"textgauge {__version__}, kernel: {kernel_in_use()}")
        context.exit()


@click.group(
    "textgauge",
    cls=Program,
    invoke_without_command=True,
    epilog=_EPILOG,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80},
)
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_show_version,
              help="Show the version and the kernel.")  # fmt: skip
@click.pass_context
def main(context: click.Context) -> None:
    """Score generated text.

    BLEU, chrF, TER and COMET for translations, ROUGE for summaries, WER for
    speech, CIDEr and METEOR for captions, SARI for simpler words, token F1
    for answers, BERTScore for texts in other words, and the perplexity of any
    text: exact, offline, and the same number every time.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())

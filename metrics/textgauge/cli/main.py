"""The program `textgauge`: its subcommands, and errors as one line."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

import click

from .. import __version__
from ..checks import printable
from ..engine import kernel_in_use
from .compare import compare
from .demo import demo
from .explain import explain
from .rouge155 import rouge155
from .score import score
from .tokenize import tokenize

BAD_INPUT = 2
INTERRUPTED = 130
_EPILOG = """\b
Examples:
  textgauge demo
  textgauge score -m bleu -p hyp.txt -r ref.txt
  textgauge compare -m bleu -r ref.txt baseline.txt other.txt
  textgauge explain -m rouge2 -p hyp.txt -r ref.txt -o report.html
  textgauge tokenize -t 13a hyp.txt
  textgauge score --help

\b
Completion in bash (or zsh_source, fish_source):
  eval "$(_TEXTGAUGE_COMPLETE=bash_source textgauge)"
"""


class OneLineErrors(click.Group):
    """A group that says what is wrong in one line on stderr and exits with 2."""

    def main(  # type: ignore[override]
        self, args: Sequence[str] | None = None, *, standalone_mode: bool = True, **extra: Any
    ) -> Any:
        """Run the program; with `standalone_mode` leave the process with its exit code."""
        if not standalone_mode:
            return super().main(args, standalone_mode=False, **extra)
        try:
            code = super().main(args, standalone_mode=False, **extra)
            sys.stdout.flush()
        except click.Abort:
            sys.exit(INTERRUPTED)
        except click.ClickException as error:
            _leave(error.format_message(), BAD_INPUT)
        except OSError as error:
            # What Python would still flush at its exit must go nowhere.
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            _leave("" if isinstance(error, BrokenPipeError) else f"cannot write the output: {error}", 1)
        sys.exit(code or 0)


def _leave(message: str, code: int) -> NoReturn:
    if message:
        click.echo(f"textgauge: {printable(' '.join(message.split()))}", err=True)
    sys.exit(code)


@click.group(
    cls=OneLineErrors,
    invoke_without_command=True,
    epilog=_EPILOG,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="textgauge", message=f"%(prog)s %(version)s, kernel: {kernel_in_use()}")
@click.pass_context
def main(context: click.Context) -> None:
    """Score generated text.

    BLEU for translations, ROUGE for summaries, token F1 for answers, and the
    perplexity of any text: exact, offline, and the same number every time.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


main.add_command(compare)
main.add_command(demo)
main.add_command(explain)
main.add_command(rouge155)
main.add_command(score)
main.add_command(tokenize)

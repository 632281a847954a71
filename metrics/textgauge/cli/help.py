"""Help with the options of each metric under their own headline."""

from __future__ import annotations

import click

from .options import MetricOption
from .registry import METRICS


class OptionsByMetric(click.Command):
    """A command whose help groups the options by the metrics that take them."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options: those of the command, those of several metrics, those of one."""
        groups: dict[tuple[str, ...], list[tuple[str, str]]] = {(): []}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record and isinstance(parameter, click.Option):
                groups.setdefault(_owners(parameter), []).append(record)
        own = groups.pop(())
        for headline, records in [
            ("Options", own),
            *((_headline(owners), groups[owners]) for owners in sorted(groups, key=lambda owners: -len(owners))),
        ]:
            with formatter.section(headline):
                formatter.write_dl(records)


def _owners(parameter: click.Option) -> tuple[str, ...]:
    if not isinstance(parameter, MetricOption):
        return ()
    return tuple(metric.name for metric in METRICS.values() if parameter.name in metric.flags)


def _headline(owners: tuple[str, ...]) -> str:
    return "Options of every metric" if len(owners) == len(METRICS) else f"Options of {' and '.join(owners)}"

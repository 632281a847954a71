"""Help with the options of each metric under their own headline."""

from __future__ import annotations

import click

from .registry import METRICS


class OptionsByMetric(click.Command):
    """A command whose help groups the options by the metrics that take them."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, those of metrics last."""
        groups: dict[tuple[str, ...], list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            owners = tuple(metric.name for metric in METRICS.values() if parameter.name in metric.flags)
            record = parameter.get_help_record(ctx)
            if record and isinstance(parameter, click.Option):
                groups.setdefault(owners, []).append(record)
        for owners, records in sorted(
            groups.items(), key=lambda group: -len(group[0]) if group[0] else -len(METRICS) - 1
        ):
            with formatter.section(f"Options of {' and '.join(owners)}" if owners else "Options"):
                formatter.write_dl(records)

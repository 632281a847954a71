"""The command line: `textgauge`, or `python -m textgauge`. One file per subcommand.

files -> reading -> segments     bytes, columns of one file, sides that belong together
registry, options                the metrics of the command line and their flags
tables, progress                 what a person sees
"""

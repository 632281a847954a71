"""The command line: `textgauge`, or `python -m textgauge`. One file per subcommand.

files -> reading -> segments     bytes, columns of one file, sides that belong together (squad: by id)
registry, flags                  the metrics of the command line and their flags
surprise                         perplexity: texts without references
tables, terminal, progress       what a person sees
"""

"""The command line: `textgauge`, or `python -m textgauge`. Metrics come from the registry; none is imported here.

main                          the program: a command is imported when it is called
score, compare, explain       the commands that score, each with the form of its output
demo, tokenize, rouge155      tools of their own
command                       what the first three share: flags, help, the request that is read from them
chosen                        the request: metrics with their options, files; counting
flags                         flags made from the options of metrics
files -> reading -> segments  bytes, columns of one file (`parquet`: by Arrow), parallel files
table, messages, interrupts   tables; errors, warnings, progress; Ctrl-C
streams                       standard input and output that are closed
"""

"""The command line: `textgauge`, or `python -m textgauge`. Metrics come from the registry; none is imported here.

main                          the program: a command is imported when it is called
score, compare, explain       the commands that score, each with the form of its output
demo, tokenize, rouge155      tools of their own
help                          the metrics, and the options of one as its card has them
metric                        what a name behind -m stands for; no other file knows a single metric
command -> request            the words of a command line; what they ask for, and the counting
files -> reading -> segments  bytes, columns of one file (`parquet`: by Arrow), parallel files
table, plots                  results as tables and pictures
messages, interrupts          errors, warnings, progress; Ctrl-C
streams                       standard input and output that are closed
"""

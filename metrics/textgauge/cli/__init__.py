"""The command line: `textgauge`, or `python -m textgauge`. Metrics come from the registry; none is imported here.

main                          the program: a command is imported when it is called
score, compare, explain       the commands that score, each with the form of its output
demo, tokenize, rouge155      tools of their own
command                       what the first three share: files, metrics, help
flags, chosen                 flags made from the options of metrics; the requested metrics with their options
language_models               flags in place of options that take Python objects
files -> reading -> segments  bytes, columns of one file (`arrow_files`: by Arrow), parallel files
table, messages, interrupts   tables; errors, warnings, progress; Ctrl-C
"""

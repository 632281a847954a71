"""The command line: `textgauge`, or `python -m textgauge`. It reads the registry of metrics and knows no single one.

main                          the program: a command is imported when it is called
score, compare, explain       the commands that score, each with the form of its output
demo, tokenize, rouge155      tools of their own
command                       what the first three share: files, metrics, help
flags, chosen                 flags made from the options of metrics; the metrics that were asked for, started with them
language_models               flags for what an option takes only in Python
files -> reading -> segments  bytes, columns of one file (`arrow_files`: by Arrow), files that belong together
table, messages, interrupts   what a person sees; refusals, warnings, progress; Ctrl-C
"""

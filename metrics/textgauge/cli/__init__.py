"""The command line: `textgauge`, or `python -m textgauge`. Metrics come from the registry; none is imported here.

main                            the program: a command is imported when it is called
score, compare, explain, plan   the commands that score systems, each with the form of its output
agree                           the command that compares metrics with people
pairwise, mbr, diversity        the commands that compare texts with each other
demo, tokenize, help            tools of their own
command -> request              words, flags, metrics and their options; files (`textgauge.files`), and their counting
output, compared, plots         results as tables, pages of JSON and rows; those of comparisons; pictures
messages, process               errors, warnings, progress; Ctrl-C, closed streams
"""

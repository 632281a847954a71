"""The command line: `textgauge`, or `python -m textgauge`. Metrics come from the registry; none is imported here.

main                            the program: a command is imported when it is called
score, compare, explain         the commands that score systems, each with the form of its output
pairwise, mbr, diversity        the commands that compare texts with each other
demo, tokenize, rouge155, help  tools of their own
command -> metrics -> request   words and flags; metrics and their options; files, and the counting of both
files -> reading -> segments    bytes; one file as columns (`blocks`; `parquet`: by Arrow); parallel files
table, plots, output            results as tables and pictures; files and pages of JSON
messages, process               errors, warnings, progress; Ctrl-C, closed streams
"""

"""Who agrees with whom, to how many decimals, at what speed: textgauge against other tools.

rows      the table: a title, our call, their call
tools     one adapter per tool: how it is called, how its figures are read
recorded  figures of the reference modules that were written down once
corpora   the texts: the embedded sample, or files
measure   rows x texts -> agreement, times (clock), peak memory (memory)
page      the page as a table for the terminal, Markdown and JSON; `picture` draws it
"""

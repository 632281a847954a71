"""Who agrees with whom, to how many decimals, at what speed: textgauge against other tools.

rows      the table: a title, our call, their call
tools     one adapter per tool: how it is called, how its figures are read
recorded  figures of the reference modules that were written down once
corpora   the texts: the embedded sample, files, or made up
measure   rows x texts -> agreement, times (clock), peak memory (memory)
where     where the time of our own calls goes: a profile (parts) beside plain passes over the text
ngrams    how long n-gram models take
document  all that was seen as plain data, which is page.json
page      the same as a table for the terminal and Markdown; below it `sections`
output    where it is written; `picture` (of `folding`'s lines) and `bars` draw it
"""

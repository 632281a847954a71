"""Who agrees with whom, to how many decimals, at what speed: textgauge against other tools.

rows          the table: a title, our call, their call
tool          what a tool is; how textgauge and the reference modules are called
*_tools       how other tools are called, and how their figures are read
texts         the texts: the embedded sample, files, or made up
measure       rows x texts -> lines of the page: scores (agreement), times, peak memory (child)
own_calls     our calls that are compared with nobody's
where         where the time of our calls goes, by steps
page          all that was seen as plain data, and as tables for the terminal and Markdown
pictures      two pictures of it
"""

"""Comparison of textgauge with other tools: agreement, speed, memory.

rows          the table: a title, the texts, our call, their call
tool          a tool and its options; calls of textgauge and of the reference modules, live and recorded
*_tools       calls of other tools, and readers of their results
texts         the texts: the embedded sample, files, or random texts
measure       rows x texts -> lines of the page: agreement, then times of calls in turn, then peak memory; the time of
              our calls by step of the kernel
page          the results as plain data, and as tables for the terminal and Markdown
pictures      two pictures of the results
"""

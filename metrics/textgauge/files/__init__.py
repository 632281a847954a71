"""Files of texts, whatever their format, read in blocks: for the command line and the pages.

lines                                        bytes in blocks of whole lines, within limits; what is refused
plain_text                                   formats of lines: plain text, and transcripts of sclite and Kaldi
json_lines, delimited, parquet               a format each
rows                                         blocks of rows in columns, and the rows that are bad
file                                         one file in any of the formats
joined                                       rows of several files that have ids
parallel                                     files whose rows belong together
"""

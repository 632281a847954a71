"""Pages that show a score and its texts: self-contained HTML, no network.

content     measures and texts -> the content of a page
breakdowns  scores by length of the segments, F1 by frequency of the words
charts      numbers -> shapes of a drawing
pages       content -> HTML, by templates that escape all text
"""

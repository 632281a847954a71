"""Pages that show a score and the texts behind it: self-contained HTML, no network.

content     measures and texts -> what a page says
breakdowns  scores of some of the segments, F1 of some of the words
charts      numbers -> shapes of a drawing
pages       all of that -> HTML, by templates that escape whatever they are given
"""

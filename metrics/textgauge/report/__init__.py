"""Pages that show a score and the texts behind it: self-contained HTML, no network.

marks    matching tokens of a text -> marked pieces
content  measures and texts -> what a page says
charts   numbers -> shapes of a drawing
pages    all of that -> HTML, by templates that escape whatever they are given
"""

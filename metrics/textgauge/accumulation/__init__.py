"""What adds the rows of a metric up.

scored       rows with their metric, to read: their sums, scores and intervals
accumulator  what counts texts and adds their rows; one call for all
running      scores from sums alone, for data sets and Spark
storage      rows as Arrow tables
registry     metrics and scores by name
register     `textgauge.register`: a metric of your own
"""

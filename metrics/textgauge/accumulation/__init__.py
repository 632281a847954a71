"""What adds the rows of a metric up.

accumulator  rows of segments, their sums and scores; one call for all
running      scores from sums alone, for data sets and Spark
storage      rows as Arrow tables
warnings     what a reader of a score needs to know, once per call
registry     metrics and scores by name
register     `textgauge.register`: a metric of your own
"""

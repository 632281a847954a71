"""What adds the rows of a metric up.

accumulator  what counts texts and adds their rows up: their sums, scores and intervals
functions    the function of a metric, which scores a corpus in one call
running      scores from sums alone, for data sets and Spark
storage      rows as Arrow tables
registry     metrics and scores by name
named_score  a score with its options, one value: chrf(word_order=2)
register     `textgauge.register`: a metric of your own
"""

"""What a metric is made of, and what adds it up.

metric       the parts of a metric: counter, formula, scores, and what is said of it
layout       the rows of counts, and several references
accumulator  rows of segments, their sums and scores; one call for all
sums         scores from sums alone, for data sets and Spark
storage      rows as Arrow tables
summary      results as tables, scores in words
warnings     what a reader of a score needs to know, once per call
crossing     counts of any texts with any others, for `all_pairs`
registry     metrics and scores by name
registering  `textgauge.register`: a metric of your own
comparison   `textgauge.compare`: systems against a baseline
agreement    `textgauge.agreement`: metrics against people
"""

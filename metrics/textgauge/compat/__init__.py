"""Drop-in imports: `rouge_scorer` and `scoring` of rouge_score, and `sacrebleu`, over the same kernel.

Numbers, scales, objects and their text are those of rouge_score 0.1.2 and sacreBLEU 2.6, neither of which is imported.
Only the version in a signature differs: it names textgauge, which computed the score.
"""

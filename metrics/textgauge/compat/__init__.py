"""Drop-in imports: `rouge_scorer` and `scoring` of rouge_score, and `sacrebleu`, over the same kernel.

The numbers, the objects and their text are those of rouge_score 0.1.2 and sacreBLEU 2.6, scales included; neither is
imported. What has another name here is the version in a signature, since it says what computed the score.
"""

"""Interpolated Kneser-Ney by its definition: Chen and Goodman (1998), sections 2.6 and 2.7."""

START, END, UNKNOWN = "<s>", "</s>", "<unk>"


class KneserNey:
    """Counts n-grams of texts padded with order - 1 start marks and one end mark."""

    def __init__(self, texts, order, discount):
        self.order, self.discount = order, discount
        self.vocabulary = {word for text in texts for word in text} | {END, UNKNOWN}
        self.ngrams = []
        for text in texts:
            padded = [START] * (order - 1) + text + [END]
            for end in range(order - 1, len(padded)):
                self.ngrams += [tuple(padded[end - n : end + 1]) for n in range(order)]

    def count(self, ngram):
        if len(ngram) == self.order:
            return self.ngrams.count(ngram)
        return len({longer for longer in self.ngrams if len(longer) == len(ngram) + 1 and longer[1:] == ngram})

    def probability(self, word, context):
        if context is None:
            return 1 / len(self.vocabulary)
        lower = self.probability(word, context[1:] if context else None)
        counts = [self.count((*context, following)) for following in self.vocabulary]
        if not sum(counts):
            return lower
        kept = max(self.count((*context, word)) - self.discount, 0)
        saved = self.discount * sum(count > 0 for count in counts)
        return (kept + saved * lower) / sum(counts)


class AddK:
    """Lidstone's estimate; with k = 0 the plain shares, 0 where the context is unknown."""

    def __init__(self, texts, order, k):
        self.k = k
        self.vocabulary = {word for text in texts for word in text} | {END, UNKNOWN}
        padded = [[START] * (order - 1) + text + [END] for text in texts]
        self.rows = [(tuple(t[i - order + 1 : i]), t[i]) for t in padded for i in range(order - 1, len(t))]

    def probability(self, word, context):
        follow = [following for before, following in self.rows if before == context]
        below = len(follow) + self.k * len(self.vocabulary)
        return (follow.count(word) + self.k) / below if below else 0.0

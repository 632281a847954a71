"""nltk's tokenizer of NIST, without the data that it asks for when it is imported."""

from unittest import mock

import nltk.corpus

# The table of characters is for its international rules, which no metric calls.
with mock.patch.object(nltk.corpus, "perluniprops", mock.Mock(chars=lambda _: ["0"])):
    from nltk.tokenize.nist import NISTTokenizer

__all__ = ["NISTTokenizer"]

"""METEOR keeps the stems and synonyms of the words that it has read, up to some number of words."""

import pytest
import textgauge
from tiny_meteor import save_own_wordnet


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_words_are_forgotten_with_all_that_was_known_of_them(tmp_path):
    meteor = textgauge.Meteor(wordnet=str(save_own_wordnet(tmp_path / "wordnet")))
    assert textgauge.segment_scores(meteor, ["running"], ["run"]) == [0.5]
    textgauge.segment_scores(meteor, [" ".join(f"w{i}" for i in range((1 << 18) + 1))], ["w1"])
    # These words have the numbers that the first ones had, whose stem was the second.
    assert textgauge.segment_scores(meteor, ["zebra"], ["dog"]) == [0.0]
    assert textgauge.segment_scores(meteor, ["running"], ["run"]) == [0.5]

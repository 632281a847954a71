"""Segments for the tests of comparisons."""

import json

from comparisons.reference_modules.texts import Corpus

SUMMARIES = [
    ("The mill by the brook was sold.\nA baker bought it.", ["A baker has bought the old mill by the brook."]),
    ("Snow closed the pass for two days.", ["For two days, snow closed the mountain pass.\nIt is open again."]),
    ("Nobody saw the fox.", ["Nobody had seen the fox running."]),
]
TRANSLATIONS = [
    ("The boat leaves the harbour at nine o'clock.", ["At nine o'clock the boat leaves the harbour."]),
    ("He asked for 2.5 litres of milk, and bread.", ["He asked for bread and 2.5 litres of milk.", "He wanted milk."]),
    ("It rained all night on the roof of the barn.", ["It was raining all night on the roof of the barn."]),
]
# So many that no path for few segments is taken.
TIMES = 40
CORPORA = {
    name: Corpus(name, *map(list, zip(*segments * TIMES, strict=True)))
    for name, segments in (("summaries", SUMMARIES), ("translations", TRANSLATIONS))
}
TWO = Corpus("two", ["a fox", "the hen"], [["a red fox"], ["the hen"]])


def json_lines(segments):
    return "".join(json.dumps({"prediction": p, "references": r}) + "\n" for p, r in segments)

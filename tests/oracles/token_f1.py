"""Token F1 by its definition: SQuAD's v1.1 scoring loop, MLQA's normalization, the textbook's sets."""

import re
import string
import unicodedata
from collections import Counter

ARTICLES = {
    "en": "a|an|the",
    "es": "un|una|unos|unas|el|la|los|las",
    "de": "ein|eine|einen|einem|eines|einer|der|die|das|den|dem|des",
    "vi": "của|là|cái|chiếc|những",
}


def squad(answer):
    punctuation = set(string.punctuation)
    kept = "".join(c for c in answer.lower() if c not in punctuation)
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", kept).split())


def mlqa(answer, language):
    def is_punctuation(c):
        return unicodedata.category(c).startswith("P") or c in string.punctuation

    kept = "".join(c for c in answer.lower() if not is_punctuation(c))
    if language == "ar":
        kept = kept.replace("ال", " ")
    elif language in ARTICLES:
        kept = re.sub(rf"\b({ARTICLES[language]})\b", " ", kept)
    elif language == "zh":
        kept = "".join(f" {c} " if "\u4e00" <= c <= "\u9fa5" else c for c in kept)
    return " ".join(kept.split())


def precision_recall_f1(prediction, reference):
    """Both are lists of tokens, or both sets."""
    common = sum((Counter(prediction) & Counter(reference)).values())
    if common == 0:
        return 0.0, 0.0, 0.0
    precision, recall = common / len(prediction), common / len(reference)
    return precision, recall, 2 * precision * recall / (precision + recall)


def squad_f1(prediction, reference):
    return precision_recall_f1(squad(prediction).split(), squad(reference).split())[2]


def squad_exact_match(prediction, reference):
    return squad(prediction) == squad(reference)


def squad_scores(predictions, references):
    """The loop of the reference module: each metric takes its own best reference."""
    f1 = exact_match = 0
    for prediction, answers in zip(predictions, references, strict=True):
        exact_match += max(squad_exact_match(prediction, answer) for answer in answers)
        f1 += max(squad_f1(prediction, answer) for answer in answers)
    return {"exact_match": 100.0 * exact_match / len(predictions), "f1": 100.0 * f1 / len(predictions)}

"""The scores of SQuAD 2.0 by their definition, question by question."""

from collections import Counter

from oracles.token_f1 import squad


def f1_of(prediction, answer):
    ours, theirs = squad(prediction).split(), squad(answer).split()
    if not ours or not theirs:
        return int(ours == theirs)
    common = sum((Counter(ours) & Counter(theirs)).values())
    if common == 0:
        return 0
    precision, recall = common / len(ours), common / len(theirs)
    return 2 * precision * recall / (precision + recall)


def best_of(scores, predictions, probabilities, has_answer):
    """Answer the questions from the least probably unanswerable one on; the threshold is where the score was best."""
    score = best = sum(not has for has in has_answer.values())
    threshold = 0.0
    for name in sorted(probabilities, key=probabilities.get):
        score += scores[name] if has_answer[name] else -1 if predictions[name] else 0
        if score > best:
            best, threshold = score, probabilities[name]
    return 100.0 * best / len(scores), threshold


def squad_v2_scores(predictions, references, threshold=1.0):
    texts = {row["id"]: row["prediction_text"] for row in predictions}
    probabilities = {row["id"]: row["no_answer_probability"] for row in predictions}
    answers = {row["id"]: row["answers"]["text"] for row in references}
    has_answer = {name: bool(texts) for name, texts in answers.items()}
    gold = {name: [text for text in texts if squad(text)] or [""] for name, texts in answers.items()}
    raw = {
        "exact": {n: max(int(squad(texts[n]) == squad(answer)) for answer in gold[n]) for n in answers},
        "f1": {n: max(f1_of(texts[n], answer) for answer in gold[n]) for n in answers},
    }
    groups = {
        "": [*answers],
        "HasAns_": [name for name in answers if has_answer[name]],
        "NoAns_": [name for name in answers if not has_answer[name]],
    }
    result = {}
    for side, names in groups.items():
        for key in raw if names else ():
            chosen = [
                float(not has_answer[name]) if probabilities[name] > threshold else raw[key][name] for name in names
            ]
            result[side + key] = 100.0 * sum(chosen) / len(names)
        if names:
            result[f"{side}total"] = len(names)
    for key, scores in raw.items():
        found = best_of(scores, texts, probabilities, has_answer)
        result[f"best_{key}"], result[f"best_{key}_thresh"] = found
    return result

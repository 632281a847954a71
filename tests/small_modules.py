"""A folder of modules with the names, columns and results of `evaluate`'s, which call the same official tools."""

MODULE = """
import datasets
import evaluate
{imports}


class {title}(evaluate.Metric):
    def _info(self):
        text = datasets.Value("string")
        features = {features}
        return evaluate.MetricInfo(description="", citation="", features=features)

    def _compute(self, predictions, references, {arguments}):
{body}
"""
TEXTS = """[
            datasets.Features({"predictions": text, "references": references})
            for references in (datasets.Sequence(text), text)
        ]"""
ROWS = """datasets.Features({
            "predictions": {"id": text, "prediction_text": text},
            "references": {
                "id": text, "answers": datasets.Sequence({"text": text, "answer_start": datasets.Value("int32")})
            },
        })"""
BLEU = """
        cut = tokenizer or Tokenizer13a()
        cut = cut if tokenizer else lambda text, cut=cut: cut(text).split()
        groups = [[group] if isinstance(group, str) else group for group in references]
        hyps, refs = [cut(text) for text in predictions], [[cut(text) for text in group] for group in groups]
        add, precisions = int(smooth), []
        for n in range(1, max_order + 1):
            matches = sum(clipped(h, r, n) for h, r in zip(hyps, refs))
            total = sum(max(len(h) - n + 1, 0) for h in hyps)
            precisions.append((matches + add) / (total + add) if total + add else 0.0)
        length, closest = sum(map(len, hyps)), sum(min(map(len, r)) for r in refs)
        ratio = length / closest
        penalty = 1.0 if ratio > 1 else math.exp(1 - 1 / ratio)
        mean = math.exp(sum(math.log(p) / max_order for p in precisions)) if min(precisions) > 0 else 0
        values = mean * penalty, precisions, penalty, ratio, length, closest
        names = "bleu", "precisions", "brevity_penalty", "length_ratio", "translation_length", "reference_length"
        return dict(zip(names, values))
"""
ROUGE = """
        kinds = rouge_types or ["rouge1", "rouge2", "rougeL", "rougeLsum"]
        cut = tokenizer and types.SimpleNamespace(tokenize=tokenizer)
        scorer = rouge_scorer.RougeScorer(kinds, use_stemmer=use_stemmer, tokenizer=cut)
        groups = [[group] if isinstance(group, str) else group for group in references]
        scores = [scorer.score_multi(group, text) for group, text in zip(groups, predictions)]
        if not use_aggregator:
            return {kind: [score[kind].fmeasure for score in scores] for kind in kinds}
        aggregator = scoring.BootstrapAggregator()
        for score in scores:
            aggregator.add_scores(score)
        return {kind: value.mid.fmeasure for kind, value in aggregator.aggregate().items()}
"""
SQUAD = """
        answers = {row["id"]: row["answers"]["text"] for row in references}
        return squad_scores([row["prediction_text"] for row in predictions], [answers[row["id"]] for row in predictions])
"""  # noqa: E501
# sacreBLEU's first stream has the first reference of every segment, and so on.
SACREBLEU = """
        streams = [list(stream) for stream in zip(*references)]
        result = {name}(**options).corpus_score(predictions, streams)
        return {{key: getattr(result, field) for key, field in {fields}.items()}}
"""
FIELDS = {
    "sacrebleu": {key: key for key in ("score", "counts", "totals", "precisions", "bp", "sys_len", "ref_len")},
    "chrf": {"score": "score", "char_order": "char_order", "word_order": "word_order", "beta": "beta"},
    "ter": {"score": "score", "num_edits": "num_edits", "ref_length": "ref_length"},
}
MODULES = {
    "bleu": (
        "import math\nfrom sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a\n"
        "from .counting import clipped  # From: https://counting.invalid/counting.py",
        "tokenizer=None, max_order=4, smooth=False",
        BLEU,
    ),
    "rouge": (
        "import types\nfrom rouge_score import rouge_scorer\nfrom rouge_score import scoring",
        "rouge_types=None, use_aggregator=True, use_stemmer=False, tokenizer=None",
        ROUGE,
    ),
    "squad": ("from oracles.token_f1 import squad_scores", "", SQUAD),
    **{
        name: (f"from sacrebleu.metrics import {title}", "**options", SACREBLEU.format(name=title, fields=fields))
        for (name, fields), title in zip(FIELDS.items(), ("BLEU", "CHRF", "TER"), strict=True)
    },
}


def write(folder):
    for name, (imports, arguments, body) in MODULES.items():
        features = ROWS if name == "squad" else TEXTS
        parts = {"imports": imports, "features": features, "arguments": arguments, "body": body}
        (folder / name).mkdir()
        (folder / name / f"{name}.py").write_text(MODULE.format(title=name.title(), **parts), encoding="utf-8")
    # The import names an address, as in the bleu module of `evaluate`.
    (folder / "bleu" / "counting.py").write_text(
        "from textgauge.plain.ngrams import clipped_matches as clipped\n", encoding="utf-8"
    )
    return folder

"""The table of metrics, and the folders of their modules for `evaluate.load`, installed and editable."""

from __future__ import annotations

from .checks import one_of

# Every metric with its file in `measures`, where a function has its name, and the class there that adds its batches up.
# Without a class it scores a whole set of texts, so that no face that scores text by text knows it. All that lists
# metrics reads this table: registry, names of the package, program, tests.
HOMES = {
    "bleu": "bleu.Bleu", "sacrebleu": "sacrebleu.Sacrebleu", "rouge": "rouge.Rouge", "chrf": "chrf.Chrf",
    "ter": "ter.Ter", "meteor": "meteor.Meteor", "meteor15": "meteor15.Meteor15",
    "wer": "wer.Wer", "cer": "wer.Cer",
    "token_f1": "token_f1.TokenF1", "squad": "squad.Squad", "squad_v2": "squad.SquadV2",
    "perplexity": "perplexity.Perplexity", "bertscore": "bertscore.BertScore", "comet": "comet.Comet",
    "metricx": "metricx.Metricx", "bleurt": "bleurt.Bleurt", "consistency": "consistency.Consistency",
    "frugalscore": "frugalscore.FrugalScore",
    "exact_match": "exact_match.ExactMatch", "math_answer": "math_answer.MathAnswer",
    "google_bleu": "google_bleu.GoogleBleu", "nist_mt": "nist_mt.NistMt",
    "sari": "sari.Sari", "character": "character.Character", "charcut_mt": "charcut_mt.CharcutMt",
    "cider": "cider.Cider", "anls": "anls.Anls", "code_eval": "code_eval.CodeEval", "cuad": "cuad.Cuad",
    "vqa_accuracy": "vqa_accuracy.VqaAccuracy", "relaxed_accuracy": "relaxed_accuracy.RelaxedAccuracy",
    "teds": "teds.Teds", "cpwer": "cpwer.Cpwer",
    "diversity": "diversity", "mauve": "mauve",
}  # fmt: skip
# The score of a call, a command or a page that names none.
DEFAULT = "sacrebleu"
OF_SETS = tuple(name for name, home in HOMES.items() if "." not in home)
COMPARISONS = ("paired_bootstrap", "paired_permutation")
# Modules that are made of metrics, and have a name for `evaluate` alone.
OF_METRICS = ("wiki_split", "competition_math")
MODULES = (*HOMES, *OF_METRICS, *COMPARISONS)
# Tables of several scores, by the name that stands for them behind -m: each score or metric, with its options as typed.
TABLES = {"coco": ("Bleu_1", "Bleu_2", "Bleu_3", "Bleu_4", "meteor15 tokenizer=coco", "ROUGE_L", "cider")}
# Files for trainers that find a reward by its path.
REWARDS = ("rewards/verl", "rewards/openrlhf")


def path(name: str) -> str:
    """Return the folder of a module, for `evaluate.load`, or a file that a trainer takes as a reward.

    Parameters
    ----------
    name : str
        Of a module, such as "bleu"; "rewards/verl" or "rewards/openrlhf".

    Examples
    --------
    >>> import os
    >>> os.path.basename(path("bleu"))
    'bleu'
    >>> os.path.basename(path("rewards/verl"))
    'verl.py'
    """
    one_of("name", name, MODULES + REWARDS)
    from pathlib import Path

    package = Path(__file__).parent
    if name in REWARDS:
        return str(package / f"{name}.py")
    # A wheel has both folders inside the package, a source tree beside it.
    folder = "comparisons" if name in COMPARISONS else "metrics"
    carried = package / folder / name
    return str(carried if carried.is_dir() else package.parent.parent / folder / name)

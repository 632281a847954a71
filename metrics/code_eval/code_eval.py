"""Programs of models and their tests, for `evaluate.load`."""

import textgauge
from textgauge import modules


class CodeEval(modules.ProgramMetric):
    """The share of problems that are solved by programs of a model: pass@k, the chance that one of k samples passes the
    tests of its problem, by the unbiased estimator of Chen et al. (2021), and how every program ended.
    """

    accumulator = textgauge.CodeEval
    citation = """
    @misc{chen2021evaluating,
        title = "Evaluating Large Language Models Trained on Code",
        author = "Chen, Mark and Tworek, Jerry and Jun, Heewoo and Yuan, Qiming and Pinto, Henrique Ponde de
            Oliveira and Kaplan, Jared and Edwards, Harri and Burda, Yuri and Joseph, Nicholas and Brockman, Greg and
            others",
        year = "2021",
        eprint = "2107.03374",
        archivePrefix = "arXiv",
    }
    """
    urls = ("https://arxiv.org/abs/2107.03374", "https://github.com/openai/human-eval")
    inputs = """
    predictions: list of lists of str, the candidates for every problem: each is a program.
    references: list of str, the tests of every problem: code that raises if a candidate before it is wrong.
    k: int or list of int, numbers of samples. Those that some problem has fewer samples than are left out.
    """
    returns = """
    a pair: pass@k for every k, each from 0 to 1; and the results by the number of the problem, lists of pairs of a
    number and a dict with task_id, passed, result ("passed", "timed out" or "failed: ...") and completion_id
    """
    examples = """
    >>> import evaluate
    >>> import textgauge
    >>> code_eval = evaluate.load(textgauge.path("code_eval"))
    >>> candidates = [["def add(a, b): return a * b", "def add(a, b): return a + b"]]
    >>> options = {"allow": True, "sandbox": "none"}
    >>> pass_at_k, results = code_eval.compute(predictions=candidates, references=["assert add(2, 3) == 5"], **options)
    >>> pass_at_k
    {'pass@1': 0.5}
    >>> results[0][1][1]["result"]
    'passed'
    """

"""Record what the rules of lm-evaluation-harness make of texts: `python tests/data/record_math.py FOLDER`.

FOLDER has the wheel of the harness, unpacked. Its files import more than their functions need, which are taken out of
them. Texts are drawn until each step of a rule is needed by several of them.
"""

import ast
import json
import random
import re
import sys
from pathlib import Path

from textgauge.text.math_rules import RULES, GaveUp

PIECES = [
    "0.5", ".5", "{.5}", "1/2", "12", "\\frac", "\\frac12", "\\frac1{72}", "\\dfrac{3}{4}", "\\tfrac", "\\sqrt",
    "\\sqrt2",
    "\\sqrt[3]8", "sqrt[", "]", "\\text{ cm}", "\\text{ ", "%", "\\%", "\\%%", "\\$", "$", "^\\circ", "^{\\circ}", "x=",
    "=", " ", ".", "{", "}", "\\\\", "\\!", "\n", "\\left(", "\\right)", "/", "a", "1,000", "-1,000", ",", "an ", "a ",
    "\\text{s}", "\\boxed{3}", "\\boxed{", "\\text{", "\\textbf{", "\\overline{", "frac12", "sqrt3", "\u0661",
    "\\infty",
    "\\pi", "m", "_", "\\,", "x", "7", ".$", "\\ ", "mbox", "\\mbox{m}", ",\\text{and}", "\\text{and}", "\\text{m}",
    "square", "ways", "integers", "dollars", "mph", "inches", "ft", "hours", "km", "units", "\\ldots", "sue", "points",
    "feet", "minutes", "digits", "cents", "degrees", "cm", "gm", "pounds", "meters", "meals", "edges", "students",
    "childrentickets", "multiples", "\\text{.}", "\\text{\ns}", "\\text{}^2", "\\text{}^3", "\\text{\n}", "\\text{}",
    "\\mathrm{th}", "\\;", ",\\!", "{,}", '"', "\\dots",
]  # fmt: skip
FILES = {"lm-eval": ("hendrycks_math", "strip_string"), "minerva": ("minerva_math", "normalize_final_answer")}
TEXTS_OF_A_STEP, MORE = 3, 150


def function_of(folder, rule):
    task, name = FILES[rule]
    tree = ast.parse((Path(folder) / "lm_eval/tasks" / task / "utils.py").read_text())
    kept = [
        node for node in tree.body
        if (isinstance(node, ast.Assign) and node.targets[0].id.isupper())
        or (isinstance(node, ast.FunctionDef) and (node.name == name or node.name.startswith(("fix_", "remove_right"))))
    ]  # fmt: skip
    names = {"re": re}
    exec(compile(ast.Module(kept, []), task, "exec"), names)
    return names[name]


def made(function, text):
    try:
        return function(text)
    except Exception:
        # `is_equiv` compares the texts as they are.
        return None


def without(steps, place, text):
    try:
        for _, mark, change in (*steps[:place], *steps[place + 1 :]):
            if mark in text:
                text = text.replace(mark, change) if isinstance(change, str) else change(text)
    except GaveUp:
        return None
    return text


def drawn(function, steps):
    draw, needed, found = random.Random(1), dict.fromkeys(range(len(steps)), 0), {}
    while len(found) < MORE or min(needed.values()) < TEXTS_OF_A_STEP:
        text = "".join(draw.choices(PIECES, k=draw.randint(1, 6)))
        result = made(function, text)
        of_steps = [place for place, step in enumerate(steps) if step.mark and step.mark in text]
        of_steps = [place for place in of_steps if without(steps, place, text) != result]
        if any(needed[place] < TEXTS_OF_A_STEP for place in of_steps) or draw.random() < 0.002:
            found[text] = result
            for place in of_steps:
                needed[place] += 1
    return [*found.items()]


if __name__ == "__main__":
    rows = {rule: drawn(function_of(sys.argv[1], rule), RULES[rule]) for rule in FILES}
    lines = [f'"{rule}": [\n' + ",\n".join(map(json.dumps, of_rule)) + "\n]" for rule, of_rule in rows.items()]
    Path(__file__).with_name("math_rules.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")

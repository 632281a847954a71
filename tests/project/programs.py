"""What the tests of the tree ask of a program."""

import ast


def docstrings(tree):
    """The identities of the nodes that are docstrings."""
    documented = [n for n in ast.walk(tree) if isinstance(n, (ast.Module, ast.ClassDef, ast.FunctionDef))]
    return {id(n.body[0].value) for n in documented if ast.get_docstring(n) is not None}

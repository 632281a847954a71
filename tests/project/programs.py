"""What the tests of the tree ask of a program."""

import ast
from functools import cache


@cache
def nodes_of(tree):
    """All nodes of a tree, the outer ones first; found once for all tests."""
    return [*ast.walk(tree)]


def docstrings(tree):
    """The identities of the nodes that are docstrings."""
    documented = [n for n in nodes_of(tree) if isinstance(n, (ast.Module, ast.ClassDef, ast.FunctionDef))]
    return {id(n.body[0].value) for n in documented if ast.get_docstring(n) is not None}

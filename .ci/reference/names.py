"""Calls pdoc, which takes types from the stub beside the package, and docstrings from the package alone.

Classes of users are made from metrics: in the stub they have the docstrings of their base.
"""

from pdoc import __main__, doc_pyi

take = doc_pyi._patch_doc


def with_own_docstring(target, stub):
    """Take the types of a stub."""
    own = target.docstring
    take(target, stub)
    target.docstring = own


doc_pyi._patch_doc = with_own_docstring
if __name__ == "__main__":
    __main__.cli()

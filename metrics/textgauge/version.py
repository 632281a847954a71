"""The version of the package, which pyproject.toml reads, and of results and signatures.

A release is the commit with its plain number. Every later commit has "+dev" after the number, so
that no score of a checkout claims to be of the release; `.github/workflows/release.yml` says how a
release is made.
"""

__version__ = "0.2.0"

"""The version, as results and signatures state it, and the package's own: pyproject.toml reads it here.

A release is the commit that has its plain number. Every commit after it has "+dev" behind that
number, so that no score of a checkout claims to be of the release; `.github/workflows/release.yml`
says how a release is made.
"""

__version__ = "0.2.0"

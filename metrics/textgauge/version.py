"""The version, as results and signatures state it."""

__version__ = "0.1.0"

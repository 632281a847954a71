"""`textgauge rouge155`: the command line of the ROUGE-1.5.5 script, for those who repeat experiments of DUC and TAC."""

from .script import rouge155

__all__ = ["rouge155"]

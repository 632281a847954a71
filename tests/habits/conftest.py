from cli.conftest import refused, run

__all__ = ["refused", "run"]

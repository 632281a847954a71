from cli.conftest import metrics, refused, run, write

__all__ = ["metrics", "refused", "run", "write"]

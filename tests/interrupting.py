"""Children that Ctrl-C reaches, whatever this process inherited: under nohup, or behind `&`, SIGINT is ignored."""

import signal


def interruptible():
    """Restore what SIGINT does: for `preexec_fn`, and for the child of a fork."""
    signal.signal(signal.SIGINT, signal.default_int_handler)

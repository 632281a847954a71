"""Child processes that receive Ctrl-C even if this process ignores SIGINT, as under nohup or after `&`."""

import signal


def interruptible():
    """Restore the default of SIGINT: for `preexec_fn`, and for the child of a fork."""
    signal.signal(signal.SIGINT, signal.default_int_handler)

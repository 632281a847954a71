"""How time grows with the length of a text."""

import gc
import time

FACTOR = 8
# A quadratic path has FACTOR squared; caches that a longer text no longer fits cost less than this.
BOUND = 4 * FACTOR


def seconds(action, *args):
    # The collector of garbage would walk through all that other tests have left.
    gc.disable()
    try:
        start = time.process_time()
        action(*args)
        return time.process_time() - start
    finally:
        gc.enable()


def growth(action, small, large):
    """The ratio of the least times: whatever else this machine does only ever adds to one."""
    of_small, of_large = min(seconds(action, small) for _ in range(2)), seconds(action, large)
    for _ in range(6):
        if of_large < BOUND * max(of_small, 1e-4):
            break
        of_small, of_large = min(of_small, seconds(action, small)), min(of_large, seconds(action, large))
    return of_large / max(of_small, 1e-4)

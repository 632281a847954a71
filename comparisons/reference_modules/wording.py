"""How the page writes times, sizes and ratios."""

from __future__ import annotations


def duration(seconds: float) -> str:
    """Write a time with three significant digits.

    Examples
    --------
    >>> duration(0.0000123), duration(0.0234), duration(10.84)
    ('12.3 µs', '23.4 ms', '10.8 s')
    """
    size, unit = next((pair for pair in ((1.0, "s"), (1e-3, "ms")) if seconds >= pair[0]), (1e-6, "µs"))
    value = seconds / size
    return f"{value:.{max(0, 3 - len(str(int(value))))}f} {unit}"


def megabytes(size: int) -> str:
    """Write bytes as MB of 2**20, with a decimal below 10.

    Examples
    --------
    >>> megabytes(2**20 * 3 // 2), megabytes(2**25)
    ('1.5', '32')
    """
    return f"{size / 2**20:.1f}" if size < 10 * 2**20 else f"{size / 2**20:.0f}"


def factor(speedup: float) -> str:
    """Write a ratio of times with two significant digits, never below 1.

    Examples
    --------
    >>> factor(52.4), factor(1.53), factor(0.25), factor(1.004)
    ('52× faster', '1.5× faster', '4.0× slower', 'as fast')
    """
    if 0.95 < speedup < 1.05:
        return "as fast"
    ratio, word = (speedup, "faster") if speedup > 1 else (1 / speedup, "slower")
    return f"{ratio:.0f}× {word}" if ratio >= 9.95 else f"{ratio:.1f}× {word}"

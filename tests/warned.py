"""What a call warns of."""

import warnings


def warned(call, *given, **options):
    """Call with every warning shown, and return their messages in order."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call(*given, **options)
    return [str(one.message) for one in caught]

# Both import torch; the tests that need them skip where it is missing.
collect_ignore = ["tiny.py", "two_processes.py"]

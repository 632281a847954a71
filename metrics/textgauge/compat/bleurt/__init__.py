"""`bleurt`: BLEURT on PyTorch, without TensorFlow."""

"""From text to score: accumulators that take batches, and one-call functions."""

"""From text to score: accumulators of batches, and one-call functions."""

"""From numbers to scores, where no counts of overlap are: diversity, perplexity, n-gram models; exact sums."""

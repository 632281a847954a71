"""What a metric is made of."""

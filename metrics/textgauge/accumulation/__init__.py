"""What a metric is made of, and what adds it up: contract, rows, sums, storage, registry, comparison and agreement."""

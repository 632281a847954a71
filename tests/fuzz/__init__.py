"""The differential fuzzer: every target against its naive twin or official tool, by two engines."""

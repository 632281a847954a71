"""`easse`: the SARI of simplified texts."""

"""`pycocoevalcap.rouge`."""

"""`pycocoevalcap.spice`."""

"""`pycocoevalcap.cider`."""

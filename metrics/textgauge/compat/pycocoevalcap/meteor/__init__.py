"""`pycocoevalcap.meteor`."""

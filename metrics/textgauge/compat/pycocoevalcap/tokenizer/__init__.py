"""`pycocoevalcap.tokenizer`."""

"""What explains a score: marks and places in texts, the steps of a calculation."""

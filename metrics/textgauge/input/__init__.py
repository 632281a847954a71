"""Columns of texts: what users give, checked."""

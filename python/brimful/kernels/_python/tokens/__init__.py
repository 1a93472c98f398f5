"""Exact tokens: a text is cut into pieces, each piece into tokens, and those are counted."""

"""Types to text: the only place where words of the prompt and escapes live."""

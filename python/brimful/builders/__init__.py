"""One module or folder a system; this is where stages and rendering become a context."""

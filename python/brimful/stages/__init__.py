"""Pure steps that builders share, one idea a file."""

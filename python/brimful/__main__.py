"""`python -m brimful`."""

from brimful.cli import main

main()

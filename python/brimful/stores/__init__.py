"""What outlives a call, and most of it the process: cards, and how they are kept and found."""

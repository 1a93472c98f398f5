"""Context records: what was sent, why, and the proof of it."""

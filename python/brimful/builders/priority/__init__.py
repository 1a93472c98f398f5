"""Drop-in for seed 003: prioritised items under a budget, features and their freshness, records."""

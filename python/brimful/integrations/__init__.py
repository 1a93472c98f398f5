"""Adapters to other packages: each is an extra, imported when it is used and not before."""

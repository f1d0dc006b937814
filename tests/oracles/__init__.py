"""Slow and plain programs, written from the definitions, that judge the fast ones."""

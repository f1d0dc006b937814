"""The command line; it sees only the public package."""

from dagscape.cli.app import main

__all__ = ["main"]

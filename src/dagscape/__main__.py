"""Run the command line as ``python -m dagscape``."""

from dagscape.cli import main

if __name__ == "__main__":
    main()

"""What every reader and writer of files shares: text, JSON, XML, packed files, safe cells."""

"""Work that outlives its process: SQLite files of pieces that are done."""

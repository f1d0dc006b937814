"""What a computation may use: time, memory and threads; how it tells how far it is."""

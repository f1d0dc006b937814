"""What all tests have in common."""

from hypothesis import settings

# The same cases every time, and no limit of time for one: machines are slow at times.
settings.register_profile("dagscape", derandomize=True, deadline=None)
settings.load_profile("dagscape")

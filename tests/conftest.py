"""Settings all tests share."""

from __future__ import annotations

from hypothesis import settings

# No deadline: the time of one example says more about the machine than about the code. Derandomized, and without a
# database of examples: the same run everywhere.
settings.register_profile("boardsnap", deadline=None, derandomize=True, database=None)
settings.load_profile("boardsnap")

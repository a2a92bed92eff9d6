"""The parts of `Scripts/bench`: Python's standard library only."""

"""Training of the three networks; needs the `[train]` extra. Nothing in here is imported to score a photo."""

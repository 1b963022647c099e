"""boardsnap."""

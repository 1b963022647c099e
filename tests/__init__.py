"""Tests, mirroring the folders of the project."""

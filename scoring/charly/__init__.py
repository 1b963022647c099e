"""The rules of Charly."""

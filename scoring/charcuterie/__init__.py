"""The rules of Charcuterie: The Board Game."""

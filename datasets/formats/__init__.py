"""Labels of other tools, written from truth files."""

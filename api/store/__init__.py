"""What the service keeps: readings and tables in a database, photos as files."""

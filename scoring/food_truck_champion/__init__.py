"""The rules of Food Truck Champion."""

"""A real wheel, terminal or browser."""

"""Record games: a recorder that loses nothing, at the table and from code."""

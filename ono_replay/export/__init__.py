"""Games to look at and to hand on: the replay page, pictures, a transcript."""

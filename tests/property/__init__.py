"""Laws that hold for every game, tried on generated ones."""

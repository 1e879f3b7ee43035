"""Cases whose right answers come from outside this code."""

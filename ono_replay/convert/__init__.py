"""Outside formats into logs."""

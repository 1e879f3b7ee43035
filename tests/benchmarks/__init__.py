"""Measurements, each of which asserts its result before its time; off by default."""

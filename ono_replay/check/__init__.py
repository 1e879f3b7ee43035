"""Validation: what is wrong with a log, where, and why."""

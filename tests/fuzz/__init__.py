"""Damaged and hostile input: diagnostics, never a crash."""

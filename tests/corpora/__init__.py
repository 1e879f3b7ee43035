"""Corpora of odd inputs, made by a command and kept as files."""

"""Diagnostics shown: for people, for programs and for the services that check changes."""

"""Simulated play: pinned shuffles, bots, whole matches as logs, and the check of a deal against its seed."""

"""The log format: bytes to records and back, streaming; never raises on what a log says."""

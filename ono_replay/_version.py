"""The version of the package; rulesets and the log format count their own."""

__version__ = "0.1.0"

"""The dashboard: recorded games in a browser. Started by `ono-replay dashboard`; knows no rules and parses nothing."""

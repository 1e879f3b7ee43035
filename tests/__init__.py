"""The tests of ono-replay; CONTRIBUTING.md says what goes where."""

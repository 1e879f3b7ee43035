"""`python -m ono_replay` is the `ono-replay` command."""

from ono_replay.cli.main import main

main()

"""The `opfire` command: a module for each subcommand, with `register` and `run`."""

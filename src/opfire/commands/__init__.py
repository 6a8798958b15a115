"""What the `opfire` command does: a module a command, each with `register` and `run`."""

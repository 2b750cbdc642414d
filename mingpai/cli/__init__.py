"""The command line: a window on everything, with no rules inside. Each command imports what it needs when it runs."""

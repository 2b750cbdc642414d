"""The methods: one package for each paper, with its source, what differs, and its results."""

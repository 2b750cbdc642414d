"""Plumbing of training: run folders, checkpoints, metrics, the loop, the export. Algorithms live in their methods."""
